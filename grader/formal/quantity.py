"""Quantities: a number with a unit, within a tolerance."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from grader.answer.answer import Answer
from grader.answer.binding import Bound
from grader.answer.candidates import Candidate, Reading, settle
from grader.answer.marks import Rank
from grader.answer.notation import Text, normalise
from grader.formal import bare, outcome
from grader.formal.registry import by
from grader.formal.values.arithmetic import TooMany
from grader.formal.values.bare_quantity import VALUE, read_bare
from grader.formal.values.results import is_change, ranked
from grader.formal.values.statements import Stated, statements
from grader.formal.values.units import UNIT_WORDS, Factors, conversion, expected_unit, for_one, unit_name
from grader.problem.checks import QuantityCheck
from grader.record import Finding, Reason, Rejected

if TYPE_CHECKING:
    import pint

BY = by("quantity")
_DEFAULT_TOLERANCE = 0.01
_BARE = bare.shape(VALUE)


@dataclass(frozen=True, slots=True)
class Target:
    """What a check expects, ready for comparison."""

    check: QuantityCheck
    unit: pint.Unit | None

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


def decide(check: QuantityCheck, answer: Answer) -> Finding:
    """Decide whether an answer states the expected quantity."""
    if not answer.text.strip():
        return outcome.blank(BY)
    try:
        target = Target(check, expected_unit(check.unit))
    except ValueError:
        return outcome.undetermined(BY, Reason.NOT_COMPARABLE, f"the check's unit {check.unit!r} is unknown")
    return _at_once(target, answer) or _at_length(target, answer)


def _at_once(target: Target, answer: Answer) -> Finding | None:
    """The finding on an answer that is one number with or without a unit."""
    found = bare.match(answer, _BARE, target.check.asked)
    stated = read_bare(found["mantissa"], found["tail"] or "") if found else None
    if found is None or stated is None:
        return None
    start, end = found.span("value")
    taken = Candidate(stated, start, end, found["value"], (start, end), start, rank=Rank.LINE)
    return _judge(target, taken, ())


def _at_length(target: Target, answer: Answer) -> Finding:
    """The finding on an answer in prose."""
    check = target.check
    text = normalise(answer.text)
    reading = Reading(text, check.asked, answer.others)

    def fits(stated: Stated) -> bool:
        return stated.form == "value" and compare(target, stated).value is not None and _linear(check, stated)

    try:
        stated = ranked(text, statements(text, reading.binder, fits), fits)
    except TooMany:
        return outcome.undetermined(
            BY, Reason.NOT_COMPARABLE, "the answer holds too many numbers to be weighed"
        )
    settled = settle(
        text,
        _of_one_sort(target, text, stated),
        same=lambda one, two: _same(target, one, two),
        asked=check.asked,
        others=answer.others,
        cut=answer.cut,
        fits=fits,
        reading=reading,
    )
    taken = settled.candidate
    if taken is None:
        return outcome.unsettled(BY, settled, "quantity")
    return _judge(target, taken, settled.rejected)


def _of_one_sort(target: Target, text: Text, stated: list[Candidate[Stated]]) -> list[Candidate[Stated]]:
    """Set changes of temperature aside where a temperature is asked for, and the other way round."""
    if unit_name(target.unit) not in ("kelvin", "degree_Celsius", "degree_Fahrenheit"):
        return stated
    difference = target.check.quantity_type == "difference"
    wanted = [is_change(text, item) == difference for item in stated]
    if not any(wanted):
        return stated
    return [
        replace(item, aside=not good or (item.aside and not difference))
        for item, good in zip(stated, wanted, strict=True)
    ]


def _linear(check: QuantityCheck, stated: Stated) -> bool:
    """Whether a value may be the quantity itself, not its logarithm (pKa for Ka)."""
    return not (stated.logarithm and not check.asked and 0 < abs(check.expected) < 1e-2)


def _same(target: Target, one: Stated, two: Stated) -> bool:
    """Whether two statements agree: equal, or one is the other rounded."""
    if one.form != two.form:
        return False
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


def _judge(target: Target, taken: Candidate[Stated], rejected: tuple[Rejected, ...]) -> Finding:
    stated, check = taken.value, target.check
    compared = compare(target, stated)
    shown = f"{stated.value:.6g} {stated.written_unit}".strip()
    expected = f"{check.expected:.6g} {check.unit or ''}".strip()
    if not _linear(check, stated):
        return outcome.undetermined(
            BY, Reason.NO_CANDIDATE, f"'{taken.quote}' states a logarithm, not the value", rejected
        )
    if stated.unit is None and _is_unit_like(stated.unread):
        return outcome.undetermined(
            BY, Reason.NOT_COMPARABLE, f"the unit '{stated.unread}' can't be read", rejected
        )
    if compared.value is None:
        tied = stated.tied or taken.bound > Bound.FREE or bool(taken.head) or taken.rank >= Rank.LINE
        if not tied:
            why = taken.rejected(compared.problem)
            return outcome.undetermined(
                BY, Reason.NO_CANDIDATE, "no value of the asked kind is stated", (*rejected, why)
            )
        return outcome.decided(BY, False, taken, f"{shown}: {compared.problem}", shown, rejected)
    right = target.within(compared.value)
    if not right and compared.other is not None and target.within(compared.other):
        return outcome.undetermined(
            BY,
            Reason.NOT_COMPARABLE,
            f"'{taken.quote}' can be read in two ways, and only one is right",
            rejected,
        )
    if not right and target.tolerance < abs(compared.value - check.expected) < target.slack:
        detail = (
            f"{shown} agrees with {expected} only if that is rounded to the unit, which the check leaves open"
        )
        return outcome.undetermined(BY, Reason.NOT_COMPARABLE, detail, rejected)
    value = repr(compared.value) if compared.other is None else None
    if right and check.sig_figs is not None:
        return replace(_figures(check.sig_figs, taken, shown, rejected), value=value)
    verb = "agrees with" if right else "differs from"
    return outcome.decided(BY, right, taken, f"{shown} {verb} {expected}", shown, rejected, value=value)


def _is_unit_like(unread: str) -> bool:
    """Whether a word behind a number is meant as a unit: compound, or a unit word with a slip."""
    if not unread or unread.isalpha():
        return bool(unread) and bool(get_close_matches(unread.lower(), UNIT_WORDS, n=1, cutoff=0.8))
    return True


def _figures(demanded: int, taken: Candidate[Stated], shown: str, rejected: tuple[Rejected, ...]) -> Finding:
    """Decide a right value by its significant figures."""
    figures = taken.value.figures
    if figures is None or (figures[0] != figures[1] and figures[0] <= demanded <= figures[1]):
        return outcome.undetermined(
            BY,
            Reason.NOT_COMPARABLE,
            f"how many figures of '{taken.quote}' are significant can't be known",
            rejected,
        )
    right = figures == (demanded, demanded)
    detail = f"{shown} has {figures[1]} significant figures, {demanded} are demanded"
    return outcome.decided(BY, right, taken, detail, shown, rejected)
