"""Electron configurations as occupied sets, however they are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from grader.formal.configurations.hund import breaks_hund

_SHELLS = "1s2 2s2 2p6 3s2 3p6 3d10 4s2 4p6 4d10 5s2 5p6 4f14 5d10 6s2 6p6"
CORES = {"He": "1s2", "Ne": "1s2 2s2 2p6", "Ar": "1s2 2s2 2p6 3s2 3p6",
    "Kr": "1s2 2s2 2p6 3s2 3p6 3d10 4s2 4p6", "Xe": "1s2 2s2 2p6 3s2 3p6 3d10 4s2 4p6 4d10 5s2 5p6",
    "Rn": _SHELLS}  # fmt: skip
CAPACITY = {"s": 2, "p": 6, "d": 10, "f": 14, "g": 18}


class Family(Enum):
    """Sorts of configurations that can't be compared with each other."""

    ATOM = "subshells"
    OCTAHEDRAL = "t2g and eg sets"
    TETRAHEDRAL = "e and t2 sets"
    DIATOMIC = "molecular orbitals named by atomic ones"
    NUMBERED = "numbered molecular orbitals"
    COUNT = "a d count"


@dataclass(frozen=True, slots=True)
class Configuration:
    """Electrons by set. ``whole``: from 1s on, or with its core; ``elided``: dots leave a part out."""

    family: Family
    sets: tuple[tuple[str, int], ...]
    whole: bool
    elided: bool = False
    broken: bool = False
    """Written orbital by orbital against Hund's rule or Pauli's principle."""

    @property
    def counts(self) -> dict[str, int]:
        """Electrons by set, empty sets left out."""
        return {name: count for name, count in self.sets if count}


@dataclass(frozen=True, slots=True)
class Written:
    """A configuration at ``plain[start:end]``."""

    value: Configuration
    start: int
    end: int


_FOLLOWS = r"(?=$|[^0-9A-Za-z/.]|\.(?![0-9])|[1-8][spdfg]|[0-9]?[σπδ]|[te]_?[2g]|e_?g|e\b|t2)"
"""What may follow a count, so that ``3d104s1`` is ten and one."""


def _count(name: str) -> str:
    """A count of electrons on the line, raised, or in brackets."""
    return rf"(?:\^?\(?[ ]?(?P<{name}>1[0-4]|[0-9])\)?){_FOLLOWS}"


_AXES = r"(?:_?\(?(?:x\^?2-?y\^?2|z\^?2|xy|xz|yz|x|y|z|[ₓᵧγ])\)?)"
_SUBSHELL = rf"\(?(?P<n>[1-8])[ ]?(?P<l>[spdfg])(?P<axes>{_AXES}(?=\^|[0-2(]|\)))?\)?{_count('c')}"
_SET = r"(?P<field>t_?2_?g|e_?g|t_?2(?!_?g)|e(?=[\^_)]|[1-4](?![0-9])))"
_FIELD = rf"[({{]?{_SET}(?:\^?\*)?[)}}]?_?{_count('f')}"
_MOLECULAR = (
    r"[(\[{]?(?P<index>[1-9])?(?P<bond>[σπδ])(?P<star>\^?\*)?"
    r"_?\(?(?P<parity>[gu](?![A-Za-z]))?(?P<star2>\^?\*)?\)?"
    r"[ ]?\(?_?(?P<atomic>[1-6][spd](?:_?[xyzₓᵧγ])?)?\)?(?P<star3>\^?\*)?"
    rf"(?:\^?[+-](?=\)|\^))?[)\]}}]?{_count('m')}"
)
CORE = r"[\[({][ ]?(?P<core>He|Ne|Ar|Kr|Xe|Rn)(?:[ ]core)?[ ]?[\])}]"
_ITEM = re.compile(
    rf"(?<![A-Za-z0-9_^])(?:{_SUBSHELL})|{CORE}|(?<![A-Za-z])(?:{_FIELD})|(?:{_MOLECULAR})|"
    rf"(?<=[0-9])(?:{_SUBSHELL.replace('?P<', '?P<z_')})"
)
_GAP = re.compile(r"[\s·,∙*&)(\[\]{}|]{0,6}(?:KK)?[\s·,]{0,2}|[ ]?\+[ ]?")
_LISTED = re.compile(r",?[ ]and[ ]|[ ]?[;/][ ]?|[ ]?-[ ]?")
_BELOW_A_CORE = re.compile(r"[ ]?\n[ ]?")
_DOTS = re.compile(r"[\s·,]{0,3}(?:\.\.\.|…)[\s·,]{0,3}")
_UNREAD = re.compile(r"[\s|\[(]{0,4}[↑↓⇅⥮↿⇂]|[ ]?[1-8][SPDF][\^0-9]")
"""What goes on with a configuration in a way that isn't read: boxes, capital letters."""
_D_COUNT = re.compile(
    r"(?<![\w^.)\]])(?P<l>[df])\^?(?P<count>1[0-4]|[0-9])(?![\w^.]|-[a-z]|[ ]?[spdf]\^?[0-9]|"
    r"[ ](?:orbitals?|sp))"
)


