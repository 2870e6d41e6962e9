"""What a report card rests on: how many points, who decided them, which of them people marked and why."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from grader.stats.checked import Checked

FORMAL = "formal"
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Drawn:
    """A stratum of the spot check: what was drawn of it with what probability, and what people marked."""

    stratum: str
    rate: float | None
    """None: not known."""
    decided: int
    drawn: int
    marked: int


@dataclass(frozen=True, slots=True)
class Ground:
    """Counts behind a card. Points are points of answers."""

    runs: tuple[str, ...]
    models: tuple[str, ...]
    problems: int
    answers: int
    points: int
    by_code: int
    """Of all points, those whose verdict is code's; where a person has marked it is the person's."""
    by_judge: int
    by_people: int
    undecided: int
    decided: int
    """Points that the audited judge (or code) decided."""
    marked: int
    """Of these, marked by people for whatever reason."""
    labels: int
    """Of these, drawn at random and marked, or of a stratum of which all is: only they speak of the rest."""
    label_problems: int
    """Problems with a label."""
    disagreements: int
    """Labels whose award differs from people's."""
    waiting: int
    """Drawn and not marked yet."""
    strata: tuple[Drawn, ...]

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        found = asdict(self)
        return {**found, **{name: list(found[name]) for name in ("runs", "models", "strata")}}


def ground(checked: Checked, judge: str) -> Ground:
    """What stands in the archive for one judge, ``<card>@<hash>`` or ``formal``."""
    points = checked.points
    human = points["human"].notna()
    track = points["track"].where(points["award"].notna())
    own = decided_by(points, judge)
    drawn = own["drawn"].astype(bool)
    labelled = own[(drawn | _whole(own)) & own["human"].notna()]
    apart = (labelled["award"] - labelled["human"]).abs() > _SAME
    return Ground(
        runs=tuple(dict.fromkeys(one.run.name for one in checked.source.runs)),
        models=tuple(sorted(points["model"].unique())),
        problems=points["problem_id"].nunique(),
        answers=len(checked.answers),
        points=len(points),
        by_code=int((track.isin(["formal", "located"]) & ~human).sum()),
        by_judge=int(((track == "judge") & ~human).sum()),
        by_people=int(human.sum()),
        undecided=int((track.isna() & ~human).sum()),
        decided=len(own),
        marked=int(own["human"].notna().sum()),
        labels=len(labelled),
        label_problems=labelled["problem_id"].nunique(),
        disagreements=int(apart.sum()),
        waiting=int((drawn & own["human"].isna()).sum()),
        strata=tuple(_strata(own)),
    )


def decided_by(points: pd.DataFrame, judge: str) -> pd.DataFrame:
    """The points that a judge decided, rows of ``Checked.points``."""
    by = points["by"].fillna("").astype(str)
    mine = by.str.startswith("formal:") if judge == FORMAL else by == f"judge:{judge}"
    return points[mine & points["award"].notna()]


def _whole(own: pd.DataFrame) -> pd.Series:
    """Whether all of a point's stratum is marked, so that chance has no part in it."""
    names = own["stratum"].astype(object).where(own["stratum"].notna(), "none")
    return own["human"].notna().groupby(names).transform("all").astype(bool)


def _strata(own: pd.DataFrame) -> list[Drawn]:
    found = []
    names = own["stratum"].astype(object).where(own["stratum"].notna(), "none")
    for (stratum, _), rows in own.groupby([names, own["rate"].fillna(-1.0)], sort=True):
        drawn = rows["drawn"].astype(bool)
        rate = float(rows["rate"].iloc[0])
        found.append(
            Drawn(
                str(stratum),
                None if math.isnan(rate) else rate,
                len(rows),
                int(drawn.sum()),
                int((drawn & rows["human"].notna()).sum()),
            )
        )
    return found
