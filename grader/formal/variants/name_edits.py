"""A chemical name spelled otherwise, and names one edit away from it, as text alone.

Nothing here knows what a name means: who uses an edit asks what came of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_STEMS = ("meth", "eth", "prop", "but", "pent", "hex", "hept", "oct", "non", "dec")
_STEM = rf"(?:{'|'.join(_STEMS)})"
_PARENT = rf"(?:(?:cyclo)?{_STEM}(?:ane?|ene?|yne?|a)?|benzene|naphthalene)"
_NUMBERS = r"[0-9]{1,2}(?:,[0-9]{1,2})*"
_ENDING = r"(?:ols?|one|al|amine|ene|yne|thiol|di(?:ol|one|amine|ene|yne)|triol|(?:di)?carboxylic acid)"
_INSIDE = re.compile(rf"(?P<head>.*?-?)(?P<parent>{_PARENT})-(?P<at>{_NUMBERS})-(?P<end>{_ENDING})")
_BEFORE = re.compile(rf"(?P<head>.*?)(?P<at>{_NUMBERS})-(?P<parent>{_PARENT})(?P<end>{_ENDING})")
_SYNONYMS = (
    ("propan-2-yl", "isopropyl"),
    ("2-methylpropan-2-yl", "tert-butyl"),
    ("ethenyl", "vinyl"),
    ("methanoic", "formic"),
    ("methanoate", "formate"),
    ("ethanoic", "acetic"),
    ("ethanoate", "acetate"),
    ("ethanamide", "acetamide"),
    ("ethanenitrile", "acetonitrile"),
    ("propanoic", "propionic"),
    ("propanoate", "propionate"),
    ("butanoic", "butyric"),
    ("methylbenzene", "toluene"),
    ("hydroxybenzene", "phenol"),
    ("aminobenzene", "aniline"),
    ("methoxybenzene", "anisole"),
    ("sulf", "sulph"),
    ("alumini", "alumin"),
    ("ferric", "iron(III)"),
    ("ferrous", "iron(II)"),
    ("cupric", "copper(II)"),
    ("cuprous", "copper(I)"),
    ("stannic", "tin(IV)"),
    ("stannous", "tin(II)"),
)
_RING_PLACES = (("1,2-", "o-"), ("1,3-", "m-"), ("1,4-", "p-"), ("2-", "o-"), ("3-", "m-"), ("4-", "p-"))
_LETTER = re.compile(
    r"(?<=[(0-9,])[RSEZ](?=[,)])|(?<![A-Za-z])(?:tert|sec|cis|trans|ortho|meta|para|[omp])(?=-)"
)


def respelled(name: str) -> Iterator[tuple[str, str]]:
    """Other texts of a name that may mean the same, each with what was done."""
    if moved := _INSIDE.fullmatch(name):
        head = moved["head"] + ("-" if moved["head"] and not moved["head"].endswith("-") else "")
        yield f"{head}{moved['at']}-{moved['parent']}{moved['end']}", "numbers before the name"
    if moved := _BEFORE.fullmatch(name):
        yield f"{moved['head']}{moved['parent']}-{moved['at']}-{moved['end']}", "numbers before the ending"
    for one, other in _SYNONYMS:
        for old, new in ((one, other), (other, one)):
            if old in name:
                yield name.replace(old, new), "a synonym of a part"
    for number, letter in _RING_PLACES:
        for old, new in ((number, letter), (letter, number)):
            if name.startswith(old):
                yield new + name.removeprefix(old), "places of a ring in letters or numbers"
    if _LETTER.search(name):
        yield _LETTER.sub(r"*\g<0>*", name), "in italics"
    if "-" in name:
        yield name.replace("-", "\u2011"), "hyphens that don't break"
    yield f"**{name}**", "in bold"


_LOCANT = re.compile(r"(?<![A-Za-z0-9])[0-9]{1,2}(?=[',)-])")
_SERIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("a homologue", _STEMS),
    ("another halogen", ("fluor", "chlor", "brom", "iod")),
    ("another oxidation state", ("(I)", "(II)", "(III)", "(IV)", "(V)", "(VI)", "(VII)")),
    ("another number of atoms", ("mono", "di", "tri", "tetr", "pent", "hex")),
    ("another place on the ring", ("ortho-", "meta-", "para-")),
    ("another cation", ("lithium", "sodium", "potassium")),
    ("another cation", ("magnesium", "calcium", "barium")),
    ("another oxide", ("peroxide", "oxide", "hydroxide")),
    ("another branching", ("sec-", "tert-")),
)
"""Parts of names in an order: an edit puts the one before or after in the place of one."""
_ENDINGS = (
    ("another functional group", r"oic acid", "al"),
    ("another functional group", r"(?:-[0-9]{1,2}-|(?<=an))ol", "al"),
    ("another functional group", r"(?<=an)al", "oic acid"),
    ("another functional group", r"one|(?<=[0-9]-)amine", "ol"),
    ("another functional group", r"(?<=[0-9]-)ene", "yne"),
    ("another anion", r"ite|(?<!hydr)ide", "ate"),
    ("another anion", r"ate", "ite"),
    ("another acid", r"ic acid", "ous acid"),
    ("another acid", r"ous acid", "ic acid"),
)
"""What the end of a name, as a pattern, is replaced with."""
_FURTHER = ("2-methyl", "4-chloro", "N-methyl")
_TURNS = (("R", "S"), ("S", "R"), ("E", "Z"), ("Z", "E"))
_DESCRIPTOR = re.compile(r"(?<=[(0-9,])[RSEZ](?=[,)])")
_WORDS = {"cis-": "trans-", "trans-": "cis-", "D-": "L-", "L-": "D-"}
_WORD = re.compile(r"(?<![A-Za-z])(?:cis|trans|D|L)-(?=[a-z0-9(])")
_CONFIGURATION = re.compile(
    r"\((?:[0-9]{0,2}[a-z]?[RSEZ],?)+\)-|(?<![A-Za-z])(?:cis|trans|D|L)-(?=[a-z0-9(])"
)
_PLACE = re.compile(
    rf"(?:(?<=[a-z])-{_NUMBERS}-(?=[a-z])|(?<![A-Za-z0-9])(?:{_NUMBERS}|[omp]|ortho|meta|para)-)"
)


def altered(name: str) -> Iterator[tuple[str, str]]:
    """Names one edit away that may mean something else, each with what was done."""
    for place in _DESCRIPTOR.finditer(name):
        yield _put(name, place, dict(_TURNS)[place[0]]), "one descriptor turned"
    for place in _WORD.finditer(name):
        yield _put(name, place, _WORDS[place[0]]), "one descriptor turned"
    if (bare := _CONFIGURATION.sub("", name)) != name:
        yield bare, "configuration left out"
    for place in reversed(list(_LOCANT.finditer(name))):  # that of the principal group stands last
        for number in (int(place[0]) - 1, int(place[0]) + 1):
            if number:
                yield _put(name, place, str(number)), "another locant"
    for how, series in _SERIES:
        yield from ((text, how) for text in _shifted(name, series))
    for how, old, new in _ENDINGS:
        if end := re.search(rf"(?:{old})\Z", name):
            yield _put(name, end, new), how
    for prefix in _FURTHER:
        yield f"{prefix}{'-' if name[:1].isdigit() or name[1:2] == '-' else ''}{name}", "a substituent more"


def unplaced(name: str) -> Iterator[str]:
    """The name without one of its locants, which may leave its isomer open: butene, xylene."""
    for place in _PLACE.finditer(name):
        yield _put(name, place, "")


def _shifted(name: str, series: tuple[str, ...]) -> Iterator[str]:
    """The name with one part of a series replaced by its neighbour."""
    longest = sorted(series, key=len, reverse=True)
    for place in re.finditer("|".join(map(re.escape, longest)), name):
        at = series.index(place[0])
        for other in (at + 1, at - 1):
            if 0 <= other < len(series):
                yield _put(name, place, series[other])


def _put(name: str, place: re.Match[str], text: str) -> str:
    return name[: place.start()] + text + name[place.end() :]
