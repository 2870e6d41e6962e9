"""What code found about quoted values, as sentences for whoever judges.

A sentence claims no more than its finding: an equivalent value was found, or
clear other values were. It speaks of the answer only, never of marks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from grader.problem.checks import (
    BooleanCheck,
    CheckModel,
    ChoiceCheck,
    QuantityCheck,
    StructureModel,
)
from grader.record import Finding, Reason, Rejected, Status

if TYPE_CHECKING:
    from grader.formal.quoted.checks import QuotedCheck

VERSION = 3
"""Raised whenever a quoted value could be found, or told, differently."""
BY = f"formal:fact@{VERSION}"
"""Who signs the finding on all values of a text."""
FACTS = "facts"
"""The flag of that finding: its detail holds facts, and not what went wrong."""

_NOUNS = {
    "smiles": "structure",
    "formula": "formula",
    "quantity": "value",
    "integer": "number",
    "choice": "option",
    "equation": "equation",
    "reaction": "reaction",
    "sequence": "order",
    "electron_configuration": "configuration",
}
_ASIDE = {"ignore": " (its configuration aside)", "relative": " (or its mirror image)"}
_PLAIN = re.compile(r"[\w .,;:'\"+\-−–=()\[\]{}@#/\\*^%°·×‡μ$~≈]{1,80}")
"""What may be quoted in a sentence: no signs of markup, and no room for a text of its own."""
_MOST_WORDS = 5
NO_UNIT = "no unit"
"""In the detail of a finding on a number without a unit, which a rubric may forgive."""


def fact(check: CheckModel, finding: Finding) -> str | None:
    """One sentence about what an answer states; None where the finding says nothing worth telling."""
    if isinstance(check, BooleanCheck) and finding.evidence is not None and finding.found:
        return f"The answer{_at(finding)} says {finding.found}, and {_expected(check)} is right."
    noun = _NOUNS.get(check.kind, "value")
    expected = _expected(check)
    asked = f" for {check.asked[0]}" if check.asked else ""
    match finding:
        case Finding(status=Status.MET):
            return f"The {noun} {expected} is stated in the answer{asked}{_at(finding)}."
        case Finding(status=Status.NOT_MET, reason=Reason.NO_ANSWER):
            return "The answer is blank."
        case Finding(status=Status.NOT_MET):
            article = "The" if asked else "An" if noun[0] in "aeiou" else "A"
            stated = f"{article} {noun} stated in the answer{asked}{_found(finding)}"
            return f"{stated} {_differs(check, finding)} {expected}."
        case Finding(reason=Reason.CONFLICTING_CANDIDATES, evidence=evidence) if evidence is not None:
            return f"Of several {noun}s in the answer, the one{_at(finding)} is {expected}."
    return None


def _differs(check: CheckModel, finding: Finding) -> str:
    if isinstance(check, QuantityCheck) and NO_UNIT in finding.detail:
        return "has no unit, and the right one is"
    return "is not equivalent to" if check.kind in ("smiles", "formula") else "is not"


def _expected(check: CheckModel) -> str:
    if isinstance(check, QuantityCheck):
        shown = f"{check.expected:.12g}{' ' + check.unit if check.unit else ''}"
        return f"{shown} (± {check.abs_tol:.3g})" if check.abs_tol is not None else shown
    if isinstance(check, BooleanCheck):
        return "true" if check.expected else "false"
    if isinstance(check, ChoiceCheck):
        return check.expected.upper()
    aside = _ASIDE.get(check.stereo, "") if isinstance(check, StructureModel) else ""
    return f"{getattr(check, 'expected', '')}{aside}"


def _found(finding: Finding) -> str:
    """What was found, set off by commas, and its place where that says more."""
    found = _quotable(finding.found or "")
    if not found:
        return _at(finding)
    same = finding.evidence is not None and found == _quotable(finding.evidence.quote)
    return f", {found}," if same else f", {found}{_at(finding)},"


def _at(finding: Finding) -> str:
    """Where it stands, in the answer's own words if they are short and plain."""
    if finding.evidence is None:
        return ""
    quote = _quotable(finding.evidence.quote)
    return f" (written '{quote}')" if quote else f" (at character {finding.evidence.start})"


def _quotable(text: str) -> str:
    words = text.split()
    plain = " ".join(words)
    return plain if len(words) <= _MOST_WORDS and _PLAIN.fullmatch(plain) else ""


def expects(checks: Sequence[QuotedCheck], findings: Sequence[Finding]) -> float | None:
    """1 if all values are stated, of alternatives one; 0 if clearly none is; else None."""
    groups: dict[int, list[tuple[QuotedCheck, Finding]]] = {}
    for check, finding in zip(checks, findings, strict=True):
        groups.setdefault(check.group, []).append((check, finding))
    outcomes = [_outcome(members) for members in groups.values()]
    if outcomes and all(one == 1.0 for one in outcomes):
        return 1.0
    return 0.0 if outcomes and all(one == 0.0 for one in outcomes) else None


def _outcome(members: Sequence[tuple[QuotedCheck, Finding]]) -> float | None:
    if any(finding.status is Status.MET for _, finding in members):
        return 1.0
    denied = all(
        finding.status is Status.NOT_MET and not check.open and NO_UNIT not in finding.detail
        for check, finding in members
    )
    return 0.0 if denied else None


def combine(checks: Sequence[QuotedCheck], findings: Sequence[Finding]) -> Finding:
    """The findings on all values of a text as one: a fact, which never decides the point itself.

    Its award is what the facts alone would lead to. Its detail holds the
    sentences, a line each; its evidence is the first right value, its rejected
    ones are the others that were found.
    """
    met = [finding for finding in findings if finding.status is Status.MET]
    right = {one.group for one, finding in zip(checks, findings, strict=True) if finding.status is Status.MET}
    said = (
        fact(one.check, finding)
        for one, finding in zip(checks, findings, strict=True)
        if finding.status is Status.MET or one.group not in right
    )
    sentences = dict.fromkeys(sentence for sentence in said if sentence is not None)
    status = {1.0: Status.MET, 0.0: Status.NOT_MET, None: Status.UNDETERMINED}[expects(checks, findings)]
    open_for = next((finding.reason for finding in findings if finding.award is None), None)
    return Finding(
        status,
        BY,
        "\n".join(sentences),
        (open_for or Reason.UNJUDGED) if status is Status.UNDETERMINED else None,
        found=met[0].found if met else None,
        evidence=met[0].evidence if met else None,
        flags=(FACTS,),
        rejected=tuple(
            Rejected(finding.evidence.quote, finding.evidence.start, finding.evidence.end, "another value")
            for finding in findings
            if finding.status is Status.NOT_MET and finding.evidence is not None
        ),
    )


def facts_of(finding: Finding) -> tuple[str, ...]:
    """The sentences of a combined finding."""
    return tuple(line for line in finding.detail.split("\n") if line) if FACTS in finding.flags else ()


def expects_of(finding: Finding) -> float | None:
    """The award that the facts of a combined finding alone would lead to: 1, 0 or None."""
    return finding.award if FACTS in finding.flags else None
