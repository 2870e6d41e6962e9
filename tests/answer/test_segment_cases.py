"""Lists, summaries, merged and missing parts: no cut is better than a wrong one, and a clear one is made."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.answer.segment import segment
from grader.answer.segments.weighing import THRESHOLD

IDS = ("x-1", "x-2", "x-3")
ASKED = (
    "Calculate the pH of the buffer solution before any acid is added.",
    "Explain why the indicator changes colour near the equivalence point.",
    "Write the balanced equation for the reaction of zinc with hydrochloric acid.",
)


@dataclass(frozen=True, slots=True)
class Case:
    """A response; ``‹2›`` stands in what belongs to part 2, ``‹s2›`` in a repeat of it elsewhere."""

    name: str
    text: str
    cut: str
    """The places of the parts that must be cut out, one digit each; none of the others may be."""
    ids: Sequence[str] = IDS
    questions: bool = False

    @property
    def asked(self) -> Sequence[str] | None:
        """The texts of the questions, where they are known."""
        return ASKED if self.questions else None


CASES = [
    Case(**json.loads(line))
    for line in Path(__file__).with_name("segment_cases.jsonl").read_text(encoding="utf-8").splitlines()
]
SPOT = re.compile("‹(?P<repeat>s?)(?P<place>[0-9])›")


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_every_piece_goes_to_its_part(case: Case) -> None:
    done = segment(case.text, case.ids, case.asked)
    spans = {case.ids.index(sub_id) + 1: span for sub_id, span in (done.spans or {}).items()}
    for spot in SPOT.finditer(case.text):
        for place, (start, end) in spans.items():
            inside = start <= spot.start() < end
            assert not inside or place == int(spot["place"]), (spot, done)
            assert inside or spot["repeat"] or place != int(spot["place"]), (spot, done)
    assert "".join(map(str, sorted(spans))) == case.cut, done


def test_a_part_of_its_own_keeps_the_whole_where_it_has_no_label() -> None:
    text = "## Part 1\na\n## Part 3\nc\n"
    done = segment(text, IDS)
    assert done.place("x-3", len(text)) == (text.index("## Part 3"), len(text), True)
    assert done.place("x-2", len(text)) == (0, len(text), False)


def test_merged_parts_share_their_stretch() -> None:
    text = "## Parts 1 and 2\nab\n## Part 3\nc\n"
    done = segment(text, IDS)
    assert done.place("x-1", len(text)) == done.place("x-2", len(text)) == (0, text.index("## Part 3"), False)


def test_what_was_refused_is_said() -> None:
    done = segment("The steps are:\n1. a\n2. b\n3. c\n", IDS)
    assert done.spans is None
    assert done.confidence == 0
    assert any("announces" in item.why for item in done.refused)


def test_confidence_rises_with_the_evidence() -> None:
    bodies = ("The pH of the buffer is 4.", "The indicator changes colour.", "The balanced equation.")

    def sure(form: str, questions: tuple[str, ...] | None = None) -> float:
        text = "".join(form.format(n) + body + "\n\n" for n, body in enumerate(bodies, 1))
        return segment(text, IDS, questions).confidence

    assert 1 >= sure("## x-{}\n") >= sure("## Part {}\n") > sure("**{}.** ") > sure("{}. ") >= THRESHOLD
    assert sure("{}. ", ASKED) > sure("{}. ")


LINE = st.sampled_from(
    [
        "## 1",
        "## Part 2",
        "**3.** x",
        "1. a",
        "2. b",
        "(a) y",
        "(b)",
        "| 1 | z |",
        "x-2: c",
        "Final answers:",
        "---",
        "```",
        "Parts 1 and 3",
        "1(a)",
        "<b>2</b>",
        "\\textbf{(c)} q",
        "I. r",
        "pH = 4",
        "",
        ASKED[0],
        "</think>",
    ]
)


@given(st.one_of(st.text(max_size=200), st.lists(LINE, max_size=14).map("\n".join)), st.booleans())
def test_spans_lie_apart_within_the_text(text: str, told: bool) -> None:
    done = segment(text, IDS, ASKED if told else None)
    assert 0 <= done.confidence <= 1
    assert (done.spans is None) == (done.confidence == 0)
    at = 0
    for start, end in sorted((done.spans or {}).values()):
        assert at <= start <= end <= len(text)
        at = end


@pytest.mark.parametrize(
    "unit",
    [
        "## 1\n",
        "1. a\n",
        "a\n",
        "\n",
        "(",
        "a(",
        "*",
        "1-",
        "| 1 ",
        "\\textbf{",
        "```\n",
        "Part 1, ",
        "1" + " " * 99 + "\n",
    ],
)
def test_hostile_text_is_read_in_one_pass(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    assert segment(text, IDS, ASKED).spans is None


def test_unusual_sub_ids_are_no_reason_to_fail() -> None:
    for ids in (
        (),
        ("a", "a"),
        ("", "b"),
        ("-", "--"),
        ("é", "ß"),
        ("1", "2"),
        ("x" * 500, "y"),
        ("1.2.3", "1.2"),
    ):
        assert segment("1. a\n2. b\n", ids).confidence <= 1
