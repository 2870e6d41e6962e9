"""Trees written out, in the notations that answers use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from grader.answer.latex import GREEK
from grader.formal.expressions.tree import Call, Node, Number, Power, Product, Sum, Symbol

_RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_GREEK_NAMES = {letter: name for name, letter in GREEK.items() if not name.startswith("var")}
_NAME = re.compile(r"(Δ?[A-Za-zΑ-Ωα-ω])([A-Za-z0-9-]*)([°‡']*)")
_SPECIES = re.compile(r"\[(.+?)([0-9]?[+-])?\](0?)")


@dataclass(frozen=True, slots=True)
class Style:
    """A notation: ``plain``, ``python``, ``unicode`` or ``latex``; ``inverse`` writes 1/x as x^-1."""

    name: str
    inverse: bool = False


PLAIN, PYTHON, UNICODE, LATEX = Style("plain"), Style("python"), Style("unicode"), Style("latex")


def written(node: Node, style: Style = PLAIN) -> str:
    """A tree as text, with every bracket that it needs."""
    match node:
        case Number(value):
            return _number(value, style)
        case Symbol(name):
            return symbol(name, style)
        case Sum(terms):
            return _sum([written(one, style) for one in terms])
        case Product():
            return _product(node, style)
        case Power(base, exponent):
            if not style.inverse and _inverted(node) is not None:
                return _product(node, style)
            return _power(base, exponent, style)
        case Call(function, argument):
            return _call(function, argument, style)


def symbol(name: str, style: Style) -> str:
    """A symbol in a notation."""
    if name.startswith("["):
        return _species(name, style)
    parts = _NAME.fullmatch(name)
    if parts is None or style.name in ("plain", "python"):
        return name
    letter, below, mark = parts.groups()
    if style.name == "unicode":
        return (
            letter + (below.translate(_LOWERED) if below.isdigit() else f"_{below}" if below else "") + mark
        )
    if name[:2] in ("pH", "pO", "pK") and len(name) < 4:
        return rf"\mathrm{{{name[:2]}}}" + (f"_{{{name[2:]}}}" if name[2:] else "")
    command = "".join(rf"\{_GREEK_NAMES[char]} " if char in _GREEK_NAMES else char for char in letter)
    return command + (f"_{{{below}}}" if below else "") + ("^\\circ" if "°" in mark else "")


def _species(name: str, style: Style) -> str:
    parts = _SPECIES.fullmatch(name)
    if parts is None or style.name in ("plain", "python"):
        return name
    formula, charge, initial = parts[1], parts[2] or "", parts[3]
    if style.name == "unicode":
        return f"[{formula.translate(_LOWERED)}{charge.translate(_RAISED)}]" + ("₀" if initial else "")
    charge = f"^{{{charge}}}" if charge else ""
    return rf"[\ce{{{formula}{charge}}}]" + ("_0" if initial else "")


def _number(value: Fraction, style: Style) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    if style.name == "latex":
        return ("-" if value < 0 else "") + rf"\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    return f"({value.numerator}/{value.denominator})"


def _sum(terms: list[str]) -> str:
    text = terms[0]
    for term in terms[1:]:
        text += f" - {term[1:]}" if term.startswith("-") else f" + {term}"
    return text


def _bracketed(text: str, style: Style) -> str:
    return rf"\left({text}\right)" if style.name == "latex" else f"({text})"


def _product(node: Node, style: Style) -> str:
    """A product, with what stands below a slash or a fraction line."""
    factors = list(node.factors) if isinstance(node, Product) else [node]
    sign = ""
    while factors and isinstance(factors[0], Number) and factors[0].value == -1:
        sign, factors = ("" if sign else "-"), factors[1:]
    below = [] if style.inverse else [one for one in factors if _inverted(one) is not None]
    above = [one for one in factors if one not in below]
    top = _side(above, style) or "1"
    if not below:
        return sign + top
    under = _side([inverse for one in below if (inverse := _inverted(one)) is not None], style, below=True)
    return sign + (rf"\frac{{{top}}}{{{under}}}" if style.name == "latex" else f"{top}/{under}")


def _inverted(node: Node) -> Node | None:
    """What a factor divides by, if it has a negative exponent."""
    if isinstance(node, Power) and isinstance(node.exponent, Number) and node.exponent.value < 0:
        exponent = Number(-node.exponent.value)
        return node.base if exponent.value == 1 else Power(node.base, exponent)
    return None


def _side(factors: list[Node], style: Style, *, below: bool = False) -> str:
    texts = [_factor(one, style) for one in factors]
    text = {"plain": "*", "python": "*", "unicode": "·", "latex": r" \cdot "}[style.name].join(texts)
    several = len(texts) > 1 or (len(factors) == 1 and isinstance(factors[0], Product))
    return f"({text})" if below and several and style.name != "latex" else text


def _factor(node: Node, style: Style) -> str:
    text = written(node, style)
    divided = _inverted(node) is not None and not style.inverse
    whole = isinstance(node, Sum) or divided or (isinstance(node, Number) and node.value < 0)
    return _bracketed(text, style) if whole else text


def _power(base: Node, exponent: Node, style: Style) -> str:
    simple = isinstance(base, Symbol) or (
        isinstance(base, Number) and base.value >= 0 and base.value.denominator == 1
    )
    text = written(base, style) if simple else _bracketed(written(base, style), style)
    raised = written(exponent, style)
    if style.name == "latex":
        if isinstance(exponent, Number) and exponent.value == Fraction(1, 2):
            return rf"\sqrt{{{written(base, style)}}}"
        return f"{text}^{{{raised}}}"
    if style.name == "unicode" and re.fullmatch(r"-?[0-9]+", raised):
        return text + raised.translate(_RAISED)
    sign = "**" if style.name == "python" else "^"
    plain = re.fullmatch(r"[0-9]+|\(.*\)", raised) is not None
    return f"{text}{sign}{raised}" if plain else f"{text}{sign}({raised})"


def _call(function: str, argument: Node, style: Style) -> str:
    inside = written(argument, style)
    if function == "exp" and style.name == "latex":
        return f"e^{{{inside}}}"
    name = {"log10": "log"}.get(function, function) if style.name != "python" else function
    command = (
        rf"\{name}" if style.name == "latex" and name in ("ln", "log", "sin", "cos", "tan", "exp") else name
    )
    return f"{command}{_bracketed(inside, style)}"
