"""Scores and rankings: one row a model under a protocol and mode, in per cent of the full marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from grader.record.flags import FLAGS
from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted
from grader.report.cells import TRACKS, lines
from grader.report.document import Levels, Options, Row, Section
from grader.report.drawings import score_ladders
from grader.report.estimates import estimate_row, interval_heading, open_interval, rounded
from grader.report.resampled import resampled_scores
from grader.report.words import NONE, Conditions, percent, span, varying_cells, whole
from grader.stats.estimate import Estimate, share_of
from grader.stats.grid import Grid
from grader.stats.ranks import Ranking, rankings

SENTENCES = 3
"""What the summary still tells one by one."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A cell with its estimates."""

    cell: Any
    """Its row of the frame of cells."""
    share: Estimate
    macro: Estimate

    @property
    def condition(self) -> tuple[str, str]:
        """Protocol and mode."""
        return self.cell.protocol, self.cell.mode

    @property
    def flags(self) -> Mapping[str, int]:
        """Responses that failed or are no plain answer, by what they are."""
        return {name: count for name in ("failed", *FLAGS) if (count := int(getattr(self.cell, name)))}

    @property
    def decided(self) -> float:
        """The share of the full marks whose points are decided."""
        return float(sum(getattr(self.cell, track) for track in TRACKS)) / float(self.cell.full_mark)


def scored(levels: Levels, options: Options) -> list[Scored]:
    """Every cell with marks, models in their order within each condition."""
    grid, places = Grid.by_condition(levels.subquestions)
    found = []
    for cell in lines(levels.cells):
        place = places.get((cell.model, cell.protocol, cell.mode))
        if place is None:
            continue
        micro = share_of(grid, [place], level=options.level)
        macro = share_of(grid, [place], macro=True, level=options.level)
        if micro is not None and macro is not None:
            found.append(Scored(cell, micro, macro))
    order = Conditions.of(levels.cells).pairs
    models = list(dict.fromkeys(levels.cells["model"]))
    return sorted(found, key=lambda one: (models.index(one.cell.model), order.index(one.condition)))


def scores(levels: Levels, options: Options) -> Section:
    """The table of the paper, and every cell with its interval, bounds, coverage and flags."""
    found = scored(levels, options)
    conditions = Conditions.of(levels.cells)
    best = {one: _best([other for other in found if other.condition == one]) for one in conditions.pairs}
    tables = [_long(found, conditions, best, options)]
    if len(conditions.pairs) > 1:
        tables.insert(0, _overview(found, conditions, best))
    data = {"cells": [_row(one) for one in found]}
    draw = partial(score_ladders, found)
    says = tuple(_says(found, conditions))
    more = partial(resampled_scores, levels, options)
    return Section("scores", "Scores", tuple(tables), says=says, draw=draw, data=data, more=more)


def _best(found: Sequence[Scored]) -> set[str]:
    """The models whose share no other can reach, however the open points will be decided; none of one."""
    if len(found) < 2:
        return set()
    top = max(one.share.bounds[0] for one in found)
    sure = [one for one in found if one.share.bounds[0] >= top - 1e-9]
    ahead = all(one.share.bounds[1] <= top + 1e-9 for one in found if one not in sure)
    return {one.cell.model for one in sure} if ahead and len(sure) < len(found) else set()


def _overview(
    found: Sequence[Scored], conditions: Conditions, best: Mapping[tuple[str, str], set[str]]
) -> DataTable:
    by_cell = {(one.cell.model, *one.condition): one for one in found}
    models = list(dict.fromkeys(one.cell.model for one in found))
    rows = []
    for model in models:
        cells = [by_cell.get((model, *pair)) for pair in conditions.pairs]
        shown = [
            Cell(_share(one.share) if one else NONE, best=model in best[pair])
            for one, pair in zip(cells, conditions.pairs, strict=True)
        ]
        rows.append((Cell(model), *shown))
    return DataTable(
        "overview",
        conditions.titled("Score of each model, % of the full marks"),
        (Column("model"), *(Column(conditions.label(*pair), numeric=True) for pair in conditions.pairs)),
        tuple(rows),
    )


def _share(estimate: Estimate) -> str:
    """A share in per cent, or its bounds while points are open."""
    return percent(estimate.value) if whole(*estimate.bounds) else span(*estimate.bounds)


def _long(
    found: Sequence[Scored],
    conditions: Conditions,
    best: Mapping[tuple[str, str], set[str]],
    options: Options,
) -> DataTable:
    partial = any(one.cell.missing for one in found)
    follow = any(abs(one.cell.earned_follow - one.cell.earned) > 1e-9 for one in found)
    headings = ["score", interval_heading(options.level), "by problem", "decided"]
    headings += ["follow"] if follow else []
    headings += ["answered"] if partial else []
    rows = []
    for one in found:
        further = [percent(one.cell.earned_follow / one.cell.full_mark)] if follow else []
        further += [_answered(one.cell)] if partial else []
        rows.append(
            (
                Cell(one.cell.model),
                *map(Cell, varying_cells(conditions.varying, *one.condition)),
                Cell(_share(one.share), best=one.cell.model in best[one.condition]),
                Cell(span(*open_interval(one.share))),
                Cell(_share(one.macro)),
                Cell(percent(one.decided)),
                *map(Cell, further),
                Cell(_flags(one.flags)),
            )
        )
    columns = [Column("model"), *map(Column, conditions.varying)]
    columns += [Column(heading, numeric=True) for heading in headings] + [Column("flags")]
    notes = _notes(found, follow=follow)
    return DataTable("scores", conditions.titled("Scores, %"), tuple(columns), tuple(rows), notes)


