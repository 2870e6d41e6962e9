"""What an estimator needs of a sample, added up by problem, and the samples that it must refuse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from grader.errors import AuditError
from grader.stats.correction.sample import Ints, Sample
from grader.stats.jackknife import Floats

Bools = npt.NDArray[np.bool_]

DRAW = (
    "Give the judge card a [spot_check] with its rates, grade, and mark what `argus triage --spot-check` "
    "lists: only what was drawn with a known probability says how often the rest is wrong."
)
MOST_STRATA = 20
"""With more probabilities than this they follow each point's own doubt."""
_SURPRISE = 5.0
"""Standard errors by which the drawn points may miss the number they stand for."""
_RARE = 3


@dataclass(frozen=True, slots=True)
class Points:
    """The marked points alone, parallel."""

    graded: Floats
    marked: Floats
    worth: Floats
    probability: Floats
    problem: Ints
    disagrees: Bools
    missed: tuple[tuple[float, float], ...]
    """Of strata of which chance drew none: the probability, and what may be wrong there unseen, as the
    variance of a total of marks."""

    @property
    def spread(self) -> Floats:
        """(1 - pi) / pi^2: what a squared residual adds to the variance of the draw; 0 of certain ones."""
        return np.asarray((1 - self.probability) / self.probability**2)

    @property
    def df(self) -> int:
        """Degrees of freedom of the draw: one less than marks, those left out that were certain."""
        return (int((self.spread > 0).sum()) or len(self.marked)) - 1


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over the points of each problem, in marks: arrays of [problems]."""

    full: Floats
    """W: full marks."""
    rest: Floats
    """What no point carries alone, known as it is."""
    graded: Floats
    """The sum of w f over all points."""
    worth: Floats
    """The sum of w over all points."""
    people: Floats
    """A: the sum of w y x / pi."""
    machine: Floats
    """The sum of w f x / pi."""
    weight: Floats
    """The sum of w x / pi."""
    labels: Floats
    """How many points are marked."""

    @property
    def as_graded(self) -> Floats:
        """Marks of code and judge, what no point carries included."""
        return np.asarray(self.rest + self.graded)

    @property
    def share_graded(self) -> float:
        """The score as graded."""
        return float(self.as_graded.sum() / self.full.sum())

    @property
    def surplus(self) -> Floats:
        """B: what the drawn points say the machine gave, minus what it did give."""
        return self.machine - self.graded

    @property
    def labelled(self) -> int:
        """Problems with a marked point."""
        return int((self.labels > 0).sum())


def marked_points(sample: Sample) -> Points:
    """The marked points of a sample that was checked."""
    at = sample.labelled
    worth = worth_of(sample)
    return Points(
        sample.graded[at],
        sample.marked[at],
        worth[at],
        sample.probability[at],
        sample.problem[at],
        sample.disagrees[at],
        tuple(_missed(sample, worth)),
    )


def _missed(sample: Sample, worth: Floats) -> Iterator[tuple[float, float]]:
    """Strata that might have been drawn and weren't, by their probabilities.

    Two residuals of a whole point, as where few disagree (``intervals.doubts``);
    but two standard errors need not exceed all that the stratum is worth.
    """
    known = sample.probability.round(9)
    rates = np.unique(known)
    if len(rates) > MOST_STRATA:
        return
    for rate in np.setdiff1d(rates, known[sample.labelled]):
        own = worth[known == rate]
        two_residuals = 2 * (1 - rate) / rate**2 * (own**2).mean()
        yield float(rate), float(min(two_residuals, (own.sum() / 2) ** 2))


def sums_of(sample: Sample) -> Sums:
    """Sums by problem.

    Raises AuditError where no honest estimate is possible: nothing is marked, or
    what is marked, or what isn't, could not be drawn with a known probability.
    """
    check(sample)
    return added_up(sample)


def added_up(sample: Sample) -> Sums:
    """Sums by problem of a sample that was checked, or is part of one that was."""
    at, problems, worth = sample.labelled, len(sample.full), worth_of(sample)
    marked, known = sample.problem[at], sample.probability[at]

    def of_marked(values: Floats) -> Floats:
        return _by_problem(marked, values[at] / known, problems)

    return Sums(
        full=sample.full,
        rest=sample.rest,
        graded=_by_problem(sample.problem, sample.graded, problems),
        worth=_by_problem(sample.problem, worth, problems),
        people=of_marked(sample.marked),
        machine=of_marked(sample.graded),
        weight=of_marked(worth),
        labels=np.bincount(marked, minlength=problems).astype(float),
    )


def only(sample: Sample, held: Bools) -> Sample:
    """The sample without the problems that aren't held; all others keep their index."""
    if held.all():
        return sample
    at = held[sample.problem]
    return Sample(
        sample.graded[at],
        sample.marked[at],
        sample.probability[at],
        sample.problem[at],
        np.where(held, sample.full, 0.0),
        np.where(held, sample.rest, 0.0),
        sample.disagrees[at],
        None if sample.worth is None else sample.worth[at],
    )


