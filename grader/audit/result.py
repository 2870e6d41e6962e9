"""What an audit comes to: numbers with intervals, what they could have shown, and plain sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AUDITS = {
    "A1": "Agreement with people",
    "A2": "Leniency",
    "A3": "Corrected scores",
    "A4": "Calibration of confidence",
    "A5": "Value of routing",
    "A6": "Test-retest",
    "A7": "Invariance",
    "A8": "Sensitivity",
    "A9": "Injection",
    "A10": "Verbosity",
    "A11": "Order and batching",
    "A12": "Faithfulness of evidence",
    "A13": "Preference",
    "A14": "Panel",
    "A15": "Failures",
    "A16": "Drift",
    "A17": "People",
    "A18": "Judge against code",
}
"""What each measures, in the order of every report."""

Unit = Literal["share", "points", "correlation", "count", "seconds", "number"]
"""``share`` is in [0, 1], printed as per cent; ``points`` a difference of shares, in percentage points."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One number of an audit."""

    name: str
    """``quadratic kappa``."""
    value: float | None
    """None: it can't be given, and a note says why."""
    unit: Unit
    of: str = ""
    """Whose or what part: ``model gpt-x``, ``mode text_only``; empty: all."""
    low: float | None = None
    high: float | None = None
    """The interval's ends at ``Audit.level``; one of them alone is a one-sided bound."""
    n: int = 0
    """Points, pairs or calls it rests on."""
    problems: int | None = None
    """The clusters of its interval; None where there are none."""
    p: float | None = None
    p_adjusted: float | None = None
    """Holm's within the audit's family."""
    detectable: float | None = None
    """The smallest true effect that would be found with a power of 0.8."""
    flagged: bool = False
    """Evidence of a fault, after adjustment."""


@dataclass(frozen=True, slots=True)
class Case:
    """One miss or conflict, so that it can be looked at: everything stands in the archive."""

    where: str
    """``<problem>/<sub>/<point>``, and the response's digest shortened."""
    what: str
    """One sentence: what was expected and what was said."""
    calls: tuple[str, ...] = ()
    """Keys of the archived requests."""


@dataclass(frozen=True, slots=True)
class Audit:
    """One audit of one judge, done."""

    id: str
    """A key of ``AUDITS``."""
    judge: str
    """``<card>@<hash>``, ``formal``, or the name of an imported judge."""
    measures: tuple[Measure, ...]
    says: tuple[str, ...] = ()
    """Findings in plain sentences, the gravest first."""
    notes: tuple[str, ...] = ()
    """What the numbers mean, and how far they can be trusted."""
    cases: tuple[Case, ...] = ()
    level: float = 0.95
    indicative: bool = False
    """Too few points or problems for the audit's least n."""


@dataclass(frozen=True, slots=True)
class NotAudited:
    """An audit that could not be done, why, and what to do."""

    id: str
    judge: str
    why: str
    do: str
