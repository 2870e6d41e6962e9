"""The map of models by tags."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grader.report.figure_parts import RIGHT, Series, label_room, name_rows
from grader.report.figure_svg import (
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
    left, wide, tall = label_room([model.name for model in models]), 0.42, 0.23
    head = max((_tag_room(tag) for tag in tags), default=0.2) + 0.1
    most = int((WIDTH - left - RIGHT) / wide)
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
    name_rows(axes, [model.name for model in models])
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
