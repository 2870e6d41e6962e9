"""One answer before the judge: requests, replies, ballots, verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from grader.judge.ballots import Source, ballot, failed
from grader.judge.cards import LoadedCard
from grader.judge.flags import Flag
from grader.judge.prompt import Repair, judge_request
from grader.judge.reading import Reading, read
from grader.judge.shield import Shielded, shield
from grader.judge.task import Criterion, JudgeTask
from grader.judge.together import together
from grader.judge.votes import Ballot, aggregate, first_round, settled
from grader.model.reply import Asker, CallFailed, NotAsked
from grader.record import Reason, Verdict, digest


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of one answer."""

    verdicts: dict[str, Verdict]
    """By criterion, in the task's order: all of what a request asks about, once its ballots are in."""
    unasked: NotAsked | None = None
    """The first of the requests that were needed for the others and not sent."""


async def judge(card: LoadedCard, task: JudgeTask, asker: Asker) -> Judgement:
    """One verdict for every criterion of ``task`` that the judge could be asked about.

    Evidence offsets are code points of ``task.answer``. What nobody could say
    is undetermined with a reason, never a guess. A request that is not sent
    leaves the criteria open that needed it, and keeps back no other request.
    """
    shielded = shield(task.answer)
    hearings = [_Hearing(card, part, shielded, asker) for part in _parts(card, task)]
    heard = await together(_hold(hearing) for hearing in hearings)
    verdicts = dict(chain.from_iterable(part.verdicts.items() for part in heard))
    return Judgement(verdicts, next((part.unasked for part in heard if part.unasked), None))


class _Seat(NamedTuple):
    """One ballot that may be asked for."""

    voter: LoadedCard
    vote: int


@dataclass(frozen=True, slots=True)
class _Hearing:
    """One task before the judge: what every one of its requests shares."""

    card: LoadedCard
    task: JudgeTask
    shielded: Shielded
    """The answer, as it may be shown."""
    asker: Asker


def _parts(card: LoadedCard, task: JudgeTask) -> list[JudgeTask]:
    """What one request asks about."""
    if card.card.calls == "point":
        return [replace(task, criteria=(criterion,)) for criterion in task.criteria]
    return [task] if task.criteria else []


def _seats(card: LoadedCard, task: JudgeTask) -> list[_Seat]:
    """All planned ballots in the order they are asked for.

    Round by round through the voters as the card names them, each as often as
    its own card says, beginning with a voter that the content of the task
    decides: so an early stop leaves out now one, now another, and the same
    when asked again.
    """
    voters = card.voters
    content = [task.question, task.part, task.answer, [criterion.id for criterion in task.criteria]]
    first = int(digest(content), 16) % len(voters)
    turn = [*voters[first:], *voters[:first]]
    rounds = max(voter.card.votes for voter in voters)
    return [_Seat(voter, vote) for vote in range(rounds) for voter in turn if vote < voter.card.votes]


async def _hold(hearing: _Hearing) -> Judgement:
    """All verdicts or none: a ballot that is still to be cast could change the confidence of any."""
    seats = _seats(hearing.card, hearing.task)
    try:
        cast = await _vote(hearing, seats)
    except NotAsked as unasked:
        return Judgement({}, unasked)
    return Judgement(
        {one.id: _verdict(hearing, one, cast[one.id], len(seats)) for one in hearing.task.criteria}
    )


async def _vote(hearing: _Hearing, seats: Sequence[_Seat]) -> dict[str, list[Ballot]]:
    """The ballots cast for each criterion.

    As many as could settle everything at once, then one by one while
    something is open.
    """
    cast: dict[str, list[Ballot]] = {criterion.id: [] for criterion in hearing.task.criteria}
    planned = len(seats)
    asked = first_round(planned)
    going, waiting = seats[:asked], seats[asked:]
    while going:
        for given in await together(_cast(hearing, seat) for seat in going):
            for point, one in given.items():
                cast[point].append(one)
        is_open = not all(settled(ballots, planned) for ballots in cast.values())
        going, waiting = (waiting[:1], waiting[1:]) if is_open else ((), ())
    return cast


async def _cast(hearing: _Hearing, seat: _Seat) -> dict[str, Ballot]:
    """One ballot for each criterion, with the one repair that a bad reply gets."""
    criteria = hearing.task.criteria
    first = await _hear(hearing, seat, criteria, None)
    if first.repair is None:
        return first.ballots
    missing = [criterion for criterion in criteria if first.ballots[criterion.id].stance is None]
    second = await _hear(hearing, seat, missing, first.repair)
    return first.ballots | second.ballots


class _Heard(NamedTuple):
    ballots: dict[str, Ballot]
    """One for each criterion asked about; failed ones for what the reply doesn't say."""
    repair: Repair | None
    """What to ask again with, where the reply was bad."""


async def _hear(
    hearing: _Hearing, seat: _Seat, criteria: Sequence[Criterion], repair: Repair | None
) -> _Heard:
    request = judge_request(seat.voter, hearing.task, seat.vote, repair)
    source = Source(seat.voter.label, seat.vote, request.key)
    try:
        reply = await hearing.asker.ask(request)
    except CallFailed as failure:
        nothing = {one.id: failed(source, Reason.CALL_FAILED, str(failure)) for one in criteria}
        return _Heard(nothing, None)
    reading = read(reply.raw, criteria, hearing.task.answer)
    source = replace(source, truncated=reply.attempt.finish_reason == "length")
    ballots = {one.id: _ballot(hearing, source, one, reading) for one in criteria}
    return _Heard(ballots, _repair(reading, ballots) if reading.trouble else None)


def _repair(reading: Reading, ballots: Mapping[str, Ballot]) -> Repair:
    """What to ask again with: about what the reply doesn't say, or about everything if it says nothing."""
    open_ones = tuple(point for point, one in ballots.items() if one.stance is None)
    missing = () if len(open_ones) == len(ballots) else open_ones
    return Repair(reading.words, reading.trouble, missing)


def _ballot(hearing: _Hearing, source: Source, criterion: Criterion, reading: Reading) -> Ballot:
    said = reading.said.get(criterion.id)
    if said is None:
        return failed(source, Reason.REPLY_UNREADABLE, reading.trouble)
    return ballot(source, criterion, said, hearing.task.answer, hearing.shielded.passages)


def _verdict(hearing: _Hearing, criterion: Criterion, ballots: Sequence[Ballot], planned: int) -> Verdict:
    outcome = aggregate(ballots, planned)
    # Code that settles a criterion says all or nothing; a partial award contradicts neither.
    conflict = {outcome.award, criterion.expects} == {0.0, 1.0}
    noted = [Flag(flag) for flag in hearing.shielded.flags]
    return Verdict(
        point_id=criterion.id,
        status=outcome.status,
        by=hearing.card.by,
        award=outcome.award,
        reason=outcome.reason,
        rationale=outcome.rationale,
        evidence=outcome.evidence,
        confidence=outcome.confidence,
        flags=(*outcome.flags, *((Flag.FINDING_CONFLICT,) if conflict else ()), *noted),
        provisional=hearing.card.card.provisional,
        votes=tuple(one.vote for one in ballots),
    )
