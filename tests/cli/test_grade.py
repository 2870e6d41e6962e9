"""Grading as typed: what is printed, what goes to stderr, how it exits."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from grader.archive.store import open_archive
from tests.grade.small import MARKS, PROBLEM, both_models, line, write_lines, write_set


@pytest.fixture
def folder(tmp_path):
    folder = write_set(tmp_path / "set")
    write_lines(folder / "run.jsonl", both_models())
    write_lines(folder / "marks.jsonl", MARKS)
    return folder


def test_a_complete_grading_exits_0_and_prints_the_table(argus, folder):
    done = argus("grade", folder / "run.jsonl", "--marks", folder / "marks.jsonl")
    assert (done.code, done.err) == (0, "")
    assert "6 / 6" in done.out
    assert "100.0 %" in done.out


def test_undetermined_points_exit_3_and_one_line_says_what_to_do(argus, folder):
    done = argus("grade", folder / "run.jsonl")
    assert done.code == 3
    (said,) = done.err.splitlines()
    assert said.startswith("4 points are undetermined (4 unjudged)")
    assert "--marks" in said
    assert "50.0 % to 100.0 %" in done.out


def test_json_has_the_documented_keys_and_nothing_else_on_stdout(argus, folder):
    done = argus("grade", folder / "run.jsonl", "--json")
    report = json.loads(done.out)
    assert report["schema_version"] == 1
    keys = {"model", "protocol", "mode", "earned", "full_mark", "share", "low", "high", "coverage"}
    assert all(keys <= row.keys() for row in report["scores"])
    assert report["undetermined"] == [{"reason": "unjudged", "points": 4}]
    assert report["by_track"] == {"formal": 8, "undetermined": 4}


def test_a_second_grading_prints_the_same_and_computes_nothing(argus, folder):
    first = json.loads(argus("grade", folder / "run.jsonl", "--json").out)
    second = json.loads(argus("grade", folder / "run.jsonl", "--json").out)
    assert (first.pop("computed"), second.pop("computed")) == (6, 0)
    assert first == second


def test_the_set_is_found_by_option_then_header_then_folder(argus, folder, tmp_path):
    lone = tmp_path / "elsewhere"
    lone.mkdir()
    write_lines(lone / "run.jsonl", both_models())
    lost = argus("grade", lone / "run.jsonl")
    assert lost.code == 2
    assert "--problems" in lost.err
    assert argus("grade", lone / "run.jsonl", "--problems", folder).code == 3
    write_lines(lone / "told.jsonl", [{"schema_version": 1, "problems": "../set"}, *both_models()])
    assert argus("grade", lone / "told.jsonl").code == 3


def test_a_broken_line_exits_2_with_its_number_and_3_with_keep_going(argus, folder):
    run = folder / "broken.jsonl"
    run.write_text((folder / "run.jsonl").read_text() + "{oops\n")
    stopped = argus("grade", run)
    assert stopped.code == 2
    assert f"{run}:5: not JSON" in stopped.err
    skipped = argus("grade", run, "--keep-going", "--marks", folder / "marks.jsonl")
    assert skipped.code == 3
    assert f"skipped: {run}:5: not JSON" in skipped.err


def test_a_field_that_is_not_graded_is_noted(argus, folder):
    run = write_lines(folder / "noted.jsonl", [line("water-1", "2", response_id="r1")])
    assert "field 'response_id' (line 1) is not part of the format" in argus("grade", run).err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["grade", "nowhere.jsonl"], "can't read the run"),
        (["grade", "set/run.jsonl", "--problems", "nowhere"], "no such file or folder"),
        (["grade", "set/run.jsonl", "--marks", "nowhere.jsonl"], "can't read the marks"),
        (["grade", "set/run.jsonl", "--marks", "set/run.txt"], "unknown kind of marks file"),
        (["grade", "set/run.jsonl", "--archive", "mysql://x/y"], "no such kind of archive"),
        (["grade", "set/run.jsonl", "--archive", "sqlite:///nowhere/a.db"], "folder does not exist"),
        (["grade", "set/run.jsonl", "--archive", "sqlite:///set/run.jsonl"], "run.jsonl"),
        (["grade", "set/run.jsonl", "--archive", ":memory:"], "would be lost"),
        (["verdicts", "--status", "good"], "unknown status"),
        (["verdicts", "--protocol", "foo"], "unknown protocol"),
        (["verdicts", "--by", "cat"], "unknown track"),
        (["trace", "water-1"], "there is no archive"),
        (["verdicts"], "there is no archive"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(argus, folder, words, message):
    done = argus(*words)
    assert done.code == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_a_set_without_rubrics_says_so(argus, folder):
    bare = json.loads(json.dumps(PROBLEM))
    for sub in bare["subquestions"]:
        del sub["rubric"]
    write_set(folder, bare)
    done = argus("grade", folder / "run.jsonl")
    assert done.code == 2
    assert "can be run but not graded" in done.err


def test_a_second_grader_of_the_same_run_is_told_to_wait(argus, folder, tmp_path):
    argus("grade", folder / "run.jsonl")
    with open_archive(str(tmp_path / "argus.db")) as archive:
        (run,) = archive.runs()
        with archive.only_grader(run.digest):
            done = argus("grade", folder / "run.jsonl")
    assert done.code == 2
    assert "another grader is at work" in done.err


def test_ctrl_c_exits_130_and_says_that_nothing_is_lost(argus, folder, monkeypatch):
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("grader.grade.pipeline.Deciding.work", interrupt)
    done = argus("grade", folder / "run.jsonl")
    assert done.code == 130
    assert "run the same command to go on" in done.err


def test_ctrl_c_on_a_terminal_ends_130(folder, tmp_path):
    """The whole group gets the signal, worker processes too, as from a terminal."""
    script = (
        "import os, signal, sys\n"
        "from sqlalchemy import Engine, event\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's background job ignores it
        "left = 6\n"
        "def before_commit(_):\n"
        "    global left\n"
        "    left -= 1\n"
        "    if left == 0:\n"
        "        os.killpg(0, signal.SIGINT)\n"
        "event.listen(Engine, 'commit', before_commit)\n"
        "from grader.cli import main\n"
        "sys.argv = ['argus', 'grade', *sys.argv[1:]]\n"
        "main()\n"
    )
    words = [str(folder / "run.jsonl"), "--archive", f"sqlite:///{tmp_path / 'argus.db'}"]
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        start_new_session=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 130
    assert done.stderr.splitlines() == [
        "argus: interrupted; what was done is kept, run the same command to go on"
    ]
