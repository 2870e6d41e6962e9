"""What the figures share: their data, and how a value with its interval is drawn.

Values are shares in [0, 1] and are drawn in per cent. What differs in colour
differs in shape too. Intervals are drawn wherever they are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.report.figure_svg import GREY, short, text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RIGHT = 0.15
"""Inches that stay free at the right of a sheet."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A share with its interval, or a difference of shares; without bounds where none can be given."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """What belongs to one name, usually a model: a value for each place, None where there is none."""

    name: str
    values: tuple[Interval | None, ...]


@dataclass(frozen=True, slots=True)
class Dots:
    """How the values of one condition are drawn."""

    colour: str
    marker: str
    shift: float = 0.0


def draw_dots(
    axes: Axes, values: Sequence[tuple[float, Interval | None]], dots: Dots, label: str = ""
) -> None:
    """Values as markers at heights, their intervals as lines."""
    known = [(at, value) for at, value in values if value is not None]
    bounded = [(at, value.low, value.high) for at, value in known if None not in (value.low, value.high)]
    for at, low, high in bounded:
        axes.hlines(at, 100 * (low or 0), 100 * (high or 0), colors=dots.colour, linewidth=1.1, zorder=2)
    axes.plot(
        [100 * value.value for _, value in known], [at for at, _ in known], linestyle="none",
        color=dots.colour, marker=dots.marker, markersize=4.5, markeredgecolor="white", markeredgewidth=0.5,
        label=label, zorder=3,
    )  # fmt: skip


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Names at the rows of a plot, the first on top."""
    axes.set_yticks(range(len(names)), list(map(short, names)))
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def share_axis(axes: Axes, every: int = 20) -> None:
    """The whole range of a share along the bottom, so that panels and pages compare."""
    axes.set_xlim(-2, 102)
    axes.set_xticks(range(0, 101, every))
    axes.grid(axis="x")
    axes.tick_params(axis="x", length=2, color=GREY)


def label_room(names: Sequence[str]) -> float:
    """Inches that names take beside a plot."""
    return max((text_width(short(name)) for name in names), default=0.0) + 0.2
