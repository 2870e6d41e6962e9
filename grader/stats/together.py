"""Reading the runs of an archive once for all that rests on every verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.stats.checked.reading import Checked, CheckedReader
from grader.stats.details import Details, DetailsReader
from grader.stats.reading import Source
from grader.stats.totals import Totals, anew, held


@dataclass(frozen=True, slots=True)
class Together:
    """What one reading gave; None where it wasn't wanted."""

    totals: Sequence[Totals]
    """Of each run."""
    details: Details | None = None
    checked: Checked | None = None


def read_together(source: Source, *, details: bool = False, checked: bool = False) -> Together:
    """The totals of runs, and on the same way their details and checked points.

    A run whose totals still hold is only read for the others; checked points alone
    aren't worth reading where all totals hold. Writes nothing.
    """
    known = [held(source, graded) for graded in source.runs]
    detailed = DetailsReader(source) if details else None
    reads = details or None in known
    compared = CheckedReader.of(source) if checked and reads else None
    totals = []
    for graded, found in zip(source.runs, known, strict=True):
        if found is None or detailed is not None or compared is not None:
            answers = source.answers(graded)
            if detailed is not None:
                answers = detailed.through(graded, answers)
            if compared is not None:
                answers = compared.through(graded, answers)
            totals.append(anew(source, graded, answers) if found is None else found)
            for _ in answers:  # what nobody has added up
                pass
        else:
            totals.append(found)
    return Together(
        totals,
        None if detailed is None else detailed.made(),
        None if compared is None else compared.made(),
    )
