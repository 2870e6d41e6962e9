"""A statement taken apart: its subject, its predicate, and what excludes them.

Opposites are those of general chemistry; of any other word only "non-" is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from grader.answer.notation import normalise

_OPPOSITES = (
    "aromatic:antiaromatic|nonaromatic paramagnetic:diamagnetic exothermic:endothermic exergonic:endergonic "
    "spontaneous:nonspontaneous polar:nonpolar|apolar soluble:insoluble chiral:achiral acidic:basic|alkaline "
    "saturated:unsaturated stable:unstable reversible:irreversible miscible:immiscible "
    "homogeneous:heterogeneous hydrophilic:hydrophobic dextrorotatory:levorotatory positive:negative "
    "favourable:unfavourable favorable:unfavorable planar:nonplanar "
    "possible:impossible symmetric:asymmetric symmetrical:unsymmetrical linear:nonlinear|bent equal:unequal "
    "ideal:nonideal volatile:nonvolatile constant:variable feasible:infeasible|unfeasible "
    "coloured:colourless colored:colorless radioactive:nonradioactive diatomic:monatomic ionic:covalent "
    "enantiomers:diastereomers acidic:neutral basic:neutral charged:uncharged|neutral "
    "enantiomeric:diastereomeric concerted:stepwise extensive:intensive "
    "amorphous:crystalline equivalent:inequivalent reactive:unreactive inert:labile allowed:forbidden"
)
_COMPARATIVES = (
    "higher:lower more:less larger:smaller greater:smaller|less|lower stronger:weaker faster:slower "
    "longer:shorter harder:softer hotter:colder heavier:lighter bigger:smaller"
)
ARTICLES = r"(?:(?:a|an|the)\s)?"
_OPPOSED_VERBS = (
    ("increase|rise|raise|grow", "decrease|fall|drop|decline|diminish|lower|reduce"),
    ("absorb", "release|emit|evolve|liberate"),
    ("gain", "lose"),
    ("attract", "repel"),
    ("favour|favor", "disfavour|disfavor"),
    ("accelerate", "slow|retard|decelerate"),
    ("expand", "contract|shrink"),
    ("strengthen", "weaken"),
)
"""Verbs of one sense, and those of the opposite sense."""
_UNCHANGED = (
    r"(?:stay|remain)s?\s(?:the\ssame|constant|unchanged|unaffected)|(?:does|do)(?:n't|\snot)\schange"
)
_COPULAR = re.compile(
    r"(?P<subject>[^.;]{1,80}?)\s(?P<verb>is|are|was|were)(?P<not>n't|\snot)?\s(?P<rest>[^.;]{2,120})"
)
_VERBAL = re.compile(
    r"(?P<subject>(?:(?:a|an|the|all|every|each|this)\s)?[^\s.;]{1,30}(?:\s[^\s.;]{1,30}){0,6}?)\s"
    r"(?:(?P<not>(?:does|do)(?:n't|\snot))\s(?P<base>[a-z]{2,20})|(?P<verb>has|have|[a-z]{2,20}(?<![us])s))"
    r"\s(?P<rest>[^.;]{2,120})"
)
_INTRANSITIVE = re.compile(r"(?P<subject>[^.;]{1,80})\s(?P<verb>[a-z]{3,20}(?<![us])s)")
_CIRCUMSTANCE = re.compile(r"\s(?:at|above|below|under|in|on|near|for)\s[^,]{1,60}$")
NOUN = r"(?:\s(?:compound|molecule|species|complex|ion|substance|reaction|process|system|one)s?)"

PRONOUN = (
    r"it|they|this|these|"
    r"(?:the|this)\s(?:compound|molecule|complex|reaction|ion|species|substance|process|solution)"
)
UNREAL = re.compile(
    r"\b(?:if|whether|unless|were|would|could|might|may|should|suppos\w+|assum\w+|imagine|would-be|when|until|"
    r"for .{0,20} to be|nor)\b",
    re.I,
)
REMARK = (
    r"\s\((?!(?:only|in|at|if|for|when|under|above|below|on|with|without|not|or|but|as|except|after|before|"
    r"false|wrong|incorrect|no|true|yes|un\w+)\b)[^()\n?]{1,80}\)\s?(?:[.,;:!\n]|$)"
)
"""A remark in brackets that is no condition: "(2372 kJ/mol)"."""
CORRECTED = r"\((?:(?:after|upon|on|by)\s)?(?:correct|revis|reflection)"
"""A bracket that calls what stands before it corrected."""
FOLLOWS = (
    rf"(?=\s?(?:[.,;:!)—\n]|->|{CORRECTED}|$)"
    r"|\s(?:because|since|as|due|owing|so|and|but|with|by virtue|whereas|although|"
    r"here|after all|overall|rather than|instead of|as opposed to)\b|\s\([^)\n]{0,30}="
    rf"|{REMARK})"
)
NOUN_AFTER = f"{NOUN}?"
REACH = 400
"""How many characters around a clause are weighed."""


def _table(entries: str) -> dict[str, tuple[str, ...]]:
    """What each word excludes, both ways."""
    opposites: dict[str, tuple[str, ...]] = {}
    for entry in entries.split():
        word, others = entry.split(":")
        for other in others.split("|"):
            opposites[word] = (*opposites.get(word, ()), other)
            opposites[other] = (*opposites.get(other, ()), word)
    return opposites


_EXCLUDED = _table(_OPPOSITES)
COMPARED = _table(_COMPARATIVES)
THAN = re.compile(
    rf"(?P<head>.*?)\b(?P<word>{'|'.join(COMPARED)})\b(?P<middle>(?:\s\S+){{0,6}}?)\sthan\s(?P<object>.+)"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement taken apart, without leading articles."""

    subject: str
    verb: str
    """A copula, or a verb in the third person as the statement has it."""
    base: str
    """The verb's stem, as it stands after "does not"; empty for a copula."""
    predicate: str
    circumstance: str
    negated: bool
    general: bool
    """Whether its subject is no particular one, so that "no precipitate" is its denial."""


