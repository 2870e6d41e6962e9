"""The chemistry of ``follow``: from right values must follow what is expected, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterator

from grader.errors import Fault
from grader.formal.follow.derive import NothingFollows, derived
from grader.formal.follow.reaction import products, read_reaction
from grader.formal.structures.comparison import Relation
from grader.formal.structures.equivalence import compare
from grader.formal.structures.structure import Unreadable, read_structure
from grader.formal.values.target import Target
from grader.problem.checks import (
    CheckModel,
    InchiCheck,
    IntegerCheck,
    QuantityCheck,
    SmilesCheck,
)
from grader.problem.follow_rules import PlacedFollow
from grader.problem.set import SetReport


def follow_report(report: SetReport) -> tuple[list[Fault], list[Fault]]:
    """The errors (reactions that can't be read) and the lints of the set's follow-through."""
    errors = [fault for placed in report.follows for fault in _unreadable(placed)]
    broken = {fault.pointer for fault in errors}
    sound = (placed for placed in report.follows if placed.place.at("reaction").pointer not in broken)
    return errors, [fault for placed in sound for fault in _lints(placed)]


def _unreadable(placed: PlacedFollow) -> Iterator[Fault]:
    smarts = placed.follow.reaction
    if smarts is None:
        return
    here = placed.place.at("reaction")
    try:
        count = read_reaction(smarts).GetNumReactantTemplates()
    except Unreadable as error:
        yield here.fault(f"the reaction can't be read: {error}", got=repr(smarts))
        return
    if count != len(placed.sources):
        expected = f"{len(placed.sources)}, one for each structure in 'from'"
        yield here.fault("the reaction has another number of reactants", got=str(count), expected=expected)


def _lints(placed: PlacedFollow) -> Iterator[Fault]:
    """Whether the expected values of the sources lead to the expected value of the point."""
    values = {name: _expected(check) for name, check in placed.sources.items()}
    known = {name: value for name, value in values.items() if value is not None}
    if len(known) < len(values):
        return  # a name is a structure only once it is looked up
    try:
        check = derived(placed.follow, placed.check, known)[0]
        several = (
            [] if placed.follow.reaction is None else products(placed.follow.reaction, [*known.values()])
        )
    except NothingFollows as error:
        yield placed.place.fault(f"from right values nothing follows: {error}", do="Correct it.")
        return
    if len(several) > 1:
        do = "Write a reaction that happens at one place."
        yield placed.place.fault("from right structures several follow", got=" and ".join(several), do=do)
    elif not _agrees(placed.check, check):
        got, expected = (str(getattr(one, "expected", "")) for one in (check, placed.check))
        what = "from right values something else follows than is expected"
        yield placed.place.fault(what, got=got, expected=expected, do="Correct it, or the expected value.")


def _expected(check: CheckModel) -> str | None:
    """The expected value as a finding would hold it."""
    if isinstance(check, QuantityCheck | IntegerCheck):
        return repr(check.expected)
    if isinstance(check, SmilesCheck):
        return check.expected
    return check.expected if isinstance(check, InchiCheck) and check.expected.startswith("InChI=") else None


def _agrees(strict: CheckModel, follows: CheckModel) -> bool:
    if isinstance(strict, QuantityCheck) and isinstance(follows, QuantityCheck):
        return Target(strict, None).within(follows.expected) and math.isfinite(follows.expected)
    if isinstance(strict, SmilesCheck) and isinstance(follows, SmilesCheck):
        try:
            expected = read_structure(strict.expected)
        except Unreadable:
            return True  # its own lint
        return compare(expected, read_structure(follows.expected), strict).relation is not Relation.DIFFERENT
    if type(strict) is type(follows):
        return getattr(strict, "expected", None) == getattr(follows, "expected", None)
    return True  # a name against a structure