def read(plain: str) -> list[Written]:
    """Every configuration that a plain text writes, in order."""
    found: list[Written] = []
    group: list[re.Match[str]] = []
    elided = False
    for match in _ITEM.finditer(plain):
        gap = plain[group[-1].end() : match.start()] if group else ""
        dots = bool(group) and _DOTS.fullmatch(gap) is not None
        if group and not (dots or _joins(group, match, gap)):
            found.extend(_made(group, elided))
            group, elided = [], False
        group.append(match)
        elided |= dots
    found.extend(_made(group, elided))
    return found


def d_counts(plain: str) -> list[Written]:
    """The counts of d or f electrons that a text writes short: ``d6``."""
    return [
        Written(Configuration(Family.COUNT, ((match["l"], int(match["count"])),), False), *match.span())
        for match in _D_COUNT.finditer(plain)
    ]


def _joins(group: list[re.Match[str]], match: re.Match[str], gap: str) -> bool:
    """Whether an item goes on with the configuration before it."""
    if match["core"] or _family(group[-1]) not in (_family(match), None):
        return False
    if _LISTED.fullmatch(gap):
        filled = {name for one in group for name, _ in _electrons(one)}
        return not filled & {name for name, _ in _electrons(match)}
    if "\n" in gap:
        return bool(group[-1]["core"]) and _BELOW_A_CORE.fullmatch(gap) is not None
    return _GAP.fullmatch(gap) is not None


def _family(match: re.Match[str]) -> Family | None:
    if match["n"] or match["z_n"]:
        return Family.ATOM
    if match["field"]:
        return Family.OCTAHEDRAL if match["field"].endswith("g") else Family.TETRAHEDRAL
    if match["bond"]:
        return Family.DIATOMIC if match["atomic"] else Family.NUMBERED
    return None


def _made(group: list[re.Match[str]], elided: bool) -> Iterator[Written]:
    """The configuration that a group of items makes, if it makes one."""
    if not group:
        return
    family = next((one for match in group if (one := _family(match))), Family.ATOM)
    counts: Counter[str] = Counter()
    for match in group:
        for name, count in _electrons(match):
            counts[name] += count
    atom = family is Family.ATOM
    whole = not atom or bool(group[0]["core"]) or "1s" in counts
    if family is Family.TETRAHEDRAL and len(group) < 2:
        return
    start, end = group[0].start(), group[-1].end()
    elided |= _UNREAD.match(group[0].string, end) is not None
    sets = tuple(sorted(counts.items()))
    broken = breaks_hund(_orbitals(group))
    yield Written(Configuration(family, sets, whole, elided, broken), start, end)


def _orbitals(group: list[re.Match[str]]) -> Iterator[tuple[str, int]]:
    """The p and π orbitals that are filled one by one: ``2px1 2py1``."""
    for match in group:
        if match["axes"] and match["l"] == "p":
            yield match["n"] + match["l"], int(match["c"])
        if match["bond"] == "π" and (match["atomic"] or "")[2:]:
            yield _orbital(match), int(match["m"])


