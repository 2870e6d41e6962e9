"""What the README shows is what its commands print."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from grader.formal.registry import IMPLEMENTED

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHIPPED = "sqlite:///build/demo.db"
SHOWN = [block for block in re.findall(r"```\n(.*?)```", README, re.S) if block.startswith("$ ")]


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return f"sqlite:///{tmp_path_factory.mktemp('readme') / 'argus.db'}"


@pytest.mark.slow
def test_each_transcript_is_what_its_command_prints(archive):
    assert len(SHOWN) == 3
    for block in SHOWN:  # in order: the others read what the first has graded
        command, _, printed = block.partition("\n")
        assert command.endswith(f"--archive {SHIPPED}")
        words = shlex.split(command.removeprefix("$ .venv/bin/argus ").replace(SHIPPED, archive))
        done = subprocess.run(
            [sys.executable, "-m", "grader", *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        shown = _lines(printed)
        # of a report the first lines
        assert _lines(done.stdout)[: len(shown) if " report " in command else None] == shown


def test_the_first_transcript_is_the_command_of_make_demo():
    command = SHOWN[0].partition("\n")[0].removeprefix("$ .venv/bin/argus ")
    planned = subprocess.run(["make", "-n", "demo"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert command in planned.stdout


def _lines(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def test_its_kinds_are_those_that_code_decides():
    (decided,) = re.findall(r"Kinds decided today: (.*?);", README, re.S)
    assert set(re.findall(r"`(\w+)`", decided)) == set(IMPLEMENTED)


def test_its_toml_is_toml():
    for block in re.findall(r"```toml\n(.*?)```", README, re.S):
        tomllib.loads(block)


def test_its_python_runs():
    for block in re.findall(r"```python\n(.*?)```", README, re.S):
        exec(block, {})


def test_its_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
