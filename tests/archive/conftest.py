"""Archives to test on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.archive.store import Archive, open_archive


@pytest.fixture
def archive(archive_url: str) -> Iterator[Archive]:
    """A new archive, in each of the databases."""
    with open_archive(archive_url) as opened:
        yield opened
