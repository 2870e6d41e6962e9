"""A set at its gates, as a table; from the JSON of ``grader.report.gate``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grader.render.tables import Cell, Column, DataTable

Row = Mapping[str, Any]

SHOWN = 12
"""Digits of a content hash: as many as a review must have."""


def gate_table(report: Row) -> DataTable:
    """A row for each problem: what it has, and what it lacks."""
    columns = (
        *(Column(name) for name in ("problem", "content")),
        *(Column(name, numeric=True) for name in ("reviews", "models", "students")),
        Column("lacks"),
    )
    rules = report["rules"]
    rows = tuple(
        (
            Cell(one["problem_id"]),
            Cell(one["content"][:SHOWN]),
            Cell(_count([review for review in one["reviews"] if review["decision"] == "accept"])),
            Cell(_count(one["probes"])),
            Cell(_count(one["pilots"])),
            Cell("; ".join(lack["what"] for lack in one["lacks"]) or "nothing"),
        )
        for one in report["problems"]
    )
    return DataTable("gate", "Gates", columns, rows, (_rules(rules),))


def _count(having: Sequence[Row]) -> str:
    return str(sum(not one["stale"] for one in having))


def _rules(rules: Row) -> str:
    parts = []
    if rules["reviews"]:
        parts.append(f"accepting reviewers: {rules['reviews']}")
    if rules["probes"]:
        parts.append(f"models: {rules['probes']}, at {_percent(rules['probe_score'])} at most")
    if rules["pilots"]:
        span = f"{_percent(rules['pilot_low'])} to {_percent(rules['pilot_high'])}"
        time = rules["pilot_minutes"]
        within = "" if time is None else f" in {time:g} minutes at most"
        parts.append(f"students: {rules['pilots']}, at {span} in the mean{within}")
    return f"wanted: {'; '.join(parts) or 'nothing'}"


def _percent(share: float) -> str:
    return f"{100 * share:g} %"
