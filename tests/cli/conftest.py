"""The command as its user types it, in this process."""

from __future__ import annotations

import sys
from typing import NamedTuple

import pytest

from grader.cli import main


class Typed(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


@pytest.fixture
def argus(monkeypatch, capsys, tmp_path):
    """Type a command in an empty folder; a traceback fails the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARGUS_ARCHIVE", raising=False)

    def typed(*words):
        monkeypatch.setattr(sys, "argv", ["argus", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Typed(int(ended.value.code or 0), captured.out, captured.err)

    return typed
