"""Disputes, seeded items, agreement and exchange as they are typed, and mistakes in one line each."""

from __future__ import annotations

import json
import shutil

import pytest

from grader.archive.store import open_archive
from tests.grade.judged import PROBLEM
from tests.grade.small import line, write_lines, write_set
from tests.review.desking import MODEL, grade_desk


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    return grade_desk(tmp_path_factory.mktemp("graded"))


@pytest.fixture
def typed(argus, graded, tmp_path):
    shutil.copy(graded, tmp_path / "argus.db")
    argus("review", "invite", "Ada")
    return argus


def test_from_a_dispute_to_its_erratum(typed):
    lines = [json.loads(one) for one in typed("verdicts", "--point", "product").out.splitlines()]
    named = lines[0]["id"]
    told = typed("dispute", named, "--reason", "It is a diol.", "--by", "Bo")
    assert (told.code, told.out.splitlines()) == (
        0,
        [
            "2 answers wait first in line for an adjudicator's mark.",
            "No adjudicator is invited: argus review invite NAME --adjudicator",
        ],
    )
    assert typed("dispute", named, "--reason", "It is a diol.").out.startswith("It was disputed for this")
    (erratum,) = [json.loads(one) for one in typed("review", "errata").out.splitlines()]
    assert (erratum["disputed"], erratum["outcome"], erratum["after"]) == (named, "open", None)
    trace = typed("trace", "desk-1", "--model", f"{MODEL}-0").out
    assert f"disputed {named} (met, formal:smiles" in trace


def test_seeding_marking_offline_and_agreement(typed, tmp_path):
    gold = {"model": f"{MODEL}-0", "point_id": "product", "award": 1, "by": "Zoe", "adjudicated": True}
    write_lines(tmp_path / "gold.jsonl", [gold])
    assert typed("review", "gold", "gold.jsonl").out == "1 answers for 1 people: 1 new items.\n"
    assert typed("review", "export", "-o", "items.jsonl", "--reviewer", "Ada").out == "5 items: items.jsonl\n"
    rows = [json.loads(one) for one in (tmp_path / "items.jsonl").read_text().splitlines()]
    write_lines(tmp_path / "filled.jsonl", [{**row, "status": "met"} for row in rows])
    read = "5 new marks, 0 known, 0 lines not filled in\n"
    assert typed("review", "import", "filled.jsonl", "--by", "Ada").out == read
    (person,) = json.loads(typed("review", "agreement", "--json").out)["people"]
    assert (person["name"], person["gold"], person["right"]) == ("Ada", 1, 1)
    shown = typed("review", "agreement", "--public").out
    assert ("Ada" in shown, "reviewer 1" in shown, "100%" in shown) == (False, True, True)
    assert typed("review", "export", "--marks", "-o", "marks.csv").out == "5 marks: marks.csv\n"
    with open_archive(str(tmp_path / "argus.db")) as archive:
        assert len(list(archive.marks())) == 5


def test_marking_offline_needs_no_desk_to_have_been_opened(argus, tmp_path):
    write_set(tmp_path, PROBLEM)
    write_lines(tmp_path / "run.jsonl", [line("ice-1", "An open lattice.")])
    argus("grade", "run.jsonl")
    assert count_of(argus("review", "export", "-o", "items.jsonl").out) == 1
    assert count_of(argus("review", "export", "-o", "items.jsonl").out) == 1


def count_of(out):
    return int(out.split()[0])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("dispute", "verdict-9", "--reason", "x"), "no such finding or verdict"),
        (("review", "gold"), "Give FILE, or --from-adjudicated N."),
        (("review", "gold", "no.jsonl"), "can't read the marks"),
        (("review", "gold", "--from-adjudicated", "2"), "no adjudicated mark to draw from"),
        (("review", "export", "-o", "items.txt"), "expected .csv or .jsonl"),
        (("review", "export", "-o", "x.csv", "--marks", "--reviewer", "Ada"), "Leave out --reviewer"),
        (("review", "import", "no.csv", "--by", "Ada"), "can't read the marks"),
        (("review", "import", "no.csv", "--by", "Bo"), "nobody of that name is invited"),
        (("review", "mends", "-o", "no/mends.jsonl"), "the file can't be written"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(typed, words, said):
    ended = typed(*words)
    assert (ended.code, ended.err.count("\n"), said in ended.err) == (2, 1, True)
