"""A comparison of two judges as a page."""

from __future__ import annotations

from dataclasses import replace

from grader.audit.card_json import plain
from grader.audit.card_page import DETECTABLE, INDICATIVE
from grader.audit.comparison import Comparison
from grader.audit.document import Document, Part
from grader.audit.measure_words import measures_table
from grader.audit.result import Audit
from grader.audit.words import counted

TITLE = "Errors, leniency, agreement and width"


def comparison_page(found: Comparison) -> Document:
    """The page, the same for every format."""
    first, second = found.judges
    provisional = [name for name, one in zip(found.judges, found.provisional, strict=True) if one]
    warnings = [
        f"PROVISIONAL: {name} is a demonstration; its verdicts count nowhere." for name in provisional
    ]
    says = found.says or ("No evidence that they differ in error, leniency or agreement with people.",)
    audit = Audit("A1", f"{first} and {second}", found.measures, level=found.level)
    table = replace(measures_table([audit], key="comparison", title=TITLE), notes=())
    notes = (
        "first minus second; p: of no difference, adjusted after Holm over the four differences",
        "error in marks: the mean distance of the award from people's, weighted by marks; leniency: above "
        "0 the "
        "judge awards more than people",
        "width: of the interval of each corrected score, for problems like these; the narrower judge saves "
        "marks",
        "pp: percentage points; detectable: the smallest true difference found with a power of 0.8",
        *found.notes,
    )
    text = (
        f"Both decided {counted(found.shared, 'point')}; people's random marks stand on "
        f"{counted(found.points, 'point')} of {counted(found.problems, 'problem')} of these. What each "
        f"stands "
        f"for is taken from the spot check of {found.design}.",
        *((INDICATIVE,) if found.indicative else ()),
        DETECTABLE,
    )
    return Document(
        title=f"{first} against {second}",
        warnings=tuple(warnings),
        says=says,
        parts=(Part("differences", "Differences", text=text, tables=(replace(table, notes=notes),)),),
        data=plain(found),
    )
