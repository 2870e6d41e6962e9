"""The figures of a report, made of its estimates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from grader.report.figures import Ends, Interval, Series, dumbbells, ladder
from grader.report.gap_words import finding
from grader.report.words import SHORT, in_order, points
from grader.stats.estimate import Estimate
from grader.stats.gaps import KINDS, Kind, Ladder

if TYPE_CHECKING:
    from grader.report.figure_svg import Figure
    from grader.report.scores import Scored

_RUNGS = 3
"""Protocols that a ladder can show."""


def interval_of(one: Estimate | None) -> Interval | None:
    """An estimate as figures draw it."""
    return None if one is None else Interval(one.value, one.low, one.high)


def score_ladders(found: Sequence[Scored]) -> Iterator[Figure]:
    """The protocol ladder of each mode that has at least two protocols."""
    for mode in in_order(one.cell.mode for one in found):
        own = {(one.cell.model, one.cell.protocol): one.share for one in found if one.cell.mode == mode}
        protocols = in_order(protocol for _, protocol in own)[:_RUNGS]
        if len(protocols) < 2:
            continue
        models = [
            Series(model, tuple(interval_of(own.get((model, protocol))) for protocol in protocols))
            for model in dict.fromkeys(model for model, _ in own)
        ]
        rungs = [protocol.replace("_", " ") for protocol in protocols]
        key = f"ladder-{mode}".replace("_", "-")
        yield from ladder(models, rungs, key=key, title=f"Score under each protocol, {mode}")


def contrasts(found: Sequence[Ladder], level: float) -> Iterator[Figure]:
    """A dumbbell a model for each gap between modes, under each protocol."""
    for kind in KINDS:
        for held in in_order(one.held for one in found):
            own = [one for one in found if one.held == held and kind.name in one.gaps]
            if own:
                key = f"{kind.name}-{held}".replace("_", "-")
                title = f"{kind.name.capitalize()} under {SHORT.get(held, held)}"
                ends = [_ends(one, kind, level) for one in own]
                yield from dumbbells(ends, (kind.first, kind.second), key=key, title=title)


def _ends(one: Ladder, kind: Kind, level: float) -> Ends:
    gap = one.gaps[kind.name]
    first, second = (interval_of(one.shares.get(name)) for name in (kind.first, kind.second))
    certain = gap.difference.evidence_if_open
    note = points(gap.difference.value) + ("" if certain else f", {finding(gap, level)}")
    return Ends(one.models[0], first, second, note, certain)
