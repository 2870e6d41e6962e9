"""What a quantity check expects, and how a stated value compares with it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grader.formal.values.statements import Stated
from grader.formal.values.units import Factors, conversion, expected_unit, for_one, unit_name
from grader.problem.checks import QuantityCheck

if TYPE_CHECKING:
    import pint

_DEFAULT_TOLERANCE = 0.01


@dataclass(frozen=True, slots=True)
class Target:
    """What a check expects, ready for comparison."""

    check: QuantityCheck
    unit: pint.Unit | None
    open_unit: bool = False
    """The check names no unit, and numbers are compared as they are written whatever their unit."""

    @classmethod
    def of(cls, check: QuantityCheck) -> Target:
        """The target of a check; raises ValueError for a unit that nobody knows."""
        return cls(check, expected_unit(check.unit))

    @property
    def tolerance(self) -> float:
        """How far a value may lie from the expected one, in the expected unit."""
        check = self.check
        given = [abs(check.expected) * check.rel_tol] if check.rel_tol is not None else []
        given += [check.abs_tol] if check.abs_tol is not None else []
        if not given:
            given = [abs(check.expected) * _DEFAULT_TOLERANCE, half_last_digit(check.expected)]
        return max(given) * (1 + 1e-9) + abs(check.expected) * 1e-12

    @property
    def pure(self) -> bool:
        """Whether the expected value is a number without dimension."""
        return self.unit is None or bool(self.unit.dimensionless)

    @property
    def slack(self) -> float:
        """How far a value may lie off if a whole expected number is given to the unit only (3, not 3.0)."""
        check = self.check
        given = check.rel_tol is not None or check.abs_tol is not None
        return self.tolerance if given or not check.expected.is_integer() else max(self.tolerance, 0.5)

    def within(self, value: float) -> bool:
        """Whether a value in the expected unit is right."""
        if abs(value - self.check.expected) <= self.tolerance:
            return True
        return self.check.sign == "either" and abs(abs(value) - abs(self.check.expected)) <= self.tolerance


def half_last_digit(value: float) -> float:
    """Half a unit of the last digit that a number shows in its shortest decimal spelling."""
    mantissa, _, exponent = repr(value).partition("e")
    places = len(mantissa.partition(".")[2])
    return 0.5 * 10.0 ** (int(exponent or 0) - places)


@dataclass(frozen=True, slots=True)
class Compared:
    """A stated value in the expected unit, or the reason why it has none there."""

    value: float | None
    other: float | None = None
    problem: str = ""


def compare(target: Target, stated: Stated) -> Compared:
    """Bring a stated value to the expected unit."""
    if stated.unit is None:
        return _bare(target, stated)
    if target.open_unit:
        return Compared(stated.value, stated.other)
    unit = target.unit
    if unit is None:
        unit = expected_unit("dimensionless")
        assert unit is not None
    written = stated.unit.factors
    for factors in (written, *stated.unit.alternatives, *for_one(written, unit)):
        compared = _converted(target, stated, factors, unit)
        if compared.value is not None:
            return compared
    measured = target.check.unit or "a number"
    return Compared(None, problem=f"'{stated.written_unit}' does not measure what {measured} does")


def _converted(target: Target, stated: Stated, factors: Factors, unit: pint.Unit) -> Compared:
    known = conversion(factors, unit, target.check.quantity_type == "difference")
    if known is None:
        return Compared(None, problem="another dimension")
    slope, offset = known
    value = stated.value * slope + offset
    other = None if stated.other is None else stated.other * slope + offset
    return Compared(value, other) if math.isfinite(value) else Compared(None, problem="too large")


def _bare(target: Target, stated: Stated) -> Compared:
    """A number without a unit."""
    if target.unit is None or unit_name(target.unit) == "dimensionless":
        return Compared(stated.value, stated.other)
    if target.pure:
        scaled = _converted(target, stated, (), target.unit)
        if scaled.value is not None and target.within(scaled.value):
            return scaled
    if stated.value == 0 or not target.check.unit_required:
        return Compared(stated.value, stated.other)
    return Compared(None, problem=f"no unit is given where {target.check.unit} is asked for")


def same_statement(target: Target, one: Stated, two: Stated) -> bool:
    """Whether two statements agree: equal, or one is the other rounded."""
    if one is two or one.form != two.form:
        return one is two
    first, second = compare(target, one), compare(target, two)
    if first.value is None or second.value is None:
        return one.value == two.value and one.written_unit == two.written_unit
    a, b = first.value, second.value
    if target.check.sign == "either":
        a, b = abs(a), abs(b)
    coarse = max(_resolution(target, one, first.value), _resolution(target, two, second.value))
    return abs(a - b) <= coarse * 0.501 + 1e-9 * abs(a)


def _resolution(target: Target, stated: Stated, scaled: float) -> float:
    """One unit of the last written digit, in the expected unit."""
    if stated.figures is None or stated.value == 0:
        return 0.0
    step = 10.0 ** (math.floor(math.log10(abs(stated.value))) - stated.figures[0] + 1)
    further = compare(target, replace(stated, value=stated.value + step)).value
    return 0.0 if further is None else abs(further - scaled)
