"""Marks on points that nobody drew never enter a sample, and what a sample can't speak of is refused."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import AuditError
from grader.grade.plan import plan
from grader.judge.card import SpotCheck
from grader.problem.model import Problem
from grader.score import Award, score_subquestion
from grader.stats.checked import read_checked
from grader.stats.checked.columns import ANSWERS, POINTS
from grader.stats.checked.machine import Scorer, changed_marks, marks_of
from grader.stats.checked.reading import Checked
from grader.stats.checked.samples import sample_of, samples_of
from grader.stats.correction.corrected import corrected
from grader.stats.correction.difference import corrected_difference
from grader.stats.estimate import difference, share
from grader.stats.frames import Frames
from tests.audit.drawn import Opinion, Script, drawn_archive, right
from tests.grade.small import point

ALPHA, BETA = (("alpha", "sequential_carry", "text_only"), ("beta", "sequential_carry", "text_only"))
NAN = float("nan")


@dataclass(frozen=True)
class Made:
    """Points by hand: one answer of one problem each, worth 1."""

    rows: list[dict[str, Any]]

    @cached_property
    def checked(self) -> Checked:
        names = {"model": "alpha", "protocol": "sequential_carry", "mode": "text_only", "sample": 0}
        points = [
            {**names, "problem_id": f"p{n}", "sub_id": f"p{n}-1", "points": 1.0, "graded": row["award"]} | row
            for n, row in enumerate(self.rows)
        ]
        for one in points:
            one["marked"] = one["human"]
        answers = [one | {"full_mark": 1.0, "rest": 0.0, "settled": 0.0} for one in points]
        nobody: Any = None
        return Checked(
            archive=nobody,
            source=nobody,
            judge="card@0",
            provisional=False,
            points=pd.DataFrame(points, columns=POINTS),
            answers=pd.DataFrame(answers, columns=ANSWERS),
            ratings=pd.DataFrame(),
        )


def row(stratum="confident", rate=0.5, drawn=True, human=NAN, award=1.0):
    return {"stratum": stratum, "rate": rate, "drawn": drawn, "human": human, "award": award}


def test_marks_count_only_where_chance_drew_the_point():
    made = Made([row(human=1.0), row(human=0.0), row(drawn=False, human=0.0), row(drawn=False)])
    sample = sample_of(made.checked, *ALPHA)
    assert sample.marked[:2].tolist() == [1.0, 0.0]
    assert np.isnan(sample.marked[2:]).all()
    assert sample.probability.tolist() == [0.5] * 4
    assert sample.disagrees.tolist() == [False, True, False, False]
    assert sample.problem.tolist() == [0, 1, 2, 3]
    assert sample.full.tolist() == [1.0] * 4


def test_drawn_points_that_wait_for_a_mark_lower_the_probability_of_their_stratum_alone():
    made = Made(
        [
            *(row(human=1.0), row(), row(), row(human=0.0), row(drawn=False)),
            *(row("formal", 0.2, human=1.0), row("formal", 0.2, drawn=False)),
        ]
    )
    sample = sample_of(made.checked, *ALPHA)
    assert sample.probability.tolist() == [0.25] * 5 + [0.2] * 2


def test_a_stratum_that_people_marked_whole_needs_no_chance():
    made = Made([row("formal", NAN, drawn=False, human=0.0), row(human=1.0), row(drawn=False)])
    sample = sample_of(made.checked, *ALPHA)
    assert sample.probability.tolist() == [1.0, 0.5, 0.5]
    assert sample.marked[0] == 0.0


def test_a_stratum_of_which_chance_took_nothing_keeps_its_rate():
    made = Made([row(human=1.0), row(drawn=False), row("formal", 0.02, drawn=False)])
    assert sample_of(made.checked, *ALPHA).probability.tolist() == [0.5, 0.5, 0.02]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row(drawn=False), row("formal", drawn=False)], "no spot check was drawn of this score"),
        (
            [row("doubtful", drawn=False, human=0.0), row("doubtful", drawn=False)],
            "no spot check was drawn of this score; got marks on 1 of 2 points, none of them drawn",
        ),
        ([row(), row()], "none of 2 drawn points is marked yet"),
        (
            [row(human=1.0), row("doubtful"), row("doubtful", drawn=False), row("formal", human=1.0)],
            r"none of the 1 drawn points .* and that are doubted \(stratum doubtful, 50.0 % of the marks\)",
        ),
        (
            [row(human=1.0), row(human=1.0), row(human=0.0), row("formal", NAN, drawn=False)],
            r"nothing was drawn of the points that code decided \(stratum formal, 25.0 % of the marks\)",
        ),
    ],
)
def test_what_marks_say_nothing_of_is_refused_with_what_to_do(rows, message):
    with pytest.raises(AuditError, match=message) as refused:
        sample_of(Made(rows).checked, *ALPHA)
    assert "argus review" in str(refused.value)


def test_a_cell_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(AuditError, match=r"got beta, .*; expected alpha, sequential_carry, text_only"):
        sample_of(Made([row(human=1.0)]).checked, *BETA)


# Whole archives


def test_a_sample_without_errors_leaves_scores_and_gaps_as_reports_have_them(tmp_path):
    script = Script(12, models=("alpha", "beta"), samples=2, rates=SpotCheck(confident=0.6, formal=0.6))
    with drawn_archive(tmp_path, script) as desk:
        desk.mark("Ada", lambda spot: spot.award)
        checked, frames = read_checked(desk.archive), Frames.of(desk.archive)
    subs = frames.subquestions
    for cell in (ALPHA, BETA):
        found = corrected(sample_of(checked, *cell))
        graded = share(subs[subs["model"] == cell[0]])
        assert graded
        assert found.disagreements == 0
        assert found.judge_only.value == pytest.approx(graded.value)
        assert (found.judge_only.low, found.judge_only.high) == pytest.approx((graded.low, graded.high))
    one, two = samples_of(checked, [ALPHA, BETA])
    gap = corrected_difference(one, two, tune=False)
    apart = difference(subs[subs["model"] == "alpha"], subs[subs["model"] == "beta"])
    assert apart
    assert one.full.tolist() == [4.0] * 12  # two samples share a subquestion's weight
    assert gap.judge_only.value == pytest.approx(apart.value)
    assert gap.value == pytest.approx(apart.value)
    assert (gap.judge_only.low, gap.judge_only.high) == pytest.approx((apart.low, apart.high))


def test_only_common_subquestions_are_compared(tmp_path):
    with drawn_archive(tmp_path, Script(6, models=("alpha", "beta"))) as desk:
        desk.mark("Ada")
        checked = read_checked(desk.archive)
    held = ~((checked.answers["model"] == "beta") & (checked.answers["problem_id"] == "p002"))
    kept = ~((checked.points["model"] == "beta") & (checked.points["problem_id"] == "p002"))
    less = Checked(
        *(checked.archive, checked.source, checked.judge, False),
        *(checked.points[kept].reset_index(drop=True), checked.answers[held].reset_index(drop=True)),
        checked.ratings,
    )
    one, two = samples_of(less, [ALPHA, BETA])
    assert len(one.full) == len(two.full) == 5
    assert len(one.graded) == len(two.graded) == 15
    assert len(sample_of(less, *ALPHA).full) == 6


def test_marks_of_triage_alone_are_refused_however_many(tmp_path):
    def judge(spot):
        return Opinion(1.0, confidence=0.5 if spot.chance("sure") < 0.3 else 0.9)

    rates = SpotCheck(confident=1e-9, doubtful=1e-9, formal=1e-9)
    with drawn_archive(tmp_path, Script(20, judge=judge, rates=rates)) as desk:
        assert desk.mark("Ada", right) > 5
        with pytest.raises(
            AuditError, match="nothing was drawn of the points that the judge decided and nobody doubts"
        ):
            sample_of(read_checked(desk.archive), *ALPHA)


def test_with_everything_drawn_and_marked_the_score_is_people_s(tmp_path):
    def judge(spot):
        return Opinion(1.0)

    everything = SpotCheck(confident=1.0, doubtful=1.0, formal=1.0)
    with drawn_archive(tmp_path, Script(10, judge=judge, rates=everything)) as desk:
        desk.mark("Ada", right)
        found = corrected(sample_of(read_checked(desk.archive), *ALPHA), tune=False)
        worth = {"n": 1, "a": 2, "b": 1}
        truth = sum(worth[spot.point_id] * right(spot) for spot in desk.spots.values()) / 40
    assert found.value == pytest.approx(truth)
    assert found.judge_only.value > truth


def test_what_people_settled_is_in_a_corrected_score(tmp_path):
    def judge(spot):
        return Opinion(None) if spot.point_id == "b" else Opinion(1.0)

    everything = SpotCheck(confident=1.0, doubtful=1.0, formal=1.0)
    with drawn_archive(tmp_path, Script(4, judge=judge, found=lambda s: 1.0, rates=everything)) as desk:
        desk.mark("Ada", lambda spot: 1.0)
        sample = sample_of(read_checked(desk.archive), *ALPHA)
    assert corrected(sample, tune=False).value == pytest.approx(1.0)  # 3 marks decided, 1 settled
    assert sample.rest.tolist() == [1.0] * 4


# Marks of points that act on each other

NODES: list[dict[str, Any]] = [
    {"id": "g", "points": 2, "text": "x", "rule": "any", "of": [point("g1", 2), point("g2", 1)]},
    {"id": "h", "points": 3, "text": "x", "rule": "all", "of": [point("h1", 2), point("h2", 1)]},
    point("a", 2),
    {"id": "d", "points": -3, "text": "x"},
    {"id": "e", "points": -1, "text": "x", "scope": "a"},
    {"id": "v", "veto": True, "text": "x", "scope": "g"},
]
SUB = {"sub_id": "s", "text_open": "x", "full_mark": 7, "rubric": NODES}
(PLANNED,) = plan(
    {"p": Problem.model_validate({"problem_id": "p", "header": "x", "subquestions": [SUB]})}, "p"
).subquestions["p"]
NAMES = [one.node.id for one in PLANNED.points if one.shape != "group"]


@given(
    st.fixed_dictionaries({name: st.sampled_from([0.0, 1.0]) for name in NAMES}),
    st.sampled_from(NAMES),
    st.sampled_from([0.0, 1.0]),
)
def test_one_error_in_an_answer_is_corrected_exactly(awards, name, human):
    def score(given):
        found = score_subquestion(PLANNED.nodes, 7, {one: Award(award) for one, award in given.items()})
        return found.earned

    assert Scorer().interacting(PLANNED)
    graded = {
        one.node.id: marks_of(one, PLANNED, awards[one.node.id])
        for one in PLANNED.points
        if one.node.id in awards
    }
    rest = score(awards) - sum(graded.values())
    marked = graded[name] + changed_marks(PLANNED, awards, name, human)
    others = sum(marks for one, marks in graded.items() if one != name)
    assert rest + others + marked == pytest.approx(score({**awards, name: human}))
