"""Figures with a row for each model: the ladder of protocols, and the two ends of a contrast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.render.plain import one_line
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
    GREEN,
    TALLEST,
    VERMILION,
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

_TOP = 0.45
_BOTTOM = 0.45
_ROW = 0.33
_RUNGS = (Dots(BLUE, "o", -0.2), Dots(VERMILION, "s"), Dots(GREEN, "D", 0.2))


@dataclass(frozen=True, slots=True)
class Ends:
    """A model under two conditions, and their difference as ``note`` says it."""

    name: str
    first: Interval | None
    second: Interval | None
    note: str = ""
    certain: bool = True
    """The interval of the difference doesn't hold zero."""


def ladder(
    models: Sequence[Series],
    rungs: Sequence[str] = ("full problem", "sequential carry", "oracle scaffolded"),
    *,
    key: str = "ladder",
    title: str = "Score under each protocol",
) -> tuple[Figure, ...]:
    """A row for each model with its score on every rung, from the whole problem to a granted chain.

    ``rungs``: the conditions in the order of each series' values, three at most.
    """
    text = f"For each of {len(models)} models the score under {_listed(rungs)}, with its interval."
    sheets = _rows_on_sheets(models)
    figures = []
    for number, rows in enumerate(sheets):
        with sheet(_TOP + _BOTTOM + len(rows) * _ROW) as made:
            axes = _row_axes(made, [model.name for model in rows], RIGHT)
            for at, model in enumerate(rows):
                _connect(axes, at, [value for value in model.values if value is not None])
            for rung, dots in zip(range(len(rungs)), _RUNGS, strict=False):
                values = [(at + dots.shift, model.values[rung]) for at, model in enumerate(rows)]
                draw_dots(axes, values, dots, short(rungs[rung]))
            share_axis(axes)
            _legend(made, axes)
            figures.append(drawn(made, *numbered(key, title, number, len(sheets)), text))
    return tuple(figures)


def dumbbells(
    models: Sequence[Ends],
    ends: tuple[str, str],
    *,
    key: str,
    title: str,
) -> tuple[Figure, ...]:
    """A row for each model: its score at both ends, a line between them, the difference in words beside it.

    The line is dotted where the difference is no evidence.
    """
    text = (
        f"For each of {len(models)} models the score with {ends[0]} and with {ends[1]}, and the difference."
    )
    sheets = _rows_on_sheets(models)
    aside = max((text_width(one_line(model.note)) for model in models), default=0.0) + 0.2
    figures = []
    for number, rows in enumerate(sheets):
        with sheet(_TOP + _BOTTOM + len(rows) * _ROW) as made:
            axes = _row_axes(made, [model.name for model in rows], aside)
            for at, model in enumerate(rows):
                both = [value for value in (model.first, model.second) if value is not None]
                _connect(axes, at, both, dotted=not model.certain)
                axes.annotate(
                    one_line(model.note), (1, at), xycoords=("axes fraction", "data"),
                    xytext=(8, 0), textcoords="offset points", va="center",
                )  # fmt: skip
            draw_dots(
                axes, [(at - 0.12, one.first) for at, one in enumerate(rows)], _RUNGS[0], short(ends[0])
            )
            draw_dots(
                axes, [(at + 0.12, one.second) for at, one in enumerate(rows)], _RUNGS[1], short(ends[1])
            )
            share_axis(axes)
            _legend(made, axes)
            figures.append(drawn(made, *numbered(key, title, number, len(sheets)), text))
    return tuple(figures)


def _rows_on_sheets(models: Sequence[Any]) -> list[list[Any]]:
    return pages(models, lambda model: _ROW, TALLEST - _TOP - _BOTTOM)


def _row_axes(made: Sheet, names: Sequence[str], right: float) -> Axes:
    left = label_room(names)
    axes = place(made, left, _TOP, WIDTH - left - right, len(names) * _ROW)
    name_rows(axes, names)
    return axes


def _connect(axes: Axes, at: float, values: Sequence[Interval], *, dotted: bool = False) -> None:
    shares = [100 * value.value for value in values]
    if len(shares) > 1:
        axes.hlines(
            at,
            min(shares),
            max(shares),
            colors="#b4bac2",
            linewidth=2.2,
            linestyles=":" if dotted else "-",
            zorder=1,
        )


def _legend(made: Sheet, axes: Axes) -> None:
    axes.set_xlabel("% of marks")
    handles, labels = axes.get_legend_handles_labels()
    made.legend(handles, labels, loc="upper center", ncols=len(labels), borderaxespad=0.3, handletextpad=0.1)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else "".join(words)
