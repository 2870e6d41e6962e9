"""Two judges on the same marks: which errs less, which is more lenient, whose scores are narrower."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.archive.store import Archive
from grader.audit.card.collect import read_judge
from grader.audit.from_archive.labels import Labels, labels
from grader.audit.result import Measure
from grader.errors import AuditError
from grader.render.words import counted
from grader.stats.agreement.additive import cohen_kappa, ratio
from grader.stats.agreement.resampling import Additive, Interval, cluster_bootstrap
from grader.stats.checked.columns import PLACE
from grader.stats.correction.corrected import corrected
from grader.stats.jackknife import NO_SPREAD, Floats, Jackknife, p_value
from grader.stats.multiple import holm
from grader.stats.power import detectable

if TYPE_CHECKING:
    from grader.audit.card.scores import CellName
    from grader.stats.checked import Checked

LEAST_POINTS = 50
LEAST_PROBLEMS = 20
WIDTH = "width of the corrected score"
DIFFERENCE = ", difference"
_SAME = 1e-9
_WHERE = [name for name in PLACE if name not in ("sample", "run")]
"""What names a point whatever run it is read under."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two judges differ in, the first minus the second."""

    judges: tuple[str, str]
    provisional: tuple[bool, bool]
    design: str
    """The judge whose spot check says what each mark stands for."""
    points: int
    """Points that both decided and people's random marks are on."""
    problems: int
    shared: int
    """Points that both decided."""
    measures: tuple[Measure, ...]
    says: tuple[str, ...]
    notes: tuple[str, ...]
    level: float
    indicative: bool


def compare(
    archive: Archive, first: str, second: str, runs: Sequence[str] = (), *, level: float = 0.95, seed: int = 0
) -> Comparison:
    """The judges as cards' names, ``<name>@<hash>`` or files. AuditError where they share no marked point.

    Errors are paired: both judges on the same points, each weighing what it stands for under the spot check
    of the judge that has more random marks in common. Intervals by a bootstrap of problems, p by Student's t
    with its standard error, adjusted after Holm over the differences.
    """
    sides = [read_judge(archive, name, runs) for name in (first, second)]
    names = (sides[0][1], sides[1][1])
    if names[0] == names[1]:
        raise AuditError("a judge is compared with another one", got=f"{names[0]} twice")
    found = [labels(checked, name) for checked, name in sides]
    pairs = [_paired(found[0], found[1]), _paired(found[1], found[0])]
    own = 0 if len(pairs[0]) >= len(pairs[1]) else 1
    rows = pairs[own]
    shared = len(found[0].decided.merge(found[1].decided[_WHERE], on=_WHERE))
    if rows.empty:
        raise _nothing(archive, names, shared)
    awards = [rows["award"].to_numpy(float), rows["other"].to_numpy(float)]
    measures = tuple(_measures(rows, awards if own == 0 else awards[::-1], names, level, seed))
    widths = tuple(_widths([checked for checked, _ in sides], names, level, seed))
    problems = int(rows["problem_id"].nunique())
    return Comparison(
        judges=names,
        provisional=(sides[0][0].provisional, sides[1][0].provisional),
        design=names[own],
        points=len(rows),
        problems=problems,
        shared=shared,
        measures=(*measures, *widths),
        says=tuple(_says(measures, names)),
        notes=found[own].notes,
        level=level,
        indicative=len(rows) < LEAST_POINTS or problems < LEAST_PROBLEMS,
    )


def _paired(own: Labels, other: Labels) -> pd.DataFrame:
    """The first's random marks with the second's award, ``other``, on the same points."""
    theirs = other.decided[[*_WHERE, "award"]].rename(columns={"award": "other"})
    return own.marked.merge(theirs, on=_WHERE)


def _nothing(archive: Archive, names: tuple[str, str], shared: int) -> AuditError:
    if not shared:
        return AuditError(
            "the two judges decided no point of the same answers",
            file=archive.name,
            got=" and ".join(names),
            do="Grade one run with both: argus grade RUN --judge A, then --judge B.",
        )
    return AuditError(
        f"people marked at random none of the {counted(shared, 'point')} that both judges decided",
        file=archive.name,
        do="Mark the spot check: argus review.",
    )


