"""Coefficients of agreement: values by hand, by other libraries, and what must not change them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import cohen_kappa_score

from grader.stats.agreement import additive, coefficients

NAN = float("nan")
BY_MATRIX = ["fleiss_kappa", "krippendorff_alpha", "gwet_ac1"]
BY_PAIR = ["cohen_kappa", "quadratic_kappa", "mcc"]


def marks(values, raters):
    """Matrices of marks, some of them missing."""
    return st.integers(3, 12).flatmap(
        lambda items: arrays(float, (items, raters), elements=st.sampled_from(values))
    )


def paired(values=(0.0, 0.5, 1.0)):
    return marks(values, 2)


def of(name, matrix, **options):
    """A coefficient of two columns, or of a matrix."""
    given = (matrix,) if name in BY_MATRIX else (matrix[:, 0], matrix[:, 1])
    return getattr(coefficients, name)(*given, **options)


def test_values_worked_out_by_hand():
    # 10 items: both 1 on 4, both 0 on 3, only the first 1 on 2, only the second 1 on 1
    first, second = [1] * 6 + [0] * 4, [1] * 4 + [0] * 2 + [1] + [0] * 3
    # po = .7; pe = .6 x .5 + .4 x .5 = .5
    assert coefficients.cohen_kappa(first, second) == pytest.approx(0.4)
    # of two values squared differences weigh as plain ones do
    assert coefficients.quadratic_kappa(first, second) == pytest.approx(0.4)
    # (4 x 3 - 2 x 1) / sqrt(6 x 4 x 5 x 5)
    assert coefficients.mcc(first, second) == pytest.approx(10 / 600**0.5)
    both = np.column_stack([first, second])
    # p = .55; pe = 2 x .55 x .45 = .495; fleiss: pe = .55^2 + .45^2 = .505
    assert coefficients.gwet_ac1(both) == pytest.approx((0.7 - 0.495) / 0.505)
    assert coefficients.fleiss_kappa(both) == pytest.approx((0.7 - 0.505) / 0.495)
    # De = 2 x 11 x 9 / (20 x 19); Do = .3
    assert coefficients.krippendorff_alpha(both) == pytest.approx(1 - 0.3 * 380 / 198)


def test_krippendorffs_own_example_with_missing_marks():
    # Krippendorff, Computing Krippendorff's alpha-reliability (2011), section C: 4 observers, 12 units
    table = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
    matrix = np.array(table).T
    assert coefficients.krippendorff_alpha(matrix) == pytest.approx(0.743, abs=5e-4)
    assert coefficients.krippendorff_alpha(matrix, "interval") == pytest.approx(0.849, abs=5e-4)


def test_gwets_coefficient_counts_an_item_with_one_rating_for_prevalence_alone():
    matrix = np.array([[1, 1], [0, 0], [1, 0], [1, NAN]])
    # pa = 2/3 of the three doubly rated; p = (1 + 0 + 1/2 + 1) / 4 = 5/8; pe = 2 x 5/8 x 3/8
    assert coefficients.gwet_ac1(matrix) == pytest.approx((2 / 3 - 30 / 64) / (1 - 30 / 64))


@settings(max_examples=15)
@given(paired((0.0, 1.0, 2.0, 3.0)))
def test_quadratic_kappa_of_whole_marks_is_scikit_learns(matrix):
    mine = coefficients.quadratic_kappa(*matrix.T)
    assume(mine is not None)
    theirs = cohen_kappa_score(*matrix.T.astype(int), labels=[0, 1, 2, 3], weights="quadratic")
    assert mine == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("name", BY_MATRIX + BY_PAIR)
@settings(max_examples=15)
@given(matrix=paired())
def test_the_order_of_raters_and_of_items_changes_nothing(name, matrix):
    value = of(name, matrix)
    assert of(name, matrix[:, ::-1]) == pytest.approx(value, abs=1e-9, nan_ok=False)
    assert of(name, matrix[::-1]) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("name", ["cohen_kappa", "mcc", *BY_MATRIX])
@settings(max_examples=15)
@given(matrix=paired())
def test_names_of_unordered_categories_change_nothing(name, matrix):
    renamed = np.select([matrix == 0, matrix == 0.5], [7.0, 3.0], 5.0)
    assert of(name, renamed) == pytest.approx(of(name, matrix), abs=1e-9)


@pytest.mark.parametrize("name", BY_MATRIX + BY_PAIR)
@settings(max_examples=15)
@given(column=arrays(float, st.integers(2, 9), elements=st.sampled_from([0.0, 0.5, 1.0])))
def test_perfect_agreement_is_one(name, column):
    assume(len(np.unique(column)) > 1)
    assert of(name, np.column_stack([column, column])) == pytest.approx(1)


@pytest.mark.parametrize(
    "name", ["cohen_kappa", "quadratic_kappa", "mcc", "fleiss_kappa", "krippendorff_alpha"]
)
def test_one_value_throughout_is_undefined_and_no_number(name):
    assert of(name, np.ones((5, 2))) is None


def test_gwets_coefficient_of_one_value_throughout_is_one():
    assert coefficients.gwet_ac1(np.ones((5, 2))) == 1


@pytest.mark.parametrize("name", BY_MATRIX + BY_PAIR)
def test_nothing_to_compare_is_undefined(name):
    assert of(name, np.empty((0, 2))) is None


def test_a_gap_in_a_pair_is_refused_and_not_compared():
    with pytest.raises(ValueError, match="missing"):
        coefficients.cohen_kappa([1, NAN], [1, 0])
    with pytest.raises(ValueError, match="same items"):
        coefficients.cohen_kappa([1, 0, 1], [1, 0])


@pytest.mark.parametrize("name", ["krippendorff_alpha", "gwet_ac1", "fleiss_kappa"])
@settings(max_examples=15)
@given(matrix=marks((0.0, 0.5, 1.0, NAN), 4))
def test_what_is_resampled_is_what_is_printed_of_matrices(name, matrix):
    printed = getattr(coefficients, name)(matrix)
    resampled = getattr(additive, name)(matrix).value()
    assert resampled == (None if printed is None else pytest.approx(printed, abs=1e-9))


@settings(max_examples=15)
@given(matrix=marks((0.0, 0.25, 1.0, NAN), 3))
def test_what_is_resampled_is_what_is_printed_of_interval_alpha(matrix):
    printed = coefficients.krippendorff_alpha(matrix, "interval")
    resampled = additive.krippendorff_alpha(matrix, "interval").value()
    assert resampled == (None if printed is None else pytest.approx(printed, abs=1e-9))


@pytest.mark.parametrize("name", BY_PAIR)
@settings(max_examples=15)
@given(matrix=marks((0.0, 0.5, 1.0, NAN), 2))
def test_what_is_resampled_is_what_is_printed_of_pairs(name, matrix):
    printed = of(name, coefficients.complete(matrix))
    resampled = getattr(additive, name)(matrix[:, 0], matrix[:, 1]).value()
    assert resampled == (None if printed is None else pytest.approx(printed, abs=1e-9))


@given(paired(values=(0.0, 0.25, 1.0)))
def test_pearsons_correlation_is_numpys(matrix):
    assume((np.ptp(matrix, axis=0) > 0).all())
    first, second = matrix.T
    assert additive.pearson(first, second).value() == pytest.approx(np.corrcoef(first, second)[0, 1])
    known = np.append(first, NAN), np.append(second, 1.0)
    assert additive.pearson(*known).value() == additive.pearson(first, second).value()


def test_a_constant_side_has_no_correlation():
    assert additive.pearson([1.0, 1.0, 1.0], [0.0, 1.0, 0.0]).value() is None
