"""Which module decides which check kind.

Modules are imported when their kind is first asked for: RDKit and pint are
heavy, and a run of plain numbers needs neither.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Protocol

from grader.answer.answer import Answer
from grader.problem.checks import KINDS, CheckModel
from grader.record import Finding, Reason, Status

MODULES: dict[str, str] = {
    "smiles": "grader.formal.smiles",
    "formula": "grader.formal.formula",
    "quantity": "grader.formal.quantity",
    "integer": "grader.formal.integer",
    "choice": "grader.formal.choice",
    "boolean": "grader.formal.boolean",
}
"""The kinds that code decides today; the others are undetermined (unsupported)."""


class Kind(Protocol):
    """What a module of a kind offers."""

    VERSION: int
    """Raised whenever a finding could come out differently."""

    def decide(self, check: CheckModel, answer: Answer) -> Finding:
        """Decide one check on one answer; never raises for anything an answer may hold."""
        ...


@cache
def _module(kind: str) -> Kind:
    return import_module(MODULES[kind])  # type: ignore[return-value]


def version(kind: str) -> int:
    """The version of a kind's implementation; 0 where there is none."""
    return _module(kind).VERSION if kind in MODULES else 0


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide one check on one answer."""
    kind: str = check.kind  # type: ignore[attr-defined]
    if kind not in MODULES:
        assert kind in KINDS
        return Finding(
            status=Status.UNDETERMINED,
            by=f"formal:{kind}@0",
            reason=Reason.UNSUPPORTED,
            detail=f"no code decides a check of kind {kind} yet",
        )
    return _module(kind).decide(check, answer)
