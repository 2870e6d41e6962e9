"""Which words of a text can be chemical names, and how they join to phrases.

What a phrase means OPSIN decides; here only what can't be a name is left out:
common words, words beside sentence ends, brackets that don't close.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from grader.formal.structures.trivial_names import NAMES

MOST_WORDS = 12_000
"""A text with more words isn't read for names at all."""
MOST_JOINED = 6
"""Words of the longest names: sodium dihydrogen phosphate dihydrate."""
_LONGEST = 400

_WORD = re.compile(r"[^\s|/=<>:;!?\"—→←≡~@#%&\\`□]+(?:/[0-9][^\s|/=<>:;!?\"]*)?")
_COMMON_WORDS = """
a about above absent according acidic addition after again all allen alone also although always an and
another answer any are as at atom atoms attack base basic be because become been before being below between
both but by can cannot carbons case chain class clear coa compound compounds condition conditions contains
correct corresponding could does done double each either else equation exactly fact false final finally
first five follow following follows for form format formation formed forms formula four from fully further
gas general german give given gives giving group groups had half has have heat heated hence her here his how
however i if in increase indeed inside instead into is it its itself just know known large later lead leads
least less like line long loss lost made main major make makes many may means mechanism might minor mixture
mole molecule moles more moreover most mostly much must name named need negative never next no none nor not
note now obtained of off on once one only onto option or original other otherwise our out over pair part per
point position positive possible pressure primary process produced product products proton pyramid rate
rather reaction reactions reacts reagent reason reduced result results ring rule same second secondary see
seen shows side since single six so solution solvent some species stable starting step still structure
substance substituted such system take taken temperature tertiary test than that the their them then there
therefore these they this those three through thus time tin to together too treated treatment triple true
two type under undergoes unit until up upon use used uses using usually very via was way we well were what
when where whereas which while who whose why will with within without would yes yet yield yields you your
zero
"""
_METAL = re.compile(r"(?:lead|tin) [a-z]{2,14}(?:ide|ate|ite)\b", re.I)
"""Two metals whose names are common words, where an anion follows."""
_COMMON = frozenset(_COMMON_WORDS.split())
_TABLED = frozenset(name.lower() for name in NAMES if " " in name)
"""Names that a common word may end: laughing gas, Meldrum's acid."""
_BEGUN = frozenset(name[: gap.start()] for name in _TABLED for gap in re.finditer(" ", name))
_HEAD = re.compile(
    r"(?:yl|ylene|ic|ous|ium|um|[)\]]|gen|el|er|in|on|ese|alt|inc|ead|old|ry|acid|ide|ate|ite|ine|ol|one|ane|"
    r"phosphorus|sul(?:f|ph)ur|bismuth|antimony|ene|yne|al|am|[a-z]{2}o|oxy|[-,]|'s|cis|trans|tert|(?<![a-z])[nlNLDEZRS])$",
    re.I,
)
"""How a word ends that another word of the same name follows."""
_REMARK = re.compile(r"\([A-Za-z][a-z-]{3,60}(?<!ide)(?<!ate)(?<!ite)(?<!acid)\)[.,]?")
"""A word in brackets behind a name: another name for it, not an anion or an oxidation number."""
_TAIL_SIGNS = ".,'’*_-^{"
_LEAD_SIGNS = "'’*_-.,}^+"
_PAIRS = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that may be one name: their plain span, and the words they are (from, to)."""

    start: int
    end: int
    words: tuple[int, int]


class TooMany(Exception):
    """A text with more words or names than can be weighed."""


@lru_cache(maxsize=4)
def phrases(plain: str) -> Sequence[Phrase]:
    """Every phrase of a text that may be a chemical name, by its first word and the longest first.

    Raises TooMany.
    """
    words = [match.span() for match in _WORD.finditer(plain)]
    if len(words) > MOST_WORDS:
        raise TooMany
    return [phrase for first in range(len(words)) for phrase in _from(plain, words, first)]


def _from(plain: str, words: list[tuple[int, int]], first: int) -> list[Phrase]:
    """The phrases that begin with one word, the longest first."""
    found: list[Phrase] = []
    for last in range(first, min(len(words), first + MOST_JOINED)):
        if last > first:
            gap = plain[words[last - 1][1] : words[last][0]]
            before = plain[words[first][0] : words[last - 1][1]]
            if gap == " " and _REMARK.fullmatch(plain, *words[last]):
                break
            goes_on = gap == " " and (_begins(before) or _inverted(before, plain, words[last][0]))
            if not goes_on and not _joins(before, gap):
                break
        span = trimmed(plain, words[first][0], words[last][1])
        if _is_common(plain[slice(*words[last])]) and not _METAL.match(plain, words[last][0]):
            if last > first and span is not None and plain[slice(*span)].lower() in _TABLED:
                found.append(Phrase(*span, (first, last)))
            if last > first and _begins(plain[words[first][0] : words[last][1]]):
                continue
            break
        if span is not None:
            found.append(Phrase(*span, (first, last)))
    return found[::-1]


def _begins(words: str) -> bool:
    """Whether a name of the table goes on after these words: heavy (water), oil of (vitriol)."""
    return words.lstrip("*_\"'(").lower() in _BEGUN


def _is_common(word: str) -> bool:
    return word.strip(".,'’*_()[]-").lower() in _COMMON


def _joins(before: str, gap: str) -> bool:
    """Whether a name can go on over a gap after what stands before it."""
    if gap.strip(" \n") or gap.count("\n") > 1 or len(gap) > 6:
        return False
    if _open_brackets(before) > 0 and re.search(r"[0-9RSEZ]'?,$", before[-4:]):
        return True
    if before[0] in "([" and _unclosed(before):
        before = before[1:]
    if _open_brackets(before) > 0:
        return "\n" in gap
    if re.search(r"[0-9]'?,$", before[-4:]):
        return True
    return _HEAD.search(before.rstrip("*_'")[-12:]) is not None and not before.endswith((".", ","))


_PARENT = re.compile(r"[A-Za-z]{2}\)?,[*_]{0,2}$|-,[*_]{0,2}$")
_INVERTED = re.compile(r"[*_]{0,2}(?:[^\s,;:]|,(?=\S)){1,80}-(?![^\s.,;:)|*_])|[a-z]{2,20}yl (?=ester\b)")


def _inverted(before: str, plain: str, start: int) -> bool:
    """Whether a comma parts an index name: "Butane, 2-chloro-", "Acetic acid, ethyl ester"."""
    return _PARENT.search(before[-6:]) is not None and _INVERTED.match(plain, start) is not None


def _open_brackets(text: str) -> int:
    return sum(text.count(sign) for sign in "([{") - sum(text.count(sign) for sign in ")]}")


def trimmed(plain: str, start: int, end: int) -> tuple[int, int] | None:
    """The span without the punctuation and the brackets around it; None where nothing is left of it."""
    if end - start > _LONGEST:
        return None
    while start < end:
        if plain[end - 1] in _TAIL_SIGNS and not _belongs(plain, start, end - 1):
            end -= 1
        elif plain[start] in _LEAD_SIGNS and not _SLANTED.match(plain, start, end):
            start += 1
        elif plain[end - 1] in _PAIRS and not _closes(plain[start:end]):
            end -= 1
        elif plain[start] in "([{" and (_unclosed(plain[start:end]) or _wraps(plain[start:end])):
            start += 1
        else:
            break
    text = plain[start:end]
    if len(text) < 2 or len(text) > _LONGEST or _open_brackets(text) or not re.search("[A-Za-z]{2}", text):
        return None
    return start, end


_SLANTED = re.compile(r"\*[A-Za-z]{1,6}\*(?=-|,\*?[A-Z])")
"""A descriptor or a locant in italics, as a name begins."""


def _belongs(plain: str, start: int, at: int) -> bool:
    """Whether the last sign of a span is its name's: a prime, or the hyphen of an index name."""
    if plain[at] == "-":
        return ", " in plain[start:at]
    return plain[at] in "'’" and plain[at - 1 : at].isdigit()


