"""People, judges, repeats and panels: what is missing is counted, what is split is no verdict."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from grader.stats.agreement.agreement import judge_agreement, people_agreement
from grader.stats.agreement.dawid_skene import dawid_skene
from grader.stats.agreement.panel import correlations, effective_number, panel
from grader.stats.agreement.rates import clustered_se, independent_se, share
from grader.stats.agreement.ratings import COLUMNS, Ratings, reference
from grader.stats.agreement.repeats import repeats

NAN = float("nan")


def known(found):
    """What was found, and that it was."""
    assert found is not None
    return found


def table(*rows):
    return pd.DataFrame(rows, columns=COLUMNS)


def test_the_value_of_most_people_counts_and_of_split_people_their_mean():
    found = reference(np.array([[1, 1, 0], [1, 0, NAN], [0.5, NAN, NAN], [NAN, NAN, NAN], [0, 0.5, 1]]))
    assert found.value == pytest.approx([1, 0.5, 0.5, NAN, 0.5], nan_ok=True)
    assert found.verdict == pytest.approx([1, NAN, 0.5, NAN, NAN], nan_ok=True)
    assert list(found.people) == [3, 2, 1, 0, 3]
    assert found.split == 2


def test_an_adjudicated_value_settles_what_people_are_split_on():
    found = reference(np.array([[1, 0], [1, 1]]), np.array([0, NAN]))
    assert list(found.verdict) == [0, 1]
    assert found.split == 0


@settings(max_examples=15)
@given(arrays(float, (6, 4), elements=st.sampled_from([0.0, 0.5, 1.0, NAN])))
def test_who_stands_where_among_people_changes_nothing(crowd):
    there, turned = reference(crowd), reference(crowd[:, ::-1])
    assert turned.verdict == pytest.approx(there.verdict, nan_ok=True)
    assert turned.value == pytest.approx(there.value, nan_ok=True)


def test_a_judge_that_gave_nothing_is_counted_and_not_read_as_zero():
    ratings = Ratings.of(
        table(
            ("b", "p2", "ann", "human", 1, 1.0),
            ("a", "p1", "ann", "human", 1, 1.0),
            ("a", "p1", "bob", "human", 1, 0.0),
            ("a", "p1", "judge", "judge", 7, NAN),
            ("a", "p1", "judge", "judge", 8, 1.0),
            ("b", "p2", "judge", "judge", 7, 1.0),
        )
    )
    assert (ratings.items, ratings.problems, list(ratings.cluster)) == (("a", "b"), ("p1", "p2"), [0, 1])
    assert ratings.judge("judge") == pytest.approx(np.array([[NAN, 1], [1, NAN]]), nan_ok=True)
    assert ratings.asked("judge") == (2, 1)
    assert ratings.crowd == pytest.approx(np.array([[1, 0], [1, NAN]]), nan_ok=True)
    assert ratings.person("bob") == pytest.approx([0, NAN], nan_ok=True)


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (("a", "p1", "ann", "human", 1, 0.0), "twice"),
        (("a", "p2", "bob", "human", 1, 0.0), "two problems"),
        (("a", "p1", "bob", "robot", 1, 0.0), "robot"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(second, said):
    with pytest.raises(ValueError, match=said):
        Ratings.of(table(("a", "p1", "ann", "human", 1, 1.0), second))


def crowd_and_judge(error=0.1, items=400, seed=1):
    """Two people and a judge who all err as often, and the problems."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(items) < 0.5).astype(float)
    three = np.where(rng.random((items, 3)) < error, 1 - truth[:, None], truth[:, None])
    return three[:, :2], three[:, 2], np.repeat(np.arange(items // 10), 10)


def test_a_judge_that_errs_like_a_person_reaches_the_ceiling():
    crowd, judge, cluster = crowd_and_judge()
    found = known(judge_agreement(judge, reference(crowd), crowd, cluster))
    assert not found.indicative
    assert found.items + found.split == 400
    assert found.gap.value == pytest.approx(found.with_people.value - found.ceiling.value)
    assert found.gap.low < 0 < found.gap.high
    # what the two people agree on is surer than one person's verdict
    assert found.kappa.value > found.with_people.value + 0.05


def test_kappa_with_one_person_is_cohens_and_with_two_who_agree_too():
    crowd, judge, cluster = crowd_and_judge()
    same = np.column_stack([crowd[:, 0], crowd[:, 0]])
    found = known(judge_agreement(judge, reference(same), same, cluster))
    assert found.with_people.value == pytest.approx(found.kappa.value)
    assert (found.ceiling.value, found.ceiling.low) == (1, None)


def test_a_judge_much_worse_than_people_lies_below_them():
    crowd, judge, cluster = crowd_and_judge()
    rng = np.random.default_rng(5)
    judge = np.where(rng.random(len(judge)) < 0.3, 1 - judge, judge)
    found = known(judge_agreement(judge, reference(crowd), crowd, cluster))
    assert found.gap.high < 0


def test_one_mark_an_item_has_no_ceiling():
    crowd, judge, cluster = crowd_and_judge()
    found = known(judge_agreement(judge, reference(crowd[:, :1]), crowd[:, :1], cluster))
    assert found.kappa.value is not None
    assert (found.ceiling.value, found.with_people.value, found.gap.value) == (None, None, None)
    assert people_agreement(crowd[:, :1], cluster) is None


def test_partial_credit_has_no_sensitivity():
    crowd = np.array([[1, 1], [0.5, 0.5], [0, 0.0]])
    found = known(judge_agreement([1, 0.5, 0], reference(crowd), crowd, np.arange(3)))
    assert (found.sensitivity.n, found.specificity.value) == (0, None)
    assert found.indicative


def test_people_and_what_they_agree_on():
    crowd, _, cluster = crowd_and_judge(0.2)
    found = known(people_agreement(crowd, cluster))
    assert found.items == 400
    # both err with 0.2, apart from each other: they agree on .68, so kappa is .36
    assert found.kappa.value == pytest.approx(0.36, abs=0.1)
    assert found.kappa.low < 0.36 < found.kappa.high
    assert found.fleiss == pytest.approx(found.kappa.value, abs=0.01)


def test_repeats_by_hand():
    found = known(repeats(np.array([[1, 1, 1], [1, 0, 1], [0, 0, 0], [1, NAN, 1]]), np.array([0, 0, 1, 1])))
    assert (found.items, found.runs, found.missing, found.incomplete) == (4, 3, 1, 1)
    # nothing is an outcome: one differs, one failed once
    assert found.all_equal.value == 0.5
    assert found.complete_equal == pytest.approx(2 / 3)
    # variances 0, 1/3, 0 and 0
    assert found.sd.value == pytest.approx((1 / 12) ** 0.5)
    third = -(2 / 3 * np.log2(2 / 3) + 1 / 3 * np.log2(1 / 3))
    assert found.entropy.value == pytest.approx(third / 2)


def test_what_was_asked_once_has_no_repeats():
    assert repeats(np.ones((5, 1)), np.zeros(5, int)) is None


def test_always_the_same_has_no_interval_without_width():
    found = known(repeats(np.tile([[1.0], [0.0]], (5, 3)), np.arange(10)))
    assert (found.all_equal.value, found.all_equal.low, found.entropy.value) == (1, None, 0)


def test_a_planted_confusion_is_recovered():
    rng = np.random.default_rng(3)
    truth = (rng.random(6_000) < 0.3).astype(int)
    confusion = np.array([[[0.9, 0.1], [0.2, 0.8]], [[0.8, 0.2], [0.05, 0.95]], [[0.7, 0.3], [0.3, 0.7]]])
    given = np.stack([(rng.random(len(truth)) > one[truth, 0]).astype(float) for one in confusion], axis=1)
    given[rng.random(given.shape) < 0.1] = NAN
    found = known(dawid_skene(given))
    assert found.converged
    assert found.confusion == pytest.approx(confusion, abs=0.05)
    assert found.prevalence == pytest.approx([0.7, 0.3], abs=0.03)
    assert found.accuracy == pytest.approx([0.87, 0.845, 0.7], abs=0.03)
    assert (found.posterior.argmax(axis=1) == truth).mean() > 0.9
    assert dawid_skene(np.ones((5, 3))) is None


def test_the_order_of_raters_changes_no_posterior():
    crowd, judge, _ = crowd_and_judge(0.15)
    three = np.column_stack([crowd, judge])
    there, turned = known(dawid_skene(three)), known(dawid_skene(three[:, ::-1]))
    assert turned.posterior == pytest.approx(there.posterior, abs=1e-6)


def errors(share, items=3000, judges=4, seed=2):
    """Judges whose errors come from a common cause in that share of cases."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(items) < 0.5).astype(float)
    own = rng.random((items, judges)) < 0.2
    common = rng.random(items) < 0.2
    wrong = np.where(rng.random((items, judges)) < share, common[:, None], own)
    return np.where(wrong, 1 - truth[:, None], truth[:, None]), truth, np.arange(items) // 20


def test_independent_judges_count_whole_and_one_judge_four_times_counts_once():
    alone, truth, problem = errors(0)
    found = known(panel(alone, truth, problem))
    assert found.mean_correlation.low < 0 < found.mean_correlation.high
    assert found.effective == pytest.approx(4, abs=0.2)
    assert found.majority.value > max(one.value for one in found.accuracy)
    copies = np.tile(alone[:, :1], (1, 4))
    same = known(panel(copies, truth, problem))
    assert same.effective == pytest.approx(1)
    assert same.gain.value == 0


def test_a_shared_cause_of_errors_shows_in_their_correlation():
    votes, truth, problem = errors(0.7)
    found = known(panel(votes, truth, problem))
    # two judges both follow the common cause with .7 x .7
    assert found.mean_correlation.value == pytest.approx(0.49, abs=0.05)
    assert found.effective == pytest.approx(4 / (1 + 3 * found.mean_correlation.value))
    apart = np.abs(votes - truth[:, None])
    assert found.correlation == pytest.approx(np.corrcoef(apart.T))
    assert found.mean_correlation.value == pytest.approx(np.corrcoef(apart.T)[np.triu_indices(4, 1)].mean())


def test_a_judge_without_errors_has_no_correlation_and_is_counted():
    votes, truth, problem = errors(0.5)
    votes[:, 0] = truth
    votes[5, 1] = NAN
    found = known(panel(votes, truth, problem))
    assert (found.items, found.undefined_pairs) == (2999, 3)
    assert np.isnan(correlations(np.abs(votes[:5] - truth[:5, None]))[0]).all()
    assert panel(votes[:, :1], truth, problem) is None
    assert effective_number(3, -0.5) is None


def test_limits_of_shares_against_tables():
    # 9 of 10: Wilson .5958 to .9821; exact .5550 to .9975
    wilson, exact = share(9, 10), share(9, 10, method="exact")
    assert (wilson.low, wilson.high) == pytest.approx((0.5958, 0.9821), abs=5e-5)
    assert (exact.low, exact.high) == pytest.approx((0.5550, 0.9975), abs=5e-5)
    assert share(0, 0).value is None


def test_errors_by_cluster_against_statsmodels():
    from statsmodels.regression.linear_model import OLS

    rng = np.random.default_rng(0)
    problem = np.repeat(np.arange(8), [3, 5, 2, 7, 4, 6, 1, 9])
    values = rng.normal(size=len(problem)) + rng.normal(size=8)[problem]
    fitted = OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": problem})
    assert clustered_se(values, problem) == pytest.approx(fitted.bse[0])
    assert independent_se(values) == pytest.approx(stats.sem(values))
    assert clustered_se(values, np.zeros(len(values), int)) is None
