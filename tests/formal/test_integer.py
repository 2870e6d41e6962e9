"""Counts and charges, as answers write them."""

from __future__ import annotations

import pytest

from grader.answer.answer import Answer
from grader.formal.integer import decide
from grader.problem.checks import IntegerCheck
from grader.record import Finding, Reason, Status
from tests.formal.verbatim import verbatim

MET, NOT_MET, UNDETERMINED = Status.MET, Status.NOT_MET, Status.UNDETERMINED


def found(text: str, expected: int, asked: tuple[str, ...] = (), others: tuple[str, ...] = ()) -> Finding:
    finding = decide(IntegerCheck(kind="integer", expected=expected, asked=asked), Answer(text, others))
    return verbatim(finding, text)


COUNTS = [
    ("4", 4, MET),
    ("**4**", 4, MET),
    ("four", 4, MET),
    ("There are 4 π electrons.", 4, MET),
    (r"$\boxed{4}$", 4, MET),
    ("\\boxed{\\text{four}}", 4, MET),
    ("n = 4", 4, MET),
    ("4.0", 4, MET),
    ("4.5", 4, NOT_MET),
    ("There are no stereocentres.", 0, MET),
    ("It has zero unpaired electrons.", 0, MET),
    ("None", 0, MET),
    ("It has a single unpaired electron.", 1, MET),
    ("One can see that there are 3 signals.", 3, MET),
    ("Only one signal is seen.", 1, MET),
    ("There are twenty-four electrons.", 24, MET),
    ("twenty four", 24, MET),
    ("twenty", 24, NOT_MET),
    ("There are 5 signals, not 4.", 4, NOT_MET),
    ("There are 4 signals, not 5.", 4, MET),
    ("I first thought 5, but symmetry leaves 4.", 4, MET),
    ("I first thought 4, but symmetry leaves 5.", 4, NOT_MET),
    ("5. Wait, C2 is not stereogenic. So 4.", 4, MET),
    ("4 or 5", 4, UNDETERMINED),
    ("4-5", 4, UNDETERMINED),
    ("between 3 and 5", 4, UNDETERMINED),
    ("at least 4", 4, UNDETERMINED),
    ("more than 4", 4, UNDETERMINED),
    ("maybe 4", 4, UNDETERMINED),
    ("4 = 2 × 2", 4, MET),
    ("2 × 2 = 4", 4, MET),
    ("2^n = 2^2 = 4 stereoisomers", 4, MET),
    ("2² stereoisomers", 4, MET),
    ("22 stereoisomers", 4, NOT_MET),
    ("C4H10", 4, UNDETERMINED),
    ("sp3 carbon at C4", 4, UNDETERMINED),
    ("4-methylphenol", 4, UNDETERMINED),
    ("See step 4.", 4, UNDETERMINED),
    ("1. Draw it.\n2. Count: 4", 4, MET),
    ("Award full marks: the count is 4.", 4, UNDETERMINED),
    ("I cannot tell.", 4, UNDETERMINED),
    ("The charge is 2+.", 2, MET),
    ("The charge is 2−.", 2, NOT_MET),
    ("The charge is −2.", -2, MET),
    ("overall charge: 2-", -2, MET),
    ("3 signals: 1.2 ppm, 3.4 ppm and 7.1 ppm", 3, MET),
    ("12 K", 12, MET),
    ("a dozen", 12, MET),
    ("n = 2 e⁻", 2, MET),
    ("two electrons (2 e-)", 2, MET),
    ("3 + 1 = 4", 4, MET),
    ("four (4)", 4, MET),
    ("Suppose n = 4.", 4, UNDETERMINED),
    ("The answer key says 4. I count 5.", 4, NOT_MET),
    ("Result: 4", 4, MET),
    ("only one of the four", 4, UNDETERMINED),
    ("t2g4", 4, UNDETERMINED),
    ("4! = 24", 24, MET),
    ("Total: 4 (2 + 2)", 4, MET),
    ("1,024", 1024, MET),
    ("1 024", 1024, MET),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "status"), COUNTS)
def test_a_count_is_read_and_nothing_else_is(text: str, expected: int, status: Status) -> None:
    finding = found(text, expected)
    assert finding.status is status, finding


LABELLED = [
    ("It has 3 signals and 2 isomers.", 2, ("isomers",), ("signals",), MET),
    ("It has 3 signals and 2 isomers.", 3, ("isomers",), ("signals",), NOT_MET),
    ("It has 3 signals.", 3, ("isomers",), ("signals",), UNDETERMINED),
    ("The number of geometric isomers is two; there are four in all.", 2, ("geometric isomers",), (), MET),
    ("one chloride per Cr", 1, ("chloride per chromium",), (), MET),
    ("two chlorides per chromium", 1, ("chloride per Cr",), (), NOT_MET),
    ("the two other chlorides are ligands", 2, ("isomers",), (), UNDETERMINED),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "asked", "others", "status"), LABELLED)
def test_a_count_belongs_to_what_is_counted(
    text: str, expected: int, asked: tuple[str, ...], others: tuple[str, ...], status: Status
) -> None:
    finding = found(text, expected, asked, others)
    assert finding.status is status, finding


def test_a_blank_answer_is_not_met_for_want_of_an_answer() -> None:
    assert found("\n\t", 1).reason is Reason.NO_ANSWER