def _by_problem(problem: Ints, values: Floats, problems: int) -> Floats:
    return np.asarray(np.bincount(problem, values, problems), float)


def worth_of(sample: Sample) -> Floats:
    """What each point is worth."""
    return np.ones(len(sample.graded)) if sample.worth is None else sample.worth


def check(sample: Sample) -> None:
    """Raise AuditError (``sums_of``) unless the marks can stand for all points."""
    labelled, known = sample.labelled, sample.probability
    if not sample.full.sum() > 0:
        raise AuditError("there are no marks to be had, so no score", expected="answers with full marks")
    if not labelled.any():
        raise AuditError("no point of a spot check is marked", got="0 marks by people", do=DRAW)
    without = int(np.isnan(known[labelled]).sum())
    if without:
        raise AuditError(
            f"{without} of {labelled.sum()} marked points were drawn with no known probability: people saw "
            "them because somebody doubted them, and such points are wrong more often than the rest",
            expected="points of a spot check",
            do=DRAW,
        )
    blind = int(np.isnan(known).sum())
    if blind:
        raise AuditError(
            f"{blind} of {len(known)} points had no chance of being drawn, "
            "so marks on others say nothing about them",
            expected="a probability of being drawn for every point",
            do=DRAW,
        )
    if not worth_of(sample)[labelled].sum() > 0:
        raise AuditError(
            "no marked point is worth marks by itself, so there is nothing to average errors by",
            got=f"{labelled.sum()} marked vetoes",
            do=DRAW,
        )
    if (known <= 0).any() or (known > 1).any():
        raise AuditError("probabilities of being drawn must be above 0 and at most 1", got=f"{known.min():g}")
    _check_that_the_drawn_stand_for_all(sample)


def _check_that_the_drawn_stand_for_all(sample: Sample) -> None:
    """Refuse probabilities that can't be those of the draw, such as 1 for what was chosen for its doubts.

    The sum of 1 / pi over drawn points estimates how many points there are. Its
    error is that of points drawn one by one, or of problems drawn whole,
    whichever is the larger; and a few rare points drawn by chance are no reason.
    """
    at, known, problems = sample.labelled, sample.probability, len(sample.full)
    stands_for = np.bincount(sample.problem[at], 1 / known[at], problems)
    missed = stands_for - np.bincount(sample.problem, minlength=problems)
    one_by_one = ((1 - known) / known).sum()
    error = np.sqrt(max(one_by_one, problems * missed.var()))
    if abs(missed.sum()) > _SURPRISE * error + _RARE / known[at].min():
        raise AuditError(
            f"the marked points would stand for {stands_for.sum():.0f} points by their probabilities, "
            f"but there are {len(known)}: they were not drawn with these probabilities",
            expected="each point drawn with the probability that is stored",
            do="Give the probability of being drawn and marked: what is drawn but not marked lowers it.",
        )
