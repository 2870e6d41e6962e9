"""A report card made by hand: numbers that are easy to find again on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from grader.audit.card.asked import Asked
from grader.audit.card.card import ReportCard, Result
from grader.audit.card.ground import Drawn, Ground
from grader.audit.card.scores import CellScore, GapScore, Scores
from grader.audit.result import Audit, Case, Measure, NotAudited
from grader.stats.correction.corrected import Corrected
from grader.stats.correction.difference import CorrectedDifference
from grader.stats.correction.intervals import Interval

JUDGE = "careful@0123456789ab"
ALPHA = ("alpha", "sequential_carry", "text_only")
BETA = ("beta", "sequential_carry", "text_only")

GROUND = Ground(
    runs=("spring",),
    models=("alpha", "beta"),
    problems=40,
    answers=80,
    points=400,
    by_code=100,
    by_judge=180,
    by_people=120,
    undecided=0,
    decided=300,
    marked=140,
    labels=120,
    label_problems=38,
    disagreements=12,
    waiting=4,
    strata=(Drawn("confident", 0.25, 200, 60, 58), Drawn("doubtful", 1.0, 62, 62, 62)),
)


def corrected(value: float, half: float, **more: Any) -> Corrected:
    """A corrected score and its interval; as graded five points above it."""
    ends: dict[str, Any] = {
        "value": value,
        "low": value - half,
        "high": value + half,
        "se": half / 2,
        "df": 37,
    }
    graded = Interval(value + 0.05, value + 0.01, value + 0.09, 0.02, 39)
    human = Interval(value - 0.01, value - 0.01 - 2 * half, value - 0.01 + 2 * half, half, 37)
    settings: dict[str, Any] = {
        "level": 0.95,
        "target": "problems",
        "lambdas": (0.8, 0.8),
        "judge_only": graded,
        "human_only": human,
        "problems": 40,
        "problems_labelled": 38,
        "points": 200,
        "labels": 60,
        "disagreements": 12,
        "widened": False,
        "saved": 4.0,
        "few_bound": None,
        "notes": (),
    }
    return Corrected(**ends, **(settings | more))


def benchmark(value: float, half: float) -> Corrected:
    """The same of this benchmark."""
    one = corrected(value, half, target="benchmark")
    known = Interval(value + 0.05, value + 0.05, value + 0.05, 0.0, 0)
    return replace(one, judge_only=known)


def difference(value: float, half: float, graded: float) -> CorrectedDifference:
    """A corrected difference with an interval of twice ``half``; as graded of the same width."""
    return CorrectedDifference(
        *(value, value - half, value + half, half / 2, 37, 0.95, "problems"),
        judge_only=Interval(graded, graded - half, graded + half, half / 2, 39),
        p=0.5,
        p_adjusted=0.5,
        detectable=1.4 * half,
        problems=40,
        labels=(60, 60),
        disagreements=(8, 4),
        only_first=0,
        only_second=0,
        widened=False,
        notes=(),
    )


SCORES = Scores(
    whole=corrected(0.5, 0.04),
    cells=(
        CellScore(ALPHA, corrected(0.5, 0.06), benchmark(0.5, 0.02)),
        CellScore(BETA, corrected(0.45, 0.06), benchmark(0.45, 0.06)),
    ),
    gaps=(GapScore("models", ALPHA, BETA, difference(0.05, 0.08, 0.1)),),
    together=None,
    shared=(ALPHA, BETA),
    refused=((("gamma", "sequential_carry", "text_only"), "none of 3 drawn points is marked yet"),),
    audit=Audit("A3", JUDGE, (Measure("marks saved", 4.0, "number", n=120, problems=38),)),
)


def measure(name: str, value: float | None, **more: Any) -> Measure:
    """A share of 120 points from 38 problems, not flagged."""
    settings: dict[str, Any] = {"unit": "share", "n": 120, "problems": 38}
    return Measure(name, value, **(settings | more))


def audit(name: str, *measures: Measure, **more: Any) -> Audit:
    """An audit of the careful judge."""
    return Audit(name, JUDGE, measures, **more)


LENIENCY = audit(
    "A2",
    measure("leniency", 0.01, unit="points", low=-0.02, high=0.04, p=0.5, detectable=0.05),
    says=("No evidence of leniency or strictness overall.",),
)
ROUTING = audit(
    "A5", measure("error rate of accepted verdicts", 0.02, low=0.01, high=0.04, n=58), notes=("weighted",)
)
SENSITIVITY = audit(
    "A8",
    measure("misses", 0.2, of="stereocentre inverted", high=0.3, n=60, flagged=True),
    says=("It overlooks inverted stereocentres.",),
    cases=(Case("p1/p1-1/a, 0123456789ab", "met before, met after", ("k" * 64, "m" * 64)),),
    indicative=True,
)
REFUSED = NotAudited("A1", JUDGE, "no point was marked twice", "Mark some twice: argus review.")


def card(*results: Result, **more: Any) -> ReportCard:
    """The careful judge's card; by default with leniency, routing and sensitivity done."""
    done: Sequence[Result] = results or (REFUSED, LENIENCY, SCORES.audit, ROUTING, SENSITIVITY)
    asked = Asked(
        JUDGE, "openai/o9", ("o9-2026-11-01",), 240, "2026-11-03", "2026-11-04", "fedcba987654", 0.0, 1
    )
    settings: dict[str, Any] = {
        "judge": JUDGE,
        "archive": "argus.db",
        "provisional": False,
        "asked": (asked,),
        "ground": GROUND,
        "results": tuple(done),
        "scores": SCORES,
        "notes": ("4 of 122 drawn points are not marked yet",),
        "level": 0.95,
        "seed": 0,
    }
    return ReportCard(**(settings | more))
