"""Which module decides which check kind, at which version, on which libraries.

Modules are imported when their kind is first asked for: RDKit and pint are
heavy, and naming an engine must not load them.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module, metadata
from typing import NamedTuple, Protocol, cast

from grader.answer.answer import Answer
from grader.problem.checks import CheckModel
from grader.record import Finding, Reason, Status


class Implementation(NamedTuple):
    """Where a kind is decided, and everything that could make a finding come out differently."""

    module: str
    version: int
    """Raised whenever a finding could come out differently."""
    libraries: tuple[str, ...] = ()


IMPLEMENTED: dict[str, Implementation] = {
    "inchi": Implementation("grader.formal.inchi", 6, ("rdkit", "py2opsin")),
    "reaction": Implementation("grader.formal.reaction", 5, ("rdkit",)),
    "smiles": Implementation("grader.formal.smiles", 8, ("rdkit", "py2opsin")),
    "equation": Implementation("grader.formal.equation", 4, ("rdkit",)),
    "name": Implementation("grader.formal.name", 6, ("rdkit", "py2opsin")),
    "formula": Implementation("grader.formal.formula", 8, ("rdkit", "py2opsin")),
    "expression": Implementation("grader.formal.expression", 6, ("mpmath",)),
    "electron_configuration": Implementation("grader.formal.electron_configuration", 6),
    "oxidation_state": Implementation("grader.formal.oxidation_state", 5),
    "quantity": Implementation("grader.formal.quantity", 8, ("pint",)),
    "integer": Implementation("grader.formal.integer", 8),
    "choice": Implementation("grader.formal.choice", 8, ("pint",)),
    "boolean": Implementation("grader.formal.boolean", 8),
    "label": Implementation("grader.formal.label", 4),
    "set": Implementation("grader.formal.set", 4, ("rdkit", "pint", "py2opsin")),
    "sequence": Implementation("grader.formal.sequence", 5, ("rdkit", "pint", "py2opsin")),
}
"""The kinds that code decides today; the others are undetermined (unsupported)."""


class Kind(Protocol):
    """What the module of a kind offers."""

    def decide(self, check: CheckModel, answer: Answer) -> Finding:
        """Decide one check on one answer; never raises for anything an answer may hold."""
        ...

    def at_once(self, check: CheckModel, answer: Answer) -> Finding | None:
        """Decide an answer that is nothing but its value; of the kinds in ``AT_ONCE`` only."""
        ...


def by(kind: str) -> str:
    """Who signs a finding: ``formal:<kind>@<version>``; version 0 where nothing is implemented."""
    return f"formal:{kind}@{IMPLEMENTED[kind].version if kind in IMPLEMENTED else 0}"


@cache
def libraries(kind: str) -> dict[str, str]:
    """The versions of the libraries a kind's findings rest on."""
    names = IMPLEMENTED[kind].libraries if kind in IMPLEMENTED else ()
    return {name: metadata.version(name) for name in names}


@cache
def engine(kind: str) -> str:
    """Signature and library versions: a finding of another engine is computed anew."""
    return " ".join([by(kind), *(f"{name}-{version}" for name, version in libraries(kind).items())])


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide one check on one answer."""
    kind = check.kind
    if kind not in IMPLEMENTED:
        return Finding(
            status=Status.UNDETERMINED,
            by=by(kind),
            reason=Reason.UNSUPPORTED,
            detail=f"no code decides a check of kind {kind}",
        )
    return _module(kind).decide(check, answer)


AT_ONCE = frozenset(("boolean", "choice", "integer", "quantity"))
"""The kinds that decide an answer which is nothing but its value sooner than it is sent anywhere."""


def at_once(check: CheckModel, answer: Answer) -> Finding | None:
    """The finding on an answer that is nothing but its value, by text alone; None for any other."""
    return _module(check.kind).at_once(check, answer) if check.kind in AT_ONCE else None


@cache
def _module(kind: str) -> Kind:
    return cast(Kind, import_module(IMPLEMENTED[kind].module))
