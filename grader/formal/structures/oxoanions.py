"""Oxoanions and their acids named by the state of their atom: sulfate(IV) is sulfite."""

from __future__ import annotations

import re

_NAMED = re.compile(
    r"(?<![a-z])(?P<stem>dichrom|chrom|mangan|sul(?:f|ph)|nitr|phosph|chlor|brom|iod)"
    r"(?P<end>ate|(?:u?r|or)?ic)\((?P<state>[IV]{1,3})\)",
    re.I,
)
_STEMS = {
    ("chrom", "VI"): "chrom+",
    ("dichrom", "VI"): "dichrom+",
    ("mangan", "VI"): "mangan+",
    ("mangan", "VII"): "permangan+",
    ("sulf", "VI"): "sulf+",
    ("sulf", "IV"): "sulf-",
    ("nitr", "V"): "nitr+",
    ("nitr", "III"): "nitr-",
    ("phosph", "V"): "phosph+",
}
"""The usual stem; + for -ate and -ic, - for -ite and -ous."""
_HALOGENS = {"I": "hypo{}-", "III": "{}-", "V": "{}+", "VII": "per{}+"}
_ENDS = {"+ate": "ate", "-ate": "ite", "+ic": "ic", "-ic": "ous"}
_LINKS = {"sulf": "ur", "phosph": "or"}
"""What stands before -ic and -ous: sulfuric, phosphoric."""


def without_state(name: str) -> str:
    """The name with the usual name of each such oxoanion or acid: chlorate(I) is hypochlorite."""
    return _NAMED.sub(_usual, name)


def _usual(match: re.Match[str]) -> str:
    stem, state = match["stem"].lower().replace("sulph", "sulf"), match["state"].upper()
    halogen = _HALOGENS.get(state, "").format(stem) if stem in ("chlor", "brom", "iod") else ""
    known = halogen or _STEMS.get((stem, state))
    if not known:
        return match[0]
    if match["end"].lower() == "ate":
        return known[:-1] + _ENDS[f"{known[-1]}ate"]
    return known[:-1] + _LINKS.get(stem, "") + _ENDS[f"{known[-1]}ic"]
