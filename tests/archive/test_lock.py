"""Two graders never work on one run, and a dead one blocks nobody."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from grader.archive.lock import _held
from grader.archive.store import open_archive
from grader.errors import ArchiveBusy, SetupError
from tests.archive.sample import RUN_DIGEST

HOLD = """
import sys
from grader.archive.store import open_archive
with open_archive(sys.argv[1]) as archive, archive.only_grader(sys.argv[2]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_grader_of_a_run_is_told_to_wait(archive, archive_url):
    with archive.only_grader(RUN_DIGEST), open_archive(archive_url) as second:
        with pytest.raises(ArchiveBusy, match=r"another grader.*Wait"), second.only_grader(RUN_DIGEST):
            pass
        with second.only_grader("another run"):
            pass
    with open_archive(archive_url) as third, third.only_grader(RUN_DIGEST):
        pass


def test_an_error_lets_go_of_the_run(archive, archive_url):
    with pytest.raises(KeyError), archive.only_grader(RUN_DIGEST):
        raise KeyError
    with open_archive(archive_url) as second, second.only_grader(RUN_DIGEST):
        pass


def test_the_holder_can_write_and_others_can_read(archive, archive_url):
    with archive.only_grader(RUN_DIGEST), open_archive(archive_url) as second:
        archive.put_run(RUN_DIGEST, "run", {})
        assert len(second.runs()) == 1


def test_a_killed_grader_lets_go_of_its_run(archive, archive_url):
    command = [sys.executable, "-c", HOLD, archive_url, RUN_DIGEST]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        with pytest.raises(ArchiveBusy), archive.only_grader(RUN_DIGEST):
            pass
        child.send_signal(signal.SIGKILL)
        child.wait()
    # the server may need a moment to see that the session is gone
    with _held(archive.database, f"run {RUN_DIGEST}", wait=True) as mine:
        assert mine


def test_a_lock_that_can_not_be_made_is_a_clear_error(tmp_path):
    with open_archive(str(tmp_path / "argus.db")) as archive:
        (tmp_path / "argus.db.locks").rename(tmp_path / "elsewhere")
        (tmp_path / "argus.db.locks").write_text("in the way")
        with pytest.raises(SetupError, match="can't be locked"), archive.only_grader(RUN_DIGEST):
            pass
