"""Archives of generated answers: graded without a decision, judged or not, their points queued."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from grader.archive.entry import AnswerSpan, Engine, Received, VerdictEntry, response_digest
from grader.archive.review_entry import ItemEntry, Member
from grader.archive.store import Archive
from grader.grade.entries import set_entry
from grader.grade.plan import PlannedSubquestion, plan
from grader.problem.set import load_set
from grader.record import Response, Status, Verdict, digest

PROBLEMS, POINTS = 20, 4
BATCH = 500
_ENGINE = Engine("formal:choice@1")
_TEXT = "The reaction is of first order, since its half-life does not depend on the concentration. " * 6


def generate(
    archive: Archive, folder: Path, answers: int, *, judged: bool = False, queue_each: int = 1
) -> None:
    """Grade ``answers`` of four points each; queue every ``queue_each``-th point.

    ``judged``: each point has a verdict of a judge, who is more or less certain.
    """
    _write_set(folder)
    loaded = load_set(folder)
    planned = plan(loaded.problems, str(folder))
    set_digest = archive.put_set(set_entry(loaded, planned))
    run = archive.put_run(digest(answers), "generated", {"schema_version": 1})
    archive.begin_grading(run, set_digest, [_ENGINE])
    subs = [sub for one in planned.subquestions.values() for sub in one]
    lines = ((_received(n, subs[n % PROBLEMS]), subs[n % PROBLEMS]) for n in range(answers))
    while batch := list(islice(lines, BATCH)):
        archive.put_responses(run, [received for received, _ in batch])
        if judged:
            archive.put_verdicts(one for received, sub in batch for one in _verdicts(received, sub))
        items = (one for received, sub in batch for one in _items(received, sub))
        archive.put_items(list(items)[::queue_each])


def _write_set(folder: Path) -> None:
    for number in range(PROBLEMS):
        name = f"p{number:02}"
        rubric = [{"id": f"{name}-1#{n}", "points": 1, "text": f"reason {n}"} for n in range(POINTS)]
        sub = {"sub_id": f"{name}-1", "text_open": "Why?", "full_mark": POINTS, "rubric": rubric}
        task = folder / "tasks" / name
        task.mkdir(parents=True, exist_ok=True)
        problem = {"problem_id": name, "header": "A decays.", "subquestions": [sub]}
        (task / "problem.json").write_text(json.dumps(problem))


def _received(number: int, sub: PlannedSubquestion) -> Received:
    text = f"{number}: {_TEXT}"
    response = Response("m", sub.problem_id, sub.sub_id, "sequential_carry", "text_only", number, text)
    return Received(number + 2, response, [AnswerSpan(sub.sub_id, 0, len(text), digest(text), True)])


def _verdicts(received: Received, sub: PlannedSubquestion) -> Iterator[VerdictEntry]:
    (span,) = received.answers
    for n, point in enumerate(sub.points):
        sure = (received.line * POINTS + n) % 97 / 97
        verdict = Verdict(point.node.id, Status.MET, "judge:bench@0123456789ab", 1.0, confidence=sure)
        place = (response_digest(received.response), sub.problem_id, sub.sub_id)
        yield VerdictEntry(*place, point.point_hash, span.answer_hash, verdict)


def _items(received: Received, sub: PlannedSubquestion) -> Iterator[ItemEntry]:
    (span,) = received.answers
    member = Member(response_digest(received.response), span.answer_hash)
    for n, point in enumerate(sub.points):
        key = digest([point.point_hash, span.answer_hash])
        place = (sub.problem_id, sub.sub_id, point.node.id, point.point_hash)
        doubt = (received.line * POINTS + n) % 97 / 97
        yield ItemEntry(key, key, "triage", *place, (member,), doubt, ("low_confidence",))
