"""What a text does with a structure or a formula, and where it states a result in words only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

MASK = "□"
"""What stands in the place of a candidate while its surroundings are read."""


class Role(StrEnum):
    """What a text does with a structure or a formula beside stating it."""

    STATED = "stated"
    SOURCE = "named as a source, a setting or an example"
    CONSUMED = "named as what reacts"
    CONTEXT = "named in passing"
    PART = "stated in another role"
    SETTING = "named in another role"
    COUNTED = "counted"
    REJECTED = "called wrong"


ROLE_NOUNS = (
    r"(?:starting (?!from)[a-z]{3,16}|substrate|reactant|reagent|precursor|solvent|(?:co-?)?catalyst|"
    r"intermediate|by-?product|side[- ]product|minor(?: (?:product|isomer|component))?|co-?product|impurity|"
    r"leaving group|transition state|base|oxidant|oxidi[sz]er|(?:oxidi[sz]ing|reducing|drying|"
    r"dehydrating) agent|"
    r"reductant|nucleophile|electrophile|ylide|monomer|additive|educt|protecting group|initiator|promoter|"
    r"acceptor|donor|titrant|feedstock|raw material)s?"
)
"""Parts that a compound plays in a reaction other than being its product."""

_NAMED = (
    r"(?:is|are|was|:|=)\s{1,3}(?:therefore |thus |then |hence |clearly |simply |its |the )*"
    r"(?!(?:an?|shown|given|formed|obtained|as|not|also|likely|very|now|soluble|in|of|at|from|by|on|to|that|"
    r"this|it|what|follows|below|above|drawn|[a-z]+(?:ed|ic|less|ble|ous|ant|ent))\b)"
    r"[A-Za-z0-9(][\w(),'-]{3,}"
)


def is_unread(masked: str, start: int, nouns: Sequence[str]) -> bool:
    """Whether a sentence from a position on says in words only what one of the nouns is."""
    alternatives = "|".join(re.escape(noun) for noun in sorted(nouns, key=len, reverse=True))
    pattern = re.compile(
        rf"(?<![\w-])(?:{alternatives})(?![\w-])(?:\s\([^()\n]{{0,40}}\))?\s?{_NAMED}[^\n.;{MASK}]{{0,200}}(?P<end>[{MASK}]|[.;\n]|$)",
        re.I,
    )
    return any(match["end"] != MASK for match in pattern.finditer(masked, start))
