"""Trivial names of common compounds, from the table beside this module.

They are names that OPSIN doesn't know or takes for something else, and names
that chemists use daily. The table holds, by name: a SMILES, a systematic
synonym that OPSIN reads to that structure (a test proves it), and what kind of
name it is, one of `SOURCES`. A name with capitals inside is an abbreviation,
known in that spelling only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources

from grader.formal.structures.stereoisomers import with_descriptor

SOURCES = frozenset(["IUPAC retained", "INN", "natural product", "abbreviation", "systematic", "trivial"])
"""The kinds of names; systematic ones stand there for the spelling, or to be known without Java."""


@cache
def _table() -> dict[str, list[str]]:
    lines = resources.files(__package__).joinpath("trivial_names.tsv").read_text("utf-8").splitlines()
    return {name: rest for name, *rest in (line.split("\t") for line in lines[1:])}


NAMES: Mapping[str, str] = {name: smiles for name, (smiles, *_) in _table().items()}
"""SMILES by name."""


def systematic(name: str) -> str | None:
    """The systematic name without descriptors of a trivial name that says no configuration."""
    smiles, synonym, *_ = _table().get(name.lower(), ("@", ""))
    return synonym if synonym and "@" not in smiles and not synonym.startswith("(") else None


_DESCRIBED = re.compile(
    r"\(?(?P<mark>(?<=\()[RSEZ](?=\))|trans|cis|rac|\+-|dl|DL)\)?[- ](?:\([+-]\)-)?(?P<name>.+)"
)


def trivial(name: str) -> str | None:
    """The structure of a trivial name (SMILES, or CXSMILES of a racemate), also under one descriptor.

    ``(R)-``, ``(E)-``, ``trans-`` or ``rac-`` before a name that leaves exactly
    one centre or double bond open says which.
    """
    name = re.sub(r"^(\([+-]\))-?(\([RSEZ]\))", r"\2-\1", name)
    if (known := _known(name)) is not None:
        return known
    described = _DESCRIBED.fullmatch(name)
    flat = _known(described["name"]) if described else None
    return with_descriptor(flat, described["mark"]) if described and flat else None


def _known(name: str) -> str | None:
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
