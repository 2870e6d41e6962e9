"""Marks at the desk by plain forms: each is what stands at once, can be undone, and is never asked of two."""

from __future__ import annotations

import re

import pytest

from grader.archive.entry import VerdictEntry
from grader.record import Evidence, Status, Verdict
from grader.review.marking import LONGEST
from grader.review.queue import QueueRules
from tests.review.desking import MODEL, OTHER, RIGHT, office


def marks(desk):
    return [one.entry for one in desk.archive.marks()]


def test_a_mark_stands_at_once_for_every_identical_answer_with_its_evidence(desk):
    ada = desk.person("Ada").next()
    assert "2 identical ones" in ada.page
    ada.mark("met", quote="A peracid  gives", reason="It does.")
    assert (ada.status, "Your mark is kept." in ada.page) == (200, True)
    assert desk.stands("why")[:2] == [("met", 1.0, "human:Ada")] * 2
    assert desk.stands("why")[2][0] == "undetermined"
    (mark,) = marks(desk)
    start = RIGHT.index("A peracid")
    assert mark.evidence == (Evidence("A peracid gives", start, start + 15),)
    (run,) = desk.archive.runs()
    given = [
        one.verdict
        for answer in desk.archive.graded(run)
        for point in answer.points
        for one in point.verdicts
    ]
    assert [(one.evidence, one.rationale) for one in given] == [(mark.evidence[0], "It does.")] * 2


def test_partial_marks_are_held_to_what_the_point_allows(desk):
    ada = desk.person("Ada").next()
    for marks_given, said in (("4", "expected 0 to 3"), ("many", "no number"), ("", "Choose met")):
        ada.mark("partial", marks=marks_given, reason="kept")
        assert (ada.status, said in ada.page, "kept</textarea>" in ada.page) == (422, True, True)
    assert not marks(desk)
    ada.mark("", marks="1,5")  # Enter in the field of marks
    assert desk.stands("why")[0] == ("partial", 0.5, "human:Ada")


def test_evidence_that_is_not_in_the_answer_is_refused_and_nothing_else_is_lost(desk):
    ada = desk.person("Ada").next().mark("met", quote="A peracid takes", reason="Typed with care.")
    assert (ada.status, "occur in the answer" in ada.page) == (422, True)
    assert "Typed with care.</textarea>" in ada.page
    assert "A peracid takes</textarea>" in ada.page
    ada.mark("met", reason="x" * (LONGEST + 1))
    assert (ada.status, marks(desk)) == (422, [])


def test_a_selected_place_counts_where_the_same_words_stand_twice(desk):
    """The raw view shows a line's end as one character and what would hide as one written-out one."""
    desk.put("why", "dispute", OTHER)
    cy = desk.person("Cy", adjudicates=True).post("/adjudicate")
    first, last = OTHER.index("alert"), OTHER.rindex("alert")
    cy.mark("met", quote="alert", place=f"{last}-{last + 5}")
    assert marks(desk)[0].evidence == (Evidence("alert", last, last + 5),)
    cy.mark("met", quote="alert", place=f"{last + 1}-{last + 6}")  # not there: its first place
    assert marks(desk)[1].evidence[0].start == first
    bell = OTHER.index("\x07")
    cy.mark("met", quote="[U+0007] rings", place=f"{bell}-{bell + 7}")
    assert marks(desk)[2].evidence == (Evidence("\x07 rings", bell, bell + 7),)


def test_who_changes_a_mark_finds_what_they_said_and_loses_nothing_of_it(desk):
    desk.put("why", "dispute", OTHER)
    cy = desk.person("Cy", adjudicates=True).post("/adjudicate")
    start = OTHER.index("\x07")
    quote = "[U+0007] rings and [U+202E]turns"
    cy.mark("partial", marks="1.5", quote=quote, place=f"{start}-{start + 18}", reason="Half.")
    assert not {"\x07", "\u202e"} & set(cy.page)
    assert all(text in cy.page for text in (f"{quote}</textarea>", 'value="1.5"', "Half.</textarea>"))
    cy.mark("partial", marks="1.5", quote=quote, place=cy.hidden("place"), reason="Half.")
    first, second = marks(desk)
    assert first.evidence == second.evidence == (Evidence("\x07 rings and \u202eturns", start, start + 18),)


def test_an_undone_mark_gives_the_item_back_and_what_stood_stands_again(desk):
    ada = desk.person("Ada").next().mark("not_met")
    first = ada.item
    before = desk.stands("why")
    ada.next()
    assert ada.item != first
    ada.post(f"/items/{first}/undo")
    assert (ada.item, "Your mark is taken back." in ada.page) == (first, True)
    assert before[0] == ("not_met", 0.0, "human:Ada")
    assert desk.stands("why")[0] == ("undetermined", None, None)
    ada.mark("met")
    assert desk.stands("why")[0] == ("met", 1.0, "human:Ada")
    assert [(one.undoes is None, one.after_seen) for one in marks(desk)] == [
        (True, False),
        (False, False),
        (True, True),
    ]


def test_a_mark_that_is_changed_after_seeing_what_stood_says_so(desk):
    ada = desk.person("Ada").next().mark("not_met").mark("met")
    assert [(one.status, one.after_seen) for one in marks(desk)] == [
        (Status.NOT_MET, False),
        (Status.MET, True),
    ]
    assert ada.status == 200


def test_what_cannot_be_assessed_and_what_is_wrong_reaches_the_authors(desk):
    desk.person("Ada").next().mark("cannot_assess", says="rubric_wrong", reason="The epoxide opens.")
    (mark,) = marks(desk)
    assert (mark.award, mark.says, mark.reason) == (None, "rubric_wrong", "The epoxide opens.")
    assert desk.stands("why")[0][0] == "undetermined"


