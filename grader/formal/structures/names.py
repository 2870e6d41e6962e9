"""Chemical names as structures: a table of trivial names first, OPSIN for the rest.

A name that leaves open which compound it means is refused, also where OPSIN
picks one: it warns of a missing locant in most cases, and `ambiguity` knows
the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.formal.structures import opsin
from grader.formal.structures.ambiguity import ambiguity, implied_stereo
from grader.formal.structures.binary_salts import balanced
from grader.formal.structures.name_spelling import spelled
from grader.formal.structures.oxoanions import without_state
from grader.formal.structures.stereoisomers import meso_form
from grader.formal.structures.trivial_names import systematic, trivial
from grader.record import Reason

MOST_CHARACTERS = 400
"""No compound of an exam has a longer name; OPSIN's time grows faster than a name's length."""
NO_JAVA = "names need a Java: install one, or argus-rubric with its extra 'names'"
_KEPT = 100_000
"""How many names a process remembers."""


@dataclass(frozen=True, slots=True)
class Named:
    """A name and the structure it means: a SMILES, or a CXSMILES where it names a racemate.

    ``smiles`` is None where it means none; ``why`` says so as the end of a sentence.
    """

    name: str
    smiles: str | None
    why: str
    ambiguous: bool = False
    """The name leaves open which of several compounds it means."""
    reason: Reason = Reason.NOT_COMPARABLE
    """Why a check is undetermined where the name means no structure."""


_KNOWN: dict[str, Named] = {}


def available() -> bool:
    """Whether a Java was found; without one only trivial names are known."""
    return opsin.java() is not None


def structures(names: Sequence[str]) -> list[Named]:
    """What each name means, in order; the unknown ones go to OPSIN in one batch. Never raises."""
    keys = [spelled(name) for name in names]
    if len(_KNOWN) > _KEPT:
        _KNOWN.clear()
    _learn([key for key in dict.fromkeys(keys) if key not in _KNOWN])
    return [_KNOWN[key] for key in keys]


def _learn(keys: Sequence[str]) -> None:
    unknown = []
    for key in keys:
        if (known := _without_opsin(key)) is None:
            unknown.append(key)
        else:
            _KNOWN[key] = known
    for key, named in zip(unknown, _asked(unknown), strict=True):
        _KNOWN[key] = named


def _without_opsin(key: str) -> Named | None:
    if not key or not key.isascii() or not key.isprintable():
        return Named(key, None, "it is no chemical name")
    if len(key) > MOST_CHARACTERS:
        return Named(key, None, f"it is longer than {MOST_CHARACTERS} characters")
    if (smiles := trivial(key)) is not None:
        return Named(key, smiles, "it is a trivial name")
    if open_point := ambiguity(key):
        return Named(key, None, open_point, ambiguous=True)
    return None


_ION = re.compile(r"(?P<name>.{2,}) (?:an|cat)?ions?")
_MESO = "meso-"


def _asked(keys: Sequence[str]) -> list[Named]:
    """OPSIN's reading of each name; of an ion or a meso compound through the name without that word."""
    plain = [_unqualified(key) for key in keys]
    known = {named.name: named for named in _from_opsin(list(dict.fromkeys(plain)))}
    return [
        known[name] if name == key else _qualified(key, known[name])
        for name, key in zip(plain, keys, strict=True)
    ]


def _unqualified(key: str) -> str:
    if ion := _ION.fullmatch(key):
        return ion["name"]
    return key.removeprefix(_MESO) or key


