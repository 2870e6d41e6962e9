"""What was drafted and accepted, as tables for a terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.render.plain import plain

if TYPE_CHECKING:
    from grader.formal.draft_sets import AcceptReport, DraftReport

_LONGEST = 90


def draft_report(drafted: DraftReport) -> RenderableType:
    """Each native point with the checks it got, or why it stays flexible; then the marks in sum."""
    table = Table(box=None, pad_edge=False)
    for column in ("point", "marks", "checks", "decided by", "text"):
        table.add_column(column, overflow="fold", justify="right" if column == "marks" else "left")
    for one in drafted.points:
        by = "code" if one.alone else "code, then a judge" if one.kinds else "a judge"
        by = f"{by}: {one.why}" if one.why else by
        table.add_row(one.point_id, f"{one.marks:g}", ", ".join(one.kinds) or "-", by, _short(one.text))
    marks = drafted.marks or 1.0
    alone, some = drafted.share(alone=True), drafted.share(alone=False)
    kinds = ", ".join(f"{count} {kind}" for kind, count in drafted.kinds.items()) or "none"
    return Group(
        table,
        Text(""),
        Text(f"{alone:g} of {drafted.marks:g} marks ({alone / marks:.0%}) can be decided by code alone,"),
        Text(f"{some - alone:g} more ({(some - alone) / marks:.0%}) by code where it finds the value."),
        Text(f"Checks: {kinds}. None decides before it is accepted: argus problems accept {drafted.path}"),
    )


def accept_report(accepted: AcceptReport) -> RenderableType:
    """The drafts that still wait, and what was done."""
    table = Table(box=None, pad_edge=False)
    for column in ("waiting", "marks", "check", "text"):
        table.add_column(column, overflow="fold", justify="right" if column == "marks" else "left")
    for one in accepted.waiting:
        check = json.dumps(one.check, ensure_ascii=False)
        table.add_row(one.point_id, f"{one.marks:g}", Text(plain(check)), _short(one.text))
    counts = (len(accepted.accepted), len(accepted.rejected), len(accepted.waiting))
    done = Text("{} accepted, {} dropped, {} waiting".format(*counts))
    return Group(table, Text(""), done) if accepted.waiting else done


def _short(text: str) -> Text:
    line = " ".join(plain(text).split())
    return Text(line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…")
