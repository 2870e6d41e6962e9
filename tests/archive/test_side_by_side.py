"""Several processes may write to one archive at once, from its first moment on."""

from __future__ import annotations

import subprocess
import sys

from grader.archive.store import open_archive
from tests.archive.sample import dump, grade

GRADE = """
import sys
from grader.archive.store import open_archive
from tests.archive import sample
sample.RUN_DIGEST = sys.argv[2]
for _ in range(3):
    with open_archive(sys.argv[1]) as archive, archive.only_grader(sample.RUN_DIGEST):
        sample.grade(archive)
"""


def test_graders_of_runs_that_share_their_responses_do_not_disturb_each_other(archive_url, tmp_path):
    commands = [[sys.executable, "-c", GRADE, archive_url, f"run {n}"] for n in range(2)]
    children = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for command in commands]
    told = [child.communicate()[1] for child in children]
    assert told == ["", ""]
    with open_archive(archive_url) as together, open_archive(str(tmp_path / "alone.db")) as alone:
        grade(alone)
        expected, got = dump(alone), dump(together)
        for table in ("problems", "points", "responses", "answers", "engines", "findings", "verdicts"):
            assert got[table] == expected[table]
        assert len(got["runs"]) == len(got["gradings"]) == 2
