"""Equations, reactions, orders and configurations that a rubric's text gives as its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.answer.notation import normalise
from grader.formal.equations.balance import balanced
from grader.formal.equations.reader import find_equations
from grader.formal.formulas.tree import Unreadable as UnreadableFormula
from grader.formal.formulas.tree import read_formula
from grader.formal.quoted.line import Line
from grader.formal.structures.reaction import read_reaction
from grader.formal.structures.structure import Unreadable
from grader.problem.checks import (
    CheckModel,
    ElectronConfigurationCheck,
    EquationCheck,
    ReactionCheck,
    SequenceCheck,
)

_ARROWS = re.compile(r">[^\s>]*>")
_MEMBER = r"(?:\[[^\[\]\s]{1,30}\]|[A-Za-z0-9_^{}+().-]){1,30}"
_CHAIN = re.compile(
    rf"(?P<first>{_MEMBER})(?P<rest>(?:\s?(?P<sign>[<>])\s?{_MEMBER})(?:\s?(?P=sign)\s?{_MEMBER})+)"
)
_LABEL = re.compile(r"[A-Z]|[IVX]{1,4}|[ivx]{1,4}|[a-h]|[1-9][0-9]?")
_SHELLS = re.compile(r"(?:\[(?:He|Ne|Ar|Kr|Xe|Rn)\]\s?)?(?:[1-7]\s?[spdf]\s?\^?\{?\d{1,2}\}?\s?){1,16}")
_RELATION = re.compile(r"\\?(?:rightarrow|longrightarrow|to\b)|[<>=→⇌]|->")


@dataclass(frozen=True, slots=True)
class Quote:
    """A check for ``text[start:end]``."""

    check: CheckModel
    start: int
    end: int


def written(line: Line) -> list[Quote]:
    """The values of a line that need more than one formula or number to write, in order."""
    found = [*_reactions(line)]
    taken = [(one.start, one.end) for one in found]
    for one in (*_equations(line, taken), *_stretched(line)):
        if not any(one.start < end and start < one.end for start, end in taken):
            found.append(one)
            taken.append((one.start, one.end))
    return sorted((one for one in found if not line.refused(one.start, one.end)), key=lambda one: one.start)


def _reactions(line: Line) -> Iterator[Quote]:
    """Reaction SMILES in quotation marks or code."""
    for one in line.stretches:
        quote = line.text[one.start : one.end]
        if one.math or not _ARROWS.search(quote) or any(sign.isspace() for sign in quote):
            continue
        try:
            read_reaction(quote)
        except Unreadable:
            continue
        yield Quote(
            ReactionCheck(kind="reaction", expected=quote, asked=line.label(one.outer[0])), one.start, one.end
        )


def _equations(line: Line, hidden: list[tuple[int, int]]) -> Iterator[Quote]:
    """Equations that balance, wherever they stand; one that doesn't is the author's to mend."""
    if not _RELATION.search(line.body):
        return
    shown = list(line.body)
    for start, end in hidden:
        shown[start:end] = " " * (end - start)
    for one in find_equations(normalise("".join(shown)), nuclear=False):
        start, end = _trimmed(line.body, one.start, one.end)
        if one.equation.words or one.scheme or not balanced(one.equation, nuclear=False):
            continue
        check = EquationCheck(kind="equation", expected=line.body[start:end], asked=line.label(start))
        yield Quote(check, start, end)


def _trimmed(body: str, start: int, end: int) -> tuple[int, int]:
    """A span with the braces that belong to it, without spaces at its ends."""
    while body[end : end + 1] == "}" and body.count("{", start, end) > body.count("}", start, end):
        end += 1
    while start < end and body[start].isspace():
        start += 1
    return start, end


def _stretched(line: Line) -> Iterator[Quote]:
    """Orders and configurations that fill a stretch in LaTeX or quotation marks, or the whole line."""
    places = [(one.start, one.end) for one in line.stretches] or [_whole(line)]
    for start, end in places:
        quote = line.body[start:end]
        check = _order(quote, line.label(start)) or _configuration(quote, line.label(start))
        if check is not None:
            yield Quote(check, start, end)


def _whole(line: Line) -> tuple[int, int]:
    text = line.body.strip(" .,;\n")
    start = line.body.index(text) if text else 0
    return start, start + len(text)


def _order(quote: str, label: tuple[str, ...]) -> SequenceCheck | None:
    """A chain of labels or formulas, the first the greatest for ">" and the least for "<"."""
    found = _CHAIN.fullmatch(normalise(quote).plain.strip())
    if found is None:
        return None
    members = tuple(re.split(rf"\s?{found['sign']}\s?", found[0]))
    if len(set(members)) < len(members):
        return None
    order = "decreasing" if found["sign"] == ">" else "increasing"
    if all(_LABEL.fullmatch(member) for member in members):
        return SequenceCheck(kind="sequence", expected=members, items="label", order=order, asked=label)
    if all(_is_formula(member) for member in members):
        return SequenceCheck(kind="sequence", expected=members, items="formula", order=order, asked=label)
    return None


def _is_formula(text: str) -> bool:
    try:
        read_formula(text)
    except UnreadableFormula:
        return False
    return True


def _configuration(quote: str, label: tuple[str, ...]) -> ElectronConfigurationCheck | None:
    plain = normalise(quote).plain.strip()
    if not _SHELLS.fullmatch(plain) or (len(re.findall(r"[spdf]", plain)) < 2 and "[" not in plain):
        return None
    return ElectronConfigurationCheck(kind="electron_configuration", expected=quote.strip(), asked=label)
