"""No archive is opened as something it isn't, and none that people have becomes unreadable."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from grader.archive import schema
from grader.archive.audit_entry import Anchor, StoredAsked
from grader.archive.call_entry import Spent
from grader.archive.connect import archive_url as url_of
from grader.archive.connect import connect
from grader.archive.read import Filters
from grader.archive.schema import MIGRATIONS, VERSION_TABLE, VERSIONS
from grader.archive.store import Archive, open_archive
from grader.archive.tables import METADATA
from grader.errors import ArchiveError, ArchiveTooNew
from grader.record import Status
from tests.archive.audited import DESIGN, REPEATED, TASK, audit, place, variant
from tests.archive.followed import CARRIED, FOLLOWS, diluted, follow
from tests.archive.judged import CARD, DOUBT, DRAW, REQUESTS, VERDICT, judge, replied
from tests.archive.reviewed import ITEM, MARK
from tests.archive.sample import MARKS, REPLIES, dump, grade

FROZEN = Path(__file__).parents[1] / "fixtures" / "archives"


def execute(url, *statements):
    database = connect(url_of(url))
    with database.connect() as connection, connection.begin():
        for statement in statements:
            connection.execute(text(statement))
    database.dispose()


def thaw(url, version):
    """Put the frozen archive of a version into a new database."""
    parsed = url_of(url)
    script = (FROZEN / f"{version}.{parsed.get_backend_name()}.sql").read_text(encoding="utf-8")
    if parsed.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(str(parsed.database))) as connection:
            connection.executescript(script)
    else:
        import psycopg

        plain = parsed.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(plain) as session:
            session.execute(script)


def test_the_migrations_lead_to_the_tables_of_the_code(archive):
    with archive.database.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, METADATA) == []


def test_the_code_knows_every_migration():
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)
    assert tuple(reversed([one.revision for one in script.walk_revisions()])) == VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_a_frozen_archive_opens_and_still_says_what_it_said(archive_url, version):
    thaw(archive_url, version)
    with open_archive(archive_url, create=False) as archive:
        (run,) = archive.runs("run")
        stands = [
            (one.response.line, one.answer.sub_id, point.point_id, point.standing.status, point.standing.by)
            for one in archive.graded(run)
            for point in one.points
            if point.standing
        ]
        assert stands[:2] == [
            (2, "kin-1", "rate", Status.MET, "formal:quantity@1"),
            (2, "kin-1", "reason", Status.MET, "human:Ada"),
        ]
        assert stands[7] == (5, "syn-2", "alcohol", Status.NOT_MET, "human:Bo")
        assert len(stands) == 10
        lines = archive.lines(Filters(run="run"))
        assert sum(line["by"].partition(":")[0] != "judge" for line in lines) == 9
        first, *_ = archive.graded(run)
        assert archive.response(first.response.digest).text == "k = 0.0462 s⁻¹, first order"


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_a_frozen_archive_still_knows_what_judging_took(archive_url, version):
    thaw(archive_url, version)
    with open_archive(archive_url, create=False) as archive:
        (run,) = archive.runs("run")
        grading = archive.grading(run)
        assert grading is not None
        first, *_ = archive.graded(run)
        assert [one.verdict for one in first.points[1].verdicts] == [MARKS[0].verdict, VERDICT.verdict]
        assert list(archive.triage(grading)) == [DOUBT]
        assert list(archive.spot_checks(grading)) == [DRAW]
        assert [archive.request(one.key).key for one in REQUESTS] == [one.key for one in REQUESTS]
        assert archive.replies([REQUESTS[0].key]) == {REQUESTS[0].key: replied(1)}
        assert archive.spent(run).total == Spent(3, 4, 3, 0, 2700, 360, 120, 0.0375, 0)
        committed = archive.committed(run)
        assert committed.cost == pytest.approx(0.0375)
        assert committed.reserved == 0.25
        assert list(committed.unpriced) == []


@pytest.mark.parametrize("version", VERSIONS[2:])
def test_a_frozen_archive_still_knows_what_followed(archive_url, version):
    thaw(archive_url, version)
    with open_archive(archive_url, create=False) as archive:
        (run,) = archive.runs("carried")
        (strict,) = diluted(archive, run).findings
        assert strict.finding == CARRIED
        assert strict.followed is not None
        assert strict.followed.finding == FOLLOWS
        assert [one.value for one in strict.followed.sources] == ["0.3"]


@pytest.mark.parametrize("version", VERSIONS[4:])
def test_a_frozen_archive_still_knows_what_was_marked(archive_url, version):
    thaw(archive_url, version)
    with open_archive(archive_url, create=False) as archive:
        (item,) = archive.items()
        assert (item.entry, item.state, item.holder) == (ITEM, "done", "Ada")
        assert [one.entry for one in archive.marks()] == [MARK]
        assert [(one.name, one.adjudicates) for one in archive.reviewers()] == [("Ada", True)]


@pytest.mark.parametrize("version", VERSIONS[5:])
def test_a_frozen_archive_still_knows_what_audits_asked(archive_url, version):
    thaw(archive_url, version)
    with open_archive(archive_url, create=False) as archive:
        check_audited(archive)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_frozen_archive_can_be_audited(archive_url, version):
    thaw(archive_url, version)
    with open_archive(archive_url) as archive:
        (run,) = archive.runs("run")
        before = dump(archive)["verdicts"]
        for _ in range(2):
            audit(archive, run)
        check_audited(archive)
        assert dump(archive)["verdicts"] == before


def check_audited(archive):
    (run,) = archive.runs("run")
    (kept,) = archive.asked(DESIGN.hash, CARD)
    assert kept == replace(as_stored(variant(run)), id=kept.id, created=kept.created)
    assert archive.audited_cards() == archive.audited_cards(DESIGN.hash) == [CARD]
    assert archive.audit_designs(CARD) == [DESIGN]
    assert archive.audit_task(kept.task) == TASK
    assert archive.anchors(DESIGN.hash) == [Anchor(place(run), kept.task)]
    assert archive.replies(kept.keys) == {REPEATED.key: replied(5)}
    committed = archive.audits_committed(CARD)
    assert (committed.cost, committed.reserved, list(committed.unpriced)) == (0.0125, 0.25, [])
    assert archive.spent(run).card(CARD).cost <= 0.0375


def as_stored(entry):
    return StoredAsked(**{one.name: getattr(entry, one.name) for one in fields(entry)})


@pytest.mark.parametrize("version", VERSIONS)
def test_what_follows_can_be_kept_in_a_frozen_archive(archive_url, version):
    thaw(archive_url, version)
    with open_archive(archive_url) as archive:
        run = follow(archive)
        assert diluted(archive, run).findings[0].award_follow == 1


@pytest.mark.parametrize("version", VERSIONS)
def test_a_frozen_archive_can_be_judged(archive_url, version):
    thaw(archive_url, version)
    with open_archive(archive_url) as archive:
        (run,) = archive.runs("run")
        judge(archive, run)
        first, *_ = archive.graded(run)
        assert [one.verdict for one in first.points[1].verdicts] == [MARKS[0].verdict, VERDICT.verdict]
        assert archive.spent(run).total.replies == 3


@pytest.mark.parametrize("version", VERSIONS)
def test_a_frozen_archive_can_be_graded_into(archive_url, version):
    thaw(archive_url, version)
    with open_archive(archive_url) as archive:
        before = archive.counts()
        grade(archive)
        archive.put_verdicts(MARKS)
        assert archive.counts()["responses"] == before["responses"] >= len(REPLIES)


def test_an_archive_of_a_later_version_is_left_alone(archive_url):
    open_archive(archive_url).close()
    execute(archive_url, f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    with pytest.raises(ArchiveTooNew, match=r"version 9999.*Update Argus"):
        open_archive(archive_url)


def test_a_database_of_something_else_is_left_alone(archive_url):
    execute(archive_url, "CREATE TABLE invoices (id INTEGER)")
    with pytest.raises(ArchiveError, match="invoices"):
        open_archive(archive_url)


def test_an_archive_that_is_only_read_is_not_created(archive_url, tmp_path):
    with pytest.raises(ArchiveError, match="there is no archive"):
        open_archive(archive_url, create=False)
    assert list(tmp_path.iterdir()) == []


def test_an_older_archive_is_said_to_be_updated_and_keeps_its_rows(
    archive_url, tmp_path, monkeypatch, caplog
):
    with open_archive(archive_url) as archive:
        grade(archive)
        before = dump(archive)
    add_a_later_migration(tmp_path, monkeypatch)
    with caplog.at_level(logging.WARNING, logger="grader.archive.schema"):
        later = open_archive(archive_url, create=False)
    assert f"from version {VERSIONS[-1]}" in caplog.text
    with later, later.database.connect() as connection:
        assert dump(later) == before
        assert connection.scalar(text("SELECT count(*) FROM later")) == 0


def test_an_update_that_fails_leaves_the_older_archive_whole(archive_url, tmp_path, monkeypatch):
    with open_archive(archive_url) as archive:
        grade(archive)
    add_a_later_migration(tmp_path, monkeypatch, "op.execute('SELECT * FROM nowhere')")
    with pytest.raises(Exception, match="nowhere"):
        open_archive(archive_url)
    monkeypatch.undo()
    with open_archive(archive_url, create=False) as archive:
        assert names(archive) == {*METADATA.tables, VERSION_TABLE}


def add_a_later_migration(folder, monkeypatch, then="pass"):
    """Let the code have a version that adds a table to today's."""
    migrations = folder / "100% later"
    (migrations / "versions").mkdir(parents=True)
    for file in (MIGRATIONS / "env.py", *(MIGRATIONS / "versions").glob("v*.py")):
        copy = migrations / file.relative_to(MIGRATIONS)
        copy.write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    (migrations / "versions" / "v9000_later.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\n"
        f"revision, down_revision = '9000', '{VERSIONS[-1]}'\n"
        f"def upgrade():\n    op.create_table('later', sa.Column('id', sa.Integer()))\n    {then}\n"
    )
    monkeypatch.setattr(schema, "MIGRATIONS", migrations)
    monkeypatch.setattr(schema, "VERSIONS", (*VERSIONS, "9000"))


def names(archive: Archive) -> set[str]:
    from sqlalchemy import inspect

    return set(inspect(archive.database).get_table_names())


def test_sqlite_writes_ahead_so_that_readers_are_never_locked_out(tmp_path):
    with open_archive(str(tmp_path / "argus.db")) as archive, archive.database.connect() as connection:
        pragmas = {
            name: connection.scalar(text(f"PRAGMA {name}")) for name in ("journal_mode", "foreign_keys")
        }
        assert pragmas == {"journal_mode": "wal", "foreign_keys": 1}
        assert connection.scalar(text("PRAGMA busy_timeout")) == 60_000
