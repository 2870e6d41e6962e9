"""What code finds in rewritten answers: a judge is told facts about what it reads, no others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grader.answer.answer import Answer
from grader.archive.entry import Engine, StoredFinding
from grader.audit.asked_anew.picking import Answers, Base
from grader.formal.task import CheckTask, checkers, findings
from grader.grade.entries import engine_of
from grader.grade.facts import FactTask, fact_engine, fact_tasks
from grader.judge.task import JudgeTask
from grader.record import Finding


@dataclass(frozen=True, slots=True)
class Rewriting:
    """An answer with its cut of the response replaced."""

    base: Base
    text: str
    """What stands where the answer stood."""

    @property
    def whole(self) -> str:
        """The response with it."""
        assert self.base.graded is not None
        span, text = self.base.graded.answer, self.base.response.text
        return text[: span.start] + self.text + text[span.end :]


def tasks_of(
    answers: Answers, several: Sequence[Rewriting], *, workers: int | None = None
) -> list[JudgeTask]:
    """What a judge is asked about each, with the facts that code finds in it now."""
    tasks = [task for place, one in enumerate(several) for task in _tasks(answers, place, one)]
    found: dict[int, dict[str, tuple[Engine, Finding]]] = {}
    if tasks:
        with checkers(workers) as team:
            for ended in findings(team, tasks):
                for task, finding in ended:
                    assert isinstance(task.key, _Slot)
                    found.setdefault(task.key.place, {})[task.key.point_id] = (task.key.engine, finding)
    return [_task(answers, one, found.get(place, {})) for place, one in enumerate(several)]


@dataclass(frozen=True, slots=True)
class _Slot:
    """Whose finding it is: of which rewriting, about which point, by whom."""

    place: int
    point_id: str
    engine: Engine


def _tasks(answers: Answers, place: int, one: Rewriting) -> Iterator[CheckTask | FactTask]:
    graded = one.base.graded
    assert graded is not None
    sub = answers.tasks.sheet(graded.answer.sub_id).planned
    for point in sub.formal:
        assert point.check is not None
        answer = Answer(one.text, point.others, graded.answer.cut)
        yield CheckTask.of(point.check, answer, _Slot(place, point.node.id, engine_of(point.check.kind)))
    quoting = fact_tasks(sub)
    for point in (other for other in sub.points if other.node.id in quoting):
        answer = Answer(one.text, point.others, graded.answer.cut)
        yield FactTask(point.node.text, answer, _Slot(place, point.node.id, fact_engine()))


def _task(answers: Answers, one: Rewriting, found: dict[str, tuple[Engine, Finding]]) -> JudgeTask:
    graded = one.base.graded
    assert graded is not None
    points = tuple(
        replace(
            point,
            findings=tuple(
                StoredFinding(0, point.point_hash or "", graded.answer.answer_hash, engine, finding)
                for engine, finding in ([found[point.point_id]] if point.point_id in found else [])
            ),
        )
        for point in graded.points
    )
    return answers.tasks.judge_task(
        replace(graded, points=points), replace(one.base.response, text=one.whole)
    )
