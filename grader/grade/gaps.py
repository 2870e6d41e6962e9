"""What a score changes by when one thing about the condition changes: the protocol, or the mode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from grader.record.values import MODES, PROTOCOLS, Mode, Protocol

Score = Mapping[str, Any]
"""Of a model, protocol and mode, as ``grader.grade.summary`` gives it."""
Axis = Literal["protocol", "mode"]
"""What changes."""

GAPS: Mapping[Axis, Mapping[str, tuple[Protocol | Mode, Protocol | Mode]]] = {
    "protocol": {
        "integration": ("sequential_carry", "full_problem"),
        "propagation": ("oracle_scaffolded", "sequential_carry"),
        "both": ("oracle_scaffolded", "full_problem"),
    },
    "mode": {
        "images": ("text_only", "multimodal"),
        "reader": ("text_only", "text_reader"),
    },
}
"""Each gap, and the two conditions that it lies between: the first minus the second."""

_ORDER: Mapping[str, Sequence[str]] = {"protocol": PROTOCOLS, "mode": MODES}


@dataclass(frozen=True, slots=True)
class Gap:
    """A difference of two shares, between bounds while points are open."""

    low: float
    high: float
    flagged: tuple[str, ...] = ()
    """Of its two conditions those with responses that failed or are no plain answers."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """The scores of one model under conditions that differ in one thing, and what they differ by."""

    model: str
    axis: Axis
    """What they differ in."""
    other: str
    """The mode that all have where the protocol changes; else the protocol."""
    scores: Mapping[str, Score]
    """By protocol, or by mode."""
    gaps: Mapping[str, Gap]
    """By name; those between conditions that answer the same questions equally often."""

    def as_json(self) -> Iterator[dict[str, Any]]:
        """A line for each gap; documented in docs/output.md."""
        other = "mode" if self.axis == "protocol" else "protocol"
        for name, gap in self.gaps.items():
            more, less = GAPS[self.axis][name]
            bounds = {"low": round(gap.low, 9), "high": round(gap.high, 9), "flagged": list(gap.flagged)}
            yield {"gap": name, "model": self.model, other: self.other, "of": more, "minus": less, **bounds}


def ladders(summary: Mapping[str, Any], axis: Axis) -> list[Ladder]:
    """Of each model of a graded run, in each mode (or protocol) with at least two conditions."""
    other = "mode" if axis == "protocol" else "protocol"
    found: dict[tuple[str, str], dict[str, Score]] = {}
    for score in sorted(summary["scores"], key=lambda one: _ORDER[other].index(one[other])):
        found.setdefault((score["model"], score[other]), {})[score[axis]] = score
    answered = _answered(summary)
    return [
        Ladder(model, axis, held, scores, dict(_gaps(scores, axis, answered)))
        for (model, held), scores in found.items()
        if len(scores) > 1
    ]


def flagged(score: Score) -> dict[str, int]:
    """How many responses of a condition failed or are no plain answers, by what they are."""
    counts = {"failed": score.get("failed", 0), **score.get("flags", {})}
    return {flag: count for flag, count in counts.items() if count}


def _gaps(
    scores: Mapping[str, Score], axis: Axis, answered: Mapping[tuple[str, ...], Any]
) -> Iterator[tuple[str, Gap]]:
    for name, (more, less) in GAPS[axis].items():
        if more in scores and less in scores:
            first, second = scores[more], scores[less]
            comparable = answered[_condition(first)] == answered[_condition(second)]
            if comparable and first["full_mark"]:
                ends = tuple(one[axis] for one in (first, second) if flagged(one))
                yield name, Gap(first["low"] - second["high"], first["high"] - second["low"], ends)


def _answered(summary: Mapping[str, Any]) -> dict[tuple[str, ...], dict[tuple[str, str], int]]:
    """How often each condition answers each subquestion."""
    counts: dict[tuple[str, ...], dict[tuple[str, str], int]] = {}
    for one in summary["subquestions"]:
        counts.setdefault(_condition(one), {})[one["problem_id"], one["sub_id"]] = one["answers"]
    return counts


def _condition(one: Mapping[str, Any]) -> tuple[str, ...]:
    return one["model"], one["protocol"], one["mode"]
