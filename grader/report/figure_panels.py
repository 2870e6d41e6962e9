"""Figures with a panel for each model: its profile, and how long its chains stay unbroken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.report.figure_parts import (
    RIGHT,
    Dots,
    Interval,
    Series,
    draw_dots,
    label_room,
    name_rows,
    share_axis,
)
from grader.report.figure_svg import (
    BLUE,
    TALLEST,
    WIDTH,
    Figure,
    drawn,
    numbered,
    pages,
    place,
    sheet,
    short,
    text_width,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Sheet

_GAP = 0.24
_BESIDE = 3
_HEAD = 0.27
_AXIS = 0.22
_FOOT = 0.2


def profiles(
    models: Sequence[Series],
    categories: Sequence[str],
    *,
    key: str = "profiles",
    title: str = "Profile of each model",
) -> tuple[Figure, ...]:
    """A panel for each model with its score in every category: a tag, or a place in the problem."""
    text = f"For each of {len(models)} models the score in {len(categories)} categories, with its interval."
    height = len(categories) * 0.17 + 0.05

    def draw(axes: Axes, model: Series) -> None:
        draw_dots(axes, list(enumerate(model.values)), Dots(BLUE, "o"))
        name_rows(axes, categories)
        share_axis(axes, every=50)

    panels = _Panels(models, height, label_room(categories), draw, rows_named=True)
    return panels.figures(key, title, text)


def survival(
    models: Sequence[Series],
    *,
    key: str = "survival",
    title: str = "Chains without a lost mark",
) -> tuple[Figure, ...]:
    """A panel for each model: the share of chains that are unbroken up to each subquestion.

    Value ``i`` of a series is the share after subquestion ``i + 1``. The
    other models' curves stand behind each in grey.
    """
    longest = max((len(model.values) for model in models), default=0)
    text = f"For each of {len(models)} models the share of unbroken chains after 1 to {longest} subquestions."

    def draw(axes: Axes, model: Series) -> None:
        for other in models:
            known = [(at, 100 * one.value) for at, one in enumerate(other.values, start=1) if one is not None]
            axes.plot(
                *zip(*known, strict=True) if known else ((), ()), color="#c3c8ce", linewidth=0.8, zorder=1
            )
        places = [(at, value) for at, value in enumerate(model.values, start=1) if value is not None]
        _curve(axes, places)
        axes.set_xlim(0.6, max(longest, 2) + 0.4)
        axes.set_ylim(-3, 103)
        axes.set_yticks([0, 50, 100])
        axes.set_xticks(range(1, longest + 1, 1 + longest // 9))
        axes.grid(axis="y")

    return _Panels(models, 1.25, 0.58, draw, beside="%", below="subquestion").figures(key, title, text)


def _curve(axes: Axes, places: Sequence[tuple[int, Interval]]) -> None:
    steps = [at for at, _ in places]
    axes.plot(
        steps,
        [100 * value.value for _, value in places],
        color=BLUE,
        linewidth=1.4,
        marker="o",
        markersize=3.5,
    )
    for at, value in places:
        if value.low is not None and value.high is not None:
            axes.vlines(at, 100 * value.low, 100 * value.high, colors=BLUE, linewidth=0.9)


@dataclass(frozen=True)
class _Panels:
    """A panel for each model, three beside each other, on as many sheets as they take."""

    models: Sequence[Series]
    height: float
    left: float
    draw: Callable[[Axes, Series], None]
    beside: str = ""
    below: str = "%"
    rows_named: bool = False

    def figures(self, key: str, title: str, text: str) -> tuple[Figure, ...]:
        rows = [self.models[at : at + _BESIDE] for at in range(0, len(self.models), _BESIDE)]
        each = _HEAD + self.height + _AXIS
        sheets = pages(rows, lambda row: each, TALLEST - _FOOT)
        figures = []
        for number, shown in enumerate(sheets):
            with sheet(len(shown) * each + _FOOT) as made:
                for at, row in enumerate(shown):
                    below = len(shown[at + 1]) if at + 1 < len(shown) else 0
                    self._row(made, row, at * each + _HEAD, below)
                figures.append(drawn(made, *numbered(key, title, number, len(sheets)), text))
        return tuple(figures)

    def _row(self, made: Sheet, row: Sequence[Series], top: float, followed: int) -> None:
        """A row of panels; below the first ``followed`` of them stands another."""
        beside = min(_BESIDE, len(self.models))
        width = (WIDTH - self.left - RIGHT - (beside - 1) * _GAP) / beside
        for column, model in enumerate(row):
            axes = place(made, self.left + column * (width + _GAP), top, width, self.height)
            self.draw(axes, model)
            axes.set_title(_cut(model.name, width), pad=4)
            if column:
                axes.tick_params(axis="y", labelleft=False, length=0 if self.rows_named else 2)
            elif self.beside:
                axes.set_ylabel(self.beside, rotation=0, ha="right", va="center")
            if column >= followed:
                axes.set_xlabel(self.below, labelpad=1)


def _cut(name: str, width: float) -> str:
    """A name that fits above a panel."""
    name = short(name)
    while len(name) > 4 and text_width(name) * 1.12 > width:  # titles are bold, and so wider
        name = f"{name[: len(name) // 2 - 1]}…{name[len(name) // 2 + 1 :]}"
    return name
