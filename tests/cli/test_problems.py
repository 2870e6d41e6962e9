"""Problem sets as their authors type it."""

from __future__ import annotations

import json

import pytest

from tests.grade.small import PROBLEM, point, write_set


def test_a_sound_set_exits_0(argus, tmp_path):
    write_set(tmp_path / "set")
    done = argus("problems", "check", "set")
    assert (done.code, done.err) == (0, "")
    assert "1 problems, 2 subquestions, 4 points: 0 errors" in done.out


def test_all_errors_are_named_and_exit_2(argus, tmp_path):
    broken = json.loads(json.dumps(PROBLEM))
    broken["subquestions"][0]["full_mark"] = 7
    broken["subquestions"][1]["colour"] = "red"
    write_set(tmp_path / "set", broken)
    done = argus("problems", "check", "set", "--json")
    report = json.loads(done.out)
    assert done.code == 2
    pointers = {error["pointer"] for error in report["errors"]}
    assert {"/subquestions/0/rubric", "/subquestions/1/colour"} <= pointers
    assert all({"file", "got", "expected", "do"} <= error.keys() for error in report["errors"])


def test_chemical_lints_are_named_and_exit_0(argus, tmp_path):
    checks = [
        point("a", 1, kind="smiles", expected="Cc1c[nH]cn1"),
        point("b", 1, kind="equation", expected="H2 + O2 -> H2O"),
        point("c", 1, kind="quantity", expected=1.0, unit="furlongs_per_glass"),
    ]
    problem = json.loads(json.dumps(PROBLEM))
    problem["subquestions"][0]["rubric"] = checks
    write_set(tmp_path / "set", problem)
    done = argus("problems", "check", "set", "--json")
    lints = {lint["pointer"]: lint["what"] for lint in json.loads(done.out)["lints"]}
    assert done.code == 0
    for index in range(3):
        assert any(pointer.startswith(f"/subquestions/0/rubric/{index}/check") for pointer in lints)


def test_a_new_problem_is_written_compiled_and_shown(argus):
    assert argus("problems", "new", "acid-1", "--set", "mine").code == 0
    assert argus("problems", "compile", "mine/tasks/acid-1").code == 0
    assert argus("problems", "check", "mine").code == 0
    assert argus("problems", "show", "acid-1", "--problems", "mine").code == 0


def test_a_model_sees_no_rubric_and_a_judge_does(argus, tmp_path):
    write_set(tmp_path / "set")
    shown = {
        viewer: argus("problems", "show", "water", "--problems", "set", "--as", viewer).out
        for viewer in ("model", "judge", "reviewer")
    }
    assert "text of why" not in shown["model"]
    parity = argus("problems", "show", "water", "--problems", "set", "--profile", "parity").out
    assert "[system message]" in parity
    assert "[system message]" not in shown["model"]
    assert "text of why" in shown["judge"]
    assert "text of why" in shown["reviewer"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["problems", "show", "fire", "--problems", "set"], "no such problem"),
        (["problems", "show", "water", "--problems", "set", "--as", "cat"], "cat"),
        (["problems", "show", "water", "--problems", "set", "--mode", "smell"], "smell"),
        (["problems", "show", "water", "--problems", "set", "--profile", "loud"], "loud"),
        (["problems", "rubric", "nowhere.jsonl"], "nowhere.jsonl"),
        (["problems", "compile", "nowhere"], "nowhere"),
    ],
)
def test_a_mistake_is_said_and_exits_2(argus, tmp_path, words, message):
    write_set(tmp_path / "set")
    done = argus(*words)
    assert done.code == 2
    assert message in done.err


def test_native_lines_are_drafted_reviewed_and_accepted(argus, tmp_path):
    native = json.loads(json.dumps(PROBLEM))
    native["subquestions"][0]["rubric"] = ["Product: 'CCO' (2 points)", "because it is polar (1 point)"]
    write_set(tmp_path / "set", native)
    drafted = argus("problems", "compile", "set", "-o", "new")
    assert drafted.code == 0
    assert "2 of 3 marks" in drafted.out
    assert "argus problems accept new" in drafted.out.replace("\n", " ")
    again = argus("problems", "compile", "set", "-o", "new")
    assert again.code == 2
    assert "new" in again.err
    wrong = argus("problems", "accept", "new", "water-1#7")
    assert wrong.code == 2
    assert "water-1#1" in wrong.err
    done = argus("problems", "accept", "new", "water-1#1", "--json")
    assert json.loads(done.out)["accepted"] == ["water-1#1"]
    assert argus("problems", "check", "new").code == 0


def test_a_proof_is_shown_written_and_kept(argus, tmp_path):
    write_set(tmp_path / "set")
    shown = argus("problems", "proof", "set", "n", "--html", "proof.html", "--accept")
    assert shown.code == 0
    assert "0 of" in shown.out
    assert (tmp_path / "proof.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "set" / "proof.jsonl").is_file()
    wrong = argus("problems", "proof", "set", "why")
    assert wrong.code == 2
    assert "ice" in wrong.err
    (tmp_path / "folder").mkdir()
    assert argus("problems", "proof", "set", "n", "--html", "folder").code == 2
