"""What the scaffolds of a set reveal, as a table for a terminal."""

from __future__ import annotations

from collections import Counter

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.protocol.leaks import Lint, Reveals, ScaffoldReport, Stated
from grader.render.plain import plain

_SHOWN = ("derived", "missing")
"""What is counted with the scaffolds."""


def scaffold_table(report: ScaffoldReport) -> RenderableType:
    """A row for each subquestion that scaffolds later ones, then what the questions say themselves."""
    rows = [_row(one) for one in report.scaffolds]
    # without lints the texts have their room
    width = 3 if any(lints for *_, lints in rows) else 2
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("result of", "text", "to look at")[:width]:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain(text)) for text in row[:width]))
    said = [Text(plain(f"the question already says it: {_stated(one)}")) for one in report.already_said]
    return Group(table, *said, Text(_counts(report)))


def _row(one: Reveals) -> tuple[str, str, str]:
    later = one.granted_to
    to = later[0] if len(later) == 1 else f"{later[0]} and {len(later) - 1} more"
    text = one.scaffold.text if one.scaffold else "-"
    tag = "[derived] " if one.scaffold and one.scaffold.derived else ""
    # the text says that it is derived
    lints = "\n".join(_lint(lint) for lint in one.lints if lint.code != "derived")
    return f"{one.sub_id}\nto {to}", tag + text, lints


def _lint(lint: Lint) -> str:
    found = f": {lint.found}" if lint.found else ""
    return f"{lint.code.replace('_', ' ')}: {lint.message}{found}"


def _stated(one: Stated) -> str:
    where = "the header" if one.where == "header" else f"the text of {one.where}"
    return f"{where} states what {one.point_id} of {one.sub_id} expects: {one.found}"


def _counts(report: ScaffoldReport) -> str:
    found = [one.scaffold for one in report.scaffolds]
    given = sum(one is not None and not one.derived for one in found)
    derived = sum(one is not None and one.derived for one in found)
    codes = Counter(lint.code for one in report.scaffolds for lint in one.lints)
    counts = [f"{code.replace('_', ' ')} {count}" for code, count in codes.items() if code not in _SHOWN]
    if report.already_said:
        counts.append(f"already said {len(report.already_said)}")
    lints = ", ".join(counts) or "nothing to look at"
    return f"{len(found)} scaffolds: {given} given, {derived} derived, {found.count(None)} missing; {lints}"
