"""What real replies do with a value: a mark that leaves the unit out, a unit nobody asked for, a rounding."""

from __future__ import annotations

from typing import Any

import pytest

from grader.answer.answer import Answer
from grader.formal.quantity import decide
from grader.problem.checks import QuantityCheck
from grader.record import Reason, Status

MET, WRONG, OPEN = Status.MET, Status.NOT_MET, Status.UNDETERMINED


def _status(expected: float, answer: str, **options: Any) -> Status:
    return decide(QuantityCheck(kind="quantity", expected=expected, **options), Answer(answer)).status


@pytest.mark.parametrize(
    "answer",
    [
        "First we get 41.3 kJ/mol from the slope. So the result is \\boxed{52.4} kJ/mol.",
        "From 41.3 kJ/mol and 11.1 kJ/mol follows $\\boxed{52.4}\\ \\mathrm{kJ/mol}$",
        "Both 41.3 kJ/mol and 60 kJ/mol occur. [ANSWER]52.4[/ANSWER] kJ mol^{-1}",
        "Both 41.3 kJ/mol and 60 kJ/mol occur. <answer>52.4</answer> kJ/mol",
        "Steps: 41.3 kJ/mol, then 60 kJ/mol.\n\n**52.4** kJ/mol",
        "Steps: 41.3 kJ/mol, 60 kJ/mol.\n\\[ E = [\\text{ANSWER}]52.4 \\text{ kJ/mol}[/\\text{ANSWER}] \\]",
    ],
)
def test_a_mark_that_leaves_the_unit_out_still_marks_the_value(answer: str) -> None:
    assert _status(52.4, answer, unit="kJ/mol") is MET
    assert _status(41.3, answer, unit="kJ/mol") is WRONG


def test_a_tag_in_latex_is_a_tag() -> None:
    answer = "Step 1: 96.5\n\\[ \\chi = [\\text{ANSWER}]2.96[/\\text{ANSWER}] \\]"
    assert _status(2.96, answer) is MET
    assert _status(96.5, answer) is WRONG


@pytest.mark.parametrize(
    ("expected", "answer", "status"),
    [
        (494.0, "The bond enthalpy is 494 kJ/mol.", OPEN),
        (494.0, "The bond enthalpy is 247 kJ/mol.", WRONG),
        (494.0, "From 247 and 0.5 it is [ANSWER]494[/ANSWER] kJ/mol.", OPEN),
        (494.0, "From 494 and 0.5 it is [ANSWER]988[/ANSWER] kJ/mol.", WRONG),
        (27.58, "It holds 27.6 % of copper.", OPEN),
        (0.276, "It holds 27.6 % of copper.", MET),
        (4.74, "[H+] = 1.8e-5 M, so the pH is 4.74", MET),
    ],
)
def test_a_unit_that_the_check_does_not_name_is_no_reason_to_refuse(
    expected: float, answer: str, status: Status
) -> None:
    assert _status(expected, answer) is status


@pytest.mark.parametrize(
    ("answer", "options", "status"),
    [
        ("The share is 27.567 %. Rounded: **Final answer:** 28 %", {"rel_tol": 0.01}, OPEN),
        ("The share is 27.567 %. Rounded: **Final answer:** 27.6 %", {"rel_tol": 0.01}, MET),
        ("The share is 28.2 %. Rounded: **Final answer:** 28 %", {"rel_tol": 0.01}, WRONG),
        ("The share is 27.567 %. Rounded: **Final answer:** 28 %", {"abs_tol": 0.1}, WRONG),
        ("**Final answer:** 28 %", {"rel_tol": 0.01}, WRONG),
    ],
)
def test_a_right_value_that_is_rounded_too_far_is_left_open(
    answer: str, options: dict[str, float], status: Status
) -> None:
    assert _status(27.58, answer, unit="%", **options) is status


@pytest.mark.parametrize(
    ("expected", "answer", "status"),
    [
        (30680.0, "The energy released is -30659.2 kJ.", OPEN),
        (30680.0, "The energy released is -20659.2 kJ.", WRONG),
        (30680.0, "The energy change is -30659.2 kJ.", WRONG),
        (-30680.0, "The enthalpy change is +30680 kJ, which is lost.", WRONG),
    ],
)
def test_the_sign_of_what_is_released_is_a_convention(expected: float, answer: str, status: Status) -> None:
    assert _status(expected, answer, unit="kJ", rel_tol=0.01) is status


def test_a_dot_between_a_number_and_a_power_of_ten_multiplies() -> None:
    answer = Answer("[ANSWER]3.27 . 10^{-22}[/ANSWER]")
    assert decide(QuantityCheck(kind="quantity", expected=3.27e-22), answer).status is MET
    found = decide(QuantityCheck(kind="quantity", expected=3.27), answer)
    assert (found.status, found.reason) == (WRONG, None) or found.reason is Reason.NOT_COMPARABLE


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("If it were exact, as one would wish, the number would be: [ANSWER]1.5[/ANSWER]", MET),
        ("If we had a weak acid, the result would be\n\n$$\\boxed{1.5}$$", MET),
        ("If it were strong, the pH would be 1.5.", OPEN),
        ("Not \\boxed{1.5}, but \\boxed{2.5}.", WRONG),
    ],
)
def test_what_a_box_holds_alone_is_given_as_the_answer(answer: str, status: Status) -> None:
    assert _status(1.5, answer) is status
