"""A wrong archive is one clear line, never a traceback, and never shows a password."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event, make_url, text

from grader.archive.connect import archive_url as url_of
from grader.archive.store import Archive, open_archive
from grader.errors import ArchiveError, SetupError, UsageError
from tests.archive.sample import RUN_DIGEST, dump, grade, reply, steps
from tests.postgres import GIVEN, STRANGER, database

NOBODY = 65534
END_THE_OTHERS = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@contextmanager
def unprivileged() -> Iterator[None]:
    """Without root's right to write everywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder(tmp_path: Path) -> Path:
    """A folder that anyone may enter and write to."""
    for folder in tmp_path.parents:
        if Path(tempfile.gettempdir()) in folder.parents:
            folder.chmod(folder.stat().st_mode | 0o711)
    tmp_path.chmod(0o777)
    return tmp_path


@pytest.mark.parametrize(
    ("named", "driver", "database"),
    [
        ("argus.db", "sqlite", "argus.db"),
        ("/data/a.db", "sqlite", "/data/a.db"),
        ("sqlite:///a.db", "sqlite", "a.db"),
        ("sqlite:////data/a b.db", "sqlite", "/data/a b.db"),
        ("postgresql://ada@db.example/argus", "postgresql+psycopg", "argus"),
        ("postgres://ada@db.example/argus", "postgresql+psycopg", "argus"),
        ("postgresql+psycopg2://ada@db.example/argus", "postgresql+psycopg", "argus"),
    ],
)
def test_an_archive_is_named_by_path_or_url(named, driver, database):
    assert (url_of(named).drivername, url_of(named).database) == (driver, database)


def test_the_archive_is_argus_db_unless_the_environment_names_another(monkeypatch):
    monkeypatch.delenv("ARGUS_ARCHIVE", raising=False)
    assert url_of(None).database == "argus.db"
    monkeypatch.setenv("ARGUS_ARCHIVE", "team.db")
    assert url_of(None).database == "team.db"
    assert url_of("mine.db").database == "mine.db"


@pytest.mark.parametrize(
    "named", ["mysql://db/argus", "sqlite://", "sqlite:///:memory:", "postgresql://h:port/x", "://"]
)
def test_what_names_no_archive_is_a_usage_error(named):
    with pytest.raises(UsageError, match="sqlite:///PATH"):
        open_archive(named)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(SetupError, match=r"folder does not exist.*Make .*none"):
        open_archive(str(tmp_path / "none" / "argus.db"))


def test_a_folder_is_no_archive(tmp_path):
    with pytest.raises(SetupError, match="is a folder"):
        open_archive(str(tmp_path))


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text('{"problem_id": "kinetics"}\n' * 100)
    with pytest.raises(ArchiveError, match="no SQLite database"):
        open_archive(str(path))
    assert path.read_text().startswith('{"problem_id"')


def test_a_damaged_archive_says_so(tmp_path):
    path = tmp_path / "argus.db"
    with open_archive(str(path)) as archive:
        grade(archive)
    content = bytearray(path.read_bytes())
    content[4096 : len(content)] = bytes(len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(ArchiveError, match="damaged"), open_archive(str(path)) as archive:
        archive.counts()


def test_a_read_only_folder_is_said_to_be_one(open_folder):
    folder = open_folder / "locked"
    folder.mkdir()
    folder.chmod(0o555)
    with unprivileged(), pytest.raises(SetupError, match=r"can't be (opened|locked).*folder"):
        open_archive(str(folder / "argus.db"))


def test_a_read_only_archive_can_be_read_but_says_that_it_can_not_be_written(open_folder):
    path = open_folder / "argus.db"
    with open_archive(str(path)) as archive:
        grade(archive)
    path.chmod(0o444)
    with unprivileged(), open_archive(str(path)) as archive:
        assert len(list(archive.lines())) == 9
        with pytest.raises(SetupError, match="read-only"):
            archive.put_run("another", "run", {})


def fill(archive: Archive) -> None:
    """Let the database have no more room than it takes now."""
    if archive.database.dialect.name == "sqlite":

        def full(connection):
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")

        event.listen(archive.database, "begin", full)
        return
    with archive.database.connect() as connection, connection.begin():
        connection.execute(
            text(
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
                " $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"
            )
        )
        connection.execute(
            text("CREATE TRIGGER full_disk BEFORE INSERT ON responses EXECUTE FUNCTION full_disk()")
        )


def test_a_full_disk_loses_nothing_that_was_written(archive, archive_url):
    writing = steps(archive)
    for _ in range(4):
        next(writing)
    before = dump(archive)
    fill(archive)
    run = archive.runs()[0]
    with pytest.raises(SetupError, match=r"disk is full.*Nothing already written is lost"):
        archive.put_responses(run, [reply(99, "kinetics", "kin-1", "k = 0.0462 " * 100_000)])
    archive.close()
    with open_archive(archive_url) as again:
        assert dump(again) == before


def test_a_missing_driver_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(SetupError, match=r"argus-rubric\[postgres\]"):
        open_archive("postgresql://db.example/argus")


def test_a_server_that_is_not_there_is_said_not_to_answer(tmp_path):
    with pytest.raises(ArchiveError, match=r"can't be used.*Check address") as caught:
        open_archive(f"postgresql://ada:hunter2@/argus?host={tmp_path}")
    assert "hunter2" not in str(caught.value)


def test_a_wrong_password_is_refused_and_not_repeated(postgres):
    if os.environ.get(GIVEN):
        pytest.skip("a server given by URL has rules of its own")
    url = make_url(postgres).set(username=STRANGER, password="hunter2")
    with pytest.raises(ArchiveError, match=r"can't be used.*password") as caught:
        open_archive(url.render_as_string(hide_password=False))
    assert "hunter2" not in str(caught.value)


def test_a_missing_database_is_named(postgres):
    url = make_url(postgres).set(database="argus_is_not_here")
    with pytest.raises(ArchiveError, match="argus_is_not_here"):
        open_archive(url.render_as_string(hide_password=False))


def test_a_database_that_can_not_hold_every_character_is_refused_at_once(postgres):
    latin = "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
    with database(postgres, latin) as url, pytest.raises(ArchiveError, match=r"LATIN1.*UTF8"):
        open_archive(url)


def test_a_broken_connection_says_that_nothing_is_lost(postgres):
    with database(postgres) as url, open_archive(url) as archive:
        archive.put_run(RUN_DIGEST, "run", {})
        with open_archive(url) as other, other.database.connect() as killer:
            killer.execute(text(END_THE_OTHERS))
        with pytest.raises(ArchiveError, match=r"connection.*broke.*Nothing already written is lost"):
            archive.put_run("another", "run", {})
        assert len(archive.runs()) == 1
