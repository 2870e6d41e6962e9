"""Pairs of many answers, made in child processes: an answer can hang any chemistry library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from grader.answer.answer import Answer
from grader.audit.metamorphic.pair import NotApplicable, Pair
from grader.audit.metamorphic.pairs import pairs_of
from grader.audit.metamorphic.registry import KINDS
from grader.formal import registry
from grader.problem.checks import CheckModel
from grader.problem.model import Point
from grader.workers import Workers

TIME_LIMIT = 20.0
"""CPU seconds one answer may take with all kinds: some twenty verdicts of code and as many readings."""
MEMORY_LIMIT = 2 * 2**30


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


@dataclass(frozen=True, slots=True)
class CodePair:
    """A pair, and code's awards before and after; None is undetermined."""

    pair: Pair
    before: float | None
    after: float | None


def perform_judged(task: PairTask) -> list[CodePair | NotApplicable]:
    """What a child does with a task whose pairs code decides; its point has a check."""
    check = task.point.check if isinstance(task.point, Point) else task.point
    assert check is not None
    before = registry.decide(check, task.answer).award
    return [
        one
        if isinstance(one, NotApplicable)
        else CodePair(one, before, registry.decide(check, replace(task.answer, text=one.after)).award)
        for one in perform(task)
    ]


def pairs_of_many(
    tasks: Iterable[PairTask], *, workers: int | None = None
) -> Iterator[tuple[PairTask, list[Pair | NotApplicable]]]:
    """The pairs of each task, in the order of the tasks, under limits of time and memory.

    Of an answer that exceeds them, every kind is not applicable, and says so.
    """
    return _in_children("perform", tasks, workers)


def judged_many(
    tasks: Iterable[PairTask], *, workers: int | None = None
) -> Iterator[tuple[PairTask, list[CodePair | NotApplicable]]]:
    """The same with what code says of each pair."""
    return _in_children("perform_judged", tasks, workers)


def _in_children(
    work: str, tasks: Iterable[PairTask], workers: int | None
) -> Iterator[tuple[PairTask, list[Any]]]:
    waiting: dict[int, tuple[PairTask, list[Any]]] = {}
    following = 0
    numbered = (_Numbered(task, number) for number, task in enumerate(tasks))
    team = Workers(f"{__name__}:{work}", count=workers, time_limit=TIME_LIMIT, memory_limit=MEMORY_LIMIT)
    with team:
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


def _failed(task: PairTask, failure: str) -> list[NotApplicable]:
    why = f"making the pair failed: {failure.replace('_', ' ')}"
    return [NotApplicable(name, KINDS[name].law, why) for name in task.kinds]
