"""argus report as its user types it: what it prints, what it refuses, and how it ends."""

from __future__ import annotations

import json
import re
import shutil
from html import unescape
from pathlib import Path

import pytest

from grader.archive.store import open_archive
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set
from grader.report import extra
from grader.report.making import NAMES
from grader.report.private import SHORTEST, private_texts
from tests.grade.small import MARKS, both_models, line, write_lines, write_set

ROOT = Path(__file__).resolve().parents[2]


def answered(folder, name, lines, marks=()):
    """A graded run in the archive of a folder; its URL."""
    url = f"sqlite:///{folder / 'argus.db'}"
    files = [write_lines(folder / f"{name}-marks.jsonl", marks)] if marks else []
    run = write_lines(folder / f"{name}.jsonl", lines)
    with open_archive(url) as archive:
        grade(GradeRequest(run, load_set(folder), files, workers=1), archive)
    return url


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """A run of two models, decided; and one in which points are open."""
    folder = write_set(tmp_path_factory.mktemp("report"))
    answered(folder, "marked", both_models(), MARKS)
    return answered(folder, "unmarked", [line("water-2", "**Answer: B**, it floats.", "right", sample=1)])


def test_it_prints_scores_ranks_cells_and_who_decided(argus, archive):
    ended = argus("report", "marked", "--archive", archive)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("- 2 models, 1 condition, 1 problem with 2 subquestions.")
    for title in ("Scores, %", "Ranking under", "Cells", "Who decided"):
        assert title in ended.out
    assert max(map(len, ended.out.splitlines())) <= 100


def test_a_section_by_itself(argus, archive):
    ended = argus("report", "marked", "--section", "census", "--archive", archive)
    assert "Cells" in ended.out
    assert "Scores, %" not in ended.out


def test_a_section_that_needs_more_than_there_is_says_so(argus, archive):
    ended = argus("report", "marked", "--section", "gaps", "--archive", archive)
    assert ended.code == 0
    assert "- Nothing is shown under gaps: it needs a model under two protocols.\n" in ended.out
    assert "Nothing is shown" not in argus("report", "marked", "--archive", archive).out


@pytest.mark.parametrize(
    ("form", "begins"),
    [("markdown", "# Report on marked"), ("latex", "% needs"), ("html", "<!doctype html>"), ("json", "{")],
)
def test_every_format_goes_to_a_file_or_to_the_output(argus, archive, form, begins, tmp_path):
    words = ("report", "marked", "--format", form, "--archive", archive)
    printed = argus(*words)
    assert printed.code == 0
    assert printed.out.startswith(begins)
    assert argus(*words, "-o", tmp_path / "out").out == ""
    assert (tmp_path / "out").read_text() == printed.out


def test_a_folder_of_pages(argus, archive, tmp_path):
    ended = argus("report", "marked", "--full", tmp_path / "site", "--archive", archive)
    assert (ended.code, ended.out) == (0, "")
    assert sorted(path.name for path in (tmp_path / "site").rglob("*.html")) == ["index.html", "water.html"]


def test_a_folder_of_tables(argus, archive, tmp_path):
    ended = argus("report", "marked", "--frames", tmp_path / "tables", "--archive", archive)
    files = list((tmp_path / "tables").iterdir())
    assert ended.err == f"{len(files)} files of tables are written to {tmp_path / 'tables'}\n"
    assert {path.suffix for path in files} == {".csv", ".json", ".parquet"}


def test_its_json_has_the_keys_that_are_documented(argus, archive):
    words = [word for name in NAMES for word in ("--section", name)]
    found = json.loads(argus("report", *words, "--format", "json", "--archive", archive).out)
    page = (ROOT / "docs" / "output.md").read_text()
    section = page.partition("## argus report --format json")[2].partition("\n## ")[0]
    documented = set(re.findall(r"`(\w+)`", section))
    assert set(_keys(found)) <= documented | {"schema_version"}


