"""Freezes the sample archive as SQL, once for each released version of the tables.

    python -m tests.archive.freeze

writes ``tests/fixtures/archives/<version>.<database>.sql``. A frozen archive is
never written again: it stands for the archives that people have.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import tempfile
from pathlib import Path

from grader.archive.schema import VERSIONS
from grader.archive.store import Archive, open_archive
from tests.archive.audited import audit
from tests.archive.followed import follow
from tests.archive.judged import judge
from tests.archive.reviewed import review
from tests.archive.sample import grade
from tests.postgres import database, server

FOLDER = Path(__file__).parents[1] / "fixtures" / "archives"


def fill(archive: Archive) -> None:
    """Write the sample with everything that an archive of today can hold."""
    run = grade(archive)
    judge(archive, run)
    follow(archive)
    review(archive)
    audit(archive, run)


def sqlite_dump(folder: Path) -> str:
    """The sample archive as SQLite's own dump."""
    path = folder / "argus.db"
    with open_archive(str(path)) as archive:
        fill(archive)
    connection = sqlite3.connect(path)
    lines = "\n".join(connection.iterdump())
    connection.close()
    return f"{lines}\n"


def postgres_dump() -> str:
    """The sample archive as pg_dump writes it, without what only psql or one server version understands."""
    with server() as url, database(url) as made:
        with open_archive(made) as archive:
            fill(archive)
        command = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", made]
        dumped = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ).stdout
    kept = [line for line in dumped.splitlines() if line and not line.startswith(("--", "\\", "SET "))]
    return "\n".join(kept) + "\n"


def main() -> None:
    """Write both dumps of the newest version."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        dumps = {"sqlite": sqlite_dump(Path(folder)), "postgresql": postgres_dump()}
    for name, dump in dumps.items():
        with (FOLDER / f"{VERSIONS[-1]}.{name}.sql").open("x") as file:
            file.write(dump)


if __name__ == "__main__":
    main()
