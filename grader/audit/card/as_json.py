"""A report card as JSON: numbers unrounded but for the dust of sums; documented in docs/output.md."""

from __future__ import annotations

from dataclasses import asdict, is_dataclass
from math import isfinite
from typing import Any

from grader.audit.card.advice import advice
from grader.audit.card.card import ReportCard
from grader.audit.card.scores import CellName, Scores
from grader.audit.result import AUDITS, Audit, NotAudited

DIGITS = 9
_CELL = ("model", "protocol", "mode")

Row = dict[str, Any]


def card_json(card: ReportCard) -> Row:
    """All of a card."""
    return {
        "judge": card.judge,
        "archive": card.archive,
        "provisional": card.provisional,
        "level": card.level,
        "seed": card.seed,
        "suite": card.suite,
        "asked": [one.as_json() for one in card.asked],
        "ground": plain(card.ground.as_json()),
        "advice": [plain(one) for one in advice(card)],
        "audits": [audit_json(one) for one in card.results],
        "never": list(card.never),
        "scores": _scores(card.scores) if card.scores and card.scores.whole else None,
        "notes": list(card.notes),
    }


def audit_json(one: Audit | NotAudited) -> Row:
    """An audit that was done, or why it wasn't: ``done`` tells them apart."""
    found: Row = {"done": isinstance(one, Audit), "title": AUDITS[one.id], **plain(one)}
    return found


def plain(value: Any) -> Any:
    """Dataclasses as objects, tuples as lists, libraries' numbers as Python's, what isn't finite as null."""
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return round(value, DIGITS) + 0.0 if isfinite(value) else None
    return value


def _scores(scores: Scores) -> Row:
    return {
        "whole": plain(scores.whole),
        "cells": [
            {**_named(one.cell), "problems": plain(one.problems), "benchmark": plain(one.benchmark)}
            for one in scores.cells
        ],
        "gaps": [
            {
                "kind": one.kind,
                "first": _named(one.first),
                "second": _named(one.second),
                **plain(one.difference),
            }
            for one in scores.gaps
        ],
        "together": _together(scores),
        "refused": [{**_named(cell), "why": why} for cell, why in scores.refused],
    }


def _together(scores: Scores) -> Row | None:
    if scores.together is None:
        return None
    found: Row = plain(scores.together)
    cells = zip(scores.shared, found["cells"], strict=True)
    return {**found, "cells": [{**_named(name), **one} for name, one in cells]}


def _named(cell: CellName) -> Row:
    return dict(zip(_CELL, cell, strict=True))
