"""How narrow the correction of scores has become while the spot check is being marked."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

from grader.errors import ArgusError

if TYPE_CHECKING:
    from grader.archive.store import Archive

NEEDED = ("pandas", "scipy")


def reached(archive: Archive, *, level: float = 0.95) -> Iterator[str]:
    """A sentence: the correction so far, with an interval that holds however often it is looked at.

    Over all scores of the archive together. Nothing where the packages of reports are missing, nothing was
    graded, or people have marked nothing that was drawn.
    """
    if not all(map(find_spec, NEEDED)):
        return
    from grader.stats.checked import read_checked
    from grader.stats.checked.samples import together
    from grader.stats.correction.anytime import look, residuals_of
    from grader.stats.correction.together import joined

    try:
        checked = read_checked(archive)
        drawn = int(checked.points["drawn"].sum())
        if not drawn:
            return
        residuals, whole = residuals_of(joined(together(checked, list(checked.cells))))
    except ArgusError:
        return  # there is nothing yet that marks could correct
    found = look(residuals, most=drawn, whole=whole, level=level)
    marked = int((checked.points["drawn"] & checked.points["human"].notna()).sum())
    said = f"spot check: {marked} of {drawn} drawn points marked"
    if found.marks < 2:
        yield f"{said}; two give a first interval"
        return
    low, high, value = (f"{100 * one:+.1f}".replace("-", "−") for one in (found.low, found.high, found.value))
    yield (
        f"{said}; by them the scores are to be corrected by {value} points ({low} to {high} at "
        f"{100 * level:g} %, width {100 * (found.high - found.low):.1f}), and you may stop when that is "
        "narrow enough: it holds at every look"
    )
