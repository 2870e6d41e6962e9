"""The demo's formal points against an expert's marks, before any mark could overwrite a finding."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from grader.archive.store import open_archive
from grader.formal.registry import IMPLEMENTED
from grader.grade import GradeRequest, grade
from grader.problem.model import Group, Point, walk
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
    # a descriptor that is also the label of another value, or none
    ("demo-strong", "seed-orgsyn-01-6-r1"),
    ("demo-middling", "seed-orgsyn-01-6-r1"),
    ("demo-weak", "seed-orgsyn-01-6-r1"),
    # the value stands only inside a logarithm
    ("demo-weak", "seed-electro-01-4-r1"),
}
"""Where the set's README calls undetermined right for the formal track."""


@pytest.fixture(scope="module")
def rows():
    rows = [json.loads(row) for row in EXPERT.read_text().splitlines()]
    return {(row["model"], row["point_id"]): row for row in rows}


@pytest.fixture(scope="module")
def expert(rows):
    """The expert's strict marks by model and top-level node."""
    return {key: row["points"] for key, row in rows.items()}


NOT_FOLLOWED = {
    # a count of isomers, half of the marks for a wrong complex, an inverted descriptor
    ("demo-middling", "seed-coord-01-1-r3"),
    ("demo-middling", "seed-coord-01-2-r1"),
    ("demo-middling", "seed-orgsyn-01-6-r1"),
}
"""What follows by the expert's mark and by no expression or reaction: marked by people."""


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The points of every answer, by model, as code alone decides them."""
    url = f"sqlite:///{tmp_path_factory.mktemp('demo') / 'argus.db'}"
    with open_archive(url) as archive:
        result = grade(GradeRequest(DEMO / "run.jsonl", load_set(DEMO)), archive)
        assert result.failures == []
        return [
            (answer.response.model, point) for answer in archive.graded(result.run) for point in answer.points
        ]


@pytest.fixture(scope="module")
def findings(graded):
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
    for model, point in graded:
        if point.point_id in top:
            (finding,) = point.findings
            found[model, top[point.point_id]].append(finding.finding.status)
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
    assert len(findings) == 3 * 46


def test_what_follows_from_an_own_error_earns_what_the_expert_gave(graded, rows):
    followed = {}
    for model, point in graded:
        for stored in point.findings:
            if stored.award_follow != stored.finding.award:
                assert "follow_through" in stored.followed.finding.flags
                followed[model, point.point_id] = stored.award_follow
    differs = {key: row["points_follow"] for key, row in rows.items() if "points_follow" in row}
    assert len(differs) == 15
    assert followed.keys() == differs.keys() - NOT_FOLLOWED
    worth = {point.id: point.points for point in points_of(load_set(DEMO))}
    assert all(award * worth[key[1]] == differs[key] for key, award in followed.items())


def points_of(demo):
    """Every point of the set."""
    subs = (sub for problem in demo.problems.values() for sub in problem.subquestions)
    return (node for sub in subs for node in walk(nodes(sub)) if isinstance(node, Point))


def test_with_the_marks_the_demo_scores_what_the_expert_gave(rows, tmp_path):
    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as archive:
        request = GradeRequest(DEMO / "run.jsonl", load_set(DEMO), marks=[DEMO / "marks.jsonl"])
        summary = grade(request, archive).summary
    totals: dict[str, list[float]] = defaultdict(lambda: [0, 0])
    for (model, _), row in rows.items():
        totals[model][0] += row["points"]
        totals[model][1] += row.get("points_follow", row["points"])
    earned = {row["model"]: [row["earned"], row["earned_follow"]] for row in summary["scores"]}
    assert earned == totals
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
    assert marked & decided == NOT_FOLLOWED & decided
