"""A desk with a filled queue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.review.desking import Office, grade_desk, office


@pytest.fixture(scope="session")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of a graded run, to be copied."""
    return grade_desk(tmp_path_factory.mktemp("desk"))


@pytest.fixture
def desk(graded: Path, tmp_path: Path) -> Iterator[Office]:
    """A desk over an archive of its own."""
    with office(graded, tmp_path) as opened:
        yield opened


@pytest.fixture(scope="session")
def still(graded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """A desk at which nothing happens, for tests that show that."""
    with office(graded, tmp_path_factory.mktemp("still")) as opened:
        yield opened
