"""Other people's marks: every shape is read as it stands, and what is wrong is said with its place."""

from __future__ import annotations

import csv
import json

import numpy as np
import pandas as pd
import pytest

from grader.audit.imported.audits import audits, chosen
from grader.audit.imported.groups import LEAST_PANEL
from grader.audit.imported.measures import GAP, measure_named
from grader.audit.imported.page import imported_page
from grader.audit.imported.reading import read_marks
from grader.audit.result import Audit, NotAudited
from grader.errors import MarkError, UsageError

COLUMNS = ["item", "problem", "rater", "kind", "value", "run"]


def tidy(problems=40, items=5, judge_errors=0.1, lenient=0.0, seed=0):
    """Rows of two people, a judge asked twice, and a second judge; errors planted."""
    rng = np.random.default_rng(seed)
    rows = []
    for problem in range(problems):
        for number in range(items):
            truth = bool(rng.random() < 0.5)
            place = {"item": f"{problem}-{number}", "problem": f"p{problem}"}
            for name in ("ann", "bob"):
                value = truth ^ bool(rng.random() < 0.05)
                rows.append({**place, "rater": name, "kind": "human", "value": float(value), "run": 0})
            for name, error in (("first", judge_errors), ("second", 0.1)):
                for run in (0, 1):
                    value = truth ^ bool(rng.random() < error)
                    value = value or (name == "first" and rng.random() < lenient)
                    rows.append({**place, "rater": name, "kind": "judge", "value": float(value), "run": run})
    return rows


