"""A fault is diagnosed as what it is, and nothing else is claimed."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from grader.archive.store import open_archive
from grader.problem.model import Group
from grader.stats.causes import CAUSES, Diagnosis, counterfactuals, diagnose
from grader.stats.chain import chains
from grader.stats.frames import Frames
from grader.stats.losses import losses
from grader.stats.slips import slips
from grader.sweep import load_sweep, run_sweep
from tests.stats.answered import Graded, point, sheets
from tests.stats.faulty import FAULTS, planted
from tests.stats.marked import by_problem

ARCHIVES = 200


def diagnosed(fault: str | None, seed: int) -> Diagnosis:
    world = planted(fault, seed)
    (found,) = diagnose(world.subquestions, world.items, slips(world.points, world.rubrics))
    return found


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_and_no_other(fault: str) -> None:
    found = diagnosed(fault, seed=1)
    assert found.evident == (fault,)
    assert set(found.without_evidence) == set(CAUSES) - {fault}
    assert found.untested == ()


def test_a_model_without_a_fault_has_none() -> None:
    assert diagnosed(None, seed=1).evident == ()


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_found_in_most_archives_and_others_claimed_in_few(fault: str) -> None:
    claimed = [diagnosed(fault, seed).evident for seed in range(ARCHIVES)]
    found = sum(fault in causes for causes in claimed)
    beside = sum(bool(set(causes) - {fault}) for causes in claimed)
    assert found >= 0.90 * ARCHIVES, Counter(claimed)
    assert beside <= 0.06 * ARCHIVES, Counter(claimed)


@pytest.mark.slow
def test_a_model_without_a_fault_has_none_in_most_archives() -> None:
    claimed = [diagnosed(None, seed).evident for seed in range(ARCHIVES)]
    assert sum(map(bool, claimed)) <= 0.06 * ARCHIVES, Counter(claimed)


IMAGES = pd.DataFrame(
    {"problem_id": [f"p{n}" for n in range(4)], "sub_id": "a", "visible_images": [1, 1, 0, 1]}
)


def marked(marks: dict[tuple[str, str], list[float]], follow: float = 0) -> pd.DataFrame:
    """Four problems of 10 marks under each protocol and mode."""
    frames = [by_problem(one, 10, protocol=protocol, mode=mode) for (protocol, mode), one in marks.items()]
    frame = pd.concat(frames)
    return frame.assign(earned_follow=frame["earned"] + follow)


def test_gains_are_paired_differences() -> None:
    frame = marked(
        {
            ("full_problem", "multimodal"): [1, 2, 3, 4],
            ("sequential_carry", "multimodal"): [3, 4, 6, 6],
            ("sequential_carry", "text_only"): [5, 5, 9, 5],
            ("oracle_scaffolded", "text_only"): [6, 8, 9, 9],
        },
        follow=1,
    )
    gains = {(one.measure, one.held): one for one in counterfactuals(frame, IMAGES)}
    assert {name: one.difference.value for name, one in gains.items()} == {
        ("oracle - carry", ("text_only",)): pytest.approx((32 - 24) / 40),
        ("follow-through", ("multimodal",)): pytest.approx(4 / 40),
        ("follow-through", ("text_only",)): pytest.approx(4 / 40),
        ("carry - full", ("multimodal",)): pytest.approx((19 - 10) / 40),
        # the third problem shows no image
        ("text - images", ("sequential_carry",)): pytest.approx((15 - 13) / 30),
    }
    pooled = diagnose(frame, IMAGES)[0]
    assert pooled.untested == ("extraction",)
    assert [one.held for one in pooled.gains if one.measure == "follow-through"] == [
        ("multimodal", "text_only")
    ]


def test_a_loss_is_no_evidence_of_a_cause() -> None:
    frame = marked(
        {("full_problem", "text_only"): [9, 9, 8, 9], ("sequential_carry", "text_only"): [2, 3, 2, 3]}
    )
    (found,) = diagnose(frame, IMAGES)
    (gain,) = [one for one in found.gains if one.cause == "integration"]
    assert gain.difference.evidence
    assert not gain.evidence


def test_open_points_keep_a_gap_from_being_evidence() -> None:
    frame = marked(
        {("full_problem", "text_only"): [2, 3, 2, 3], ("sequential_carry", "text_only"): [9, 9, 8, 9]}
    )
    assert diagnose(frame, IMAGES)[0].evident == ("integration",)
    frame["high"] = 9.0
    assert diagnose(frame, IMAGES)[0].evident == ()


def test_unstated_conditions_show_no_cause() -> None:
    frame = marked(
        {("full_problem", "unstated"): [2, 3, 2, 3], ("sequential_carry", "unstated"): [9, 9, 8, 9]}
    )
    assert [one.measure for one in diagnose(frame, IMAGES)[0].gains] == ["follow-through"]


def test_marks_that_hang_on_form_are_told_apart() -> None:
    graded = Graded(sheets(p_0=([point("a", 2), point("b", 1)], 3)))
    formal = {"a_kind": "smiles"}
    # quoted by a judge; open for its form; decided against by code, with a judge who would give half
    graded.answer("p-0", {"a": 1, "b": 1}, **formal, a_track="located", a_award_code=1.0)
    graded.answer("p-0", {"a": None, "b": 1}, sample=1, **formal, a_reason="no_candidate")
    graded.answer(
        "p-0", {"a": 0, "b": 1}, sample=2, **formal, a_track="formal", a_award_code=0.0, a_award_judge=0.5
    )
    # given by a human where code found nothing; open because a call failed; a flexible point of a judge
    graded.answer("p-0", {"a": 1, "b": 1}, mode="multimodal", **formal, a_track="human")
    graded.answer("p-0", {"a": None, "b": 1}, mode="multimodal", sample=1, **formal, a_reason="call_failed")
    found: Any = slips(graded.frames[1], graded.sheets).set_index("mode")
    marks = ["recovered", "unread", "contested", "imputed"]
    # a of the model is met twice and not met once where it is decided: 2 / 3 of 2 open marks
    assert found.loc["text_only", marks].tolist() == pytest.approx([2, 2, 1, 4 / 3])
    assert found.loc["multimodal", marks].tolist() == [2, 0, 0, 0]


def test_an_unread_alternative_hangs_on_nothing_while_another_is_met() -> None:
    either = Group(id="g", points=2, text="", rule="any", of=(point("a", 2), point("b", 2)))
    graded = Graded(sheets(p_0=([either], 2)))
    graded.answer("p-0", {"a": None, "b": 1}, a_kind="smiles", a_reason="not_comparable")
    assert slips(graded.frames[1], graded.sheets)["unread"].tolist() == [0]


def test_nothing_hangs_on_form_where_code_read_everything() -> None:
    graded = Graded(sheets(p_0=([point("a", 2)], 2)))
    graded.answer("p-0", {"a": 1}, a_kind="smiles", a_track="formal", a_award_code=1.0)
    assert slips(graded.frames[1], graded.sheets).empty


ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "problems" / "demo"


@pytest.fixture(scope="module")
def faulty_solvers(tmp_path_factory: pytest.TempPathFactory) -> Frames:
    """The demo's scripted solvers under six conditions."""
    folder = tmp_path_factory.mktemp("sweep")
    solver = f"{sys.executable} {ROOT}/examples/scripted_solver.py {DEMO} --fault"
    faults = ("propagation", "integration", "images")
    models = "".join(f'[[models]]\nname = "fault-{one}"\ncmd = "{solver} {one}"\n' for one in faults)
    marks = (ROOT / "examples" / "demo-marks.csv").read_text().splitlines(keepends=True)
    (folder / "marks.csv").write_text("".join(line for line in marks if ",text_reader," not in line))
    (folder / "sweep.toml").write_text(
        f'problems = "{DEMO}"\nmarks = ["marks.csv"]\n'
        'protocols = ["full_problem", "sequential_carry", "oracle_scaffolded"]\n'
        f'modes = ["multimodal", "text_only"]\n{models}'
    )
    made = run_sweep(load_sweep(folder / "sweep.toml"))
    with open_archive(str(made.sweep.archive), create=False) as archive:
        frames = Frames.of(archive)
        assert len(frames.points) > 0  # read while the archive is open
        assert len(frames.subquestions) > 0
        assert len(frames.items) == len(frames.rubrics)
    return frames


