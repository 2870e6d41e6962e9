"""Random marks stand for what they were drawn from, and selective ones for nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from grader.audit.from_archive.labels import labels, what_to_do
from tests.audit.spot_checked import JUDGE, checked, finished, rated, simulated


def frame(**columns):
    """One point a row, on problems of their own; people say met wherever it is marked."""
    n = len(next(iter(columns.values())))
    base = {"problem_id": [f"p{place}" for place in range(n)], "point_id": "x", "truth": 1.0}
    return finished(pd.DataFrame({"drawn": True, **base, **columns}), np.ones(n))


def test_a_mark_stands_for_the_inverse_of_the_probability_of_being_drawn_and_marked():
    points = frame(drawn=[True, True, True, False, False, False, False, False])
    points.loc[2, "human"] = np.nan
    found = labels(checked(points), JUDGE)
    assert found.marked["weight"].tolist() == pytest.approx([3 / 2 / 0.25] * 2)
    assert found.waiting == 1
    assert found.notes[0] == "stratum confident: drawn at rate 0.25, 2 of 3 drawn points marked."


def test_weights_add_up_to_what_was_decided_on_average():
    sums = [
        labels(checked(simulated(lambda rows, _: rows["truth"].to_numpy(), seed=seed)), JUDGE).marked[
            "weight"
        ]
        for seed in range(10)
    ]
    # 1,200 points drawn at 0.25: a sum's standard error is 60, that of the mean of 10 is 19
    assert np.mean([one.sum() for one in sums]) == pytest.approx(1200, abs=57)


def test_marks_on_doubted_points_that_nobody_drew_stand_for_nothing():
    points = frame(
        drawn=[True, False, False, False], stratum=["confident", "confident", "doubtful", "doubtful"]
    )
    points.loc[2, "human"] = 0.0
    found = labels(checked(points), JUDGE)
    assert found.marked["problem_id"].tolist() == ["p0"]
    assert found.unseen == 2
    assert any("1 marked point left out" in note for note in found.notes)
    assert any("no random mark on 2 points" in note for note in found.notes)


def test_a_stratum_marked_in_full_is_no_sample():
    points = frame(drawn=[False, False], rate=[0.1, 0.1])
    points["human"] = [1.0, 0.0]
    assert labels(checked(points), JUDGE).marked["weight"].tolist() == [1.0, 1.0]


def test_marks_of_unknown_rate_are_not_taken_for_a_sample():
    points = frame(drawn=[True, False], rate=[np.nan, np.nan])
    found = labels(checked(points), JUDGE)
    assert found.marked.empty
    assert found.unseen == 2


def test_one_judge_is_not_audited_by_marks_on_another():
    points = frame(
        drawn=[True] * 4, by=[f"judge:{JUDGE}", "judge:other@0", "formal:integer@1", f"judge:{JUDGE}"]
    )
    found, code = (labels(checked(points), judge) for judge in (JUDGE, "formal"))
    assert found.marked["problem_id"].tolist() == ["p0", "p3"]
    assert code.marked["problem_id"].tolist() == ["p2"]


def test_an_undetermined_point_is_asked_about_and_not_decided():
    points = frame(drawn=[True, True])
    points.loc[0, ["award", "status"]] = [np.nan, "undetermined"]
    found = labels(checked(points), JUDGE)
    assert (len(found.asked), len(found.decided), len(found.marked)) == (2, 1, 1)


@pytest.mark.parametrize(("kind", "right"), [("second", 0.5), ("adjudication", 0.0), ("dispute", 0.0)])
def test_people_who_differ_count_by_shares_unless_somebody_settled_it(kind, right):
    points = frame(drawn=[True])
    first, second = rated(points), rated(points, "bob").assign(award=0.0, kind="second")
    settled = rated(points, "cy").assign(award=0.0, kind=kind, blind=False)
    points = points.assign(human=0.5 if kind == "second" else 0.0, disagree=True, people=2)
    ratings = pd.concat([first, second] + [settled] * (kind != "second"), ignore_index=True)
    (row,) = labels(checked(points, ratings), JUDGE).marked.to_dict("records")
    assert row["right"] == right
    assert [row["human_not_met"], row["human_partial"], row["human_met"]] == [1 - right, 0, right]


def test_an_adjudication_from_a_file_settles_too():
    points = frame(drawn=[True])
    ratings = pd.concat(
        [
            rated(points),
            rated(points, "bob").assign(award=0.0),
            rated(points, "cy").assign(kind="file", blind=False),
        ],
        ignore_index=True,
    )
    points = points.assign(human=1.0, disagree=True, people=2)
    assert labels(checked(points, ratings), JUDGE).marked["right"].tolist() == [1.0]


def test_types_tell_checks_shapes_and_flexible_points_apart():
    points = frame(drawn=[True] * 3, kind=["integer", None, None], shape=["point", "point", "deduction"])
    assert labels(checked(points), JUDGE).marked["type"].tolist() == [
        "integer",
        "flexible",
        "flexible deduction",
    ]


def test_what_to_do_names_the_cheapest_way():
    waiting = frame(drawn=[True] * 9)
    waiting["human"] = np.nan
    assert what_to_do(labels(checked(waiting), JUDGE), JUDGE, 5).startswith("Mark the spot check: 9 drawn")
    undrawn = frame(drawn=[False] * 50)
    assert "about 0.2," in what_to_do(labels(checked(undrawn), JUDGE), JUDGE, 10)
    assert "Grade more answers" in what_to_do(labels(checked(undrawn), JUDGE), JUDGE, 60)