def test_nobody_gets_what_somebody_else_holds_and_what_is_given_back_goes_on(desk):
    ada, bo = desk.person("Ada").next(), desk.person("Bo").next()
    assert ada.item != bo.item
    assert bo.get(f"/items/{ada.item}").status == 409
    held = ada.item
    ada.post(f"/items/{held}/release")
    assert ada.url == "/"
    assert desk.archive.item(held).holder is None


def test_what_is_skipped_comes_back_only_when_asked_for(desk):
    ada = desk.person("Ada").next()
    seen = []
    while ada.url != "/done":
        seen.append(ada.item)
        ada.post(f"/items/{ada.item}/skip")
    assert (len(seen), len(set(seen))) == (4, 4)
    assert desk.person("Bo").next().item == seen[0]
    ada.post("/come-back").next()
    assert ada.item == seen[1]


def test_a_split_item_is_marked_answer_by_answer(desk):
    ada = desk.person("Ada").next()
    ada.post(f"/items/{ada.item}/split")
    assert "Split into" not in ada.page
    ada.mark("met")
    assert [one[0] for one in desk.stands("why")].count("met") == 1


def test_marks_that_differ_go_to_an_adjudicator_who_sees_both_without_names(graded, tmp_path):
    with office(graded, tmp_path, QueueRules(second=1.0)) as desk:
        ada, bo = desk.person("Adalbert"), desk.person("Bohumil")
        cy = desk.person("Cy", adjudicates=True)
        ada.next().mark("met", quote="A peracid gives", reason="Clear to me.")
        bo.next()
        while "<b>why</b> [3]" not in bo.page or "2 identical" not in bo.page:
            bo.post(f"/items/{bo.item}/skip")
        assert "Clear to me" not in bo.page
        bo.mark("not_met", reason="Not said.")
        # nor once it is marked, or the second mark could follow the first
        assert "Clear to me" not in bo.page
        assert desk.stands("why")[0][0] == "undetermined"
        assert bo.post("/adjudicate").status == 409
        cy.post("/adjudicate")
        assert all(text in cy.page for text in ("Settle a difference", "Clear to me.", "Not said.", "mark A"))
        assert not any(name in cy.page for name in (ada.name, bo.name))
        cy.mark("partial", marks="1")
        assert desk.stands("why")[0] == ("partial", 1 / 3, "human:Cy")
        cy.post(f"/items/{cy.item}/undo")
        assert desk.stands("why")[0] == ("undetermined", None, None)


def test_a_seeded_item_looks_like_any_other_and_gives_no_verdict(desk):
    desk.put("why", "gold", RIGHT, gold=1.0)
    ada = desk.person("Ada").next()
    assert "gold" not in ada.page
    ada.mark("not_met")
    assert (marks(desk)[0].award, desk.stands("why")[0][1]) == (0.0, None)


def test_an_item_whose_rubric_has_changed_is_passed_over(desk):
    desk.put("why", "triage", RIGHT, point_hash=desk.items("units")[0].entry.point_hash)
    ada = desk.person("Ada").next()
    assert (ada.status, "2 identical ones" in ada.page) == (200, True)


def test_filters_choose_a_part_and_what_was_drawn_stays_in_it(desk):
    desk.put("product", "spot_check", RIGHT)
    ada = desk.person("Ada")
    assert MODEL not in ada.page  # a run's name would say whose answers these are
    assert '<option value="2.4">' in ada.page
    ada.post("/filters", check="flexible", reason="undetermined", tag="2.4", run="1")
    assert '<option value="flexible" selected>' in ada.page
    assert "<b>product</b> [2]" not in re.findall(r'aria-current="true">(.*?)</li>', ada.next().page)[0]
    ada.post(f"/items/{ada.item}/release").post("/filters", reason="undetermined").next()
    assert re.findall(r'aria-current="true"><b>(\w+)', ada.page) == ["product"]
    ada.post(f"/items/{ada.item}/release").post("/filters", run="no such").next()
    assert ada.status == 200


def test_the_queue_says_who_has_done_how_much(desk):
    ada = desk.person("Ada").next().mark("met", seconds="40").next().mark("met", seconds="1e9")
    page = ada.get("/").page
    assert "2 items wait for a mark, 2 of 4 are done" in page
    assert "2 marked by you" in page
    assert [one.seconds for one in marks(desk)] == [40.0, 1800.0]  # no longer than a lease
    assert re.search(r'<th scope="row">Ada</th><td class="number">2</td><td class="number">920<', page)


@pytest.mark.parametrize("form", ["next", "filters", "items/1/mark", "items/1/undo"])
def test_the_address_of_a_form_that_is_opened_as_a_page_leads_back(desk, form):
    ada = desk.person("Ada").get(f"/{form}")
    assert ada.status in (200, 409)
    assert not marks(desk)


def test_a_judges_evidence_is_marked_once_it_is_no_longer_hidden(desk):
    (run,) = desk.archive.runs()
    answer = next(iter(desk.archive.graded(run)))
    point = next(one for one in answer.points if one.point_id == "why")
    verdict = Verdict(
        *("why", Status.MET, "judge:kind@abc", 1.0),
        rationale="It names the peracid.",
        confidence=0.61,
        evidence=Evidence("peracid gives its", 45, 62),
    )
    place = (answer.response.digest, "desk", "desk-1", point.point_hash or "", answer.answer.answer_hash)
    desk.archive.put_verdicts([VerdictEntry(*place, verdict)])
    ada = desk.person("Ada").next()
    hidden = ("names the peracid", "0.61", "kind@abc", "[judge: ", "undetermined", "What stood")
    assert not [text for text in hidden if text in ada.page]
    ada.mark("met")
    assert [text for text in hidden if text in ada.page] == list(hidden)
