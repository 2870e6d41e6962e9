"""A preview says what a grading then does, sends nothing, and leaves no trace."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.archive.store import open_archive
from grader.errors import RunError, UsageError
from grader.grade import GradeRequest, grade
from grader.grade.asking import JudgeRequest
from grader.grade.gaps import ladders
from grader.grade.pipeline import fingerprint_of
from grader.grade.preview_scores import ranks
from grader.judge.cards import load_card
from grader.problem.set import load_set
from grader.record import RunReader
from tests.grade.judged import write_card
from tests.grade.previewed import (
    ANGLE,
    BENT,
    EDITS,
    at,
    edited,
    json_of,
    lines,
    previewed,
    rows,
    said,
    standing,
)
from tests.grade.small import write_lines
from tests.model_server import model_server
from tests.scripted_judge import all_met, judge_reply

DEMO = Path(__file__).parents[2] / "problems" / "demo"


def graded(run, problems, archive, **more):
    return grade(GradeRequest(run, load_set(problems), workers=1, **more), archive)


@pytest.fixture
def run(tmp_path):
    return write_lines(tmp_path / "run.jsonl", lines())


@pytest.fixture
def archive(tmp_path):
    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as opened:
        yield opened


def cells(summary):
    names = ("earned", "full_mark", "share", "low", "high", "earned_follow", "answers")
    return [{name: one[name] for name in names} for one in summary["scores"]]


def gaps(summary):
    found = [
        one for axis in ("protocol", "mode") for ladder in ladders(summary, axis) for one in ladder.as_json()
    ]
    return [(one["model"], one["gap"], one["low"], one["high"]) for one in found]


def agrees(run, problems, archive):
    """Preview, grade and compare; what the preview found."""
    was, there = standing(archive, run), rows(archive)
    digest, _ = fingerprint_of(run, RunReader(run))
    with archive.only_grader(digest):  # a preview waits for nobody
        found = json_of(previewed(run, problems, archive))
    assert rows(archive) == there
    summary = graded(run, problems, archive).summary
    now = standing(archive, run)
    changes = [one for one in found["verdicts"] if one["changes"]]
    for one in changes:
        assert said(one["after"]) == now.get((one["line"], one["sub_id"], one["point_id"]))
        assert said(one["before"]) == was.get((one["line"], one["sub_id"], one["was"]))
    told = {(one["line"], one["sub_id"], name) for one in changes for name in (one["point_id"], one["was"])}
    told |= {
        (line, point["sub_id"], name)
        for point in found["points"]
        if point["change"] == "renamed"
        for name in (point["point_id"], point["was"])
        for line, *_ in was
    }
    flipped = {key for key in was.keys() | now.keys() if was.get(key) != now.get(key)}
    assert flipped <= told
    assert len(changes) == found["changed"] == sum(point["changed"] for point in found["points"])
    assert [one["after"] for one in found["scores"]] == cells(summary)
    after = [(one["model"], one["gap"], *one["after"].values()) for one in found["gaps"]]
    assert sorted(after) == sorted(gaps(summary))
    return found


# The same as the grading


def test_a_preview_flips_what_the_grading_then_flips_and_leaves_the_archive_as_it_was(
    tmp_path, run, archive_url
):
    with open_archive(archive_url) as archive:
        graded(run, edited(tmp_path / "first"), archive)
        found = agrees(run, edited(tmp_path / "second", *EDITS.values()), archive)
        assert {point["point_id"]: point["change"] for point in found["points"]} == {
            "c": "changed",
            "h": "changed",
            "a2": "changed",
            "all": "changed",
            "o1": "changed",
            "any": "changed",
            "s2": "changed",
            "some": "changed",
            "kiwifruit": "renamed",
            "minus": "changed",
            "veto": "changed",
        }
        assert found["moved"] > 0
        nothing = agrees(run, tmp_path / "second", archive)
        assert (nothing["changed"], nothing["moved"], nothing["computed"]) == (0, 0, 0)


@pytest.mark.slow
def test_each_rule_alone_flips_the_same_in_preview_and_grading(tmp_path, run, archive):
    graded(run, edited(tmp_path / "first"), archive)
    for name, edit in EDITS.items():
        assert agrees(run, edited(tmp_path / name, edit), archive)["changed"], name


@pytest.mark.slow
def test_one_corrected_check_of_the_demo_flips_its_verdicts_and_no_others(tmp_path, archive):
    folder = tmp_path / "demo"
    (folder / "tasks").mkdir(parents=True)
    for file in [path for path in DEMO.rglob("*") if path.is_file()]:
        (folder / file.relative_to(DEMO)).parent.mkdir(parents=True, exist_ok=True)
        (folder / file.relative_to(DEMO)).write_bytes(file.read_bytes())
    task = folder / "tasks" / "seed-kinetics-01" / "problem.json"
    task.write_text(task.read_text().replace('"expected": 0.0019,', '"expected": 0.0025,'))
    run = DEMO / "run.jsonl"
    graded(run, DEMO, archive, marks=[DEMO / "marks.jsonl"])
    found = agrees(run, folder, archive)
    assert {one["point_id"] for one in found["verdicts"]} == {"seed-kinetics-01-1-r2"}
    (point,) = found["points"]
    assert point["moves"] == [
        {"before": "met", "after": "not_met", "answers": 2},
        {"before": "not_met", "after": "undetermined (conflicting_candidates)", "answers": 1},
    ]
    assert (found["computed"], found["reused"]) == (3, 144)
    (mark,) = found["marks"]
    assert (mark["by"], mark["model"], mark["line"], mark["counted"]) == ("expert", "demo-weak", 30, True)


# A judge


def judged(run, problems, archive, card, **more):
    request = JudgeRequest(card, **more)
    return grade(GradeRequest(run, load_set(problems), judge=request, workers=1), archive).summary


def not_for_another_reason(body):
    """Meets everything but the point whose text was changed."""
    changed = "another reason" in str(body["messages"])
    return judge_reply(body, lambda name, _: "not_met" if changed and name == "why" else "met")


def flexible_text(problem):
    at(problem, "alk-1", "why")["text"] = "another reason"


def test_a_judge_is_asked_again_about_changed_points_alone_and_the_price_is_said(tmp_path, run, archive):
    with model_server(not_for_another_reason) as server:
        card = write_card(tmp_path, server.base_url)
        first, second = edited(tmp_path / "first"), edited(tmp_path / "second", flexible_text)
        judged(run, first, archive, card)
        sent, there = len(server.bodies), rows(archive)
        how = JudgeRequest(card, price=(1.0, 2.0), dry_run=True)
        found = json_of(previewed(run, second, archive, judge=how))
        assert (len(server.bodies), rows(archive)) == (sent, there)
        assert {one["point_id"] for one in found["verdicts"] if one["waits"]} == {"why"}
        estimate = found["judge"]["estimate"]
        assert found["judge"]["standing"] == 8
        assert found["judge"]["waiting"] == estimate["calls"] == 4
        assert estimate["cost_at_most"] > 0
        summary = judged(run, second, archive, card)
        assert len(server.bodies) == sent + 4
    for cell, real in zip(found["scores"], cells(summary), strict=True):
        assert cell["after"]["low"] <= real["share"] <= cell["after"]["high"]
        if cell["model"] != "three":  # it answered nothing of it
            assert cell["after"]["low"] == real["share"] < cell["before"]["share"]


@pytest.mark.slow
def test_the_same_judge_by_another_name_is_read_from_the_archive_for_nothing(tmp_path, run, archive):
    problems = edited(tmp_path / "set")
    with model_server(all_met) as server:
        summary = judged(run, problems, archive, write_card(tmp_path, server.base_url))
        renamed = tmp_path / "other.toml"
        renamed.write_text((tmp_path / "scripted.toml").read_text())
        how = JudgeRequest(load_card(str(renamed)), dry_run=True)
        found = json_of(previewed(run, problems, archive, judge=how))
    assert (found["changed"], found["judge"]["read"], found["judge"]["waiting"]) == (0, 12, 0)
    assert found["judge"]["estimate"]["calls"] == 0
    assert [one["after"] for one in found["scores"]] == cells(summary)


# People


def test_marks_that_no_longer_count_are_listed_with_who_gave_them_and_where(tmp_path, run, archive):
    marks = write_lines(
        tmp_path / "marks.jsonl",
        [
            {"model": "one", "protocol": "sequential_carry", "point_id": name, "points": points, "by": "Ada"}
            for name, points in (("why", 1), ("kiwis", 3), ("native#2", 1))
        ],
    )

    def turned(problem):
        flexible_text(problem)
        at(problem, "loss", "kiwis")["id"] = "kiwifruit"
        problem["subquestions"][-1]["rubric"] = [BENT, ANGLE]

    graded(run, edited(tmp_path / "first"), archive, marks=[marks])
    found = json_of(previewed(run, edited(tmp_path / "second", turned), archive))
    listed = {
        (one["by"], one["point_id"], one["line"], one["award"], one["counted"]) for one in found["marks"]
    }
    assert listed == {
        ("Ada", "why", 1, 1.0, True),
        ("Ada", "kiwis", 9, 1.0, True),
        ("Ada", "native#2", 11, 1.0, True),
    }
    renamed = {(one["was"], one["point_id"]) for one in found["points"] if one["change"] == "renamed"}
    assert renamed == {("kiwis", "kiwifruit"), ("native#1", "native#2"), ("native#2", "native#1")}
    graded(run, tmp_path / "second", archive)
    (again,) = {one["counted"] for one in json_of(previewed(run, tmp_path / "second", archive))["marks"]}
    assert again is False


# Ranks, and what can't be previewed


def score(model, low, high):
    return {"model": model, "protocol": "p", "mode": "m", "low": low, "high": high}


def test_ranks_are_ranges_while_bounds_overlap_and_ties_share_one():
    found = ranks([score("a", 0.9, 0.9), score("b", 0.5, 0.7), score("c", 0.6, 0.6), score("d", 0.1, 0.1)])
    assert {key[0]: (one["best"], one["worst"], one["of"]) for key, one in found.items()} == {
        "a": (1, 1, 4),
        "b": (2, 3, 4),
        "c": (2, 3, 4),
        "d": (4, 4, 4),
    }
    tied = ranks([score("a", 0.5, 0.5), score("b", 0.5, 0.5), score("c", 0.1, 0.1)])
    assert [(one["best"], one["worst"]) for one in tied.values()] == [(1, 1), (1, 1), (3, 3)]
    assert ranks([score("alone", 0.5, 0.5)]) == {}


def test_a_run_that_was_never_graded_has_nothing_to_compare(tmp_path, run, archive):
    with pytest.raises(UsageError, match="never graded"):
        previewed(run, edited(tmp_path / "set"), archive)


@pytest.mark.slow
def test_a_set_on_which_the_run_was_not_made_is_refused(tmp_path, run, archive):
    problems = edited(tmp_path / "set")
    head = {"schema_version": 1, "visible_hash": load_set(problems).visible_hash}
    bound = write_lines(tmp_path / "bound.jsonl", [head, *lines()])
    graded(bound, problems, archive)

    def shown(problem):
        problem["header"] = "Another figure."

    with pytest.raises(RunError, match="made on other problems"):
        previewed(bound, edited(tmp_path / "other", shown), archive)
