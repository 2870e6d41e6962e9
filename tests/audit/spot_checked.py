"""Points of a scripted judge, people's marks on a random sample of them, and the frames that hold both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.stats.checked.columns import PLACE, POINTS, RATINGS

JUDGE = "scripted@0123456789ab"
START = datetime(2030, 1, 1, tzinfo=UTC)
Rows = pd.DataFrame
Awards = npt.NDArray[np.float64]
Judging = Callable[[pd.DataFrame, np.random.Generator], Awards]
"""What the scripted judge awards for points whose true award is in ``truth``."""


def checked(points: pd.DataFrame, ratings: pd.DataFrame | None = None) -> Any:
    """What audits read of an archive; without ``ratings`` one blind mark of one person a marked point."""
    if ratings is None:
        ratings = rated(points)
    return SimpleNamespace(points=points, ratings=ratings, archive=None, judge=JUDGE, notes=())


def rated(points: pd.DataFrame, person: str = "ann") -> pd.DataFrame:
    """A blind mark of one person on each marked point."""
    marked = points[points["human"].notna()]
    said: dict[str, Any] = {
        "award": marked["human"],
        "kind": "spot_check",
        "blind": True,
        "gold": np.nan,
        "seconds": 20.0,
    }
    return marked[PLACE].assign(person=person, **said)[RATINGS].reset_index(drop=True)


def simulated(
    judging: Judging,
    *,
    problems: int = 60,
    points: int = 20,
    models: Sequence[str] = ("a",),
    rate: float = 0.25,
    prevalence: float = 0.6,
    spread: float = 0.7,
    seed: int = 0,
    only_marked: bool = False,
) -> pd.DataFrame:
    """Points of ``models`` on the same problems, of weights 1 to 3; problems differ in how many are met.

    ``spread`` is the standard deviation of a problem's log odds. Each point is drawn at ``rate``, and
    marked with the true award if it was. Confidence is 0.9 and nothing is doubted.
    """
    rng = np.random.default_rng(seed)
    problem = np.tile(np.repeat(np.arange(problems), points), len(models))
    model = np.repeat(np.arange(len(models)), problems * points)
    odds = np.log(prevalence / (1 - prevalence)) + rng.normal(0, spread, problems)[problem]
    truth = (rng.random(len(problem)) < 1 / (1 + np.exp(-odds))).astype(float)
    drawn = rng.random(len(problem)) < rate
    keep = drawn if only_marked else np.ones(len(problem), bool)
    worth = rng.integers(1, 4, len(problem)).astype(float)
    frame = pd.DataFrame(
        {
            "model": np.array(models, object)[model],
            "problem_id": np.char.add("p", problem.astype(str)),
            "point_id": np.char.add("x", (np.arange(len(problem)) % points).astype(str)),
            "points": worth,
            "truth": truth,
            "drawn": drawn,
        }
    )[keep].reset_index(drop=True)
    return finished(frame, judging(frame, rng), rate)


def finished(frame: pd.DataFrame, award: Awards, rate: float = 0.25) -> pd.DataFrame:
    """The columns of checked points from ``truth`` and ``drawn``; those there already stay as they are."""
    status = np.select(
        [np.isnan(award), award == 1, award == 0], ["undetermined", "met", "not_met"], "partial"
    )
    human = frame["truth"].where(frame["drawn"])
    common: dict[str, Any] = {
        **{"model": "a", "protocol": "full_problem", "mode": "multimodal", "sub_id": "1", "sample": 0},
        **{"run": "r", "response": "d", "shape": "point", "kind": None, "points": 1.0, "track": "judge"},
        **{"by": f"judge:{JUDGE}", "confidence": 0.9, "flags": "", "doubted": False, "stratum": "confident"},
        **{"rate": rate, "people": human.notna().astype(int), "disagree": False, "tags": [()] * len(frame)},
    }
    found = frame.assign(
        **{name: value for name, value in common.items() if name not in frame},
        status=status,
        award=award,
        human=human,
        graded=award * frame["points"] if "points" in frame else award,
    )
    return found.assign(marked=found["human"] * found["points"])[POINTS]


def flipping(up: float | Awards, down: float | Awards) -> Judging:
    """A judge that takes a share ``up`` of the unmet for met, and ``down`` of the met for not met."""

    def judge(frame: pd.DataFrame, rng: np.random.Generator) -> Awards:
        flips = rng.random(len(frame)) < np.where(frame["truth"] == 0, up, down)
        return np.where(flips, 1 - frame["truth"], frame["truth"]).astype(float)

    return judge


def lenient_to(model: str, by: float, *, error: float = 0.04) -> Judging:
    """A judge that errs both ways alike, and awards ``model`` on average ``by`` more of the marks."""

    def judge(frame: pd.DataFrame, rng: np.random.Generator) -> Awards:
        sound = error * 0.5
        unmet = 1 - frame["truth"].mean()
        up = np.where(frame["model"] == model, sound / unmet + by / unmet, sound / unmet)
        return flipping(up, sound / (1 - unmet))(frame, rng)

    return judge
