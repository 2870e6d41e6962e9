"""Many calls of a judge take no more memory than few."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.model_server import server_process

ANSWERS = 10_000
MORE_MB = 30
"""Between 2,000 calls and 10,000; what each call left behind would show as hundreds."""


@pytest.mark.slow
def test_10_000_calls_take_flat_memory():
    with server_process("tests.grade.judged:judge_by_number") as server:
        command = [sys.executable, "-m", "tests.grade.judge_scale", str(ANSWERS), server.base_url]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    took = json.loads(done.stdout)
    assert took["verdicts"] == ANSWERS
    early, late = took["mb"]
    assert late - early < MORE_MB
