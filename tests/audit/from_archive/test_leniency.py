"""Leniency is found where it is and nowhere else, with the weights that marks stand for."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.audit.from_archive.leniency import leniency
from grader.audit.result import Audit, NotAudited
from grader.stats.leniency import leniency as leniency_of
from grader.stats.leniency import leniency_difference
from tests.audit.acceptance import above, outcome
from tests.audit.leniency_at_once import lenient, p_of, sums
from tests.audit.marked_worlds import ASKED, FLIPPING, JUDGING, MODELS, WORLDS, Marked, archives, drawn
from tests.audit.spot_checked import JUDGE, checked, finished, flipping, lenient_to, simulated


def rows(*values):
    """Problem, points, award, human, weight."""
    return pd.DataFrame(values, columns=["problem_id", "points", "award", "human", "weight"])


def by_hand(*values):
    return rows(*values, *[("p9", 1.0, 1.0, 1.0, 1.0), ("p9", 1.0, 0.0, 0.0, 1.0)])


def named(audit, of="", name="leniency"):
    return next(one for one in audit.measures if (one.name, one.of) == (name, of))


def test_points_count_by_their_marks_and_by_what_they_stand_for():
    # (4 * 2 * 1 - 2 * 1 * 0.5) / (4 * 2 + 2 * 1 + 2)
    found = leniency_of(by_hand(("p1", 2.0, 1.0, 0.0, 4.0), ("p2", 1.0, 0.0, 0.5, 2.0)))
    assert found is not None
    assert found.value == pytest.approx(7 / 12)
    assert (found.n, found.problems, found.disagreements) == (4, 3, 2)


def test_withholding_a_deduction_is_lenient_and_a_veto_has_no_marks():
    found = leniency_of(by_hand(("p1", -1.0, 0.0, 1.0, 1.0), ("p2", np.nan, 1.0, 0.0, 1.0)))
    assert found is not None
    assert found.value == pytest.approx(1 / 3)
    assert found.n == 3


def test_no_disagreement_is_no_certainty():
    found = leniency_of(rows(*((f"p{n}", 1.0, 1.0, 1.0, 1.0) for n in range(50))))
    assert found is not None
    assert (found.value, found.p) == (0.0, 1.0)
    # two residuals of 1 among 50 points: se = sqrt(2) / 50, t(49) = 2.0096
    assert found.high == pytest.approx(2.0096 * 2**0.5 / 50, rel=1e-4)


def test_the_jackknife_is_that_of_a_ratio():
    rng = np.random.default_rng(5)
    marked = rows(
        *(
            (f"p{n % 12}", float(rng.integers(1, 4)), *rng.integers(0, 2, 2).astype(float), 1.0)
            for n in range(90)
        )
    )
    found = leniency_of(marked)
    assert found is not None
    without = []
    for one in marked["problem_id"].unique():
        left = marked[marked["problem_id"] != one]
        without.append((left["points"] * (left["award"] - left["human"])).sum() / left["points"].sum())
    assert found.se == pytest.approx(np.sqrt(11 / 12 * ((np.array(without) - np.mean(without)) ** 2).sum()))


AWARD = st.sampled_from([0.0, 0.5, 1.0])
ROW = st.tuples(
    st.sampled_from(["p1", "p2", "p3", "p4"]), st.sampled_from([1.0, 2.0, -1.0]), AWARD, AWARD,
    st.sampled_from([1.0, 4.0]),
)  # fmt: skip


@settings(max_examples=30)
@given(st.lists(ROW, min_size=2, max_size=30))
def test_judge_and_people_changed_over_turn_the_sign(values):
    marked = rows(*values)
    swapped = marked.rename(columns={"award": "human", "human": "award"})
    one, other = leniency_of(marked), leniency_of(swapped)
    assert one is not None
    assert other is not None
    assert one.value == pytest.approx(-other.value)
    assert (one.se is None) == (other.se is None) == (marked["problem_id"].nunique() == 1)
    if one.low is not None:
        assert other.high is not None
        assert one.low == pytest.approx(-other.high)


@settings(max_examples=30)
@given(st.lists(ROW, min_size=2, max_size=30), st.floats(0.1, 50))
def test_only_the_ratios_of_weights_matter(values, factor):
    marked = rows(*values)
    one, other = leniency_of(marked), leniency_of(marked.assign(weight=marked["weight"] * factor))
    assert one is not None
    assert other is not None
    assert one.value == pytest.approx(other.value, abs=1e-9)
    assert (one.se or 0) == pytest.approx(other.se or 0, abs=1e-9)


def test_a_difference_leaves_problems_out_of_both_sides():
    rng = np.random.default_rng(2)
    hard = rng.integers(0, 2, 40).astype(float)
    first = rows(*((f"p{n}", 1.0, hard[n], 0.0, 1.0) for n in range(40)))
    apart = leniency_difference(first, first)
    assert apart is not None
    assert apart.value == 0
    # each side by itself varies between problems; the difference doesn't
    assert apart.se == pytest.approx(0, abs=1e-12)


def test_a_judge_lenient_to_one_model_is_found_and_the_others_are_not_accused():
    points = simulated(lenient_to("b", 0.1), models=MODELS, seed=11)
    found = leniency(checked(points), JUDGE)
    assert isinstance(found, Audit)
    assert not found.indicative
    assert [one.of for one in found.measures if one.flagged and one.of] == ["model b"]
    assert named(found, "model b").p_adjusted == pytest.approx(4 * (named(found, "model b").p or 0))
    assert any(said.startswith("Lenient with model b: +") for said in found.says)


def test_nothing_is_claimed_of_a_sound_judge():
    points = simulated(flipping(0.03, 0.02), models=MODELS, seed=4)
    found = leniency(checked(points), JUDGE)
    assert isinstance(found, Audit)
    assert not any(one.flagged for one in found.measures)
    assert found.says[0].startswith("No evidence of leniency or strictness overall")
    assert "detectable from" in found.says[0]


def test_verdicts_are_not_tested_as_their_sign_is_given():
    found = leniency(checked(simulated(flipping(0.2, 0.2), seed=1)), JUDGE)
    assert isinstance(found, Audit)
    met, unmet = named(found, "verdict met"), named(found, "verdict not_met")
    assert (met.value or 0) > 0 > (unmet.value or 0)
    assert met.p is None
    assert not met.flagged


def test_tags_count_a_point_under_each():
    points = simulated(flipping(0.3, 0.0), seed=3)
    points["tags"] = [("x", "y") if n % 2 else ("y",) for n in range(len(points))]
    found = leniency(checked(points), JUDGE)
    assert isinstance(found, Audit)
    assert named(found, "tag y").n == named(found).n
    assert 0 < named(found, "tag x").n < named(found).n


def test_the_opposite_sign_is_a_share_of_problems():
    # problems p0 to p2 lenient, p3 strict, p4 even
    truth = [0.0, 0.0, 0.0, 1.0, 1.0]
    frame = pd.DataFrame({"problem_id": [f"p{n}" for n in range(5)], "truth": truth})
    frame = frame.assign(point_id="x", drawn=True)
    found = leniency(checked(finished(frame, np.array([1.0, 1.0, 1.0, 0.0, 1.0]), 1.0)), JUDGE)
    assert isinstance(found, Audit)
    assert found.indicative
    assert named(found, name="problems of the opposite sign").value == pytest.approx(1 / 5)


def test_selective_marks_alone_are_refused():
    points = simulated(flipping(0.3, 0.1), seed=3)
    points["drawn"] = False
    found = leniency(checked(points), JUDGE)
    assert isinstance(found, NotAudited)
    assert "argus review" in found.do


def lenient_models(audit):
    assert isinstance(audit, Audit)
    return {one.of: (one.p, one.flagged) for one in audit.measures if one.of.startswith("model ")}


def held_to_the_audit(world, runs, more):
    """The simulation on arrays says of each archive what the audit says."""
    many = drawn(world, runs, seed=3, more=more)
    found = sums(many)
    flags = lenient(found)
    p = np.stack([p_of([found.of(slice(None), [model])]) for model in range(len(MODELS))], axis=1)
    for run, archive in enumerate(archives(many)):
        said = lenient_models(leniency(archive, JUDGE))
        assert list(said) == [f"model {model}" for model in MODELS]
        assert [one for one, _ in said.values()] == pytest.approx(list(p[run]), rel=1e-9)
        assert [flagged for _, flagged in said.values()] == list(flags[run])


def test_what_is_simulated_is_what_the_audit_says():
    held_to_the_audit(ASKED, 2, 0.1)
    held_to_the_audit(Marked("4 % flipped", share=0.1), 1, 0.0)  # few disagreements


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_what_is_simulated_is_what_the_audit_says_everywhere(world):
    for more in (0.0, 0.05):
        held_to_the_audit(world, 5, more)


def test_planted_leniency_is_found_and_families_err_seldom_in_a_few_runs():
    found = outcome(ASKED, 250, 60).lenient
    assert found.found.value >= 0.90
    assert not above(found.false, 0.06)
    assert not above(found.others, 0.06)


@pytest.mark.slow
def test_planted_leniency_is_found_and_families_err_seldom():
    """The requirement: .10 for one model found with Holm in 90 % of runs or more, family error 6 % or less.

    Of 4,000 runs a rate of 5 % is known to 0.34 points, so one of 6 % passes in half of such tests,
    and one of 7 % in one of 100.
    """
    found = outcome(ASKED, 4_000, 2_000).lenient
    assert found.found.value >= 0.90
    assert found.false.value <= 0.06
    assert found.others.value <= 0.06


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_families_err_seldom_in_every_world(world):
    """Of 1,500 runs, errors that would come up in one of 100 tries or fewer at 6 % are a fault."""
    assert outcome(world, 1_500, 300).faults(required=world == ASKED) == []


@pytest.mark.parametrize("name", [*JUDGING, *FLIPPING])
@pytest.mark.parametrize("more", [0.0, 0.1])
def test_the_simulator_makes_the_leniency_it_says(name, more):
    many = drawn(Marked(name, problems=500), 1, seed=8, more=more)
    worth = many.worth[:, None]
    of_models = (worth * (many.award - many.people)).sum(axis=(0, 2, 3)) / worth.sum()
    assert of_models == pytest.approx([0, 0, 0, more], abs=0.02)
    held = np.broadcast_to(worth > 0, many.award.shape)[:, :-1]
    wrong = (many.award != many.people)[:, :-1][held].mean()
    expected = {"very good": 0.04, "good": 0.1, "lenient, centred": 0.18, "mediocre, centred": 0.35}
    assert wrong == pytest.approx((expected | FLIPPING)[name], abs=0.01)
