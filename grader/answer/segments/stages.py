"""Headings that number the stages of one solution, "1. Identify, 2. Balance, 3. Check", not parts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.answer.segments.questions import words

_LONGEST = 8
"""A heading of more words says something of its own."""
_OWN = re.compile(r"[^\W\d_]{3}|[0-9][.][0-9]")
"""What makes a label more than a number: a word, or the number of a part within another."""
_VAGUE = re.compile(r"\b(?:sections?|tasks?|items?)\b", re.I)
"""Words for parts of a problem, and as well for parts of a solution."""
_TAG = re.compile(r"<[^<>\n]{0,80}>|\\\w{1,20}")
_BOLD = re.compile(r"[ \t]*(?:\*\*|__)(?P<title>[^*\n]{1,80})(?:\*\*|__)")
_LEAD = re.compile(r"[ \t]*(?P<title>[A-Z][a-z]+(?: [a-z]+){0,3}):(?=\s)")
_FRAMING_WORDS = """
    introduction overview background summary conclusion conclusions conclude check checks checking verify
    verifying verification validation given givens required known knowns unknowns discussion plan planning
    strategy approach understand understanding recap assumptions assumption notes remarks references
    sanity setup restate statement framework roadmap wrap
"""
_FRAMING = frozenset(_FRAMING_WORDS.split())
"""Words for what every solution has and no part asks for."""
_WORKING_WORDS = """
    identify identifying identification determine balance balancing calculate calculating calculation
    calculations solve solving solution write writing compute computing convert converting conversion
    compare comparing comparison apply applying substitute substituting substitution plug insert
    inserting rearrange simplify execute execution result results answer answers final details detail
    principle principles theory practice method methods data formula formulas equation equations
    reaction reactions species value values quantity quantities step steps problem find finding list use
    using derive derivation evaluate evaluation estimate recognise recognize define state choose combine
    assign confirm relate deduce interpret interpretation analyse analyze analysis set setting gather
    collect information key relevant basic main more think thinking reason reasoning work working carry
    process procedure numbers units concept concepts
"""
_WORKING = frozenset(_WORKING_WORDS.split())
"""Words for what is done in any solution."""
_SMALL_WORDS = "the a an of and for to in up out it all its this our we with on into by from what is"
_SMALL = frozenset(_SMALL_WORDS.split())


def names_stages(titles: Sequence[str], questions: Sequence[Sequence[str]]) -> bool:
    """Whether titles only say what is done in any solution.

    One that frames a solution ("Check", "Overview") is enough, of the others more
    than half, each counted once. What a question says itself is never a stage:
    ``questions`` are the words of the question that each title would head, empty
    where nobody knows them.
    """
    staged = {said for one, asked in zip(titles, questions, strict=True) if (said := _staged(one, asked))}
    framing = any(word in _FRAMING for said in staged for word in said)
    return framing or len(staged) > len(titles) / 2


def _staged(title: str, question: Sequence[str]) -> tuple[str, ...]:
    """The words of a title that says what is done in any solution; empty for others."""
    said = tuple(word for word in words(title) if word not in _SMALL)
    if len(said) > _LONGEST or not all(word in _FRAMING | _WORKING for word in said):
        return ()
    return () if all(any(word[:5] == other[:5] for other in question) for word in said) else said


def title(label: str, below: str, *, headed: bool) -> str:
    """The title behind a bare label on its line; empty where the label is no bare one.

    ``headed``: its line is a heading; else only what is bold, or ends with a colon, is a title.
    """
    bare, vague = _VAGUE.subn("", _TAG.sub("", label))
    if _OWN.search(bare):
        return ""
    line = below.partition("\n")[0]
    if bare.count("**") % 2:
        return line.partition("**")[0]
    if headed or vague:
        return _TAG.sub("", line)
    match = _BOLD.match(line) or _LEAD.match(line)
    return match["title"] if match else ""
