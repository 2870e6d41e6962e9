"""What code found, as facts for a judge: about values that flexible points quote, and about formal points."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from grader.archive.entry import Engine
from grader.formal import registry
from grader.formal.quoted.facts import BY, VERSION, expects_of, fact, facts_of
from grader.formal.quoted.line import Line
from grader.formal.quoted.task import FactTask
from grader.grade.plan import PlannedPoint, PlannedSubquestion
from grader.problem.checks import CheckModel
from grader.problem.model import Deduction, Note, Point, walk
from grader.record import Finding, Status

if TYPE_CHECKING:
    from grader.formal.quoted.checks import QuotedCheck

__all__ = [
    "FactTask",
    "expectations",
    "expects_of",
    "fact_engine",
    "fact_tasks",
    "facts_of",
    "formal_fact",
]

_UNCOUNTED = ("#rest", "#whole")
"""Ends of the ids of points that stand for what lines don't account for: values alone don't earn them."""


@cache
def fact_engine() -> Engine:
    """Who signs facts: they are found anew when the reading of a text, a kind or a library changes."""
    kinds = {kind: str(one.version) for kind, one in registry.IMPLEMENTED.items()}
    libraries = {name: version for kind in kinds for name, version in registry.libraries(kind).items()}
    return Engine(BY, {"fact": str(VERSION), **kinds, **libraries})


def fact_tasks(sub: PlannedSubquestion) -> Mapping[str, tuple[CheckModel, ...]]:
    """The checks on quoted values by criterion id; criteria that quote none are left out."""
    return {
        point.node.id: tuple(one.check for one in checks)
        for point in sub.points
        if (checks := _quoted(point))
    }


def _quoted(point: PlannedPoint) -> tuple[QuotedCheck, ...]:
    from grader.formal.quoted.checks import quoted_checks

    flexible = isinstance(point.node, Point) and point.check is None
    return quoted_checks(point.node.text) if flexible else ()


def expectations(
    found: Mapping[str, Finding], sub: PlannedSubquestion | None = None
) -> dict[str, float | None]:
    """What the facts of an answer lead to, by criterion id, each seen beside the others.

    ``found`` are the findings of all points of a subquestion, of flexible ones
    the facts. A value that is right for one point doesn't show that another
    point's is missing, nor does a wrong one where the rubric of ``sub`` deals
    with flawed answers elsewhere.
    """
    lenient = sub is not None and _lenient(sub)
    awards = {name: _beside(name, finding, found) for name, finding in found.items() if finding.by == BY}
    return {name: None if award == 0.0 and lenient else award for name, award in awards.items()}


def _lenient(sub: PlannedSubquestion) -> bool:
    """Whether a note, a deduction or an award for less may change what a wrong value earns."""
    if any(isinstance(node, Note | Deduction) for node in walk(sub.nodes)):
        return True
    return any(Line(point.node.text).grants_less for point in sub.points if isinstance(point.node, Point))


def _beside(name: str, finding: Finding, found: Mapping[str, Finding]) -> float | None:
    award = expects_of(finding)
    if name.endswith(_UNCOUNTED):
        return None
    others = [
        other.evidence
        for key, other in found.items()
        if key != name and other.evidence is not None and (other.by == BY or other.status is Status.MET)
    ]
    taken = any(
        one.start < other.end and other.start < one.end for one in finding.rejected for other in others
    )
    return None if award == 0.0 and taken else award


def formal_fact(point: PlannedPoint, finding: Finding) -> str | None:
    """What code found about a formal point, as a sentence on the answer; None where nothing is clear."""
    said = fact(point.check, finding) if point.check is not None else None
    return f'On another point, "{point.node.text}": {said}' if said else None
