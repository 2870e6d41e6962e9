"""Text for LaTeX: every character is printed, none is a command, whatever engine reads it.

The result is ASCII and the Latin letters that LaTeX reads as UTF-8 by itself,
plus commands of its own making; what LaTeX has no letter for is named by its
code point instead of stopping the run.
"""

from __future__ import annotations

import re
import unicodedata

from grader.answer.latex import GREEK
from grader.render.plain import one_line

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    # after the end of a row these two would be its options
    "[": "{[}",
    "*": "{*}",
    **{character: f"\\{character}" for character in "{}$&#%_"},
}
_MATHS = {
    "−": "-",
    "±": r"\pm",
    "×": r"\times",
    "÷": r"\div",
    "·": r"\cdot",
    "≤": r"\leq",
    "≥": r"\geq",
    "≠": r"\neq",
    "≈": r"\approx",
    "∞": r"\infty",
    "√": r"\surd",
    "→": r"\rightarrow",
    "←": r"\leftarrow",
    "↔": r"\leftrightarrow",
    "⇌": r"\rightleftharpoons",
    "⇒": r"\Rightarrow",
    "↑": r"\uparrow",
    "↓": r"\downarrow",
    "★": r"\star",
    "′": r"\prime",
    "‡": r"\ddagger",
    "∘": r"\circ",
}
_WORDS = {
    "–": "--",
    "—": "---",
    "‐": "-",
    "‑": "-",
    "…": r"\ldots{}",
    "‘": "`{}",
    "’": "'{}",
    "“": "``{}",
    "”": "''{}",
    "„": r"\quotedblbase{}",
    "°": r"\textdegree{}",
    "µ": r"\textmu{}",
    "•": r"\textbullet{}",
    "†": r"\textdagger{}",
    "\u00a0": "~",
}
_GREEK = {letter: name for name, letter in GREEK.items()}
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", "0123456789+-=()n", strict=True))
_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ", "0123456789+-=()n", strict=True))
_RUN = re.compile(f"[{''.join(_SUPERSCRIPTS)}]+|[{''.join(_SUBSCRIPTS)}]+|-+|.", re.DOTALL)
_LETTERS = re.compile("[ -~À-ÖØ-öø-ſ]")


def latex_text(text: str) -> str:
    """A text as one line of LaTeX that prints it."""
    return "".join(_written(found[0]) for found in _RUN.finditer(one_line(text)))


def _written(character: str) -> str:
    """A character, or a run of hyphens or of raised or lowered digits."""
    if character[0] == "-":
        return "{}".join(character)  # two hyphens would be a dash
    if character[0] in _SUPERSCRIPTS:
        return rf"\textsuperscript{{{_raised(character, _SUPERSCRIPTS)}}}"
    if character[0] in _SUBSCRIPTS:
        return rf"\textsubscript{{{_raised(character, _SUBSCRIPTS)}}}"
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character in _WORDS:
        return _WORDS[character]
    if character in _MATHS:
        return f"${_MATHS[character]}$"
    if character in _GREEK:
        return rf"$\{_GREEK[character]}$"
    return character if _LETTERS.fullmatch(character) else _named(character)


def _raised(characters: str, plain: dict[str, str]) -> str:
    """A minus sign between dollars: a hyphen would be too short."""
    return "".join(plain[character] for character in characters).replace("-", "$-$")


def _named(character: str) -> str:
    """The nearest plain spelling of a character, or its code point."""
    simple = unicodedata.normalize("NFKC", character)
    if simple != character and all(_LETTERS.fullmatch(one) for one in simple):
        return "".join(_SPECIAL.get(one, one) for one in simple)
    return f"(U+{ord(character):04X})"
