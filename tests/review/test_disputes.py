"""What is disputed is marked again blindly by somebody else, counts at once, and is told as an erratum."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from grader.archive.entry import VerdictEntry
from grader.archive.lines import id_of
from grader.errors import UsageError
from grader.render.trace import trace_answer
from grader.review.disputes import dispute, errata


@pytest.fixture
def desk(desk_of_each):
    return desk_of_each


def of(desk, point_id, number=0):
    """A graded answer and one of its points."""
    (run,) = desk.archive.runs()
    answer = list(desk.archive.graded(run))[number]
    return answer, next(one for one in answer.points if one.point_id == point_id)


def finding_id(desk, number):
    return id_of(of(desk, "product", number)[1].findings[-1])


def trace(desk, number):
    return trace_answer(desk.archive, of(desk, "product", number)[0])


def test_a_disputed_finding_is_marked_again_for_every_equal_answer_before_all_else(desk):
    named = finding_id(desk, 0)
    asked = dispute(desk.archive, named, "The  bridge is missing.", "Bogdan")
    assert (asked.answers, asked.new) == (2, 1)  # two answers are equal and share the finding
    assert desk.archive.claim("Bogdan").entry.kind != "dispute"  # who disputes it doesn't settle it
    assert "The bridge is missing." in trace(desk, 0)
    assert "open: nobody has marked it again yet" in trace(desk, 1)
    assert "disputed" not in trace(desk, 2)
    cy = desk.person("Cy", adjudicates=True).post("/adjudicate")
    assert not [text for text in ("bridge is missing", "Bogdan", "formal:") if text in cy.page]
    cy.mark("not_met", reason="It is bicyclic.")
    assert [one[:2] for one in desk.stands("product")] == [("not_met", 0.0)] * 3
    told = trace(desk, 1)
    assert f"disputed {named} (met, formal:smiles@" in told
    assert "overturned (not_met, human:Cy)\n           It is bicyclic." in told
    (erratum,) = errata(desk.archive)
    line = erratum.as_json()
    assert (line["outcome"], line["disputed"], line["by"], line["reason"]) == (
        *("overturned", named, "Bogdan"),
        "The bridge is missing.",
    )
    assert [line[side]["award"] for side in ("before", "after")] == [1.0, 0.0]
    assert len(line["responses"]) == 2
    json.dumps(line)


def test_what_comes_out_the_same_is_upheld_and_an_undone_mark_leaves_it_open(desk):
    dispute(desk.archive, finding_id(desk, 2), "Is it?")
    cy = desk.person("Cy", adjudicates=True).post("/adjudicate").mark("not_met")
    assert next(errata(desk.archive)).outcome == "upheld"
    cy.post(f"/items/{cy.item}/undo")
    assert next(errata(desk.archive)).outcome == "open"


def test_whose_verdict_is_disputed_does_not_settle_it_and_all_its_answers_are_asked_again(desk):
    ada = desk.person("Ada", adjudicates=True).next().mark("met")
    _, point = of(desk, "why")
    asked = dispute(desk.archive, id_of(point.verdicts[-1]), "No mechanism is given.")
    assert asked.answers == 2
    (item,) = desk.items("why", "dispute")
    assert (item.entry.barred, item.entry.priority) == (("Ada",), 1e6)
    assert ada.post("/adjudicate").status in (200, 409)
    assert desk.archive.item(item.id).holder is None
    desk.person("Cy", adjudicates=True).post("/adjudicate").mark("partial", marks="1")
    assert desk.stands("why")[:2] == [("partial", 1 / 3, "human:Cy")] * 2


def test_the_same_dispute_is_asked_once(desk):
    named = finding_id(desk, 2)
    assert dispute(desk.archive, named, "Why?").new == 1
    assert dispute(desk.archive, named, " Why? ").new == 0
    assert len(list(errata(desk.archive))) == 1


@pytest.mark.parametrize(
    "named", ["finding-999", "verdict-1", "finding-", "finding-²", "mark-1", "1", "verdict-" + "9" * 30]
)
def test_what_is_not_there_cannot_be_disputed(desk, named):
    with pytest.raises(UsageError, match="no such finding or verdict"):
        dispute(desk.archive, named, "Why?")
    with pytest.raises(UsageError, match="needs a reason"):
        dispute(desk.archive, finding_id(desk, 0), "  ")


def test_what_was_given_under_another_rubric_cannot_be_disputed(desk):
    desk.person("Ada").next().mark("met")
    answer, point = of(desk, "why")
    (verdict,) = point.verdicts
    other = of(desk, "units")[1].point_hash
    stale = replace(verdict.verdict, by="human:Zoe")
    place = (answer.response.digest, "desk", "desk-1", other, answer.answer.answer_hash)
    desk.archive.put_verdicts([VerdictEntry(*place, stale)])
    (named,) = [id_of(one) for one in of(desk, "why")[1].verdicts if one.verdict.by == "human:Zoe"]
    with pytest.raises(UsageError, match="earlier rubric"):
        dispute(desk.archive, named, "Why?")
