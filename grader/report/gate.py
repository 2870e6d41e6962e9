"""Which problems of a set have passed their gates, and what each still lacks.

Three gates: experts accept the problem as it is now, the models that were
tried on it find it hard, and students can do it, but not all of it. The
scores are those of graded runs; while points are open their bounds decide, so
nothing passes by luck.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from grader.archive.store import Archive, open_archive
from grader.problem.set import ProblemSet
from grader.problem.signoff import GateRules, Review, Signoff
from grader.report.gate_runs import SignedRun, signed_runs
from grader.score import DIGITS

SCHEMA_VERSION = 1

Gate = Literal["review", "probe", "pilot"]


@dataclass(frozen=True, slots=True)
class Lack:
    """What a problem still needs."""

    gate: Gate
    what: str


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A reviewer's last word."""

    review: Review
    stale: bool
    """It is about another content of the problem."""

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        said = self.review.model_dump(mode="json", exclude={"gate", "problem_id"})
        return {**said, "stale": self.stale}


@dataclass(frozen=True, slots=True)
class Tried:
    """What a model or a student earned of a problem, as shares of its marks."""

    run: str
    model: str
    low: float
    high: float
    """The bounds, while points are open."""
    stale: bool
    """It was graded on another content of the problem."""
    minutes: float | None = None