def _measures(
    rows: pd.DataFrame, awards: Sequence[Floats], names: tuple[str, str], level: float, seed: int
) -> Iterator[Measure]:
    """Of each statistic both judges' values, then the difference."""
    weight, human = rows["weight"].to_numpy(float), rows["human"].to_numpy(float)
    worth = np.abs(np.nan_to_num(rows["points"].to_numpy(float))) * weight
    sign = np.sign(np.nan_to_num(rows["points"].to_numpy(float)))
    cluster, problems = pd.factorize(rows["problem_id"], sort=True)
    said = [_verdicts(one) for one in (*awards, human)]
    statistics: dict[str, list[Additive]] = {
        "wrong verdicts": [ratio((np.abs(one - human) > _SAME) * weight, weight) for one in awards],
        "error in marks": [ratio(np.abs(one - human) * worth, worth) for one in awards],
        "leniency": [ratio(sign * (one - human) * worth, worth) for one in awards],
        "kappa with people": [_weighed(cohen_kappa(one, said[2]), weight) for one in said[:2]],
    }
    units = {"wrong verdicts": "share", "error in marks": "share", "leniency": "points"}
    flat = [one for first, second in statistics.values() for one in (first, second, first.minus(second))]
    intervals = cluster_bootstrap(flat, cluster.astype(np.intp), level=level, seed=seed)
    differences = intervals[2::3]
    adjusted = holm([_p(one) for one in differences])
    for place, name in enumerate(statistics):
        unit = units.get(name, "correlation")
        for judge, one in zip(names, intervals[3 * place :], strict=False):
            yield Measure(
                *(name, one.value, unit, judge, one.low, one.high, len(rows)),  # type: ignore[arg-type]
                problems=len(problems),
            )
        yield _difference(name, differences[place], adjusted[place], len(rows), level)


def _verdicts(awards: Floats) -> Floats:
    """not met 0, partial 1, met 2."""
    found: Floats = np.where(awards < _SAME, 0.0, np.where(awards > 1 - _SAME, 2.0, 1.0))
    return found


def _weighed(one: Additive, weight: Floats) -> Additive:
    return Additive(one.parts * weight[:, None], one.of)


def _p(one: Interval) -> float | None:
    """Two-sided, of no difference."""
    if one.value is None or one.se is None or one.se < NO_SPREAD:
        return None
    arrays: list[npt.NDArray[np.float64]] = [np.asarray(x, float) for x in (one.value, one.se, one.problems)]
    return float(p_value(Jackknife(*arrays)))


def _difference(name: str, one: Interval, adjusted: float | None, n: int, level: float) -> Measure:
    p = _p(one)
    least = detectable(one.se, one.problems, level=level) if one.se and one.problems > 1 else None
    sure = one.low is not None and one.high is not None and not one.low <= 0 <= one.high
    unit = "correlation" if name.startswith("kappa") else "points"
    return Measure(
        *(f"{name}{DIFFERENCE}", one.value, unit, "first minus second", one.low, one.high, n),  # type: ignore[arg-type]
        problems=one.problems,
        p=p,
        p_adjusted=adjusted,
        detectable=least,
        flagged=sure and adjusted is not None and adjusted < 1 - level,
    )


def _widths(checked: Sequence[Checked], names: tuple[str, str], level: float, seed: int) -> Iterator[Measure]:
    """How wide each cell's corrected score is under each judge; cells that both correct."""
    from grader.stats.checked.samples import sample_of

    def width(one: Checked, cell: CellName) -> Measure | None:
        try:
            found = corrected(sample_of(one, *cell), level=level, seed=seed)
        except AuditError:
            return None
        return Measure(WIDTH, found.width, "share", n=found.labels)

    for cell in checked[0].cells:
        if cell not in checked[1].cells:
            continue
        both = [width(one, cell) for one in checked]
        for judge, one in zip(names, both, strict=True):
            if one is not None:
                yield replace(one, of=f"{judge}: {', '.join(cell)}")


def _says(measures: Sequence[Measure], names: tuple[str, str]) -> Iterator[str]:
    for one in measures:
        if not one.flagged or one.value is None:
            continue
        more, less = names if one.value > 0 else names[::-1]
        size = f"{100 * abs(one.value):.1f}"
        yield {
            "wrong verdicts": f"{less} errs on {size} % fewer points than {more}.",
            "error in marks": f"{less} is wrong by {size} % less of the marks than {more}.",
            "leniency": f"{more} is more lenient than {less}, by {size} % of the marks.",
            "kappa with people": f"{more} agrees with people better than {less}.",
        }[one.name.removesuffix(DIFFERENCE)]
