"""One bad task costs itself and nothing else."""

from __future__ import annotations

import os
import signal
from itertools import chain

import pytest

from grader.workers import BATCH, Workers

TASKS = "tests.worker_tasks"


def values(name, tasks, **limits):
    with Workers(f"{TASKS}:{name}", count=2, **limits) as workers:
        return list(chain.from_iterable(workers.run(tasks)))


def test_every_task_comes_back_once():
    outcomes = values("double", range(500))
    assert sorted((o.task, o.value) for o in outcomes) == [(n, 2 * n) for n in range(500)]


def test_no_tasks_start_no_child():
    with Workers(f"{TASKS}:double") as workers:
        assert list(workers.run([])) == []
        assert workers._children == []


def test_an_endless_task_ends_at_its_cpu_limit_and_the_batch_goes_on():
    outcomes = values("spin_on_13", range(BATCH), time_limit=0.5)
    failed = {o.task: o.failure for o in outcomes if o.failure}
    assert failed == {13: "time_limit"}
    assert len(outcomes) == BATCH


def test_a_task_that_kills_its_child_fails_alone():
    outcomes = values("die_on_7", range(100))
    assert {o.task: o.failure for o in outcomes if o.failure} == {7: "died"}
    assert len(outcomes) == 100


def test_a_task_that_eats_memory_fails_alone():
    outcomes = values("gorge_on_3", range(20), memory_limit=200 * 2**20)
    assert {o.task: o.failure for o in outcomes if o.failure} == {3: "memory_limit"}
    assert len(outcomes) == 20


def test_an_exception_comes_back_with_its_traceback():
    (outcome,) = values("fail", ["chemistry"])
    assert outcome.failure == "raised"
    assert "ValueError: chemistry" in outcome.trace


def test_a_function_that_cannot_be_imported_is_a_bug_said_at_once(capfd):
    with pytest.raises(RuntimeError, match="could not start"):
        values("no_such_function", [1])
    assert "no_such_function" in capfd.readouterr().err


def test_the_folder_of_the_user_is_no_place_to_import_from(tmp_path, monkeypatch):
    (tmp_path / "random.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)
    assert len(values("double", range(3))) == 3


def test_a_child_that_someone_else_killed_costs_no_task():
    with Workers(f"{TASKS}:double", count=1) as workers:
        assert [o.value for o in chain.from_iterable(workers.run([1]))] == [2]
        os.kill(workers._children[0].process.pid, signal.SIGKILL)
        outcomes = list(chain.from_iterable(workers.run([2, 3])))
    assert sorted(o.value for o in outcomes) == [4, 6]


def test_what_is_known_at_once_is_sent_nowhere():
    with Workers(f"{TASKS}:double", count=1, at_once=lambda n: -1 if n % 2 else None) as workers:
        outcomes = list(chain.from_iterable(workers.run(range(2000))))
    assert sorted((o.task, o.value) for o in outcomes) == [(n, -1 if n % 2 else 2 * n) for n in range(2000)]


def test_replies_held_back_by_a_child_that_dies_are_made_again():
    outcomes = values("die_on_7", [*range(6), 8, 7, *range(8, 40)])
    assert {o.task for o in outcomes if o.failure} == {7}
    assert sorted(o.value for o in outcomes if not o.failure) == sorted([*range(6), 8, *range(8, 40)])