def _electrons(match: re.Match[str]) -> Iterator[tuple[str, int]]:
    """The sets that an item fills."""
    for prefix in ("", "z_"):
        if match[prefix + "n"]:
            yield match[prefix + "n"] + match[prefix + "l"], int(match[prefix + "c"])
    if match["core"]:
        yield from core_electrons(match["core"])
    if match["field"]:
        yield match["field"].replace("_", ""), int(match["f"])
    if match["bond"]:
        yield _orbital(match), int(match["m"])


def core_electrons(symbol: str) -> list[tuple[str, int]]:
    """The electrons of a noble gas by subshell."""
    return [(item[:2], int(item[2:])) for item in CORES[symbol].split()]


def _orbital(match: re.Match[str]) -> str:
    """The name of a molecular orbital; g and u say by themselves which combinations are antibonding."""
    bond, parity = match["bond"], match["parity"] or ""
    if not match["atomic"]:
        return f"{match['index'] or ''}{bond}{parity}"
    star = bool(match["star"] or match["star2"] or match["star3"])
    if parity:
        star = (bond == "σ") == (parity == "u")
    return f"{bond}{'*' if star else ''}{match['atomic'][:2]}"


class Relation(Enum):
    """How two configurations compare."""

    SAME = "same"
    DIFFERENT = "different"
    UNSURE = "unsure"


def compare(expected: Configuration, found: Configuration) -> Relation:
    """Compare what an answer writes with what is expected; the order of sets never counts."""
    if expected == found:
        return Relation.SAME
    if found.elided:
        return Relation.UNSURE
    if found.family is Family.COUNT:
        return _compare_count(expected, found)
    if expected.family is not found.family:
        return Relation.UNSURE
    if expected.broken is not found.broken:
        return Relation.DIFFERENT
    one, two = expected.counts, found.counts
    if one == two:
        return Relation.SAME
    if expected.family in (Family.DIATOMIC, Family.NUMBERED):
        return _without_inner(one, two)
    if expected.family is not Family.ATOM or expected.whole == found.whole:
        return Relation.DIFFERENT
    whole, outer = (one, two) if expected.whole else (two, one)
    if outer in _outer_parts(whole):
        return Relation.SAME
    missing = {name: count for name, count in whole.items() if name not in outer}
    agree = all(whole.get(name) == count for name, count in outer.items())
    full = all(count == CAPACITY[name[1]] for name, count in missing.items())
    return Relation.UNSURE if agree and full else Relation.DIFFERENT


def _outer_parts(whole: dict[str, int]) -> Iterator[dict[str, int]]:
    """What stands outside of each noble-gas core that a configuration contains."""
    for symbol in reversed(CORES):
        core = dict(core_electrons(symbol))
        if all(whole.get(name) == count for name, count in core.items()):
            yield {name: count for name, count in whole.items() if name not in core}
            return


def _without_inner(one: dict[str, int], two: dict[str, int]) -> Relation:
    """Diatomic molecules, where one of two leaves out the filled inner orbitals."""
    less, more = sorted((one, two), key=len)
    missing = {name: count for name, count in more.items() if name not in less}
    inner = {"σ1s": 2, "σ*1s": 2}
    if all(more.get(name) == count for name, count in less.items()) and missing == inner:
        return Relation.SAME
    return Relation.DIFFERENT


def _compare_count(expected: Configuration, found: Configuration) -> Relation:
    """A d count against a configuration whose outer part is one d set only."""
    if expected.family is not Family.ATOM:
        return Relation.UNSURE
    outer = expected.counts if not expected.whole else next(_outer_parts(expected.counts), {})
    ((letter, count),) = found.sets
    if len(outer) != 1 or next(iter(outer))[1] != letter:
        return Relation.UNSURE
    return Relation.SAME if count == next(iter(outer.values())) else Relation.DIFFERENT
