"""Whether a text tells what a formal point expects: decided by the checks that grade."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grader.problem.checks import CheckModel
from grader.problem.lints import LISTED, SHORTEST
from grader.problem.model import Point
from grader.protocol.expected import readable, states
from grader.record import Finding, Status

_ORDINARY = LISTED | {"integer", "oxidation_state"}
"""Kinds whose values stand in many texts."""
_NAMED = frozenset({"smiles", "inchi", "name", "formula"})
"""Kinds whose value a text may name in passing, in another notation."""
_STATEMENT = re.compile(r"\n|;|(?<=[.?!])\s")
_MENTION = re.compile(r"[,;:\n]\s?|\s(?:and|or|to|is|are|from|gives?|via|=|->)\s|[.?!](?:\s|$)")
_MENTIONS = 40
"""The most mentions of one text that are looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """A formal point and a text that may tell what it expects."""

    problem_id: str
    sub_id: str
    point: Point
    check: CheckModel
    text: str
    where: str = ""
    """For a text that everybody sees: whose it is."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a text tells of a point's value."""

    met: bool = False
    """By the check, on the whole text or on one of its statements."""
    found: str = ""
    """The value that met it."""
    undecided: bool = False
    mentioned: str = ""
    """The expected value stands in it, though the check doesn't find it stated."""


def told(probes: Sequence[Probe]) -> dict[Probe, Told]:
    """What each text tells.

    A text is put to the check as a whole, then the statements in which the
    value stands one by one: an answer that lists many values earns nothing, but
    a scaffold that lists them tells them all. Last, the structures that a
    scaffold mentions are compared without regard to what they are said to be.
    """
    found = {probe: _of_finding(finding) for probe, finding in _findings([(one, one.text) for one in probes])}
    _add(
        found,
        [(probe, part) for probe in probes for part in _statements(probe.text) if states(part, probe.check)],
    )
    for probe, so_far in found.items():
        bare = not (so_far.met or probe.where) and _is_distinctive(probe.check)
        if bare and states(probe.text, probe.check):
            found[probe] = replace(so_far, mentioned=readable(probe.check))
    _mention(found)
    return found


def _add(found: dict[Probe, Told], parts: Sequence[tuple[Probe, str]]) -> None:
    for probe, finding in _findings([(probe, part) for probe, part in parts if not found[probe].met]):
        if finding.status is Status.MET:
            found[probe] = _of_finding(finding)


def _mention(found: dict[Probe, Told]) -> None:
    parts = [
        (probe, part)
        for probe, so_far in found.items()
        if not (so_far.met or so_far.mentioned or probe.where) and probe.check.kind in _NAMED
        for part in _mentions(probe.text)
    ]
    for probe, finding in _findings(parts, labelled=False):
        if finding.status is Status.MET:
            found[probe] = replace(found[probe], mentioned=_value(finding))


def _findings(
    pairs: Sequence[tuple[Probe, str]], *, labelled: bool = True
) -> Iterator[tuple[Probe, Finding]]:
    from grader.formal import check_many

    checks = (
        (probe.check if labelled else probe.check.model_copy(update={"asked": ()}), text)
        for probe, text in pairs
    )
    yield from zip((probe for probe, _ in pairs), check_many(checks), strict=True)


def _of_finding(finding: Finding) -> Told:
    if finding.status is Status.MET:
        return Told(met=True, found=_value(finding))
    return Told(undecided=finding.status is Status.UNDETERMINED)


def _value(finding: Finding) -> str:
    return finding.found or (finding.evidence.quote if finding.evidence else "")


def _is_distinctive(check: CheckModel) -> bool:
    """Whether the expected value doesn't stand in a text by chance."""
    return check.kind not in _ORDINARY and (check.kind == "quantity" or len(readable(check)) >= SHORTEST)


def _statements(text: str) -> list[str]:
    """The sentences and clauses of a text of several."""
    parts = [part for part in _STATEMENT.split(text) if part.strip()]
    return parts if len(parts) > 1 else []


def _mentions(text: str) -> list[str]:
    parts = (part.strip() for part in _MENTION.split(text))
    return list(dict.fromkeys(part for part in parts if len(part) > 1))[:_MENTIONS]
