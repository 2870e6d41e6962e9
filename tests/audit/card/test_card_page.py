"""Report cards as pages: what must be said and isn't, numbers that differ between formats, hostile names."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.audit.card.page import PROVISIONAL, card_page
from grader.audit.document import Document
from grader.audit.formats import written
from grader.audit.result import AUDITS, NotAudited
from tests.audit.made_card import ALPHA, GROUND, LENIENCY, REFUSED, SCORES, card

GOLDEN = Path(__file__).parent / "card.md"
FORMS = ("terminal", "md", "html", "json")
HOSTILE = "<script>alert(1)</script>|*x*"


@pytest.fixture(scope="module")
def page() -> Document:
    return card_page(card())


def test_a_card_as_markdown_is_as_it_was(page):
    """After a wanted change: python -m tests.audit.card.test_card_page."""
    assert written(page, "md") == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", FORMS)
def test_every_format_tells_how_the_judge_was_asked_and_what_it_rests_on(page, form):
    text = " ".join(written(page, form, 400).split())
    for said in ("o9-2026-11-01", "fedcba987654", "careful@0123456789ab", "spring"):
        assert said.replace("@", "&#64;") in text if form == "md" else said in text


def test_what_was_not_audited_is_told_from_what_could_not_be(page):
    (part,) = [one for one in page.parts if one.key == "missing"]
    told = {
        audit.split()[0]: [cell.text for cell in row[1:]]
        for row in part.tables[0].rows
        for audit in row[0].text.split(", ")
    }
    assert len(part.tables[0].rows) == 2  # what is said of many is said once
    assert told["A1"] == ["could not be done", REFUSED.why, REFUSED.do]
    assert told["A9"][0] == "never attempted"
    done = {"A2", "A3", "A5", "A8"}
    assert set(told) == set(AUDITS) - done


def test_points_are_counted_by_who_decided_them(page):
    (part,) = [one for one in page.parts if one.key == "ground"]
    who, strata = part.tables
    assert [[cell.text for cell in row] for row in who.rows] == [
        ["by code", "100", "25.0 %"],
        ["by a judge", "180", "45.0 %"],
        ["by people", "120", "30.0 %"],
        ["by nobody yet", "0", "0.0 %"],
    ]
    assert [cell.text for cell in strata.rows[0]] == ["confident", "0.25", "200", "60", "58"]


def test_scores_stand_three_ways_for_both_targets(page):
    (part,) = [one for one in page.parts if one.key == "a3"]
    row = [cell.text for cell in part.tables[0].rows[0]]
    assert row[:3] == list(ALPHA)
    assert row[3:7] == ["55.0", "49.0 (37.0 to 61.0)", "50.0 (48.0 to 52.0)", "50.0 (44.0 to 56.0)"]
    assert row[7:] == ["0.80", "× 4", "60", "12"]


def test_a_gap_that_correction_takes_away_is_said_to_be_none(page):
    (part,) = [one for one in page.parts if one.key == "a3"]
    row = [cell.text for cell in part.tables[1].rows[0]]
    assert row[1:3] == ["+10.0 (+2.0 to +18.0)", "+5.0 (−3.0 to +13.0)"]
    assert row[-1] == "no evidence; as graded it says otherwise"


@pytest.mark.parametrize("form", FORMS)
def test_a_demonstration_is_called_one_before_anything_else(form):
    text = written(card_page(card(provisional=True)), form, 400)
    if form == "json":
        assert json.loads(text)["provisional"] is True
        return
    said = text.index(PROVISIONAL[:40])
    assert said < text.index("points decided")
    assert "use its verdicts for nothing" in text


def test_a_card_of_code_says_nothing_of_prompts():
    page = card_page(card(replace(LENIENCY, judge="formal"), judge="formal", asked=()))
    assert "asked" not in {part.key for part in page.parts}
    assert "formal track" in page.title


def test_what_code_can_not_be_put_to_is_no_gap_in_its_card():
    refused = NotAudited("A15", "formal", "code makes no calls", "Name a judge card.")
    page = card_page(card(replace(LENIENCY, judge="formal"), refused, judge="formal", asked=()))
    assert page.says[1].startswith("1 of 7 audits of code done, 0 could not be done")
    (part,) = [one for one in page.parts if one.key == "missing"]
    (row,) = [row for row in part.tables[0].rows if row[0].text == "A15 Failures"]
    assert [cell.text for cell in row[1:]] == ["not of code", "code makes no calls", "–"]


def test_a_note_on_some_scores_says_on_how_many(page):
    first, second = SCORES.cells
    noted = replace(first, benchmark=replace(first.benchmark, notes=("Interval widened.",)))
    told = card_page(card(scores=replace(SCORES, cells=(noted, second))))
    assert "1 of 2 scores: Interval widened." in written(told, "terminal", 400)


def test_a_judge_that_saves_no_marks_is_not_said_to_save_a_part_of_one():
    assert SCORES.whole is not None
    whole = replace(SCORES.whole, saved=0.14)
    assert "0.14 times" not in written(card_page(card(scores=replace(SCORES, whole=whole))), "md")


def test_json_holds_what_the_page_shows_and_no_number_that_is_none(page):
    found = json.loads(written(page, "json"))
    assert found["schema_version"] == 1
    assert found["ground"]["labels"] == GROUND.labels
    assert [one["id"] for one in found["audits"] if one["done"]] == ["A2", "A3", "A5", "A8"]
    assert found["scores"]["cells"][0]["benchmark"]["low"] == pytest.approx(0.48)
    assert found["scores"]["gaps"][0]["judge_only"]["value"] == pytest.approx(0.1)
    assert found["never"] == [one for one in AUDITS if one not in ("A1", "A2", "A3", "A5", "A8")]


def test_hostile_names_are_no_markup():
    cell = (HOSTILE, "sequential_carry", "text_only")
    scores = replace(SCORES, cells=(replace(SCORES.cells[0], cell=cell),))
    named = replace(GROUND, models=(HOSTILE,), runs=(HOSTILE,))
    told = replace(LENIENCY, says=(HOSTILE,), notes=(HOSTILE,))
    page = card_page(card(told, judge=f"{HOSTILE}@0", ground=named, scores=scores, notes=(HOSTILE,)))
    html = written(page, "html")
    assert "<script" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    markdown = written(page, "md")
    assert "<script" not in markdown
    assert "*x*" not in markdown


def test_a_line_of_a_terminal_is_never_longer_than_it_is_wide(page):
    assert max(map(len, written(page, "terminal", 80).splitlines())) <= 80


if __name__ == "__main__":
    GOLDEN.write_text(written(card_page(card()), "md"), encoding="utf-8")
