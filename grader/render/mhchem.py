r"""Chemistry macros as plain LaTeX: ``\ce{}`` and ``\pu{}`` as mhchem prints them, units as siunitx does.

The common part of mhchem's language: formulas with subscripts, charges,
isotopes, bonds, arrows with text, states, hydrates, powers in units.
Source: the mhchem manual, version 4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from grader.answer import siunitx

_MACRO = re.compile(r"\\(ce|cee|cf|ch|pu)\s*(?=\{)")
_ARROWS = {
    "<=>>": r"\rightleftharpoons",
    "<<=>": r"\rightleftharpoons",
    "<=>": r"\rightleftharpoons",
    "<-->": r"\rightleftarrows",
    "<->": r"\leftrightarrow",
    "->": r"\rightarrow",
    "<-": r"\leftarrow",
}
_LONG = {r"\rightarrow": r"\xrightarrow", r"\leftarrow": r"\xleftarrow"}
_ARROW = re.compile("|".join(map(re.escape, sorted(_ARROWS, key=len, reverse=True))) + "|→|⇌|⟶")
_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<state>\((?:aq|s|l|g|cr|am)\))
    |(?P<electron>e\^?-(?![A-Za-z]))
    |(?P<element>[A-Z][a-z]?)
    |(?P<raised>\^(?:\{[^{}]*\}|\d*[+-]|[0-9.]+|[a-z+*-]|•))
    |(?P<lowered>_(?:\{[^{}]*\}|[0-9]+|[A-Za-z]))
    |(?P<gas>\^(?=\s|$))
    |(?P<solid>(?<=\s)v(?=\s|$))
    |(?P<number>(?<![A-Za-z)\]}\d])\d+\.\d+|\d+(?:/\d+)?)
    |(?P<word>[a-z]{2,})
    |(?P<charge>[+-](?=[\s)\]}\[(,;]|$))
    |(?P<command>\\[A-Za-z]+\s?|\\.)
    |(?P<maths>\$[^$]*\$)
    |(?P<bond>[-=\#~])
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_POWER = re.compile(r"(?<=[A-Za-zÅµΩ])(?:\^\{?(?P<marked>[-+−]?\d+)\}?|(?P<bare>[-−]?\d+))")
_BETWEEN = re.compile(r"[ ~*.]+(?=[A-Za-zÅµΩ])")
_THIN = r"\\,"
_TIMES = re.compile(r"(?<=\d)\s*[eE]\s*(?P<power>[-+]?\d+)")


def without_mhchem(latex: str) -> str:
    """LaTeX with its chemistry macros written out; what isn't closed stays as it is. Linear in its length."""
    parts: list[str] = []
    at = 0
    for found in _MACRO.finditer(latex):
        if found.start() < at:
            continue
        end = _closing(latex, found.end())
        if end is None:
            break
        read = _units if found[1] == "pu" else _formula
        parts += [latex[at : found.start()], "{", read(latex[found.end() + 1 : end]), "}"]
        at = end + 1
    return "".join(parts) + latex[at:]


_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)


def _closing(text: str, start: int) -> int | None:
    """Where the brace that opens at ``start`` is closed; None where it isn't."""
    depth = 0
    for found in _BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.start()
    return None


def _formula(source: str) -> str:
    """What stands between the braces of ``\\ce``: formulas, and arrows with what stands on them."""
    parts, at = [], 0
    for arrow in _ARROW.finditer(source):
        if arrow.start() < at:
            continue
        above, below, end = _conditions(source, arrow.end())
        sign = _ARROWS.get(arrow[0], r"\rightleftharpoons" if arrow[0] == "⇌" else r"\rightarrow")
        parts += [_species(source[at : arrow.start()]), _arrow(sign, above, below)]
        at = end
    return "".join([*parts, _species(source[at:])])


_CONDITION = re.compile(r"\[([^\[\]]*)\]")


