"""A small valid set that tests break in one place at a time."""

from __future__ import annotations

import copy
import io
import json
from pathlib import Path
from typing import Any

from PIL import Image

TAGS = '[tags]\n"acid.base" = "acids and bases"\n"figure" = "reading figures"\n'


def png(width: int = 8, height: int = 8, shade: int = 200) -> bytes:
    """A grey image."""
    buffer = io.BytesIO()
    Image.new("L", (width, height), shade).save(buffer, "PNG")
    return buffer.getvalue()


def problem() -> dict[str, Any]:
    """Acetic acid: every kind of rubric node, a visible and a private image."""
    return {
        "problem_id": "acid-1",
        "header": "Acetic acid is titrated with sodium hydroxide.",
        "header_images": [{"file": "curve.png", "description": "pH against volume, a sigmoid."}],
        "subquestions": [_constant(), _species()],
    }


def second_problem() -> dict[str, Any]:
    """Another problem of the set, without images."""
    point = {"id": "r1", "points": 1, "text": "It takes up a proton"}
    sub = {"sub_id": "base-1-1", "text_open": "Why is ammonia a base?", "full_mark": 1, "rubric": [point]}
    return {"problem_id": "base-1", "header": "Ammonia.", "subquestions": [sub]}


def _constant() -> dict[str, Any]:
    check = {"kind": "quantity", "expected": 4.76, "unit": "dimensionless", "abs_tol": 0.02, "asked": ["pKa"]}
    return {
        "sub_id": "acid-1-1",
        "tags": ["acid.base", "figure"],
        "text_open": "Read the pKa and explain how.",
        "text_images": [],
        "full_mark": 4,
        "rubric": [
            {"id": "r1", "points": 2, "text": "pKa = 4.76", "check": check},
            {
                "id": "r2",
                "points": 1,
                "text": "how it is read",
                "rule": "any",
                "of": [
                    {"id": "r2.a", "points": 1, "text": "pH at half the equivalence volume"},
                    {"id": "r2.b", "points": 0.5, "text": "from the inflection"},
                ],
            },
            {
                "id": "r3",
                "points": 1,
                "text": "assumptions named",
                "rule": "count",
                "table": {"2": 1, "1": 0.5},
                "of": [
                    {"id": "r3.a", "points": 1, "text": "activities equal concentrations"},
                    {"id": "r3.b", "points": 1, "text": "water's own ions neglected"},
                ],
            },
            {"id": "d1", "points": -0.5, "text": "each wrong unit", "scope": "r1", "each": True, "max": 1},
            {"id": "v1", "veto": True, "text": "the curve is read as one of a base", "scope": "r2"},
            {"note": "Accept any sensible number of digits."},
        ],
        "rubric_images": [{"file": "solution.png", "description": "The curve with its midpoint marked."}],
        "standard_result": "the pKa is 4.76, read at half equivalence",
    }


def _species() -> dict[str, Any]:
    check = {"kind": "choice", "expected": "B", "choices": ["A", "B"], "texts": {"A": "acid", "B": "salt"}}
    return {
        "sub_id": "acid-1-2",
        "tags": ["acid.base"],
        "text_open": "Which species prevails at pH 7: A acid, B salt?",
        "full_mark": 2,
        "rubric": [
            {"id": "r1", "points": 1, "text": "B", "check": check},
            {
                "id": "r2",
                "points": 1,
                "text": "two reasons",
                "rule": "count",
                "take": 1,
                "of": [
                    {"id": "r2.a", "points": 1, "text": "pH above pKa"},
                    {"id": "r2.b", "points": 1, "text": "Henderson-Hasselbalch ratio"},
                ],
            },
        ],
    }


class ValidSet:
    """A set being written: change ``problems``, ``images`` or files, then ``write``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.problems: list[dict[str, Any]] = [problem(), second_problem()]
        self.images: dict[str, bytes] = {"curve.png": png(), "solution.png": png(shade=90)}
        self.tags: str | None = TAGS

    @property
    def first(self) -> dict[str, Any]:
        """The problem about acetic acid."""
        return self.problems[0]

    def sub(self, index: int = 0) -> dict[str, Any]:
        """A subquestion of the first problem."""
        found: dict[str, Any] = self.first["subquestions"][index]
        return found

    def node(self, index: int, sub: int = 0) -> dict[str, Any]:
        """A rubric node of the first problem."""
        found: dict[str, Any] = self.sub(sub)["rubric"][index]
        return found

    def file(self, index: int = 0) -> Path:
        """The problem.json of a problem, by its place in the set as it was valid."""
        return self.root / "tasks" / ["acid-1", "base-1"][index] / "problem.json"

    def write(self, *, tasks: bool = True, dataset: bool = False) -> Path:
        """Write the set and return its folder."""
        if self.tags is not None:
            self.put("tags.toml", self.tags.encode())
        for index, raw in enumerate(self.problems):
            folder = f"tasks/{['acid-1', 'base-1'][index]}"
            if tasks:
                self.put(f"{folder}/problem.json", json.dumps(raw, indent=1).encode())
            if index == 0:
                for name, data in self.images.items():
                    self.put(f"{folder}/images/{name}", data)
        if dataset:
            self.put("dataset.jsonl", "".join(json.dumps(raw) + "\n" for raw in self.problems).encode())
        return self.root

    def put(self, name: str, data: bytes) -> Path:
        """Write one file of the set."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def strip_rubrics(self) -> None:
        """What a set that is published without rubrics leaves out."""
        for raw in self.problems:
            for sub in raw["subquestions"]:
                for name in ("rubric", "rubric_images", "standard_result"):
                    sub.pop(name, None)
        self.images.pop("solution.png")

    def copy(self, root: Path) -> ValidSet:
        """The same set to be written elsewhere."""
        other = ValidSet(root)
        other.problems = copy.deepcopy(self.problems)
        other.images, other.tags = dict(self.images), self.tags
        return other
