"""A private PostgreSQL server for the tests: a Unix socket in a temporary folder, gone with the session."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine, make_url, text

REQUIRED = "ARGUS_REQUIRE_POSTGRES"
GIVEN = "ARGUS_TEST_POSTGRES"
STRANGER = "stranger"
"""A role that must give a password, and has none."""

_RULES = f"local all {STRANGER} scram-sha-256\nlocal all all trust\n"


@contextmanager
def server() -> Iterator[str]:
    """The URL of a database whose user may make others: ARGUS_TEST_POSTGRES, or on a private server.

    Skips where none is installed, or fails if ARGUS_REQUIRE_POSTGRES is set.
    """
    given = os.environ.get(GIVEN)
    if given:
        yield given
        return
    found = programs()
    if found is None:
        reason = "PostgreSQL is not installed: no initdb in PATH or /usr/lib/postgresql"
        if os.environ.get(REQUIRED) == "1":
            pytest.fail(f"{reason}, but {REQUIRED} is set")
        pytest.skip(reason)
    with _private(found) as url:
        yield url


@contextmanager
def database(server_url: str, how: str = "") -> Iterator[str]:
    """The URL of a new, empty database, dropped at the end; ``how`` it is to be created."""
    name = f"argus_test_{uuid.uuid4().hex}"
    maker = create_engine(
        make_url(server_url).set(drivername="postgresql+psycopg"),
        isolation_level="AUTOCOMMIT",
        poolclass=NullPool,
    )
    with maker.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} {how}"))
    try:
        yield make_url(server_url).set(database=name).render_as_string(hide_password=False)
    finally:
        with maker.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))


def programs() -> Path | None:
    """The folder of an installed PostgreSQL's programs."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: path.parts[-3])
    return versions[-1].parent if versions else None


@contextmanager
def _private(programs: Path) -> Iterator[str]:
    folder = Path(tempfile.mkdtemp(prefix="argus-pg-"))  # short: a socket's path has at most 107 bytes
    user = "postgres" if os.geteuid() == 0 else None  # the server refuses to run as root
    if user:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)

    def run(program: str, *arguments: str) -> None:
        command = [str(programs / program), *arguments]
        done = subprocess.run(command, user=user, cwd=folder, stdout=log, stderr=log, check=False)
        if done.returncode:
            pytest.fail(f"{program} failed: {(folder / 'log').read_text()}")

    data = folder / "data"
    with (folder / "log").open("w") as log:
        run("initdb", "-D", str(data), "-A", "trust", "-U", "argus", "-E", "UTF8", "--no-sync")
        (data / "pg_hba.conf").write_text(_RULES)
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
        run("pg_ctl", "-D", str(data), "-w", "-l", str(folder / "server.log"), "-o", options, "start")
        try:
            yield f"postgresql://argus@/postgres?host={folder}"
        finally:
            run("pg_ctl", "-D", str(data), "-m", "immediate", "stop")
    shutil.rmtree(folder, ignore_errors=True)
