"""A statement said again in an answer: affirmed, denied, or called by its opposite.

Only a clause whose subject is the statement's and that ends with the
statement's predicate counts; with conditions of its own it decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from grader.answer.notation import normalise
from grader.answer.stance import Discourse
from grader.formal.verdicts import Verdict

_OPPOSITES = (
    "aromatic:antiaromatic|nonaromatic paramagnetic:diamagnetic exothermic:endothermic exergonic:endergonic "
    "spontaneous:nonspontaneous polar:nonpolar|apolar soluble:insoluble chiral:achiral acidic:basic|alkaline "
    "saturated:unsaturated stable:unstable reversible:irreversible miscible:immiscible "
    "homogeneous:heterogeneous hydrophilic:hydrophobic dextrorotatory:levorotatory positive:negative "
    "electrophilic:nucleophilic favourable:unfavourable favorable:unfavorable planar:nonplanar "
    "possible:impossible symmetric:asymmetric symmetrical:unsymmetrical linear:nonlinear|bent equal:unequal "
    "ideal:nonideal volatile:nonvolatile constant:variable feasible:infeasible|unfeasible "
    "coloured:colourless colored:colorless radioactive:nonradioactive diatomic:monatomic ionic:covalent "
    "amorphous:crystalline reactive:unreactive inert:labile allowed:forbidden"
)
_COMPARATIVES = (
    "higher:lower more:less larger:smaller greater:smaller|less|lower stronger:weaker faster:slower "
    "longer:shorter harder:softer hotter:colder heavier:lighter bigger:smaller"
)
_ARTICLES = r"(?:(?:a|an|the)\s)?"
_COPULAR = re.compile(
    r"(?P<subject>[^.;]{1,80}?)\s(?P<verb>is|are|was|were)(?P<not>n't|\snot)?\s(?P<rest>[^.;]{2,120})"
)
_VERBAL = re.compile(
    r"(?P<subject>(?:(?:a|an|the|all|every|each|this)\s)?[^\s.;]{1,30}(?:\s[^\s.;]{1,30})??)\s"
    r"(?:(?P<not>(?:does|do)(?:n't|\snot))\s(?P<base>[a-z]{2,20})|(?P<verb>has|have|[a-z]{2,20}(?<![us])s))"
    r"\s(?P<rest>[^.;]{2,120})"
)
_CIRCUMSTANCE = re.compile(r"\s(?:at|above|below|under|in|on|near|for)\s[^,]{1,60}$")
_THAN = re.compile(r"(?P<head>.*?)(?P<word>[a-z]+)(?P<middle>(?:\s\S+){0,6}?)\sthan\s(?P<object>.+)")
_PRONOUN = (
    r"it|they|this|these|"
    r"(?:the|this)\s(?:compound|molecule|complex|reaction|ion|species|substance|process|solution)"
)
_ADVERBS = (
    r"(?:\s(?:therefore|thus|hence|indeed|clearly|certainly|definitely|actually|also|consequently|in fact|"
    r"overall|still|obviously|always|both))?"
)
_NEVER = r"(?:not|never|no longer|by no means|in no way|hardly|neither|anything but|far from(?: being)?)"
_LED_BY = re.compile(
    r"(?:^|[.!?,;:—(\n]|->|\b(?:so|thus|hence|therefore|because|since|as|and|but|that|means|conclude|then|while|"
    r"whereas|although|though|indeed|clearly|however|yes|no|no doubt|consequently))[\s\W]{0,4}$",
    re.I,
)
_UNREAL = re.compile(
    r"\b(?:if|whether|unless|were|would|could|might|may|should|suppos\w+|assum\w+|imagine|would-be|when|until|"
    r"for .{0,20} to be|nor)\b",
    re.I,
)
_FOLLOWS = (
    r"(?=\s?(?:[.,;:!)—\n]|->|$)|\s(?:because|since|as|due|owing|so|and|but|with|by virtue|whereas|although|"
    r"here|after all|overall)\b)"
)
_NOUN_AFTER = r"(?:\s(?:compound|molecule|species|complex|ion|substance|reaction|process|system|one)s?)?"
_DENIED_WHOLE = re.compile(
    r"\b(?:not (?:the case|true|so|correct)|untrue|false|wrong|incorrect|misconception|myth|mistake|error)"
    r"(?: to (?:say|think|believe|claim))?(?: is)? that\s$",
    re.I,
)
_ELLIPSIS = re.compile(
    rf"\b(?:so|thus|hence|therefore|but)\s(?P<where>[^.;,\n]{{0,40}}?),?\s?\b(?:{_PRONOUN})\s(?:is|are|does|do)"
    r"(?P<not>n't|\snot)?\s?(?=[.;!\n]|$)",
    re.I,
)


_CONDITION = re.compile(
    r"\b(?:at|above|below|under|in|for|near|during|after|before|upon|on)\s[^,.;]{1,40}", re.I
)
_REFERENCE = re.compile(r"\b(?:unlike|than|to|with|from|like|of|versus|not)\s(?:the\s|an?\s)?$", re.I)
_OTHER_SUBJECT = re.compile(r"\b(?:is|are|was|were|has|have|contains?|does|do)\b", re.I)


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
_COMPARED = _table(_COMPARATIVES)


_REACH = 400
"""How many characters around a clause are weighed."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement taken apart, in lower case and without leading articles."""

    subject: str
    verb: str
    """A copula, or a verb in the third person as the statement has it."""
    base: str
    """The verb's stem, as it stands after "does not"; empty for a copula."""
    predicate: str
    circumstance: str
    negated: bool


