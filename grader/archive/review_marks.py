"""Marks that people give to items: append-only, each in one transaction with the verdicts that it gives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, RowMapping, func, or_, select, update

from grader.archive import review_items
from grader.archive.append import insert_new, portions
from grader.archive.entry import VerdictEntry
from grader.archive.outcomes import put_verdicts
from grader.archive.review_entry import FINAL, ItemEntry, MarkEntry, StoredMark
from grader.archive.review_items import ITEMS, changed
from grader.archive.rows import Row
from grader.archive.tables import TABLES
from grader.errors import ArgusError
from grader.record import Evidence, Status, digest

MARKS = TABLES["review_marks"]


class NotYours(ArgusError):
    """The item is held by somebody else, or marked, or withdrawn, or barred to the person."""


def mark(
    connection: Connection, entry: MarkEntry, verdicts: Iterable[VerdictEntry], created: datetime
) -> StoredMark:
    """Keep a mark with the verdicts that it gives, and close its item; a form sent twice changes nothing.

    The item must be held by the person, or free and not barred to them; or done
    by them, and then the mark stands in place of their earlier one. Raises
    NotYours otherwise.
    """
    if (known := _of_form(connection, entry.form)) is not None:
        return known
    _close(connection, entry, created)
    stored = _append(connection, entry, created)
    put_verdicts(connection, verdicts, created)
    _settle(connection, entry.item_id, created)
    return stored


def undo(
    connection: Connection,
    entry: MarkEntry,
    verdicts: Iterable[VerdictEntry],
    lease: timedelta,
    created: datetime,
) -> StoredMark:
    """Take the person's mark on an item back (``entry.undoes``), and give them the item again."""
    if (known := _of_form(connection, entry.form)) is not None:
        return known
    last = standing(marks_of(connection, [entry.item_id]).get(entry.item_id, ())).get(entry.reviewer)
    if last is None or last.id != entry.undoes:
        raise NotYours("there is no mark of yours to undo here", do="Open the item again.")
    mine = update(ITEMS).where(
        ITEMS.c.id == entry.item_id, ITEMS.c.state == "done", ITEMS.c.holder == entry.reviewer
    )
    if not changed(connection.execute(mine.values(state="open", lease=created + lease))):
        raise NotYours("the item has changed hands since", do="Open it again.")
    stored = _append(connection, entry, created)
    put_verdicts(connection, verdicts, created)
    _settle(connection, entry.item_id, created)
    return stored


def marks_of(connection: Connection, item_ids: Sequence[int]) -> dict[int, list[StoredMark]]:
    """All marks on items, undone ones and those that undo them too, the first given first."""
    found: dict[int, list[StoredMark]] = {}
    for some in portions(item_ids):
        query = select(MARKS).where(MARKS.c.item_id.in_(some)).order_by(MARKS.c.id)
        for row in connection.execute(query).mappings():
            found.setdefault(row["item_id"], []).append(_stored(row))
    return found


def marks_after(connection: Connection, after: int, limit: int) -> list[StoredMark]:
    """The next marks in the order they were given."""
    query = select(MARKS).where(MARKS.c.id > after).order_by(MARKS.c.id).limit(limit)
    return [_stored(row) for row in connection.execute(query).mappings()]


def standing(marks: Iterable[StoredMark]) -> dict[str, StoredMark]:
    """The mark of each person that holds: their last one, unless it was undone."""
    holds: dict[str, StoredMark] = {}
    for one in marks:
        if one.entry.undoes is None:
            holds[one.entry.reviewer] = one
        else:
            holds.pop(one.entry.reviewer, None)
    return holds


def by_reviewer(connection: Connection) -> dict[str, tuple[int, float]]:
    """How many items each person has marked, and the seconds their marks took."""
    query = (
        select(MARKS.c.reviewer, func.count(MARKS.c.item_id.distinct()), func.sum(MARKS.c.seconds))
        .where(MARKS.c.undoes.is_(None), MARKS.c.id.not_in(select(MARKS.c.undoes).where(MARKS.c.undoes > 0)))
        .group_by(MARKS.c.reviewer)
    )
    return {name: (count, seconds or 0.0) for name, count, seconds in connection.execute(query)}


