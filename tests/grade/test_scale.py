"""A large run is graded in flat memory."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

RESPONSES = 300_000
LIMIT_MB = 300


@pytest.mark.slow
def test_300_000_responses_are_graded_in_under_300_mb():
    command = [sys.executable, "-m", "tests.grade.scale", str(RESPONSES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    took = json.loads(done.stdout)
    assert took["answers"] == RESPONSES
    # the grader and its worker processes together
    assert took["mb"] < LIMIT_MB
