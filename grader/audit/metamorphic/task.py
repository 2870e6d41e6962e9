"""Pairs of many answers, made in child processes: an answer can hang any chemistry library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.answer.answer import Answer
from grader.audit.metamorphic.pair import NotApplicable, Pair
from grader.audit.metamorphic.pairs import pairs_of
from grader.audit.metamorphic.registry import KINDS
from grader.problem.checks import CheckModel
from grader.problem.model import Point
from grader.workers import Workers

TIME_LIMIT = 20.0
"""CPU seconds one answer may take with all kinds: some twenty verdicts of code and as many readings."""
MEMORY_LIMIT = 2 * 2**30
_WORK = "grader.audit.metamorphic.task:perform"


@dataclass(frozen=True, slots=True)
class PairTask:
    """What ``pairs_of`` is asked, with a key that the caller knows it again by."""

    answer: Answer
    point: Point | CheckModel
    kinds: tuple[str, ...] = tuple(KINDS)
    seed: int = 0
    code_agrees: bool = True
    key: object = None

    def __reduce__(self) -> tuple[type[PairTask], tuple[object, ...]]:
        # the key stays with the caller: a child would have to import whatever it is made of
        return PairTask, (self.answer, self.point, self.kinds, self.seed, self.code_agrees)


def perform(task: PairTask) -> list[Pair | NotApplicable]:
    """What a child does with a task."""
    return pairs_of(task.answer, task.point, task.kinds, task.seed, code_agrees=task.code_agrees)


def pairs_of_many(
    tasks: Iterable[PairTask], *, workers: int | None = None
) -> Iterator[tuple[PairTask, list[Pair | NotApplicable]]]:
    """The pairs of each task, in the order of the tasks, under limits of time and memory.

    Of an answer that exceeds them, every kind is not applicable, and says so.
    """
    waiting: dict[int, tuple[PairTask, list[Pair | NotApplicable]]] = {}
    following = 0
    numbered = (_Numbered(task, number) for number, task in enumerate(tasks))
    with Workers(_WORK, count=workers, time_limit=TIME_LIMIT, memory_limit=MEMORY_LIMIT) as team:
        for outcomes in team.run(numbered):
            for one in outcomes:
                task = one.task.task
                made = one.value if one.failure is None else _failed(task, one.failure)
                waiting[one.task.number] = (task, made)
            while following in waiting:
                yield waiting.pop(following)
                following += 1


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A task and its place among all; to a child it goes as the task."""

    task: PairTask
    number: int

    def __reduce__(self) -> tuple[type[PairTask], tuple[object, ...]]:
        return self.task.__reduce__()


def _failed(task: PairTask, failure: str) -> list[Pair | NotApplicable]:
    why = f"making the pair failed: {failure.replace('_', ' ')}"
    return [NotApplicable(name, KINDS[name].law, why) for name in task.kinds]