def _close(connection: Connection, entry: MarkEntry, now: datetime) -> None:
    """Take the item out of the queue; whoever comes second, too late or out of turn is told so."""
    mine = or_(ITEMS.c.holder == entry.reviewer, ITEMS.c.holder.is_(None), ITEMS.c.lease <= now)
    may = ~review_items.is_barred(entry.reviewer, review_items.BARRED)
    taken = update(ITEMS).where(ITEMS.c.id == entry.item_id, ITEMS.c.state == "open", mine, may)
    if changed(connection.execute(taken.values(state="done", holder=entry.reviewer, lease=None))):
        return
    again = select(ITEMS.c.id).where(
        ITEMS.c.id == entry.item_id, ITEMS.c.state == "done", ITEMS.c.holder == entry.reviewer
    )
    if connection.execute(again).first() is None:
        raise NotYours(
            "somebody else has this item now, or you marked its answers before", do="Take the next one."
        )


def _append(connection: Connection, entry: MarkEntry, created: datetime) -> StoredMark:
    insert_new(connection, MARKS, [_row(entry, created)])
    stored = _of_form(connection, entry.form)
    assert stored is not None
    return stored


def _settle(connection: Connection, item_id: int, created: datetime) -> None:
    """Ask for an adjudication where two blind marks of the same answers differ, and not where they don't."""
    first = connection.scalar(select(func.coalesce(ITEMS.c.parent, ITEMS.c.id)).where(ITEMS.c.id == item_id))
    assert first is not None
    # held until this ends: two marks that come at once must see each other
    connection.execute(select(ITEMS.c.id).where(ITEMS.c.id == first).with_for_update())
    ids = review_items.family(connection, first)
    if len(ids) == 1:
        return
    family = review_items.items(connection, ids)
    item = next(one for one in family if one.id == item_id)
    if item.entry.kind in FINAL or item.entry.kind == "gold":
        return
    blind = [one.id for one in family if one.entry.kind not in FINAL]
    for other in blind:
        if other != item.id and item.state == "done":
            review_items.bar(connection, other, [item.holder or ""], created)
    marks = marks_of(connection, blind).values()
    holds = [one for several in marks for one in standing(several).values()]
    awards = {(one.entry.award, one.entry.award_follow) for one in holds if one.entry.award is not None}
    asked = [one for one in family if one.entry.kind == "adjudication"]
    if len(awards) < 2:
        _withdraw(connection, [one.id for one in asked])
    elif all(one.state == "withdrawn" for one in asked):
        people = {one.entry.reviewer for one in holds}
        review_items.put_items(connection, [_adjudication(item.entry, first, people, len(asked))], created)


def _withdraw(connection: Connection, ids: Sequence[int]) -> None:
    """Ask no longer, unless somebody has it before them."""
    free = ITEMS.c.id.in_(ids), ITEMS.c.state == "open", ITEMS.c.holder.is_(None)
    connection.execute(update(ITEMS).where(*free).values(state="withdrawn"))


def _adjudication(entry: ItemEntry, first: int, people: Iterable[str], earlier: int) -> ItemEntry:
    """What is asked of who is neither; ``earlier`` times it was asked and needn't be answered any more."""
    names = ("problem_id", "sub_id", "point_id", "point_hash", "members", "check_kind", "priority")
    key = digest(["adjudication", first, sorted(people), earlier])
    return ItemEntry(
        key=key,
        alike=key,
        kind="adjudication",
        **{name: getattr(entry, name) for name in names},
        reasons=("marks_disagree",),
        parent=first,
        barred=tuple(sorted(people)),
    )


def _of_form(connection: Connection, form: str) -> StoredMark | None:
    row = connection.execute(select(MARKS).where(MARKS.c.form == form)).mappings().first()
    return None if row is None else _stored(row)


_SAME = (
    *("item_id", "reviewer", "form", "award", "award_follow", "reason", "says"),
    *("seconds", "after_seen", "undoes"),
)
"""Columns that are the entry's fields."""


def _row(entry: MarkEntry, created: datetime) -> Row:
    row = {name: getattr(entry, name) for name in _SAME}
    evidence = [[one.quote, one.start, one.end] for one in entry.evidence] or None
    return {**row, "status": entry.status.value, "evidence": evidence, "created": created}


def _stored(row: RowMapping) -> StoredMark:
    evidence = tuple(Evidence(*one) for one in row["evidence"] or ())
    values = {name: row[name] for name in _SAME}
    return StoredMark(
        row["id"], MarkEntry(**values, status=Status(row["status"]), evidence=evidence), row["created"]
    )
