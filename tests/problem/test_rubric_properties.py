"""What holds for every text: nothing is lost, nothing is counted twice, nothing fails."""

from __future__ import annotations

import json
import math
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.problem.model import Group, Note, Point, walk
from grader.problem.rubric import NativeRubric, read_rubric, scoring_nodes
from grader.problem.rubric.nodes import leaves, owned

CASES = [json.loads(line) for line in (Path(__file__).parent / "rubric_cases.jsonl").read_text().splitlines()]
LINES = [line for case in CASES for line in case["rubric"]]
WORDS = sorted({word for line in LINES for word in line.split(" ")})

CUES = [
    "1 point",
    "2 points",
    "(1 point)",
    "(2 points each)",
    "(3 points; any 2 are enough)",
    "3 points total",
    "(all three 2 points, two 1 point, one 0)",
    "one of these is enough",
    "may replace both:",
    "costs 1 point",
    "is also acceptable",
    "earns nothing",
    "at most 4",
    "2 - n points",
    "1–2 points",
    "as the marker sees fit",
    "either of the first two may be given",
    "no points for the reasons if the choice is wrong",
    "or",
    "all",
    "Alternatively:",
    "for each",
    "K:",
    "'CCO'",
    "'CC=O'",
    "$y$",
    ".",
    ";",
    ",",
    "\n",
    "total",
    "0 points",
    "only if",
]
full_marks = st.sampled_from([0.5, 1, 1.5, 2, 3, 4, 6, 10])
wild = st.text(max_size=60)
spliced = st.builds(
    lambda a, b, at, to: a[: at % (len(a) + 1)] + b[to % (len(b) + 1) :],
    st.sampled_from(LINES), st.sampled_from(LINES), st.integers(0, 400), st.integers(0, 400),
)  # fmt: skip
worded = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
cued = st.lists(st.sampled_from(CUES), max_size=10).map(" ".join)
rubrics = st.lists(st.one_of(st.sampled_from(LINES), spliced, worded, cued, wild), min_size=1, max_size=5)


def owners(rubric: NativeRubric) -> list[list[int]]:
    """For every character of every line, how many nodes and marks own it."""
    counts = [[0] * len(line) for line in rubric.lines]
    nodes = rubric.nodes or ((rubric.fallback,) if rubric.fallback else ())
    places = [place for leaf in leaves(nodes) for place in owned(leaf)]
    for place in (*places, *(rubric.marks if rubric.nodes else ())):
        for at in range(place.start, place.end):
            counts[place.line][at] += 1
    return counts


@given(rubrics, full_marks)
@settings(deadline=None, max_examples=300)
def test_every_character_belongs_to_one_node_or_mark(lines: list[str], full_mark: float) -> None:
    rubric = read_rubric(lines, full_mark)
    for line, counts in zip(lines, owners(rubric), strict=True):
        assert all(
            count == 1 or (count == 0 and char.isspace()) for char, count in zip(line, counts, strict=True)
        )


@given(rubrics, full_marks)
@settings(deadline=None, max_examples=300)
def test_graded_marks_always_add_up_to_the_full_mark(lines: list[str], full_mark: float) -> None:
    nodes = scoring_nodes("S-1", read_rubric(lines, full_mark))
    assert math.fsum(node.points for node in nodes if isinstance(node, Point | Group)) == full_mark
    names = [node.id for node in walk(nodes) if not isinstance(node, Note)]
    assert len(names) == len(set(names))
    scopes = {scope for node in nodes if (scope := getattr(node, "scope", None))}
    assert scopes <= set(names)


@given(
    st.lists(
        st.text(alphabet="()（）'\"$\\[]0123456789 .;:points eachor\n|½", max_size=80), min_size=1, max_size=3
    )
)
@settings(deadline=None, max_examples=300)
def test_hostile_punctuation_is_read(lines: list[str]) -> None:
    assert read_rubric(lines, 2).lines == tuple(lines)


def test_deep_and_long_texts_are_read() -> None:
    for text in (
        "(" * 5000 + ")" * 5000,
        "(1 point; " * 2000,
        "'" * 5000,
        "$" * 5001,
        "1 " * 5000,
        "a" * 20000,
    ):
        assert read_rubric([text], 2).full_mark == 2


@given(st.sampled_from(CASES), st.sampled_from(["CCCCl", "O=C1CCCO1", "[Na+].[Cl-]", "c1ccncc1"]))
@settings(deadline=None, max_examples=100)
def test_marks_do_not_depend_on_which_structures_are_quoted(case: dict, other: str) -> None:  # type: ignore[type-arg]
    quoted = {value for part in case["expect"]["parts"] for value in part["quoted"]}
    lines = list(case["rubric"])
    for value in quoted:
        lines = [line.replace(f"'{value}'", f"'{other}'") for line in lines]
    assert read_rubric(lines, case["full_mark"]).accounted == case["expect"]["marks_accounted"]
