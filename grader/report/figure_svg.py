"""A sheet to draw on, and the SVG it becomes: the same bytes each time, fit to stand with others."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar

from grader.render.plain import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Sheet

WIDTH = 7.2
"""Inches: the type area of A4."""

TALLEST = 9.4
"""Inches of a sheet; what doesn't fit goes to a further one."""

SMALL = 8.0
"""Points of every text but titles."""

BLUE, VERMILION, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#6b7280"
"""Those of Okabe and Ito's colours that keep 3:1 on white, and a grey."""

_FONT = "DejaVu Sans"
"""Wider than most, so that text keeps its room in another font."""

_LONGEST_NAME = 30
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "argus",
    "text.parse_math": False,
    "font.family": [_FONT],  # comes with matplotlib
    "font.size": SMALL,
    "axes.titlesize": SMALL,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": SMALL,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "grid.color": "#d5d9de",
    "grid.linewidth": 0.5,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": SMALL,
    "legend.frameon": False,
    "hatch.linewidth": 0.4,
}
_HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>|\s*<style[^>]*>.*?</style>", re.DOTALL)
_ID = re.compile(r'(?<= id=")(?=[^"]+")|(?<=href="#)|(?<=url\(#)')
_ROOT = re.compile(r"<svg([^>]*)>")


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing: ``key`` names it, ``svg`` is an element for a page, ``text`` says what it shows.

    The numbers belong into a table beside it.
    """

    key: str
    title: str
    svg: str
    text: str


@contextmanager
def sheet(height: float) -> Iterator[Sheet]:
    """A white sheet ``height`` inches tall, in the style of all figures; global settings stay as they are."""
    from matplotlib import rc_context, rcdefaults, rcParams
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Sheet

    with rc_context(), warnings.catch_warnings():
        rcdefaults()  # a user's own settings change no report
        rcParams.update(_STYLE)
        # a letter that the measuring font lacks is drawn by the browser's
        warnings.filterwarnings("ignore", "Glyph")
        made = Sheet(figsize=(WIDTH, height), facecolor="white")
        FigureCanvasSVG(made)
        yield made


def drawn(made: Sheet, key: str, title: str, text: str) -> Figure:
    """The figure that a sheet holds; to be called while the sheet is open."""
    out = io.StringIO()
    made.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    svg = _METADATA.sub("", _HEAD.sub("", out.getvalue()))
    svg = _ID.sub(f"{key}-", svg).replace(f"'{_FONT}'", f"'{_FONT}', Verdana, sans-serif")
    named = f"<title>{escape(one_line(title))}</title><desc>{escape(one_line(text))}</desc>"
    svg = _ROOT.sub(lambda found: f'<svg role="img" stroke-linejoin="round"{found[1]}>{named}', svg, count=1)
    return Figure(key, title, svg.strip(), text)


def text_width(text: str, size: float = SMALL) -> float:
    """Inches that a text takes."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")
        width, _, _ = text_to_path.get_text_width_height_descent(
            text, FontProperties(family=_FONT, size=size), False
        )
    return float(width) / 72


def short(name: str) -> str:
    """A name that fits beside a plot: its begin and its end, which tells versions apart."""
    name = one_line(name)
    half = _LONGEST_NAME // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[: half - 1]}…{name[-half:]}"


def place(made: Sheet, left: float, top: float, width: float, height: float) -> Axes:
    """Axes whose upper left corner lies ``left`` and ``top`` inches from that of the sheet."""
    wide, tall = made.get_size_inches()
    return made.add_axes((left / wide, 1 - (top + height) / tall, width / wide, height / tall))


T = TypeVar("T")


def pages(items: Sequence[T], height_of: Callable[[T], float], room: float) -> list[list[T]]:
    """Items in order, as many on each page as there is room for, at least one."""
    filled: list[list[T]] = []
    left = 0.0
    for item in items:
        height = height_of(item)
        if not filled or height > left:
            filled.append([])
            left = room
        filled[-1].append(item)
        left -= height
    return filled


def numbered(key: str, title: str, number: int, count: int) -> tuple[str, str]:
    """Key and title of one of several sheets."""
    return (key, title) if count == 1 else (f"{key}-{number + 1}", f"{title} ({number + 1} of {count})")
