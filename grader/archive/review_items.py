"""The queue of review: what is to be marked, and who holds it.

Every change of hands is one conditional UPDATE, so that of two people who
reach for an item at once one gets it, on either database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    CursorResult,
    RowMapping,
    and_,
    cast,
    delete,
    exists,
    func,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy import String as AsText

from grader.archive.append import insert_new, portions
from grader.archive.review_entry import FINAL, Item, ItemEntry, Member, State, Wanted
from grader.archive.tables import TABLES
from grader.record import digest

ITEMS = TABLES["review_items"]
MEMBERS = TABLES["review_members"]
BARS = TABLES["review_bars"]
LINES = TABLES["run_responses"]

SKIPPED, BARRED = "skipped", "barred"
RANDOM = ("spot_check", "gold", "second")
"""Kinds that a filter by reason lets through: a reviewer must not be able to tell them from the rest."""

_TRIES = 50
"""Items that others may take from under a reader's hands before it gives up for now."""


def put_items(connection: Connection, entries: Iterable[ItemEntry], created: datetime) -> int:
    """Queue items that aren't there yet; how many were new.

    An open one that is there gets today's priority and reasons. Answers that it
    doesn't stand for yet join it, or an item of their own if it is open no more.
    """
    new = 0
    for some in portions(entries):
        some.sort(key=lambda entry: str(entry.key))  # or two sessions could wait for each other for ever
        there = _ids(connection, [entry.key for entry in some])
        fresh = [entry for entry in some if entry.key not in there]
        fresh += _later(connection, [entry for entry in some if entry.key in there], there)
        insert_new(connection, ITEMS, [_row(one, created) for one in fresh])
        ids = _ids(connection, [entry.key for entry in fresh])
        insert_new(connection, MEMBERS, [row for one in fresh for row in _member_rows(ids[one.key], one)])
        insert_new(connection, BARS, [row for one in fresh for row in _bar_rows(ids[one.key], one, created)])
        new += len(fresh)
    return new


def _later(
    connection: Connection, entries: Sequence[ItemEntry], ids: Mapping[str, int]
) -> Iterator[ItemEntry]:
    """Bring items that are there up to date; what is left of the entries for items of their own."""
    for entry in entries:
        item_id = ids[entry.key]
        connection.execute(
            update(ITEMS)
            .where(ITEMS.c.id == item_id, ITEMS.c.state == "open")
            .values(rank=-entry.priority, reasons=list(entry.reasons))
        )
        known = _known(connection, entry)
        more = tuple(one for one in entry.members if one not in known)
        if not more:
            continue
        if not _joined(connection, item_id, replace(entry, members=more)):
            key = f"{entry.key}+{digest([one.response_digest for one in more])}"
            yield replace(entry, key=key, members=more)


def _joined(connection: Connection, item_id: int, entry: ItemEntry) -> bool:
    """Let answers join an item, if nobody has it before them or has marked it."""
    free = update(ITEMS).where(ITEMS.c.id == item_id, ITEMS.c.state == "open", ITEMS.c.holder.is_(None))
    if not changed(connection.execute(free.values(rank=-entry.priority))):
        return False
    last = connection.scalar(select(func.max(MEMBERS.c.position)).where(MEMBERS.c.item_id == item_id))
    insert_new(connection, MEMBERS, list(_member_rows(item_id, entry, (last or 0) + 1)))
    return True


def _known(connection: Connection, entry: ItemEntry) -> set[Member]:
    query = (
        select(MEMBERS.c.response_digest, MEMBERS.c.answer_hash)
        .join(ITEMS, ITEMS.c.id == MEMBERS.c.item_id)
        .where(ITEMS.c.alike == entry.alike, ITEMS.c.kind == entry.kind)
    )
    return {Member(*row) for row in connection.execute(query)}


def claim(
    connection: Connection, reviewer: str, wanted: Wanted, lease: timedelta, now: datetime
) -> Item | None:
    """The item that the person holds already, else the first one they may take, now theirs; None if none is.

    Who may settle differences is the caller's to know; who marked the same
    answers before is barred.
    """
    held = select(ITEMS.c.id).where(
        ITEMS.c.state == "open", ITEMS.c.holder == reviewer, ITEMS.c.lease > now, *_filters(wanted)
    )
    for (item_id,) in connection.execute(held.limit(1)).all():
        return renewed(connection, item_id, reviewer, lease, now)
    query = (
        select(ITEMS.c.id)
        .where(ITEMS.c.state == "open", _free(reviewer, now), ~is_barred(reviewer), *_filters(wanted))
        .order_by(ITEMS.c.rank, ITEMS.c.id)
        .limit(1)
    )
    for _ in range(_TRIES):
        # past what others are just taking; if that is all there is, after them
        free = connection.execute(query.with_for_update(skip_locked=True)).first()
        found = free or connection.execute(query).first()
        if found is None:
            return None
        if (item := renewed(connection, found.id, reviewer, lease, now)) is not None:
            return item
    return None


