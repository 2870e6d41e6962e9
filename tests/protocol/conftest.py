"""What tests of conversations share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.protocol.conversing import Making


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Making]:
    """Makes runs of one conversation."""
    with ExitStack() as stack:
        yield Making(tmp_path, stack)
