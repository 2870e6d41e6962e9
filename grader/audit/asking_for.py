"""What a user asks of audits, read strictly: levels and widths."""

from __future__ import annotations

import re
from math import isfinite

from grader.errors import UsageError, shown

_WIDTH = re.compile(r"\s*(?P<number>[0-9]*\.?[0-9]+)\s*(?P<unit>pp|%)?\s*")


def check_level(level: float) -> None:
    """UsageError unless intervals can be given at that level."""
    if not (isfinite(level) and 0 < level < 1):
        raise UsageError(
            "no level of an interval",
            pointer="--level",
            got=f"{level:g}",
            expected="a share between 0 and 1, such as 0.95",
        )


def parsed_width(text: str) -> float:
    """A width of an interval as a share of the marks: ``2pp``, ``2 %`` and ``0.02`` are the same."""
    found = _WIDTH.fullmatch(text)
    value = float(found["number"]) if found else 0.0
    width = value / 100 if found and found["unit"] else value
    if not 0 < width < 1:
        raise UsageError(
            "no width of an interval",
            pointer="--width",
            got=shown(text),
            expected="percentage points such as 2pp, or a share between 0 and 1 such as 0.02",
        )
    return width