def _closes(text: str) -> bool:
    """Whether the bracket at the end of a text was opened in it."""
    depth = 0
    for sign in reversed(text):
        depth += (sign in ")]}") - (sign in "([{")
        if depth == 0:
            return True
    return False


def _unclosed(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0:
            return False
    return True


def _wraps(text: str) -> bool:
    """Whether the first bracket closes only at the end."""
    depth = 0
    for index, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0:
            return index == len(text) - 1
    return False


_STEMS = (
    r"(?:meth|eth|prop|but|pent|hex|hept|oct|non|dec|phenyl|benz|chlor|brom|fluor|iod|hydroxy|amino|nitro|oxo|"
    r"acet|tolu|pyrid|naphth|cyano|keto|form|cyclo|cumen|pyrr|imidaz|indol|quinol|furan|thio)"
)
_ENDS = (
    r"(?:anes?|enes?|ynes?|ols?|ones?|als?|oates?|amines?|amides?|nitriles?|anoic(?: acid)?|enoic(?: acid)?|"
    r"ide|diol|dione|dial|olide|aldehyd|thiol)"
)
_LOCANT = re.compile(
    r"(?:^|[(\[-])(?:[0-9]{1,2}[a-z]?'*(?:,[0-9]{1,2}[a-z]?'*)*|[NOS](?:,[NOS]'?)*|[ompαβγ])-\(?[a-zA-Z]{3}"
    r"|[a-z]{3}-[0-9]{1,2}(?:,[0-9]{1,2})*(?:-[a-z]{2}|$)"
)
_SHAPE = re.compile(rf"(?:[a-z]{{0,30}}){_STEMS}[a-z]{{0,40}}{_ENDS}$|^{_STEMS}[a-z]{{0,40}}{_ENDS}$", re.I)
_CLASS = re.compile(
    r"alk|aryl|arene|hydroxyl|methylene|methine|phenyls?$|halo|carbonyl|carbohydr|benzylic|allylic|"
    r"ketones?$|alcohols?$|hydride|formal$|octet|nonbonding|internal|terminal|tetrahedral|interm|"
    r"proportional|experimental|dec(?:ision|line)|method|propos|ethereal|button|pentet|hexagonal|octahedral|"
    r"functional|nonpolar|additional|conditional|optional|rational|regional|directional|decimal|"
    r"(?:mono|di|tri|poly)ol$|diene$|"
    r"butterfly|nylon|promethe|benchmark|contribut|form(?:ation|ula|al)|perform|uniform|transform|inform",
    re.I,
)


def looks_like_name(word: str) -> bool:
    """Whether a word that no one can read still is meant as the name of a compound, not of a class."""
    if _CLASS.search(word) or len(word) > _LONGEST:
        return False
    return _LOCANT.search(word) is not None or _SHAPE.search(word[-80:]) is not None


_AROUND = 100


def names_near(raw: str, start: int, end: int) -> bool:
    """Whether a word that looks like a name, or ends like one, stands shortly before or after a span."""
    around = (raw[max(0, start - _AROUND) : start], raw[end : end + _AROUND])
    return any(_NAMELIKE.search(text) for text in around)


_NAMELIKE = re.compile(
    r"[a-z]{3,}(?:ane|ene|yne|ol|one|al|ate|ine|ide|ile|ium|an|in|on|ose|acid|ether|ester)\b|\b[A-Z]{3,6}\b",
    re.I,
)
