"""A desk with a filled queue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url

from grader.archive.store import open_archive
from grader.review.app import make_app
from tests.postgres import database
from tests.review.desking import ADDRESS, Office, grade_desk, office


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
def graded_postgres(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same archive in PostgreSQL, to be a template."""
    with database(postgres) as url:
        grade_desk(tmp_path_factory.mktemp("desk"), url)
        yield str(make_url(url).database)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def desk_of_each(request: pytest.FixtureRequest, graded: Path, tmp_path: Path) -> Iterator[Office]:
    """A desk over an archive of its own, in each of the databases."""
    if request.param == "sqlite":
        with office(graded, tmp_path) as opened:
            yield opened
        return
    server, template = (request.getfixturevalue(name) for name in ("postgres", "graded_postgres"))
    with database(server, f"TEMPLATE {template}") as url, open_archive(url) as archive:
        yield Office(archive, make_app(archive, ADDRESS))


@pytest.fixture(scope="session")
def still(graded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """A desk at which nothing happens, for tests that show that."""
    with office(graded, tmp_path_factory.mktemp("still")) as opened:
        yield opened