def _conditions(source: str, at: int) -> tuple[str, str, int]:
    """What stands above and below an arrow, in brackets after it, and where they end."""
    above = _CONDITION.match(source, at)
    if above is None:
        return "", "", at
    below = _CONDITION.match(source, above.end())
    return _species(above[1]), _species(below[1]) if below else "", (below or above).end()


def _arrow(sign: str, above: str, below: str) -> str:
    if not above and not below:
        return f" {sign} "
    if sign in _LONG:
        return f" {_LONG[sign]}{f'[{below}]' if below else ''}{{{above}}} "
    stacked = rf"\overset{{{above}}}{{{sign}}}"
    return rf" \underset{{{below}}}{{{stacked}}} " if below else f" {stacked} "


def _species(source: str) -> str:
    return "".join(_written(source.strip()))


def _written(source: str) -> Iterator[str]:
    """A number counts the atoms before it, or the species after it; a hyphen is a charge or a bond."""
    after = ""
    for found in _TOKEN.finditer(source):
        kind, text = str(found.lastgroup), found[0]
        counts = after in ("element", "closed", "lowered")
        yield _READ[kind](text, counts) if kind in _READ else text
        after = "closed" if text in (")", "]", "}") or (counts and kind == "number") else kind


def _number(text: str, counts: bool) -> str:
    if counts:
        return f"_{{{text}}}"
    upper, slash, lower = text.partition("/")
    return rf"\frac{{{upper}}}{{{lower}}}" if slash else rf"{text}\,"


def _charge(text: str, counts: bool) -> str:
    return f"^{{{text}}}" if counts else f" {text} "


def _other(text: str, counts: bool) -> str:
    if text in ("*", ".", "·", "•"):
        return r"\cdot "
    if text in "&%#_":
        return rf"\{text}"
    return text if text in "()[]{},;:/|+!'" else rf"\text{{{text}}}"


_READ: dict[str, Callable[[str, bool], str]] = {
    "space": lambda text, counts: r"\ ",
    "state": lambda text, counts: rf"\text{{{text}}}",
    "electron": lambda text, counts: r"\text{e}^{-}",
    "element": lambda text, counts: rf"\text{{{text}}}",
    "raised": lambda text, counts: f"^{{{text[1:].strip('{}')}}}",
    "lowered": lambda text, counts: f"_{{{text[1:].strip('{}')}}}",
    "number": _number,
    "word": lambda text, counts: rf"\text{{{text}}}",
    "charge": _charge,
    "gas": lambda text, counts: r"\uparrow ",
    "solid": lambda text, counts: r"\downarrow ",
    "maths": lambda text, counts: text[1:-1],
    "bond": lambda text, counts: {"=": "{=}", "#": r"\equiv ", "-": "{-}", "~": "{-}"}[text],
    "other": _other,
}


def _units(source: str) -> str:
    """What stands between the braces of ``\\pu``: a number, then units with powers."""
    text = _TIMES.sub(lambda found: rf" \times 10^{{{found['power']}}}", source.strip())
    text = _POWER.sub(lambda found: f"^{{{found['marked'] or found['bare']}}}", text)
    return rf"\mathrm{{{_BETWEEN.sub(_THIN, text)}}}"


_QUANTITY = re.compile(
    r"\\(?:(?:SI|qty)\s*\{(?P<number>[^{}]*)\}\s*\{(?P<of>[^{}]*)\}|(?:si|unit)\s*\{(?P<unit>[^{}]*)\}"
    r"|num\s*\{(?P<bare>[^{}]*)\})"
)


def without_units(latex: str) -> str:
    """LaTeX with the quantities of siunitx written out."""
    return _QUANTITY.sub(lambda found: _quantity(*found.group("number", "of", "unit", "bare")), latex)


def _quantity(number: str | None, of: str | None, unit: str | None, bare: str | None) -> str:
    macros = of or unit or ""
    spelled = siunitx.spelled(macros) if "\\" in macros else macros
    return _units(f"{number or bare or ''} {spelled}")
