"""Deciding checks from Python: one, or any number of them.

Whatever an answer holds, the caller's process is safe: the work is done in
child processes under limits of time and memory. Only an answer that is nothing
but its value ("Yes.", "7", "0.0207 M") is decided in place.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from threading import Lock
from typing import Any

from pydantic import TypeAdapter, ValidationError

from grader.answer.answer import Answer
from grader.errors import Fault, UsageError, shown
from grader.formal import registry
from grader.formal.task import CheckTask, checkers, findings
from grader.problem.checks import Check, CheckModel
from grader.problem.model import Point
from grader.record import Finding
from grader.workers import Workers

Checkable = CheckModel | Point | Mapping[str, Any]
"""A check, a point that has one, or a check as JSON has it: ``{"kind": "integer", "expected": 4}``."""

_CHECK: TypeAdapter[CheckModel] = TypeAdapter(Check)


def check(point: Checkable, answer: str | Answer) -> Finding:
    """Decide one check on one answer.

    One child process is kept for the next call. Raises UsageError for a point
    without a check and for a mapping that is none; never for an answer.
    """
    task = _Pair.of(point, answer)
    return task.at_once() or _KEPT.finding(task)


def check_many(
    pairs: Iterable[tuple[Checkable, str | Answer]], *, workers: int | None = None
) -> Iterator[Finding]:
    """Decide checks on answers, and yield the findings in the order of the pairs.

    Pairs are drawn as needed, so both sides may be endless; what is held back at
    a time is what the other ``workers`` (one a core, up to eight) find while one
    answer takes its time. Raises UsageError as ``check`` does.
    """
    tasks = (_Pair.of(point, answer, number) for number, (point, answer) in enumerate(pairs))
    waiting: dict[int, Finding] = {}
    following = 0
    with checkers(workers) as team:
        for task, finding in chain.from_iterable(findings(team, tasks)):
            waiting[task.number] = finding
            while following in waiting:
                yield waiting.pop(following)
                following += 1


@dataclass(frozen=True, slots=True)
class _Pair:
    """A task that its caller's process may decide; to a child it goes as a ``CheckTask``."""

    check: CheckModel
    answer: Answer
    number: int = 0

    @classmethod
    def of(cls, point: Checkable, answer: str | Answer, number: int = 0) -> _Pair:
        return cls(_check_of(point), answer if isinstance(answer, Answer) else Answer(answer), number)

    def __reduce__(self) -> tuple[type[CheckTask], tuple[str, Answer]]:
        return CheckTask, (CheckTask.of(self.check, self.answer).check, self.answer)

    @property
    def kind(self) -> str:
        return self.check.kind

    @property
    def by(self) -> str:
        return registry.by(self.kind)

    def decide(self) -> Finding:
        return registry.decide(self.check, self.answer)

    def at_once(self) -> Finding | None:
        return registry.at_once(self.check, self.answer)


def _check_of(point: Checkable) -> CheckModel:
    if isinstance(point, CheckModel):
        return point
    if isinstance(point, Point):
        if point.check is None:
            raise UsageError(f"point {shown(point.id)} has no check", do="A judge or a human decides it.")
        return point.check
    try:
        return _CHECK.validate_python(point)
    except ValidationError as error:
        raise UsageError([fault(item) for item in error.errors(include_url=False)]) from None


def fault(item: Any) -> Fault:
    """What pydantic says is wrong with a check, as a fault."""
    name = "/".join(str(part) for part in item["loc"][1:])
    return Fault(item["msg"], pointer=name or None, got=shown(item["input"]))


class _Kept:
    """One child process that is kept from call to call."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._team: Workers | None = None
        self._owner = 0

    def finding(self, task: _Pair) -> Finding:
        with self._lock:
            if self._team is None or self._owner != os.getpid():  # a fork has its parent's pipe
                self._team, self._owner = checkers(1), os.getpid()
                atexit.register(self._team.__exit__)
            ((_, finding),) = chain.from_iterable(findings(self._team, [task]))
            return finding


_KEPT = _Kept()
