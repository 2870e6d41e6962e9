"""Oxidation states are read in every notation, and tied to their element and substance."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.answer.answer import Answer
from grader.answer.notation import normalise
from grader.formal import registry
from grader.formal.cases import read_cases
from grader.formal.located import decide_located
from grader.formal.species.mentions import mentions
from grader.formal.variants.oxidation import equivalents, near_misses
from grader.problem.checks import OxidationStateCheck
from grader.record import Finding, Reason, Status
from tests.formal.verbatim import disagreements, verbatim

CASES = list(read_cases(Path(__file__).parent / "oxidation_state_cases.jsonl"))
EXPECTED: tuple[int | str, ...] = (*range(-4, 9), "8/3", "-1/2", "5/2", "-1/3")


def decided(expected: int | str, answer: str, **options: str) -> Finding:
    """The finding on an answer, its quotes checked."""
    check = OxidationStateCheck(kind="oxidation_state", expected=expected, **options)
    return verbatim(registry.decide(check, Answer(answer)), answer)


def test_a_state_in_context_is_decided_rightly() -> None:
    assert not disagreements(CASES)


@pytest.mark.parametrize("expected", EXPECTED)
def test_rewriting_a_state_never_changes_its_finding(expected: int | str) -> None:
    for variant in equivalents(expected):
        assert decided(expected, variant.text).status is Status.MET, variant


@pytest.mark.parametrize("expected", EXPECTED)
def test_a_near_miss_is_never_right(expected: int | str) -> None:
    for variant in near_misses(expected):
        assert decided(expected, variant.text).status is Status.NOT_MET, variant


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("In MnO4- each O is -2", ["MnO4-", "O"]),
        ("iron(III) oxide", ["iron(III)", "oxide"]),
        ("+7 (MnO4-) to +4 (MnO2)", ["MnO4-", "MnO2"]),
        ("In As: arsenic", ["As", "arsenic"]),
        ("[Co(NH3)5Cl]2+ and [Ar] 3d6", ["[Co(NH3)5Cl]2+"]),
    ],
)
def test_elements_and_substances_are_found_and_words_are_not(text: str, named: list[str]) -> None:
    plain = normalise(text).plain
    assert [plain[one.start : one.end] for one in mentions(plain)] == named


def test_an_expected_state_that_is_none_says_so() -> None:
    assert decided("three", "+3").reason is Reason.NOT_COMPARABLE


@pytest.mark.parametrize("text", ["Fe(III) " * 3_000, "Fe3+ and " * 3_000, "x = 3 in Fe2O3, " * 500])
def test_endless_text_is_read_without_harm(text: str) -> None:
    assert decided(2, text, element="Fe", subject="FeO").status is not Status.MET


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Here manganese is +7 indeed. It is purple.", Status.MET),
        ("Here manganese is +7 and later it is +2.", Status.UNDETERMINED),
    ],
)
def test_a_quoted_passage_is_decided_unless_its_sentence_contradicts_it(text: str, status: Status) -> None:
    check = OxidationStateCheck(kind="oxidation_state", expected=7, element="Mn")
    start = text.index("manganese")
    assert decide_located(check, Answer(text), start, start + 15).status is status