@lru_cache(maxsize=256)
def read_claim(statement: str | None) -> Claim | None:
    """A statement of the form subject, verb, predicate; None for any other."""
    spelled = normalise(statement or "").plain.strip(" .\n")
    match = _COPULAR.fullmatch(spelled) or _VERBAL.fullmatch(spelled)
    if match is None:
        return None
    copular = match.re is _COPULAR
    rest = match["rest"]
    circumstance = _CIRCUMSTANCE.search(rest) if copular else None
    predicate = rest[: circumstance.start()] if circumstance else rest
    verb = match["verb"] or ""
    base = "" if copular else match["base"] or ("have" if verb in ("has", "have") else _base(verb))
    return Claim(
        re.sub(r"^(?:a|an|the|this)\s", "", match["subject"], flags=re.I),
        verb or f"{match['base']}(?:e?s)?",
        base,
        re.sub(r"^(?:a|an|the)\s", "", predicate),
        circumstance.group().strip() if circumstance else "",
        match["not"] is not None,
    )


def _base(verb: str) -> str:
    """The stem of a verb in the third person."""
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("ches", "shes", "sses", "xes")) else verb[:-1]


def _spelled(words: str) -> str:
    """A pattern for words, with or without articles between them."""
    kept = [re.escape(word) for word in words.split() if word.lower() not in ("a", "an", "the")]
    return rf"\s{_ARTICLES}".join(kept)


def _predicates(claim: Claim) -> Iterator[tuple[str, bool]]:
    """Patterns of the predicate and of what excludes it."""
    yield _spelled(claim.predicate), True
    if not claim.base and len(claim.predicate.split()) == 1:
        excluded = [re.escape(word) for word in _EXCLUDED.get(claim.predicate.lower(), ())]
        yield "|".join([rf"non-?\s?{re.escape(claim.predicate)}", *excluded]), False
    for word in _COMPARED:
        than = _THAN.fullmatch(claim.predicate)
        if than and than["word"] == word:
            others = "|".join(_COMPARED[word])
            said = (
                rf"(?:{others}){_spelled_after(than['middle'])}\sthan\s{_ARTICLES}{_spelled(than['object'])}"
            )
            yield f"{_spelled_before(than['head'])}{said}", False


def _spelled_after(words: str) -> str:
    return rf"\s{_spelled(words)}" if words.strip() else ""


def _spelled_before(words: str) -> str:
    return rf"{_spelled(words)}\s" if words.strip() else ""


