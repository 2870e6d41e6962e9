"""The sections that read every verdict, against chains whose breaks are planted."""

from __future__ import annotations

import json

import pytest

from grader.archive.store import open_archive
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set
from grader.report.document import Options
from grader.report.formats import as_json
from grader.report.full.site import write_site
from grader.report.making import ReportRequest, make_report
from grader.report.sections import KINDS
from grader.stats.frames import Frames
from tests.grade.small import line, write_lines, write_set
from tests.report.planted import planted_archive

CARRY, ORACLE = "sequential_carry", "oracle_scaffolded"
DEEP = tuple(kind.key for kind in KINDS if kind.deep)
BROKEN = range(8)
"""Of ten problems, those in which `faulty` gets the first letter wrong and, by itself, the second too."""


def _subquestion(sub_id, mark, tag):
    check = {"kind": "choice", "expected": "B", "choices": ["A", "B", "C"]}
    rubric = [{"id": f"{sub_id}#r", "points": mark, "text": "the letter", "check": check}]
    return {"sub_id": sub_id, "text_open": "Which?", "full_mark": mark, "tags": [tag], "rubric": rubric}


def _answers(name, model, protocol):
    number, wrong = int(name[1:]), model == "faulty"
    first = wrong and number in BROKEN
    second = first and protocol == CARRY
    for sub, is_wrong in ((1, first), (2, second)):
        text = f"**Answer: {'C' if is_wrong else 'B'}**"
        yield line(f"{name}-{sub}", text, model, protocol=protocol)


@pytest.fixture(scope="module")
def frames(tmp_path_factory):
    """Two models under two protocols, ten problems of a subquestion worth 1 and one worth 2."""
    folder = tmp_path_factory.mktemp("chains")
    names = [f"q{number}" for number in range(10)]
    for name in names:
        subs = [_subquestion(f"{name}-1", 1, "early"), _subquestion(f"{name}-2", 2, "late")]
        write_set(folder, {"problem_id": name, "header": "Letters.", "subquestions": subs})
    lines = [
        one
        for model in ("faulty", "sound")
        for protocol in (CARRY, ORACLE)
        for name in names
        for one in _answers(name, model, protocol)
    ]
    run = write_lines(folder / "run.jsonl", lines)
    with open_archive(str(folder / "argus.db")) as archive:
        grade(GradeRequest(run, load_set(folder), workers=1), archive)
        made = Frames.of(archive)
        _ = made.points, made.subquestions, made.rubrics, made.items, made.nodes
        yield made


def section(frames, key, **options):
    (kind,) = (kind for kind in KINDS if kind.key == key)
    made = kind.build(frames, Options(**options))
    assert made is not None
    return made


def texts(made, key):
    (table,) = (table for table in made.tables if table.key == key)
    return {tuple(cell.text for cell in row[:2]): [cell.text for cell in row[2:]] for row in table.rows}


def test_a_chain_survives_until_its_first_lost_mark(frames):
    made = section(frames, "chain")
    curves = texts(made, "survival")
    # 8 of 10 break at the first subquestion; 2 are left to go on
    assert curves["faulty", "carry"] == ["20.0 (10)", "20.0 (2)"]
    assert curves["sound", "carry"] == ["100.0 (10)", "100.0 (10)"]
    assert texts(made, "first-lost")["faulty", "carry"] == ["10", "2", "8", "0", "wrong 8", "choice 8"]
    # under both protocols
    assert made.says[0] == "24 of 40 chains lost no mark."


def test_a_wrong_answer_before_is_told_apart_from_hard_questions(frames):
    made = section(frames, "chain")
    after = texts(made, "after")
    assert after["faulty", "carry"][:3] == ["100.0", "0.0", "+100.0"]
    assert after["faulty", "oracle"][:3] == ["100.0", "100.0", "0.0"]
    # carry minus oracle: granted the right result, the same subquestions are answered
    assert texts(made, "paired")["faulty", "text_only"][:3] == ["+100.0", "0.0", "+100.0"]


def test_lost_marks_are_shared_out_by_tag_point_and_error(frames):
    made = section(frames, "losses")
    # 8 of 10 and 16 of 20 marks are lost under carry
    assert texts(made, "origins")["faulty", "carry"] == ["80.0", "0.0", "80.0", "0.0"]
    assert texts(made, "lost-errors")["faulty", "carry"] == ["wrong 100", "choice 100"]
    assert texts(made, "lost-tags")["faulty", "carry"] == ["late 67, early 33", "q0-2#r 8"]
    late = [row for row in made.more()["by_tag"] if row["tag"] == "late"]
    assert [(row["protocol"], row["lost"], row["times"]) for row in late] == [(CARRY, 16.0, 8)]


