"""Statements that are true or false."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, Reading, candidate, settle
from grader.answer.cover import Cover
from grader.answer.notation import Text, normalise
from grader.formal import outcome
from grader.problem.checks import BooleanCheck
from grader.record import Finding

VERSION = 1
BY = f"formal:boolean@{VERSION}"

_WORDS = {
    "yes": True, "yep": True, "true": True, "correct": True, "right": True,
    "no": False, "nope": False, "false": False, "incorrect": False, "wrong": False, "untrue": False,
}  # fmt: skip
_NAMES = "|".join(sorted(_WORDS, key=len, reverse=True))
_VERDICT = rf"[\"'({{\[]{{0,2}}(?P<not>not\s+|n't\s+)?(?P<word>{_NAMES})"
_END = (
    r"(?=\s?(?:[.,;:!?)\]}\n\"'—]|$)|\s-\s"
    r"|\s(?:because|since|as|for|it|this|that|the statement|they|due|but|in)\b)"
)
_OPENING = re.compile(
    r"(?:(?P<turn>(?:(?<=[.!?\n;—(])|(?<=[^\"]:))\s{0,3}|(?<=-> ))|^\s{0,3}"
    r"|\b(?:so|hence|thus|therefore|definitely|certainly|clearly|i (?:would |'d )?say),? )"
    rf"{_VERDICT}{_END}",
    re.I,
)
_ADVERB = r"(?:(?:therefore|thus|hence|clearly|indeed|definitely|certainly|simply|also)\s+)?"
_COPULA = r"(?:'s|\s+(?:is|was|would be|must be|should be|evaluates to|here is))\s*:?\s*"
_NAMED = re.compile(
    r"(?:\b(?:statement|claim|assertion|proposition|hypothesis)(?:\s[^.;\n]{1,100}?)?|[\"']|"
    rf"\b(?:answer|result|verdict|conclusion)){_COPULA}{_ADVERB}{_VERDICT}{_END}",
    re.I,
)
_POINTED = re.compile(rf"^\W{{0,4}}(?:that|this|it){_COPULA}{_ADVERB}{_VERDICT}{_END}", re.I)
_MARKED = re.compile(rf"(?:\banswer\"?\s{{0,2}}[:=]\s{{0,2}}|\]|>){_VERDICT}(?![A-Za-z])", re.I)
_QUESTION = re.compile(r"\b(?:true|yes|right|correct)\s?(?:or|/)\s?(?:false|no|wrong|incorrect)\b", re.I)
_AGREE = re.compile(
    r"\bI\s+(?:would\s+|do\s+|fully\s+|completely\s+|strongly\s+)?(?P<word>agree|disagree)\b", re.I
)
_CONCEDED = re.compile(r"\s+(?:that|in|for|only|if|when)\b", re.I)
_REPLIES = ("right", "correct", "wrong", "incorrect")
"""Words that later in a text may speak of something else than the statement."""
_LETTERS = {"T": True, "F": False}


def _verdicts(text: Text) -> Iterator[tuple[int, int, bool]]:
    """Where the text gives a verdict on the statement, and which."""
    plain = text.plain
    questions = Cover(match.span() for match in _QUESTION.finditer(plain))
    for form in (_OPENING, _NAMED, _POINTED, _MARKED):
        for match in form.finditer(plain):
            start, end = match.start("not") if match["not"] else match.start("word"), match.end("word")
            word = match["word"].lower()
            elsewhere = form is _OPENING and match["turn"] is not None and word in _REPLIES
            qualified = form in (_NAMED, _POINTED) and _CONCEDED.match(plain, end)
            if not (elsewhere or qualified or questions.touches(start, end)):
                yield start, end, _WORDS[word] is not bool(match["not"])
    for match in _AGREE.finditer(plain):
        yield *match.span(), match["word"].lower() == "agree"
    alone = plain.strip(" *.()\n")
    if alone in _LETTERS:
        at = plain.index(alone)
        yield at, at + 1, _LETTERS[alone]


def _stated(text: Text) -> list[Candidate[bool]]:
    """The verdicts an answer gives, each place once."""
    places = {(start, end): value for start, end, value in _verdicts(text)}
    return [candidate(text, value, start, end) for (start, end), value in sorted(places.items())]


def decide(check: BooleanCheck, answer: Answer) -> Finding:
    """Decide whether an answer says that the statement is true, or that it is false."""
    if not answer.text.strip():
        return outcome.blank(BY)
    text = normalise(answer.text)
    settled = settle(
        text,
        _stated(text),
        same=lambda one, two: one is two,
        asked=check.asked,
        others=answer.others,
        cut=answer.cut,
        reading=Reading(text, check.asked, answer.others),
    )
    taken = settled.candidate
    if taken is None:
        return outcome.unsettled(BY, settled, "verdict")
    right = taken.value is check.expected
    said, is_true = ("true" if value else "false" for value in (taken.value, check.expected))
    detail = f"the answer says {said}, the statement is {is_true}"
    return outcome.decided(BY, right, taken, detail, said, settled.rejected)
