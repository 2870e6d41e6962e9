"""Archives to test on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.archive.store import Archive, open_archive
from tests.conftest import new_archive


@pytest.fixture(params=["sqlite", "postgresql"])
def archive_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an archive that doesn't exist yet, in each of the databases."""
    yield from new_archive(request, tmp_path)


@pytest.fixture
def archive(archive_url: str) -> Iterator[Archive]:
    """A new archive, in each of the databases."""
    with open_archive(archive_url) as opened:
        yield opened
