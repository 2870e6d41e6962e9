"""Problems whose every private string is a marker that no visible string contains."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from grader.problem.model import Problem

PRIVATE = "§"
"""Stands in every private string, and in no visible one."""


def chain(length: int, images: list[int], nodes: list[str], missing: set[int]) -> Problem:
    """A problem of ``length`` subquestions.

    ``images`` holds the number of figures of the header and of each
    subquestion, ``nodes`` the shape of each rubric, ``missing`` the indices of
    the subquestions without a standard result.
    """
    subs = [_sub(index, images[index + 1], nodes[index], index not in missing) for index in range(length)]
    header = [_image(f"header-{number}") for number in range(images[0])]
    raw = {"problem_id": "p", "header": "shared background", "header_images": header, "subquestions": subs}
    return Problem.model_validate(raw)


def _image(name: str, private: str = "") -> dict[str, str]:
    return {"file": f"{private}{name}.png", "description": f"{private}what {name} shows"}


def _sub(index: int, images: int, shape: str, has_result: bool) -> dict[str, Any]:
    sub: dict[str, Any] = {
        "sub_id": f"p-{index}",
        "tags": [f"{PRIVATE}tag"],
        "text_open": f"question {index}",
        "text_images": [_image(f"figure-{index}-{number}") for number in range(images)],
        "files": [f"input-{index}.csv"],
        "full_mark": 7,
        "rubric": _rubric(shape),
        "rubric_images": [_image(f"solution-{index}", PRIVATE)],
        "rubric_files": [f"{PRIVATE}gold-{index}.mol"],
    }
    return {**sub, "standard_result": f"{PRIVATE}result {index}"} if has_result else sub


def _rubric(shape: str) -> list[Any] | None:
    check = {"kind": "smiles", "expected": f"{PRIVATE}CCO", "aliases": [f"{PRIVATE}alias"]}
    point = {"id": f"{PRIVATE}r1", "points": 7, "text": f"{PRIVATE}point", "check": check}
    group = {"id": f"{PRIVATE}g", "points": 7, "text": f"{PRIVATE}group", "rule": "all", "of": [point]}
    rest = [
        {"id": f"{PRIVATE}d", "points": -1, "text": f"{PRIVATE}deduction"},
        {"id": f"{PRIVATE}v", "veto": True, "text": f"{PRIVATE}veto"},
        {"note": f"{PRIVATE}note"},
    ]
    rubrics = {"none": None, "point": [point], "group": [group, *rest]}
    return rubrics[shape]


@st.composite
def chains(draw: st.DrawFn) -> Problem:
    """Any such problem of up to four subquestions."""
    length = draw(st.integers(1, 4))
    images = draw(st.lists(st.integers(0, 2), min_size=length + 1, max_size=length + 1))
    shapes = st.sampled_from(["none", "point", "group"])
    nodes = draw(st.lists(shapes, min_size=length, max_size=length))
    missing = draw(st.sets(st.integers(0, length - 1)))
    return chain(length, images, nodes, missing)