@pytest.mark.slow
def test_the_scripted_solvers_show_their_own_fault_and_no_other(faulty_solvers: Frames) -> None:
    frames = faulty_solvers
    found = diagnose(frames.subquestions, frames.items, slips(frames.points, frames.rubrics))
    # images costs 4 marks of 77 in two of four problems: too few problems to be evidence
    assert {one.model: one.evident for one in found} == {
        "fault-propagation": ("propagation",),
        "fault-integration": ("integration",),
        "fault-images": (),
    }
    gains = {(one.model, gain.measure): gain.difference.value for one in found for gain in one.gains}
    between = ("oracle - carry", "carry - full", "text - images")
    assert {name: value for name, value in gains.items() if name[1] in between and value} == {
        ("fault-propagation", "oracle - carry"): pytest.approx(50 / 77),
        ("fault-integration", "carry - full"): pytest.approx(39 / 77),
        ("fault-images", "text - images"): pytest.approx(4 / 77),
    }


@pytest.mark.slow
def test_the_scripted_solvers_break_where_their_fault_begins(faulty_solvers: Frames) -> None:
    frames = faulty_solvers
    lost = losses(frames.points, frames.rubrics)
    broken = chains(lost, frames.items).query("state == 'broken'")
    places = broken.groupby(["model", "protocol", "mode"])["earliest"].unique().map(set).to_dict()
    modes, protocols = ("multimodal", "text_only"), ("full_problem", "sequential_carry", "oracle_scaffolded")
    assert places == {
        **{("fault-propagation", protocol, mode): {0} for protocol in protocols for mode in modes},
        **{("fault-integration", "full_problem", mode): {2} for mode in modes},
        # the third question of one problem and the first of another have a figure of their own
        **{("fault-images", protocol, "multimodal"): {0, 2} for protocol in protocols},
    }
    cells = frames.cells.set_index(["model", "protocol", "mode"])
    sums = lost.groupby(["model", "protocol", "mode"])["lost"].sum()
    assert sums.to_dict() == pytest.approx((cells["full_mark"] - cells["high"]).to_dict())
