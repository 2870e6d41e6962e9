"""Quantities: a number with a unit, within a tolerance."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from grader.answer.answer import Answer
from grader.answer.binding import Bound
from grader.answer.candidates import Candidate, Reading, settle
from grader.answer.marks import EXPLICIT, Rank
from grader.answer.notation import Text, normalise
from grader.formal import bare, outcome
from grader.formal.registry import by
from grader.formal.values.arithmetic import TooMany
from grader.formal.values.bare_quantity import VALUE, read_bare
from grader.formal.values.results import is_change, ranked
from grader.formal.values.statements import Stated, statements
from grader.formal.values.target import Target, compare, same_statement
from grader.formal.values.units import UNIT_WORDS, unit_name
from grader.problem.checks import QuantityCheck
from grader.record import Finding, Reason, Rejected, Status

BY = by("quantity")
_BARE = bare.shape(VALUE)


def decide(check: QuantityCheck, answer: Answer) -> Finding:
    """Decide whether an answer states the expected quantity."""
    return at_once(check, answer) or _at_length(check, answer)


def at_once(check: QuantityCheck, answer: Answer) -> Finding | None:
    """The finding on an answer that is one number with or without a unit."""
    found = bare.match(answer, _BARE, check.asked)
    stated = read_bare(found["mantissa"], found["tail"] or "") if found else None
    if found is None or stated is None or (stated.unit is not None and check.unit is None):
        return None
    try:
        target = Target.of(check)
    except ValueError:
        return None
    start, end = found.span("value")
    taken = Candidate(stated, start, end, found["value"], (start, end), start, rank=Rank.LINE)
    return _judge(target, taken, ())


def _at_length(check: QuantityCheck, answer: Answer) -> Finding:
    """The finding on an answer in prose."""
    if not answer.text.strip():
        return outcome.blank(BY)
    try:
        target = Target.of(check)
    except ValueError:
        return outcome.undetermined(BY, Reason.NOT_COMPARABLE, f"the check's unit {check.unit!r} is unknown")
    text = normalise(answer.text)
    reading = Reading(text, target.check.asked, answer.others)
    try:
        finding, stated = _read(target, answer, reading)
        if finding.status is Status.MET or not _carry_units(target, reading, stated):
            return finding
        as_written, _ = _read(replace(target, open_unit=True), answer, reading)
    except TooMany:
        return outcome.undetermined(
            BY, Reason.NOT_COMPARABLE, "the answer holds too many numbers to be weighed"
        )
    return finding if as_written.reason in (Reason.NO_CANDIDATE, finding.reason) else as_written


def _carry_units(target: Target, reading: Reading, stated: Sequence[Candidate[Stated]]) -> bool:
    """Whether the answer gives a unit where the check names none, and gives no bare number as clearly."""
    if target.check.unit is not None:
        return False
    values = [item for item in stated if item.value.form == "value" and not item.aside]
    marked = [item for item in values if reading.marked.rank(item.start, item.end) >= EXPLICIT]
    return bool(values) and all(item.value.unit is not None for item in marked or values)


def _read(target: Target, answer: Answer, reading: Reading) -> tuple[Finding, Sequence[Candidate[Stated]]]:
    """The finding, and every value that the answer states; raises TooMany."""
    text, check = reading.text, target.check

    def fits(stated: Stated) -> bool:
        return stated.form == "value" and compare(target, stated).value is not None and _linear(check, stated)

    stated = ranked(text, statements(text, reading.binder, fits), fits)
    settled = settle(
        text,
        _sorted_out(target, reading, stated),
        same=lambda one, two: same_statement(target, one, two),
        asked=check.asked,
        others=answer.others,
        cut=answer.cut,
        fits=fits,
        reading=reading,
    )
    taken = settled.candidate
    if taken is None:
        return outcome.unsettled(BY, settled, "quantity"), stated
    convention = _convention(target, reading, taken, stated)
    if convention:
        return outcome.undetermined(BY, Reason.NOT_COMPARABLE, convention, settled.rejected), stated
    return _judge(target, taken, settled.rejected), stated


_RELEASED = re.compile(
    r"\b(?:(?:releas|liberat|evolv)(?:es?|ed|ing)|(?:gives?|gave|given|giving) (?:out|off)|los(?:es?|t))\b",
    re.I,
)
_ACIDITY = re.compile(r"\bp(?:O?H|K_?[abw])\b")


def _sorted_out(target: Target, reading: Reading, stated: list[Candidate[Stated]]) -> list[Candidate[Stated]]:
    """The values with those of another sort, and those said again in another convention, set aside."""
    sorts = _not_asked(reading, _of_one_sort(target, reading.text, stated))
    magnitudes = _magnitudes(reading, sorts)
    signed = {-sorts[at].value.value for at in magnitudes}
    beside = _complements(target, reading, sorts) | magnitudes
    return [
        replace(item, aside=at in beside or (item.aside and item.value.value not in signed))
        for at, item in enumerate(sorts)
    ]


def _not_asked(reading: Reading, stated: list[Candidate[Stated]]) -> list[Candidate[Stated]]:
    """Doubt what stands beside another logarithm than the one asked for: "pH 3.4, pOH 10.6"."""
    asked = set(_ACIDITY.findall(" ".join(reading.asked)))
    names = [_acidity(reading, item) for item in stated] if asked else []
    if not asked.intersection(names):
        return stated
    return [
        item if not name or name in asked else replace(item, doubt=item.doubt or f"is stated for {name}")
        for item, name in zip(stated, names, strict=True)
    ]


def _complements(target: Target, reading: Reading, stated: Sequence[Candidate[Stated]]) -> set[int]:
    """Which values are a pOH beside a pH, where the check doesn't say which is asked for."""
    if target.check.asked or not target.pure or "pOH" not in reading.text.plain:
        return set()
    names = [_acidity(reading, item) for item in stated]
    return {at for at, name in enumerate(names) if name == "pOH"} if "pH" in names else set()