def test_a_model_that_carries_errors_on_is_diagnosed(frames):
    made = section(frames, "causes")
    rows = {(row["model"], row["measure"]): row for row in made.data["gains"]}
    gain = rows["faulty", "oracle - carry"]
    # 16 of 30 marks come back with the right result before
    assert gain["difference"]["value"] == pytest.approx(16 / 30, abs=1e-9)
    assert gain["finding"] == "evidence"
    said = {row["model"]: row["in_words"] for row in made.data["diagnoses"]}
    assert said["faulty"].startswith("faulty carries errors on (+53.3 points, oracle - carry)")
    assert said["sound"] == (
        "sound: no evidence of propagation and extraction; these runs can't show integration and images."
    )


def test_scores_by_tag_name_who_is_lowest_and_highest(frames):
    made = section(frames, "tags")
    (table,) = made.tables
    rows = [[cell.text for cell in row] for row in table.rows]
    assert rows == [
        ["early", "10", "60.0", "faulty 20.0", "sound 100.0"],
        ["late", "10", "60.0", "faulty 20.0", "sound 100.0"],
    ]


def test_what_code_decided_hangs_on_no_doubt(frames):
    made = section(frames, "fragility")
    assert made.says == ("No doubtful verdict could overturn any of 4 differences.",)
    assert made.more()["reversals"] == []


@pytest.mark.parametrize("key", DEEP)
def test_a_public_section_says_nothing_of_checks(frames, key):
    made = section(frames, key, public=True)
    said = json.dumps([dict(made.data), dict(made.more()), list(made.says)])
    shown = [cell.text for table in made.tables for row in table.rows for cell in row]
    assert not any("choice" in text for text in (said, *shown))
    assert "the letter" not in said


@pytest.fixture(scope="module")
def doubtful(tmp_path_factory):
    """`ahead` has 1 of 3 marks, which an open deduction would take; what is worth 2 is open on both sides."""
    tmp_path = tmp_path_factory.mktemp("doubtful")
    folder = write_set(tmp_path / "set")
    answers = {"ahead": "**Answer: B**", "behind": "**Answer: C**, for its open lattice."}
    run = write_lines(folder / "run.jsonl", [line("water-2", text, name) for name, text in answers.items()])
    with open_archive(str(tmp_path / "argus.db")) as archive:
        grade(GradeRequest(run, load_set(folder), workers=1), archive)
        yield archive


def test_the_doubtful_verdicts_that_overturn_a_difference_are_listed_for_review(doubtful):
    made = section(Frames.of(doubtful), "fragility")
    # 1 of 3 marks ahead, which the deduction takes if it is due; it is open, and the first in the set's order
    (row,) = made.data["differences"]
    assert (row["name"], row["value"], row["fewest"]) == ("ahead ahead of behind", pytest.approx(1 / 3), 1)
    # why it floats, worth 2, is open on both sides: of `behind` it could turn the difference round, too
    assert (row["doubts"], row["left"]) == (2, pytest.approx(-2 / 3))
    (turned,) = made.more()["reversals"]
    names = ("model", "point_id", "by", "confidence", "award", "to", "effect", "left")
    assert [turned[name] for name in names] == ["ahead", "spelling", None, None, None, 1.0, -1.0, 0.0]
    assert made.says[0].endswith("ahead ahead of behind under carry, text_only hangs on 1 verdict.")


def test_a_doubtful_verdict_leads_to_its_answer(doubtful, tmp_path):
    request = ReportRequest(sections=["fragility"], options=Options(pages=True))
    made = make_report(doubtful, request)
    (table,) = (one for one in made.report.sections[0].tables if one.key == "reversals")
    ((difference, model, answer, *rest),) = table.rows
    assert (difference.text, model.text) == ("ahead ahead of behind, carry, text_only", "ahead")
    assert [cell.text for cell in rest] == ["spelling", "nobody", "–", "–", "1"]
    assert answer.href is not None
    write_site(doubtful, made, tmp_path)
    page, _, place = answer.href.partition("#")
    assert f'id="{place}"' in (tmp_path / page).read_text()
    assert f'href="{answer.href}"' in (tmp_path / "index.html").read_text()


def test_a_report_without_pages_leads_nowhere(doubtful):
    made = section(Frames.of(doubtful), "fragility")
    assert all(cell.href is None for table in made.tables for row in table.rows for cell in row)


def test_a_public_report_of_judged_runs_says_nothing_private(tmp_path):
    with planted_archive(tmp_path) as archive:
        request = ReportRequest(sections=DEEP, options=Options(public=True))
        public = json.loads(as_json(make_report(archive, request).report))["sections"]
    assert set(public) == set(DEEP)
    assert "reversals" not in public["fragility"]
    assert "by_kind" not in public["losses"]
    assert public["chain"]["first_by_kind"] == []
    assert "zq" not in json.dumps(public)