@lru_cache(maxsize=256)
def read_claim(statement: str | None) -> Claim | None:
    """A statement of the form subject, verb, predicate; None for any other."""
    spelled = normalise(statement or "").plain.strip(" .\n")
    match = _COPULAR.fullmatch(spelled) or _VERBAL.fullmatch(spelled) or _INTRANSITIVE.fullmatch(spelled)
    if match is None:
        return None
    copular = match.re is _COPULAR
    parts: dict[str, str] = {name: said for name, said in match.groupdict().items() if said}
    rest = parts.get("rest", "")
    circumstance = _CIRCUMSTANCE.search(rest) if copular else None
    predicate = rest[: circumstance.start()] if circumstance else rest
    if copular and re.match(r"an?\s", rest):
        predicate = re.sub(rf"(?<=\w){NOUN}$", "", predicate)
    verb = parts.get("verb", "")
    base = "" if copular else parts.get("base") or ("have" if verb in ("has", "have") else _base(verb))
    return Claim(
        re.sub(r"^(?:a|an|the|this)\s", "", match["subject"], flags=re.I),
        verb or f"{base}(?:e?s)?",
        base,
        re.sub(r"^(?:a|an|the)\s", "", predicate),
        circumstance.group().strip() if circumstance else "",
        "not" in parts,
        re.match(r"(?:the|this|these|all|every|each)\s", match["subject"], re.I) is None,
    )


def _base(verb: str) -> str:
    """The stem of a verb in the third person."""
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("ches", "shes", "sses", "xes", "oes")) else verb[:-1]


def spelled(words: str) -> str:
    """A pattern for words, with or without articles between them; a capital A is a symbol."""
    kept = [_word(word) for word in words.split() if word not in ("a", "an", "the", "An", "The")]
    return rf"\s{ARTICLES}".join(kept)


def _word(word: str) -> str:
    """A pattern for a word; a charge may be raised or not."""
    ion = re.fullmatch(r"(?P<body>[A-Z(\[].*?)\^?(?P<number>[0-9]?)\^?(?P<sign>[+-])", word)
    if ion is None:
        return re.escape(word)
    return rf"{re.escape(ion['body'])}\^?{ion['number']}\^?{re.escape(ion['sign'])}"


def named(claim: Claim) -> str:
    """A pattern for the subject, whether or not it is said what kind of thing it is: "the complex X", "X"."""
    kind, _, name = claim.subject.rpartition(" ")
    if kind and not (re.fullmatch(NOUN, f" {kind}") and re.search("[A-Z0-9]", name)):
        return ARTICLES + spelled(claim.subject)
    after = "" if re.fullmatch(NOUN, f" {name}") else r"(?:\smolecules?)?"
    return rf"{ARTICLES}(?:(?:complex|compound|molecule|ion|species|substance)\s)?{spelled(name)}{after}"


def verbs(claim: Claim) -> Iterator[tuple[str, bool]]:
    """Patterns of the claim's verb, in the third person or as a stem, and of what excludes it."""
    alike = rf"{claim.verb}|{claim.base}"
    for pair in _OPPOSED_VERBS:
        for same, others in (pair, pair[::-1]):
            if claim.base in same.split("|"):
                excluded = rf"(?:{others})(?:e?s)?"
                yield f"{alike}|(?:{same})(?:e?s)?", True
                yield (f"{excluded}|{_UNCHANGED}" if pair is _OPPOSED_VERBS[0] else excluded), False
                return
    yield alike, True


def predicates(claim: Claim) -> Iterator[tuple[str, bool]]:
    """Patterns of the predicate and of what excludes it."""
    yield spelled(claim.predicate), True
    adverb, _, adjective = claim.predicate.rpartition(" ")
    if not claim.base and re.fullmatch(r"(?:\w+ly)?", adverb):
        excluded = [re.escape(word) for word in _EXCLUDED.get(adjective.lower(), ())]
        others = "|".join([rf"non-?\s?{re.escape(adjective)}", *excluded])
        yield rf"(?:{adverb}\s)(?:{others})" if adverb else others, False
    directed = re.fullmatch(r"(?P<what>.*)\bto the (?P<side>left|right)", claim.predicate)
    if directed:
        side = "left" if directed["side"] == "right" else "right"
        yield spelled(f"{directed['what']} to the {side}"), False
    for word in COMPARED:
        than = THAN.fullmatch(claim.predicate)
        if than and than["word"] == word:
            others = "|".join(COMPARED[word])
            said = rf"(?:{others}){spelled_after(than['middle'])}\sthan\s{ARTICLES}{spelled(than['object'])}"
            yield f"{spelled_before(than['head'])}{said}", False


def spelled_after(words: str) -> str:
    """A pattern for words that may be missing, after others."""
    return rf"\s{spelled(words)}" if words.strip() else ""


def spelled_before(words: str) -> str:
    """A pattern for words that may be missing, before others."""
    said = spelled(words)
    return rf"{said}\s{ARTICLES}" if said else ""
