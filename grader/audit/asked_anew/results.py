"""The audits with calls of their own, from what the archive holds of them: nobody is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

import pandas as pd

from grader.archive.audit_entry import DesignEntry, StoredAsked
from grader.archive.entry import Run
from grader.archive.store import Archive
from grader.audit.asked_anew.asked import Ground, frame, ground, rows_of
from grader.audit.asked_anew.drift import drift
from grader.audit.asked_anew.injection import ATTACK, injection
from grader.audit.asked_anew.ordering import ordering
from grader.audit.asked_anew.pair_outcomes import outcomes
from grader.audit.asked_anew.retest import DO, retest
from grader.audit.asked_anew.suite import Suite
from grader.audit.asked_anew.verbosity import verbosity
from grader.audit.result import Audit, NotAudited
from grader.judge.cards import LoadedCard
from grader.judge.shield import shield
from grader.render.words import counted, listed

ASKED_ANEW = ("A6", "A7", "A8", "A9", "A10", "A11", "A16")
"""The audits that need calls of their own; A18, which takes what it can from gradings, is not of them."""
NEVER = "it needs calls of its own, and none were made"


def results(
    archive: Archive,
    suite: Suite | None,
    card: LoadedCard | str,
    run: Run | Sequence[Run] | None = None,
    *,
    level: float = 0.95,
    seed: int = 0,
) -> list[Audit | NotAudited]:
    """Every audit with calls of one judge card (``<card>@<hash>``), from archived calls alone.

    ``suite``: only what was asked under it; None: of each audit what was asked last. ``run``: only
    answers of one run, or of some. ``seed``: of resampling.
    """
    label = card if isinstance(card, str) else card.label
    runs = [run] if isinstance(run, Run) else run
    designs = _designs(archive, suite, label)
    return [
        _audited(archive, designs[name], label, runs, level, seed)
        if name in designs
        else _not_made(name, label, suite)
        for name in ASKED_ANEW
    ]


def asked_of_code(
    archive: Archive, suite: Suite | None, card: str, runs: Sequence[Run] | None = None
) -> tuple[list[StoredAsked], list[str]]:
    """What a judge (``<name>@<hash>``) was asked about formal points for A18, and notes on how it was asked.

    ``suite``, ``runs``: as of ``results``. Nothing of both where it never was.
    """
    design = _designs(archive, suite, card).get("A18")
    rows = rows_of(archive, design.hash, card, runs) if design is not None else []
    if design is None or not rows:
        return [], []
    return rows, [
        "On formal points the judge was asked anew, by the rubric alone and told nothing of what code found.",
        *_unfit(rows),
        f"Design {design.hash[:12]}.",
        *ground(archive, rows).as_notes(),
    ]


def _designs(archive: Archive, suite: Suite | None, label: str) -> dict[str, DesignEntry]:
    if suite is not None:
        return dict(suite.designs)
    last: dict[str, DesignEntry] = {}
    for design in archive.audit_designs(label):
        last.setdefault(design.audit, design)
    return last


def _not_made(name: str, label: str, suite: Suite | None) -> NotAudited:
    if suite is not None:
        return NotAudited(name, label, f"suite {suite.name} doesn't make it", "Name a suite that does.")
    return NotAudited(name, label, NEVER, DO)


def _audited(
    archive: Archive, design: DesignEntry, label: str, runs: Sequence[Run] | None, level: float, seed: int
) -> Audit | NotAudited:
    rows = rows_of(archive, design.hash, label, runs)
    if not rows:
        return NotAudited(
            design.audit, label, "it needs calls of its own, and none were made, or no answer was fit", DO
        )
    notes = [*_unfit(rows), f"Design {design.hash[:12]}.", *ground(archive, rows).as_notes()]
    match design.audit:
        case "A6":
            return retest(frame(archive, rows), label, level=level, seed=seed, notes=notes)
        case "A7" | "A8":
            return _rewritten(archive, design.audit, rows, label, level, notes)
        case "A9":
            notes = [*_withheld(archive, rows), *notes]
            return injection(frame(archive, rows), label, level=level, notes=notes)
        case "A10":
            return verbosity(frame(archive, rows), label, level=level, notes=notes)
        case "A11":
            return ordering(frame(archive, rows), label, level=level, notes=notes)
        case _:
            return _drifted(archive, design, label, runs, level)


def _unfit(rows: Sequence[StoredAsked]) -> list[str]:
    """What the audit could not be made of, as the last plan that was run counted it."""
    counts = [one.about["unfit"] for one in rows if "unfit" in one.about]
    if not counts:
        return []
    return [f"Not applicable: {'; '.join(f'{count} {why}' for why, count in sorted(counts[-1].items()))}."]


def _withheld(archive: Archive, rows: Sequence[StoredAsked]) -> list[str]:
    """From how many attacks the judge was shielded: it is audited as it is used."""
    asked, kept = Counter[str](), Counter[str]()
    for row in rows:
        if row.variant.startswith(ATTACK):
            family = row.variant.removeprefix(ATTACK)
            asked[family] += 1
            kept[family] += bool(shield(archive.audit_task(row.task)["answer"]).passages)
    said = listed((f"{kept[name]} of {asked[name]} ({name})" for name in sorted(asked)), len(asked))
    return [f"Passages were withheld before the judge saw them in {said}."] if said else []


def _rewritten(
    archive: Archive, audit: str, rows: Sequence[StoredAsked], label: str, level: float, notes: list[str]
) -> Audit | NotAudited:
    from dataclasses import replace

    from grader.audit.metamorphic.audits import invariance, sensitivity

    found = (invariance if audit == "A7" else sensitivity)(outcomes(archive, rows), label, level)
    return replace(found, notes=(*found.notes, *notes)) if isinstance(found, Audit) else found


# Drift


def _drifted(
    archive: Archive, design: DesignEntry, label: str, runs: Sequence[Run] | None, level: float
) -> Audit | NotAudited:
    """Every version of the judge's card up to this one, each round of each a version."""
    name = label.partition("@")[0]
    versions: dict[str, str] = {}
    frames: list[pd.DataFrame] = []
    rounds = [
        (card, variant, list(rows))
        for card in archive.audited_cards(design.hash)
        if card.partition("@")[0] == name
        for variant, rows in groupby(
            sorted(rows_of(archive, design.hash, card, runs), key=_round), key=lambda one: one.variant
        )
    ]
    rounds.sort(key=lambda one: min(row.id for row in one[2]))
    last = max((place for place, one in enumerate(rounds) if one[0] == label), default=-1)
    for number, (card, variant, rows) in enumerate(rounds[: last + 1], 1):
        called = f"version {number}"
        versions[called] = _said(card, variant, ground(archive, rows), len(rows))
        frames.append(frame(archive, rows).assign(variant=called))
    notes = [
        f"The anchors are {counted(len(archive.anchors(design.hash)), 'answer')}, frozen under design "
        f"{design.hash[:12]}."
    ]
    return drift(pd.concat(frames), label, versions, level=level, notes=notes)


def _round(row: StoredAsked) -> int:
    return int(row.variant.removeprefix("round "))


def _said(card: str, variant: str, known: Ground, answers: int) -> str:
    when = known.first if known.first == known.last else f"{known.first} to {known.last}"
    served = ", ".join(known.served) or "an unnamed model"
    return f"{card}, {variant}, served by {served}, {when}, {counted(answers, 'answer')}"