def _acidity(reading: Reading, item: Candidate[Stated]) -> str:
    """Whether a value is that of a pH or of a pOH."""
    head = _ACIDITY.match(reading.binder.bind(item.lead, item.plain[1]).head)
    near = _ACIDITY.findall(reading.discourse.clause_before(item.lead)[-40:])
    return head.group() if head else near[-1] if near else ""


def _magnitudes(reading: Reading, stated: Sequence[Candidate[Stated]]) -> set[int]:
    """Which values say without a sign what is released and has its sign elsewhere."""
    signed = {-item.value.value for item in stated if item.value.value < 0}
    return {
        at
        for at, item in enumerate(stated)
        if item.value.value in signed and _RELEASED.search(reading.discourse.clause_before(item.plain[0]))
    }


def _convention(
    target: Target, reading: Reading, taken: Candidate[Stated], stated: Sequence[Candidate[Stated]]
) -> str:
    """Why a value that differs may be right all the same: a rounding, or the sign of what is released."""
    value, check = compare(target, taken.value).value, target.check
    if value is None or target.within(value):
        return ""
    as_written = replace(target, open_unit=check.unit is None)
    again = [item for item in stated if same_statement(as_written, item.value, taken.value)]
    if check.abs_tol is None and check.sig_figs is None:
        exact = (
            item for item in again if (one := compare(as_written, item.value).value) and target.within(one)
        )
        if unrounded := next(exact, None):
            return f"'{taken.quote}' rounds '{unrounded.quote}', which agrees with {check.expected:.6g}"
    near = (item for item in stated if math.isclose(item.value.value, taken.value.value, rel_tol=1e-3))
    released = value < 0 and target.within(-value) and any(_released(reading, item) for item in near)
    return f"'{taken.quote}' is negative, but what is released may be counted so" if released else ""


def _released(reading: Reading, item: Candidate[Stated]) -> bool:
    before, after = reading.discourse.around(*item.plain)
    return _RELEASED.search(before) is not None or _RELEASED.search(after) is not None


def _of_one_sort(target: Target, text: Text, stated: list[Candidate[Stated]]) -> list[Candidate[Stated]]:
    """Set changes of temperature aside where a temperature is asked for, and the other way round."""
    if unit_name(target.unit) not in ("kelvin", "degree_Celsius", "degree_Fahrenheit"):
        return stated
    difference = target.check.quantity_type == "difference"
    if difference:
        stated = [replace(item, doubt=_SHOWN) if _is_reading(text, item) else item for item in stated]
    wanted = [is_change(text, item) == difference for item in stated]
    if not any(wanted):
        return stated
    return [
        replace(item, aside=not good or (item.aside and not difference))
        for item, good in zip(stated, wanted, strict=True)
    ]


_SHOWN = "is a temperature, not a difference"
_READING = re.compile(
    r"\b(?:(?:freez|boil|melt|solidif|crystalli[sz]|condens)(?:e?s|ies|ed|ing)?\s(?:only\s|now\s)?at"
    r"|(?:freezing|boiling|melting)\s(?:point|temperature)(?:\sof\s[^.;,\n]{1,40}?)?\s?(?:is|was|=|:|becomes|"
    r"(?:falls|drops|rises|increases|decreases)\sto))\s(?:about\s|now\s|thus\s)?$",
    re.I,
)
"""What a thermometer shows, which is no difference."""


def _is_reading(text: Text, item: Candidate[Stated]) -> bool:
    return _READING.search(text.plain, max(0, item.plain[0] - 80), item.plain[0]) is not None


def _linear(check: QuantityCheck, stated: Stated) -> bool:
    """Whether a value may be the quantity itself, not its logarithm (pKa for Ka)."""
    return not (stated.logarithm and not check.asked and 0 < abs(check.expected) < 1e-2)


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
    if right and target.open_unit and stated.unit is not None:
        detail = f"{shown} agrees with {expected}, but the check names no unit"
        return outcome.undetermined(BY, Reason.NOT_COMPARABLE, detail, rejected)
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
