"""Scores by tag: what kinds of questions models are good at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from grader.render.tables import Cell, Column, DataTable
from grader.report.document import Levels, Options, Section
from grader.report.drawings import interval_of
from grader.report.estimates import estimate_row
from grader.report.parts import cell_row, share, shown_conditions
from grader.report.words import Conditions, percent
from grader.stats.by_cell import by_cell
from grader.stats.estimate import Estimate, share_of
from grader.stats.grid import Condition, Grid

if TYPE_CHECKING:
    from grader.report.figure_svg import Figure

Scores = Mapping[Condition, Mapping[str, Estimate]]
"""By cell and tag."""


def tags_section(levels: Levels, options: Options) -> Section | None:
    """A table for each condition that figures show, and every cell in JSON; None where nothing has a tag."""
    tags = levels.items[["problem_id", "sub_id", "tags"]].explode("tags").dropna(subset="tags")
    if tags.empty:
        return None
    rows = levels.subquestions.merge(tags, on=["problem_id", "sub_id"])
    names = list(dict.fromkeys(tags["tags"]))
    found: dict[Condition, dict[str, Estimate]] = {cell: {} for cell, _ in by_cell(levels.subquestions)}
    for tag in names:
        grid, places = Grid.by_condition(rows[rows["tags"] == tag])
        for cell, place in places.items():
            one = share_of(grid, [place], level=options.level)
            if one is not None:
                found[cell][tag] = one
    conditions = Conditions.of(levels.cells)
    sizes = tags.groupby("tags").size()
    tables = [
        _table(found, {tag: int(sizes[tag]) for tag in names}, *one) for one in shown_conditions(conditions)
    ]
    data = {
        "scores": [
            {**cell_row(cell), "tag": tag, "share": estimate_row(one)}
            for cell, own in found.items()
            for tag, one in own.items()
        ]
    }
    draw = partial(_draw, found, names, conditions)
    return Section("tags", "Scores by tag", tuple(tables), draw=draw, data=data)


def _table(found: Scores, sizes: Mapping[str, int], protocol: str, mode: str) -> DataTable:
    columns = [Column("tag"), Column("subquestions", numeric=True), Column("mean", numeric=True)]
    columns += [Column(name) for name in ("lowest", "highest")]
    rows = []
    for tag, size in sizes.items():
        own = {
            cell[0]: one[tag] for cell, one in found.items() if cell[1:] == (protocol, mode) and tag in one
        }
        if not own:
            continue
        order = sorted(own, key=lambda model: own[model].value)
        ends = [f"{model} {share(own[model])}" for model in (order[0], order[-1])]
        mean = float(np.mean([one.value for one in own.values()]))
        rows.append((Cell(tag), Cell(str(size)), Cell(percent(mean)), *map(Cell, ends)))
    notes = ("mean: of the models' scores; a subquestion with several tags counts for each of them",)
    key = f"tags-{protocol}-{mode}".replace("_", "-")
    return DataTable(key, f"Score by tag, % ({protocol}, {mode})", tuple(columns), tuple(rows), notes)


def _draw(found: Scores, tags: list[str], conditions: Conditions) -> Iterator[Figure]:
    from grader.report.figures import Series, profiles, tag_map

    for protocol, mode in shown_conditions(conditions):
        models = [
            Series(cell[0], tuple(interval_of(own.get(tag)) for tag in tags))
            for cell, own in found.items()
            if cell[1:] == (protocol, mode)
        ]
        under, key = f"{protocol}, {mode}", f"{protocol}-{mode}".replace("_", "-")
        yield from tag_map(models, tags, key=f"tag-map-{key}", title=f"Score by tag, {under}")
        yield from profiles(models, tags, key=f"profiles-{key}", title=f"Profile of each model, {under}")
