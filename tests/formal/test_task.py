"""What goes to a worker process, and what stays."""

from __future__ import annotations

import pickle

from grader.answer.answer import Answer
from grader.formal.task import CheckTask, checkers, findings


def test_a_worker_gets_the_check_and_the_answer_and_never_the_callers_key():
    task = CheckTask('{"kind":"integer","expected":4}', Answer("There are 4.", ("x",), False), key=print)
    assert pickle.loads(pickle.dumps(task)) == CheckTask(task.check, task.answer)


def test_a_finding_comes_back_with_the_key_of_its_task():
    tasks = [CheckTask('{"kind":"integer","expected":4}', Answer(f"There are {n}."), key=n) for n in (4, 5)]
    with checkers(1) as workers:
        found = {task.key: finding.award for ended in findings(workers, tasks) for task, finding in ended}
    assert found == {4: 1, 5: 0}