def write(path, rows):
    if path.suffix == ".csv":
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".parquet":
        pd.DataFrame(rows).to_parquet(path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    else:
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def found_in(path, *judges):
    ratings = read_marks(path).ratings
    return {(one.id, one.judge): one for one in audits(ratings, chosen(ratings, judges))}


def measured(audit, name):
    assert isinstance(audit, Audit)
    return measure_named(audit, name)


def test_one_table_in_four_formats_is_the_same_table(tmp_path):
    rows = tidy(problems=5)
    rows[4]["value"] = None
    tables = [
        read_marks(write(tmp_path / f"marks{suffix}", rows)).ratings.table
        for suffix in (".csv", ".json", ".jsonl", ".parquet")
    ]
    for table in tables[1:]:
        pd.testing.assert_frame_equal(table, tables[0])
    assert tables[0]["value"].isna().sum() == 1


def test_the_order_of_rows_and_the_names_of_problems_change_no_number(tmp_path):
    rows = tidy(problems=6)
    there = found_in(write(tmp_path / "one.jsonl", rows))
    turned = [{**row, "problem": f"z{row['problem']}"} for row in reversed(rows)]
    assert found_in(write(tmp_path / "two.jsonl", turned)) == there


def test_what_a_judge_did_not_give_is_counted_and_changes_no_other_number(tmp_path):
    rows = tidy(problems=30)
    gone = [row for row in rows if row["item"] == "3-1" and row["rater"] == "first" and row["run"] == 0]
    without = found_in(write(tmp_path / "without.jsonl", [row for row in rows if row not in gone]))
    for row in gone:
        row["value"] = None
    there = found_in(write(tmp_path / "null.jsonl", rows))
    for name in ("kappa", "same verdict", GAP):
        assert measured(there["A1", "first"], name) == measured(without["A1", "first"], name)
    assert measured(there["A2", "first"], "leniency") == measured(without["A2", "first"], "leniency")
    assert measured(there["A1", "first"], "asked and nothing given").value == 1
    assert measured(without["A1", "first"], "asked and nothing given").value == 0
    assert measured(there["A6", "first"], "repeats that gave nothing").value == 1
    # asked twice and answered once is no agreement; asked once is no repeat
    assert measured(there["A6", "first"], "same outcome in all repeats").n == 150
    assert measured(without["A6", "first"], "same outcome in all repeats").n == 149


def test_planted_leniency_is_found_and_a_fair_judge_is_not_flagged(tmp_path):
    found = found_in(write(tmp_path / "marks.csv", tidy(problems=60, lenient=0.3)))
    lenient, fair = (measured(found["A2", name], "leniency") for name in ("first", "second"))
    assert (lenient.flagged, fair.flagged) == (True, False)
    assert lenient.value == pytest.approx(0.15, abs=0.05)
    assert lenient.p_adjusted == pytest.approx(2 * lenient.p)
    assert found["A2", "first"].says[0].startswith("It is too lenient: +1")
    assert fair.detectable == pytest.approx(0.06, abs=0.03)


def test_a_judge_that_errs_more_than_people_is_below_the_ceiling(tmp_path):
    found = found_in(write(tmp_path / "marks.csv", tidy(problems=60, judge_errors=0.3)))
    gap = measured(found["A1", "first"], GAP)
    assert gap.flagged
    assert gap.high < 0
    # people err with .05 each, so they agree on .905; with the judge on .68
    assert gap.value == pytest.approx(0.36 - 0.81, abs=0.12)
    assert not found["A1", "first"].indicative


def test_a_judge_that_agrees_more_than_people_do_is_no_fault(tmp_path):
    rows = [row for row in tidy(problems=40) if row["rater"] != "first"]
    rows += [{**row, "rater": "perfect", "kind": "judge"} for row in rows if row["rater"] == "ann"]
    found = found_in(write(tmp_path / "marks.jsonl", rows), "perfect")
    gap = measured(found["A1", "perfect"], GAP)
    assert gap.value == pytest.approx(0.08, abs=0.05)
    assert not gap.flagged


def test_people_are_measured_too_and_a_severe_one_is_named(tmp_path):
    rows = tidy(problems=60)
    for number, row in enumerate(rows):
        if row["rater"] == "bob" and number % 5 == 0:
            row["value"] = 0.0
    found = found_in(write(tmp_path / "marks.csv", rows))["A17", "people"]
    assert isinstance(found, Audit)
    bob = next(one for one in found.measures if one.of == "bob")
    assert bob.flagged
    assert bob.value == pytest.approx(-0.1, abs=0.05)
    assert [one.of for one in found.measures if one.name == "kappa"] == ["ann and bob"]


def test_the_panel_says_how_errors_go_together(tmp_path):
    rows = tidy(problems=60)
    rows += [{**row, "rater": "copy"} for row in rows if row["rater"] == "second"]
    found = found_in(write(tmp_path / "marks.csv", rows))["A14", "panel of 3"]
    pairs = {one.of: one.value for one in found.measures if one.name == "correlation of errors"}
    assert pairs["highest: copy and second"] == pytest.approx(1)
    assert measured(found, "effective number of judges").value < 2.6
    assert not found.indicative
    assert measured(found, "effective number of judges").n >= LEAST_PANEL


def test_an_adjudicated_mark_settles_what_people_differ_on(tmp_path):
    rows = [
        {"item": "a", "problem": "p", "rater": rater, "kind": kind, "value": value}
        for rater, kind, value in (
            ("ann", "human", 1),
            ("bob", "human", 0),
            ("eve", "adjudicated", 0),
            ("judge", "judge", 0),
        )
    ]
    found = found_in(write(tmp_path / "marks.jsonl", rows))
    assert measured(found["A1", "judge"], "same verdict").value == 1
    assert measured(found["A1", "judge"], "people split, no verdict").value == 0
    assert measured(found["A2", "judge"], "leniency").value == 0


def test_a_sentence_of_kappa_is_of_all_people_and_not_of_one(tmp_path):
    page = imported_page(read_marks(write(tmp_path / "marks.jsonl", tidy(problems=30))))
    for audit in page.data["audits"]:
        if audit["id"] == "A1":
            (kappa,) = [one for one in audit["measures"] if (one["name"], one["of"]) == ("kappa", "")]
            shown = f"{kappa['value']:.3f}".replace("-", "−")
            assert any(said.startswith(f"Kappa against people's verdict: {shown} ") for said in audit["says"])


def test_what_seems_so_on_few_problems_is_neither_claimed_nor_denied(tmp_path):
    rows = [
        {"item": f"i{k}", "problem": f"p{k % 4}", "rater": rater, "kind": kind, "value": value}
        for k in range(40)
        for rater, kind, value in (("ann", "human", int(k // 4 >= 6 + k % 2)), ("kind", "judge", 1))
    ]
    found = found_in(write(tmp_path / "marks.jsonl", rows))
    lenient = found["A2", "kind"]
    assert lenient.indicative
    assert lenient.says[0].startswith("It seems too lenient, by too few items or problems")
    page = imported_page(read_marks(tmp_path / "marks.jsonl"))
    assert not any("No evidence that the judge is too" in said for said in page.says)


def test_a_table_without_a_judge_says_so_first(tmp_path):
    rows = [row for row in tidy(problems=3) if row["rater"] == "ann"]
    page = imported_page(read_marks(write(tmp_path / "marks.jsonl", rows)))
    assert page.says[1] == "Nothing could be audited: what is missing stands below."


def test_a_table_of_judges_alone_says_what_it_lacks(tmp_path):
    rows = [row for row in tidy(problems=3) if row["kind"] == "judge"]
    found = found_in(write(tmp_path / "marks.jsonl", rows))
    missing = {key for key, one in found.items() if isinstance(one, NotAudited)}
    assert missing == {
        ("A1", "first"),
        ("A1", "second"),
        ("A2", "first"),
        ("A2", "second"),
        ("A14", "panel of 2"),
        ("A17", "people"),
    }
    assert isinstance(found["A6", "first"], Audit)


def test_a_judge_that_the_table_has_not_is_refused(tmp_path):
    path = write(tmp_path / "marks.jsonl", tidy(problems=2))
    with pytest.raises(UsageError, match="no such judge; got 'third'; expected first and second"):
        found_in(path, "third")


CRITERION = {
    "prompt_id": "q1",
    "completion_id": "c1",
    "rubric": "Names the drug.",
    "category": "cluster:x",
    "binary_labels": [True, False],
    "anonymized_physician_ids": ["d1", "d2"],
}


def test_rows_of_healthbenchs_meta_evaluation(tmp_path):
    rows = [
        {**CRITERION, "criteria_met": True},
        {**CRITERION, "criteria_met": None},
        {**CRITERION, "rubric": "Warns.", "binary_labels": [True, True], "criteria_met": True},
    ]
    marks = read_marks(write(tmp_path / "meta.jsonl", rows))
    ratings = marks.ratings
    assert (len(ratings.items), ratings.problems, ratings.people) == (2, ("q1",), ("d1", "d2"))
    # the first criterion was graded twice, the second time without a verdict
    runs = sorted(ratings.judge("grader").tolist(), key=str)
    assert [[value if value == value else None for value in row] for row in runs] == [[1, None], [1, None]]
    assert ratings.asked("grader") == (2, 0)
    assert ratings.reference.split == 1
    assert marks.notes == ("fields that were not read: category",)


def test_a_row_an_answer_of_points_has_an_item_a_point(tmp_path):
    row = {
        "problem": "p",
        "id": "a",
        "human1": [1, 0],
        "human2": [1, 1],
        "judges": {"x|y": [1, None]},
        "runs_of": "x|y",
        "runs": [[1, 0], [1, 1]],
    }
    ratings = read_marks(write(tmp_path / "marks.jsonl", [row])).ratings
    assert ratings.items == ("a#1", "a#2")
    assert ratings.judges == ("x|y", "x|y (repeats)")
    assert ratings.judge("x|y (repeats)").tolist() == [[1, 1], [0, 1]]
    assert ratings.asked("x|y") == (2, 1)


def test_a_tree_is_one_problem_and_adds_up(tmp_path):
    leaves = [
        {"id": "a", "weight": 3, "human": [1, 0], "judges": {"j": 1}},
        {"id": "b", "weight": 1, "human": 1, "judges": {"j": 0}},
    ]
    path = tmp_path / "tree.json"
    path.write_text(
        json.dumps({"source": "paper", "tree": {"id": "root", "children": leaves}}), encoding="utf-8"
    )
    marks = read_marks(path)
    assert (marks.ratings.items, marks.ratings.judges) == (("a", "b"), ("j",))
    # (3 x 1/2 + 1) / 4
    assert marks.notes == ("paper: by its weights people's marks come to 62.5 %",)


GOOD = {"item": "a", "problem": "p", "rater": "ann", "kind": "human", "value": 1}
ANSWER = {"problem": "p", "id": "a", "human": [1], "judges": {"j": [1, 0]}}
POINTS = {"problem": "p", "id": "a", "human1": [1, 0], "judges": {"j": [1, 0]}}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([GOOD, {**GOOD, "grade": 1}], "marks.jsonl:2 /grade: an unknown column; got 1"),
        ([{"item": "a", "value": 1}], "marks.jsonl:1 /problem: a column is missing"),
        ([GOOD, {**GOOD, "item": "b", "value": "good"}], "marks.jsonl:2 /value: no value.*got 'good'"),
        ([{**GOOD, "value": 3}], "marks.jsonl:1 /value: .*got 3; expected a number from 0 to 1"),
        ([{**GOOD, "value": -0.5}], "marks.jsonl:1 /value: .*got -0.5; expected a number from 0 to 1"),
        (
            [{**GOOD, "kind": "robot"}],
            "marks.jsonl:1 /kind: .*'human', 'judge' or 'adjudicated'; got 'robot'",
        ),
        ([{**GOOD, "rater": ""}], "marks.jsonl:1 /rater: "),
        ([{**GOOD, "run": 1.5}], "marks.jsonl:1 /run: "),
        (
            [GOOD, {**GOOD, "value": 0}],
            "marks.jsonl:2: 'ann' rated item 'a' twice; expected once; the first is line 1",
        ),
        (
            [GOOD, {**GOOD, "problem": "q", "rater": "b"}],
            "marks.jsonl:2: item 'a' stands in two problems; got 'q'",
        ),
        ([{**GOOD, "value": None}], "marks.jsonl: the table holds no mark; got 1 row"),
        ([], "marks.jsonl: the table is empty"),
        ([{"a": 1}], "marks.jsonl:1: it can't be told what a row holds; got fields 'a'"),
        ([{**ANSWER, "human": []}], "marks.jsonl:1 /human: "),
        ([{**ANSWER, "judges": {"j": ["x"]}}], "marks.jsonl:1 /judges/j/0: .*got 'x'"),
        ([ANSWER, ANSWER], "marks.jsonl:2: 'person 1' rated item 'a' twice"),
        ([{**POINTS, "human2": [1]}], "marks.jsonl:1: every rater gives a value for each of the 2 points"),
        ([{**POINTS, "runs": [[1, 1]]}], "marks.jsonl:1: runs_of says whose repeats the runs are"),
        ([{**CRITERION, "binary_labels": [True]}], "are of the same physicians"),
        ([{**CRITERION, "binary_labels": [1, 0]}], "marks.jsonl:1 /binary_labels/0: "),
        ([{**CRITERION, "criteria_met": "yes"}], "marks.jsonl:1 /criteria_met: .*got 'yes'"),
        ([{**CRITERION, "prompt_id": None}], "prompt_id or prompt says what was answered"),
        ([{**CRITERION, "completion_id": None}], "completion_id or completion says what was graded"),
    ],
)
def test_what_is_wrong_is_said_with_file_line_and_field(tmp_path, rows, said):
    path = write(tmp_path / "marks.jsonl", rows)
    with pytest.raises(MarkError, match=said):
        read_marks(path)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("marks.xlsx", "", "unknown kind of table; got '.xlsx'"),
        ("marks.csv", "", "the table is empty"),
        ("marks.csv", "item,problem,rater,kind,value\n", "the table is empty"),
        ("marks.csv", "item,item,rater\n1,2,3\n", "csv:1: a heading stands twice; got 'item'"),
        ("marks.csv", "item,problem,rater,kind,value\na,p,ann,human\n", "csv:2: .*cells.*got 4; expected 5"),
        ("marks.csv", "item,problem,rater,kind,value\na,p,ann,human,1,2\n", "csv:2: .*got 6; expected 5"),
        ("marks.csv", "item,problem,rater,kind,value\na,p,ann,human,met\n", "csv:2 /value: .*got 'met'"),
        ("marks.csv", 'item,problem,rater,kind,value\na,p,"ann,human,1\n', "csv:2: the table is not CSV"),
        ("marks.jsonl", "{\n", "jsonl:1: a line that is not JSON"),
        ("marks.jsonl", "[1]\n", "jsonl:1: a line that is no object"),
        ("marks.json", "[1]", "json /0: a row that is no object"),
        ("marks.json", "3", "the table holds no rows"),
        ("marks.json", '[{"item": 1},\n}', "json:2: the table is not JSON"),
        ("marks.parquet", "no", "the table is not Parquet"),
    ],
)
def test_files_that_are_no_table(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(MarkError, match=said):
        read_marks(path)


def test_a_file_that_is_not_there_or_not_utf8(tmp_path):
    with pytest.raises(MarkError, match="No such file"):
        read_marks(tmp_path / "none.csv")
    with pytest.raises(MarkError, match="No such file"):
        read_marks(tmp_path / "none.parquet")
    (tmp_path / "latin.csv").write_bytes("item\né".encode("latin-1"))
    with pytest.raises(MarkError, match="not UTF-8; got byte 6"):
        read_marks(tmp_path / "latin.csv")


def test_many_faults_are_told_at_once_and_not_all_of_them(tmp_path):
    path = write(tmp_path / "marks.jsonl", [{**GOOD, "item": str(n), "value": "x"} for n in range(50)])
    with pytest.raises(MarkError) as raised:
        read_marks(path)
    assert len(raised.value.faults) == 20


def test_reference_values_of_real_marks_on_the_page(shared):
    folder = shared / "seeds" / "human-marks"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["saq"]
    page = imported_page(read_marks(folder / "saq_marks.jsonl"), ["claude-3.5-haiku|empty", "o4-mini|empty"])
    done = {(one["id"], one["judge"]): one for one in page.data["audits"]}

    def value(audit, judge, name):
        return next(one["value"] for one in done[audit, judge]["measures"] if one["name"] == name)

    for judge in ("claude-3.5-haiku|empty", "o4-mini|empty"):
        wanted = expected["judges"][judge]
        for audit, name, key in (
            ("A1", "kappa", "cohen_kappa_vs_majority"),
            ("A1", "MCC", "mcc"),
            ("A1", "same verdict", "accuracy"),
            ("A1", "asked and nothing given", "n_missing_run1"),
            ("A2", "leniency", "leniency_mean_judge_minus_human"),
            ("A2", "standard error by problem", "leniency_se_cluster_by_problem_CR1"),
            ("A2", "standard error, items as independent", "leniency_se_iid"),
        ):
            assert value(audit, judge, name) == pytest.approx(wanted[key], abs=1e-6), (judge, name)
        assert value("A6", judge, "Fleiss' kappa of repeats") == pytest.approx(
            wanted["test_retest"]["fleiss_kappa"], abs=1e-6
        )
    people = {one["name"]: one["value"] for one in done["A17", "people"]["measures"] if not one["of"]}
    assert people["Fleiss' kappa"] == pytest.approx(expected["human"]["fleiss_kappa"], abs=1e-6)
    assert people["AC1"] == pytest.approx(expected["human"]["gwet_ac1"], abs=1e-6)
