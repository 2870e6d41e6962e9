"""A3: scores and gaps as graded, by people's marks alone, and corrected for what the judge gets wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from grader.audit.card.cross_check import cross_check
from grader.audit.result import Audit, Measure, NotAudited
from grader.audit.words import percent
from grader.errors import AuditError
from grader.stats.checked.samples import samples_by_cell, samples_of, together
from grader.stats.correction.corrected import Corrected, corrected
from grader.stats.correction.difference import CorrectedDifference, corrected_difference
from grader.stats.correction.sample import Sample
from grader.stats.correction.together import Together, corrected_together, joined
from grader.stats.gaps import KINDS
from grader.stats.multiple import holm

if TYPE_CHECKING:
    from grader.stats.checked import Checked

ID = "A3"
LEAST_LABELS = 100
LEAST_PROBLEMS = 30
FEW = 10
"""Disagreements below which an interval is widened."""

CellName = tuple[str, str, str]
"""Model, protocol, mode."""


@dataclass(frozen=True, slots=True)
class CellScore:
    """One score, three ways, for both targets."""

    cell: CellName
    problems: Corrected
    """Of problems like these."""
    benchmark: Corrected
    """Of this very benchmark, had people marked all of it."""


@dataclass(frozen=True, slots=True)
class GapScore:
    """A difference of two scores, as graded and corrected."""

    kind: str
    """``models``, or a gap of ``grader.stats.gaps.KINDS``."""
    first: CellName
    second: CellName
    difference: CorrectedDifference
    """The first minus the second, of problems like these."""


@dataclass(frozen=True, slots=True)
class Scores:
    """All that A3 came to."""

    whole: Corrected | None
    """Over all cells together: what the judge's marks are worth."""
    cells: tuple[CellScore, ...]
    gaps: tuple[GapScore, ...]
    together: Together | None
    """Every cell corrected by one error; None of a single cell."""
    shared: tuple[CellName, ...]
    """The cells of ``together``, in its order."""
    refused: tuple[tuple[CellName, str], ...]
    """Cells without a corrected score, and why."""
    audit: Audit | NotAudited


def card_scores(checked: Checked, judge: str, *, level: float = 0.95, seed: int = 0) -> Scores:
    """Corrected scores and gaps of every cell; what can't be given is said, never raised."""
    samples, refused = samples_by_cell(checked)
    scores: list[CellScore] = []
    for cell, sample in list(samples.items()):
        try:
            scores.append(_scored(cell, sample, level, seed))
        except AuditError as error:
            refused[cell] = error
            del samples[cell]
    why = tuple((cell, str(error)) for cell, error in refused.items())
    if not samples:
        return Scores(None, (), (), None, (), why, _refusal(judge, list(refused.values())))
    whole = corrected(joined(together(checked, list(samples))), level=level, seed=seed)
    gaps = tuple(_gaps(checked, list(samples), level, seed))
    beside = cross_check(checked, list(samples))
    audit = Audit(
        ID,
        judge,
        (*_overall(whole), *(one for score in scores for one in _measures(score)), *map(_gap_measure, gaps)),
        says=tuple(_says(scores, gaps)),
        notes=(*whole.notes, *([beside] if beside else [])),
        level=level,
        indicative=(
            whole.labels < LEAST_LABELS
            or whole.problems_labelled < LEAST_PROBLEMS
            or whole.disagreements < FEW
        ),
    )
    shared = _together(checked, list(samples), level)
    return Scores(whole, tuple(scores), gaps, shared, tuple(samples), why, audit)


def _refusal(judge: str, errors: Sequence[AuditError]) -> NotAudited:
    faults = [error.faults[0] for error in errors]
    if not faults:
        return NotAudited(ID, judge, "there are no answers", "Grade a run: argus grade RUN.")
    first = faults[0]
    return NotAudited(ID, judge, first.what, first.do or "Draw and mark a spot check: argus review.")


def _together(checked: Checked, cells: Sequence[CellName], level: float) -> Together | None:
    if len(cells) < 2:
        return None
    try:
        return corrected_together(samples_of(checked, cells), level=level)
    except AuditError:
        return None  # the cells have no subquestion in common


def _scored(cell: CellName, sample: Sample, level: float, seed: int) -> CellScore:
    return CellScore(
        cell,
        corrected(sample, target="problems", level=level, seed=seed),
        corrected(sample, target="benchmark", level=level, seed=seed),
    )


