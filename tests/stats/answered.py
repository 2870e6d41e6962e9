"""Small frames of answers and points, scored by ``grader.score`` from rubrics written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from grader.problem.model import Note, Point, Veto, walk
from grader.score import Award, score_subquestion

Rubric = Sequence[Any]
"""Of scoring nodes."""
NAN = float("nan")


@dataclass(frozen=True)
class Sheet:
    """A rubric and its mark."""

    nodes: Rubric
    full_mark: float


def point(name: str, points: float = 1.0) -> Point:
    return Point(id=name, points=points, text=name)


@dataclass
class Graded:
    """Answers to subquestions, one after the other."""

    sheets: Mapping[tuple[str, str], Sheet]
    answers: list[dict[str, Any]] = field(default_factory=list)
    points: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, sub_id: str, awards: Mapping[str, float | None], **more: Any) -> None:
        """``sub_id`` is ``<problem>-<place>``; an award of None is open. ``more``: cell, sample, or for a
        point ``<id>_<column>``."""
        problem, _, place = sub_id.rpartition("-")
        sheet = self.sheets[problem, sub_id]
        cell = {
            "model": more.pop("model", "m"),
            "protocol": more.pop("protocol", "sequential_carry"),
            "mode": more.pop("mode", "text_only"),
            "problem_id": problem,
            "sub_id": sub_id,
            "position": int(place),
            "sample": more.pop("sample", 0),
            "run": "r",
            "response": f"digest of {sub_id}",
        }
        standing = {name: Award(award) for name, award in awards.items()}
        score = score_subquestion(sheet.nodes, sheet.full_mark, standing)
        marks = ("earned", "low", "high", "full_mark", "earned_follow")
        self.answers.append({**cell, **{name: getattr(score, name) for name in marks}})
        for order, node in enumerate(walk(tuple(sheet.nodes))):
            if isinstance(node, Note):
                continue
            award = awards.get(node.id)
            row = {
                "point_id": node.id,
                "place": order,
                "shape": type(node).__name__.lower(),
                "kind": None,
                "points": NAN if isinstance(node, Veto) else node.points,
                "status": "undetermined" if award is None else "not_met" if award == 0 else "met",
                "reason": "unjudged" if award is None else None,
                "award": NAN if award is None else award,
                "inherited": False,
                "provisional": False,
                "track": None if award is None else "judge",
                "by": None if award is None else "judge:card",
                "confidence": NAN,
                "award_code": NAN,
                "award_judge": NAN,
            }
            own = {name: more[f"{node.id}_{name}"] for name in row if f"{node.id}_{name}" in more}
            self.points.append({**cell, **row, **own})

    @property
    def items(self) -> pd.DataFrame:
        rows = [
            {"problem_id": p, "sub_id": sub, "position": int(sub.rpartition("-")[2]), "tags": ("chem",)}
            for p, sub in self.sheets
        ]
        return pd.DataFrame(rows)

    @property
    def frames(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Of answers, and of points."""
        return pd.DataFrame(self.answers), pd.DataFrame(self.points)


def sheets(**rubrics: tuple[Rubric, float]) -> dict[tuple[str, str], Sheet]:
    """By ``<problem>_<place>``."""
    found = {}
    for name, (nodes, full) in rubrics.items():
        problem, _, place = name.rpartition("_")
        found[problem, f"{problem}-{place}"] = Sheet(nodes, full)
    return found
