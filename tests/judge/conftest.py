"""A judge for whoever needs just one."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.judge.cards import LoadedCard
from tests.judge.scripted import card


@pytest.fixture
def one(tmp_path: Path) -> LoadedCard:
    """A card that is asked once."""
    return card(tmp_path)
