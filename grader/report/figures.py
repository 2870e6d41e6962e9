"""Figures of a report, from plain data: each function gives one sheet, or several where one is too small.

Values are shares in [0, 1] and are drawn in per cent. What differs in colour
differs in shape too. Intervals are drawn wherever they are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.report.figure_svg import (
    BLUE,
    GREEN,
    GREY,
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

_GAP = 0.12
_RIGHT = 0.15
_TOP = 0.45
_BOTTOM = 0.45
_FACETS = 3
"""Panels beside each other."""


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
class Ends:
    """A model under two conditions, and their difference as ``note`` says it."""

    name: str
    first: Interval | None
    second: Interval | None
    note: str = ""
    certain: bool = True
    """The interval of the difference doesn't hold zero."""


@dataclass(frozen=True, slots=True)
class _Dots:
    """How the values of one condition are drawn."""

    colour: str
    marker: str
    shift: float = 0.0


_RUNGS = (_Dots(BLUE, "o", -0.2), _Dots(VERMILION, "s"), _Dots(GREEN, "D", 0.2))


# One row a model


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
            axes = _row_axes(made, [model.name for model in rows], _RIGHT)
            for place_, model in enumerate(rows):
                _connect(axes, place_, [value for value in model.values if value is not None])
            for rung, dots in zip(range(len(rungs)), _RUNGS, strict=False):
                values = [(at + dots.shift, model.values[rung]) for at, model in enumerate(rows)]
                _dots(axes, values, dots, short(rungs[rung]))
            _share_axis(axes)
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

    The line is dashed where the difference is no evidence.
    """
    text = (
        f"For each of {len(models)} models the score with {ends[0]} and with {ends[1]}, and the difference."
    )
    sheets = _rows_on_sheets(models)
    aside = max((text_width(short(model.note)) for model in models), default=0.0) + 0.2
    figures = []
    for number, rows in enumerate(sheets):
        with sheet(_TOP + _BOTTOM + len(rows) * _ROW) as made:
            axes = _row_axes(made, [model.name for model in rows], aside)
            for at, model in enumerate(rows):
                both = [value for value in (model.first, model.second) if value is not None]
                _connect(axes, at, both, dashed=not model.certain)
                axes.annotate(
                    short(model.note), (1, at), xycoords=("axes fraction", "data"),
                    xytext=(8, 0), textcoords="offset points", va="center",
                )  # fmt: skip
            _dots(axes, [(at - 0.12, one.first) for at, one in enumerate(rows)], _RUNGS[0], short(ends[0]))
            _dots(axes, [(at + 0.12, one.second) for at, one in enumerate(rows)], _RUNGS[1], short(ends[1]))
            _share_axis(axes)
            _legend(made, axes)
            figures.append(drawn(made, *numbered(key, title, number, len(sheets)), text))
    return tuple(figures)


_ROW = 0.33


def _rows_on_sheets(models: Sequence[Any]) -> list[list[Any]]:
    return pages(models, lambda model: _ROW, TALLEST - _TOP - _BOTTOM)


def _row_axes(made: Sheet, names: Sequence[str], right: float) -> Axes:
    left = _label_room(names)
    axes = place(made, left, _TOP, WIDTH - left - right, len(names) * _ROW)
    _name_rows(axes, names)
    return axes


def _connect(axes: Axes, at: float, values: Sequence[Interval], *, dashed: bool = False) -> None:
    shares = [100 * value.value for value in values]
    if len(shares) > 1:
        axes.hlines(
            at,
            min(shares),
            max(shares),
            colors="#b4bac2",
            linewidth=2.2,
            linestyles=":" if dashed else "-",
            zorder=1,
        )


# Panels


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
        _dots(axes, list(enumerate(model.values)), _Dots(BLUE, "o"))
        _name_rows(axes, categories)
        _share_axis(axes, every=50)

    panels = _Panels(models, height, _label_room(categories), draw, rows_named=True)
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

    return _Panels(models, 1.25, 0.45, draw, beside="%", below="subquestion").figures(key, title, text)


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
    draw: Any
    beside: str = ""
    below: str = "%"
    rows_named: bool = False

    _HEAD = 0.27
    _AXIS = 0.22
    _FOOT = 0.2

    def figures(self, key: str, title: str, text: str) -> tuple[Figure, ...]:
        rows = [self.models[at : at + _FACETS] for at in range(0, len(self.models), _FACETS)]
        each = self._HEAD + self.height + self._AXIS
        sheets = pages(rows, lambda row: each, TALLEST - self._FOOT)
        figures = []
        for number, shown in enumerate(sheets):
            with sheet(len(shown) * each + self._FOOT) as made:
                for at, row in enumerate(shown):
                    below = len(shown[at + 1]) if at + 1 < len(shown) else 0
                    self._row(made, row, at * each + self._HEAD, below)
                figures.append(drawn(made, *numbered(key, title, number, len(sheets)), text))
        return tuple(figures)

    def _row(self, made: Sheet, row: Sequence[Series], top: float, followed: int) -> None:
        """A row of panels; below the first ``followed`` of them stands another."""
        beside = min(_FACETS, len(self.models))
        width = (WIDTH - self.left - _RIGHT - (beside - 1) * 2 * _GAP) / beside
        for column, model in enumerate(row):
            axes = place(made, self.left + column * (width + 2 * _GAP), top, width, self.height)
            self.draw(axes, model)
            axes.set_title(_cut(model.name, width), pad=4)
            if column:
                axes.tick_params(axis="y", labelleft=False, length=0 if self.rows_named else 2)
            elif self.beside:
                axes.set_ylabel(self.beside, rotation=0, ha="right", va="center")
            if column >= followed:
                axes.set_xlabel(self.below, labelpad=1)


# The map


def tag_map(
    models: Sequence[Series],
    tags: Sequence[str],
    *,
    key: str = "tags",
    title: str = "Score by tag",
) -> tuple[Figure, ...]:
    """A map of models by tags, the score of each in numbers and as a shade; many tags go below each other."""
    if not models:
        return ()
    left, wide, tall = _label_room([model.name for model in models]), 0.42, 0.23
    head = max((_tag_room(tag) for tag in tags), default=0.2) + 0.1
    most = int((WIDTH - left - _RIGHT) / wide)
    count = -(-len(tags) // most)
    size = -(-len(tags) // max(count, 1))
    blocks = [range(at, min(at + size, len(tags))) for at in range(0, len(tags), max(size, 1))]
    each = head + len(models) * tall + 0.15
    text = f"The score of {len(models)} models on {len(tags)} tags in per cent; brighter is higher."
    sheets = pages(blocks, lambda block: each, TALLEST)
    figures = []
    for number, shown in enumerate(sheets):
        with sheet(len(shown) * each) as made:
            for at, block in enumerate(shown):
                axes = place(made, left, at * each + head, len(block) * wide, len(models) * tall)
                _map(axes, models, [tags[tag] for tag in block], block)
            figures.append(drawn(made, *numbered(key, title, number, len(sheets)), text))
    return tuple(figures)


def _map(axes: Axes, models: Sequence[Series], tags: Sequence[str], block: range) -> None:
    from matplotlib import colormaps

    shades = colormaps["cividis"]
    for row, model in enumerate(models):
        for column, tag in enumerate(block):
            value = model.values[tag]
            shade = shades(value.value) if value else (1.0, 1.0, 1.0, 1.0)
            axes.add_patch(_square(column, row, shade, hatched=value is None))
            shown = f"{100 * value.value:.0f}" if value else "–"
            ink = "white" if value and value.value < 0.55 else "black"
            axes.text(column, row, shown, ha="center", va="center", color=ink, fontsize=7.5)
    axes.set_xlim(-0.5, len(tags) - 0.5)
    _name_rows(axes, [model.name for model in models])
    axes.set_ylim(len(models) - 0.5, -0.5)
    upright = any(_tag_room(tag) > 0.2 for tag in tags)
    axes.set_xticks(range(len(tags)), list(map(short, tags)), rotation=90 if upright else 0)
    axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    axes.spines[:].set_visible(False)


def _square(column: int, row: int, shade: Any, *, hatched: bool) -> Any:
    from matplotlib.patches import Rectangle

    hatch = "////" if hatched else None
    return Rectangle(
        (column - 0.5, row - 0.5), 1, 1, facecolor=shade, edgecolor="#e3e6ea", linewidth=0.8, hatch=hatch
    )


def _tag_room(tag: str) -> float:
    """Inches above the map: a short tag lies, a long one stands."""
    width = text_width(short(tag))
    return 0.2 if width < 0.4 else width + 0.1


# Parts


def _dots(axes: Axes, values: Sequence[tuple[float, Interval | None]], dots: _Dots, label: str = "") -> None:
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


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), list(map(short, names)))
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def _share_axis(axes: Axes, every: int = 20) -> None:
    axes.set_xlim(-2, 102)
    axes.set_xticks(range(0, 101, every))
    axes.grid(axis="x")
    axes.tick_params(axis="x", length=2, color=GREY)


def _legend(made: Sheet, axes: Axes) -> None:
    axes.set_xlabel("% of marks")
    handles, labels = axes.get_legend_handles_labels()
    made.legend(handles, labels, loc="upper center", ncols=len(labels), borderaxespad=0.3, handletextpad=0.1)


def _label_room(names: Sequence[str]) -> float:
    return max((text_width(short(name)) for name in names), default=0.0) + 0.2


def _cut(name: str, width: float) -> str:
    """A name that fits above a panel."""
    name = short(name)
    while len(name) > 4 and text_width(name) * 1.12 > width:  # titles are bold, and so wider
        name = f"{name[: len(name) // 2 - 1]}…{name[len(name) // 2 + 1 :]}"
    return name


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else "".join(words)
