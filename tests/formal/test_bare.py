"""An answer that is nothing but its value must be found just as if it were read at length."""

from __future__ import annotations

from itertools import islice, product
from typing import Any

import pytest
from pydantic import TypeAdapter

from grader.answer.answer import Answer
from grader.formal import boolean, choice, integer, quantity
from grader.problem.checks import (
    BooleanCheck,
    Check,
    CheckModel,
    ChoiceCheck,
    IntegerCheck,
    QuantityCheck,
)
from grader.record import Finding, Status

SHAPES = (
    "{}", "{}.", " {} ", "\n{}\n", "{}.\n", "{}  ", "**{}**", "**{}**.", "\\boxed{{{}}}", "$\\boxed{{{}}}$",
    "\\boxed{{{}}}.", "Answer: {}", "answer: {}.", "**Answer:** {}", "Final answer: {}",
    "**Final Answer:** {}", "The answer is {}.", "The final answer is {}.", "The correct answer is **{}**.",
    "Answer: \\boxed{{{}}}",
)  # fmt: skip
ANSWERS: tuple[dict[str, Any], ...] = ({}, {"others": ("x", "M", "A", "7", "yes")})
WORDS = ("Yes", "no", "TRUE", "false", "No", "True")
NUMBERS = ("7", "-2", "+2", "0", "\u22122", "007", "123456789", "12")
QUANTITIES = (
    "52.4 kJ/mol", "7", "0.05", "-3.2 kJ mol^-1", "\u22128.1 kJ·mol⁻¹", "4 x 10^-5", "1.0 × 10⁻⁵ s⁻¹", "2e-5",
    "3.00 V", "273.15 K", "25°C", "25 C", "12 %", "0 J", "6.02 x 1023", "1.5(3)", "52.4 ± 0.1 kJ/mol", "7 of",
    "12 g C", "5 m", "100 cm-1", "3d", "4 L mol-1 s-1", "7 kJ / mol", "1500 ppm", "1/2", "3 or 4", "3 to 9",
)  # fmt: skip

_CHECK: TypeAdapter[CheckModel] = TypeAdapter(Check)


def _at_once_and_at_length(check: CheckModel, answer: Answer) -> tuple[Finding | None, Finding]:
    if isinstance(check, QuantityCheck):
        return quantity.at_once(check, answer), quantity._at_length(check, answer)
    if isinstance(check, BooleanCheck):
        return boolean.at_once(check, answer), boolean._at_length(check, answer)
    if isinstance(check, IntegerCheck):
        return integer.at_once(check, answer), integer._at_length(check, answer)
    assert isinstance(check, ChoiceCheck)
    return choice.at_once(check, answer), choice._at_length(check, answer)


@pytest.mark.parametrize(
    ("check", "values"),
    [
        ({"kind": "boolean", "expected": True}, WORDS),
        ({"kind": "boolean", "expected": False, "statement": "The reaction is exothermic."}, WORDS),
        ({"kind": "boolean", "expected": False, "asked": ["(i)", "true"]}, WORDS),
        ({"kind": "integer", "expected": 7}, NUMBERS),
        ({"kind": "integer", "expected": -2, "asked": ["charge", "12"]}, NUMBERS),
        ({"kind": "choice", "expected": "B"}, "ABCDEIHX"),
        ({"kind": "choice", "expected": "A", "choices": ["A", "B", "I", "H"]}, "ABIH"),
        ({"kind": "choice", "expected": "A, C", "multiple": True}, "ABC"),
        ({"kind": "choice", "expected": "B", "texts": {"A": "boron", "B": "HI", "D": "B"}}, "ABD"),
        ({"kind": "quantity", "expected": 52.4, "unit": "kJ/mol"}, QUANTITIES),
        ({"kind": "quantity", "expected": 7.0, "asked": ["pH", "K"]}, QUANTITIES),
        ({"kind": "quantity", "expected": 298.15, "unit": "K"}, QUANTITIES),
        ({"kind": "quantity", "expected": 1e-5, "unit": "1/s", "sig_figs": 2}, QUANTITIES),
        ({"kind": "quantity", "expected": 3.0, "unit": "V", "sign": "either"}, QUANTITIES),
    ],
)
def test_a_bare_value_is_found_as_in_prose(check: dict[str, Any], values: tuple[str, ...]) -> None:
    read = _CHECK.validate_python(check)
    taken = 0
    # every third of the combinations: each shape meets several values
    for shape, value, others in islice(product(SHAPES, values, ANSWERS), 0, None, 3):
        answer = Answer(shape.format(value), **others)
        at_once, at_length = _at_once_and_at_length(read, answer)
        taken += at_once is not None
        assert at_once in (None, at_length)
    assert taken >= len(SHAPES)


@pytest.mark.parametrize("value", ["7", "Yes", "B", "0.05 M"])
def test_a_bare_value_in_an_uncut_response_is_not_taken(value: str) -> None:
    answer = Answer(value, cut=False)
    checks: list[dict[str, Any]] = [
        {"kind": "boolean", "expected": True},
        {"kind": "integer", "expected": 7},
        {"kind": "choice", "expected": "B"},
        {"kind": "quantity", "expected": 0.05, "unit": "M"},
    ]
    for check in checks:
        at_once, at_length = _at_once_and_at_length(_CHECK.validate_python(check), answer)
        assert at_once is None
        assert at_length.status is Status.UNDETERMINED
