"""What the left side of an equation does to a symbol: ``-ΔH``, ``2ΔH``, ``1/K``, ``√K``, ``10^3 k``."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

SYMBOL = "□"
"""Stands for the symbol."""
_NUMBER = r"[0-9]{1,6}(?:\.[0-9]{1,6})?"
_TEN = r"10[ ]?\^[ ]?\(?(?P<{}>-?[0-9]{{1,3}})\)?"
_SIDE = re.compile(
    rf"(?:^|(?<=[\s(:,]))(?P<sign>-)?"
    rf"(?:{_TEN.format('before')}[ ]?[×*·]?[ ]?|(?P<over>1[ ]?/[ ]?)(?=[√s{SYMBOL}(])"
    rf"|(?P<factor>{_NUMBER}(?:/[1-9][0-9]?)?)[ ]?[×*·]?[ ]?)?"
    rf"(?P<root>√|sqrt[ ]?)?[(\[]?[ ]?{SYMBOL}[ ]?[)\]]?"
    rf"(?:[ ]?\^[ ]?\(?(?P<power>-?[1-3])\)?(?![0-9+-]))?"
    rf"(?:[ ]?[×*·x][ ]?{_TEN.format('after')}|[ ]?/[ ]?{_TEN.format('divided_ten')}"
    rf"|[ ]?/[ ]?(?P<divisor>{_NUMBER})|[ ]?[×*·][ ]?(?P<times>{_NUMBER}))?\s*$"
)
_UNNAMED = re.compile(r"[A-Za-zΑ-Ωα-ω][A-Za-zΑ-Ωα-ω0-9_°‡^+()*]{0,16}")
AXIS = re.compile(
    r"(?:[ ]/[ ]?|/(?=\(?(?:[A-Za-zμΩÅ°]{2}|[smhgLK%°][-^ ]|[sgK%]$|10\^)))"
    r"(?P<unit>\(?(?:10\^-?[0-9]{1,2}[ ]?[×·]?[ ]?)?[A-Za-zμΩÅ°%]{1,7}(?:\^-?[0-9]|-[0-9])?"
    r"(?:[ ·/]{1,2}[A-Za-zμΩÅ°]{1,5}(?:\^-?[0-9]|-[0-9])?){0,4}\)?)\s*$"
)
"""A unit that a symbol is divided by, as on the axis of a figure: ``k / s^-1``."""

_ARGUMENT = re.compile(r"(?<=\w)\([^()]{0,24}[0-9][^()]{0,24}\)\s*$")
"""What a symbol is the value at: ``k(0.010 M)``."""


@dataclass(frozen=True, slots=True)
class Operation:
    """``factor * symbol**power`` is what is stated."""

    factor: float = 1.0
    power: float = 1.0

    def solved(self, value: float) -> float | None:
        """The symbol's own value."""
        scaled = value / self.factor
        if self.power == 1:
            return scaled
        if scaled == 0 or (scaled < 0 and self.power not in (-1, 1)):
            return None
        try:
            solved = math.copysign(abs(scaled) ** (1 / self.power), scaled)
        except OverflowError:
            return None
        return solved if math.isfinite(solved) else None


def _ten(match: re.Match[str], name: str) -> float:
    return 10.0 ** int(match[name]) if match[name] else 1.0


def operation(side: str) -> Operation | None:
    """What is done to the one symbol (``SYMBOL``) that ends a side; None for anything else."""
    match = _SIDE.search(side)
    if match is None:
        return None
    factor = -1.0 if match["sign"] else 1.0
    if match["factor"]:
        above, _, below = match["factor"].partition("/")
        factor *= float(above) / float(below or 1)
    factor *= _ten(match, "before") * _ten(match, "after") / _ten(match, "divided_ten")
    divisor = float(match["divisor"] or 1)
    if not divisor:
        return None
    factor *= float(match["times"] or 1) / divisor
    power = (0.5 if match["root"] else 1.0) * float(match["power"] or 1)
    if not factor or not math.isfinite(factor):
        return None
    return Operation(factor, -power if match["over"] else power)


def of_unnamed(side: str) -> Operation | None:
    """The sign or power of ten before or after a symbol that no label names."""
    found = None
    side = _ARGUMENT.sub("", AXIS.sub("", side))
    for match in _UNNAMED.finditer(side):
        if match.group() not in ("x", "sqrt"):
            found = match
    if found is None or _UNNAMED.fullmatch(side):
        return None
    done = operation(side[: found.start()] + SYMBOL + side[found.end() :])
    plain = done is not None and done.power == 1 and math.log10(abs(done.factor)).is_integer()
    return done if plain and done != Operation() else None
