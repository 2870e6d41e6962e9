"""A set of every rule, and what a preview of a grading must agree with: the grading itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from grader.archive.store import Archive
from grader.archive.tables import TABLES
from grader.grade.preview import Preview, PreviewRequest, preview
from grader.problem.set import load_set
from tests.grade.chain import CARRIED, count, sub
from tests.grade.small import line, point, write_set


def whole(name: str, points: float, expected: int, asked: str) -> dict[str, Any]:
    """A point for a whole number."""
    return point(name, points, kind="integer", expected=expected, asked=[asked])


def group(name: str, rule: str, points: float, *members: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A group of points."""
    return {
        "id": name,
        "points": points,
        "text": f"text of {name}",
        "rule": rule,
        "of": list(members),
        **more,
    }


Edit = Callable[[dict[str, Any]], None]

ANGLE, BENT = "The bond angle is 104.5 degrees (2 points)", "It is bent (1 point)"

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
        sub(
            "rules",
            group("all", "all", 2, whole("a1", 1, 1, "apples"), whole("a2", 1, 2, "bananas")),
            group("any", "any", 2, whole("o1", 2, 3, "cherries"), whole("o2", 1, 4, "dates")),
            group("some", "count", 2, whole("s1", 1, 5, "figs"), whole("s2", 2, 6, "grapes"), take=1),
        )
        | {"full_mark": 6},
        {
            "sub_id": "loss",
            "text_open": "Question loss?",
            "full_mark": 3,
            "rubric": [
                whole("kiwis", 3, 7, "kiwis"),
                whole("minus", -1, 9, "limes"),
                {
                    "id": "veto",
                    "veto": True,
                    "text": "no melons",
                    "check": {"kind": "integer", "expected": 13, "asked": ["melons"]},
                },
            ],
        },
        {
            "sub_id": "native",
            "text_open": "Question native?",
            "full_mark": 3,
            "rubric": [ANGLE, BENT],
        },
    ],
}

TEXTS = {
    **CARRIED,
    "rules": "1 apples, 2 bananas. 8 cherries, 4 dates. 5 figs, 6 grapes.",
    "loss": "There are 7 kiwis, 9 limes and 12 melons.",
    "native": "The angle is 104.5 degrees, so it is bent.",
}

OTHER = {
    **TEXTS,
    "alk-1": "It has 5 carbon atoms.",
    "rules": "2 apples, 2 bananas. 3 cherries, 5 dates. 1 figs, 2 grapes.",
}


def lines() -> list[dict[str, Any]]:
    """Two models, each under two protocols, and a call that failed."""
    found = []
    for model, texts in (("one", TEXTS), ("two", OTHER)):
        for sub_id, text in texts.items():
            found.append(line(sub_id, text, model))
            found.append(line(sub_id, text + " ", model, protocol="oracle_scaffolded"))
    return [*found, line("loss", None, "three", error="overloaded"), line("rules", " ", "three")]


def at(problem: dict[str, Any], sub_id: str, point_id: str) -> dict[str, Any]:
    """A node of a problem, to be edited."""
    (rubric,) = (one["rubric"] for one in problem["subquestions"] if one["sub_id"] == sub_id)
    return next(node for node in _nodes(rubric) if node["id"] == point_id)


def _nodes(rubric: list[Any]) -> Iterator[dict[str, Any]]:
    for node in rubric:
        if isinstance(node, dict):
            yield node
            yield from _nodes(node.get("of", []))


def _expect(sub_id: str, point_id: str, expected: int) -> Edit:
    def edit(problem: dict[str, Any]) -> None:
        at(problem, sub_id, point_id)["check"]["expected"] = expected

    return edit


def _rule(problem: dict[str, Any]) -> None:
    at(problem, "rules", "all")["rule"] = "sum"


def _follow(problem: dict[str, Any]) -> None:
    at(problem, "alk-2", "h")["follow"]["expression"] = "2 * c + 1"


def _rename(problem: dict[str, Any]) -> None:
    at(problem, "loss", "kiwis")["id"] = "kiwifruit"


EDITS = {
    "a member of all": _expect("rules", "a2", 20),
    "a member of any": _expect("rules", "o1", 8),
    "a member of count": _expect("rules", "s2", 60),
    "a group's rule": _rule,
    "a deduction": _expect("loss", "minus", 90),
    "a veto": _expect("loss", "veto", 12),
    "a source others follow from": _expect("alk-1", "c", 6),
    "what follows": _follow,
    "an id": _rename,
}
"""One thing changed each, all of it decided by code."""


def edited(folder: Path, *edits: Edit) -> Path:
    """The set with these edits, in a folder of its own."""
    problem = deepcopy(PROBLEM)
    for edit in edits:
        edit(problem)
    return write_set(folder, problem)


def previewed(run: Path, problems: Path, archive: Archive, **how: Any) -> Preview:
    """A preview by one worker."""
    return preview(PreviewRequest(run, load_set(problems), workers=1, **how), archive)


Key = tuple[int, str, str]
"""A line, a sub_id and a point_id."""


def standing(archive: Archive, run: Path) -> dict[Key, tuple[Any, ...]]:
    """What stands for every point, whoever said it; groups without a mark are left out."""
    (known,) = archive.runs(run.stem)
    return {
        (graded.response.line, graded.answer.sub_id, one.point_id): (
            *(one.standing.status.value, one.standing.award, one.standing.award_follow),
            *(one.standing.reason, one.standing.provisional),
        )
        for graded in archive.graded(known)
        for one in graded.points
        if one.standing is not None and not (one.shape == "group" and one.standing.source is None)
    }


def said(one: dict[str, Any] | None) -> tuple[Any, ...] | None:
    """A verdict of a preview, as ``standing`` has it."""
    names = ("status", "award", "award_follow", "reason", "provisional")
    return None if one is None else tuple(one[name] for name in names)


def rows(archive: Archive) -> dict[str, tuple[int, Any]]:
    """How many rows each table has, and its greatest id."""
    with archive._reading() as connection:
        return {
            name: (
                connection.scalar(select(func.count()).select_from(table)) or 0,
                connection.scalar(select(func.max(table.c.id))) if "id" in table.c else None,
            )
            for name, table in TABLES.items()
        }


def json_of(found: Preview) -> dict[str, Any]:
    """As a user of --json reads it."""
    read: dict[str, Any] = json.loads(json.dumps(found.as_json()))
    return read
