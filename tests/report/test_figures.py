"""Figures hold every name and interval, stand together on a page, and come out the same each time."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import pytest

from grader.report.figure_svg import TALLEST, Figure, pages, short
from grader.report.figures import Ends, Interval, Series, dumbbells, ladder, profiles, survival, tag_map
from tests.browser import Browser

HOSTILE = 'm$x_1$ <script>alert(1)</script> & "\x1b\u202e'


def models(count: int, places: int) -> list[Series]:
    return [
        Series(f"model-{at}", tuple(Interval((at + place) % 10 / 10, 0.0, 1.0) for place in range(places)))
        for at in range(count)
    ]


def ends(count: int) -> list[Ends]:
    return [
        Ends(f"model-{at}", Interval(0.4, 0.3, 0.5), Interval(0.6), "+20.0", at % 2 > 0)
        for at in range(count)
    ]


MAKERS: dict[str, Callable[[int], tuple[Figure, ...]]] = {
    "ladder": lambda count: ladder(models(count, 3)),
    "dumbbells": lambda count: dumbbells(
        ends(count), ("multimodal", "text only"), key="images", title="Images"
    ),
    "profiles": lambda count: profiles(models(count, 6), [f"1.{at}" for at in range(6)]),
    "survival": lambda count: survival(models(count, 6)),
    "tags": lambda count: tag_map(models(count, 30), [f"{at}.1" for at in range(30)]),
}
every_figure = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def texts(figure: Figure) -> list[str]:
    """What is printed in a figure."""
    root = ElementTree.fromstring(figure.svg)
    return ["".join(node.itertext()) for node in root.iter() if node.tag.endswith("}text")]


@pytest.mark.slow
@every_figure
def test_each_model_is_named_on_sheets_that_fit_a_page(make: Callable[[int], tuple[Figure, ...]]) -> None:
    figures = make(25)
    named = [text for figure in figures for text in texts(figure) if text.startswith("model-")]
    assert set(named) == {f"model-{at}" for at in range(25)}
    for figure in figures:
        height = re.search(r'height="([\d.]+)pt"', figure.svg)
        assert height is not None
        assert float(height[1]) / 72 <= TALLEST + 0.01
    assert len({figure.key for figure in figures}) == len(figures)


@every_figure
def test_the_same_data_give_the_same_bytes_and_no_setting_leaks(
    make: Callable[[int], tuple[Figure, ...]],
) -> None:
    before = dict(mpl.rcParams)
    assert make(2) == make(2)
    assert dict(mpl.rcParams) == before


def test_a_users_own_settings_change_no_figure() -> None:
    plain = MAKERS["ladder"](2)
    with mpl.rc_context({"axes.grid": True, "font.size": 20, "svg.fonttype": "path", "lines.linewidth": 9}):
        assert MAKERS["ladder"](2) == plain


@every_figure
def test_figures_stand_on_one_page_and_say_what_they_are(make: Callable[[int], tuple[Figure, ...]]) -> None:
    for figure in make(3):
        assert figure.svg.startswith('<svg role="img"')
        assert f"<title>{figure.title}</title><desc>{figure.text}</desc>" in figure.svg
        assert not re.search(r"<metadata|<style|<!DOCTYPE|<\?xml|20\d\d-\d\d-\d\dT", figure.svg)
        ids = re.findall(r' id="([^"]*)"', figure.svg)
        assert len(ids) == len(set(ids))
        assert all(one.startswith(f"{figure.key}-") for one in ids)
        assert set(re.findall(r'(?:href="#|url\(#)([^")]*)', figure.svg)) <= set(ids)


@every_figure
def test_one_model_is_enough_and_none_is_no_figure(make: Callable[[int], tuple[Figure, ...]]) -> None:
    assert len(make(1)) == 1
    assert make(0) == ()


def test_a_hostile_name_is_printed_and_no_markup() -> None:
    value = (Interval(0.5, 0.4, 0.6),) * 3
    figures = (
        *ladder([Series(HOSTILE, value)], (HOSTILE, "b", "c"), title=HOSTILE),
        *dumbbells([Ends(HOSTILE, *value[:2], HOSTILE)], (HOSTILE, "b"), key="d", title=HOSTILE),
        *profiles([Series(HOSTILE, value)], [HOSTILE, "b", "c"]),
        *survival([Series(HOSTILE, value)]),
        *tag_map([Series(HOSTILE, value)], [HOSTILE, "b", "c"]),
    )
    for figure in figures:
        assert "<script" not in figure.svg
        assert short(HOSTILE) in texts(figure)


def test_numbers_are_printed_in_the_map_and_gaps_are_dashes() -> None:
    (figure,) = tag_map([Series("m", (Interval(0.538), None, Interval(1.0)))], ["1.1", "1.2", "1.3"])
    assert [text for text in texts(figure) if re.fullmatch(r"\d+|–", text)] == ["54", "–", "100"]


def bars(figure: Figure) -> int:
    """The horizontal lines of the colour of the first condition."""
    return len(re.findall(r"stroke: #0072b2; stroke-width: 1.1", figure.svg))


def test_intervals_are_drawn_where_they_are_known() -> None:
    known, open_ = Interval(0.5, 0.4, 0.6), Interval(0.5)
    (with_one,) = ladder([Series("a", (known, open_, open_)), Series("b", (open_, open_, open_))])
    (without,) = ladder([Series("a", (open_, open_, open_)), Series("b", (open_, None, open_))])
    assert bars(with_one) == 1
    assert bars(without) == 0


def test_a_gap_without_evidence_is_dotted() -> None:
    def dashes(certain: bool) -> int:
        one = Ends("m", Interval(0.1), Interval(0.9), "+80.0", certain)
        (figure,) = dumbbells([one], ("a", "b"), key="d", title="D")
        return figure.svg.count("stroke-dasharray")

    assert dashes(False) == dashes(True) + 1


COLLISIONS = """
Array.from(document.querySelectorAll("svg")).flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  const nodes = Array.from(svg.querySelectorAll("text"));
  const texts = nodes.map(node => [node.textContent, node.getBoundingClientRect()]);
  const cut = texts.filter(([_, box]) => box.left < frame.left - 1 || box.right > frame.right + 1 ||
    box.top < frame.top - 1 || box.bottom > frame.bottom + 1).map(([text]) => "cut: " + text);
  // a line box is taller than its letters, so a little overlap in height is none
  const met = texts.flatMap(([text, box], at) => texts.slice(at + 1).filter(([_, other]) =>
    box.left < other.right && other.left < box.right &&
    box.top + 4 < other.bottom && other.top + 4 < box.bottom
  ).map(([other]) => text + " on " + other));
  return [...cut, ...met];
})
"""
LONG = "org/some-very-long-model-name-instruct-2026-preview"


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 7, 25])
def test_no_text_lies_on_another_or_is_cut(browser: Browser, tmp_path: Path, count: int) -> None:
    whole = Interval(1.0, 0.9, 1.0)
    named = [Series(f"{LONG}-{at}", (whole,) * 9) for at in range(count)]
    words = [
        "stereochemistry",
        "structure elucidation by spectra",
        "2.4",
        "kinetics",
        "a",
        "b",
        "c",
        "d",
        "e",
    ]
    ended = [Ends(one.name, whole, whole, "−100.0 [−100.0, −100.0]") for one in named]
    figures = (
        *(figure for make in MAKERS.values() for figure in make(count)),
        *ladder(named),
        *dumbbells(ended, ("multimodal", "text only"), key="d", title="D"),
        *profiles(named, words),
        *survival([Series(one.name, (whole,) * 30) for one in named]),
        *tag_map(named, words),
    )
    page = tmp_path / "figures.html"
    page.write_text(
        "<!doctype html><meta charset=utf-8>" + "".join(one.svg for one in figures), encoding="utf-8"
    )
    assert browser.ask(page, COLLISIONS) == []


def test_sheets_are_filled_in_order() -> None:
    assert pages([3.0, 3.0, 3.0, 9.0, 1.0], float, 6.0) == [[3.0, 3.0], [3.0], [9.0], [1.0]]


def test_long_names_keep_what_tells_them_apart() -> None:
    names = [f"org/some-very-long-model-name-instruct-2026-{at}" for at in (1, 2)]
    assert short(names[0]) == "org/some-very-…instruct-2026-1"
    assert short(names[0]) != short(names[1])
