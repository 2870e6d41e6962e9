"""What the formal track does with one answer, as a task for the worker processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol, TypeVar

from pydantic import TypeAdapter

from grader.answer.answer import Answer
from grader.formal import registry
from grader.problem.checks import Check, CheckModel
from grader.record import Finding, Reason, Status
from grader.workers import Outcome, Workers

TIME_LIMIT = 2.0
"""CPU seconds a check may take."""
MEMORY_LIMIT = 2 * 2**30
"""Bytes a check may add to its process."""

WORK = "grader.formal.task:perform"
"""What the children do."""

_CHECK: TypeAdapter[CheckModel] = TypeAdapter(Check)


class Task(Protocol):
    """One finding to be made. Its key stays with the caller."""

    @property
    def kind(self) -> str:
        """What kind of thing is looked for."""
        ...

    @property
    def by(self) -> str:
        """Who signs the finding."""
        ...

    def decide(self) -> Finding:
        """The finding; a child calls this."""
        ...


T = TypeVar("T", bound=Task)


@dataclass(frozen=True, slots=True)
class CheckTask:
    """A check (as JSON, so that a child reads each distinct one once) and the answer it is put to."""

    check: str
    answer: Answer
    key: object = None
    """Whatever the caller needs to know the task again by."""

    @classmethod
    def of(cls, check: CheckModel, answer: Answer, key: object = None) -> CheckTask:
        """A task from a check model."""
        return cls(check.model_dump_json(exclude_defaults=True), answer, key)

    def __reduce__(self) -> tuple[type[CheckTask], tuple[str, Answer]]:
        # the key stays with the caller: a child would have to import whatever it is made of
        return CheckTask, (self.check, self.answer)

    @property
    def kind(self) -> str:
        """The check's kind."""
        return parsed_check(self.check).kind

    @property
    def by(self) -> str:
        """Who signs."""
        return registry.by(self.kind)

    def decide(self) -> Finding:
        """The finding."""
        return registry.decide(parsed_check(self.check), self.answer)

    def at_once(self) -> Finding | None:
        """The finding, where it is known sooner than the task is sent to a child."""
        return registry.at_once(parsed_check(self.check), self.answer)


@lru_cache(maxsize=4096)
def parsed_check(check: str) -> CheckModel:
    """A check from its JSON."""
    return _CHECK.validate_json(check)


def perform(task: Task) -> Finding:
    """What a child does with a task."""
    return task.decide()


def checkers(count: int | None = None) -> Workers:
    """A team of worker processes that perform tasks under the formal track's limits."""
    return Workers(WORK, count=count, time_limit=TIME_LIMIT, memory_limit=MEMORY_LIMIT, at_once=_at_once)


def _at_once(task: Task) -> Finding | None:
    at_once = getattr(task, "at_once", None)
    return at_once() if at_once else None


def findings(workers: Workers, tasks: Iterable[T]) -> Iterator[list[tuple[T, Finding]]]:
    """Perform tasks and yield what has ended, in lists; a failed task is undetermined and says how."""
    for outcomes in workers.run(tasks):
        yield [(one.task, one.value if one.failure is None else _failed(one)) for one in outcomes]


def _failed(outcome: Outcome) -> Finding:
    task: Task = outcome.task
    finding = Finding(
        status=Status.UNDETERMINED,
        by=task.by,
        reason=Reason.NOT_COMPARABLE,
        detail="",
    )
    match outcome.failure:
        case "time_limit":
            return replace(
                finding,
                reason=Reason.TIME_LIMIT,
                detail=f"the comparison took more than {TIME_LIMIT:g} CPU seconds",
            )
        case "memory_limit":
            detail = f"the comparison took more than {MEMORY_LIMIT >> 30} GiB of memory"
            return replace(finding, detail=detail, flags=("memory_limit",))
        case "raised":
            detail = "the check failed on this answer: " + outcome.trace.strip().splitlines()[-1]
            return replace(finding, detail=detail, flags=("internal_error",))
        case _:
            return replace(finding, detail="the comparison ended its process", flags=("process_died",))
