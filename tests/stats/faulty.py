"""A seeded simulator of graded chains with one planted fault, written apart from what diagnoses it.

A model meets the two points of each subquestion (one formal, one flexible) with a chance that depends on
the problem and the subquestion, drawn anew under each condition. Then its one fault:

- ``propagation``: unless the subquestion before was all right in the same reply or conversation, the
  chance is 40 % of itself; under oracle the right result is granted. Half of what is lost that way follows.
- ``integration``: asked for everything at once, from the third subquestion on the chance is half.
- ``images``: shown an image (every second subquestion has one) and not told what it shows, it is half.
- ``extraction``: code can't read 30 % of the formal answers in a long reply, 15 % in others, right or wrong.
  A judge quotes the value in half of these, the rest stay open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from grader.problem.checks import SmilesCheck
from grader.problem.model import Point

PROTOCOLS = ("full_problem", "sequential_carry", "oracle_scaffolded")
MODES = ("multimodal", "text_only")
FAULTS = ("propagation", "integration", "images", "extraction")
CODE = SmilesCheck(kind="smiles", expected="C")


@dataclass(frozen=True)
class Sheet:
    """A rubric."""

    nodes: tuple[Point, ...]
    full_mark: float


@dataclass(frozen=True)
class Planted:
    """The frames of one archive."""

    subquestions: pd.DataFrame
    points: pd.DataFrame
    items: pd.DataFrame
    rubrics: Mapping[tuple[str, str], Sheet]


def planted(fault: str | None, seed: int, problems: int = 48) -> Planted:
    """One model under six conditions on that many problems of 3 to 6 subquestions."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(3, 7, problems)
    places = [(p, at) for p in range(problems) for at in range(lengths[p])]
    worth = rng.integers(1, 4, (problems, 6, 2))
    hard = 0.9 + 0.8 * rng.standard_normal((problems, 1, 1)) + 0.6 * rng.standard_normal((problems, 6, 1))
    rows: list[dict[str, Any]] = []
    for protocol, mode in product(PROTOCOLS, MODES):
        right, follows = _answers(
            rng, fault, protocol, mode, hard + 0.3 * rng.standard_normal((problems, 6, 1))
        )
        unread = rng.random((problems, 6)) < (0.3 if protocol == "full_problem" else 0.15)
        located = rng.random((problems, 6)) < 0.5
        for p, at in places:
            for n in (0, 1):
                lost_form = fault == "extraction" and n == 0 and bool(unread[p, at])
                award = float(right[p, at, n])
                track: str | None = "judge" if n else "formal"
                if lost_form:
                    award, track = (award, "located") if located[p, at] else (np.nan, None)
                rows.append(
                    {
                        "model": "m",
                        "protocol": protocol,
                        "mode": mode,
                        "problem_id": f"p{p}",
                        "sub_id": f"p{p}-{at}",
                        "position": at,
                        "sample": 0,
                        "point_id": f"r{n}",
                        "place": n,
                        "shape": "point",
                        "kind": None if n else "smiles",
                        "points": float(worth[p, at, n]),
                        "reason": "no_candidate" if np.isnan(award) else None,
                        "award": award,
                        "award_follow": 1.0 if not n and award == 0 and follows[p, at] else award,
                        "track": track,
                        "award_code": np.nan if n else award,
                        "award_judge": award if n else np.nan,
                    }
                )
    points = pd.DataFrame(rows)
    items = pd.DataFrame(
        [{"problem_id": f"p{p}", "sub_id": f"p{p}-{at}", "visible_images": at % 2} for p, at in places]
    )
    return Planted(_added(points), points, items, {_key(p, at): _sheet(worth[p, at]) for p, at in places})


def _key(problem: int, place: int) -> tuple[str, str]:
    return f"p{problem}", f"p{problem}-{place}"


def _sheet(worth: Any) -> Sheet:
    formal, flexible = (float(one) for one in worth)
    nodes = (
        Point(id="r0", points=formal, text="the product", check=CODE),
        Point(id="r1", points=flexible, text="the reason"),
    )
    return Sheet(nodes, formal + flexible)


def _answers(rng: Any, fault: str | None, protocol: str, mode: str, hard: Any) -> tuple[Any, Any]:
    """Whether each point is right, and whether what is lost follows from what was lost before."""
    problems = len(hard)
    right = np.zeros((problems, 6, 2), bool)
    follows = np.zeros((problems, 6), bool)
    for at in range(6):
        chance = np.repeat(1 / (1 + np.exp(-hard[:, at])), 2, axis=1)
        if fault == "integration" and protocol == "full_problem" and at >= 2:
            chance = chance * 0.5
        if fault == "images" and mode == "multimodal" and at % 2:
            chance = chance * 0.5
        if fault == "propagation" and protocol != "oracle_scaffolded" and at:
            misled: Any = ~right[:, at - 1].all(axis=1)
            chance = np.where(misled[:, None], chance * 0.4, chance)
            follows[:, at] = misled & (rng.random(problems) < 0.5)
        right[:, at] = rng.random((problems, 2)) < chance
    return right, follows


def _added(points: pd.DataFrame) -> pd.DataFrame:
    """The frame of subquestions, by plain sums: there is nothing but points."""
    award, worth = points["award"], points["points"]
    marks = points.assign(
        earned=award.fillna(0) * worth,
        low=award.fillna(0) * worth,
        high=award.fillna(1) * worth,
        earned_follow=points["award_follow"].fillna(0) * worth,
        full_mark=worth,
    )
    keys = ["model", "protocol", "mode", "problem_id", "sub_id", "position"]
    sums = marks.groupby(keys, sort=False)[["earned", "low", "high", "earned_follow", "full_mark"]].sum()
    return sums.reset_index().assign(answers=1)
