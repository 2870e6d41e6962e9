"""Whether an answer follows from its own earlier values, as a task for the worker processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from grader.answer.answer import Answer
from grader.formal import registry
from grader.formal.follow.derive import NothingFollows, derived
from grader.formal.task import parsed_check
from grader.problem.checks import CheckModel
from grader.problem.model import Follow
from grader.record import Finding, Followed, Reason, Status

VERSION = 1
"""Raised whenever what follows could come out differently."""

FOLLOW_THROUGH = "follow_through"
"""The flag of a value that is right after the answer's own earlier error."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The candidate by which an answer didn't meet the strict check."""

    start: int
    end: int
    value: str | None
    located: bool
    """It was found on the passage that a judge quoted."""

    @classmethod
    def by(cls, finding: Finding, *, located: bool) -> Taken | None:
        """What a strict finding took; None unless it is not met by something that the answer says."""
        at = finding.evidence
        if finding.status is not Status.NOT_MET or at is None:
            return None
        return cls(at.start, at.end, finding.value, located)


@dataclass(frozen=True, slots=True)
class FollowTask:
    """A strict check and its ``follow`` (both as JSON), the values it follows from, and the answer."""

    check: str
    follow: str
    values: tuple[tuple[str, str], ...]
    taken: Taken
    answer: Answer
    key: object = None

    @classmethod
    def of(
        cls,
        check: CheckModel,
        follow: Follow,
        values: Mapping[str, str],
        taken: Taken,
        answer: Answer,
        key: object = None,
    ) -> FollowTask:
        """A task from models; ``values`` by their names in ``follow``."""
        written = check.model_dump_json(exclude_defaults=True), follow.model_dump_json(exclude_defaults=True)
        return cls(*written, tuple(values.items()), taken, answer, key)

    def __reduce__(self) -> tuple[type[FollowTask], tuple[object, ...]]:
        return FollowTask, (self.check, self.follow, self.values, self.taken, self.answer)

    @property
    def kind(self) -> str:
        """The check's kind."""
        return parsed_check(self.check).kind

    @property
    def by(self) -> str:
        """Who signs."""
        return registry.by(self.kind)

    def decide(self) -> Followed:
        """The finding: met where the value that the strict check refused is one that follows."""
        try:
            checks = derived(_parsed(self.follow), parsed_check(self.check), dict(self.values))
        except NothingFollows as error:
            return _said(Finding(Status.UNDETERMINED, self.by, str(error), Reason.NOT_COMPARABLE), (), self)
        return _said(_best([self._on_answer(check) for check in checks]), checks, self)

    def _on_answer(self, check: CheckModel) -> Finding:
        """The finding of a derived check; only the value that the strict check took can earn anything."""
        from grader.formal.located import decide_located

        taken = self.taken
        if taken.located:
            found = decide_located(check, self.answer, taken.start, taken.end)
        else:
            found = registry.decide(check, self.answer)
        if found.status is Status.MET and not _same(taken, found):
            why = "the answer states it beside another value for this point"
            return replace(
                found, status=Status.UNDETERMINED, reason=Reason.CONFLICTING_CANDIDATES, detail=why
            )
        return found


def _same(taken: Taken, found: Finding) -> bool:
    at = found.evidence
    return (at is not None and (at.start, at.end) == (taken.start, taken.end)) or (
        taken.value is not None and found.value == taken.value
    )


def _best(found: Sequence[Finding]) -> Finding:
    """The met one, else the first that is undetermined, else the first."""
    order = (Status.MET, Status.UNDETERMINED, Status.NOT_MET)
    return min(found, key=lambda one: order.index(one.status))


def _said(found: Finding, checks: Sequence[CheckModel], task: FollowTask) -> Followed:
    """The finding with what follows from what, signed by the kind of the strict check."""
    expected = tuple(str(getattr(check, "expected", "")) for check in checks)
    values = ", ".join(f"{name} = {_short(value)}" for name, value in task.values)
    follows = f"from {values} follows {' or '.join(map(_short, expected)) or 'nothing'}"
    flags = (*found.flags, FOLLOW_THROUGH) if found.status is Status.MET else found.flags
    detail = f"{follows}: {found.detail}"
    return Followed.of(replace(found, by=task.by, detail=detail, flags=flags), expected)


def _short(value: str) -> str:
    """A number as people read it; a structure as it is."""
    try:
        return f"{float(value):.6g}"
    except ValueError:
        return value


@lru_cache(maxsize=4096)
def _parsed(follow: str) -> Follow:
    return Follow.model_validate_json(follow)
