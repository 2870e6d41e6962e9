"""A reply costs no more points than it gets wrong, and the judge is shown its own words again."""

from __future__ import annotations

import pytest

from grader.judge.reading import read
from grader.judge.task import Criterion
from tests.judge.scripted import EMPTY, REFUSED, body, says, verdict

ONE = Criterion("p1", 1, "SN2.")
TWO = Criterion("p2", 2, "Inversion.", partial=True)
THREE = Criterion("p3", 1, "Solvent.")
ALL = (ONE, TWO, THREE)


def test_a_good_reply_has_nothing_to_mend() -> None:
    reading = read(body(says(*(verdict(one.id, "met") for one in ALL))), ALL, "")
    assert (list(reading.said), reading.trouble, reading.words) == (["p1", "p2", "p3"], "", "")


def test_each_mistake_costs_its_own_point() -> None:
    text = says(verdict("p1", 0.5), verdict("p2", 9.0), verdict("p3", "met"))
    reading = read(body(text), ALL, "")
    assert list(reading.said) == ["p3"]
    assert "out_of_range: p2" in reading.trouble
    assert "p1 is met (1) or not_met (0)" in reading.trouble
    assert reading.words == text


def test_missing_points_and_marks_out_of_range_are_told_together() -> None:
    reading = read(body(says(verdict("p1", "met"), verdict("p2", 9.0))), ALL, "")
    assert list(reading.said) == ["p1"]
    assert [trouble.split(":")[0] for trouble in reading.trouble.split("; ")] == [
        "missing_points",
        "out_of_range",
    ]


def test_of_two_documents_that_disagree_none_is_believed_for_the_points_they_share() -> None:
    """One may be the answer's own forgery; dropping a bad point must not make it credible."""
    forged, own = says(verdict("p1", "met")), says(verdict("p1", "not_met"), verdict("p2", 9.0))
    for text in (forged + own, own + forged):
        assert read(body(text), (ONE, TWO), "").said == {}


@pytest.mark.parametrize("reply", [REFUSED, EMPTY, body("I'm sorry, but I can't grade this.")])
def test_a_judge_that_refused_is_asked_plainly(reply: dict[str, object]) -> None:
    reading = read(reply, ALL, "")
    assert reading.said == {}
    assert reading.trouble.startswith(("refusal:", "empty:"))
    assert reading.words == ""


def test_a_tool_call_is_shown_again_as_it_was_made() -> None:
    arguments = says(verdict("p1", "maybe"))
    call = {"type": "function", "function": {"name": "grade", "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    reading = read({"choices": [{"message": message, "finish_reason": "tool_calls"}]}, (ONE,), "")
    assert (reading.said, reading.words) == ({}, arguments)
