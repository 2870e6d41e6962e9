"""A chain of three subquestions in which later values follow from earlier ones, and a run over it."""

from __future__ import annotations

from typing import Any

from tests.grade.small import line, point


def count(name: str, points: float, expected: int, asked: str, follow: str = "", **sources: str) -> Any:
    """A point for a whole number, which may follow from others."""
    node = point(name, points, kind="integer", expected=expected, asked=[asked])
    return node | ({"follow": {"from": sources, "expression": follow}} if follow else {})


def sub(sub_id: str, *rubric: dict[str, Any]) -> dict[str, Any]:
    """A subquestion worth its points."""
    marks = sum(node["points"] for node in rubric)
    return {"sub_id": sub_id, "text_open": f"Question {sub_id}?", "full_mark": marks, "rubric": list(rubric)}


PROBLEM: dict[str, Any] = {
    "problem_id": "alkane",
    "header": "The figure shows a branched alkane, pentane.",
    "subquestions": [
        sub("alk-1", count("c", 1, 5, "carbon atoms"), point("why", 1)),
        sub(
            "alk-2",
            count("h", 2, 12, "hydrogen atoms", "2 * c + 2", c="c"),
            count("b", 1, 16, "single bonds", "1.5 * h - 2", h="alk-2/h"),
        ),
        sub("alk-3", count("e", 1, 42, "electrons", "6 * c + h", c="c", h="h")),
    ],
}

CARRIED = {
    "alk-1": "It has 6 carbon atoms.",
    "alk-2": "It has 14 hydrogen atoms and 19 single bonds.",
    "alk-3": "It has 42 electrons.",
}
"""Miscounted at the start and right from there; the last value is right by itself."""

STRICT = {"c": 0.0, "h": 0.0, "b": 0.0, "e": 1.0}
FOLLOWING = {"c": 0.0, "h": 1.0, "b": 1.0, "e": 1.0}


def turns(texts: dict[str, str] = CARRIED, model: str = "m", **more: Any) -> list[dict[str, Any]]:
    """The lines of a conversation."""
    return [line(sub_id, text, model, **more) for sub_id, text in texts.items()]
