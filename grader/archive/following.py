"""What points follow from: the values that a model found earlier, in the same response or an earlier one.

Under full_problem (and where no protocol is stated) the sources are in the same
response. Under sequential_carry they may be in any response of the same
conversation, wherever the run file has it. Under oracle_scaffolded only those
of the same subquestion are the model's own: the others were given to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from grader.archive import outcomes, runs
from grader.archive.append import portions
from grader.archive.entry import (
    AnswerSpan,
    Engine,
    FollowSource,
    Grading,
    ResponseHead,
    StoredFinding,
    StoredFollowed,
    basis_of,
)
from grader.archive.outcomes import Pair
from grader.archive.sheet import Node, Sheet
from grader.archive.standing import of_code
from grader.archive.tables import TABLES
from grader.record import Status

RESPONSES = TABLES["responses"]
LINES = TABLES["run_responses"]

_CARRY = "sequential_carry"
_ORACLE = "oracle_scaffolded"

_AT_ONCE = 50
"""Conversations that are looked up in one query."""

Spans = Mapping[str, Mapping[str, Sequence[AnswerSpan]]]
"""Answers by response digest and subquestion, the last cut last."""

_NAMES = ("model", "problem_id", "mode", "sample")
_Conversation = tuple[str, str, str, int]
"""The values of ``_NAMES``: under carry one conversation."""


@dataclass(frozen=True, slots=True)
class Following:
    """What the points of some answers follow from, and what was found to follow."""

    sources: Mapping[tuple[str, str, str], tuple[FollowSource, ...]] = field(default_factory=dict)
    """By response digest, sub_id and point_id; only where every value was found."""
    followed: Mapping[tuple[Pair, str], StoredFollowed] = field(default_factory=dict)

    def joined(self, finding: StoredFinding, sources: tuple[FollowSource, ...]) -> StoredFinding:
        """A strict finding with what was found to follow, if anything was looked at again."""
        if not sources or finding.finding.status is not Status.NOT_MET:
            return finding
        pair = (finding.point_hash, finding.answer_hash)
        followed = self.followed.get((pair, basis_of(sources, finding)))
        return finding if followed is None else replace(finding, followed=replace(followed, sources=sources))


@dataclass(frozen=True, slots=True)
class Within:
    """The grading of a run that is read."""

    run_id: int
    grading: Grading
    sheet: Sheet
    engines: Mapping[str, Engine]


def following(
    connection: Connection, within: Within, heads: Sequence[ResponseHead], answers: Spans
) -> Following:
    """What the answers of some responses of a run follow from; without ``follow`` nothing is read."""
    wanted = [
        _Wanted(head, sub_id, node)
        for head in heads
        if head.error is None
        for sub_id in answers.get(head.digest, ())
        for node in within.sheet.following(head.problem_id, sub_id)
    ]
    if not wanted:
        return Following()
    turns = _Turns(connection, within.run_id, [one.head for one in wanted])
    places = {one: turns.pairs(one) for one in wanted}
    found = _values(connection, within, places.values())
    sources = {one.key: values for one, pairs in places.items() if (values := _all(one, pairs, found))}
    own = (
        (one.node.point_hash or "", answers[one.head.digest][one.sub_id][-1].answer_hash)
        for one in wanted
        if one.key in sources
    )
    return Following(sources, outcomes.followed(connection, own, within.engines, within.grading.engines))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A point of an answer that has ``follow``."""

    head: ResponseHead
    sub_id: str
    node: Node

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.head.digest, self.sub_id, self.node.point_id)


class _Turns:
    """The responses among which the sources of some points are looked for, by their answers."""

    def __init__(self, connection: Connection, run_id: int, heads: Sequence[ResponseHead]) -> None:
        carried = (_conversation(head) for head in heads if head.protocol == _CARRY)
        self._turns = _turns_of(connection, run_id, carried)
        digests = {*(head.digest for head in heads), *self._turns.values()}
        self._answers = runs.answers(connection, sorted(digests))

    def pairs(self, wanted: _Wanted) -> tuple[Pair | None, ...]:
        """Source point and the answer to look for it in, for each source; None where there is no answer."""
        spans = (self._answer(wanted, source.sub_id) for source in wanted.node.sources)
        return tuple(
            None if span is None else (source.point_hash, span.answer_hash)
            for source, span in zip(wanted.node.sources, spans, strict=True)
        )

    def _answer(self, wanted: _Wanted, sub_id: str) -> AnswerSpan | None:
        head = wanted.head
        if head.protocol == _ORACLE and sub_id != wanted.sub_id:
            return None
        spans = self._answers.get(head.digest, {}).get(sub_id)
        if not spans and head.protocol == _CARRY:
            turn = self._turns.get((_conversation(head), sub_id), "")
            spans = self._answers.get(turn, {}).get(sub_id)
        return spans[-1] if spans else None


def _conversation(head: ResponseHead) -> _Conversation:
    return (head.model, head.problem_id, head.mode, head.sample)


def _turns_of(
    connection: Connection, run_id: int, conversations: Iterable[_Conversation]
) -> Mapping[tuple[_Conversation, str], str]:
    """The turns of a run's conversations under carry: response digests by conversation and subquestion."""
    turns: dict[tuple[_Conversation, str], str] = {}
    wanted = sorted(set(conversations))
    for start in range(0, len(wanted), _AT_ONCE):
        # spelled out and without the run, or SQLite would walk through the run for each portion of it
        some = or_(*(_is_of(one) for one in wanted[start : start + _AT_ONCE]))
        query = select(*(RESPONSES.c[name] for name in (*_NAMES, "sub_id", "digest"))).where(some)
        query = query.where(RESPONSES.c.protocol == _CARRY, RESPONSES.c.error.is_(None))
        found = {digest: (one, sub_id) for *one, sub_id, digest in connection.execute(query)}
        for digest in _of_run(connection, run_id, found):
            one, sub_id = found[digest]
            turns[(*one,), sub_id] = digest
    return turns


def _is_of(conversation: _Conversation) -> ColumnElement[bool]:
    return and_(*(RESPONSES.c[name] == value for name, value in zip(_NAMES, conversation, strict=True)))


def _of_run(connection: Connection, run_id: int, digests: Iterable[str]) -> Iterator[str]:
    for some in portions(digests):
        query = select(LINES.c.response_digest).where(
            LINES.c.run_id == run_id, LINES.c.response_digest.in_(some)
        )
        yield from connection.scalars(query)


def _values(
    connection: Connection, within: Within, places: Iterable[tuple[Pair | None, ...]]
) -> Mapping[Pair, StoredFinding]:
    """What code found for sources, where it took a value."""
    pairs = {pair for place in places for pair in place if pair is not None}
    engines = within.grading.engines
    found = outcomes.findings(connection, sorted(pairs), within.engines, engines)
    standing = {pair: of_code(several, *pair, engines) for pair, several in found.items()}
    return {pair: one for pair, one in standing.items() if one is not None and one.finding.value is not None}


def _all(
    wanted: _Wanted, pairs: Sequence[Pair | None], found: Mapping[Pair, StoredFinding]
) -> tuple[FollowSource, ...]:
    """The sources of a point; none unless each has a value."""
    if not all(pair in found for pair in pairs):
        return ()
    sources = zip(wanted.node.sources, (found[pair] for pair in pairs if pair is not None), strict=True)
    return tuple(
        FollowSource(source.name, source.sub_id, source.point_id, one.finding.value or "", one)
        for source, one in sources
    )
