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
    REJECTED = "called wrong"


ROLE_NOUNS = (
    r"(?:starting (?!from)[a-z]{3,16}|substrate|reactant|reagent|precursor|solvent|(?:co-?)?catalyst|"
    r"intermediate|by-?product|side[- ]product|minor(?: (?:product|isomer|component))?|co-?product|impurity|"
    r"leaving group|transition state|base|oxidant|oxidi[sz]er|(?:oxidi[sz]ing|reducing|drying|"
    r"dehydrating) agent|"
    r"reductant|nucleophile|electrophile|ylide|monomer|additive|educt|protecting group|initiator|promoter|"
    r"fragment|substructure|moiety|acceptor|donor|titrant|feedstock|raw material)s?"
)
"""Parts that a compound plays in a reaction other than being its product."""

_NAMED = (
    r"(?:is|are|was|:|=|\|)\s{1,3}(?:therefore |thus |then |hence |clearly |simply |its |the )*"
    r"(?!(?:an?|shown|given|formed|obtained|as|not|also|likely|very|now|soluble|in|of|at|from|by|on|to|that|"
    r"this|it|what|follows|below|above|drawn|[a-z]+(?:ed|ic|less|ble|ous|ant|ent))\b)"
    r"[A-Za-z0-9(][\w(),'-]{3,60}"
)


_NAME = r"[\w,()'-]{0,60}(?:ol|one|al|ene|ane|yne|ide|ate|ite|ine|acid|amide|nitrile|aldehyde|ester|ether)"
_GIVES_NAME = re.compile(
    rf"\b(?:gives?|giving|yields?|affords?|forms|forming|(?:we|one) (?:get|gets|obtain|obtains)|converted to|"
    rf"converted into|reduced to|oxidi[sz]ed to|(?P<is>is|are|[:=])|called|named|->)\s{{1,2}}"
    rf"(?:the |an? )?(?:[a-z-]{{2,14}} "
    rf"){{0,2}}?(?P<name>{_NAME})\b[^\n.;{MASK}]{{0,60}}(?P<end>[{MASK}.;\n]|$)"
    rf"|(?<![{MASK}(])\b{_NAME}\s(?:results|forms|(?:is|was) (?:\w+ )?(?:formed|obtained|produced|isolated))"
    rf"[^\n.;]{{0,60}}(?P<last>[.;\n]|$)|(?:^|\n)\W{{0,6}}(?:[a-z]{{3,15}} )?{_NAME}\W{{0,3}}(?:\n|$)",
    re.I,
)
_NO_NAMES = frozenset(["one", "none", "alone", "done", "gone", "also", "control", "final", "general", "all"])
_REFUSES = re.compile(
    r"\b(?:not able|unable|cannot|can't|could not|couldn't)\s(?:to\s)?(?:be\s)?"
    r"(?:determined?|solved?|find|found|say|tell|give|derived?|identif(?:y|ied)|draw|drawn|name)\b",
    re.I,
)


def names_result(masked: str, start: int, *, copula: bool = False) -> bool:
    """Whether the text from a position on says by a chemical name alone what forms.

    ``copula``: or what anything is.
    """
    for match in _GIVES_NAME.finditer(masked, start):
        named = match["name"] is None or match["name"].lower() not in _NO_NAMES
        if named and match["end"] != MASK and (copula or match["is"] is None):
            return True
    return False


def refuses(masked: str) -> bool:
    """Whether the answer says that it can't tell."""
    return _REFUSES.search(masked) is not None


def is_unread(masked: str, start: int, nouns: Sequence[str]) -> bool:
    """Whether a sentence from a position on says in words only what one of the nouns is."""
    alternatives = "|".join(re.escape(noun) for noun in sorted(nouns, key=len, reverse=True))
    pattern = re.compile(
        rf"(?<![\w-])(?:{alternatives})(?![\w-])(?:\s\([^()\n]{{0,40}}\))?\s?{_NAMED}[^\n.;{MASK}]{{0,200}}(?P<end>[{MASK}]|[.;\n]|$)",
        re.I,
    )
    if any(match["end"] != MASK for match in pattern.finditer(masked, start)):
        return True
    placed = re.compile(
        rf"\b(?:at|for|in|on)\s(?:the\s)?(?:{alternatives}),?\s(?:the\s)?"
        rf"(?:{_NAME}|hydrogen|oxygen|nitrogen|copper|silver|water|ammonia)\b",
        re.I,
    )
    return placed.search(masked, start) is not None
