"""What several test modules need: both databases, and the folder of shared material."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# A property is about values; how long an example takes depends on the machine.
settings.register_profile("argus", deadline=None)
settings.load_profile("argus")

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with reference cases beside the repository."""
    if not SHARED.is_dir():
        pytest.skip(f"the folder {SHARED.name} beside the repository is missing")
    return SHARED


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL database whose user may make others."""
    from tests.postgres import server

    with server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def archive_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an archive that doesn't exist yet, in each of the databases."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'argus.db'}"
        return
    from tests.postgres import database

    with database(request.getfixturevalue("postgres")) as url:
        yield url
