"""A grading killed at any commit can be finished, and then nobody can tell that it was killed."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from grader.archive.store import open_archive
from tests.archive.sample import dump, grade, steps

KILLED = """
import os, signal, sys
from sqlalchemy import event
from grader.archive.store import open_archive
from tests.archive.sample import grade

left = int(sys.argv[2])

def commit(connection):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

with open_archive(sys.argv[1]) as archive:
    event.listen(archive.database, "commit", commit)
    grade(archive)
"""

COMMITS = 18
"""What an undisturbed grading of the sample takes."""


@pytest.fixture
def undisturbed(tmp_path):
    """The archive after each commit of an undisturbed grading, the empty one first."""
    with open_archive(str(tmp_path / "undisturbed.db")) as archive:
        return [dump(archive), *(dump(archive) for _ in steps(archive))]


def test_the_sample_takes_as_many_commits_as_are_killed(undisturbed):
    assert len(undisturbed) - 1 == COMMITS


def killed_at(number):
    return number if number == 9 else pytest.param(number, marks=pytest.mark.slow)


@pytest.mark.parametrize("number", [killed_at(n) for n in (1, 2, 4, 5, 7, 9, 10, 13, 15, 18)])
def test_a_killed_grading_is_finished_as_if_nothing_had_happened(archive_url, undisturbed, number):
    command = [sys.executable, "-c", KILLED, archive_url, str(number)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    with open_archive(archive_url, create=False) as archive:
        assert dump(archive) == undisturbed[number - 1]
        grade(archive)
        assert dump(archive) == undisturbed[-1]
