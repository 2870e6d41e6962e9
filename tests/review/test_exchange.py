"""What is marked offline is as blind as at the desk, is taken once, and never in place of somebody else's."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import pytest

from grader.archive.review_entry import MarkEntry
from grader.errors import MarkError, UsageError
from grader.record import Status
from grader.review.agreement import agreement
from grader.review.exchange import FILLED, SHOWN, address, mark_lines, open_lines, write_lines
from grader.review.importing import import_marks
from grader.review.security import token_hash
from tests.review.desking import MODEL, OTHER, RIGHT


@pytest.fixture
def ada(desk_of_each):
    desk_of_each.archive.invite("Ada", token_hash("Ada"))
    desk_of_each.archive.invite("Bo", token_hash("Bo"))
    return desk_of_each


def filled(rows, folder, name="filled.jsonl", **by_point):
    """The exported rows with what is filled in for the first row of each point."""
    left = dict(by_point)
    rows = [{**row, **left.pop(row["point_id"], {})} for row in rows]
    assert not left
    file = folder / name
    write_lines(file, rows, (*SHOWN, *FILLED))
    return file


def test_a_file_of_items_tells_nothing_that_the_desk_hides(ada):
    rows = list(open_lines(ada.archive, "Ada"))
    assert [(row["point_id"], row["answers"]) for row in rows].count(("why", 2)) == 1
    assert all(tuple(row) == (*SHOWN, *FILLED) for row in rows)
    assert {row["answer"] for row in rows} == {RIGHT, OTHER}
    said = json.dumps([{**row, "question": ""} for row in rows])
    hidden = (MODEL, "sequential", "triage", "spot_check", "undetermined", "formal:", "judge")
    assert not [text for text in hidden if text in said]


@pytest.mark.parametrize("name", ["filled.jsonl", "filled.csv"])
def test_marks_come_back_once_and_stand_for_all_equal_answers(ada, tmp_path, name):
    rows = sorted(open_lines(ada.archive, "Ada"), key=lambda row: row["answer"] != RIGHT)
    given = {"points": 1.5, "evidence": "A peracid  gives", "reason": "Half of it.", "says": "rubric_wrong"}
    file = filled(rows, tmp_path, name, why=given, units={"status": "not_met"})
    read = import_marks(ada.archive, file, "Ada")
    assert (read.new, read.known, read.blank, read.refused) == (2, 0, len(rows) - 2, [])
    assert ada.stands("why")[:2] == [("partial", 0.5, "human:Ada")] * 2
    again = import_marks(ada.archive, file, "Ada")
    assert (again.new, again.known) == (0, 2)
    mark = next(one.entry for one in ada.archive.marks() if one.entry.award == 0.5)
    assert (mark.says, mark.reason, mark.evidence[0].quote) == (
        "rubric_wrong",
        "Half of it.",
        "A peracid gives",
    )
    (person,) = agreement(ada.archive).people
    assert (person.marks, person.seconds) == (2, None)  # a file doesn't tell how long it took


def test_a_second_marking_is_not_offered_to_whoever_has_the_first(ada):
    (item,) = [one for one in ada.items("why") if len(one.entry.members) == 2]
    second = replace(item.entry, key="second", alike="second", kind="second", parent=item.id)
    before = len(list(open_lines(ada.archive, "Ada")))
    ada.archive.put_items([second])
    assert len(list(open_lines(ada.archive, "Ada"))) == before
    ada.archive.mark(MarkEntry(item.id, "Ada", "f", Status.MET, 1.0))
    assert len(list(open_lines(ada.archive, "Ada"))) == before - 1
    assert len(list(open_lines(ada.archive, "Bo"))) == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"item": "0" * 20, "status": "met"}, "/item: no item of this archive; got '0000"),
        ({"points": 7}, "marks outside the point's range; got 7; expected 0 to 3"),
        ({"status": "met", "points": 1}, "give exactly one of 'status', 'points' and 'award'"),
        ({"reason": "Right."}, "give exactly one of"),
        ({"status": "right"}, "/status: Input should be 'met', 'not_met' or 'cannot_assess'"),
        ({"award": 1.5}, "/award: Input should be less than or equal to 1"),
        ({"status": "met", "evidence": "never said"}, "the evidence doesn't occur in the answer"),
        ({"status": "met", "mark": 1}, "/mark: Extra inputs are not permitted"),
    ],
)
def test_a_line_that_is_no_mark_is_refused_by_name_and_none_is_taken(ada, tmp_path, change, said):
    rows = list(open_lines(ada.archive, "Ada"))
    file = filled(rows, tmp_path, why=change, units={"status": "met"})
    number = next(n for n, row in enumerate(rows, 1) if row["point_id"] == "why")
    with pytest.raises(MarkError) as refused:
        import_marks(ada.archive, file, "Ada")
    assert (len(refused.value.faults), said in str(refused.value)) == (1, True)
    assert f"filled.jsonl:{number}" in str(refused.value)
    assert not list(ada.archive.marks())
    read = import_marks(ada.archive, file, "Ada", keep_going=True)
    assert (read.new, len(read.refused)) == (1, 1)


def test_what_somebody_else_did_since_is_not_overwritten(ada, tmp_path):
    rows = list(open_lines(ada.archive, "Ada"))
    file = filled(rows, tmp_path, why={"status": "met"})
    first = ada.archive.claim("Bo")
    ids = [one.id for one in ada.items("why")]
    ada.archive.release(first.id, "Bo")
    for one in ids:
        ada.archive.renew(one, "Bo")
    with pytest.raises(MarkError, match="somebody else holds it now"):
        import_marks(ada.archive, file, "Ada")
    for one in ids:
        ada.archive.mark(MarkEntry(one, "Bo", f"bo {one}", Status.NOT_MET, 0.0))
    with pytest.raises(MarkError, match="somebody else has marked it since"):
        import_marks(ada.archive, file, "Ada")


def test_what_was_split_or_whose_point_has_changed_is_stale(ada, tmp_path):
    rows = [row for row in open_lines(ada.archive, "Ada") if row["answers"] == 2 and row["point_id"] == "why"]
    file = filled(rows, tmp_path, why={"status": "met"})
    (item,) = [one for one in ada.items("why") if len(one.entry.members) == 2]
    ada.archive.split(item.id)
    with pytest.raises(MarkError, match="split or withdrawn"):
        import_marks(ada.archive, file, "Ada")
    other = ada.items("units")[0].entry.point_hash
    ada.put("why", "triage", OTHER, point_hash=other)
    (stale,) = [one for one in ada.items("why") if one.entry.point_hash == other]
    assert address(stale) not in {row["item"] for row in open_lines(ada.archive, "Ada")}
    file = filled([{**rows[0], "item": address(stale)}], tmp_path, why={"status": "met"})
    with pytest.raises(MarkError, match=r"jsonl:1: the rubric or the answer has changed"):
        import_marks(ada.archive, file, "Ada")


def test_only_who_is_invited_marks_and_only_adjudicators_settle(ada, tmp_path):
    ada.put("why", "dispute", RIGHT, about="why?")
    with pytest.raises(UsageError, match="nobody of that name is invited"):
        list(open_lines(ada.archive, "Zoe"))
    before = len(list(open_lines(ada.archive)))
    ada.archive.invite("Cy", token_hash("Cy"), adjudicates=True)
    rows = list(open_lines(ada.archive, "Cy"))
    assert len(rows) == before  # the dispute stands in place of the doubt about the same answer
    file = filled(rows, tmp_path, why={"status": "met"})
    with pytest.raises(MarkError, match="only an adjudicator"):
        import_marks(ada.archive, file, "Ada")


def test_no_spreadsheet_calculates_what_an_answer_says(tmp_path):
    file = tmp_path / "items.csv"
    write_lines(file, [{"answer": "=1+1"}, {"answer": "@x"}, {"answer": "plain"}])
    with file.open(newline="") as lines:
        assert [row["answer"] for row in csv.DictReader(lines)] == ["'=1+1", "'@x", "plain"]


def test_every_mark_is_written_with_who_gave_it(ada):
    person = ada.person("Ada").next().mark("met")
    person.post(f"/items/{person.item}/undo")
    first, second = mark_lines(ada.archive)
    assert (first["reviewer"], first["status"], first["undone"]) == ("Ada", "met", True)
    assert (second["undoes"], second["undone"]) == (first["mark"], False)


def test_other_kinds_of_files_are_refused(ada, tmp_path):
    with pytest.raises(UsageError, match="unknown kind of file"):
        write_lines(tmp_path / "items.xlsx", [])
    with pytest.raises(MarkError, match="can't read the marks"):
        import_marks(ada.archive, tmp_path / "none.csv", "Ada")
