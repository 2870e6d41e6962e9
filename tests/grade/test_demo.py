"""The demo's formal points against an expert's marks, before any mark could overwrite a finding."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from grader.archive.store import open_archive
from grader.formal.registry import IMPLEMENTED
from grader.grade import GradeRequest, grade
from grader.problem.model import Group, Point
from grader.problem.nodes import nodes
from grader.problem.set import load_set
from grader.record import Status

DEMO = Path(__file__).resolve().parents[2] / "problems" / "demo"
EXPERT = Path(__file__).resolve().parents[1] / "fixtures" / "demo" / "expert_marks.jsonl"

OPEN = {
    # a list without labels, or two values that no label tells apart
    ("demo-weak", "seed-kinetics-01-1-r2"),
    ("demo-weak", "seed-kinetics-01-1-r3"),
    ("demo-weak", "seed-kinetics-01-1-r4"),
    ("demo-strong", "seed-coord-01-3-r1"),
    ("demo-strong", "seed-coord-01-3-r2"),
    ("demo-weak", "seed-coord-01-3-r1"),
    ("demo-weak", "seed-coord-01-3-r2"),
    # a hedge over two formulas
    ("demo-weak", "seed-coord-01-1-r2"),
    # a range, an order of magnitude, a bound
    ("demo-weak", "seed-kinetics-01-4-r2"),
    ("demo-weak", "seed-kinetics-01-3-r2"),
    ("demo-weak", "seed-electro-01-3-r4"),
    # no value at all
    ("demo-weak", "seed-coord-01-1-r3"),
    ("demo-weak", "seed-coord-01-4-r3"),
    ("demo-weak", "seed-electro-01-3-r2"),
    ("demo-weak", "seed-electro-01-5-r2"),
    ("demo-weak", "seed-electro-01-5-r3"),
    # the value stands only inside a logarithm
    ("demo-weak", "seed-electro-01-4-r1"),
}
"""Where the set's README calls undetermined right for the formal track."""


@pytest.fixture(scope="module")
def expert():
    rows = [json.loads(row) for row in EXPERT.read_text().splitlines()]
    return {(row["model"], row["point_id"]): row["points"] for row in rows}


@pytest.fixture(scope="module")
def findings(tmp_path_factory):
    """The statuses of the findings of the implemented kinds, by model and top-level node."""
    demo = load_set(DEMO)
    top: dict[str, str] = {}
    for problem in demo.problems.values():
        for sub in problem.subquestions:
            for node in nodes(sub):
                assert isinstance(node, Point | Group)
                members = node.of if isinstance(node, Group) else (node,)
                kinds = {m.check.kind for m in members if isinstance(m, Point) and m.check}
                if kinds and kinds <= set(IMPLEMENTED):
                    top |= {member.id: node.id for member in members}
    found: dict[tuple[str, str], list[Status]] = defaultdict(list)
    url = f"sqlite:///{tmp_path_factory.mktemp('demo') / 'argus.db'}"
    with open_archive(url) as archive:
        result = grade(GradeRequest(DEMO / "run.jsonl", demo), archive)
        assert result.failures == []
        for answer in archive.graded(result.run):
            for point in answer.points:
                if point.point_id in top:
                    (finding,) = point.findings
                    found[answer.response.model, top[point.point_id]].append(finding.finding.status)
    return found


def test_no_finding_contradicts_the_expert(findings, expert):
    wrong = {}
    for key, statuses in findings.items():
        if Status.MET in statuses and expert[key] == 0:
            wrong[key] = "given credit"
        if set(statuses) == {Status.NOT_MET} and expert[key] > 0:
            wrong[key] = "refused"
    assert wrong == {}


def test_only_what_the_answers_leave_open_is_undetermined(findings):
    undetermined = {
        key
        for key, statuses in findings.items()
        if Status.MET not in statuses and Status.UNDETERMINED in statuses
    }
    assert undetermined == OPEN
    assert len(findings) == 3 * 42


def test_with_the_marks_the_demo_scores_what_the_expert_gave(expert, tmp_path):
    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as archive:
        request = GradeRequest(DEMO / "run.jsonl", load_set(DEMO), marks=[DEMO / "marks.jsonl"])
        summary = grade(request, archive).summary
    totals: dict[str, float] = defaultdict(float)
    for (model, _), points in expert.items():
        totals[model] += points
    assert {row["model"]: row["earned"] for row in summary["scores"]} == dict(totals)
    assert all(row["low"] == row["share"] == row["high"] for row in summary["scores"])
    assert summary["undetermined"] == []


def test_the_demo_marks_hold_nothing_that_code_decides(findings, expert):
    marked = {
        (row["model"], row["point_id"])
        for row in map(json.loads, (DEMO / "marks.jsonl").read_text().splitlines())
    }
    assert marked <= set(expert)
    decided = {
        key
        for key, statuses in findings.items()
        if Status.UNDETERMINED not in statuses or Status.MET in statuses
    }
    assert marked & decided == set()
