"""The spelling that equations are read in: one character an arrow, its conditions set aside.

It goes on from the plain spelling of ``grader.answer.notation`` and keeps the
way back to the raw text. ``→ ⇌ ←`` stand for the arrows, ``_`` before an atomic
number that is written as a subscript, and a line break ends an equation unless
the line breaks off at a plus or an arrow.
"""

from __future__ import annotations

import re
from functools import lru_cache

from grader.answer.notation import Text
from grader.answer.traced import Piece, Traced, drop, keep_group, literal
from grader.formal.formulas.tree import PARTED

FORWARD, EQUILIBRIUM, BACKWARD = "→", "⇌", "←"
ARROWS = FORWARD + EQUILIBRIUM + BACKWARD

_ENVIRONMENT = re.compile(
    r"\\(?:begin|end)(?:\{[a-z]{3,12}\*?\}|(?:align(?:ed|at)?|gather(?:ed)?|split|equation|array|eqnarray|"
    r"multline|cases|reaction|chemmath)\*?)(?:\{[lcr|@{} ]{0,12}\})?"
)
_ROW_END = re.compile(
    r"\\\\(?:\[[0-9a-z.]{1,8}\])?|\\(?:newline|cr)\b|\\tag\*?\s?\{?[0-9A-Za-z]{0,4}\}?|\\n(?:onumber|otag)"
)
_ALIGNED = re.compile(r"&")
_COMMAND = re.compile(
    r"\\(?:left|right|mathstrut|phantom|hspace\*?[0-9a-z.]{0,8}|displaystyle|bigl?|bigr)(?![A-Za-z])\.?"
)
_STAR = re.compile(r"\*(?=\((?:aq|s|l|g)\))|(?<=\([slg]\))\*(?!\*)|(?<=\(aq\))\*(?!\*)")

_SHAFT = r"[-=━─—–]"
_HEAD = r"(?:>{1,2}|➝|➤)"
_OVER = r"[^-=\n<>+→⇌←|]{1,60}?"
_BOTH = re.compile(rf"<{{1,2}}\s?{_SHAFT}{{1,6}}\s?>{{1,2}}")
_BOTH_LABELLED = re.compile(rf"<{_SHAFT}{{2,6}}\s?{_OVER}\s?{_SHAFT}{{2,6}}>")
_BACK = re.compile(rf"<{_SHAFT}{{1,6}}(?=\s)")
_BRACKETED = re.compile(rf"(?<=\s){_SHAFT}{{1,3}}[\[(][^\[\]()\n]{{1,40}}[\])]{_SHAFT}{{1,3}}{_HEAD}")
_HEATED = re.compile(r"=\s?\(?(?:Δ|△|hν|heat)\)?\s?=(?=[\s0-9A-Z])")
_LABELLED = re.compile(rf"(?:-{{2,8}}|={{2,8}})\s?{_OVER}\s?[-=]{{1,8}}>")
_SIMPLE = re.compile(rf"(?<!<){_SHAFT}{{1,10}}\s?{_HEAD}")
_DASHED = re.compile(rf"(?<=\s)(?:—|–|─|━|--){_SHAFT}{{0,5}}(?=\S){_OVER}(?<=\S)→")
_TELLING = r"(?=[^\[\]()\n]{0,60}(?:[a-z]{3}|°|Δ|hν|\bcat|,))"
"""What no formula holds: a word, a temperature, a list."""
_CONDITION = (
    r"\[(?:[^\[\]\n]|\[[^\[\]\n]{0,60}\]){0,80}\](?=\s?\[|\s[0-9A-Z(\[^e])"
    rf"|\s?\[{_TELLING}[^\[\]\n]{{1,60}}\]"
    rf"|\s?\({_TELLING}[^()\n]{{1,60}}\)"
    r"|\s?(?:Δ|△|hν|heat)(?=\s[0-9A-Z(\[^e])"
    r"|\s?\((?:Δ|△|hν|H\^\+|[A-Z][A-Za-z0-9]{1,12})\)(?=\s[0-9A-Z(\[^e])"
    r"|\s?[\^_](?![0-9+-])\(?[^\s+→⇌←]{1,30}(?=\s)"
)
_BESIDE = re.compile(rf"(?P<arrow>[→⇌←])(?:{_CONDITION}){{1,2}}")
_NUCLIDE = re.compile(r"\^[+-]?[0-9]{2,6}(?=\s?[A-Za-zαβγν])")
_NUMBER_FIRST = re.compile(r"(?<![_0-9A-Za-z)\]])[0-9]{1,3}(?=\s?\^[0-9]{1,3}m?\s?[A-Za-zα-ω])")
_NUMBER_SYMBOL = re.compile(
    r"(?<![_0-9A-Za-z)\]^])[0-9]{1,3}(?=(?:[A-Z][a-z]?|[nep])\^[0-9]{1,3}(?![0-9+-]))"
)
_LOWERED = re.compile(r"(?:_\s?\{?[\s\\,]{0,3}[0-9]{0,2}|<sub>[0-9]{0,2})$")
_ISOTOPE = re.compile(r"\\(?:isotope|nuclide)\[([0-9]{1,3}m?)\](?:\[(-?[0-9]{1,3})\])?")
_HEAVY = r"\^?[0-9]{1,3}m?(?:_[0-9]{1,3})?\s?[A-Z][a-z]?|[A-Z][a-z]?-[0-9]{1,3}"
_LIGHT = r"[2-9]?\s?(?:α|n|p|d|t|γ|β\^?[+-]?|e\^?[+-]|\^?[0-9]{1,3}(?:_[0-9]{1,3})?[A-Z][a-z]?)"
_COMPACT = re.compile(rf"({_HEAVY})\s?\(\s?({_LIGHT})\s?,\s?({_LIGHT})\s?\)\s?({_HEAVY})")
"""A nuclear reaction as target(projectile, ejectile)product."""
_GAP_IN_NUCLIDE = re.compile(r"(?<=\^)\s|(?<=_)\s(?=[0-9])")
_GAP_AFTER_MASS = re.compile(r"([\^_][0-9]{1,3}m?)[ ~]{1,3}(?=[A-Zα-ω])")
_EXCITED = re.compile(r"(\^[0-9]{1,3}m)(?=[0-9]{1,3}\s?[A-Z])")
_GAP_IN_MATH = re.compile(r"(?<=[A-Za-z)\]])([0-9]*)([ ]+)(?=[A-Z(\[])")
_UPRIGHT = re.compile(r"[ ]*\\(?:mathrm|text|rm|mathsf|left)(?![A-Za-z])")


