"""The answers of some runs, and what one judge said of their points, whatever people said."""

from __future__ import annotations

from collections.abc import Iterator

from grader.archive.entry import Grading, StoredVerdict
from grader.archive.read import GradedAnswer, GradedPoint
from grader.record import Verdict
from grader.stats.checked.machine import by_machine
from grader.stats.reading import Source


def graded_answers(source: Source) -> Iterator[tuple[GradedAnswer, Grading]]:
    """Every answer with its texts, quotes and votes, and what it was graded under; in flat memory."""
    for graded in source.runs:
        answers = source.archive.graded(graded.run, under=graded.grading, elsewhere=graded.elsewhere)
        yield from ((answer, graded.grading) for answer in answers)


def judged(point: GradedPoint, answer: GradedAnswer, grading: Grading, judge: str) -> Verdict | None:
    """The verdict of the judge (``<card>@<hash>``), decided or not, that stands but for human marks."""
    if point.standing is None or not point.verdicts:
        return None
    stands = by_machine(point, answer, grading)
    if stands.by != f"judge:{judge}" or not isinstance(stands.source, StoredVerdict):
        return None
    return stands.source.verdict


def where(answer: GradedAnswer, point_id: str) -> str:
    """A point of an answer, for a case: ``<problem>/<sub>/<point>``, and the response's digest shortened."""
    head = answer.response
    return f"{head.problem_id}/{answer.answer.sub_id}/{point_id}, {head.digest[:12]}"