@dataclass(frozen=True)
class ProblemGate:
    """A problem at its gates."""

    problem_id: str
    content: str
    """Its content hash."""
    reviews: tuple[Reviewed, ...] = ()
    probes: tuple[Tried, ...] = ()
    pilots: tuple[Tried, ...] = ()
    lacks: tuple[Lack, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        return {
            "problem_id": self.problem_id,
            "content": self.content,
            "passed": not self.lacks,
            "lacks": [asdict(one) for one in self.lacks],
            "reviews": [one.as_json() for one in self.reviews],
            "probes": [asdict(one) for one in self.probes],
            "pilots": [asdict(one) for one in self.pilots],
        }


@dataclass(frozen=True)
class GateReport:
    """A set at its gates."""

    path: str
    rules: GateRules
    problems: tuple[ProblemGate, ...]
    runs: tuple[SignedRun, ...] = field(default=())

    @property
    def passed(self) -> int:
        """How many problems lack nothing."""
        return sum(not one.lacks for one in self.problems)

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        return {
            "schema_version": SCHEMA_VERSION,
            "path": self.path,
            "rules": self.rules.model_dump(),
            "passed": self.passed,
            "problems": [one.as_json() for one in self.problems],
            "runs": [one.as_json() for one in self.runs],
        }


def gate_report(problems: ProblemSet, signoff: Signoff, archive: str | None = None) -> GateReport:
    """Hold a set to its rules.

    ``archive`` names where its runs were graded; it is opened only if the
    signoff names any. Raises ArchiveError if it can't be.
    """
    named = signoff.probes or signoff.pilots
    with open_archive(archive, create=False) if named else nullcontext() as opened:
        runs = tuple(signed_runs(signoff, opened)) if opened else ()
        found = tuple(_problem(one, problems, signoff, runs, opened) for one in problems.problems)
    return GateReport(str(problems.path), signoff.rules, found, runs)


def _problem(
    problem_id: str,
    problems: ProblemSet,
    signoff: Signoff,
    runs: Sequence[SignedRun],
    archive: Archive | None,
) -> ProblemGate:
    content = problems.hashes[problem_id].content
    rules = signoff.rules
    reviews = tuple(_reviews(signoff.reviews, problem_id, content))
    probes = tuple(_tried("probe", runs, problem_id, content, None))
    timed = archive if rules.pilot_minutes is not None else None
    pilots = tuple(_tried("pilot", runs, problem_id, content, timed))
    lacks = (
        *review_lacks(reviews, rules),
        *probe_lacks(probes, rules),
        *pilot_lacks(pilots, rules),
    )
    return ProblemGate(problem_id, content, reviews, probes, pilots, lacks)


# Experts


def _reviews(reviews: Sequence[Review], problem_id: str, content: str) -> Iterator[Reviewed]:
    """The last word of each reviewer; of two on one day the later line."""
    own = sorted((one for one in reviews if one.problem_id == problem_id), key=lambda one: one.date)
    for review in {one.reviewer: one for one in own}.values():
        yield Reviewed(review, stale=not content.startswith(review.content))


def review_lacks(reviews: Sequence[Reviewed], rules: GateRules) -> Iterator[Lack]:
    """What a problem lacks of reviews: enough that accept it, and none that doesn't."""
    if not rules.reviews:
        return
    current = [one.review for one in reviews if not one.stale]
    accepting = sum(one.decision == "accept" for one in current)
    if accepting < rules.reviews:
        stale = len(reviews) - len(current)
        about = f", {stale} of another content" if stale else ""
        yield Lack("review", f"accepting reviewers: {accepting} of {rules.reviews}{about}")
    for one in current:
        if one.decision != "accept":
            yield Lack("review", f"{one.reviewer} says {one.decision}")


# Models and students


def _tried(
    gate: Gate, runs: Sequence[SignedRun], problem_id: str, content: str, timed: Archive | None
) -> Iterator[Tried]:
    """What each model earned under the condition it does best, or each student in all."""
    for signed in runs:
        if signed.gate != gate or signed.scores is None:
            continue
        stale = signed.scores.contents.get(problem_id) != content
        for model, rows in signed.scores.of(problem_id).items():
            low, high = _best(rows) if gate == "probe" else _whole(rows)
            minutes = None if timed is None else signed.scores.minutes(timed, problem_id, model)
            yield Tried(signed.named, model, low, high, stale, minutes)


_Rows = Sequence[Mapping[str, Any]]


def _best(rows: _Rows) -> tuple[float, float]:
    return max(row["low"] for row in rows), max(row["high"] for row in rows)


def _whole(rows: _Rows) -> tuple[float, float]:
    full = sum(row["full_mark"] for row in rows)
    low, high = (sum(row[end] * row["full_mark"] for row in rows) / full for end in ("low", "high"))
    return round(low, DIGITS), round(high, DIGITS)


def probe_lacks(probes: Sequence[Tried], rules: GateRules) -> Iterator[Lack]:
    """What a problem lacks of probes: enough models, and none that does well or still may."""
    if not rules.probes:
        return
    current = _current(probes)
    yield from _too_few("probe", len(current), rules.probes, "models", probes)
    for one in current.values():
        if one.low > rules.probe_score:
            yield Lack("probe", f"{one.model} earns {_range(one)}, above {_percent(rules.probe_score)}")
        elif one.high > rules.probe_score:
            yield Lack("probe", f"{one.model} may earn {_percent(one.high)} once all points are decided")


def pilot_lacks(pilots: Sequence[Tried], rules: GateRules) -> Iterator[Lack]:
    """What a problem lacks of pilots: enough students, a mean within bounds, and if asked within a time."""
    if not rules.pilots:
        return
    current = list(_current(pilots).values())
    yield from _too_few("pilot", len(current), rules.pilots, "students", pilots)
    if not current:
        return
    low, high = (sum(getattr(one, end) for one in current) / len(current) for end in ("low", "high"))
    span = _percent(low) if low == high else f"{_percent(low)} to {_percent(high)}"
    if low < rules.pilot_low:
        yield Lack("pilot", f"students earn {span}, below {_percent(rules.pilot_low)}")
    if high > rules.pilot_high:
        yield Lack("pilot", f"students earn {span}, above {_percent(rules.pilot_high)}")
    if rules.pilot_minutes is not None:
        yield from _time_lacks(current, rules.pilot_minutes)


def _time_lacks(pilots: Sequence[Tried], most: float) -> Iterator[Lack]:
    known = [one.minutes for one in pilots if one.minutes is not None]
    if len(known) < len(pilots):
        names = ", ".join(one.model for one in pilots if one.minutes is None)
        yield Lack("pilot", f"time unknown of {names}")
    if known and sum(known) / len(known) > most:
        yield Lack("pilot", f"students need {sum(known) / len(known):.0f} minutes, more than {most:g}")


def _current(tried: Sequence[Tried]) -> dict[str, Tried]:
    """Each model or student once, under the score that says most against passing a probe."""
    return {one.model: one for one in sorted(tried, key=lambda one: one.high) if not one.stale}


def _too_few(gate: Gate, there: int, wanted: int, what: str, tried: Sequence[Tried]) -> Iterator[Lack]:
    stale = len({one.model for one in tried if one.stale})
    if there < wanted:
        about = f", {stale} graded on another content" if stale else ""
        yield Lack(gate, f"{what}: {there} of {wanted}{about}")


def _range(one: Tried) -> str:
    return _percent(one.low) if one.low == one.high else f"{_percent(one.low)} to {_percent(one.high)}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