_LOCATED = re.compile(r"(?:\([+-]\)-)?(\([0-9a-zRSEZ,]+\))-(?:\([+-]\)-)?(.+)")
_SUBSTITUENT = (
    r"(?:fluoro|chloro|bromo|iodo|nitro|amino|hydroxy|cyano|methoxy|ethoxy|methyl|ethyl|isopropyl|tert-butyl|"
    r"vinyl|phenyl|acetyl)"
)
_RING_PREFIX = re.compile(
    rf"(?P<at>o|m|p|ortho|meta|para)-(?P<one>{_SUBSTITUENT})(?P<two>{_SUBSTITUENT})benzene", re.I
)
_UNPLACED = re.compile(
    rf"(?P<placed>[2-6](?:,[2-6])*-(?:di|tri)?{_SUBSTITUENT}(?:-[2-6](?:,[2-6])*-(?:di|tri)?{_SUBSTITUENT}){{0,2}})"
    r"(?P<first>fluoro|chloro|bromo|iodo|nitro)benzene",
    re.I,
)
"""Beside numbers without a 1 the substituent without a number is at 1: 2,4-dinitrochlorobenzene."""
_SYMMETRIC = re.compile(r"(?<![A-Za-z])sym-(tri[a-z]{4,20}benzene)")
_ANILIDE = re.compile(rf"(?P<ring>[345](?:,[345])*-(?:di|tri)?{_SUBSTITUENT})acetanilide", re.I)
"""Numbers that only the ring has: 2- may mean the acetyl group, too."""
_SECOND = {"o": 2, "m": 3, "p": 4}


def _systematic(key: str) -> str:
    """A name that OPSIN takes for incomplete, as it reads it: (2R,3R)-tartaric acid, p-bromonitrobenzene."""
    if ring := _RING_PREFIX.fullmatch(key):
        at = _SECOND[ring["at"][0].lower()]
        return f"1-{ring['one']}-{at}-{ring['two']}benzene"
    if unplaced := _UNPLACED.fullmatch(key):
        return f"1-{unplaced['first']}-{unplaced['placed']}benzene"
    key = _SYMMETRIC.sub(r"1,3,5-\1", without_state(key))
    if anilide := _ANILIDE.fullmatch(key):
        return f"N-({anilide['ring']}phenyl)acetamide"
    located = _LOCATED.fullmatch(key)
    synonym = systematic(located[2]) if located else None
    return f"{located[1]}-{synonym}" if located and synonym else key


def _qualified(key: str, named: Named) -> Named:
    if named.smiles is None:
        return replace(named, name=key)
    smiles = meso_form(named.smiles) if key.startswith(_MESO) else named.smiles
    if smiles is None or (_ION.fullmatch(key) and not re.search(r"[+-]\d?\]", smiles)):
        return Named(key, None, "it fits no such compound")
    return replace(named, name=key, smiles=smiles)


def _from_opsin(keys: Sequence[str]) -> list[Named]:
    if not keys:
        return []
    if not available():
        return [Named(key, None, NO_JAVA, reason=Reason.UNSUPPORTED) for key in keys]
    try:
        replies = opsin.ask([_systematic(key) for key in keys])
    except OSError as error:
        why = f"Java does not start ({error.strerror or error})"
        return [Named(key, None, why, reason=Reason.UNSUPPORTED) for key in keys]
    return [_named(key, reply) for key, reply in zip(keys, replies, strict=True)]


_ATOM_NUMBERS = re.compile(r"\$[^$|]*\$,?")


def _named(key: str, reply: opsin.Reply) -> Named:
    if reply.failure == "time_limit":
        return Named(key, None, "OPSIN takes too long over it", reason=Reason.TIME_LIMIT)
    if reply.failure or not reply.smiles:
        return Named(key, None, "OPSIN finds no structure for it")
    if any(remark.startswith("APPEARS_AMBIGUOUS") for remark in reply.remarks):
        return Named(key, None, "it does not say which isomer it means", ambiguous=True)
    smiles, extension = _split(reply.smiles)
    if (mended := balanced(key, smiles)) is None:
        return Named(key, None, "OPSIN reads it with too few atoms")
    ignored = any(remark.startswith("STEREOCHEMISTRY_IGNORED") for remark in reply.remarks)
    if ignored and "@" not in smiles:
        return Named(key, None, "the sign of an optical rotation does not give the configuration")
    return Named(key, implied_stereo(key, mended, extension), "OPSIN reads it")


def _split(cxsmiles: str) -> tuple[str, str]:
    """The SMILES and what its extension says of stereo (``r``, ``o1:1,2``)."""
    smiles, _, extension = cxsmiles.partition(" ")
    return smiles, _ATOM_NUMBERS.sub("", extension.strip("|"))
