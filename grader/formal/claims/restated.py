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
    FOLLOWS,
    NOUN_AFTER,
    PRONOUN,
    REACH,
    THAN,
    UNREAL,
    Claim,
    named,
    predicates,
    spelled,
    spelled_after,
    spelled_before,
    verbs,
)
from grader.formal.claims.shortened import opened, shortened
from grader.formal.claims.verdicts import Verdict

_PRONOUN_FIRST = re.compile(rf"\W*(?:{PRONOUN})\s", re.I)
_ADVERBS = (
    r"(?:\s(?:therefore|thus|hence|indeed|clearly|certainly|definitely|actually|also|consequently|in fact|"
    r"overall|still|obviously|always|both))?"
)
_NEVER = r"(?:not|never|no longer|by no means|in no way|hardly|neither|anything but|far from(?: being)?|no)"
_LED_BY = re.compile(
    r"(?:^|[.!?,;:—(\n]|->|\b(?:so|thus|hence|therefore|because|since|as|and|but|that|means|conclude|then|while|"
    r"whereas|although|though|indeed|clearly|however|yes|no doubt|consequently))[\s\W]{0,4}$",
    re.I,
)
_CALLED = (
    r"(?:\sis\s(?:(?P<wrong>wrong|false|incorrect|untrue|mistaken|not (?:true|correct|right))|"
    r"true|correct|right))?"
)
_DENIED_WHOLE = re.compile(
    r"\b(?:not (?:the case|true|so|correct)|untrue|false|wrong|incorrect|misconception|myth|mistake|error)"
    r"(?: to (?:say|think|believe|claim))?(?: is)? that\s$",
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


_ALONE = r"(?!\swith\b)"
"""What may not follow a verb that says all: "increases with temperature" has a condition."""


@lru_cache(maxsize=256)
def _patterns(claim: Claim) -> tuple[tuple[re.Pattern[str], bool], ...]:
    """How a clause that says the statement again looks, and whether it affirms."""
    subject = rf"(?P<subject>{_none(claim)}{named(claim)}|\b(?:{PRONOUN}))"
    where = rf"(?:,?\s{spelled(claim.circumstance)})?" if claim.circumstance else ""
    after = rf"{NOUN_AFTER}{where}{_CALLED}{FOLLOWS}"
    found = []
    for verb, verb_affirms in _said_verbs(claim):
        for predicate, affirms in predicates(claim):
            if affirms or verb_affirms:
                said = rf"(?:\s(?P<no>no)(?:\s(?:net|overall))?)?\s{ARTICLES}(?:{predicate})"
                pattern = rf"(?<![\w-]){subject}{verb}{said if claim.predicate else _ALONE}{after}"
                found.append((re.compile(pattern, re.I), affirms and verb_affirms))
    if claim.base == "depend" and claim.predicate.startswith("on "):
        independent = rf"\sis\s(?:\w+ly\s)?independent\sof\s{ARTICLES}{spelled(claim.predicate[3:])}"
        found.append((re.compile(rf"(?<![\w-]){subject}{independent}{after}", re.I), False))
    return (*found, *_reversed(claim))


def _none(claim: Claim) -> str:
    """What makes a denial of a statement on no particular subject: "no precipitate forms"."""
    return r"(?P<none>no\s)?" if claim.general else ""


def _said_verbs(claim: Claim) -> Iterator[tuple[str, bool]]:
    """Patterns of the verb with what negates it, and whether they affirm."""
    if not claim.base:
        yield (
            rf"(?:'s|\s(?:is|are|was|were|must be|has to be|can(?:'t|not) be(?P<never>)))"
            rf"(?P<not>n't|{_ADVERBS}\s{_NEVER})?{_ADVERBS}",
            True,
        )
        return
    for verb, affirms in verbs(claim):
        yield (
            rf"{_ADVERBS}\s(?:(?P<not>(?:does|do|did|ca|can|wo|will)(?:n't|\s?not)|never)\s|will\s)?"
            rf"(?:{verb})",
            affirms,
        )


def _reversed(claim: Claim) -> Iterator[tuple[re.Pattern[str], bool]]:
    """A comparison the other way round, which denies the statement, and its opposite, which affirms it."""
    than = THAN.fullmatch(claim.predicate)
    if not than or than["word"] not in COMPARED:
        return
    for words, affirms in ((than["word"], False), ("|".join(COMPARED[than["word"]]), True)):
        compared = f"{spelled_before(than['head'])}(?:{words}){spelled_after(than['middle'])}"
        pattern = (
            rf"(?<![\w-])(?P<subject>{ARTICLES}{spelled(than['object'])})\s(?:{claim.verb})\s{ARTICLES}"
            rf"{compared}\sthan\s{ARTICLES}{spelled(claim.subject)}{FOLLOWS}"
        )
        yield re.compile(pattern, re.I), affirms


def restated(plain: str, claim: Claim, discourse: Discourse) -> Iterator[Verdict]:
    """Where the text says the statement again, and whether that makes it true."""
    for pattern, affirms in _patterns(claim):
        for match in pattern.finditer(plain):
            said = _Said(plain, claim, *match.span("subject"), match.end(), discourse)
            negated = any(match.groupdict().get(name) is not None for name in ("not", "never", "no", "none"))
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
    yield from opened(plain, claim, discourse)
    if not claim.base:
        yield from _coordinated(plain, claim, discourse)
        yield from shortened(plain, claim, discourse)


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
        return max(self.discourse.sentences.at(self.start)[0], self.start - REACH)

    @property
    def before(self) -> str:
        """Its sentence up to its subject."""
        return self.plain[self.low : self.start]

    @property
    def sentence(self) -> str:
        """Its sentence, within reach."""
        high = min(self.discourse.sentences.at(self.start)[1], self.end + REACH)
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
        real = not UNREAL.search(clause) and "?" not in self.plain[self.end : self.low + len(self.sentence)]
        return led and real and self._is_of_subject() and not self._has_other_conditions(clause, placed)

    def _is_of_subject(self) -> bool:
        """Whether a pronoun can only mean the subject of the statement."""
        subject = self.plain[self.start : self.subject_end]
        named = re.compile(spelled(self.claim.subject), re.I)
        if named.search(subject):
            return True
        earlier = max(self.discourse.sentences.at(max(0, self.low - 2))[0], self.low - REACH)
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
        rf"\W*(?:(?:so|but|thus|hence|therefore|since|because|as),?\s)?(?P<subject>"
        rf"{named(claim)}|{PRONOUN})\s(?!.*\b(?:because|since|whereas|while|which|that|if|is|are)\b)",
        re.I,
    )
    for predicate, affirms in predicates(claim):
        second = re.compile(
            rf"\b(?:and|but)(?:\s(?:so|thus|hence|therefore))?\s(?:is|are)(?P<not>n't|\s{_NEVER})?{_ADVERBS}\s"
            rf"{ARTICLES}(?:{predicate}){NOUN_AFTER}{FOLLOWS}",
            re.I,
        )
        for match in second.finditer(plain):
            reach = max(0, match.start() - REACH)
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
