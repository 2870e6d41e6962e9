"""What a check finds in an answer, where only certain things may be told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.answer.answer import Answer
from grader.formal import registry
from grader.formal.pieces import Crowded, comparable, named, stated_apart
from grader.formal.quoted.facts import NO_UNIT
from grader.formal.reading.smiles_tokens import is_smiles
from grader.problem.checks import BooleanCheck, CheckModel, FormulaCheck, QuantityCheck
from grader.record import Finding, Reason, Status

_ADDUCT = re.compile(r"[·•∙*]|\\cdot|\.\s?\d?[A-Z]")
_FACES = {"yes": True, "true": True, "no": False, "false": False}
_VERDICT = re.compile(r"\b(?:yes|true|false|no(?=\s*(?:[,.;:!?)]|$|\n|for|in|if|when|at|under)))\b", re.I)
_PARTLY = re.compile(
    r"\b(?:yes|no|true|false)\b[\s,]{0,2}(?:but|only|for|if|when|in\s(?:the\s)?case|under|at|unless|partly)\b",
    re.I,
)


_DENIED = frozenset({"smiles", "formula", "quantity", "integer", "choice", "boolean"})
"""Kinds of which an answer can state another value so plainly that the right one isn't there."""
_PASSING = re.compile(
    r"\b(?:from|using|with|by|via|of|over|than|like|excess|add(?:ing|ed)?|treat(?:ing|ed)?|made|into|to)\s\W{0,4}\Z",
    re.I,
)
"""What stands before a value that something is made from, by, or into."""


def weigh(check: CheckModel, answer: Answer) -> Finding:
    """The finding of a check; no denial unless one clear value of its kind is stated, and it is another.

    Where the right value stands among others, that finding is open with the right one as evidence.
    """
    found = registry.decide(check, answer)
    if isinstance(check, BooleanCheck):
        return _open(found) if _two_faced(answer.text) else found
    denied = found.status is Status.NOT_MET and found.reason is not Reason.NO_ANSWER
    if denied and check.kind not in _DENIED:
        return _open(found)
    if not denied and found.reason is not Reason.CONFLICTING_CANDIDATES:
        return found
    try:
        stated = stated_apart(check, answer)
    except Crowded:
        return _open(found)
    right = next((one for one in stated if one.status is Status.MET), None)
    if right is not None:
        return replace(_open(found), evidence=right.evidence)
    return _open(found) if denied and not _is_clear(check, answer, found, stated) else found


def _open(found: Finding) -> Finding:
    """A finding that would decide, as one of several values."""
    if found.status is Status.UNDETERMINED:
        return found
    why = Reason.CONFLICTING_CANDIDATES
    return replace(found, status=Status.UNDETERMINED, reason=why, found=None, evidence=None)


def _is_clear(check: CheckModel, answer: Answer, found: Finding, stated: Sequence[Finding]) -> bool:
    """Whether what was found is the one value of its kind, or the one under the check's label."""
    at = found.evidence
    if at is None or _PASSING.search(answer.text, max(0, at.start - 40), at.start):
        return False
    if isinstance(check, FormulaCheck) and (is_smiles(at.quote) or _hydrated(check, found)):
        return False
    if isinstance(check, QuantityCheck) and not comparable(found):
        return NO_UNIT in found.detail
    if not any(_overlap(one, found) for one in stated):
        return False
    if check.asked and named(check, answer, at):
        return True
    return len({one.found for one in stated}) <= 1


def _overlap(one: Finding, two: Finding) -> bool:
    a, b = one.evidence, two.evidence
    return a is not None and b is not None and a.start < b.end and b.start < a.end


def _hydrated(check: FormulaCheck, found: Finding) -> bool:
    """Whether one of two formulas is a hydrate or an adduct, and the other isn't."""
    return bool(_ADDUCT.search(check.expected)) is not bool(_ADDUCT.search(found.found or ""))


def _two_faced(text: str) -> bool:
    """Whether an answer says both yes and no, or says one of them of a part only."""
    said = {_FACES[match[0].lower()] for match in _VERDICT.finditer(text)}
    return len(said) > 1 or _PARTLY.search(text) is not None