def _keys(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _keys(inner)
    if isinstance(value, list):
        for inner in value:
            yield from _keys(inner)


# Thresholds


def test_two_models_are_compared_with_an_interval_and_p(argus, archive):
    ended = argus("report", "marked", "--compare", "right", "wrong", "--archive", archive)
    assert ended.code == 0
    assert "wrong minus right" in ended.out
    assert "Scores, %" not in ended.out
    assert "one problem" in ended.out


def test_a_score_below_the_threshold_exits_4_and_says_which(argus, archive):
    ended = argus("report", "marked", "--fail-under", "50", "--archive", archive)
    assert ended.code == 4
    assert ended.err == "fail-under: wrong, sequential_carry, text_only: 0.0 % is below 50 %\n"
    assert argus("report", "marked", "--fail-under", "0", "--archive", archive).code == 0


def test_open_points_are_held_against_the_threshold(argus, archive):
    ended = argus("report", "unmarked", "--fail-under", "50", "--archive", archive)
    assert ended.code == 4
    assert "the lower bound 0.0 % is below 50 %; the open points could raise it to 100.0 %" in ended.err


def test_worse_needs_evidence_to_fail(argus, archive):
    ended = argus("report", "marked", "--compare", "right", "wrong", "--fail-if-worse", "--archive", archive)
    assert ended.code == 0
    assert "no evidence that wrong is worse than right" in ended.err


def test_worse_with_evidence_exits_4(argus, tmp_path):
    lines = []
    for k in range(6):
        sub = {"sub_id": f"q{k}-1", "text_open": "Which?", "full_mark": 1, "rubric": [CHOICE]}
        write_set(tmp_path, {"problem_id": f"q{k}", "header": "h", "subquestions": [sub]})
        answers = {"old": "**Answer: B**", "new": "**Answer: B**" if k == 0 else "**Answer: C**"}
        lines += [line(f"q{k}-1", text, model) for model, text in answers.items()]
    url = answered(tmp_path, "run", lines)
    words = ("report", "--compare", "old", "new", "--fail-if-worse", "--archive", url)
    ended = argus(*words)
    assert ended.code == 4
    assert "fail-if-worse: sequential_carry, text_only: new is worse than old (−83.3 points" in ended.err
    assert argus("report", "--compare", "new", "old", "--fail-if-worse", "--archive", url).code == 0


CHOICE = {
    "id": "r",
    "points": 1,
    "text": "B",
    "check": {"kind": "choice", "expected": "B", "choices": ["A", "B", "C"]},
}


# Mistakes


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["nothing"], "no such run in the archive"),
        (["--section", "verse"], "no such section; got verse; expected scores, rankings"),
        (["--compare", "right", "left"], "no such model and no such run"),
        (["--fail-if-worse"], "--fail-if-worse says nothing without two to compare"),
        (["-o", "no/such/folder/out"], "the report can't be written"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(argus, archive, words, what):
    ended = argus("report", *words, "--archive", archive)
    assert ended.code == 2
    assert what in ended.err
    assert len(ended.err.splitlines()) == 1


def test_an_archive_without_runs_or_gradings_says_so(argus, tmp_path):
    missing = argus("report", "--archive", f"sqlite:///{tmp_path / 'none.db'}")
    assert (missing.code, len(missing.err.splitlines())) == (2, 1)
    url = f"sqlite:///{tmp_path / 'empty.db'}"
    with open_archive(url) as archive:
        empty = argus("report", "--archive", url)
        archive.put_run("0" * 64, "ungraded", {})
    ungraded = argus("report", "--archive", url)
    assert (empty.code, ungraded.code) == (2, 2)
    assert "the archive holds no graded run" in empty.err
    assert "none of the runs has been graded" in ungraded.err


def test_without_its_packages_it_says_what_to_install(argus, archive, monkeypatch):
    monkeypatch.setattr(extra, "NEEDED", ("no_such_package",))
    ended = argus("report", "--archive", archive)
    assert ended.code == 2
    assert ended.err == (
        "argus: reports need packages that are not installed; got no no_such_package. "
        "Install them: pip install 'argus-rubric[report]'.\n"
    )


# The demo, as docs/ shows it

PAGE = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
SHOWN = [block for block in re.findall(r"```\n(.*?)```", PAGE, re.S) if block.startswith("$ ")]
DEMO, SWEEP = "sqlite:///build/demo.db", "sqlite:///build/demo-sweep/argus.db"


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo's run and marks, graded as ``make demo`` does."""
    url = f"sqlite:///{tmp_path_factory.mktemp('demo') / 'demo.db'}"
    folder = ROOT / "problems" / "demo"
    with open_archive(url) as archive:
        grade(GradeRequest(folder / "run.jsonl", load_set(folder), [folder / "marks.jsonl"]), archive)
    return url


def stripped(text):
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.slow
def test_each_documented_report_of_the_demo_is_what_the_command_prints(argus, demo):
    shown = [block.partition("\n") for block in SHOWN if DEMO in block]
    assert len(shown) == 5
    for command, _, printed in shown:
        ended = argus(*command.removeprefix("$ .venv/bin/argus ").replace(DEMO, demo).split())
        assert (ended.code, ended.err) == (0, "")
        assert stripped(ended.out) == stripped(printed)


def test_the_demo_as_markdown_is_the_page_in_the_documentation(argus, demo):
    ended = argus("report", "--format", "markdown", "--archive", demo)
    assert ended.out == (ROOT / "docs" / "demo-report.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_each_documented_report_of_the_sweep_is_what_the_command_prints(argus, tmp_path):
    for name in ("examples", "problems/demo"):
        shutil.copytree(ROOT / name, tmp_path / name)
    assert argus("bench", "examples/demo-sweep.toml").code == 0
    shown = [block.partition("\n") for block in SHOWN if SWEEP in block]
    assert len(shown) == 2
    for command, _, printed in shown:
        assert stripped(argus(*command.removeprefix("$ .venv/bin/argus ").split()).out) == stripped(printed)


def test_nothing_private_of_the_demo_is_in_its_public_reports(argus, demo, tmp_path):
    site = tmp_path / "site"
    argus("report", "--full", site, "--public", "--frames", site / "frames", "--archive", demo)
    every = [
        argus("report", "--public", "--format", form, "--archive", demo).out for form in ("json", "html")
    ]
    every += [path.read_text() for path in site.rglob("*") if path.suffix in (".html", ".csv")]
    said = " ".join(" ".join(unescape(text) for text in every).split())
    problems = load_set(ROOT / "problems" / "demo").problems.values()
    private = [" ".join(text.split()) for problem in problems for text in private_texts(problem)]
    assert len(private) > 80
    found = [text for text in private if text in said]
    # so short a text tells nothing, and answers say it in their own words
    assert all(len(text) < SHORTEST for text in found)
