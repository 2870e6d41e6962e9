"""Which way an order runs, and by which property: "increasing acidity", "strongest first", "pKa"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_LOW = (
    r"(?:low|weak|small|short|slow|least|few|light|cold|bad|worst|poor|soft|min|less|lower|young|early|"
    r"earli|narrow|lean|thin|near)"
)
_HIGH = (
    r"(?:high|strong|large|big|great|long|fast|quick|most|heavy|heavi|hot|best|good|hard|max|more|bulki|"
    r"rich|late|far)"
)
_FORM = r"(?:e?st|e?r|imum|imal|ier|iest)?"
_REST = r"(?:[\s-](?!to\b|first\b|last\b|and\b|at\b)[a-z_/]+){0,3}?"
_TO = r"\s?(?:\bto\b|\bthrough\b|->|-|—|…|\.\.\.)\s?(?:the\s)?"
_UP = re.compile(r"\b(?:increas\w*|ascend\w*|rising|rises?|growing|grows?|upwards?|going up)\b", re.I)
_DOWN = re.compile(
    r"\b(?:decreas\w*|descend\w*|falling|falls?|declin\w*|diminish\w*|dropping|drops|lowering|going down)\b",
    re.I,
)
_FROM_LOW = re.compile(rf"\b{_LOW}{_FORM}{_REST}{_TO}{_HIGH}{_FORM}\b", re.I)
_FROM_HIGH = re.compile(rf"\b{_HIGH}{_FORM}{_REST}{_TO}{_LOW}{_FORM}\b", re.I)
_FIRST = re.compile(
    rf"\b(?:(?P<low>{_LOW})|(?P<high>{_HIGH})){_FORM}{_REST}\s(?:(?P<first>first|at the top)|(?P<last>last|"
    rf"at the bottom))\b",
    re.I,
)
_TOP = re.compile(rf"\b1\s?(?:=|is|:)\s?(?:the\s)?(?:(?P<low>{_LOW})|(?P<high>{_HIGH})){_FORM}\b", re.I)
_EXTREME = re.compile(
    rf"\b(?:(?P<low>{_LOW.replace('less|lower', 'lowest|smallest')})|"
    rf"(?P<high>{_HIGH.replace('more|', '')}))(?:e?st|iest|imum|imal)?\b",
    re.I,
)
_PROPERTIES: tuple[tuple[str, str], ...] = (
    ("pka", r"pK_?a\b|\bpKa"),
    ("pkb", r"pK_?b\b"),
    ("acidity", r"\bacid(?!\s?(?:chloride|anhydride|halide))\w*|\bK_?a\b|proton[- ]?donat\w*"),
    ("basicity", r"\b(?<!\bin )bas(?:e|es|ic|icity)\b|\bK_?b\b"),
    ("boiling point", r"\bboil\w*|\bb\.?p\.?\b|T_?b\b"),
    ("volatility", r"\bvolatil\w*|\bvapou?r pressure"),
    ("melting point", r"\bmelt\w*|\bm\.?p\.?\b"),
    (
        "bond length",
        r"\b(?:bond|C[-=≡]\w|[A-Z][a-z]?-[A-Z][a-z]?)\s?(?:length|distance)|\b(?:longest|shortest|longer|"
        r"shorter)\b",
    ),
    (
        "bond strength",
        r"\bbond\s?(?:strength|energ\w+|enthalp\w+|dissociation|order)|\bstrength of the [^.;,\n]{0,20}bond|"
        r"\bBDE\b",
    ),
    ("wavenumber", r"\bwave\s?number\w*|\bstretching\b|\bfrequenc\w+"),
    ("wavelength", r"\bwavelength\w*|\bλ"),
    ("barrier", r"\bactivation (?:energ\w+|barrier)|\bbarrier|\bE_?a\b"),
    ("half-life", r"\bhalf-?li(?:fe|ves)"),
    (
        "heat of combustion",
        r"\bheats? of (?:combustion|hydrogenation)|\benthalp\w+ of (?:combustion|hydrogenation)",
    ),
    ("ionisation energy", r"\bioni[sz]ation (?:energ\w+|potential\w*|enthalp\w+)|\bIE_?1?\b"),
    ("electron affinity", r"\belectron affinit\w+"),
    ("electronegativity", r"\belectronegativ\w+"),
    ("radius", r"\bradi(?:us|i)\b|\b(?:atomic|ionic|atom)?\s?sizes?\b"),
    ("nucleophilicity", r"\bnucleophil\w+"),
    ("electrophilicity", r"\belectrophil\w+"),
    ("leaving group", r"\bleaving[- ]group\w*|\bnucleofug\w+"),
    ("stability", r"\bstab(?:le|ility|ilis\w+|iliz\w+)\b"),
    (
        "reactivity",
        r"\breactiv\w+|\brates?\b|\bfast(?:er|est)?\b|\bslow(?:er|est)?\b|\bspeed\b|\breacts?\b|\bquick\w*",
    ),
    ("solubility", r"\bsolub\w+"),
    ("polarity", r"\bpolar\w*|\bdipole"),
    ("priority", r"\bpriorit\w+"),
    ("density", r"\bdens\w+"),
    ("oxidation state", r"\boxidation (?:state|number)s?"),
    ("oxidising power", r"\boxidi[sz]ing\b"),
    ("reducing power", r"\breducing\b"),
    ("lattice energy", r"\blattice"),
    ("entropy", r"\bentrop\w+"),
    ("field strength", r"\bfield strength|\bspectrochemical"),
    ("retention", r"\bretention|\belut\w+"),
    ("mass", r"\bmass(?:es)?\b|\bmolecular weight"),
    ("energy", r"\benerg(?:y|ies|etic)\b"),
)
_INVERSE = frozenset(
    frozenset(pair)
    for pair in (
        ("pka", "acidity"), ("pkb", "basicity"), ("boiling point", "volatility"),
        ("bond length", "bond strength"), ("bond length", "wavenumber"), ("wavelength", "wavenumber"),
        ("wavelength", "energy"), ("reactivity", "barrier"), ("reactivity", "half-life"),
    )
)  # fmt: skip
"""Properties of which one falls, by definition, as the other rises."""
_EQUAL = frozenset(frozenset(pair) for pair in (("bond strength", "wavenumber"), ("wavenumber", "energy")))
"""Properties that rise together."""


@dataclass(frozen=True, slots=True)
class Direction:
    """Which way an order runs (1 up, -1 down, 0 not said), and by which property if one is named."""

    way: int = 0
    of: str = ""

    def relative(self, expected: Direction) -> int | None:
        """1 where it runs as the expected one does, -1 the other way, 0 unknown, None by another property."""
        if self.of and expected.of and self.of != expected.of:
            pair = frozenset((self.of, expected.of))
            if pair not in _INVERSE | _EQUAL:
                return None
            turned = -1 if pair in _INVERSE else 1
        else:
            turned = 1
        return self.way * turned * (expected.way or 1)


def properties(text: str) -> Iterator[tuple[int, str]]:
    """The properties that a text names, and where."""
    for name, pattern in _compiled():
        for match in pattern.finditer(text):
            yield match.start(), name


@lru_cache(maxsize=1)
def _compiled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (name, re.compile(pattern, re.I if name not in ("pka", "pkb") else 0))
        for name, pattern in _PROPERTIES
    )


def property_in(text: str, last: bool = False) -> str:
    """The first property a text names, or the last; of those that begin at one place the one listed first."""
    found = list(properties(text))
    if not found:
        return ""
    place = (max if last else min)(at for at, _ in found)
    return next(name for at, name in found if at == place)


def way_in(text: str) -> int:
    """Which way a text says that an order runs; 0 where it doesn't, or says both."""
    ways = {
        *(1 for _ in _FROM_LOW.finditer(text)),
        *(-1 for _ in _FROM_HIGH.finditer(text)),
        *(1 if match["low"] else -1 for match in _TOP.finditer(text)),
        *((1 if match["low"] else -1) * (1 if match["first"] else -1) for match in _FIRST.finditer(text)),
    }
    if not ways:
        ways = {*(1 for _ in _UP.finditer(text)), *(-1 for _ in _DOWN.finditer(text))}
    return ways.pop() if len(ways) == 1 else 0


def extreme(text: str) -> int:
    """Whether an item is called the lowest (-1) or the highest (1); 0 where neither."""
    said = {-1 if match["low"] else 1 for match in _EXTREME.finditer(text)}
    return said.pop() if len(said) == 1 else 0


@lru_cache(maxsize=512)
def read_order(order: str | None) -> Direction:
    """The direction that a check's ``order`` says in words."""
    return Direction(way_in(order or ""), property_in(order or ""))
