"""Frames of what was asked anew, made by hand or by chance: what the audits' statistics are tried on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from grader.audit.asked_anew.asked import COLUMNS

Credits = Sequence[float | None]


def rows(
    answer: int,
    variant: str,
    credits: Credits,
    *,
    problem: int | None = None,
    marks: Sequence[float] | None = None,
    shift: int = 0,
    about: Mapping[str, Any] | None = None,
) -> list[tuple[Any, ...]]:
    """The rows of one variant of one answer: a credit a point, None where it is undetermined."""
    size = len(credits)
    made = []
    for number, credit in enumerate(credits):
        award = float("nan") if credit is None else float(credit)
        made.append(
            (
                *(f"p{answer if problem is None else problem}", f"a{answer}", f"a{answer}/w{number}"),
                *(variant, f"w{number}", (number - shift) % size, size),
                *(1.0 if marks is None else marks[number], award, award),
                *("reply_unreadable" if credit is None else f"{credit:g}", dict(about or {})),
                *((f"key {answer} {variant}",), f"task {answer} {variant}", "judge@1"),
            )
        )
    return made


def frame(*several: list[tuple[Any, ...]]) -> pd.DataFrame:
    """A frame of all of them."""
    return pd.DataFrame([row for some in several for row in some], columns=COLUMNS)


class Judge:
    """Credits by chance: right ones of a problem's difficulty, turned round now and then."""

    def __init__(self, seed: int, noise: float = 0.03, problems: int = 30, points: int = 3) -> None:
        self.rng = np.random.default_rng(seed)
        self.noise = noise
        self.problems = problems
        self.points = points

    def right(self, answer: int) -> list[float]:
        """What the answer deserves: points of one problem resemble each other."""
        hard = np.random.default_rng(answer % self.problems).uniform(0.2, 0.8)
        return [float(one) for one in np.random.default_rng(10**6 + answer).random(self.points) > hard]

    def says(self, answer: int, *, raised: float = 0.0) -> list[float]:
        """The credits of one asking; with a chance of ``raised`` a point that isn't met is given."""
        found = []
        for one in self.right(answer):
            said = 1 - one if self.rng.random() < self.noise else one
            found.append(1.0 if said == 0 and self.rng.random() < raised else said)
        return found
