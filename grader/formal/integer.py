"""Whole numbers: counts, charges, orders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, Reading, candidate, settle
from grader.answer.notation import Text, normalise
from grader.answer.number_words import CARDINALS
from grader.formal import bare, outcome
from grader.formal.registry import by
from grader.formal.values.arithmetic import TooMany
from grader.formal.values.results import ranked
from grader.formal.values.statements import Stated, is_bound, statements
from grader.formal.values.units import Unit
from grader.formal.values.worded import COUNT, count
from grader.problem.checks import IntegerCheck
from grader.record import Evidence, Finding, Reason, Rejected

BY = by("integer")

_BARE = bare.shape(r"[-+\u2212]?[0-9]{1,9}")

_NONE = re.compile(
    r"(?:\b(?P<verb>are|is|has|have|contains?|shows?|gives?|with)\s|(?:\A|(?<=[.;:,(\n—])\s?|->\s?|\b(?:and|so)\s))"
    r"(?P<no>no)\s(?=[a-z])",
    re.I,
)
_ROMANS = {"II": 2, "III": 3, "IV": 4, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "XII": 12}
_ROMAN = re.compile(
    rf"(?:(?:[=:]|\bis)[ ]|\A\W{{0,4}}(?=[IVX]+\W{{0,4}}\Z))(?P<roman>{'|'.join(_ROMANS)})(?![A-Za-z0-9])"
)
_SIGN_AFTER = re.compile(r"[ -](?P<sign>minus|plus|negative|positive)(?=\W{0,4}(?:\n|\Z)|[.,;)])", re.I)
"""The sign of a charge behind its number: "three minus"."""
_RESULT_AFTER = re.compile(r"[^.;\n=]{0,80}=")
_OPERAND_BEFORE = re.compile(r"(?:[×x*·+]|\btimes|\bplus)[ ](?:an? )?$")
_OPERAND_AFTER = re.compile(r"(?:[ ][A-Za-z-]{1,20}){0,3}[ ](?:[×x*·+]|times|plus|minus|less)[ ](?=\S)")
_NEGATIVE_AFTER = re.compile(r"[ ](?:unit )?negative (?:elementary |unit |formal )?charges?\b", re.I)
_PRONOUN_BEFORE = re.compile(
    r"\b(?:this|that|which|each|another|any|every|no|correct|right|wrong|first|second|last|other|only the|as|"
    r"former|latter|how|if|when|where|whether|what|once|until|unless)\s$",
    re.I,
)
_ONE_AFTER = re.compile(
    r"\s(?:can|could|may|might|must|should|would|will|has|gets|finds|sees|of|another|that|which|needs|"
    r"obtains|expects|counts|considers|includes|looks|uses|takes|draws|writes|assumes|neglects|ignores|"
    r"with|to|side|more|by)\b",
    re.I,
)
_DEFINITE = re.compile(r"\b(?:the|these|those|both|other|last|first|all|its|their)\s$", re.I)
_PARTITIVE = re.compile(r"\bof (?:the|these|those|its|all) $", re.I)
_OTHERS_AFTER = re.compile(r"\s(?:other|others|remaining|of(?!\s(?:them|these)[.,;)]))\b", re.I)
_JOINED = re.compile(r"(?:[ ][A-Za-z()]{1,20}){1,3}[ ](?:and|plus|\+)[ ]")
_UPPER = re.compile(r"\b(?:at most|up to|maximum|no more than|not exceed)\b", re.I)
_LOWER = re.compile(r"\b(?:at least|minimum|no (?:less|fewer) than)\b", re.I)
_STEM = 6
"""How many letters of a noun and of a label must agree: coordinate, coordination."""
_ADJECTIVE = re.compile(
    rf"(?<![\w.,-])(?:(?P<digits>[0-9]{{1,2}})|(?P<word>{'|'.join(CARDINALS)}))-(?P<noun>[a-z]{{{_STEM},14}})\b",
    re.I,
)
_ORDINALS = ("zeroth", "first", "second", "third", "fourth", "fifth")
_ORDER = re.compile(
    rf"(?<![\w-])(?:(?P<word>{'|'.join(_ORDINALS)})|(?P<digit>[0-9])(?:st|nd|rd|th))[ -]order\b"
    r"(?!,?\s(?:in|with respect|for|term|effect|spectr|approx|correct|perturb)[a-z]*\b)",
    re.I,
)
"""The order of a reaction, not of one reactant."""
_CHARGE = re.compile(r"(?<![\w.,^)\]+-])(?P<size>[0-9]{1,2})(?P<sign>[+-])(?!\w|[+-]|\.\d)")
_ELEMENT_UNITS = frozenset("CNKVWFSHPIBUDTAMLJmsdpfghet")
"""One-letter units that beside a count are an element, an orbital or a noun."""


def _whole(stated: Stated) -> bool:
    """Whether a stated value can be a count."""
    written = stated.written_unit.rstrip("-−⁻^")
    counted = stated.unit is None or written in _ELEMENT_UNITS or _moles(stated.unit)
    return counted and stated.form == "value" and float(stated.value).is_integer()


def _moles(unit: Unit) -> bool:
    """Whether a unit only says that a count is of moles: mol, mol of electrons, mol per mole."""
    return all(name in ("mole", "elementary_charge") for name, _ in unit.factors)


def _in_words(text: Text, reading: Reading) -> Iterator[Candidate[Stated]]:
    plain = text.plain
    for match in COUNT.finditer(plain):
        name = (match["word"] or "").lower()
        before = plain[max(0, match.start() - 20) : match.start()]
        if name in ("one", "single", "none") and _ONE_AFTER.match(plain, match.end()):
            continue
        if name in ("one", "hundred") and (_PRONOUN_BEFORE.search(before) or _DEFINITE.search(before)):
            continue
        if name == "zero" or _PARTITIVE.search(before) or _operand(plain, *match.span()):
            continue
        aside = bool(_DEFINITE.search(before) or _OTHERS_AFTER.match(plain, match.end()))
        yield _worded(text, match, aside)
    yield from _adjectives(text, reading)
    yield from _orders(text, reading)
    for match in _ROMAN.finditer(plain):
        yield candidate(text, Stated(float(_ROMANS[match["roman"]]), None, "", None), *match.span("roman"))
    for match in _NONE.finditer(plain):
        asked = reading.binder.within(match.end(), match.end() + 1)
        if match["verb"] or any(item.side == "own" for item in asked):
            yield candidate(text, Stated(0.0, None, "", None), *match.span("no"))


def _worded(text: Text, match: re.Match[str], aside: bool) -> Candidate[Stated]:
    """A number word as a count, a charge or a bound."""
    bound = is_bound(text.plain, *match.span())
    sign = _SIGN_AFTER.match(text.plain, match.end())
    negative = sign is not None and sign["sign"].lower() in ("minus", "negative")
    value = -count(match) if negative else count(match)
    stated = Stated(float(value), None, "", None, form="bound" if bound else "value")
    end = sign.end() if sign else match.end()
    doubt = "a bound is not a value" if bound else ""
    return candidate(text, stated, match.start(), end, aside=aside, doubt=doubt)


def _adjectives(text: Text, reading: Reading) -> Iterator[Candidate[Stated]]:
    """Counts in an adjective of what is asked for: "eight-coordinate" for a coordination number."""
    stems = {words[0][:_STEM] for label in reading.asked if (words := label.casefold().split())}
    for match in _ADJECTIVE.finditer(text.plain) if stems else ():
        number = match["digits"] or str(CARDINALS.index(match["word"].casefold()))
        if match["noun"][:_STEM].casefold() in stems:
            yield candidate(text, Stated(float(number), None, "", None), *match.span())


def _orders(text: Text, reading: Reading) -> Iterator[Candidate[Stated]]:
    """Orders said as ordinals: "third order overall"; beside the point unless an order is asked for."""
    asked = any("order" in label.casefold() for label in reading.asked)
    for match in _ORDER.finditer(text.plain):
        value = match["digit"] or _ORDINALS.index(match["word"].casefold())
        yield candidate(text, Stated(float(value), None, "", None), *match.span(), aside=not asked)


def _extreme(text: Text, reading: Reading, item: Candidate[Stated]) -> Candidate[Stated]:
    """A bound as the value it is where the greatest or least count is asked for."""
    asked = " ".join(reading.asked).casefold()
    if item.value.form != "bound" or not ("maxim" in asked or "minim" in asked):
        return item
    around = text.plain[max(0, item.plain[0] - 24) : item.plain[1] + 40]
    if not (_UPPER if "maxim" in asked else _LOWER).search(around):
        return item
    return replace(item, value=replace(item.value, form="value"), doubt="")


def _operand(plain: str, start: int, end: int) -> bool:
    """Whether a count is only computed with: "three ligands × two donors = 6"."""
    beside = _OPERAND_AFTER.match(plain, end) or _OPERAND_BEFORE.search(plain, max(0, start - 20), start)
    return beside is not None and _RESULT_AFTER.match(plain, end) is not None


def _charges(text: Text) -> Iterator[Candidate[Stated]]:
    for match in _CHARGE.finditer(text.plain):
        value = int(match["size"]) * (-1 if match["sign"] == "-" else 1)
        yield candidate(text, Stated(float(value), None, "", None), *match.span())


def _stated(text: Text, reading: Reading) -> list[Candidate[Stated]]:
    charges = list(_charges(text))
    taken = {item.plain[0] for item in charges}
    numbers = [
        item
        for item in statements(text, reading.binder, _whole)
        if item.plain[0] not in taken and not _operand(text.plain, *item.plain)
    ]
    said = (_extreme(text, reading, item) for item in (*numbers, *_in_words(text, reading)))
    counted = [_signed(text, reading, item) for item in said]
    return _without_parts(text, ranked(text, [*counted, *charges], _whole, reading.asked))


def _signed(text: Text, reading: Reading, item: Candidate[Stated]) -> Candidate[Stated]:
    """A count of negative charges as the charge it is."""
    counted = any("negative" in label.casefold() for label in reading.asked)
    if counted or item.value.value <= 0 or not _NEGATIVE_AFTER.match(text.plain, item.plain[1]):
        return item
    return replace(item, value=replace(item.value, value=-item.value.value))


def _without_parts(text: Text, stated: list[Candidate[Stated]]) -> list[Candidate[Stated]]:
    """Doubt equal counts that are joined: "2 cis and 2 trans isomers" are four."""
    parts: set[int] = set()
    for index, (one, two) in enumerate(pairwise(stated)):
        joined = _JOINED.fullmatch(text.plain, one.plain[1], max(one.plain[1], two.plain[0]))
        if joined and one.value.value == two.value.value:
            parts |= {index, index + 1}
    return [
        replace(item, doubt=item.doubt or "counts a part") if index in parts else item
        for index, item in enumerate(stated)
    ]


def decide(check: IntegerCheck, answer: Answer) -> Finding:
    """Decide whether an answer states the expected whole number."""
    return at_once(check, answer) or _at_length(check, answer)


def at_once(check: IntegerCheck, answer: Answer) -> Finding | None:
    """The finding on an answer that is one number."""
    found = bare.match(answer, _BARE, check.asked)
    if found is None:
        return None
    return _finding(check, int(found["value"].replace("\u2212", "-")), bare.evidence(found))


def _at_length(check: IntegerCheck, answer: Answer) -> Finding:
    """The finding on an answer in prose."""
    if not answer.text.strip():
        return outcome.blank(BY)
    text = normalise(answer.text)
    reading = Reading(text, check.asked, answer.others)
    try:
        stated = _stated(text, reading)
    except TooMany:
        return outcome.undetermined(
            BY, Reason.NOT_COMPARABLE, "the answer holds too many numbers to be weighed"
        )
    settled = settle(
        text,
        stated,
        same=lambda one, two: one.value == two.value and one.form == two.form,
        asked=check.asked,
        others=answer.others,
        cut=answer.cut,
        fits=_whole,
        reading=reading,
    )
    taken = settled.candidate
    if taken is None or (not _whole(taken.value) and taken.value.unit is not None):
        return outcome.unsettled(BY, settled, "whole number")
    return _finding(check, taken.value.value, taken.evidence, settled.rejected)


def _finding(
    check: IntegerCheck, value: float, evidence: Evidence, rejected: tuple[Rejected, ...] = ()
) -> Finding:
    right = value == check.expected
    shown = f"{value:.12g}"
    detail = f"{shown} {'agrees with' if right else 'differs from'} {check.expected}"
    return outcome.stated(BY, right, evidence, detail, shown, rejected, value=shown)
