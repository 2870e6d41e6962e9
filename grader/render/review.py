"""What review came to, as tables for a terminal."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.render.plain import one_line


def agreement_tables(found: Mapping[str, Any]) -> RenderableType:
    """Pairs and people of ``argus review agreement --json``."""
    pairs = _table(("first", "second", "items", "equal", "kappa", "difference"), words=2)
    for one in found["pairs"]:
        numbers = (
            str(one["n"]),
            _share(one["equal"]),
            _number(one["kappa"]),
            _number(one["difference"], "+.3f"),
        )
        _row(pairs, one["first"], one["second"], *numbers)
    people = _table(("who", "items", "seeded", "right", "at 95 %", "s each", "changed"), words=1)
    for one in found["people"]:
        right = _share(one["right"] / one["gold"]) if one["gold"] else "-"
        range_ = f"{_share(one['low'])} to {_share(one['high'])}" if one["gold"] else "-"
        each = _number(one["seconds"], ".0f")
        _row(
            people,
            one["name"],
            str(one["marks"]),
            str(one["gold"]),
            right,
            range_,
            each,
            _share(one["changed"]),
        )
    if not found["people"]:
        return Text("Nobody has marked anything.")
    if not found["pairs"]:
        return Group(people, Text(""), Text("No two people have marked the same answers."))
    return Group(pairs, Text(""), people)


def _table(columns: Sequence[str], words: int) -> Table:
    """A table whose first columns are words and the others numbers."""
    table = Table(box=None, pad_edge=False)
    for n, column in enumerate(columns):
        table.add_column(column, overflow="fold", justify="left" if n < words else "right")
    return table


def _row(table: Table, *cells: str) -> None:
    table.add_row(*(Text(one_line(cell)) for cell in cells))


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"


def _number(value: float | None, form: str = ".2f") -> str:
    return "-" if value is None else format(value, form)


def mends_table(lines: Sequence[Mapping[str, Any]]) -> RenderableType:
    """The lines of ``argus review mends``."""
    if not lines:
        return Text("No mark says that anything is wrong about the problem set.")
    table = _table(("point", "what", "from", "to", "who", "evidence and reasons"), words=6)
    for one in lines:
        to = "for you to write" if one["to"] is None else _value(one["to"])
        said = "; ".join((*(f"'{quote}'" for quote in one["evidence"]), *one["reasons"]))
        place = f"{one['sub_id']}/{one['point_id']}"
        _row(table, place, one["what"], _value(one["from"]), to, ", ".join(one["reviewers"]), said)
    return table


def _value(value: object) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
