"""Figures of a report, from plain data: each function gives one sheet, or several where one is too small."""

from __future__ import annotations

from grader.report.figure_map import tag_map
from grader.report.figure_panels import profiles, survival
from grader.report.figure_parts import Interval, Series
from grader.report.figure_rows import Ends, dumbbells, ladder
from grader.report.figure_svg import Figure

__all__ = [
    "Ends",
    "Figure",
    "Interval",
    "Series",
    "dumbbells",
    "ladder",
    "profiles",
    "survival",
    "tag_map",
]
