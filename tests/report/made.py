"""Small frames made by hand, in the shape of ``grader.stats.frames``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd

from grader.archive.errata import Erratum
from grader.stats.rubrics import Rubrics

CELL = ["model", "protocol", "mode"]
SUMS = [
    "answers",
    "earned",
    "full_mark",
    "low",
    "high",
    "earned_follow",
    "formal",
    "located",
    "judge",
    "human",
]
FLAGS = ("failed", "empty", "refused", "truncated", "looping", "overflow")


def row(
    model: str,
    sub_id: str,
    earned: float,
    *,
    protocol: str = "sequential_carry",
    mode: str = "text_only",
    full: float = 4,
    open_marks: float = 0,
    track: str = "formal",
    follow: float | None = None,
) -> dict[str, Any]:
    """One subquestion of a cell; ``sub_id`` is ``<problem>-<number>``; ``open_marks`` may still be earned."""
    problem, _, number = sub_id.rpartition("-")
    tracks = dict.fromkeys(("formal", "located", "judge", "human"), 0.0) | {track: full - open_marks}
    return {
        "model": model,
        "protocol": protocol,
        "mode": mode,
        "problem_id": problem,
        "sub_id": sub_id,
        "position": int(number) - 1,
        "answers": 1,
        "earned": float(earned),
        "full_mark": float(full),
        "low": float(earned),
        "high": float(earned + open_marks),
        "earned_follow": float(earned if follow is None else follow),
        **tracks,
    }


@dataclass
class Made:
    """Frames of these subquestions."""

    rows: Sequence[Mapping[str, Any]]
    missing: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    flags: Mapping[tuple[str, str, str], Mapping[str, int]] = field(default_factory=dict)
    answers: pd.DataFrame = field(default_factory=pd.DataFrame)
    points: pd.DataFrame = field(default_factory=pd.DataFrame)
    items: pd.DataFrame = field(default_factory=pd.DataFrame)
    nodes: pd.DataFrame = field(default_factory=pd.DataFrame)
    runs: pd.DataFrame = field(default_factory=pd.DataFrame)
    errata: Sequence[Erratum] = ()
    source: Any = None
    spot_checked: bool = False
    checked: Any = None
    lost: pd.DataFrame = field(default_factory=pd.DataFrame)
    rubrics: Rubrics = field(default_factory=dict)

    @cached_property
    def subquestions(self) -> pd.DataFrame:
        return pd.DataFrame(self.rows).sort_values(CELL, kind="stable", ignore_index=True)

    @cached_property
    def problems(self) -> pd.DataFrame:
        grouped = self.subquestions.groupby([*CELL, "problem_id"], sort=False)
        return grouped[SUMS].sum().assign(subquestions=grouped.size()).reset_index()

    @cached_property
    def cells(self) -> pd.DataFrame:
        grouped = self.problems.groupby(CELL, sort=False)
        cells = grouped[[*SUMS, "subquestions"]].sum().assign(problems=grouped.size()).reset_index()
        names = list(cells[CELL].itertuples(index=False, name=None))
        cells["missing"] = [self.missing.get(name, 0) for name in names]
        cells["responses"] = cells["answers"]
        for flag in FLAGS:
            cells[flag] = [self.flags.get(name, {}).get(flag, 0) for name in names]
        cells["state"] = ["partial" if self.missing.get(name) else "complete" for name in names]
        return cells
