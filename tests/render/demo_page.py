"""A page that holds every part there is, as hostile and as wide as they come."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from markupsafe import Markup

from grader.render.answers import Highlight, answer_html, raw_html
from grader.render.drawing import compared_svg
from grader.render.page import _environment
from grader.render.tables import Cell, Column, DataTable, to_html
from grader.report.figures import Ends, Interval, Series, dumbbells, ladder, profiles, survival, tag_map

ANSWER = (
    r"""# 1.1 The rate

The **rate constant** is $k_\mathrm{obs} = 0.010\ \text{s}^{-1}$, so
\[ \ce{2 MnO4- + 5 C2O4^2- + 16 H+ -> 2 Mn^2+ + 10 CO2 ^ + 8 H2O} \quad \boxed{t_{1/2} = 69\ \text{s}} \]

- `CC(=O)Oc1ccccc1C(=O)O` and $\frac{a}{b$
- [a link](https://example.org) and ![an image](https://example.org/x.png)

| step | value | remark |
|------|------:|--------|
| 1 | $\Delta G^\circ = -5.7\ \mathrm{kJ\,mol^{-1}}$ | a_long_word_that_does_not_break_a_long_word |

```python
print("<script>alert(1)</script>")
```

> quoted """
    + "\u202e\x07"
)
PAGE = """{% extends "base.html" %}{% import "parts.html" as parts %}
{% block navigation %}
{{ parts.navigation("Parts", [("Scores", "#scores"), ("Answers", "#answers")]) }}{% endblock %}
{% block top %}<p>Of {{ figures | length }} figures.</p>{% endblock %}
{% block main %}
<section aria-labelledby="a"><h2 id="a">Tables</h2>{{ table }}</section>
<section aria-labelledby="b"><h2 id="b">Figures</h2>
{% for figure in figures %}
{% call parts.figure(figure.key, figure.svg, figure.title) %}<p>{{ figure.text }}</p>{% endcall %}
{% endfor %}
</section>
<section aria-labelledby="answers"><h2 id="answers">Answers</h2>
<h3>An answer</h3>{{ parts.answer(answer, raw) }}
{{ parts.figure("bare", figures[0].svg.replace(figures[0].key, "bare"), "A figure alone") }}
<h3>Structures</h3>{% for one in compared %}{{ parts.compared(one) }}{% endfor %}
<p>{% for name in ("met", "not_met", "partial", "undetermined") %}{{ parts.status(name) }} {% endfor %}</p>
</section>
{% endblock %}
{% block footer %}<footer><p>The end.</p></footer>{% endblock %}
"""


def wide_table() -> DataTable:
    """A table that no telephone holds."""
    columns = (Column("model"), Column("mode"), *(Column(f"metric {at}", numeric=True) for at in range(12)))
    rows = tuple(
        (
            Cell(f"model-{row}<b>", href=f"problems/{row}.html#top"),
            Cell("multimodal"),
            *(Cell(f"{row}{at}.5", best=row == 1, title="percent of marks") for at in range(12)),
        )
        for row in range(3)
    )
    return DataTable("scores", "Scores & <more>", columns, rows, ("one note", "−1 is a difference"))


def share(value: float) -> Interval:
    """A share with an interval around it."""
    return Interval(value, max(0.0, value - 0.07), min(1.0, value + 0.05))


def series(models: int, places: int) -> list[Series]:
    """Values that differ by model and place, one of them missing."""
    return [
        Series(
            f"model-{model} $x$ <i>",
            tuple(
                share((7 * model + 13 * at) % 101 / 100) if model + at != 3 else None for at in range(places)
            ),
        )
        for model in range(models)
    ]


@cache
def page() -> str:
    """The page's HTML."""
    start = ANSWER.index("rate constant")
    marks = (
        Highlight(start, ANSWER.index(", so")),
        Highlight(ANSWER.index("CC("), ANSWER.index("` and"), "point 2"),
    )
    ends = [
        Ends(one.name, one.values[0], one.values[1], "+11.1", at > 0) for at, one in enumerate(series(3, 2))
    ]
    figures = (
        *ladder(series(4, 3)),
        *dumbbells(ends, ("multimodal", "text only"), key="images", title="Images"),
        *profiles(series(4, 5), ["1.1", "1.2", "2.1", "2.4", "stereochemistry"]),
        *survival(series(4, 6)),
        *tag_map(series(4, 14), [f"{at}.1" for at in range(14)]),
    )
    compared = [compared_svg("C[C@H](O)C(=O)O", "C[C@@H](O)C(=O)O"), compared_svg("CCO", "CC=O")]
    return (
        _environment()
        .from_string(PAGE)
        .render(
            title="All parts",
            table=to_html(wide_table()),
            figures=figures,
            answer=answer_html(ANSWER, marks),
            raw=raw_html(ANSWER, marks),
            compared=[Markup(one) for one in compared if one],
        )
    )


def write(folder: Path) -> Path:
    """The page as a file."""
    path = folder / "demo.html"
    path.write_text(page(), encoding="utf-8")
    return path
