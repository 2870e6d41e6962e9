"""Problem sets on disk in which everything bears a number of its own, so that a leak can be told by it.

Every name and every text, private or visible, holds a *tag*: twelve digits
that stand nowhere else. Numbers that are private (expected values, marks) are
tags. Images hold a number that is read back from their pixels, and tags in
all metadata that their format has a place for.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.problem.checks import KINDS
from tests.protocol.picture_files import ACROSS, DOWN, FORMS, pattern

_TAG = re.compile(r"7\.?319\d{7}[1-9]")

ODD = (
    "ΔG° = −RT ln K",
    "\\ce{[Cu(NH3)4]^2+}",
    "{braces} and {0} {{twice}}",
    '"quotes" and \\back\\slashes\\',
    "two\nlines\r\nand a\ttab",
    "日本語 e\u0301 𝔸 \u202ereversed",
    "  spaces around  ",
    "%s %(x)s ${y} <b>&amp;</b>",
    "\x1b[2J\u2028\ufeff\U0001f9ea",
)
"""What texts may hold and code may trip over."""


@dataclass
class Made:
    """A problem as it was written, and what its files hold."""

    raw: dict[str, Any]
    pictures: dict[str, int] = field(default_factory=dict)
    """By file name, private ones included."""
    contents: dict[str, str] = field(default_factory=dict)
    """Of the visible input files."""


def tags_in(text: str) -> set[str]:
    """The tags that stand in a text, as a name or as a number."""
    return {tag.replace(".", "") for tag in _TAG.findall(text)}


def write_set(folder: Path, seed: int, count: int) -> tuple[Path, list[Made]]:
    """A set of ``count`` problems."""
    draw = random.Random(seed)
    tags = _tags(seed)
    root = folder / f"set-{next(tags)}"
    as_lines = seed % 2 == 1
    made = [_Maker(draw, tags, root).problem() for _ in range(count)]
    for one in made:
        if not as_lines:
            _put(root / "tasks" / one.raw["problem_id"] / "problem.json", json.dumps(one.raw).encode())
    if as_lines:
        lines = "".join(json.dumps(one.raw, ensure_ascii=False) + "\n" for one in made)
        _put(root / "dataset.jsonl", lines.encode())
    used = sorted({tag for one in made for sub in one.raw["subquestions"] for tag in sub["tags"]})
    _put(root / "tags.toml", ("[tags]\n" + "".join(f'"{tag}" = "{next(tags)}"\n' for tag in used)).encode())
    _put(root / "canary.txt", f"canary {next(tags)}\n".encode())
    _put(root / "signoff.jsonl", f'{{"by": "{next(tags)}"}}\n'.encode())
    return root, made


def _tags(seed: int) -> Iterator[str]:
    """Tags that no other seed makes; none ends in 0, which a power of ten would hide."""
    yield from (f"7319{seed:03}{number:05}" for number in range(100_000) if number % 10)


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


class _Maker:
    """Makes one problem."""

    def __init__(self, draw: random.Random, tags: Iterator[str], root: Path) -> None:
        self._draw = draw
        self._tags = tags
        self._id = f"answer-{next(tags)}"
        self._folder = root / "tasks" / self._id
        self._made = Made({})
        self._quantity: str | None = None  # an earlier point with a number, for others to follow from

    def problem(self) -> Made:
        self._made.raw = {
            "$schema": f"schema-{self._tag()}.json",
            "problem_id": self._id,
            "header": self._text() if self._draw.random() < 0.9 else "",
            "header_images": self._images(2),
            "subquestions": [self._sub() for _ in range(self._draw.randint(1, 4))],
        }
        return self._made

    def _tag(self) -> str:
        return next(self._tags)

    def _text(self) -> str:
        words = [self._tag(), *self._draw.sample(ODD, 2)]
        self._draw.shuffle(words)
        return " ".join(words)

    def _some(self, most: int, make: Callable[[], Any]) -> list[Any]:
        return [make() for _ in range(self._draw.randint(0, most))]

    # What can be seen

    def _images(self, most: int) -> list[dict[str, str]]:
        return self._some(most, self._image)

    def _image(self) -> dict[str, str]:
        form = self._draw.choice(list(FORMS))
        odd = self._draw.choice(["the answer is ", "Fig, 1; ", "é日本 ", "sub/folder/", "100% {x} '", ""])
        name = f"{odd}{self._tag()}.{form.partition('-')[0]}"
        bits = self._draw.getrandbits(ACROSS * DOWN)
        _put(self._folder / "images" / name, FORMS[form](pattern(bits), self._tag))
        self._made.pictures[name] = bits
        described = self._draw.random() < 0.8
        return {"file": name, "description": self._text()} if described else {"file": name}

    def _file(self) -> str:
        name, content = f"solution {self._tag()}.csv", f"x,y\n{self._text()}\n"
        _put(self._folder / "files" / name, content.encode())
        self._made.contents[name] = content
        return name

    def _sub(self) -> dict[str, Any]:
        sub = {
            "sub_id": f"{self._id}-{self._tag()}",
            "tags": [f"tag.{self._tag()}"],
            "text_open": self._text(),
            "text_images": self._images(2),
            "files": self._some(1, self._file),
            **self._rubric(),
        }
        if self._draw.random() < 0.5:
            sub["standard_result"] = f" {self._text()}\n"
        return sub

    # What can't

    def _rubric(self) -> dict[str, Any]:
        shape = self._draw.choice(["none", "native", "typed", "typed", "both"])
        if shape == "none":
            return {"full_mark": int(self._tag())}
        natives = [f"The product is {self._tag()} (2 points)", f"[{self._tag()}]: a reason (1 point)"]
        nodes = self._nodes() if shape in ("typed", "both") else []
        marks = sum(node["points"] for node in nodes if node.get("points", 0) > 0 and "veto" not in node)
        private: dict[str, Any] = {
            "rubric": nodes + (natives if shape != "typed" else []),
            "full_mark": marks + (3 if shape != "typed" else 0),
        }
        private["rubric_images"] = self._images(2)
        private["rubric_files"] = self._some(1, self._gold)
        return private

    def _gold(self) -> str:
        name = f"gold {self._tag()}.mol"
        _put(self._folder / "files" / name, self._tag().encode())
        return name

    def _nodes(self) -> list[dict[str, Any]]:
        checked = [self._point(kind) for kind in self._draw.sample(KINDS, 3)]
        rule = self._draw.choice(["sum", "all", "any", "count"])
        group: dict[str, Any] = {
            "id": self._tag(),
            "points": 1 if rule == "any" else 3,
            "text": self._tag(),
            "rule": rule,
            "of": checked,
        }
        if rule == "count":
            group |= self._draw.choice([{"take": 3}, {"table": {"1": 1, "2": 2, "3": 3}}])
        flexible = {"id": self._tag(), "points": float(self._tag()), "text": self._text(), "partial": True}
        deduction = {"id": self._tag(), "points": -1, "text": self._tag(), "scope": flexible["id"]}
        veto = {"id": self._tag(), "veto": True, "text": self._tag(), "check": self._check("label")}
        return [group, flexible, self._follower(), deduction, veto, {"note": self._tag()}]

    def _follower(self) -> dict[str, Any]:
        """A quantity that follows from the one before, if there is one."""
        point = self._point("quantity")
        if self._quantity is not None:
            point["follow"] = {"from": {"a": self._quantity}, "expression": f"a * {self._tag()}"}
        self._quantity = point["id"]
        return point

    def _point(self, kind: str) -> dict[str, Any]:
        return {"id": self._tag(), "points": 1, "text": self._tag(), "check": self._check(kind)}

    def _check(self, kind: str) -> dict[str, Any]:
        tag = self._tag
        expected: dict[str, Any] = {
            "quantity": {"expected": float(tag()), "unit": "kJ/mol", "abs_tol": float(tag())},
            "integer": {"expected": int(tag())},
            "oxidation_state": {"expected": int(tag()), "element": "Mn"},
            "boolean": {"expected": True, "statement": tag()},
            "choice": {"expected": "A", "choices": ["A", "B"], "texts": {"A": tag(), "B": tag()}},
            "set": {"expected": [tag(), tag()]},
            "sequence": {"expected": [tag(), tag()]},
            "expression": {"expected": f"x*{tag()}", "symbols": {"x": [tag()]}},
        }
        check = expected.get(kind, {"expected": f"C{tag()}"})
        if kind in ("smiles", "inchi", "name", "formula", "label"):
            check["aliases"] = [tag()]
        return {"kind": kind, "asked": [tag()], **check}
