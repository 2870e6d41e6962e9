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
_MENTION = re.compile(
    r"[,;:\n]\s?|[.?!](?:\s|$)"
    r"|\s(?:and|or|to|into|is|are|from|gives?|via|in|with|by|over|plus|[+=→]|->)\s"
)
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
class Disclosed:
    """What a text tells of a point's value."""

    met: bool = False
    """By the check, on the whole text or on one of its statements."""
    found: str = ""
    """The value that met it."""
    undecided: bool = False
    mentioned: str = ""
    """The expected value stands in it, though the check doesn't find it stated."""


def disclosed_by(probes: Sequence[Probe]) -> dict[Probe, Disclosed]:
    """What each text tells.

    A text is put to the check as a whole, and the statements in which the value
    stands one by one: an answer that lists many values earns nothing, but a
    scaffold that lists them tells them all. The structures that a scaffold
    mentions are compared without regard to what they are said to be.
    """
    from grader.formal import check_many

    puts = [put for probe in probes for put in _puts(probe)]
    found = dict.fromkeys(probes, Disclosed())
    findings = check_many((put.check, put.text) for put in puts) if puts else iter(())
    for put, finding in zip(puts, findings, strict=True):
        found[put.probe] = _after(found[put.probe], put, finding)
    for probe, so_far in found.items():
        bare = not (so_far.met or so_far.mentioned or probe.where) and _is_distinctive(probe.check)
        if bare and states(probe.text, probe.check):
            found[probe] = replace(so_far, mentioned=readable(probe.check))
    return found


@dataclass(frozen=True, slots=True)
class _Put:
    """A text, or a piece of it, that is put to a check."""

    probe: Probe
    text: str
    piece: bool = False
    labelled: bool = True
    """The value has to be stated as what is asked for."""

    @property
    def check(self) -> CheckModel:
        return self.probe.check if self.labelled else self.probe.check.model_copy(update={"asked": ()})


def _puts(probe: Probe) -> Iterator[_Put]:
    yield _Put(probe, probe.text)
    for part in _statements(probe.text):
        if states(part, probe.check):
            yield _Put(probe, part, piece=True)
    if probe.check.kind in _NAMED and not probe.where:
        for part in _mentions(probe.text):
            yield _Put(probe, part, piece=True, labelled=False)


def _after(so_far: Disclosed, put: _Put, finding: Finding) -> Disclosed:
    if finding.status is not Status.MET:
        undecided = finding.status is Status.UNDETERMINED and not put.piece
        return replace(so_far, undecided=so_far.undecided or undecided)
    if put.labelled:
        return so_far if so_far.met else replace(so_far, met=True, found=_value(finding))
    return replace(so_far, mentioned=so_far.mentioned or _value(finding))


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
