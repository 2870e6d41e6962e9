"""Whole numbers: counts, charges, orders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, Reading, candidate, settle
from grader.answer.notation import Text, normalise
from grader.formal import bare, outcome
from grader.formal.registry import by
from grader.formal.values.arithmetic import TooMany
from grader.formal.values.results import ranked
from grader.formal.values.statements import Stated, statements
from grader.problem.checks import IntegerCheck
from grader.record import Evidence, Finding, Reason, Rejected

BY = by("integer")

_BARE = bare.shape(r"[-+\u2212]?[0-9]{1,9}")

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS: dict[str, int] = {
    **{word: value for value, word in enumerate(_UNITS.split())},
    **{word: 10 * value for value, word in enumerate(_TENS.split(), start=2)},
    "dozen": 12,
    "single": 1,
    "none": 0,
    "hundred": 100,
}
_WORD = re.compile(
    rf"(?<![A-Za-z-])(?P<sign>(?:minus|negative) )?"
    rf"(?:(?P<tens>{'|'.join(_TENS.split())})[- ](?P<units>{'|'.join(_UNITS.split()[1:10])})"
    rf"|(?:a |one )?(?P<word>{'|'.join(_WORDS)}))(?![A-Za-z]|-[A-Za-z])",
    re.I,
)
_NONE = re.compile(r"\b(?:are|is|has|have|contains?|shows?|gives?|with)\s(?P<no>no)\s(?=[a-z])", re.I)
_PRONOUN_BEFORE = re.compile(
    r"\b(?:this|that|which|each|another|any|every|no|correct|right|wrong|first|second|last|other|only the|as|"
    r"former|latter)\s$",
    re.I,
)
_ONE_AFTER = re.compile(
    r"\s(?:can|could|may|might|must|should|would|will|has|gets|finds|sees|of|another|that|which|needs|"
    r"obtains|expects|"
    r"with|to|side|more|by)\b",
    re.I,
)
_DEFINITE = re.compile(r"\b(?:the|these|those|both|other|last|first|all|its|their)\s$", re.I)
_PARTITIVE = re.compile(r"\bof (?:the|these|those|its|all) $", re.I)
_OTHERS_AFTER = re.compile(r"\s(?:other|others|remaining|of)\b", re.I)
_JOINED = re.compile(r"(?:[ ][A-Za-z()]{1,20}){1,3}[ ](?:and|plus|\+)[ ]")
_CHARGE = re.compile(r"(?<![\w.,^)\]+-])(?P<size>[0-9]{1,2})(?P<sign>[+-])(?!\w|[+-]|\.\d)")
_ELEMENT_UNITS = frozenset("CNKVWFSHPIBUDTAMLJmsdpfghe")
"""One-letter units that beside a count are an element, an orbital or a noun."""


def _whole(stated: Stated) -> bool:
    """Whether a stated value can be a count."""
    bare = stated.unit is None or stated.written_unit.rstrip("-−⁻^") in _ELEMENT_UNITS
    return bare and stated.form == "value" and float(stated.value).is_integer()


def _in_words(text: Text) -> Iterator[Candidate[Stated]]:
    plain = text.plain
    for match in _WORD.finditer(plain):
        name = (match["word"] or "").lower()
        before = plain[max(0, match.start() - 20) : match.start()]
        if name in ("one", "single", "none") and _ONE_AFTER.match(plain, match.end()):
            continue
        if name in ("one", "hundred") and (_PRONOUN_BEFORE.search(before) or _DEFINITE.search(before)):
            continue
        tens = match["tens"]
        value = _WORDS[tens.lower()] + _WORDS[match["units"].lower()] if tens else _WORDS[name]
        if match["sign"]:
            value = -value
        if _PARTITIVE.search(before):
            continue
        aside = bool(_DEFINITE.search(before) or _OTHERS_AFTER.match(plain, match.end()))
        if name != "zero":
            yield candidate(text, Stated(float(value), None, "", None), *match.span(), aside=aside)
    for match in _NONE.finditer(plain):
        yield candidate(text, Stated(0.0, None, "", None), *match.span("no"))


def _charges(text: Text) -> Iterator[Candidate[Stated]]:
    for match in _CHARGE.finditer(text.plain):
        value = int(match["size"]) * (-1 if match["sign"] == "-" else 1)
        yield candidate(text, Stated(float(value), None, "", None), *match.span())


def _stated(text: Text, reading: Reading) -> list[Candidate[Stated]]:
    charges = list(_charges(text))
    taken = {item.plain[0] for item in charges}
    numbers = [item for item in statements(text, reading.binder, _whole) if item.plain[0] not in taken]
    return _without_parts(text, ranked(text, [*numbers, *_in_words(text), *charges], _whole))


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
