"""How well a subquestion is answered where the one before it was right, and where it was wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from grader.score import DIGITS
from grader.stats.by_cell import by_cell
from grader.stats.columns import CELL
from grader.stats.contrast import Contrast, contrast
from grader.stats.estimate import Estimate, share

_MARKS = ["earned", "low", "high", "full_mark"]


@dataclass(frozen=True, slots=True)
class Success:
    """The share of marks of a cell's answers that have a predecessor, by how that one came out."""

    model: str
    protocol: str
    mode: str
    after_right: Estimate | None
    """After an answer with full marks; None where there is none. Its counts say how many answers."""
    after_wrong: Estimate | None
    """After an answer that surely lost marks."""
    contrast: Contrast | None
    """After right minus after wrong. Problems that are hard throughout make it positive, too."""
    open: int
    """Answers in neither: open points leave it open whether the one before was right."""


@dataclass(frozen=True, slots=True)
class Paired:
    """The same subquestions under carry and oracle, told apart by how the carried predecessor came out."""

    model: str
    mode: str
    carry_right: Estimate
    carry_wrong: Estimate
    oracle_right: Estimate
    """Under oracle_scaffolded, of the subquestions whose carried predecessor was right."""
    oracle_wrong: Estimate
    contrast: Contrast
    """(carry_right - carry_wrong) - (oracle_right - oracle_wrong): how much a wrong predecessor hurts beyond
    what oracle shows of how hard these subquestions are, the granted result being right both times."""


def successes(answers: pd.DataFrame, *, level: float = 0.95) -> list[Success]:
    """Of each cell in which answers have a predecessor. ``answers``: one row a sample's answer."""
    found = []
    for names, rows in by_cell(_with_predecessor(answers)):
        right, wrong = rows[rows["before"] == "right"], rows[rows["before"] == "wrong"]
        both = contrast([(1, right), (-1, wrong)], level=level)
        shares = [share(part, level=level) for part in (right, wrong)]
        is_open = int((rows["before"] == "open").sum())
        found.append(Success(*names, shares[0], shares[1], both, is_open))
    return found


def paired_successes(answers: pd.DataFrame, *, level: float = 0.95) -> list[Paired]:
    """Of each model and mode with both protocols, over the subquestions that both answered.

    An answer under carry stands beside the mean of all samples under oracle, with the same weight.
    """
    return list(_paired(answers, level))


def _paired(answers: pd.DataFrame, level: float) -> Iterator[Paired]:
    carried = _with_predecessor(answers[answers["protocol"] == "sequential_carry"])
    granted = answers[answers["protocol"] == "oracle_scaffolded"]
    keys = ["model", "mode", "problem_id", "sub_id"]
    means = granted.groupby(keys, sort=False)[_MARKS].mean().round(DIGITS)
    both = carried.merge(means, on=keys, suffixes=("", "_oracle"))
    both = both[both["full_mark"] == both["full_mark_oracle"]]
    for (model, mode), rows in both.groupby(["model", "mode"], sort=False):
        oracle = rows.assign(**{name: rows[f"{name}_oracle"] for name in _MARKS})
        parts = [side[rows["before"] == state] for side in (rows, oracle) for state in ("right", "wrong")]
        shares = [share(part, level=level) for part in parts]
        found = contrast(list(zip((1, -1, -1, 1), parts, strict=True)), level=level)
        known = [one for one in shares if one is not None]
        if found is not None and len(known) == len(shares):
            yield Paired(str(model), str(mode), known[0], known[1], known[2], known[3], found)


def _with_predecessor(answers: pd.DataFrame) -> pd.DataFrame:
    """Answers to all but the first subquestion, with ``before``: right, wrong or open."""
    chain = [*CELL, "problem_id", "sample"]
    full = answers["full_mark"].to_numpy(float)
    right = np.round(answers["low"].to_numpy(float), DIGITS) >= full
    wrong = np.round(answers["high"].to_numpy(float), DIGITS) < full
    states = answers[chain].assign(
        position=answers["position"] + 1, before=np.select([right, wrong], ["right", "wrong"], "open")
    )
    return answers.assign(answers=1).merge(states, on=[*chain, "position"])
