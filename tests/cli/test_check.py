"""One check as typed."""

from __future__ import annotations

import json

import pytest


def test_a_met_check_says_what_it_took(argus):
    done = argus("check", "quantity", "101.325", "p = 760 mmHg", "-o", "unit=kPa")
    assert done.code == 0
    assert done.out.startswith("met:")
    assert "'760 mmHg'" in done.out


def test_an_undetermined_check_exits_3_with_its_reason(argus):
    done = argus("check", "integer", "4", "The signal is split by its neighbours.")
    assert done.code == 3
    assert done.out.startswith("undetermined (no_candidate)")


def test_the_finding_as_json(argus):
    finding = json.loads(argus("check", "smiles", "CCO", "`OCC`", "--json").out)
    assert (finding["status"], finding["evidence"]["quote"]) == ("met", "OCC")


def test_a_file_of_cases_is_reported(argus, tmp_path):
    cases = tmp_path / "cases.jsonl"
    row = {"id": "a", "kind": "integer", "expected": 4, "options": {}, "answer": "There are 4."}
    rows = [row | {"verdict": "met"}, row | {"id": "b", "verdict": "not_met"}]
    cases.write_text("".join(json.dumps(one) + "\n" for one in rows))
    report = json.loads(argus("check", "--cases", cases, "--json").out)
    assert {name: report[name] for name in ("cases", "agree", "wrong_met")} == {
        "cases": 2,
        "agree": 1,
        "wrong_met": 1,
    }
    assert report["by_kind"]["integer"]["cases"] == 2
    assert [one["id"] for one in report["disagreements"]] == ["b"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["check", "smell", "a", "b"], "unknown kind 'smell'"),
        (["check", "integer", "4"], "needs KIND, EXPECTED and ANSWER"),
        (["check", "integer", "four", "4"], "valid integer"),
        (["check", "integer", "4", "4", "-o", "colour=red"], "colour"),
        (["check", "integer", "4", "4", "-o", "colour"], "NAME=VALUE"),
        (["check", "integer", "4", "4", "-o", "kind=smiles"], "'kind' is no option"),
        (["check", "--cases", "nowhere.jsonl"], "can't read the cases"),
        (["check", "integer", "--cases", "x.jsonl"], "not both"),
    ],
)
def test_a_mistake_is_said_and_exits_2(argus, words, message):
    done = argus(*words)
    assert done.code == 2
    assert message in done.err