def _gaps(checked: Checked, cells: Sequence[CellName], level: float, seed: int) -> Iterator[GapScore]:
    """Families one by one: models under each condition, then each kind of gap; Holm's within a family."""
    for kind, pairs in _families(cells):
        found = []
        for first, second in pairs:
            try:
                one, other = samples_of(checked, [first, second])
            except AuditError:
                continue  # no subquestion in common: there is no such gap
            difference = corrected_difference(one, other, level=level, seed=seed)
            found.append(GapScore(kind, first, second, difference))
        adjusted = holm([one.difference.p for one in found])
        for gap, p in zip(found, adjusted, strict=True):
            yield replace(gap, difference=replace(gap.difference, p_adjusted=p))


def _families(cells: Sequence[CellName]) -> Iterator[tuple[str, list[tuple[CellName, CellName]]]]:
    yield "models", [pair for pair in combinations(cells, 2) if pair[0][1:] == pair[1][1:]]
    for kind in KINDS:
        pairs = []
        for one in cells:
            model, protocol, mode = one
            if kind.axis == "protocol":
                changed, other = protocol, (model, kind.second, mode)
            else:
                changed, other = mode, (model, protocol, kind.second)
            if changed == kind.first and other in cells:
                pairs.append((one, other))
        yield kind.name, pairs


def cell_words(cell: CellName) -> str:
    """``model m, sequential_carry, text_only``."""
    model, protocol, mode = cell
    return f"model {model}, {protocol}, {mode}"


def gap_words(gap: GapScore) -> str:
    """``models: a minus b (sequential_carry, text_only)``."""
    first, second = gap.first, gap.second
    names = [(one, other) for one, other in zip(first, second, strict=True) if one != other]
    same = ", ".join(one for one, other in zip(first, second, strict=True) if one == other)
    return f"{gap.kind}: {names[0][0]} minus {names[0][1]} ({same})"


def _overall(whole: Corrected) -> Iterator[Measure]:
    yield Measure("marks saved", whole.saved, "number", n=whole.labels, problems=whole.problems_labelled)
    yield Measure("disagreements", float(whole.disagreements), "count", n=whole.labels)


def _measures(score: CellScore) -> Iterator[Measure]:
    of, problems, benchmark = cell_words(score.cell), score.problems, score.benchmark
    rows = (
        ("score as graded", problems.judge_only, problems.points, problems.problems),
        ("score by people's marks alone", problems.human_only, problems.labels, problems.problems_labelled),
        ("corrected, problems like these", problems, problems.labels, problems.problems_labelled),
        ("corrected, this benchmark", benchmark, benchmark.labels, None),
    )
    for name, one, n, clusters in rows:
        flagged = one is benchmark and _outside(score)
        yield Measure(name, one.value, "share", of, one.low, one.high, n, clusters, flagged=flagged)


def _outside(score: CellScore) -> bool:
    """Whether people would surely have given this benchmark another score than the judge."""
    low, high = score.benchmark.low, score.benchmark.high
    return low is not None and high is not None and not low <= score.benchmark.judge_only.value <= high


def _gap_measure(gap: GapScore) -> Measure:
    one = gap.difference
    return Measure(
        *("corrected gap", one.value, "points", gap_words(gap), one.low, one.high, sum(one.labels)),
        problems=one.problems,
        p=one.p,
        p_adjusted=one.p_adjusted,
        detectable=one.detectable,
        flagged=changed(gap),
    )


def evidence(one: CorrectedDifference | None, level: float) -> str | None:
    """Which side a corrected difference is evidence for, with Holm's p; None: no evidence."""
    if one is None or one.favours is None:
        return None
    p = one.p_adjusted if one.p_adjusted is not None else one.p
    return one.favours if p is not None and p < 1 - level else None


def _as_graded(one: CorrectedDifference) -> str | None:
    low, high = one.judge_only.low, one.judge_only.high
    if low is None or high is None or low <= 0 <= high:
        return None
    return "first" if one.judge_only.value > 0 else "second"


def changed(gap: GapScore) -> bool:
    """Whether what is a difference as graded is none once corrected, or the other way round."""
    one = gap.difference
    return _as_graded(one) is not None and one.favours != _as_graded(one)


def _says(scores: Sequence[CellScore], gaps: Sequence[GapScore]) -> Iterator[str]:
    for score in scores:
        if _outside(score):
            one = score.benchmark
            yield (
                f"{cell_words(score.cell)}: as graded {percent(one.judge_only.value)}, but people would give "
                f"{percent(one.value)} ({percent(one.low or 0)} to {percent(one.high or 0)})."
            )
    for gap in gaps:
        if changed(gap):
            yield f"{gap_words(gap)}: evident as graded, no longer so once the judge's errors are corrected."
