"""The demo's answers, joined in every usual layout, are cut where they were joined."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from grader.answer.segment import Segmentation, segment
from tests.answer.layouts import LAYOUTS, Joined, Part, rowed

DEMO = Path(__file__).resolve().parents[2] / "problems" / "demo"
NEEDS_QUESTIONS = {"bold question", "questions first", "questions first, alike"}
"""Layouts without labels of their own, or with the same ones for questions and answers."""


@cache
def replies() -> tuple[tuple[Part, ...], ...]:
    """The answers of each solver to each problem."""
    asked = {
        sub["sub_id"]: sub["text_open"]
        for path in sorted(DEMO.glob("tasks/*/problem.json"))
        for sub in json.loads(path.read_text(encoding="utf-8"))["subquestions"]
    }
    found: dict[tuple[str, str], list[Part]] = {}
    for line in (DEMO / "run.jsonl").read_text(encoding="utf-8").splitlines()[1:]:
        row = json.loads(line)
        parts = found.setdefault((row["model"], row["problem_id"]), [])
        parts.append(Part(len(parts) + 1, row["sub_id"], asked[row["sub_id"]], row["text"]))
    return tuple(map(tuple, found.values()))


def joined(name: str) -> Iterator[tuple[tuple[Part, ...], Joined]]:
    """The replies in a layout; a table's row holds one line."""
    for parts in replies():
        if name != "rows" or all(map(rowed, parts)):
            yield parts, LAYOUTS[name](parts)


def wrong(made: Joined, cut: Segmentation) -> list[str]:
    """The subquestions whose span lacks some of their answer or holds some of another's."""
    spans = cut.spans or {}
    return [
        sub_id
        for sub_id, (start, end) in spans.items()
        if not start <= made.at[sub_id][0] <= made.at[sub_id][1] <= end
        or any(low < end and start < high for other, (low, high) in made.at.items() if other != sub_id)
    ]


@pytest.mark.parametrize("name", LAYOUTS)
def test_no_layout_is_cut_wrongly_and_nearly_all_are_cut(name: str) -> None:
    asked = cut = 0
    for parts, made in joined(name):
        ids = [part.sub_id for part in parts]
        for questions in ([part.question for part in parts], None):
            done = segment(made.text, ids, questions)
            assert wrong(made, done) == [], done
            if questions or name not in NEEDS_QUESTIONS:
                asked += 1
                cut += set(done.spans or ()) == set(ids)
    assert cut >= 0.9 * asked > 0


def test_there_are_layouts_enough() -> None:
    assert len(LAYOUTS) >= 30
