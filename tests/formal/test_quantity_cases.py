"""The shared cases and the demo's expert marks of quantities, integers, choices and booleans."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from grader.answer.answer import Answer
from grader.formal import boolean, choice, integer, quantity
from grader.problem.checks import Check, CheckModel
from grader.record import Finding, Status
from tests.formal.verbatim import verbatim

SHARED = Path(__file__).parents[3] / "shared"
KINDS: dict[str, Any] = {"quantity": quantity, "integer": integer, "choice": choice, "boolean": boolean}
CHECK: TypeAdapter[CheckModel] = TypeAdapter(Check)

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside the repository")


def lines(path: Path) -> list[dict[str, Any]]:
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []
    )


def decided(check: dict[str, Any], text: str, others: tuple[str, ...] = ()) -> Finding:
    model = CHECK.validate_python(check)
    finding: Finding = KINDS[model.kind].decide(model, Answer(text, others))
    return verbatim(finding, text)


CASES = [case for case in lines(SHARED / "cases" / "formal.jsonl") if case["kind"] in KINDS]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_shared_case_is_decided_as_its_author_did(case: dict[str, Any]) -> None:
    check = {"kind": case["kind"], "expected": case["expected"], **(case.get("options") or {})}
    finding = decided(check, case["answer"])
    assert finding.status == case["verdict"], (case["why"], finding)


SEED = SHARED / "seeds" / "chemargus-style"
OPEN = {
    ("seed-coord-01-strong", "seed-coord-01-3-r1"): "an unlabelled list",
    ("seed-coord-01-strong", "seed-coord-01-3-r2"): "an unlabelled list",
    ("seed-coord-01-weak", "seed-coord-01-3-r1"): "an unlabelled list",
    ("seed-coord-01-weak", "seed-coord-01-3-r2"): "an unlabelled list",
    ("seed-electro-01-weak", "seed-electro-01-4-r1"): "the concentration stands inside a logarithm only",
}
"""Awarded by hand, and rightly undetermined for code."""


@cache
def replies() -> dict[tuple[str, str], str]:
    return {
        (reply["response_id"], part["sub_id"]): part["text"]
        for reply in lines(SEED / "responses.jsonl")
        for part in reply["answers"]
    }


def points() -> Iterator[tuple[str, str, list[dict[str, Any]], list[dict[str, Any]]]]:
    """Sub_id, point id, the checks that can earn the point, and those of its siblings."""
    for path in sorted(SEED.glob("tasks/*/problem.json")):
        for sub in json.loads(path.read_text(encoding="utf-8"))["subquestions"]:
            nodes = [node for node in sub["rubric"] if isinstance(node, dict)]
            checks = {
                node["id"]: [member["check"] for member in node.get("of", [node]) if "check" in member]
                for node in nodes
            }
            for point, own in checks.items():
                if any(check["kind"] in KINDS for check in own):
                    siblings = [check for other, held in checks.items() if other != point for check in held]
                    yield sub["sub_id"], point, own, siblings


def labels(checks: list[dict[str, Any]]) -> tuple[str, ...]:
    return tuple(label for check in checks for label in check.get("asked", ()))


MARKS = {(mark["response_id"], mark["point_id"]): mark for mark in lines(SEED / "expert_marks.jsonl")}
MARKED = [
    (response, sub_id, point, own, siblings)
    for sub_id, point, own, siblings in points()
    for response, marked in MARKS
    if marked == point
]


@pytest.mark.parametrize(("response", "sub_id", "point", "own", "siblings"), MARKED)
def test_a_finding_agrees_with_the_expert_or_is_open_where_it_should_be(
    response: str, sub_id: str, point: str, own: list[dict[str, Any]], siblings: list[dict[str, Any]]
) -> None:
    awarded = MARKS[response, point]["awarded"] > 0
    text = replies()[response, sub_id]
    found = [
        decided(check, text, labels([*siblings, *(other for other in own if other is not check)])).status
        for check in own
    ]
    if (response, point) in OPEN:
        assert found == [Status.UNDETERMINED] * len(found)
    elif awarded:
        assert Status.MET in found
    else:
        assert Status.MET not in found
