"""Who may mark. Only the hash of a token is kept: a copy of the archive opens nobody's desk."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, Row, select, update

from grader.archive.append import insert_new
from grader.archive.review_entry import Reviewer
from grader.archive.review_items import let_go
from grader.archive.tables import TABLES

REVIEWERS = TABLES["reviewers"]


def invite(connection: Connection, name: str, token_hash: str, adjudicates: bool, created: datetime) -> None:
    """Let a person mark by this token alone. See ``ReviewArchive.invite``."""
    row = {"name": name, "token_hash": token_hash, "adjudicates": adjudicates, "created": created}
    if insert_new(connection, REVIEWERS, [{**row, "revoked": None}]):
        return
    again = {"token_hash": token_hash, "adjudicates": adjudicates, "revoked": None}
    connection.execute(update(REVIEWERS).where(REVIEWERS.c.name == name).values(**again))


def revoke(connection: Connection, name: str, at: datetime) -> bool:
    """End a person's link. See ``ReviewArchive.revoke``."""
    ended = update(REVIEWERS).where(REVIEWERS.c.name == name).values(revoked=at)
    let_go(connection, name)
    return connection.execute(ended).rowcount == 1


def everybody(connection: Connection) -> list[Reviewer]:
    """All reviewers, by name."""
    return [_reviewer(row) for row in connection.execute(select(REVIEWERS).order_by(REVIEWERS.c.name))]


def of_token(connection: Connection, token_hash: str) -> Reviewer | None:
    """Who holds a token."""
    query = select(REVIEWERS).where(REVIEWERS.c.token_hash == token_hash, REVIEWERS.c.revoked.is_(None))
    row = connection.execute(query).first()
    return None if row is None else _reviewer(row)


def _reviewer(row: Row[tuple[object, ...]]) -> Reviewer:
    return Reviewer(row.name, row.adjudicates, row.created, row.revoked)