@lru_cache(maxsize=4)
def equation_spelling(text: Text) -> Text:
    """A normalised text in the spelling that equations are read in."""
    return text.rewritten(lambda traced: _rewrite(traced, text.raw))


def _rewrite(traced: Traced, raw: str) -> None:
    for pattern in (_ENVIRONMENT, _ROW_END):
        traced.sub(pattern, literal("\n"))
    for pattern in (_COMMAND, _STAR, _GAP_IN_NUCLIDE):
        traced.sub(pattern, drop)
    traced.sub(_ALIGNED, literal(" "))
    traced.sub(PARTED, keep_group)
    traced.sub(_ISOTOPE, lambda match: ("^", match.span(1), *(("_", match.span(2)) if match[2] else ())))
    traced.sub(_EXCITED, lambda match: (match.span(1), "_"))
    traced.sub(_GAP_AFTER_MASS, keep_group)
    traced.sub(_GAP_IN_MATH, lambda match: _joined(traced, raw, match))
    traced.sub(_NUCLIDE, lambda match: _parted(traced, raw, match))
    for pattern in (_NUMBER_FIRST, _NUMBER_SYMBOL):
        traced.sub(pattern, lambda match: _marked(traced, raw, match))
    traced.sub(_COMPACT, _spread)
    for pattern in (_BOTH, _BOTH_LABELLED):
        traced.sub(pattern, literal(EQUILIBRIUM))
    for pattern in (_BRACKETED, _HEATED, _LABELLED):
        traced.sub(pattern, literal(FORWARD))
    traced.sub(_SIMPLE, lambda match: _headed(traced, match))
    traced.sub(_DASHED, literal(FORWARD))
    traced.sub(_BACK, literal(BACKWARD))
    traced.sub(_BESIDE, lambda match: (match["arrow"],))


def _joined(traced: Traced, raw: str, match: re.Match[str]) -> tuple[Piece, ...]:
    """A formula whose parts LaTeX sets one by one: ``\\mathrm{Ag}_2 \\mathrm{O}`` has no space."""
    upright = _UPRIGHT.match(raw, traced.starts[match.start(2)])
    return (match.span(1),) if upright else (match.span(),)


def _spread(match: re.Match[str]) -> tuple[Piece, ...]:
    target, projectile, ejectile, product = (match.span(group) for group in range(1, 5))
    return (target, " + ", projectile, f" {FORWARD} ", ejectile, " + ", product)


def _headed(traced: Traced, match: re.Match[str]) -> tuple[Piece, ...]:
    """An arrow, without the minus sign of a charge that touches it: ``Cl⁻→``."""
    start, end = match.span()
    own = next(at for at in range(start, end) if traced.starts[at] == traced.starts[end - 1])
    touching = start > 0 and not traced.text[start - 1].isspace()
    if start < own < end - 1 and touching:
        return ((start, own), FORWARD)
    return (FORWARD,)


def _parted(traced: Traced, raw: str, match: re.Match[str]) -> tuple[Piece, ...]:
    """A mass number and the atomic number that follows it as a subscript, parted by "_"."""
    start, end = match.span()
    for at in range(start + 2, end):
        if _is_lowered(raw, traced.starts[at]) and not _is_lowered(raw, traced.starts[at - 1]):
            return ((start, at), "_", (at, end))
    return ((start, end),)


def _marked(traced: Traced, raw: str, match: re.Match[str]) -> tuple[Piece, ...]:
    """An atomic number in front, with the "_" that plain spelling drops; a coefficient before it stays."""
    start, end = match.span()
    for at in range(start, end):
        if _is_lowered(raw, traced.starts[at]):
            return ((start, at), " _" if at > start else "_", (at, end))
    return ((start, end),)


def _is_lowered(raw: str, start: int) -> bool:
    """Whether the raw text writes the digit at a position as a subscript."""
    return raw[start] in "₀₁₂₃₄₅₆₇₈₉" or _LOWERED.search(raw, max(0, start - 10), start) is not None
