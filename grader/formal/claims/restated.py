"""A statement said again in an answer: affirmed, denied, or called by its opposite.

Only a clause whose subject is the statement's and that ends with the
statement's predicate counts; with conditions of its own it decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from grader.answer.stance import Discourse
from grader.formal.claims.claims import (
    ARTICLES,
    COMPARED,
    NOUN,
    THAN,
    Claim,
    predicates,
    spelled,
    spelled_after,
    spelled_before,
)
from grader.formal.claims.verdicts import Verdict

_PRONOUN = (
    r"it|they|this|these|"
    r"(?:the|this)\s(?:compound|molecule|complex|reaction|ion|species|substance|process|solution)"
)
_PRONOUN_FIRST = re.compile(rf"\W*(?:{_PRONOUN})\s", re.I)
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
    r"here|after all|overall|rather than|instead of|as opposed to)\b|\s\([^)\n]{0,30}=)"
)
_CALLED = (
    r"(?:\sis\s(?:(?P<wrong>wrong|false|incorrect|untrue|mistaken|not (?:true|correct|right))|"
    r"true|correct|right))?"
)
_NOUN_AFTER = f"{NOUN}?"
_DENIED_WHOLE = re.compile(
    r"\b(?:not (?:the case|true|so|correct)|untrue|false|wrong|incorrect|misconception|myth|mistake|error)"
    r"(?: to (?:say|think|believe|claim))?(?: is)? that\s$",
    re.I,
)
_ELLIPSIS = re.compile(
    rf"(?:\b(?:so|thus|hence|therefore|but)\s(?P<where>[^.;,\n]{{0,40}}?),?\s?|(?P<asked>[.?]\s{{1,2}}))\b(?:{_PRONOUN})\s(?:is|are|does|do)"
    r"(?P<not>n't|\snot)?\s?(?=[.;!\n]|$)",
    re.I,
)


_CONDITION = re.compile(
    r"\b(?:at|above|below|under|in|for|near|during|after|before|upon|on)\s[^,.;]{1,40}", re.I
)
_REFERENCE = re.compile(r"\b(?:unlike|than|to|with|from|like|of|versus|not)\s(?:the\s|an?\s)?$", re.I)
_QUOTED = re.compile(
    r"\b(?:claim|statement|question|proposition|assertion|hypothesis|given|task|problem|prompt|false)\s?:\s*"
    r"[\"']?\s*\Z|[\"']\Z",
    re.I,
)
_NON = re.compile(r"\bnon-?(?=[a-z])[\w-]+\W*$", re.I)
_REASON_FIRST = re.compile(r"\W*(?:with|having|given|based on)\b", re.I)
"""What opens a sentence with a reason, not with a condition."""
_REPORTED = re.compile(
    r"\b(?:claims?|claimed|says?|said|thinks?|thought|believes?|believed|argues?|argued|suggests?|states?|"
    r"(?:claim|idea|belief|assertion|notion|statement))(?: that)?\s$",
    re.I,
)
_REFUTES = re.compile(
    r"\s?[.;,]\s{1,2}(?:but\s|however,?\s)?(?P<said>(?:this|that|it|they|which)(?:\s(?:claim|view|idea|statement))?"
    r"(?:'s|\s(?:is|are|was))\s(?:\w+ly\s)?(?:wrong|false|incorrect|mistaken|untrue|a misconception|"
    r"not (?:true|correct|right|so|the case)))(?=\s?(?:[.;,!]|$)|\s(?:because|since|as|for)\b)",
    re.I,
)
_OTHER_SUBJECT = re.compile(r"\b(?:is|are|was|were|has|have|contains?|does|do)\b", re.I)
_REACH = 400
"""How many characters around a clause are weighed."""


@lru_cache(maxsize=256)
def _patterns(claim: Claim) -> tuple[tuple[re.Pattern[str], bool], ...]:
    """How a clause that says the statement again looks, and whether it affirms."""
    subject = rf"(?P<subject>{ARTICLES}{spelled(claim.subject)}|\b(?:{_PRONOUN}))"
    where = rf"(?:,?\s{spelled(claim.circumstance)})?" if claim.circumstance else ""
    after = rf"{_NOUN_AFTER}{where}{_CALLED}{_FOLLOWS}"
    found = []
    for predicate, affirms in predicates(claim):
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
        said = rf"\s{ARTICLES}(?:{predicate})" if claim.predicate else ""
        pattern = rf"(?<![\w-]){subject}{verb}{said}{after}"
        found.append((re.compile(pattern, re.I), affirms))
    return (*found, *_reversed(claim))


def _reversed(claim: Claim) -> Iterator[tuple[re.Pattern[str], bool]]:
    """A comparison the other way round, which denies the statement, and its opposite, which affirms it."""
    than = THAN.fullmatch(claim.predicate)
    if not than or than["word"] not in COMPARED:
        return
    for words, affirms in ((than["word"], False), ("|".join(COMPARED[than["word"]]), True)):
        compared = f"{spelled_before(than['head'])}(?:{words}){spelled_after(than['middle'])}"
        pattern = (
            rf"(?<![\w-])(?P<subject>{ARTICLES}{spelled(than['object'])})\s(?:{claim.verb})\s{ARTICLES}"
            rf"{compared}\sthan\s{ARTICLES}{spelled(claim.subject)}{_FOLLOWS}"
        )
        yield re.compile(pattern, re.I), affirms


def restated(plain: str, claim: Claim, discourse: Discourse) -> Iterator[Verdict]:
    """Where the text says the statement again, and whether that makes it true."""
    for pattern, affirms in _patterns(claim):
        for match in pattern.finditer(plain):
            said = _Said(plain, claim, *match.span("subject"), match.end(), discourse)
            negated = any(match.groupdict().get(name) is not None for name in ("not", "never"))
            if negated and not affirms:
                if _NON.search(match.group()) and said.is_asserted():
                    yield Verdict(*match.span(), not claim.negated)
                continue
            if refuted := said.refuted():
                yield Verdict(*refuted, (affirms and not negated) is claim.negated)
                continue
            if not said.is_asserted():
                continue
            whole = _DENIED_WHOLE.search(said.before)
            start = said.low + whole.start() if whole else match.start()
            denied = (whole is not None) is not bool(match.groupdict().get("wrong"))
            holds = (affirms and not negated) is not denied
            yield Verdict(start, match.end(), holds is not claim.negated)
    if not claim.base:
        yield from _coordinated(plain, claim, discourse)
        yield from _elliptic(plain, claim, discourse)
        yield from _bare(plain, claim)
        yield from _asked_first(plain, claim)
        yield from _concluded(plain, claim, discourse)


def answers_another(plain: str, verdict: Verdict, claim: Claim, discourse: Discourse) -> bool:
    """Whether a verdict answers a question of its own: "It is spontaneous. But is it fast? No."."""
    low, _ = discourse.sentences.at(verdict.start)
    if plain[low : verdict.start].strip(" *_\"'(") or not plain[:low].rstrip(" *_\n").endswith("?"):
        return False
    first, _ = discourse.sentences.at(max(0, len(plain[:low].rstrip()) - 1))
    asked = plain[max(first, low - _REACH) : low].casefold()
    said = [word for word in claim.predicate.casefold().split() if len(word) > 3]
    return bool(said) and not any(word in asked for word in (*said, "true", "statement", "claim"))


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

    def refuted(self) -> tuple[int, int] | None:
        """Where the next sentence calls wrong what this one reports as said by others."""
        if not _REPORTED.search(self.before) or not self._is_of_subject():
            return None
        wrong = _REFUTES.match(self.plain, self.end)
        return wrong.span("said") if wrong else None

    def is_asserted(self) -> bool:
        """Whether the clause stands for itself: real, unconditional, of the statement's subject."""
        before = self.before
        placed = False
        if self.claim.circumstance:
            own = rf"{re.escape(self.claim.circumstance)},?\s*$"
            placed = re.search(own, before, re.I) is not None
            before = re.sub(own, "", before, flags=re.I)
        clause = re.split(r"[;:\n—]|,\s(?=(?:but|yet|however)\b)", before)[-1]
        led = _LED_BY.search(before or "\n") is not None and not _QUOTED.search(before)
        real = not _UNREAL.search(clause) and "?" not in self.plain[self.end : self.low + len(self.sentence)]
        return led and real and self._is_of_subject() and not self._has_other_conditions(clause, placed)

    def _is_of_subject(self) -> bool:
        """Whether a pronoun can only mean the subject of the statement."""
        subject = self.plain[self.start : self.subject_end]
        named = re.compile(spelled(self.claim.subject), re.I)
        if named.search(subject):
            return True
        earlier = max(self.discourse.sentences.at(max(0, self.low - 2))[0], self.low - _REACH)
        for match in named.finditer(self.plain, earlier, self.start):
            if not _REFERENCE.search(self.plain, max(0, match.start() - 24), match.start()):
                return True
        alone = not _OTHER_SUBJECT.search(self.before) or _PRONOUN_FIRST.match(self.before) is not None
        return alone and not self.plain[: self.low].strip()

    def _has_other_conditions(self, clause: str, placed: bool) -> bool:
        """Whether the clause speaks of circumstances that the statement does not name.

        Where its own opens it, those of the sentence's other clauses are not its own.
        """
        own = self.claim.circumstance.casefold()
        last = re.split(r"\b(?:so|thus|hence|therefore|because|since|and|but)\b", clause)[-1]
        if _CONDITION.search(last) and not (_REASON_FIRST.match(clause) and clause.rstrip().endswith(",")):
            return True
        if not own:
            return False
        among = self.sentence if re.search("[0-9]", own) and not placed else last
        stated = [match.group().casefold() for match in _CONDITION.finditer(among)]
        return any(not item.startswith(own) for item in stated)