@lru_cache(maxsize=256)
def _patterns(claim: Claim) -> tuple[tuple[re.Pattern[str], bool], ...]:
    """How a clause that says the statement again looks, and whether it affirms."""
    subject = rf"(?P<subject>{_ARTICLES}{_spelled(claim.subject)}|\b(?:{_PRONOUN}))"
    where = rf"(?:,?\s{_spelled(claim.circumstance)})?" if claim.circumstance else ""
    after = rf"{_NOUN_AFTER}{where}{_FOLLOWS}"
    found = []
    for predicate, affirms in _predicates(claim):
        if claim.base:
            verb = (
                rf"{_ADVERBS}\s(?:(?P<not>(?:does|do|did|can|will)(?:n't|\s?not)|never)\s(?:{claim.base}|{claim.verb})"
                rf"|(?:{claim.verb}|{claim.base}))"
            )
        else:
            verb = (
                rf"(?:'s|\s(?:is|are|was|were|must be|has to be|can(?:'t|not) be(?P<never>)))"
                rf"(?P<not>n't|{_ADVERBS}\s{_NEVER})?{_ADVERBS}"
            )
        pattern = rf"(?<![\w-]){subject}{verb}\s{_ARTICLES}(?:{predicate}){after}"
        found.append((re.compile(pattern, re.I), affirms))
    return (*found, *_reversed(claim))


def _reversed(claim: Claim) -> Iterator[tuple[re.Pattern[str], bool]]:
    """A comparison the other way round, which denies the statement."""
    than = _THAN.fullmatch(claim.predicate)
    if than and than["word"] in _COMPARED:
        compared = f"{_spelled_before(than['head'])}{than['word']}{_spelled_after(than['middle'])}"
        yield (
            re.compile(
                rf"(?<![\w-])(?P<subject>{_ARTICLES}{_spelled(than['object'])})\s(?:{claim.verb})\s{_ARTICLES}"
                rf"{compared}\sthan\s{_ARTICLES}{_spelled(claim.subject)}{_FOLLOWS}",
                re.I,
            ),
            False,
        )


def restated(plain: str, claim: Claim, discourse: Discourse) -> Iterator[Verdict]:
    """Where the text says the statement again, and whether that makes it true."""
    for pattern, affirms in _patterns(claim):
        for match in pattern.finditer(plain):
            said = _Said(plain, claim, *match.span("subject"), match.end(), discourse)
            negated = any(match.groupdict().get(name) is not None for name in ("not", "never"))
            if not said.is_asserted() or (negated and not affirms):
                continue
            whole = _DENIED_WHOLE.search(said.before)
            start = said.low + whole.start() if whole else match.start()
            holds = (affirms and not negated) is not (whole is not None)
            yield Verdict(start, match.end(), holds is not claim.negated)
    if not claim.base:
        yield from _coordinated(plain, claim, discourse)
        yield from _elliptic(plain, claim, discourse)
        yield from _bare(plain, claim)


