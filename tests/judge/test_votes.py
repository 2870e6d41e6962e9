"""Ballots add up by one rule, and nobody guesses where they don't."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.judge.flags import Flag
from grader.judge.votes import WIDEST, Ballot, aggregate, first_round, settled
from grader.record import Evidence, Reason, Status, Vote

AWARDS = {"met": 1.0, "not_met": 0.0}
UNSAID = {
    "?": Reason.CANNOT_ASSESS,
    "unreadable": Reason.REPLY_UNREADABLE,
    "failed": Reason.CALL_FAILED,
}
Said = str | float
"""A status, a partial award, or why there is none."""


def ballot(
    said: Said, confidence: float | None = None, *, quote: str | None = None, flags: tuple[Flag, ...] = ()
) -> Ballot:
    if isinstance(said, float):
        vote = Vote("judge@1", 0, "key", Status.PARTIAL, said, confidence)
    elif said in UNSAID:
        vote = Vote("judge@1", 0, "key", Status.UNDETERMINED, None, confidence, UNSAID[said])
    else:
        vote = Vote("judge@1", 0, "key", Status(said), AWARDS[said], confidence)
    evidence = Evidence(quote, 0, len(quote)) if quote else None
    return Ballot(vote, evidence, f"because {quote}", flags)


def ballots(*said: Said) -> list[Ballot]:
    return [ballot(one) for one in said]


@pytest.mark.parametrize(
    ("said", "planned", "status", "award", "reason"),
    [
        (["met"], 1, Status.MET, 1.0, None),
        ([0.5], 1, Status.PARTIAL, 0.5, None),
        (["?"], 1, Status.UNDETERMINED, None, Reason.CANNOT_ASSESS),
        (["unreadable"], 1, Status.UNDETERMINED, None, Reason.REPLY_UNREADABLE),
        (["failed"], 1, Status.UNDETERMINED, None, Reason.CALL_FAILED),
        (["met", "met"], 3, Status.MET, 1.0, None),
        (["met", "not_met", "met"], 3, Status.MET, 1.0, None),
        (["met", "failed", "met"], 3, Status.MET, 1.0, None),
        (["met", 0.5, "not_met"], 3, Status.UNDETERMINED, None, Reason.SPLIT_VOTES),
        (["met", "met", "not_met", "not_met"], 4, Status.UNDETERMINED, None, Reason.SPLIT_VOTES),
        (["met", "not_met"], 2, Status.UNDETERMINED, None, Reason.SPLIT_VOTES),
        (["met", "?"], 2, Status.UNDETERMINED, None, Reason.SPLIT_VOTES),
        (["?", "met", "?"], 3, Status.UNDETERMINED, None, Reason.CANNOT_ASSESS),
        (["met", "failed"], 2, Status.UNDETERMINED, None, Reason.CALL_FAILED),
        (["failed", "unreadable"], 3, Status.UNDETERMINED, None, Reason.CALL_FAILED),
        (["unreadable", "failed"], 3, Status.UNDETERMINED, None, Reason.CALL_FAILED),
        (["unreadable", "met", "unreadable"], 3, Status.UNDETERMINED, None, Reason.REPLY_UNREADABLE),
        (["met", "not_met", "failed"], 3, Status.UNDETERMINED, None, Reason.SPLIT_VOTES),
        ([0.25, 0.75, 0.5], 3, Status.PARTIAL, 0.5, None),
        ([0.75, 0.25], 3, Status.PARTIAL, 0.25, None),
        ([0.75, "met", 0.5, 0.25, 0.75], 5, Status.PARTIAL, 0.5, None),
        # Awards more than half of the marks apart contradict each other, whatever the rounding.
        ([1 / 3, 5 / 6], 2, Status.PARTIAL, 1 / 3, None),
        ([0.2, 0.8], 2, Status.UNDETERMINED, None, Reason.SPLIT_VOTES),
        ([0.1, 0.9, 0.2], 3, Status.PARTIAL, 0.1, None),
        ([0.9, 0.1, 0.5], 3, Status.PARTIAL, 0.1, None),
        ([0.9, 0.1, 0.6], 3, Status.PARTIAL, 0.6, None),
        ([0.1, 0.9, "failed"], 3, Status.UNDETERMINED, None, Reason.SPLIT_VOTES),
        ([0.1, 0.3, "failed", "failed"], 4, Status.UNDETERMINED, None, Reason.CALL_FAILED),
    ],
)
def test_ballots_add_up_as_by_hand(
    said: list[Said], planned: int, status: Status, award: float | None, reason: Reason | None
) -> None:
    outcome = aggregate(ballots(*said), planned)
    assert (outcome.status, outcome.award, outcome.reason) == (status, award, reason)


@pytest.mark.parametrize(
    ("given_", "planned", "confidence"),
    [
        ([("met", 0.9)], 1, 0.9),
        ([("met", None)], 1, None),
        ([("met", 0.9), ("met", 0.7)], 3, 0.8),
        ([("met", 0.9), ("not_met", 1.0), ("met", 0.6)], 3, 0.5),
        ([("met", 0.9), ("failed", None), ("met", 0.9)], 3, 0.6),
        ([("met", None), ("met", 0.8)], 3, 0.4),
        ([("met", None), ("met", None)], 3, None),
        ([(0.3, 0.95), (0.7, 0.95)], 2, 0.57),
        ([(0.5, 0.9), (0.5, 0.7)], 2, 0.8),
        ([(0.2, 0.9), (0.9, 1.0), (0.3, 0.9)], 3, 0.54),
        ([("not_met", 1.0), ("met", 0.8), ("not_met", 0.6), ("met", 0.8), ("not_met", 0.8)], 5, 0.48),
        ([("met", 0.9), ("not_met", 0.9)], 2, None),
        ([("?", 0.4)], 1, 0.4),
    ],
)
def test_confidence_falls_with_every_ballot_that_is_missing_against_unsure_or_apart(
    given_: list[tuple[Said, float | None]], planned: int, confidence: float | None
) -> None:
    outcome = aggregate([ballot(said, sure) for said, sure in given_], planned)
    assert outcome.confidence == (None if confidence is None else pytest.approx(confidence, abs=1e-12))


def test_the_most_confident_of_those_who_agree_speaks_for_them() -> None:
    outcome = aggregate(
        [
            ballot("met", 0.6, quote="weak"),
            ballot("not_met", 1.0, quote="against"),
            ballot("met", 0.8, quote="strong"),
        ],
        3,
    )
    assert outcome.evidence == Evidence("strong", 0, 6)
    assert outcome.rationale == "because strong"


def test_an_award_is_spoken_for_by_a_ballot_that_gave_it() -> None:
    outcome = aggregate([ballot(0.7, 1.0, quote="more"), ballot(0.3, 0.5, quote="less")], 2)
    assert (outcome.award, outcome.rationale) == (0.3, "because less")


def test_what_is_noted_of_any_agreeing_ballot_is_noted_of_the_outcome() -> None:
    outcome = aggregate(
        [
            ballot("met", 0.3, flags=(Flag.EVIDENCE_ABSENT, Flag.TRUNCATED)),
            ballot("not_met", 1.0, flags=(Flag.EVIDENCE_WITHHELD,)),
            ballot("met", 0.9, quote="strong", flags=(Flag.TRUNCATED,)),
        ],
        3,
    )
    assert outcome.flags == (Flag.EVIDENCE_ABSENT, Flag.TRUNCATED)
    assert outcome.evidence == Evidence("strong", 0, 6)


def test_a_failure_says_what_went_wrong() -> None:
    cut = ballot("unreadable", quote="a", flags=(Flag.TRUNCATED,))
    outcome = aggregate([cut, ballot("failed", quote="b")], 2)
    assert (outcome.reason, outcome.rationale) == (Reason.CALL_FAILED, "because b")
    assert outcome.flags == (Flag.TRUNCATED,)


@pytest.mark.parametrize(
    ("said", "planned", "done"),
    [
        ([], 1, False),
        (["met"], 3, False),
        (["met", "met"], 3, True),
        (["met", "not_met"], 3, False),
        (["met", "not_met", "?"], 4, True),
        (["failed", "failed"], 3, True),
        (["failed", "met"], 3, False),
        (["failed", "met"], 2, True),
        (["met", "met", "not_met"], 5, False),
        (["met", "not_met", "?", 0.5], 5, True),
        ([0.1, 0.9], 2, True),
        ([0.1, 0.9], 3, False),
        ([0.1, 0.9, 0.5], 3, True),
    ],
)
def test_asking_stops_when_nothing_can_change_any_more(said: list[Said], planned: int, done: bool) -> None:
    assert settled(ballots(*said), planned) is done


def test_nothing_is_added_up_before_it_is_settled() -> None:
    with pytest.raises(ValueError, match="2 of 3 ballots settle nothing"):
        aggregate(ballots("met", "not_met"), 3)


@pytest.mark.parametrize(("planned", "first"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (25, 13)])
def test_the_first_round_is_the_fewest_that_can_settle(planned: int, first: int) -> None:
    assert first_round(planned) == first
    assert settled(ballots(*["met"] * first), planned)
    assert not settled(ballots(*["met"] * (first - 1)), planned)


WORDS: list[Said] = ["met", "not_met", 0.2, 0.6, 0.9, "?", "unreadable", "failed"]


@pytest.mark.parametrize("planned", [1, 2, 3, 4])
def test_stopping_early_never_changes_a_status(planned: int) -> None:
    for said in product(WORDS, repeat=planned):
        everyone = ballots(*said)
        asked = next(n for n in range(planned + 1) if settled(everyone[:n], planned))
        early, late = aggregate(everyone[:asked], planned), aggregate(everyone, planned)
        assert early.status == late.status, said
        assert (early.award is None) == (late.award is None)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9), st.randoms())
def test_the_order_of_ballots_decides_nothing(said: list[Said], random: Random) -> None:
    shuffled = list(said)
    random.shuffle(shuffled)
    one, other = (aggregate(ballots(*order), len(said)) for order in (said, shuffled))
    assert (one.status, one.award, one.reason) == (other.status, other.award, other.reason)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9))
def test_an_award_is_one_that_a_majority_stands_behind(said: list[Said]) -> None:
    outcome = aggregate(ballots(*said), len(said))
    if outcome.award is None:
        assert outcome.status is Status.UNDETERMINED
        assert outcome.reason is not None
        return
    agreeing = [one for one in ballots(*said) if one.vote.status is outcome.status]
    assert 2 * len(agreeing) > len(said)
    near = [one for one in agreeing if abs(one.award - outcome.award) <= WIDEST]
    assert 2 * len(near) > len(said)
    assert outcome.award in {one.award for one in near}