def _answered(cell: Any) -> str:
    return f"{cell.subquestions} of {cell.subquestions + cell.missing}"


def _flags(flags: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in flags.items()) or "none"


def _notes(found: Sequence[Scored], *, follow: bool) -> tuple[str, ...]:
    notes = [
        "score: earned by full marks; by problem: the mean of the problems' scores; decided: full marks "
        "whose points are decided",
        "the interval is for other problems like these; the subquestions of a problem stand or fall together",
    ]
    if follow:
        notes.append("follow: the score with what follows rightly from the answer's own earlier errors")
    if any(not whole(*one.share.bounds) for one in found):
        notes.append(
            "from ... to: between these the score will lie once all is decided, and its interval then within "
            "the one shown"
        )
    if any(one.cell.human for one in found):
        notes.append(
            "human marks go before code's and judges'; --section reviewed has the scores without that"
        )
    if any(one.share.low is None for one in found):
        notes.append("one problem gives no interval")
    return tuple(notes)


def _row(one: Scored) -> Row:
    cell = one.cell
    return {
        "model": cell.model,
        "protocol": cell.protocol,
        "mode": cell.mode,
        "earned": rounded(cell.earned),
        "full_mark": rounded(cell.full_mark),
        "coverage": rounded(one.decided),
        "earned_follow": rounded(cell.earned_follow),
        **{name: int(getattr(cell, name)) for name in ("problems", "subquestions", "missing", "responses")},
        "flags": {name: int(getattr(cell, name)) for name in ("failed", *FLAGS)},
        "state": cell.state,
        "share": estimate_row(one.share),
        "macro": estimate_row(one.macro),
    }


def _says(found: Sequence[Scored], conditions: Conditions) -> Iterator[str]:
    if len(conditions.pairs) > SENTENCES:
        own = sorted(found, key=lambda one: -one.share.value)
        ends = f"the highest: {_said(own[0], True)}; the lowest: {_said(own[-1], True)}"
        yield f"Of {counted(len(own), 'score')} {ends}."
        return
    for pair in conditions.pairs:
        own = sorted((one for one in found if one.condition == pair), key=lambda one: -one.share.value)
        said = [_said(one) for one in (own if len(own) <= SENTENCES else (own[0], own[-1]))]
        if said:
            yield f"Under {', '.join(pair)} {'; '.join(said)}."


def _said(one: Scored, where: bool = False) -> str:
    interval = span(*open_interval(one.share))
    sure = f" ({interval})" if interval != NONE else ""
    under = f" under {', '.join(one.condition)}" if where else ""
    return f"{one.cell.model} scores {_share(one.share)} %{sure}{under}"


def ranking_section(levels: Levels, options: Options) -> Section | None:
    """One ranking a condition with rank intervals; None where no condition has two models."""
    found = [one for one in rankings(levels.subquestions, level=options.level) if len(one.ranks) > 1]
    if not found:
        return None
    conditions = Conditions.of(levels.cells)
    data = {"rankings": [row for one in found for row in _rank_rows(one)]}
    return Section(
        "rankings",
        "Rankings",
        tuple(_ranking(one, conditions, options) for one in found),
        says=tuple(_rank_says(found)),
        data=data,
    )


def _ranking(ranking: Ranking, conditions: Conditions, options: Options) -> DataTable:
    opened = any((one.low, one.high) != (one.low_if_open, one.high_if_open) for one in ranking.ranks)
    columns = [Column("rank", numeric=True), Column("model"), Column("score", numeric=True)]
    columns += [Column("ranks possible", numeric=True)]
    columns += [Column("while open", numeric=True)] if opened else []
    rows = []
    for one in ranking.ranks:
        ends = [_ranks(one.low, one.high)] + ([_ranks(one.low_if_open, one.high_if_open)] if opened else [])
        rows.append((Cell(str(one.rank)), Cell(one.model), Cell(_share(one.share)), *map(Cell, ends)))
    notes = [
        "ranks possible: those that no comparison of two models rules out; all hold together with "
        f"{100 * options.level:g} %"
    ]
    if opened:
        notes.append("while open: the same, however the open points will be decided")
    if ranking.unequal:
        notes.append("some models answered other questions: a pair is compared over those that both answered")
    title = f"Ranking under {ranking.protocol}, {ranking.mode}"
    key = f"ranking-{ranking.protocol}-{ranking.mode}".replace("_", "-")
    return DataTable(key, title, tuple(columns), tuple(rows), tuple(notes))


def _ranks(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _rank_rows(ranking: Ranking) -> Iterator[Row]:
    for one in ranking.ranks:
        yield {
            "protocol": ranking.protocol,
            "mode": ranking.mode,
            "model": one.model,
            "rank": one.rank,
            "ranks": [one.low, one.high],
            "ranks_if_open": [one.low_if_open, one.high_if_open],
            "share": rounded(one.share.value),
        }


def _rank_says(found: Sequence[Ranking]) -> Iterator[str]:
    if len(found) > SENTENCES:
        told = sum(_rivals(one) == 1 for one in found)
        yield f"In {told} of {len(found)} rankings one model is ahead of every other; in the others none is."
        return
    for ranking in found:
        rivals = _rivals(ranking)
        where = f"Under {ranking.protocol}, {ranking.mode}"
        if rivals > 1:
            yield f"{where} {counted(rivals, 'model')} could be the best: the data don't tell them apart."
        else:
            yield f"{where} {ranking.ranks[0].model} is ahead of every other model."


def _rivals(ranking: Ranking) -> int:
    """How many models could be the best, however the open points will be decided."""
    return sum(one.low_if_open == 1 for one in ranking.ranks)