@dataclass(frozen=True)
class _Said:
    """A clause that says the statement again, with what stands around it."""

    plain: str
    claim: Claim
    start: int
    subject_end: int
    end: int
    discourse: Discourse

    @property
    def low(self) -> int:
        """Where its sentence starts, within reach."""
        return max(self.discourse.sentences.at(self.start)[0], self.start - _REACH)

    @property
    def before(self) -> str:
        """Its sentence up to its subject."""
        return self.plain[self.low : self.start]

    @property
    def sentence(self) -> str:
        """Its sentence, within reach."""
        high = min(self.discourse.sentences.at(self.start)[1], self.end + _REACH)
        return self.plain[self.low : max(self.end, high)]

    def is_asserted(self) -> bool:
        """Whether the clause stands for itself: real, unconditional, of the statement's subject."""
        before = self.before
        if self.claim.circumstance:
            before = re.sub(rf"{re.escape(self.claim.circumstance)},?\s*$", "", before, flags=re.I)
        clause = re.split(r"[;:\n—]", before)[-1]
        led = _LED_BY.search(before or "\n") is not None
        real = not _UNREAL.search(clause) and "?" not in self.plain[self.end : self.low + len(self.sentence)]
        return led and real and self._is_of_subject() and not self._has_other_conditions(clause)

    def _is_of_subject(self) -> bool:
        """Whether a pronoun can only mean the subject of the statement."""
        subject = self.plain[self.start : self.subject_end]
        named = re.compile(_spelled(self.claim.subject), re.I)
        if named.search(subject):
            return True
        earlier = max(self.discourse.sentences.at(max(0, self.low - 2))[0], self.low - _REACH)
        for match in named.finditer(self.plain, earlier, self.start):
            if not _REFERENCE.search(self.plain, max(0, match.start() - 24), match.start()):
                return True
        return not self.plain[: self.low].strip() and not _OTHER_SUBJECT.search(self.before)

    def _has_other_conditions(self, clause: str) -> bool:
        """Whether the clause speaks of circumstances that the statement does not name."""
        own = self.claim.circumstance.casefold()
        last = re.split(r"\b(?:so|thus|hence|therefore|because|since|and|but)\b", clause)[-1]
        if _CONDITION.search(last):
            return True
        if not own:
            return False
        stated = [match.group().casefold() for match in _CONDITION.finditer(self.sentence)]
        return any(not item.startswith(own) for item in stated)


def _coordinated(plain: str, claim: Claim, discourse: Discourse) -> Iterator[Verdict]:
    """The second verb of a subject: "it has unpaired electrons and is paramagnetic"."""
    opening = re.compile(
        rf"\W*(?:(?:so|but|thus|hence|therefore|since|because|as),?\s)?(?P<subject>{_ARTICLES}"
        rf"{_spelled(claim.subject)}|{_PRONOUN})\s(?!.*\b(?:because|since|whereas|while|which|that|if|is|are)\b)",
        re.I,
    )
    for predicate, affirms in _predicates(claim):
        second = re.compile(
            rf"\b(?:and|but)(?:\s(?:so|thus|hence|therefore))?\s(?:is|are)(?P<not>n't|\s{_NEVER})?{_ADVERBS}\s"
            rf"{_ARTICLES}(?:{predicate}){_NOUN_AFTER}{_FOLLOWS}",
            re.I,
        )
        for match in second.finditer(plain):
            reach = max(0, match.start() - _REACH)
            low = max(
                discourse.clauses.at(match.start())[0], plain.rfind(":", reach, match.start()) + 1, reach
            )
            first = opening.match(plain[low : match.start()])
            if first is None or (match["not"] and not affirms):
                continue
            said = _Said(
                plain, claim, low + first.start("subject"), low + first.end("subject"), match.end(), discourse
            )
            if said.is_asserted():
                yield Verdict(*match.span(), (affirms and not match["not"]) is not claim.negated)


def _elliptic(plain: str, claim: Claim, discourse: Discourse) -> Iterator[Verdict]:
    """A predicate left out after it was said with a condition: "..., so at 298 K it is not"."""
    stated = re.compile(
        rf"(?:{_spelled(claim.subject)}|\b(?:{_PRONOUN}))\s(?:is|are|would be)\s(?:not\s)?{_ARTICLES}"
        rf"{_spelled(claim.predicate)}(?![\w-])",
        re.I,
    )
    for match in _ELLIPSIS.finditer(plain):
        where = match["where"].strip().casefold()
        low = max(discourse.sentences.at(match.start())[0], match.start() - _REACH)
        if where in ("", claim.circumstance.casefold()) and stated.search(plain, low, match.start()):
            yield Verdict(*match.span(), (match["not"] is None) is not claim.negated)


def _bare(plain: str, claim: Claim) -> Iterator[Verdict]:
    """The predicate, or what excludes it, as the first thing an answer says: "Nonaromatic."."""
    for predicate, affirms in _predicates(claim):
        match = re.match(rf"\W{{0,4}}(?P<said>(?P<not>not\s)?(?:{predicate})){_FOLLOWS}", plain, re.I)
        if match and (affirms or not match["not"]):
            yield Verdict(*match.span("said"), (affirms and not match["not"]) is not claim.negated)
