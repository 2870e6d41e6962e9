"""Intervals of scores and gaps a second way, by the cluster bootstrap: for JSON, as it takes a while."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.report.cells import by_cell
from grader.report.document import Levels, Options, Row
from grader.report.estimates import ends, rounded
from grader.report.parts import cell_row
from grader.stats.bootstrap import Resampled, bootstrap
from grader.stats.gaps import Gap


def resampled_scores(levels: Levels, options: Options) -> dict[str, list[Row]]:
    """A row a cell with marks."""
    rows = []
    for cell, own in by_cell(levels.subquestions).items():
        found = bootstrap(own, seed=options.seed, level=options.level)
        if found is not None:
            rows.append({**cell_row(cell), **_row(found)})
    return {"bootstrap": rows}


def resampled_gaps(levels: Levels, gaps: Sequence[Gap], options: Options) -> dict[str, list[Row]]:
    """A row a gap of one model."""
    return {"bootstrap": list(_gaps(levels, gaps, options))}


def _gaps(levels: Levels, gaps: Sequence[Gap], options: Options) -> Iterator[Row]:
    own = by_cell(levels.subquestions)
    for gap in gaps:
        (model,) = gap.models
        first, second = (own[model, *condition] for condition in gap.conditions)
        found = bootstrap(first, second, seed=options.seed, level=options.level)
        if found is not None:
            names = {"gap": gap.kind.called(options.paper_names), "model": model, "held": gap.held}
            yield {**names, **_row(found)}


def _row(found: Resampled) -> Row:
    return {
        "value": rounded(found.value),
        "interval": ends((found.low, found.high)),
        "se": rounded(found.se),
        "method": found.method,
        "resamples": found.resamples,
    }
