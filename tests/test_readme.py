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
SHOWN = [block for block in re.findall(r"```\n(.*?)```", README, re.S) if block.startswith("$ ")]


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return f"sqlite:///{tmp_path_factory.mktemp('readme') / 'argus.db'}"


def test_each_transcript_is_what_its_command_prints(archive):
    assert len(SHOWN) == 2
    for block in SHOWN:  # in order: the second reads what the first has graded
        command, _, printed = block.removeprefix("$ argus ").partition("\n")
        done = subprocess.run(
            [sys.executable, "-m", "grader", *shlex.split(command), "--archive", archive],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert _lines(done.stdout) == _lines(printed)


def _lines(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def test_its_kinds_are_those_that_code_decides():
    (decided,) = re.findall(r"Kinds decided today: (.*?);", README, re.S)
    assert set(re.findall(r"`(\w+)`", decided)) == set(IMPLEMENTED)


def test_its_toml_is_toml():
    for block in re.findall(r"```toml\n(.*?)```", README, re.S):
        tomllib.loads(block)


def test_its_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
