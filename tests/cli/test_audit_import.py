"""argus audit import as its user types it."""

from __future__ import annotations

import json

import pytest

from grader.audit import extra


@pytest.fixture
def marks(tmp_path):
    """Three problems of four answers, two people, a judge that is silent once."""
    rows = []
    for number in range(12):
        truth = number % 3 > 0
        people = [int(truth), int(truth if number != 5 else not truth)]
        judge = None if number == 0 else int(truth or number == 3)
        rows.append(
            {
                "problem": f"p{number // 4}",
                "id": f"a{number:02}",
                "human": people,
                "judges": {"grader-x": [judge, judge], "grader-y": [int(truth), int(truth)]},
            }
        )
    path = tmp_path / "marks.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_it_prints_every_audit_and_what_was_missing(argus, marks):
    ended = argus("audit", "import", marks)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(
        "Audits of the marks in marks.jsonl\n- 12 items of 3 problems, 2 people, 2 judges."
    )
    assert "Asked and nothing given, left out and not read as 0: grader-x (1)." in ended.out
    for title in ("Agreement with people", "Leniency", "Test-retest", "Panel", "People"):
        assert f"\n{title} ──" in ended.out
    assert max(map(len, ended.out.splitlines())) <= 100


def test_only_the_judges_that_were_asked_for(argus, marks):
    found = json.loads(argus("audit", "import", marks, "--judge", "grader-y", "--json").out)
    assert found["judges"] == [{"judge": "grader-y", "asked": 12, "missing": 0}]
    undone = {one["id"]: one["why"] for one in found["audits"] if not one["done"]}
    assert undone == {"A14": "a panel is of two judges or more, and the table has 1"}


def test_a_file_that_can_not_be_written_is_refused_before_anything_is_counted(argus, tmp_path):
    for out in ("no/such/page.html", "."):
        ended = argus("audit", "import", "none.csv", "--format", "html", "-o", out)
        assert ended.code == 2
        assert f"argus: {out}: the page can't be written" in ended.err


def test_json_counts_what_is_missing_and_leaves_out_what_is_undefined(argus, marks):
    found = json.loads(argus("audit", "import", marks, "--json", "--level", "0.9", "--seed", "3").out)
    assert (found["schema_version"], found["level"], found["seed"], found["items"]) == (1, 0.9, 3, 12)
    assert found["judges"][0] == {"judge": "grader-x", "asked": 12, "missing": 1}
    leniency = next(one for one in found["audits"] if (one["id"], one["judge"]) == ("A2", "grader-x"))
    # one of eleven too much, and against the mean of the two people half a mark on the split answer
    assert leniency["measures"][0]["value"] == pytest.approx((1 + 0.5) / 11)
    assert leniency["indicative"]


def test_equal_seeds_print_equal_bytes(argus, marks):
    once, again = (argus("audit", "import", marks, "--json").out for _ in range(2))
    assert once == again


@pytest.mark.parametrize(
    ("form", "begins"), [("md", "# Audits of"), ("html", "<!doctype html>"), ("json", "{")]
)
def test_every_format_goes_to_a_file_or_to_the_output(argus, marks, form, begins, tmp_path):
    printed = argus("audit", "import", marks, "--format", form)
    assert printed.code == 0
    assert printed.out.startswith(begins)
    assert argus("audit", "import", marks, "--format", form, "-o", tmp_path / "out").out == ""
    assert (tmp_path / "out").read_text(encoding="utf-8") == printed.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--judge", "nobody"], "the table has no such judge; got 'nobody'; expected grader-x and grader-y"),
        (["--json", "--format", "md"], "two formats"),
        (["--level", "2"], "level"),
        (["-o", "none/there.md"], "can't be written"),
    ],
)
def test_what_can_not_be_done_ends_in_one_line_and_exit_2(argus, marks, words, said):
    ended = argus("audit", "import", marks, *words)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err
    assert ended.err.startswith("argus: ")


def test_a_bad_table_names_file_line_and_field(argus, tmp_path):
    path = tmp_path / "marks.csv"
    path.write_text("item,problem,rater,kind,value\na,p,ann,human,1\na,p,bob,human,yes\n", encoding="utf-8")
    ended = argus("audit", "import", "marks.csv")
    assert ended.code == 2
    assert ended.err.startswith("argus: marks.csv:3 /value: ")
    assert "got 'yes'" in ended.err


def test_without_the_extra_it_says_what_to_install(argus, marks, monkeypatch):
    monkeypatch.setattr(extra, "NEEDED", {**extra.NEEDED, "no_such_module": "no-such-package"})
    ended = argus("audit", "import", marks)
    assert ended.code == 2
    assert "no no-such-package" in ended.err
    assert "pip install 'argus-rubric[audit]'" in ended.err
