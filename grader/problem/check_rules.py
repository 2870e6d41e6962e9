"""Rules of a check's options that stand between its fields; its chemistry is linted in ``grader/formal``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from grader.errors import Fault
from grader.problem.checks import CheckModel, ChoiceCheck, OxidationStateCheck, QuantityCheck, SequenceCheck
from grader.problem.place import Place


def check_faults(check: CheckModel, place: Place) -> Iterator[Fault]:
    """Every broken rule among the options of one check, which stands at ``place``."""
    if isinstance(check, ChoiceCheck):
        yield from _choice_faults(check, place)
    elif isinstance(check, QuantityCheck):
        yield from _quantity_faults(check, place)
    elif isinstance(check, OxidationStateCheck):
        yield from _oxidation_state_faults(check, place)
    elif isinstance(check, SequenceCheck):
        yield from _sequence_faults(check, place)


def _choice_faults(check: ChoiceCheck, place: Place) -> Iterator[Fault]:
    known = check.choices or tuple(check.texts)
    expected = _letters(check)
    shown = "one of " + ", ".join(known)
    for letter in expected:
        if known and letter not in known:
            yield place.at("expected").fault("is none of the choices", got=repr(letter), expected=shown)
    for letter, count in Counter(expected).items():
        if count > 1:
            yield place.at("expected").fault("names a choice twice", got=repr(letter))
    for letter in check.texts:
        if check.choices and letter not in check.choices:
            yield place.at("texts", letter).fault("is none of the choices", got=repr(letter), expected=shown)


def _letters(check: ChoiceCheck) -> list[str]:
    parts = check.expected.split(",") if check.multiple else [check.expected]
    return [part.strip() for part in parts]


def _quantity_faults(check: QuantityCheck, place: Place) -> Iterator[Fault]:
    if check.rel_tol is not None and check.rel_tol >= 1:
        yield place.at("rel_tol").fault(
            "the tolerance admits zero and the opposite sign",
            got=str(check.rel_tol),
            expected="a fraction below 1 (0.05 is 5 %)",
        )
    if check.unit is not None and not check.unit.strip():
        yield place.at("unit").fault("the unit is blank", do="Leave it out, or write 'dimensionless'.")


def _oxidation_state_faults(check: OxidationStateCheck, place: Place) -> Iterator[Fault]:
    if isinstance(check.expected, int):
        return
    try:
        Fraction(check.expected)
    except (ValueError, ZeroDivisionError):
        expected = 'a whole number, or a fraction such as "8/3"'
        yield place.at("expected").fault("is no oxidation state", got=repr(check.expected), expected=expected)


def _sequence_faults(check: SequenceCheck, place: Place) -> Iterator[Fault]:
    for item, count in Counter(check.expected).items():
        if count > 1:
            yield place.at("expected").fault("the order names an item twice", got=repr(item))
