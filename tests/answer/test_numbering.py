"""A number that only heads what follows is never read as a value, and a value never as a heading."""

from __future__ import annotations

import pytest

from grader.answer.answer import Answer
from grader.answer.numbering import numberings
from grader.formal import registry
from grader.problem.checks import IntegerCheck, QuantityCheck
from grader.record import Status


def numbers(raw: str) -> list[str]:
    """The numbers that head something."""
    return [raw[slice(*span)] for span in numberings(raw)]


@pytest.mark.parametrize("head", ["## 5", "**5**", "5", "### 5.", "(5)", "5)", "  5.", "__5__", "**5.**"])
@pytest.mark.parametrize("body", ["K = 2.88e-3.", "K = Ksp β2 = 1.8e-10 x 1.6e7 = 2.88e-3."])
def test_the_number_of_a_heading_is_not_the_value_below_it(head, body):
    check = QuantityCheck(kind="quantity", expected=2.88e-3, unit="dimensionless", rel_tol=0.02, asked=("K",))
    assert registry.decide(check, Answer(f"{head}\n{body}")).status is Status.MET
    assert registry.decide(check, Answer(f"## 4\nSee above.\n\n{head}\n{body}")).status is Status.MET


@pytest.mark.parametrize("text", ["## 5\nI don't know.", "## 5\n\nI can't say.", "**5**\nNo idea."])
def test_the_number_of_a_heading_earns_nothing_by_itself(text):
    check = IntegerCheck(kind="integer", expected=5)
    assert registry.decide(check, Answer(text)).status is Status.UNDETERMINED


@pytest.mark.parametrize(
    "text",
    [
        "5",
        "**5**",
        "5\n",
        "The answer is\n5\nunpaired electrons.",
        "**Answer:**\n\n5\n\nbecause the field is strong.",
        "There are:\n**5**\nisomers in all.",
        "Number of isomers =\n5\nThis holds for the cis series.",
        "The sum comes out as this\n5\nwhich is fine.",
        "$$\n5\n$$",
        "5\n6\n7",
        "5 isomers\nare possible",
        "2.5\nis the bond order",
        "**2.5**\nBond order of NO",
    ],
)
def test_a_value_on_a_line_of_its_own_stays_a_value(text):
    assert numbers(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## 1\nA = 3\n\n## 2\nB = 4", ["1", "2"]),
        ("# 2.1\nThe pH is 7.", ["2.1"]),
        ("1\nThe pH is 7.\n\n2\nThe pOH is 7.", ["1", "2"]),
    ],
)
def test_every_heading_of_a_response_is_found(text, found):
    assert numbers(text) == found
