"""Putting a judge to every audit, and its report card together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

import pandas as pd

from grader.archive.entry import Run
from grader.archive.store import Archive
from grader.audit.card import ReportCard, Result
from grader.audit.card_asked import asked
from grader.audit.card_ground import FORMAL, ground
from grader.audit.card_scores import card_scores
from grader.audit.result import AUDITS
from grader.errors import AuditError
from grader.judge.cards import load_card
from grader.stats.checked import Checked, read_checked

if TYPE_CHECKING:
    Maker = Callable[..., Result]

FROM_ARCHIVE = {
    "A1": "agreement",
    "A2": "leniency",
    "A4": "calibration",
    "A5": "routing",
    "A12": "evidence",
    "A13": "preference",
    "A14": "panel",
    "A15": "failures",
    "A17": "people",
    "A18": "conflicts",
}
"""The audits that need no new calls; each is a function in the module of its name."""


def report_card(
    archive: Archive,
    judge: str | None = None,
    runs: Sequence[str] = (),
    *,
    suite: str | None = None,
    level: float = 0.95,
    seed: int = 0,
    names: bool = False,
) -> ReportCard:
    """All audits of one judge on these runs (all by default).

    ``judge``: a card's name, ``<name>@<hash>``, its file, or ``formal``; None: the one that graded them.
    ``suite``: whose calls are read, all suites' by default. ``names``: people are named. AuditError where
    there is no such judge, or it decided nothing.
    """
    checked, name = read_judge(archive, judge, runs)
    if not names:
        checked = replace(checked, ratings=unnamed(checked.ratings))
    found = ground(checked, name)
    if not found.decided:
        raise AuditError(
            "no point was decided by this judge, so there is nothing to audit",
            file=archive.name,
            got=name,
            do="Grade a run with it: argus grade RUN --judge CARD.",
        )
    scores = card_scores(checked, name, level=level, seed=seed)
    of_runs = [one.run for one in checked.source.runs] if runs else None
    results = [
        *_from_archive(checked, name, level, seed),
        scores.audit,
        *_asked_anew(archive, name, suite, of_runs, level, seed),
    ]
    order = list(AUDITS)
    return ReportCard(
        judge=name,
        archive=archive.name,
        provisional=checked.provisional and name != FORMAL,
        asked=asked(archive, name, judge),
        ground=found,
        results=tuple(sorted(results, key=lambda one: order.index(one.id))),
        scores=scores,
        notes=checked.notes,
        level=level,
        seed=seed,
        suite=suite,
    )


def read_judge(archive: Archive, judge: str | None, runs: Sequence[str] = ()) -> tuple[Checked, str]:
    """The points of runs as a judge decided them, and its name; see ``report_card`` for ``judge``."""
    if judge == FORMAL:
        return read_checked(archive, runs), FORMAL
    if judge is not None:
        label = load_card(judge).label if judge.endswith(".toml") else judge
        checked = read_checked(archive, runs, label)
    else:
        checked = read_checked(archive, runs)
    if checked.judge is not None:
        return checked, checked.judge
    cards = sorted({one.grading.card for one in checked.source.runs if one.grading.card is not None})
    if cards:
        raise AuditError(
            "the runs were graded by several judges, and a report card is of one",
            file=archive.name,
            expected=f"--judge {' or '.join(cards)}",
        )
    raise AuditError(
        "no judge gave a verdict on these runs",
        file=archive.name,
        do="Grade them with one: argus grade RUN --judge CARD. Code alone is audited by --judge formal.",
    )


def unnamed(ratings: pd.DataFrame) -> pd.DataFrame:
    """The same ratings by ``person 1``, ``person 2``, ... in the order of how much they marked."""
    counts = ratings["person"].value_counts()
    ranked = sorted(counts.index, key=lambda name: (-int(counts[name]), str(name)))
    called = {name: f"person {place}" for place, name in enumerate(ranked, 1)}
    return ratings.assign(person=ratings["person"].map(called))


def _from_archive(checked: Checked, judge: str, level: float, seed: int) -> Iterator[Result]:
    for module in FROM_ARCHIVE.values():
        maker: Maker = getattr(import_module(f"grader.audit.{module}"), module)
        yield maker(checked, judge, level=level, seed=seed)


def _asked_anew(
    archive: Archive, judge: str, suite: str | None, runs: Sequence[Run] | None, level: float, seed: int
) -> Iterator[Result]:
    """Audits with calls of their own, as far as the archive holds calls; code is asked nothing."""
    if judge == FORMAL:
        return
    from grader.audit.asked_anew import results
    from grader.audit.suite import load_suite

    named = None if suite is None else load_suite(suite)
    yield from results(archive, named, judge, runs, level=level, seed=seed)