def renewed(
    connection: Connection, item_id: int, reviewer: str, lease: timedelta, now: datetime
) -> Item | None:
    """The item, held by the person from now on; None if somebody else holds it, or they may not mark it."""
    free = _free(reviewer, now), ~is_barred(reviewer, BARRED)
    taken = update(ITEMS).where(ITEMS.c.id == item_id, ITEMS.c.state == "open", *free)
    if not changed(connection.execute(taken.values(holder=reviewer, lease=now + lease))):
        return None
    return item(connection, item_id)


def release(connection: Connection, item_id: int, reviewer: str) -> None:
    """Let go of an item, if the person holds it."""
    held = update(ITEMS).where(ITEMS.c.id == item_id, ITEMS.c.state == "open", ITEMS.c.holder == reviewer)
    connection.execute(held.values(holder=None, lease=None))


def let_go(connection: Connection, reviewer: str) -> None:
    """Let go of all that a person holds."""
    held = update(ITEMS).where(ITEMS.c.state == "open", ITEMS.c.holder == reviewer)
    connection.execute(held.values(holder=None, lease=None))


def skip(connection: Connection, item_id: int, reviewer: str, created: datetime) -> None:
    """Let go of an item and don't show its answers to the person again until they come back to them."""
    first = connection.scalar(select(func.coalesce(ITEMS.c.parent, ITEMS.c.id)).where(ITEMS.c.id == item_id))
    same = [item_id] if first is None else family(connection, first)
    place = {"reviewer": reviewer, "why": SKIPPED, "created": created}
    insert_new(connection, BARS, [{**place, "item_id": one} for one in same])
    release(connection, item_id, reviewer)


def come_back(connection: Connection, reviewer: str) -> int:
    """Show the person again what they skipped; how many items that are still open."""
    skipped = and_(BARS.c.reviewer == reviewer, BARS.c.why == SKIPPED)
    still = select(func.count()).select_from(BARS.join(ITEMS, ITEMS.c.id == BARS.c.item_id))
    count = connection.scalar(still.where(skipped, ITEMS.c.state == "open")) or 0
    connection.execute(delete(BARS).where(skipped))
    return count


def bar(connection: Connection, item_id: int, reviewers: Iterable[str], created: datetime) -> None:
    """Don't show an item to people who marked its answers before."""
    people = sorted(set(reviewers))
    # what they only skipped must not come back to them either
    connection.execute(delete(BARS).where(BARS.c.item_id == item_id, BARS.c.reviewer.in_(people)))
    rows = [{"reviewer": one, "item_id": item_id, "why": BARRED, "created": created} for one in people]
    insert_new(connection, BARS, rows)


def split(connection: Connection, item_id: int, created: datetime) -> int:
    """Make an item of each answer that an open item stands for; how many (0 where it is a single one)."""
    whole = item(connection, item_id)
    members = whole.entry.members
    withdrawn = update(ITEMS).where(ITEMS.c.id == item_id, ITEMS.c.state == "open")
    if len(members) < 2 or not changed(connection.execute(withdrawn.values(state="withdrawn"))):
        return 0
    return put_items(connection, _parts(whole.entry), created)


def _parts(entry: ItemEntry) -> Iterator[ItemEntry]:
    for one in entry.members:
        yield replace(entry, key=f"{entry.key}/{one.response_digest}", members=(one,))


def item(connection: Connection, item_id: int) -> Item:
    """An item; KeyError if it isn't there."""
    found = items(connection, [item_id])
    if not found:
        raise KeyError(item_id)
    return found[0]


def items(connection: Connection, ids: Sequence[int]) -> list[Item]:
    """Items by their ids, in that order."""
    rows: dict[int, RowMapping] = {}
    members: dict[int, list[Member]] = {}
    barred: dict[int, list[str]] = {}
    for some in portions(ids):
        for row in connection.execute(select(ITEMS).where(ITEMS.c.id.in_(some))).mappings():
            rows[row["id"]] = row
        query = select(MEMBERS).where(MEMBERS.c.item_id.in_(some)).order_by(MEMBERS.c.position)
        for one in connection.execute(query):
            members.setdefault(one.item_id, []).append(Member(one.response_digest, one.answer_hash))
        for one in connection.execute(
            select(BARS).where(BARS.c.item_id.in_(some), BARS.c.why == BARRED).order_by(BARS.c.reviewer)
        ):
            barred.setdefault(one.item_id, []).append(one.reviewer)
    return [_item(rows[one], members.get(one, []), barred.get(one, [])) for one in ids if one in rows]


