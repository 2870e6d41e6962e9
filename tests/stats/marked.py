"""Small frames of marks, as graded archives give them."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

TRACKS = ("formal", "located", "judge", "human")


def subquestions(
    rows: Iterable[tuple[str, str, float, float]],
    *,
    model: str = "m",
    protocol: str = "full_problem",
    mode: str = "multimodal",
    answers: int = 1,
    low: float = 0.0,
    high: float = 0.0,
) -> pd.DataFrame:
    """Rows of problem, subquestion, marks earned and full marks (both of all samples together).

    ``low`` and ``high``: how far the open points of each reach below and above what is earned.
    All marks are decided by code.
    """
    frame = pd.DataFrame(list(rows), columns=["problem_id", "sub_id", "earned", "full_mark"])
    names = {"model": model, "protocol": protocol, "mode": mode}
    bounds = {"low": frame["earned"] - low, "high": frame["earned"] + high}
    tracks = {track: frame["full_mark"] if track == "formal" else 0.0 for track in TRACKS}
    return frame.assign(**names, **bounds, **tracks, answers=answers)


def by_problem(marks: Iterable[float], full: float, **cell: str) -> pd.DataFrame:
    """One subquestion a problem, all of the same full mark."""
    return subquestions([(f"p{n}", "a", mark, full) for n, mark in enumerate(marks)], **cell)  # type: ignore[arg-type]
