"""Trivial names of common compounds, for checks that accept names.

A small table, not nomenclature: it can only show that an answer is right. A
name it doesn't hold, or that means another compound, decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources


@cache
def _table() -> dict[str, str]:
    """SMILES by name, from the file beside this module: name, SMILES, systematic synonym, source."""
    lines = resources.files(__package__).joinpath("trivial_names.tsv").read_text("utf-8").splitlines()
    return {name: smiles for name, smiles, *_ in (line.split("\t") for line in lines[1:])}


NAMES: dict[str, str] = _table()


def trivial(name: str) -> str | None:
    """The structure of a trivial name; an abbreviation with capitals is known in that spelling only."""
    return NAMES.get(name) or NAMES.get(name[:1].lower() + name[1:]) or NAMES.get(name.lower())


_STATED = re.compile(
    r"(?:\b(?:is|are|gives?|yields?|affords|forms?|called|named)|[=:])\s{1,2}(?:(?:an?|the) )?[*_\"'`]{0,3}$",
    re.I,
)
_ALONE = re.compile(r"(?:^|\n)[ \t>*_\"'`-]{0,8}$")
_ALONE_AFTER = re.compile(r"[ \t.*_\"'`]{0,6}(?:\n|$)")
_AFTER = r"(?=[*_\"'`]{0,3}(?:[.,;)]|\s*$|\s*\())"


def stated_names(
    raw: str, names: Mapping[str, str], *, by_itself: bool = False
) -> Iterator[tuple[str, int, int]]:
    """Each of the names (to SMILES) that a text states as what something is, as SMILES with its raw span.

    ``by_itself``: a name alone on its line counts too.
    """
    if not names:
        return
    known = {name.lower(): smiles for name, smiles in names.items()}
    for match in _pattern(tuple(sorted(names, key=len, reverse=True))).finditer(raw):
        low = max(0, match.start() - 30)
        alone = by_itself and _ALONE.search(raw, low, match.start()) and _ALONE_AFTER.match(raw, match.end())
        if alone or _STATED.search(raw, low, match.start()):
            yield known[match[0].lower()], *match.span()


@lru_cache(maxsize=256)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))}){_AFTER}", re.I | re.M)