def ids_after(connection: Connection, after: int, limit: int, states: Sequence[State]) -> list[int]:
    """The next items by id."""
    query = select(ITEMS.c.id).where(ITEMS.c.id > after, ITEMS.c.state.in_(states)).order_by(ITEMS.c.id)
    return list(connection.scalars(query.limit(limit)))


def family(connection: Connection, first: int) -> list[int]:
    """An item and those in which its answers are marked again, by id."""
    query = select(ITEMS.c.id).where(or_(ITEMS.c.id == first, ITEMS.c.parent == first)).order_by(ITEMS.c.id)
    return list(connection.scalars(query))


def runs_of(connection: Connection, response_digest: str) -> list[int]:
    """The runs that hold a response, the latest first."""
    query = select(LINES.c.run_id).where(LINES.c.response_digest == response_digest).distinct()
    return list(connection.scalars(query.order_by(LINES.c.run_id.desc())))


def counts(connection: Connection) -> dict[State, int]:
    """How many items are in each state."""
    query = select(ITEMS.c.state, func.count()).group_by(ITEMS.c.state)
    return {row.state: row[1] for row in connection.execute(query)}


def changed(result: CursorResult[Any]) -> bool:
    """Whether a conditional UPDATE found its row as it wanted it."""
    return result.rowcount == 1


def _free(reviewer: str, now: datetime) -> ColumnElement[bool]:
    return or_(ITEMS.c.holder.is_(None), ITEMS.c.holder == reviewer, ITEMS.c.lease <= now)


def is_barred(reviewer: str, *why: str) -> ColumnElement[bool]:
    """Whether an item isn't for the person, for any reason or for these."""
    found = exists().where(BARS.c.reviewer == reviewer, BARS.c.item_id == ITEMS.c.id)
    return found.where(BARS.c.why.in_(why)) if why else found


def _filters(wanted: Wanted) -> Iterator[ColumnElement[bool]]:
    if wanted.adjudications is not None:
        final = ITEMS.c.kind.in_(FINAL)
        yield final if wanted.adjudications else ~final
    if wanted.check_kind is not None:
        kind = ITEMS.c.check_kind
        yield kind.is_(None) if wanted.check_kind == "flexible" else kind == wanted.check_kind
    if wanted.reason is not None:
        named = cast(ITEMS.c.reasons, AsText).like(f'%"{wanted.reason}"%')
        yield or_(named, ITEMS.c.kind.in_(RANDOM))
    if wanted.subs is not None:
        yield tuple_(ITEMS.c.problem_id, ITEMS.c.sub_id).in_(sorted(wanted.subs))
    if wanted.run_id is not None:
        same = LINES.c.response_digest == MEMBERS.c.response_digest
        of_run = select(MEMBERS.c.item_id).join(LINES, same).where(LINES.c.run_id == wanted.run_id)
        yield ITEMS.c.id.in_(of_run)


def _ids(connection: Connection, keys: Sequence[str]) -> dict[str, int]:
    query = select(ITEMS.c.key, ITEMS.c.id).where(ITEMS.c.key.in_(keys))
    return {row.key: row.id for row in connection.execute(query)}


_SAME = (
    *("key", "alike", "kind", "problem_id", "sub_id", "point_id", "point_hash"),
    *("check_kind", "about", "parent", "gold"),
)
"""Columns that are the entry's fields."""


def _row(entry: ItemEntry, created: datetime) -> dict[str, Any]:
    row = {name: getattr(entry, name) for name in _SAME}
    row |= {"rank": -entry.priority, "reasons": list(entry.reasons)}
    return {**row, "state": "open", "holder": None, "lease": None, "created": created}


def _member_rows(item_id: int, entry: ItemEntry, first: int = 0) -> Iterator[dict[str, Any]]:
    for position, one in enumerate(entry.members, first):
        place = {"item_id": item_id, "position": position}
        yield {**place, "response_digest": one.response_digest, "answer_hash": one.answer_hash}


def _bar_rows(item_id: int, entry: ItemEntry, created: datetime) -> Iterator[dict[str, Any]]:
    for one in entry.barred:
        yield {"reviewer": one, "item_id": item_id, "why": BARRED, "created": created}


def _item(row: RowMapping, members: Sequence[Member], barred: Sequence[str]) -> Item:
    entry = ItemEntry(
        **{name: row[name] for name in _SAME},
        members=tuple(members),
        priority=-row["rank"],
        reasons=tuple(row["reasons"]),
        barred=tuple(barred),
    )
    return Item(row["id"], entry, row["state"], row["holder"], row["lease"], row["created"])
