"""A formula tree written out in plain spelling."""

from __future__ import annotations

from fractions import Fraction

from grader.formal.formulas.tree import Atom, Bond, Charge, Formula, Group, Part, Short, Unit

_CLOSE = {"(": ")", "[": "]", "{": "}"}
_BONDS = {1: "-", 2: "=", 3: "≡"}


def written(formula: Formula) -> str:
    """The formula in plain spelling: counts on the line, charges and masses under a caret, "·" for dots."""
    stereo = f"{formula.stereo}-" if formula.stereo else ""
    return stereo + "·".join(map(_part, formula.parts))


def _part(part: Part) -> str:
    return _count(part.coefficient) + "".join(map(_unit, part.units))


def _count(count: Fraction) -> str:
    return "" if count == 1 else str(count)


def _unit(unit: Unit) -> str:
    match unit:
        case Atom():
            return f"{f'^{unit.mass}' if unit.mass else ''}{unit.symbol}{_count(unit.count)}"
        case Short():
            return f"{unit.name}{_count(unit.count)}"
        case Bond():
            return _BONDS[unit.order]
        case Charge():
            size = "" if abs(unit.value) == 1 else str(abs(unit.value))
            return f"^{size}{'+' if unit.value > 0 else '-'}" if unit.value else ""
        case Group():
            return (
                f"{unit.bracket}{''.join(map(_unit, unit.units))}{_CLOSE[unit.bracket]}{_count(unit.count)}"
            )
