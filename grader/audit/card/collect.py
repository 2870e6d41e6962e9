"""Putting a judge to every audit, and its report card together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from grader.archive.entry import Run
from grader.archive.store import Archive
from grader.audit.asked_anew.results import NEVER, asked_of_code
from grader.audit.asked_anew.results import results as asked_anew
from grader.audit.asked_anew.suite import load_suite
from grader.audit.card.asked import asked
from grader.audit.card.card import ReportCard, Result
from grader.audit.card.ground import FORMAL, ground
from grader.audit.card.scores import card_scores
from grader.audit.from_archive.agreement import agreement
from grader.audit.from_archive.calibration import calibration
from grader.audit.from_archive.conflicts import conflicts
from grader.audit.from_archive.evidence import evidence
from grader.audit.from_archive.failures import failures
from grader.audit.from_archive.leniency import leniency
from grader.audit.from_archive.panel import panel
from grader.audit.from_archive.people import people
from grader.audit.from_archive.preference import preference
from grader.audit.from_archive.routing import routing
from grader.audit.metamorphic.formal import formal_invariance, formal_sensitivity
from grader.audit.result import AUDITS, NotAudited
from grader.errors import AuditError
from grader.judge.cards import load_card
from grader.stats.checked import Checked, read_checked

Maker = Callable[..., Result]

FROM_ARCHIVE: tuple[Maker, ...] = (
    agreement,
    leniency,
    calibration,
    routing,
    evidence,
    preference,
    panel,
    failures,
)
"""The audits that need no new calls, besides A3 and A17; A18 takes new calls where there are any."""


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
    found = ground(checked, name)
    beside_code = _beside_code(checked, name, suite, runs, level, seed)
    if not found.decided and isinstance(beside_code, NotAudited):
        raise AuditError(
            "no point was decided by this judge, so there is nothing to audit",
            file=archive.name,
            got=name,
            do="Grade a run with it: argus grade RUN --judge CARD.",
        )
    scores = card_scores(checked, name, level=level, seed=seed)
    results = [
        *(maker(checked, name, level=level, seed=seed) for maker in FROM_ARCHIVE),
        people(checked, name, level=level, seed=seed, names=names),
        beside_code,
        scores.audit,
        *_anew(checked, name, suite, runs, level, seed),
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


def _anew(
    checked: Checked, judge: str, suite: str | None, runs: Sequence[str], level: float, seed: int
) -> Iterator[Result]:
    """Audits with calls of their own, from archived calls; of code, which makes none, from its answers.

    What nobody was ever asked for has no result.
    """
    if judge == FORMAL:
        yield formal_invariance(checked, level=level, seed=seed)
        yield formal_sensitivity(checked, level=level, seed=seed)
        return
    loaded = load_suite(suite) if suite is not None else None
    for one in asked_anew(checked.archive, loaded, judge, _named(checked, runs), level=level, seed=seed):
        if not (isinstance(one, NotAudited) and one.why == NEVER):
            yield one


def _beside_code(
    checked: Checked, judge: str, suite: str | None, runs: Sequence[str], level: float, seed: int
) -> Result:
    """A18, from what gradings and audits asked."""
    if judge == FORMAL:
        return conflicts(checked, judge, level=level, seed=seed)
    loaded = load_suite(suite) if suite is not None else None
    rows, notes = asked_of_code(checked.archive, loaded, judge, _named(checked, runs))
    return conflicts(checked, judge, level=level, seed=seed, asked=rows, notes=notes)


def _named(checked: Checked, runs: Sequence[str]) -> list[Run] | None:
    """The runs that were named; None: all there are."""
    return [one.run for one in checked.source.runs] if runs else None