def _coordinated(plain: str, claim: Claim, discourse: Discourse) -> Iterator[Verdict]:
    """The second verb of a subject: "it has unpaired electrons and is paramagnetic"."""
    opening = re.compile(
        rf"\W*(?:(?:so|but|thus|hence|therefore|since|because|as),?\s)?(?P<subject>{ARTICLES}"
        rf"{spelled(claim.subject)}|{_PRONOUN})\s(?!.*\b(?:because|since|whereas|while|which|that|if|is|are)\b)",
        re.I,
    )
    for predicate, affirms in predicates(claim):
        second = re.compile(
            rf"\b(?:and|but)(?:\s(?:so|thus|hence|therefore))?\s(?:is|are)(?P<not>n't|\s{_NEVER})?{_ADVERBS}\s"
            rf"{ARTICLES}(?:{predicate}){_NOUN_AFTER}{_FOLLOWS}",
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


@lru_cache(maxsize=256)
def _opens(claim: Claim) -> re.Pattern[str]:
    """A sentence whose subject is the statement's."""
    return re.compile(
        rf"\W*(?:(?:so|but|thus|hence),?\s)?(?:{ARTICLES}{spelled(claim.subject)}|{_PRONOUN})\s", re.I
    )


_ENDS = r"(?=\s?(?:[.!\n]|$))"
_SPECIES = re.compile(r"(?<![\w])(?:\[|\(?[A-Z][a-z]?[0-9])[\w()\[\]^+-]*")
_VERB = re.compile(r"\b(?:is|are|has|have|was|were|remain|remains)\b")


def _concluded(plain: str, claim: Claim, discourse: Discourse) -> Iterator[Verdict]:
    """The predicate alone at the end of a reason: "all electrons are paired: diamagnetic"."""
    for predicate, affirms in predicates(claim) if len(claim.predicate.split()) == 1 else ():
        ending = re.compile(
            rf"(?:(?:[:—]|->|,?\s(?:and\s)?(?:so|hence|thus|therefore),?)\s{{0,2}}|,\s(?:and\s)?(?=not\s))"
            rf"(?P<said>(?P<not>not\s)?{ARTICLES}(?:{predicate})){_NOUN_AFTER}{_ENDS}",
            re.I,
        )
        for match in ending.finditer(plain):
            low = max(discourse.sentences.at(match.start("said"))[0], match.start() - _REACH)
            before = plain[low : match.start()]
            others = [one for one in _SPECIES.findall(before) if one not in claim.subject]
            if (match["not"] and not affirms) or others or _UNREAL.search(before) or not _VERB.search(before):
                continue
            if match.group().startswith(", ") and match["not"] and not _opens(claim).match(before):
                continue
            yield Verdict(*match.span("said"), (affirms and not match["not"]) is not claim.negated)


def _elliptic(plain: str, claim: Claim, discourse: Discourse) -> Iterator[Verdict]:
    """A predicate left out after it was said with a condition: "..., so at 298 K it is not"."""
    stated = re.compile(
        rf"(?:{spelled(claim.subject)}|\b(?:{_PRONOUN}))\s(?:is|are|would be)\s(?:not\s)?{ARTICLES}"
        rf"{spelled(claim.predicate)}(?![\w-])",
        re.I,
    )
    for match in _ELLIPSIS.finditer(plain):
        where = (match["where"] or "").strip().casefold()
        low = max(discourse.sentences.at(match.start())[0], match.start() - _REACH)
        said = stated.search(plain, low, match.start())
        asked = match["asked"] is None or re.search(r"\bwhether\b|\?", plain[low : match.start() + 1])
        if where in ("", claim.circumstance.casefold()) and said and asked:
            start = match.start() + len(match["asked"] or "")
            yield Verdict(start, match.end(), (match["not"] is None) is not claim.negated)


def _bare(plain: str, claim: Claim) -> Iterator[Verdict]:
    """The predicate, or what excludes it, as the first thing an answer says: "Nonaromatic."."""
    for predicate, affirms in predicates(claim):
        match = re.match(rf"\W{{0,4}}(?P<said>(?P<not>not\s)?(?:{predicate})){_FOLLOWS}", plain, re.I)
        if match and (affirms or not match["not"]):
            yield Verdict(*match.span("said"), (affirms and not match["not"]) is not claim.negated)


def _asked_first(plain: str, claim: Claim) -> Iterator[Verdict]:
    """The statement asked at the beginning and flatly denied: "Aromatic? Not at all."."""
    for predicate, affirms in predicates(claim):
        question = (
            rf"\W{{0,4}}(?![^?]*(?:\bnot\b|n't))(?:[^.?!\n]{{0,60}}\s)?{ARTICLES}(?:{predicate}){NOUN}?\?"
        )
        match = re.match(rf"{question}[\"'*)]{{0,2}}\s{{1,4}}(?P<reply>{_FLATLY})\b", plain, re.I)
        if match:
            yield Verdict(*match.span("reply"), affirms is claim.negated)


_FLATLY = (
    r"(?:not at all|certainly not|definitely not|absolutely not|of course not|by no means|far from it|no way|"
    r"hardly|not really)"
)
