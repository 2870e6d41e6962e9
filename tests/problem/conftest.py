from __future__ import annotations

from pathlib import Path

import pytest

from tests.problem.valid_set import ValidSet


@pytest.fixture
def valid(tmp_path: Path) -> ValidSet:
    return ValidSet(tmp_path / "set")
