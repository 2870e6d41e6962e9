"""One answer before a judge: what was said counts, what was not said is never made up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from grader.judge.cards import LoadedCard
from grader.model.reply import CallFailed
from grader.record import Evidence, Reason, Status
from tests.judge.one_answer import ANSWER, ORDER, PROSE, RATE, TASK, first_then, good, run
from tests.judge.scripted import EMPTY, REFUSED, Asked, Said, body, card, says, verdict


def test_a_reply_becomes_verdicts_with_evidence_where_it_stands(one: LoadedCard) -> None:
    reply = says(verdict("p1", "met", ORDER, 0.8), verdict("p2", 0.5, RATE, 0.9))
    verdicts, asker = run(one, TASK, lambda _: reply)
    assert list(verdicts) == ["p1", "p2"]
    first, second = verdicts.values()
    assert (first.status, first.award, first.reason) == (Status.MET, 1.0, None)
    assert (second.status, second.award, second.confidence) == (Status.PARTIAL, 0.25, 0.9)
    # The dash is the answer's own, not the judge's.
    assert first.evidence == Evidence("so the configuration inverts — Walden", 19, 56)
    for given_ in verdicts.values():
        assert given_.evidence is not None
        assert ANSWER[given_.evidence.start : given_.evidence.end] == given_.evidence.quote
        assert (given_.by, given_.provisional, given_.flags) == (one.by, False, ())
        assert [(vote.by, vote.vote, vote.request) for vote in given_.votes] == [
            (one.label, 0, asker.keys[0])
        ]
    assert first.rationale == "on p1"


def test_a_provisional_card_gives_provisional_verdicts(tmp_path: Path) -> None:
    verdicts, _ = run(card(tmp_path, provisional=True), TASK, good)
    assert all(one.provisional for one in verdicts.values())


def test_points_are_asked_about_one_by_one_where_the_card_says_so(tmp_path: Path) -> None:
    verdicts, asker = run(card(tmp_path, calls="point"), TASK, good)
    assert [asked.points for asked in asker.asked] == [("p1",), ("p2",)]
    assert [one.votes[0].request for one in verdicts.values()] == asker.keys


@pytest.mark.parametrize("calls", ["subquestion", "point"])
def test_nothing_is_asked_about_nothing(tmp_path: Path, calls: str) -> None:
    verdicts, asker = run(card(tmp_path, calls=calls), replace(TASK, criteria=()), good)
    assert (verdicts, asker.requests) == ({}, [])


BAD: Mapping[str, Said] = {
    "prose": PROSE,
    "cut off": '{"verdicts": [{"point_id": "p1", "rationale": "the ans',
    "cut off by its length": body('{"verdicts": [{"point_id": "p1"', "length"),
    "refused": REFUSED,
    "empty": EMPTY,
    "other ids": says(verdict("q1", "met"), verdict("q2", "met")),
    "more marks than there are": says(verdict("p1", 3.0), verdict("p2", 5.0)),
    "contradicting itself": says(verdict("p1", "met"), verdict("p2", "met"))
    + says(verdict("p1", "not_met"), verdict("p2", "not_met")),
    "no verdicts": "{}",
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_bad_reply_is_asked_again_once(one: LoadedCard, bad: Said) -> None:
    verdicts, asker = run(one, TASK, lambda asked: good(asked) if asked.repair else bad)
    assert [asked.repair for asked in asker.asked] == [False, True]
    assert asker.asked[1].points == ("p1", "p2")
    assert {given_.status for given_ in verdicts.values()} == {Status.MET}
    assert {vote.request for given_ in verdicts.values() for vote in given_.votes} == {asker.keys[1]}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_two_bad_replies_are_the_end_of_it(one: LoadedCard, bad: Said) -> None:
    verdicts, asker = run(one, TASK, lambda _: bad)
    assert len(asker.requests) == 2
    for given_ in verdicts.values():
        assert (given_.status, given_.award) == (Status.UNDETERMINED, None)
        assert given_.reason is Reason.REPLY_UNREADABLE
        assert given_.rationale


def test_only_what_is_missing_is_asked_again(one: LoadedCard) -> None:
    first, then = says(verdict("p1", "not_met")), says(verdict("p2", "met", RATE))
    verdicts, asker = run(one, TASK, first_then(first, then))
    assert [asked.points for asked in asker.asked] == [("p1", "p2"), ("p2",)]
    assert {point: given_.status for point, given_ in verdicts.items()} == {
        "p1": Status.NOT_MET,
        "p2": Status.MET,
    }
    assert [given_.votes[0].request for given_ in verdicts.values()] == asker.keys


def test_what_was_said_well_stands_whatever_the_repair_says(one: LoadedCard) -> None:
    first = says(verdict("p1", "not_met"))
    then = says(verdict("p1", "met", "SN2"), verdict("p2", "met", RATE))
    verdicts, _ = run(one, TASK, first_then(first, then))
    assert [given_.status for given_ in verdicts.values()] == [Status.NOT_MET, Status.MET]


def test_a_repair_that_contradicts_itself_mends_nothing(one: LoadedCard) -> None:
    first = says(verdict("p1", "not_met"))
    then = says(verdict("p2", "met", RATE)) + says(verdict("p2", "not_met"))
    verdicts, asker = run(one, TASK, first_then(first, then))
    assert len(asker.requests) == 2
    assert (verdicts["p1"].status, verdicts["p2"].reason) == (Status.NOT_MET, Reason.REPLY_UNREADABLE)


def test_a_partial_award_where_none_is_allowed_is_a_bad_reply(one: LoadedCard) -> None:
    first = says(verdict("p1", 0.5, "SN2"), verdict("p2", 0.5, RATE))
    verdicts, asker = run(one, TASK, first_then(first, says(verdict("p1", "met", "SN2"))))
    assert [asked.points for asked in asker.asked] == [("p1", "p2"), ("p1",)]
    assert "there is no partial award" in asker.asked[1].text
    assert [given_.award for given_ in verdicts.values()] == [1.0, 0.25]
    stubborn, _ = run(one, TASK, lambda _: first)
    assert stubborn["p1"].reason is Reason.REPLY_UNREADABLE
    assert stubborn["p2"].award == 0.25


def test_marks_out_of_range_cost_their_point_alone(one: LoadedCard) -> None:
    first = says(verdict("p1", "met", "SN2"), verdict("p2", 7.0, RATE))
    verdicts, asker = run(one, TASK, lambda _: first)
    assert asker.asked[1].points == ("p2",)
    assert [given_.award for given_ in verdicts.values()] == [1.0, None]


def test_a_call_that_failed_is_not_repaired(one: LoadedCard) -> None:
    verdicts, asker = run(one, TASK, lambda _: CallFailed("timeout", "120 s"))
    assert len(asker.requests) == 1
    assert {given_.reason for given_ in verdicts.values()} == {Reason.CALL_FAILED}
    assert verdicts["p1"].rationale == "timeout: 120 s"
    assert verdicts["p1"].votes[0].request == asker.keys[0]


def test_a_repair_that_failed_leaves_what_was_said(one: LoadedCard) -> None:
    first = says(verdict("p1", "not_met"))
    verdicts, _ = run(one, TASK, first_then(first, CallFailed("connection", "reset")))
    assert (verdicts["p1"].status, verdicts["p2"].reason) == (Status.NOT_MET, Reason.CALL_FAILED)


def test_asking_again_makes_the_same_requests(tmp_path: Path) -> None:
    voting = card(tmp_path, votes=5)

    def script(asked: Asked) -> Said:
        return PROSE if asked.vote % 2 and not asked.repair else good(asked)

    (_, one), (_, two) = run(voting, TASK, script), run(voting, TASK, script)
    assert one.keys == two.keys
    assert len(set(one.keys)) == len(one.keys)
