"""An archive to be thrown away: it knows what a kept one knows, and writes nothing to it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import URL, Connection, Engine, Select, Table, select

from grader.archive.append import among, insert_new, portions
from grader.archive.connect import connect
from grader.archive.entry import Received, Run
from grader.archive.outcomes import Pair
from grader.archive.rows import Row
from grader.archive.schema import prepare
from grader.archive.store import Archive
from grader.archive.tables import TABLES
from grader.model.reply import Attempt


@contextmanager
def scratch(kept: Archive) -> Iterator[Scratch]:
    """A scratch archive for the length of a block."""
    with tempfile.TemporaryDirectory(prefix="argus-") as folder:
        database = connect(URL.create("sqlite", database=f"{folder}/scratch.db"))
        prepare(database, create=True)
        with Scratch(database, kept) as opened:
            yield opened


class Scratch(Archive):
    """What a grading writes goes here; what it looks for is fetched from the kept archive when it is needed.

    A grading over it comes to what a grading over the kept archive would come
    to: findings, what was found to follow, verdicts and replies are there.
    """

    def __init__(self, database: Engine, kept: Archive) -> None:
        super().__init__(database)
        self._kept = kept
        self.reused = 0
        """Findings that the kept archive had."""
        self._fetched: set[Pair] = set()
        self._copy_all("engines")

    def put_responses(self, run: Run, received: Sequence[Received]) -> list[str]:
        """Keep a batch of responses, and fetch the verdicts on them."""
        digests = super().put_responses(run, received)
        for some in portions(digests):
            verdicts = self._kept_rows(TABLES["verdicts"], ("response_digest",), [(one,) for one in some])
            hashes = list(portions(row["point_hash"] for row in verdicts))
            for named in hashes:  # of earlier rubrics, too
                points = self._kept_rows(TABLES["points"], ("point_hash",), [(one,) for one in named])
                self._insert(TABLES["points"], points)
            self._insert(TABLES["verdicts"], verdicts)
        return digests

    def known_findings(self, pairs: Iterable[Pair], engines: Iterable[str]) -> dict[Pair, set[str]]:
        """Those that are here or were fetched now, whoever found them."""
        wanted = list(pairs)
        for some in portions(pair for pair in wanted if pair not in self._fetched):
            findings = self._kept_rows(TABLES["findings"], ("point_hash", "answer_hash"), some)
            self._insert(TABLES["findings"], findings)
            followed = self._kept_rows(TABLES["followed"], ("point_hash", "answer_hash"), some)
            self._insert(TABLES["followed"], followed)
            self.reused += len({(row["point_hash"], row["answer_hash"], row["engine"]) for row in findings})
            self._fetched.update(some)
        return super().known_findings(wanted, engines)

    def replies(self, keys: Iterable[str]) -> dict[str, Attempt]:
        """The kept archive's: nothing is asked here."""
        return self._kept.replies(keys)

    def _copy_all(self, name: str) -> None:
        with self._kept._reading() as connection:
            rows = _rows(connection, select(TABLES[name]))
        self._insert(TABLES[name], rows)

    def _kept_rows(self, table: Table, names: Sequence[str], keys: Sequence[tuple[str, ...]]) -> list[Row]:
        """Rows of the kept archive by the values of some columns, in the order they were written."""
        with self._kept._reading() as connection:
            rows = _rows(connection, select(table).where(among(connection, table, names, keys)))
        # ids are given anew, or a row found here could take that of one fetched later
        ordered = sorted(rows, key=lambda row: int(row.get("id", 0)))
        return [{name: value for name, value in row.items() if name != "id"} for row in ordered]

    def _insert(self, table: Table, rows: list[Row]) -> None:
        with self._writing() as connection:
            insert_new(connection, table, rows)


def _rows(connection: Connection, query: Select[Any]) -> list[Row]:
    return [dict(row) for row in connection.execute(query).mappings()]
