"""What points follow from: the values that a model found earlier, in the same response or an earlier one.

Under full_problem (and where no protocol is stated) the sources are in the same
response. Under sequential_carry they may be in any response of the same
conversation, wherever the run file has it. Under oracle_scaffolded only those
of the same subquestion are the model's own: the others were given to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection, select

from grader.archive import outcomes, runs
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

Spans = Mapping[str, Mapping[str, Sequence[AnswerSpan]]]
"""Answers by response digest and subquestion, the last cut last."""

_Conversation = tuple[str, str, str, int]
"""Model, problem, mode and sample: under carry one conversation."""


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
        turns = list(_conversations(connection, run_id, [head for head in heads if head.protocol == _CARRY]))
        self._turns = {(_conversation(turn), turn.sub_id): turn.digest for turn in turns}
        digests = {one.digest for one in (*heads, *turns)}
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


def _conversations(
    connection: Connection, run_id: int, heads: Sequence[ResponseHead]
) -> Iterator[ResponseHead]:
    """The turns of the conversations that some responses under carry belong to."""
    wanted = {_conversation(head) for head in heads}
    if not wanted:
        return
    models, problems, modes, samples = (sorted(set(values)) for values in zip(*wanted, strict=True))
    columns = [LINES.c.line, *(RESPONSES.c[name] for name in ResponseHead.__slots__[1:])]
    query = (
        select(*columns)
        .join(RESPONSES, RESPONSES.c.digest == LINES.c.response_digest)
        .where(LINES.c.run_id == run_id, RESPONSES.c.protocol == _CARRY, RESPONSES.c.error.is_(None))
        .where(RESPONSES.c.problem_id.in_(problems), RESPONSES.c.model.in_(models))
        .where(RESPONSES.c.mode.in_(modes), RESPONSES.c.sample.in_(samples))
    )
    turns = (ResponseHead(*row) for row in connection.execute(query))
    yield from (turn for turn in turns if _conversation(turn) in wanted)


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
