"""Gaps as people's marks would have them, from the marked points of the spot check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.errors import AuditError
from grader.render.tables import Cell
from grader.report.corrected import NOT_GIVEN, TARGETS, interval_row, told, why_none
from grader.report.document import Levels, Options, Row
from grader.report.estimates import rounded
from grader.report.gap_words import NO_EVIDENCE, ONE_PROBLEM
from grader.report.words import NONE, SHORT, points, span
from grader.stats.checked import Checked
from grader.stats.checked.samples import samples_of
from grader.stats.correction.corrected import Target
from grader.stats.correction.difference import CorrectedDifference, corrected_difference
from grader.stats.gaps import Gap
from grader.stats.multiple import holm


@dataclass(frozen=True, slots=True)
class CorrectedGap:
    """One model's gap as people's marks would have it, for both targets; or why it can't be given."""

    found: Mapping[Target, CorrectedDifference] | None = None
    why_not: str = ""

    @property
    def main(self) -> CorrectedDifference | None:
        """For problems like these, as gaps are."""
        return self.found["problems"] if self.found else None

    def as_json(self, finding: str) -> Row:
        """The keys ``corrected`` and ``not_corrected`` of a gap, as docs/output.md has them."""
        if self.found is None:
            return {"corrected": None, "not_corrected": self.why_not or None}
        return {"corrected": {**_difference_rows(self.found), "finding": finding}, "not_corrected": None}


def corrected_gaps(levels: Levels, own: Sequence[Gap], options: Options) -> list[CorrectedGap]:
    """One for each gap of one model, p adjusted (Holm) over the gaps of each kind."""
    checked = levels.checked
    if checked is None:
        return [CorrectedGap(why_not=why_none(levels))] * len(own)
    found = [_gap(checked, gap, options) for gap in own]
    for kind in {gap.kind.name for gap in own}:
        places = [
            place
            for place, (gap, one) in enumerate(zip(own, found, strict=True))
            if gap.kind.name == kind and one.found
        ]
        for target in TARGETS:
            family = [(found[place].found or {})[target] for place in places]
            for place, one, p in zip(places, family, holm([one.p for one in family]), strict=True):
                both = {**(found[place].found or {}), target: replace(one, p_adjusted=p)}
                found[place] = CorrectedGap(both)
    return found


def _gap(checked: Checked, gap: Gap, options: Options) -> CorrectedGap:
    (model,) = gap.models
    try:
        first, second = samples_of(checked, [(model, *condition) for condition in gap.conditions])
        return CorrectedGap(
            {
                target: corrected_difference(
                    first, second, target=target, level=options.level, seed=options.seed
                )
                for target in TARGETS
            }
        )
    except AuditError as error:
        return CorrectedGap(why_not=told(error))


def contradicted(one: CorrectedDifference | None) -> bool:
    """Whether the corrected interval leaves out what code and judge make of the gap."""
    if one is None or one.low is None or one.high is None:
        return False
    return not one.low <= one.judge_only.value <= one.high


def gap_finding(gap: Gap, one: CorrectedDifference, level: float) -> str:
    """What a corrected gap is evidence of, in the words of gaps as graded."""
    if one.low is None:
        return ONE_PROBLEM
    if one.favours is None or (one.p_adjusted is not None and one.p_adjusted > 1 - level):
        return NO_EVIDENCE
    name = gap.kind.first if one.favours == "first" else gap.kind.second
    return f"{SHORT.get(name, name)} higher"


def gap_cells(one: CorrectedGap | None) -> tuple[Cell, Cell]:
    """The corrected gap and its interval; a mean over models has none."""
    if one is None:
        return Cell(NONE), Cell(NONE)
    main = one.main
    if main is None:
        return Cell(NOT_GIVEN, title=one.why_not), Cell(NONE)
    return Cell(points(main.value)), Cell(span(main.low, main.high, signed=True))


def gap_notes(found: Sequence[CorrectedGap]) -> Iterator[str]:
    """What the corrected columns mean, and why some are empty."""
    given = [one.main for one in found if one.main]
    labels = sorted({min(one.labels) for one in given})
    many = f"{labels[0]}" if len(labels) == 1 else f"{labels[0]} to {labels[-1]}"
    yield (
        "corrected: by people's marks on points drawn at random, for problems like these; marks on the side "
        f"with fewer: {many}"
    )
    yield from dict.fromkeys(f"{NOT_GIVEN}: {one.why_not}" for one in found if one.found is None)
    yield from dict.fromkeys(note.rstrip(".") for one in given for note in one.notes)


def _difference_rows(found: Mapping[Target, CorrectedDifference]) -> Row:
    one = found["problems"]
    more = {
        "machine": interval_row(one.judge_only),
        "p": rounded(one.p),
        "p_holm": rounded(one.p_adjusted),
        "detectable": rounded(one.detectable),
        "problems_compared": one.problems,
        "labels": list(one.labels),
        "disagreements": list(one.disagreements),
        "notes": list(dict.fromkeys(note for both in found.values() for note in both.notes)),
    }
    return {**{target: interval_row(difference) for target, difference in found.items()}, **more}
