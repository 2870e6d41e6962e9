"""A4: may a judge's confidence be believed?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from grader.audit.from_archive.labels import FORMAL, Labels, labels, what_to_do
from grader.audit.from_archive.stated import (
    AUROC,
    CHANCE,
    CHANGE,
    ECE,
    MIN_ECE,
    OVERCONFIDENCE,
    Stated,
    area,
    brier,
    change,
    errors,
    mended,
    overconfidence,
    reliability,
)
from grader.audit.result import Audit, Measure, NotAudited
from grader.audit.words import percent, signed
from grader.render.words import counted
from grader.stats.calibration import BINS, equal_bins

if TYPE_CHECKING:
    from grader.stats.checked import Checked

MIN_POINTS = 100
MIN_PROBLEMS = 30


def calibration(checked: Checked, judge: str, *, level: float = 0.95, seed: int = 0) -> Audit | NotAudited:
    """Brier's score and its parts, AUROC, ECE beside its null, a reliability table, and recalibration.

    A verdict is right if it is people's award; where people differ and nobody settled, by the share of them
    that agree. All is weighted by inverse probabilities. ``seed`` draws the resamples of problems and the
    outcomes under perfect calibration.
    """
    if judge == FORMAL:
        why = "code states no confidence: what it decides it is sure of"
        return NotAudited("A4", judge, why, "See its error rate instead (A1).")
    found = labels(checked, judge)
    stated = Stated.of(found.marked)
    if not stated.n:
        return _refused(found, judge)
    enough = stated.n >= MIN_POINTS and stated.problems >= MIN_PROBLEMS
    bins, after = equal_bins(stated.confidence), mended(stated)
    measures = (
        *brier(stated, bins, level),
        area(stated, level, seed),
        overconfidence(stated, level, tested=enough),
        *errors(stated, bins, level, seed),
        *change(stated, after, level),
        *reliability(stated, bins, after, level),
        _missing(found),
    )
    return Audit(
        "A4",
        judge,
        measures,
        tuple(_says(stated, {one.name: one for one in measures if not one.of})),
        (*_notes(stated, found), *found.notes),
        level=level,
        indicative=not enough,
    )


def _refused(found: Labels, judge: str) -> NotAudited:
    if len(found.decided) and not found.decided["confidence"].notna().any():
        do = "Let its template ask for one, and grade again."
        return NotAudited("A4", judge, "the judge stated no confidence", do)
    why = "people marked no random point whose verdict states a confidence"
    return NotAudited("A4", judge, why, what_to_do(found, judge, MIN_POINTS))


def _missing(found: Labels) -> Measure:
    without = int(found.decided["confidence"].isna().sum())
    return Measure("verdicts without confidence", float(without), "count", n=len(found.decided))


def _says(stated: Stated, named: dict[str, Measure]) -> Iterator[str]:
    over, error = named[OVERCONFIDENCE], named[ECE]
    if over.flagged and over.value is not None:
        word = "Overconfident" if over.value > 0 else "Underconfident"
        states, right = percent(stated.mean(stated.confidence)), percent(stated.mean(stated.right))
        yield f"{word}: it states {states} on average and is right in {right}; {_apart(over)}."
    if error.flagged and error.value is not None:
        yield f"Its confidences aren't the shares of right verdicts: ECE {percent(error.value)}."
    yield from _told_apart(named[AUROC])
    after = named.get(CHANGE)
    if after is not None and after.value is not None and after.high is not None and after.high < 0:
        yield f"Recalibrated by people's marks its Brier score would fall by {-after.value:.3f}."
    if not over.flagged and not error.flagged:
        yield f"{_unproven(over)}: {_apart(over)}."


def _unproven(over: Measure) -> str:
    """What is said where marks or problems are too few to claim anything, or nothing is found."""
    if over.low is not None and over.high is not None and (over.low > 0 or over.high < 0):
        word = "overconfident" if over.low > 0 else "underconfident"
        return f"It seems {word}, by too few marks or problems to say so"
    return "No evidence of over- or underconfidence"


def _apart(over: Measure) -> str:
    ends = "" if over.low is None or over.high is None else f" ({signed(over.low)} to {signed(over.high)})"
    least = (
        "" if over.detectable is None else f"; {100 * over.detectable:.1f} points would have been detectable"
    )
    return f"{signed(over.value or 0.0)} points apart{ends}, {counted(over.n, 'marked verdict')}{least}"


def _told_apart(found: Measure) -> Iterator[str]:
    if found.value is None:
        yield "Whether confidence tells right from wrong can't be said: the marked ones are all alike."
    elif found.low is not None and found.low > CHANCE:
        yield f"Its confidence tells right from wrong: AUROC {found.value:.2f}, at least {found.low:.2f}."
    else:
        least = "" if found.detectable is None else f"; {found.detectable:.2f} would have been found"
        yield f"No evidence that its confidence tells right from wrong: AUROC {found.value:.2f}{least}."


def _notes(stated: Stated, found: Labels) -> Iterator[str]:
    yield "Right is a verdict with people's award; where they differ, by the share of them that gave it."
    if stated.n < MIN_ECE:
        yield (
            f"No ECE under {MIN_ECE} marked verdicts: of {stated.n} a perfectly calibrated judge would often "
            "show one as large as the quantile given."
        )
    yield f"Bins hold about equally many verdicts, equal confidences in one: at most {BINS}."
    yield "Recalibration: isotonic regression, each problem read off the others' curve."
    without = len(found.marked) - stated.n
    if without:
        yield f"{counted(without, 'marked verdict')} without a confidence left out."
