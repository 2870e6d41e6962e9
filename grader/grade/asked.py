"""The answers of a run that somebody is asked about, and which of them stay open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from grader.archive.call_entry import Purpose
from grader.archive.entry import Grading, Run
from grader.archive.read import GradedAnswer
from grader.archive.store import Archive
from grader.grade.judge_tasks import is_blank
from grader.model.reply import Asker, NotAsked
from grader.record import Response

AT_ONCE = 100
"""Answers that are read together."""

AskerOf = Callable[[GradedAnswer, Purpose], Asker]
"""Who is asked about an answer, for a purpose."""

Place = tuple[str, str]
"""A response digest and a sub_id."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer with the response it stands in."""

    graded: GradedAnswer
    response: Response

    @property
    def place(self) -> Place:
        """What tells it from all others."""
        return self.graded.response.digest, self.graded.answer.sub_id


def asked_answers(archive: Archive, run: Run, grading: Grading) -> Iterator[Asked]:
    """The answers of a run that somebody gave: no failed calls, no blanks."""
    answers = archive.graded(run, under=grading)
    given = (one for one in answers if one.response.error is None and not is_blank(one))
    while some := list(islice(given, AT_ONCE)):
        responses = archive.responses(one.response.digest for one in some)
        yield from (Asked(one, responses[one.response.digest]) for one in some)


@dataclass(slots=True)
class Left:
    """Answers that stay open for now, and why."""

    waiting: dict[Place, set[str]] = field(default_factory=dict)
    """The points of each answer that a request would be about which was not sent."""
    _unasked: dict[Place, str] = field(default_factory=dict)
    _failed: set[Place] = field(default_factory=set)
    failures: Counter[str] = field(default_factory=Counter)
    """What calls failed of, as often as it was said."""

    def not_asked(self, asked: Asked, unsent: NotAsked, points: Iterable[str]) -> None:
        """A request about some points of the answer was not sent."""
        self._unasked[asked.place] = unsent.why
        self.waiting.setdefault(asked.place, set()).update(points)

    def call_failed(self, asked: Asked, why: str) -> None:
        """Nobody replied to a request about the answer."""
        self._failed.add(asked.place)
        self.failures[why] += 1

    def waits(self, asked: Asked) -> bool:
        """Whether asking more about the answer has to wait for a reply that is still to come."""
        return self._unasked.get(asked.place) in ("batch", "budget")

    @property
    def unasked(self) -> Counter[str]:
        """How many answers wait for a request, by why it was not sent."""
        return Counter(self._unasked.values())

    @property
    def answers(self) -> int:
        """How many answers stay open."""
        return len(self._failed | self._unasked.keys())

    @property
    def failed(self) -> int:
        """How many answers have a request that nobody replied to."""
        return len(self._failed)
