"""A grading that is killed goes on where it stopped: nothing lost, nothing doubled."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from grader.archive.store import open_archive
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set
from tests.grade.small import MARKS, both_models, line, said, write_lines, write_set

NEVER = 10_000
FEW, MANY = [9], [1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 15]


@pytest.fixture
def job(tmp_path):
    """A run of three models over a small set, with marks."""
    folder = write_set(tmp_path / "set")
    third = [line("water-1", "hydrogen atoms: 7. Yes.", "third"), line("water-2", "Answer: A", "third")]
    run = write_lines(folder / "run.jsonl", [*both_models(), *third])
    return run, folder, write_lines(folder / "marks.jsonl", MARKS)


def interrupted(job, url, count, name="SIGKILL"):
    run, folder, marks = job
    command = [
        sys.executable,
        "-m",
        "tests.grade.interrupted",
        str(count),
        name,
        *map(str, (run, folder, url, marks)),
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def finish(job, url):
    run, folder, marks = job
    with open_archive(url) as archive:
        result = grade(GradeRequest(run, load_set(folder), marks=[marks], workers=1), archive)
        return {
            "scores": result.summary["scores"],
            "lines": said(archive),
            "counts": archive.counts() | {"summaries": 1},
        }


def undisturbed(job, tmp_path):
    return finish(job, f"sqlite:///{tmp_path / 'undisturbed.db'}")


def killed_and_finished(job, url, tmp_path, count):
    child = interrupted(job, url, count)
    assert child.returncode == -signal.SIGKILL, child.stderr
    assert finish(job, url) == undisturbed(job, tmp_path)


@pytest.mark.parametrize("count", FEW)
def test_a_killed_grading_ends_as_an_undisturbed_one(job, archive_url, tmp_path, count):
    killed_and_finished(job, archive_url, tmp_path, count)


@pytest.mark.slow
@pytest.mark.parametrize("count", MANY)
def test_a_grading_killed_at_any_commit_ends_as_an_undisturbed_one(job, archive_url, tmp_path, count):
    killed_and_finished(job, archive_url, tmp_path, count)


def test_the_commits_at_which_it_is_killed_are_those_of_a_grading(job, tmp_path):
    child = interrupted(job, f"sqlite:///{tmp_path / 'counted.db'}", NEVER)
    commits = int(child.stdout.split()[-1])
    assert max(FEW + MANY) <= commits, child.stderr


def test_ctrl_c_keeps_what_was_committed_and_the_next_grading_goes_on(job, archive_url, tmp_path):
    child = interrupted(job, archive_url, 8, "SIGINT")
    assert "KeyboardInterrupt" in child.stderr
    with open_archive(archive_url) as archive:
        assert archive.counts()["responses"] == 6
    assert finish(job, archive_url) == undisturbed(job, tmp_path)
