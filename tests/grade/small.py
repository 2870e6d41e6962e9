"""A small set and runs over it whose right scores can be counted on one hand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grader.archive.store import Archive


def point(name: str, points: float, **check: Any) -> dict[str, Any]:
    """A point; with keywords a formal one."""
    node: dict[str, Any] = {"id": name, "points": points, "text": f"text of {name}"}
    return node | ({"check": check} if check else {})


PROBLEM = {
    "problem_id": "water",
    "header": "Water.",
    "subquestions": [
        {
            "sub_id": "water-1",
            "text_open": "How many hydrogen atoms has the molecule, and is it linear?",
            "full_mark": 3,
            "rubric": [
                point("n", 2, kind="integer", expected=2, asked=["hydrogen atoms"]),
                point("linear", 1, kind="boolean", expected=False, statement="the molecule is linear"),
            ],
        },
        {
            "sub_id": "water-2",
            "text_open": "Which option is ice, and why does it float?",
            "full_mark": 3,
            "rubric": [
                point("ice", 1, kind="choice", expected="B", choices=["A", "B", "C"]),
                point("why", 2),
                {"id": "spelling", "points": -1, "text": "units are missing"},
            ],
        },
    ],
}

RIGHT = {
    "water-1": "It has 2 hydrogen atoms. No, it is bent.",
    "water-2": "**Answer: B**, for its open lattice.",
}
WRONG = {"water-1": "It has 3 hydrogen atoms. Yes, it is linear.", "water-2": "**Answer: C**, it is cold."}


def write_set(folder: Path, problem: dict[str, Any] = PROBLEM) -> Path:
    """The set as a folder."""
    task = folder / "tasks" / problem["problem_id"]
    task.mkdir(parents=True, exist_ok=True)
    (task / "problem.json").write_text(json.dumps(problem))
    return folder


def line(sub_id: str, text: str | None, model: str = "m", **more: Any) -> dict[str, Any]:
    """A line of a run."""
    return {
        "model": model,
        "sub_id": sub_id,
        "protocol": "sequential_carry",
        "mode": "text_only",
        "text": text,
    } | more


def write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> Path:
    """Lines of JSON as a file."""
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path


def both_models() -> list[dict[str, Any]]:
    """A model that is right and one that is wrong."""
    return [
        *(line(sub_id, text, "right") for sub_id, text in RIGHT.items()),
        *(line(sub_id, text, "wrong") for sub_id, text in WRONG.items()),
    ]


MARKS = [
    {"model": model, "point_id": point_id, "points": points, "by": "Ada"}
    for model, why in (("right", 2), ("wrong", 0))
    for point_id, points in (("why", why), ("spelling", 0))
]


def said(archive: Archive) -> list[str]:
    """All that was found and given, without the numbers it got, which go by who came first."""
    return sorted(str(one | {"id": None}) for one in archive.lines())
