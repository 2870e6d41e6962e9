"""Proofs of checks: a table for a terminal, and one page with every answer as a card."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.render.plain import plain

if TYPE_CHECKING:
    from grader.formal.proof import Proof, ProofReport, Side, Trial

_SIDES: tuple[tuple[Side, str], ...] = (
    ("equivalent", "Must earn it"),
    ("near_miss", "Must not earn it"),
    ("accepted", "Accepted before"),
)
_MARKS = {"met": "✓", "not_met": "✗", "undetermined": "?"}
_LONGEST = 60


def proof_table(report: ProofReport) -> RenderableType:
    """A line a point: how many equivalents earn it and near-misses don't; then what came out otherwise."""
    table = Table(box=None, pad_edge=False)
    for column in ("point", "kind", "expected", "equivalents met", "near-misses not met", "accepted"):
        counts = column not in ("point", "kind", "expected")
        table.add_column(column, justify="right" if counts else "left", overflow="fold")
    for proof in report.proofs:
        counted = (_counted(proof.of(side)) for side, _ in _SIDES)
        table.add_row(Text(proof.point_id), proof.check.kind, _short(_expected(proof)), *counted)
    lines = [Text(f"{report.disagreements} of {_trials(report)} answers came out otherwise than they must.")]
    lines += [_disagreement(proof, trial) for proof in report.proofs for trial in proof.disagreements]
    lines += [
        Text(plain(f"{proof.point_id}: the expected value can't be read: {proof.unread}"))
        for proof in report.proofs
        if proof.unread
    ]
    lines += [Text(f"out of date: {case}, since its point or check has changed") for case in report.stale]
    return Group(table, Text(""), *lines)


def _counted(trials: tuple[Trial, ...]) -> str:
    return f"{sum(trial.agrees for trial in trials)} of {len(trials)}" if trials else "-"


def _disagreement(proof: Proof, trial: Trial) -> Text:
    said = f"{trial.finding.status}, must be {trial.right}: {trial.finding.detail}"
    return Text(plain(f"{proof.point_id}: {trial.answer!r} ({trial.how}) is {said}"))


def _trials(report: ProofReport) -> int:
    return sum(len(proof.trials) for proof in report.proofs)


def _expected(proof: Proof) -> str:
    expected = getattr(proof.check, "expected", "")
    if isinstance(expected, tuple):
        return ", ".join(map(str, expected))
    return f"{expected} {getattr(proof.check, 'unit', None) or ''}".strip()


def _short(text: str) -> Text:
    line = " ".join(plain(text).split())
    return Text(line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…")


def proof_page(report: ProofReport) -> str:
    """The proofs as one self-contained HTML page; everything from outside is escaped."""
    from grader.render.page import page

    return page(
        "proof.html",
        title=f"Proof of {report.path.resolve().name}",
        proofs=[_shown(proof) for proof in report.proofs],
        trials=_trials(report),
        disagreements=report.disagreements,
        stale=report.stale,
    )


def _shown(proof: Proof) -> dict[str, Any]:
    options = proof.check.model_dump(mode="json", exclude_defaults=True, exclude={"kind", "expected", "unit"})
    return {
        "point_id": proof.point_id,
        "text": plain(proof.text),
        "draft": proof.draft,
        "unread": plain(proof.unread),
        "kind": proof.check.kind,
        "expected": plain(_expected(proof)),
        "options": plain(json.dumps(options, ensure_ascii=False)) if options else "",
        "drawn": _drawn(proof, _expected(proof), ""),
        "sides": list(_sides(proof)),
    }


def _sides(proof: Proof) -> Iterator[dict[str, Any]]:
    for side, title in _SIDES:
        if trials := proof.of(side):
            yield {"title": title, "cards": [_card(proof, trial) for trial in trials]}


def _card(proof: Proof, trial: Trial) -> dict[str, Any]:
    value = trial.value.strip("`")
    return {
        "value": plain(value or trial.answer),
        "how": plain(trial.how),
        "status": trial.finding.status.value,
        "mark": _MARKS[trial.finding.status.value],
        "right": trial.right,
        "agrees": trial.agrees,
        "detail": plain(trial.finding.detail),
        "drawn": _drawn(proof, value, trial.notation),
    }


def _drawn(proof: Proof, value: str, notation: str) -> Any:
    from markupsafe import Markup

    from grader.render.drawing import structure_svg

    if proof.check.kind != "smiles" or notation not in ("", "smiles"):
        return None
    drawn = structure_svg(value)
    return Markup(drawn) if drawn else None
