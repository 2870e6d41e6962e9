"""What became of every request to a judge: read, or why it couldn't be; from the archived calls.

A request whose reply couldn't be read is followed by a repair, and a verdict
names the request it was read from at last. So the first request is found by
what it shares with its repair: the endpoint, the vote and the opening messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from grader.archive.call_entry import StoredCall
from grader.archive.read import GradedAnswer
from grader.audit.from_archive.judged import graded_answers
from grader.grade.terms import counting_terms
from grader.judge.reply import ReplyError, parse
from grader.model.reply import Attempt
from grader.record import digest
from grader.stats.reading import Source

READ, CALL_FAILED = "read", "call_failed"
AT_ONCE = 200
"""Requests whose calls are read together."""


class Place(NamedTuple):
    """An answer that a request was about."""

    model: str
    protocol: str
    problem_id: str
    sub_id: str
    response: str
    length: int
    """Code points of the answer."""


class _Worth(NamedTuple):
    marks: float
    partial: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A request about one answer; one that stands for several equal answers comes with each."""

    key: str
    place: Place
    outcome: str
    """``read``, ``call_failed``, or the code of a reply that couldn't be: see ``grader.judge.reply``."""
    repair: bool
    attempts: int
    failed: int
    """Of these, those without a reply."""


@dataclass(frozen=True, slots=True)
class Replies:
    """All requests to a judge."""

    asked: tuple[Asked, ...]
    lost: int
    """Requests of the runs that no verdict came of: nobody can tell which answer they were about."""


def replies(source: Source, judge: str) -> Replies:
    """Every request of the judge ``<card>@<hash>`` for verdicts on the runs; probes and audits aside."""
    votes = _Votes()
    for answer, _ in graded_answers(source):
        votes.add(answer, source, judge)
    calls = (call for one in source.runs for call in source.archive.calls(one.run))
    sent = dict.fromkeys(call.key for call in calls if (call.card, call.purpose) == (judge, "judge"))
    openings = _openings(source, votes, [key for key in sent if key not in votes.places])
    keys = [*votes.places, *(key for key in openings.found if key not in votes.places)]
    asked = [one for some in _portions(keys) for one in _asked(source, votes, openings, some)]
    return Replies(tuple(asked), sum(key not in votes.places and key not in openings.found for key in sent))


@dataclass(slots=True)
class _Votes:
    """Which answers and points the requests of votes were about."""

    places: dict[str, set[Place]] = field(default_factory=dict)
    points: dict[str, dict[str, _Worth]] = field(default_factory=dict)
    seats: dict[tuple[Place, str, int], set[str]] = field(default_factory=dict)
    """The requests for one vote on an answer: several where something was asked again, or point by point."""

    def add(self, answer: GradedAnswer, source: Source, judge: str) -> None:
        """Note the requests behind the votes of a judge's verdicts on this answer."""
        given = [
            (point.point_id, vote)
            for point in answer.points
            for stored in point.verdicts
            if stored.verdict.by == f"judge:{judge}"
            for vote in stored.verdict.votes
        ]
        if not given:
            return
        head, span = answer.response, answer.answer
        _, sub = source.subquestions[head.problem_id, span.sub_id]
        terms = counting_terms(sub.nodes, sub.full_mark)
        partial = {point.node.id: _allows_part(point.node) for point in sub.points}
        cell = (head.model, head.protocol, head.problem_id)
        place = Place(*cell, span.sub_id, head.digest, span.end - span.start)
        for point_id, vote in given:
            self.places.setdefault(vote.request, set()).add(place)
            self.seats.setdefault((place, vote.by, vote.vote), set()).add(vote.request)
            worth = _Worth(terms[point_id].marks, partial[point_id])
            self.points.setdefault(vote.request, {})[point_id] = worth


def _allows_part(node: object) -> bool:
    return bool(getattr(node, "partial", False) or getattr(node, "each", False))


@dataclass(slots=True)
class _Openings:
    """What requests open with, of those that have to be told apart."""

    of: dict[str, str] = field(default_factory=dict)
    """By key: endpoint, vote and messages before any reply, as a digest."""
    repairs: set[str] = field(default_factory=set)
    by_opening: dict[str, set[str]] = field(default_factory=dict)
    """Keys that votes name, by opening."""
    found: dict[str, set[str]] = field(default_factory=dict)
    """Requests that no vote names, with those of the same opening that votes do."""

    def read(self, source: Source, key: str) -> None:
        request = source.archive.request(key)
        opening = []
        for message in request.messages:
            if message["role"] == "assistant":
                self.repairs.add(key)
                break
            opening.append(message)
        self.of[key] = digest([request.endpoint.model, request.endpoint.api_base, request.vote, opening])

    def asked(self, key: str, votes: _Votes) -> Mapping[str, _Worth]:
        """The points a request asked about: of a first one also those that its repair settled."""
        own = votes.points.get(key, {})
        if key in self.repairs or key not in self.of:
            return own
        same = self.by_opening.get(self.of[key], set()) | self.found.get(key, set())
        return {name: worth for one in sorted(same) for name, worth in votes.points[one].items()} or own


def _openings(source: Source, votes: _Votes, unnamed: list[str]) -> _Openings:
    """Read the requests that share a seat; all of them where some are named by no vote."""
    openings = _Openings()
    shared = {key for several in votes.seats.values() if len(several) > 1 for key in several}
    for key in sorted(votes.places) if unnamed else sorted(shared):
        openings.read(source, key)
        openings.by_opening.setdefault(openings.of[key], set()).add(key)
    for key in unnamed:
        openings.read(source, key)
        if same := openings.by_opening.get(openings.of[key]):
            openings.found[key] = same
    return openings


def _asked(source: Source, votes: _Votes, openings: _Openings, keys: list[str]) -> Iterator[Asked]:
    tried = source.archive.calls_at(keys)
    for key in keys:
        calls = tried.get(key, [])
        if not calls:
            continue  # a vote on a reply that isn't archived
        outcome = _outcome(calls, openings.asked(key, votes))
        failed = sum(call.attempt.failure is not None for call in calls)
        same = [key] if key in votes.places else sorted(openings.found[key])
        for place in sorted({place for one in same for place in votes.places[one]}):
            yield Asked(key, place, outcome, key in openings.repairs, len(calls), failed)


def _outcome(calls: Iterable[StoredCall], points: Mapping[str, _Worth]) -> str:
    replied = [call.attempt for call in calls if call.attempt.failure is None]
    return _read(replied[-1], points) if replied else CALL_FAILED


def _read(attempt: Attempt, points: Mapping[str, _Worth]) -> str:
    assert attempt.raw is not None
    try:
        said = parse(attempt.raw, [{"id": name, "max": worth.marks} for name, worth in points.items()])
    except ReplyError as error:
        return error.code
    forbidden = any(one.verdict == "partial" and not points[name].partial for name, one in said.items())
    return "out_of_range" if forbidden else READ


def _portions(keys: list[str]) -> Iterator[list[str]]:
    rest = iter(keys)
    while some := list(islice(rest, AT_ONCE)):
        yield some
