"""The score table of a graded run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.table import Table

TRACKS = ("formal", "judge", "human")


def score_table(summary: Mapping[str, Any]) -> Table:
    """The scores of a run as ``grader.grade.summary`` gives them: a row for each model, protocol and mode."""
    table = Table(title=f"Scores of {summary['run']['name']}", caption=_caption(summary))
    for heading in ("model", "protocol", "mode"):
        table.add_column(heading, no_wrap=True)
    for heading in ("marks", "score", "by problem", "decided", *TRACKS):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in summary["scores"]:
        table.add_row(*_cells(row))
    return table


def _cells(row: Mapping[str, Any]) -> Iterator[str]:
    yield from (row["model"], row["protocol"], row["mode"])
    yield f"{_marks(row['earned'])} / {_marks(row['full_mark'])}"
    if row["low"] == row["high"]:
        yield percent(row["share"])
        yield percent(row["macro"])
    else:
        yield f"{percent(row['low'])} to {percent(row['high'])}"
        yield "open"
    yield percent(row["coverage"])
    for track in TRACKS:
        yield _marks(row["by_track"].get(track, 0.0))


def _caption(summary: Mapping[str, Any]) -> str:
    open_points = sum(entry["points"] for entry in summary["undetermined"])
    parts = ["formal, judge, human: full marks that each track decided"]
    if open_points:
        parts.append("a score between bounds waits for undetermined points")
    return "; ".join(parts)


def _marks(marks: float) -> str:
    return f"{round(marks, 2):g}"


def percent(share: float | None) -> str:
    """A share in per cent with one decimal; a dash where there is none."""
    return "–" if share is None else f"{100 * share:.1f} %"
