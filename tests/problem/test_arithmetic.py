"""An expression of follow-through is arithmetic and nothing else, whatever stands in it."""

from __future__ import annotations

import math
import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.problem.arithmetic import MOST, NoValue, Unreadable, read_expression


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("25.0*x/100", 0.75),
        ("(1.8e-10 / x) ** 0.5", math.sqrt(6e-11)),
        ("-x^2", -9),
        ("2^-1", 0.5),
        ("2**3**2", 512),
        ("10 - 4 - 3", 3),
        ("12 / 2 * 3", 18),
        ("+x - -x", 6),
        (".5 + 1. + 1E+1", 11.5),
        ("exp(-58.0e3 / (8.314 * 298.15)) * x", 3 * math.exp(-58.0e3 / (8.314 * 298.15))),
        ("0.799 + 0.05916 * log10(1.342e-5) - 0.241", 0.26976),
        ("ln(exp(x)) + sqrt(x * x) + abs(-x)", 9),
        ("min(x, 2, 5) + max(x, 2)", 5),
    ],
)
def test_arithmetic_has_its_value(text, value):
    assert read_expression(text).value({"x": 3.0}) == pytest.approx(value, rel=1e-4)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it breaks off"),
        ("x +", "it breaks off"),
        ("(x", "it breaks off"),
        ("2 x", "unexpected 'x'"),
        ("x²", "unexpected '²'"),
        ("x % 2", "unexpected '% 2'"),
        ("x.real", "unexpected '.real'"),
        ("x[0]", "unexpected '[0]'"),
        ("lambda: 1", "unexpected ': 1'"),
        ("'a'*9", "unexpected"),
        ("__import__('os')", "unexpected"),
        ("__import__(x)", "no function '__import__'"),
        ("log(x)", "write ln or log10"),
        ("sqrt(x, 2)", "sqrt takes one value, not 2"),
        ("min(x)", "min takes two or more values, not 1"),
        ("1" * (MOST + 1), "longer than"),
    ],
)
def test_anything_else_is_refused_with_a_reason(text, why):
    with pytest.raises(Unreadable, match=re.escape(why)):
        read_expression(text)


@pytest.mark.parametrize(
    "text", ["1/(x-3)", "ln(x-3)", "log10(-x)", "sqrt(-x)", "(-8)^0.5", "10^400", "exp(x*1e9)", "1e308*10*x"]
)
def test_what_has_no_finite_real_value_says_so(text):
    with pytest.raises(NoValue):
        read_expression(text).value({"x": 3.0})


def test_an_expression_names_the_values_it_needs_and_not_its_functions():
    assert read_expression("ln(k2 / k_1) + max(T, 0)").names == {"k2", "k_1", "T"}


@pytest.mark.parametrize(
    "text", ["(" * 249 + "x" + ")" * 249, "-" * 499 + "x", "x" + "^x" * 200, "x" + "+x" * 249]
)
def test_a_deep_expression_is_evaluated_or_refused(text):
    with suppress(Unreadable, NoValue):
        assert math.isfinite(read_expression(text).value({"x": 1.0}))


@given(st.text("x0123456789.e+-*/^() ", max_size=40))
def test_no_text_does_more_than_have_a_value(text):
    with suppress(Unreadable, NoValue):
        assert math.isfinite(read_expression(text).value({"x": 2.0}))


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_sums_and_products_are_those_of_numbers(one, other):
    values = {"a": one, "b": other}
    assert read_expression("a + b * 2 - b").value(values) == one + other * 2 - other
