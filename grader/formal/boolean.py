"""Statements that are true or false."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, Reading, Settled, candidate, settle
from grader.answer.marks import EXPLICIT
from grader.answer.notation import Text, normalise
from grader.formal import bare, outcome
from grader.formal.claims.claims import read_claim
from grader.formal.claims.restated import restated
from grader.formal.claims.shortened import answers_another
from grader.formal.claims.verdicts import Verdict, own_item, too_many, unread, unstruck, verdicts
from grader.formal.registry import by
from grader.problem.checks import BooleanCheck
from grader.record import Evidence, Finding, Reason, Rejected

BY = by("boolean")

_WORDS = {"yes": True, "true": True, "no": False, "false": False}
_BARE = bare.shape("|".join(_WORDS), re.I)
_SCALAR = re.compile(rf"\"?(?P<value>{'|'.join(_WORDS)})\"?", re.I)
"""What the one member of a JSON object may hold."""

PASSED_OVER = "another candidate is stated more clearly"
"""How ``settle`` names what it weighed less, not what it refused."""


def _scanned(text: Text, reading: Reading) -> str:
    """The plain text without what is struck through and without the items of other statements."""
    plain = unstruck(text.plain, reading.discourse.struck)
    item = own_item(plain, reading.asked)
    if item is None:
        return plain
    low, high = item
    only = "\n" * low + plain[low:high] + "\n" * (len(plain) - high)
    return only if verdicts(only, reading.discourse) else plain


def _stated(text: Text, found: Sequence[Verdict]) -> list[Candidate[bool]]:
    return [candidate(text, item.value, item.start, item.end, doubt=item.doubt) for item in found]


def _settle(reading: Reading, answer: Answer, found: Sequence[Candidate[bool]]) -> Settled[bool]:
    return settle(
        reading.text,
        found,
        same=lambda one, two: one is two,
        asked=reading.asked,
        others=answer.others,
        cut=answer.cut,
        reading=reading,
    )


def _contradicted(
    settled: Settled[bool],
    taken: Candidate[bool],
    parts: Sequence[Settled[bool]],
    stated: Sequence[Candidate[bool]],
) -> bool:
    """Whether an answer also says the opposite, and nowhere takes it back.

    Words and restatements must agree, each by themselves; and only an explicit
    answer outweighs an opposite one after it.
    """
    refused = {(item.start, item.end) for item in settled.rejected if item.why != PASSED_OVER}
    rivals = [part.candidate for part in parts if part.candidate]
    if taken.rank < EXPLICIT:
        rivals += [item for item in stated if item.start > taken.start]
    return any(rival.value is not taken.value and (rival.start, rival.end) not in refused for rival in rivals)


def decide(check: BooleanCheck, answer: Answer) -> Finding:
    """Decide whether an answer says that the statement is true, or that it is false.

    Where ``statement`` is given, the statement said again or denied counts like a verdict.
    """
    return at_once(check, answer) or _at_length(check, answer)


def at_once(check: BooleanCheck, answer: Answer) -> Finding | None:
    """The finding on an answer that is one word, or one JSON object that holds one."""
    found = bare.match(answer, _BARE, check.asked) or bare.sole(answer, _SCALAR, check.asked)
    return None if found is None else _finding(check, _WORDS[found["value"].lower()], bare.evidence(found))


def _at_length(check: BooleanCheck, answer: Answer) -> Finding:
    """The finding on an answer in prose."""
    if not answer.text.strip():
        return outcome.blank(BY)
    text = normalise(answer.text)
    reading = Reading(text, check.asked, answer.others)
    if too_many(text.plain):
        why = "the answer says yes and no more often than can be weighed"
        return outcome.undetermined(BY, Reason.CONFLICTING_CANDIDATES, why)
    plain = _scanned(text, reading)
    claim = read_claim(check.statement)
    said = verdicts(plain, reading.discourse)
    claims = _stated(text, list(restated(plain, claim, reading.discourse))) if claim else []
    loose = _stated(text, list(unread(plain, said, reading.discourse)))
    if claim and claims:
        said = [item for item in said if not answers_another(plain, item, claim, reading.discourse)]
    words = _stated(text, said)
    settled = _settle(reading, answer, [*words, *claims])
    apart = (words, claims, loose) if words and claims else (loose,)
    parts = [_settle(reading, answer, part) for part in apart]
    taken = settled.candidate
    if taken is None:
        return outcome.unsettled(BY, settled, "verdict")
    if _contradicted(settled, taken, parts, [*words, *claims]) or any(item.doubt for item in words):
        return outcome.undetermined(
            BY, Reason.CONFLICTING_CANDIDATES, "the answer contradicts its verdict", settled.rejected
        )
    return _finding(check, taken.value, taken.evidence, settled.rejected)


def _finding(
    check: BooleanCheck, value: bool, evidence: Evidence, rejected: tuple[Rejected, ...] = ()
) -> Finding:
    named, is_true = "true" if value else "false", "true" if check.expected else "false"
    detail = f"the answer says {named}, the statement is {is_true}"
    return outcome.stated(BY, value is check.expected, evidence, detail, named, rejected)
