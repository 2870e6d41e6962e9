"""Items that are formulas or quantities."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from grader.answer.notation import Text, normalise
from grader.formal.formulas.match import Depth, compare_readings
from grader.formal.formulas.tree import Formula, read_formula
from grader.formal.formulas.tree import Unreadable as FormulaUnreadable
from grader.formal.lists.anchors import Anchor, TooMany, Unreadable, longest
from grader.formal.reading.formula_tokens import formula_spans
from grader.formal.structures.comparison import Relation

# -- formulas ---------------------------------------------------------------------------------------------

_WORDLIKE = re.compile(r"[A-Z]|[A-Z][a-z]|[A-Z]{2,6}|[A-Z][a-z]?[0-9]")
_ENGLISH = frozenset(
    ["I", "In", "As", "At", "He", "No", "So", "Be", "Y", "Os", "Po", "Pa", "Am", "Es", "Ho", "Th"]
)


class Formulas:
    """Formulas and ions."""

    closed = False

    def __init__(self, expected: Sequence[str | int | float]) -> None:
        self.texts = tuple(normalise(str(item)).plain.strip() for item in expected)
        self.expected = tuple(_formula(text) for text in self.texts)
        self._bracketed = {one for text, one in zip(self.texts, self.expected, strict=True) if "[" in text}
        self._known: dict[str, tuple[Formula, ...] | None] = {}

    def anchors(self, text: Text) -> list[Anchor]:
        """Every formula; those that are also words or symbols only beside others, unless expected."""
        found = []
        for start, end in formula_spans(text.plain):
            written = text.plain[start:end]
            readings = self._read(written)
            if readings is None or written in _ENGLISH - set(self.texts):
                continue
            own = any(self.compare(one, readings) is Relation.SAME for one in self.expected)
            found.append(
                Anchor(readings, start, end, weak=not own and _WORDLIKE.fullmatch(written) is not None)
            )
        return longest(found)

    def _read(self, written: str) -> tuple[Formula, ...] | None:
        if written not in self._known:
            try:
                self._known[written] = read_formula(written)
            except FormulaUnreadable:
                self._known[written] = None
        return self._known[written]

    def compare(self, one: tuple[Formula, ...], two: tuple[Formula, ...]) -> Relation:
        """By composition and charge; an expected formula with square brackets also by structure."""
        depth: Depth = "structure" if {one, two} & self._bracketed else "composition"
        return compare_readings(one, two, depth, charge=True).relation


def _formula(text: str) -> tuple[Formula, ...]:
    try:
        return read_formula(text)
    except FormulaUnreadable as error:
        raise Unreadable(f"the expected formula {text} can't be read: {error}") from error


# -- quantities -------------------------------------------------------------------------------------------

_BULLET = re.compile(r"^[ \t]{0,8}[-+*•][ ]", re.M)


class Quantities:
    """Numbers with units, compared as the kind quantity does with its default tolerance."""

    closed = False

    def __init__(self, expected: Sequence[str | int | float]) -> None:
        from grader.formal.values.arithmetic import Term, read_terms

        self.expected: tuple[Term, ...] = ()
        for item in expected:
            terms = list(read_terms(normalise(str(item)).plain))
            if len(terms) != 1:
                raise Unreadable(f"the expected quantity {item} can't be read")
            self.expected += (terms[0],)

    def anchors(self, text: Text) -> list[Anchor]:
        """Every number with the unit that stands with it."""
        from grader.formal.values.arithmetic import TooMany as TooMuch
        from grader.formal.values.arithmetic import read_terms

        try:
            terms = list(read_terms(_BULLET.sub(lambda bullet: " " * len(bullet[0]), text.plain)))
        except TooMuch as error:
            raise TooMany from error
        units = any(one.unit is not None for one in self.expected)
        return [Anchor(one, one.start, one.end, weak=units and one.unit is None) for one in terms]

    def compare(self, one: Any, two: Any) -> Relation:
        """The first is the expected one."""
        from grader.formal.values.units import conversion, pint_unit

        value = two.value
        if (one.unit is None) is not (two.unit is None):
            return Relation.DIFFERENT if one.unit is None else Relation.UNSURE
        if one.unit is not None:
            known = conversion(two.unit.factors, pint_unit(one.unit.factors), False)
            if known is None:
                return Relation.DIFFERENT
            value = value * known[0] + known[1]
        digits = repr(one.value).partition(".")[2]
        tolerance = max(0.01 * abs(one.value), 0.5 * 10.0 ** -len(digits if digits != "0" else ""))
        if one.unit is None or float(one.value).is_integer():
            tolerance = 0.01 * abs(one.value)
        return Relation.SAME if abs(value - one.value) <= tolerance else Relation.DIFFERENT
