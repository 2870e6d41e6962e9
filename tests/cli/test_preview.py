"""argus grade --preview as its user types it."""

from __future__ import annotations

import json

import pytest

from tests.grade.small import PROBLEM, both_models, write_lines, write_set


@pytest.fixture
def run(tmp_path):
    write_set(tmp_path / "set")
    return write_lines(tmp_path / "set" / "run.jsonl", both_models())


def corrected(folder):
    """The set with ice as option C."""
    write_set(folder)
    file = folder / "tasks" / "water" / "problem.json"
    file.write_text(json.dumps(PROBLEM).replace('"expected": "B"', '"expected": "C"'))
    return folder


def test_a_preview_prints_what_would_change_and_exits_0(argus, run, tmp_path):
    argus("grade", run)
    shown = argus("grade", run, "--preview", corrected(tmp_path / "new"))
    assert shown.code == 0
    assert "2 verdicts would change, and the marks of 2 answers; 2 findings were computed" in shown.out
    assert "1 met → not met, 1 not met → met" in shown.out
    assert shown.out.rstrip().endswith("nothing was sent, and nothing written")
    found = json.loads(argus("grade", run, "--preview", tmp_path / "new", "--json").out)
    assert [(one["model"], one["before"]["earned"], one["after"]["earned"]) for one in found["scores"]] == [
        ("right", 4, 3),
        ("wrong", 0, 1),
    ]
    assert [(one["before"]["best"], one["after"]["worst"]) for one in found["ranks"]] == [(1, 1), (2, 2)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--preview", "nowhere"], "neither a problem set nor a judge card"),
        (["--preview", "set", "--regrade"], "a preview changes nothing"),
        (["--preview", "set", "--problems", "set"], "two problem sets are named"),
        (["--preview", "panel", "--judge", "panel"], "two judges are named"),
        (["--preview", "no.toml"], "the file can't be read"),
        (["--preview", "set", "--price", "1,2"], "nobody judged the run"),
        (["--preview", "set", "--archive", "no.db"], "there is no archive"),
    ],
)
def test_what_cant_be_previewed_is_said_in_one_line(argus, run, words, said):
    from grader.archive.store import open_archive
    from grader.grade.pipeline import fingerprint_of
    from grader.record import RunReader

    with open_archive() as archive:
        known = archive.put_run(fingerprint_of(run, RunReader(run))[0], "run", {})
        archive.begin_grading(known, _set(archive, run.parent), [])
    typed = argus("grade", run, *words)
    assert typed.code == 2
    assert typed.err.count("\n") == 1
    assert said in typed.err


def _set(archive, path):
    from grader.grade.entries import set_entry
    from grader.grade.plan import plan
    from grader.problem.set import load_set

    problems = load_set(path)
    return archive.put_set(set_entry(problems, plan(problems.problems, str(path))))
