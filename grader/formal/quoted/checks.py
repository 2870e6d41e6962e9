"""The checks that the text of a flexible point proposes: for each value it gives as its answer.

Only what the line plainly presents as right is proposed; what it accepts
besides, refuses, deducts for or derives from is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from grader.answer.cover import Cover
from grader.formal.quoted.line import MASK, Line, Stretch
from grader.formal.quoted.numbers import numbers
from grader.formal.quoted.structures import ambiguous, formula, structure
from grader.formal.quoted.written import written
from grader.formal.reading.smiles_tokens import is_smiles
from grader.problem.checks import BooleanCheck, CheckModel, ChoiceCheck, FormulaCheck, SmilesCheck

LONGEST = 4000
"""Longer texts are no single criterion, and nothing is proposed for them."""
MOST = 24
"""Nor are texts that give more values."""

_CHOICE = re.compile(
    r"(?:(?i:option|choice|answer)\s)?\(?(?P<letters>[A-Ha-h](?:\s?(?:,|and|&)\s?[A-H])*)\)?"
)
_HEADED = re.compile(r"\s*[^\s:]{1,5}\s?:\s")
_BOOLEAN = {"yes": True, "true": True, "no": False, "false": False}
_WORD = re.compile(r"[^\s,;]+")
_OR = re.compile(r"[\s,;'\"]{0,4}(?:\(|/|=|\b(?:or|alternatively|i\.e\.|that is)\b)[^'\".;()]{0,30}", re.I)
_WORDS_MOST = 8
"""With more words around it a formula is talked about, not given."""
_GIVES = re.compile(r"(?:\b(?:is|are|be|forms?|gives?|yields?|product|obtained)|[:=])\s*$", re.I)


@dataclass(frozen=True, slots=True)
class QuotedCheck:
    """A value that a text gives as right: ``text[start:end] == quote``."""

    check: CheckModel
    quote: str
    start: int
    end: int
    group: int = 0
    """Values of one group are alternatives: any of them is right."""
    open: bool = False
    """The text accepts more than it quotes: another value isn't wrong by that."""


@lru_cache(maxsize=4096)
def quoted_checks(text: str) -> tuple[QuotedCheck, ...]:
    """The values that the text of a flexible point gives as right, in order; empty if code sees none."""
    if len(text) > LONGEST:
        return ()
    line = Line(text)
    found = [
        QuotedCheck(one.check, text[one.start : one.end], one.start, one.end, open=line.open())
        for one in written(line)
    ]
    taken = Cover((one.start, one.end) for one in found)
    found += [one for one in _structures(line) if not taken.touches(one.start, one.end)]
    hidden = tuple((one.start, one.end) for one in found)
    found += [
        QuotedCheck(one.check, text[one.start : one.end], one.start, one.end, open=one.open)
        for one in numbers(line, hidden)
    ]
    found = found or list(_whole(line))
    ordered = sorted(found, key=lambda one: one.start)
    return tuple(_grouped(line, ordered)) if len(found) <= MOST else ()


def _structures(line: Line) -> Iterator[QuotedCheck]:
    """Structures and formulas in quotation marks, code or LaTeX, and SMILES that can be nothing else."""
    for one in line.stretches:
        start, end = one.outer
        if line.refused(start, end) or line.passing(start, end) or line.heads(end):
            continue
        quote = line.text[one.start : one.end]
        label = line.label(start)
        check: CheckModel | None = None if one.math else structure(quote, label, line.stereo)
        if check is None and _given(line, one) and (one.math or not ambiguous(quote)):
            check = formula(quote, label, sure=True)
        if check is not None:
            yield QuotedCheck(check, quote, one.start, one.end, open=_is_open(line, check))
    for word in _WORD.finditer(line.words):
        quote = word.group().strip(".:")
        start = word.start() + word.group().index(quote)
        end = start + len(quote)
        if not is_smiles(quote) or line.refused(start, end) or line.passing(start, end):
            continue
        if check := structure(quote, line.label(start), line.stereo):
            yield QuotedCheck(check, quote, start, end, open=_is_open(line, check))


def _is_open(line: Line, check: CheckModel) -> bool:
    """Whether another structure or formula than the quoted one isn't wrong by that."""
    if isinstance(check, FormulaCheck) and check.compare == "structure":
        return True  # it can be written in so many ways, as SMILES too
    return line.open() or (isinstance(check, SmilesCheck) and line.speaks_of_stereo)


def _given(line: Line, one: Stretch) -> bool:
    """Whether a formula is given as an answer, not mentioned in an explanation."""
    low, _ = line.clause(one.outer[0])
    few = len(re.findall(r"[A-Za-z]{2,}", line.words)) <= _WORDS_MOST
    return few or _GIVES.search(line.words, low, one.outer[0]) is not None


def _whole(line: Line) -> Iterator[QuotedCheck]:
    """A text that is nothing but an answer: a formula, an option, a verdict; a label may stand before it."""
    body = line.body
    head = _HEADED.match(body)
    low = head.end() if head else 0
    quote = body[low:].strip(" .,;\n")
    start = body.index(quote, low)
    check: CheckModel | None = None
    if letters := _CHOICE.fullmatch(quote):
        chosen = re.findall(r"\b[A-H]\b", letters["letters"].upper())
        check = ChoiceCheck(kind="choice", expected=", ".join(chosen), multiple=len(chosen) > 1)
    elif quote.lower() in _BOOLEAN:
        check = BooleanCheck(kind="boolean", expected=_BOOLEAN[quote.lower()])
    elif quote and not line.stretches and not any(sign.isspace() for sign in quote):
        check = formula(quote, line.label(start), sure=False)
    if check is not None and not line.refused(start, start + len(quote)):
        yield QuotedCheck(check, quote, start, start + len(quote), open=_is_open(line, check))


def _grouped(line: Line, found: list[QuotedCheck]) -> Iterator[QuotedCheck]:
    """The checks, alternatives ("or", a gloss in brackets) in one group; all open if one isn't quoted."""
    group = -1
    end = 0
    joints: list[tuple[int, int]] = []
    grouped: list[QuotedCheck] = []
    for one in found:
        gap = line.words[end : one.start].strip(MASK)
        joined = group >= 0 and (_OR.fullmatch(gap) or (one.quote.startswith("(") and not gap.strip()))
        group += not joined
        joints += [(end, one.start)] if joined else []
        grouped.append(replace(one, group=group))
        end = one.end
    loose = any(not any(low <= place < high for low, high in joints) for place in line.alternatives())
    return (replace(one, open=one.open or loose) for one in grouped)
