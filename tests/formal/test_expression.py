"""Expressions are compared as mathematics in the symbols of chemistry, wherever an answer states them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.answer.answer import Answer
from grader.formal import registry
from grader.formal.cases import read_cases
from grader.formal.expressions.equality import Equal, compare
from grader.formal.expressions.equations import equivalent
from grader.formal.expressions.lexer import tokens
from grader.formal.expressions.names import Vocabulary
from grader.formal.expressions.parser import read
from grader.formal.expressions.segment import Segmenter
from grader.formal.expressions.tree import Call, Node, Number, Power, Sum, Symbol, negative, product, symbols
from grader.formal.expressions.written import LATEX, PLAIN, PYTHON, UNICODE, Style, written
from grader.formal.located import decide_located
from grader.formal.variants.expressions import equivalents, near_misses
from grader.problem.checks import ExpressionCheck
from grader.record import Finding, Reason, Status
from tests.formal.verbatim import disagreements, verbatim

CASES = list(read_cases(Path(__file__).parent / "expression_cases.jsonl"))
EXPECTED = (
    "ln(2)/k", "A*exp(-Ea/(R*T))", "[NH3]^2/([N2]*[H2]^3)", "C - P + 2", "3*R/2", "k1*k2*[A]/(k_-1 + k2)",
    "k*[A]**2*[B]", "Vmax*[S]/(Km + [S])", "[H3O+]*[A-]/[HA]", "-R*T*ln(K)", "P*V = n*R*T", "[A]0*exp(-k*t)",
    "h*c/lambda", "sqrt(Ka*c)", "pKa + log10([A-]/[HA])", "x^2/(c - x)", "(x + 1)^2", "ΔH - T*ΔS",
    "E° - R*T/(n*F)*ln(Q)", "[Ag+]^2*[CrO4^2-]", "n^2*h^2/(8*m*L^2)", "k*[H2]*[Br2]^(1/2)", "sqrt(k/mu)"
    "/(2*pi)",
    "n*R*T/(V - n*b) - a*n^2/V^2", "k = A*exp(-Ea/(R*T))", "theta = K*P/(1 + K*P)", "Z*e^2/(4*pi*epsilon*r)",
)  # fmt: skip
HOSTILE = {
    "open brackets": "k = " + "(" * 5_000,
    "nested brackets": "k = " + "(k+" * 2_000 + "1" + ")" * 2_000,
    "a tower of powers": "k = 10^10^10^10^10",
    "a huge exponent": "k = (k1 + 1)^10000000",
    "a sum to a power": "k = (k1 + 1)**100000",
    "nested powers": "k = " + "(k1 + 1)^(" * 29 + "9" + ")" * 29,
    "decimals": "\n".join(f"r = 0.{index}1*k1*[A]*0.33/(k2*1.1 + 2.2) + 3.3*k1^1.5" for index in range(100)),
    "exponentials": "k = exp(exp(exp(exp(k1*100))))",
    "a long number": "k = " + "9" * 20_000,
    "a huge decimal": "k = 1e999999999*k1",
    "fractions": r"\frac{" * 2_000 + "k" + "}{2}" * 2_000,
    "many equations": "\n".join(f"r = k1*[A]/(k2 + k{index})" for index in range(1_000)),
    "stray signs": "*_$\\`^{" * 3_000,
    "a lone surrogate": "k = \ud800 k1",
    "a lone surrogate in a name": r"$k = k_{\te" + "\ud800" + r"}{A}$",
}


def decided(expected: str, answer: str, **options: object) -> Finding:
    """The finding on an answer, its quotes checked."""
    check = ExpressionCheck.model_validate({"kind": "expression", "expected": expected, **options})
    return verbatim(registry.decide(check, Answer(answer)), answer)


def tree(text: str, *names: str) -> Node:
    """A text as a tree."""
    found = read([one for one in tokens(text, Segmenter(Vocabulary(frozenset(names)))) if one.kind != "edge"])
    return found.tree


def test_an_expression_in_context_is_decided_rightly() -> None:
    assert not disagreements(CASES)


@pytest.mark.parametrize("expected", EXPECTED)
def test_rewriting_an_expression_never_changes_its_finding(expected: str) -> None:
    for variant in equivalents(expected, 3):
        assert decided(expected, variant.text).status is Status.MET, variant


@pytest.mark.parametrize("expected", EXPECTED)
def test_a_near_miss_is_never_right(expected: str) -> None:
    found = list(near_misses(expected, 3))
    assert len(found) >= 4
    for variant in found:
        assert decided(expected, variant.text).status is Status.NOT_MET, variant


_LEAVES = st.sampled_from(["k", "[A]", "[B]", "T", "Ea", "k1"]).map(Symbol) | st.integers(1, 9).map(
    lambda value: Number(Fraction(value))
)


def _grown(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    pairs = st.tuples(inner, inner)
    return (
        pairs.map(Sum)
        | pairs.map(lambda two: product(*two))
        | st.tuples(inner, st.sampled_from([-2, -1, 2, 3])).map(
            lambda two: Power(two[0], Number(Fraction(two[1])))
        )
        | inner.map(lambda one: Call("exp", negative(one)))
        | inner.map(lambda one: Sum((one, negative(Symbol("T")))))
    )


TREES = st.recursive(_LEAVES, _grown, max_leaves=6)


@settings(max_examples=70, deadline=None)
@given(TREES, st.sampled_from([PLAIN, PYTHON, UNICODE, LATEX, Style("unicode", inverse=True)]))
def test_what_is_written_is_read_as_the_same_expression(node: Node, style: Style) -> None:
    again = tree(written(node, style), *symbols(node))
    assert compare(node, again) in (Equal.YES, Equal.UNKNOWN)


@settings(max_examples=40, deadline=None)
@given(TREES)
def test_adding_something_makes_another_expression(node: Node) -> None:
    assert compare(node, Sum((node, Symbol("Z")))) in (Equal.NO, Equal.UNKNOWN)


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("P*V = n*R*T", "n = P*V/(R*T)", Equal.YES),
        ("P*V = n*R*T", "P*V = n*R/T", Equal.NO),
        ("x = y", "x*z = y*z + x - x", Equal.NO),
        ("v = V*S/(K + S)", "1/v = K/(V*S) + 1/V", Equal.YES),
        ("x = y", "x - y = x - y", Equal.NO),
    ],
)
def test_equations_are_compared_by_where_they_hold(one: str, two: str, same: Equal) -> None:
    pairs = [tuple(tree(side) for side in text.split("=")) for text in (one, two)]
    assert equivalent(pairs[0], pairs[1]) is same


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_earns_nothing(name: str) -> None:
    assert decided("k1*k2*[A]/(k_-1 + k2)", HOSTILE[name]).status is not Status.MET


def test_an_expression_beyond_bounds_is_not_compared() -> None:
    assert decided("(x + 1)^2", "10^10^10^(9*x)").reason is Reason.NOT_COMPARABLE


def test_a_check_that_holds_no_expression_says_so() -> None:
    assert "can't be read" in decided("((", "k = 2").detail


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("We find rate = k[A][B] from the data. The flask was blue.", Status.MET),
        ("We find rate = k[A][B], or rate = k[A] as others hold.", Status.UNDETERMINED),
        ("We find rate = k[A][B] and v = k[A]^2.", Status.UNDETERMINED),
    ],
)
def test_a_quoted_passage_is_decided_unless_its_sentence_contradicts_it(text: str, status: Status) -> None:
    check = ExpressionCheck(kind="expression", expected="k*[A]*[B]")
    start = text.index("rate")
    assert decide_located(check, Answer(text), start, start + 14).status is status
