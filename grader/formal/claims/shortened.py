"""A statement said again in short: its predicate alone, or even that left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from grader.answer.stance import Discourse
from grader.formal.claims.claims import (
    ARTICLES,
    FOLLOWS,
    NOUN,
    NOUN_AFTER,
    PRONOUN,
    REACH,
    UNREAL,
    Claim,
    named,
    predicates,
    spelled,
)
from grader.formal.claims.verdicts import Verdict

_ELLIPSIS = re.compile(
    rf"(?:\b(?:so|thus|hence|therefore|but)\s(?P<where>[^.;,\n]{{0,40}}?),?\s?|(?P<asked>[.?]\s{{1,2}}))\b(?:{PRONOUN})\s(?:is|are|does|do)"
    r"(?P<not>n't|\snot)?\s?(?=[.;!\n]|$)",
    re.I,
)
_FLATLY = (
    r"(?:not at all|certainly not|definitely not|absolutely not|of course not|by no means|far from it|no way|"
    r"hardly|not really)"
)


def shortened(plain: str, claim: Claim, discourse: Discourse) -> Iterator[Verdict]:
    """Where the text affirms or denies the statement without saying all of it."""
    yield from _elliptic(plain, claim, discourse)
    yield from _bare(plain, claim)
    yield from _asked_first(plain, claim)
    yield from _concluded(plain, claim, discourse)


_SURELY = r"(?:(?:without (?:a |any )?doubt|no doubt|of course|certainly|definitely|clearly|indeed),?\s)?"


def opened(plain: str, claim: Claim, discourse: Discourse) -> Iterator[Verdict]:
    """What the answer opens with and leaves the predicate out of: "It doesn't.", "Without a doubt it is."."""
    auxiliary = r"do(?:es)?|will|can|ca(?=n't)|wo(?=n't)" if claim.base else "is|are|was|were"
    match = re.match(
        rf"\W{{0,4}}(?P<said>{_SURELY}(?:{named(claim)}|{PRONOUN})\s(?:{auxiliary})(?P<not>n't|\s?not)?)"
        r"(?=\s?(?:[.;!\n]|$)|,\s(?:because|since|as)\b)",
        plain,
        re.I,
    )
    if match and not discourse.turns:
        yield Verdict(*match.span("said"), (match["not"] is None) is not claim.negated)


def answers_another(plain: str, verdict: Verdict, claim: Claim, discourse: Discourse) -> bool:
    """Whether a verdict answers a question of its own: "It is spontaneous. But is it fast? No."."""
    low, _ = discourse.sentences.at(verdict.start)
    if plain[low : verdict.start].strip(" *_\"'(") or not plain[:low].rstrip(" *_\n").endswith("?"):
        return False
    first, _ = discourse.sentences.at(max(0, len(plain[:low].rstrip()) - 1))
    asked = plain[max(first, low - REACH) : low].casefold()
    said = [word for word in claim.predicate.casefold().split() if len(word) > 3]
    return bool(said) and not any(word in asked for word in (*said, "true", "statement", "claim"))


@lru_cache(maxsize=256)
def _opens(claim: Claim) -> re.Pattern[str]:
    """A sentence whose subject is the statement's."""
    return re.compile(rf"\W*(?:(?:so|but|thus|hence),?\s)?(?:{named(claim)}|{PRONOUN})\s", re.I)


_ENDS = r"(?=\s?(?:[.!\n]|$))"
_SPECIES = re.compile(r"(?<![\w])(?:\[|\(?[A-Z][a-z]?[0-9])[\w()\[\]^+-]*")
_VERB = re.compile(r"'s\b|'re\b|\b(?:is|are|has|have|was|were|remain|remains)\b")


def _concluded(plain: str, claim: Claim, discourse: Discourse) -> Iterator[Verdict]:
    """The predicate alone at the end of a reason: "all electrons are paired: diamagnetic"."""
    for predicate, affirms in predicates(claim) if re.fullmatch(r"(?:\w+ly )?\S+", claim.predicate) else ():
        ending = re.compile(
            rf"(?:(?:[:—]|->|,?\s(?:and\s)?(?:so|hence|thus|therefore),?)\s{{0,2}}|,\s(?:and\s)?(?=not\s))"
            rf"(?P<said>(?P<not>not\s)?{ARTICLES}(?:{predicate})){NOUN_AFTER}{_ENDS}",
            re.I,
        )
        for match in ending.finditer(plain):
            low = max(discourse.sentences.at(match.start("said"))[0], match.start() - REACH)
            before = plain[low : match.start()]
            others = [one for one in _SPECIES.findall(before) if one not in claim.subject]
            if (match["not"] and not affirms) or others or UNREAL.search(before) or not _VERB.search(before):
                continue
            if match.group().startswith(", ") and match["not"] and not _opens(claim).match(before):
                continue
            yield Verdict(*match.span("said"), (affirms and not match["not"]) is not claim.negated)


def _elliptic(plain: str, claim: Claim, discourse: Discourse) -> Iterator[Verdict]:
    """A predicate left out after it was said with a condition: "..., so at 298 K it is not"."""
    stated = re.compile(
        rf"(?:{named(claim)}|\b(?:{PRONOUN}))\s(?:is|are|would be)\s(?:not\s)?{ARTICLES}"
        rf"{spelled(claim.predicate)}(?![\w-])",
        re.I,
    )
    for match in _ELLIPSIS.finditer(plain):
        where = (match["where"] or "").strip().casefold()
        low = max(discourse.sentences.at(match.start())[0], match.start() - REACH)
        said = stated.search(plain, low, match.start())
        asked = match["asked"] is None or re.search(r"\bwhether\b|\?", plain[low : match.start() + 1])
        if where in ("", claim.circumstance.casefold()) and said and asked:
            start = match.start() + len(match["asked"] or "")
            yield Verdict(start, match.end(), (match["not"] is None) is not claim.negated)


def _bare(plain: str, claim: Claim) -> Iterator[Verdict]:
    """The predicate, or what excludes it, as the first thing an answer says: "Nonaromatic."."""
    for predicate, affirms in predicates(claim):
        match = re.match(rf"\W{{0,4}}(?P<said>(?P<not>not\s)?(?:{predicate})){FOLLOWS}", plain, re.I)
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
