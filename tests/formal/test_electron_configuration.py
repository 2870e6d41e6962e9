"""Electron configurations are compared set by set, for the atom or ion that is asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.answer.answer import Answer
from grader.answer.notation import normalise
from grader.formal import registry
from grader.formal.cases import read_cases
from grader.formal.configurations.occupation import read
from grader.formal.variants.configurations import equivalents, near_misses
from grader.problem.checks import ElectronConfigurationCheck
from grader.record import Status
from tests.formal.verbatim import disagreements, verbatim

CASES = list(read_cases(Path(__file__).parent / "electron_configuration_cases.jsonl"))
EXPECTED = (
    "[Ar] 3d10 4s1", "[Ar] 3d6", "[Xe] 4f14 5d10 6s1", "[Ne] 3s2 3p4", "[Ne]", "1s2 2s2 2p3", "t2g3 eg2",
    "t2g6 eg0",
    "e3 t2_3", "(σ2s)2 (σ*2s)2 (π2p)4 (σ2p)2", "(1σg)2 (1σu)2 (2σg)"
    "1", "[Rn] 5f3 6d1 7s2", "[Ar] 3d10 4s2 4p5",
    "(σ2s)2 (σ*2s)2 (σ2p)2 (π2p)4 (π*2p)2",
)  # fmt: skip


def decided(expected: str, answer: str) -> Status:
    """The status of an answer."""
    check = ElectronConfigurationCheck(kind="electron_configuration", expected=expected)
    return verbatim(registry.decide(check, Answer(answer)), answer).status


def test_a_configuration_in_context_is_decided_rightly() -> None:
    assert not disagreements(CASES)


@pytest.mark.parametrize("expected", EXPECTED)
def test_rewriting_a_configuration_never_changes_its_finding(expected: str) -> None:
    for variant in equivalents(expected, 1):
        assert decided(expected, variant.text) is Status.MET, variant


@pytest.mark.parametrize("expected", EXPECTED)
def test_a_near_miss_is_never_right(expected: str) -> None:
    for variant in near_misses(expected, 1):
        assert decided(expected, variant.text) is Status.NOT_MET, variant


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("1s²2s²2p⁶3s²3p⁶4s²3d⁴", {"1s": 2, "2s": 2, "2p": 6, "3s": 2, "3p": 6, "4s": 2, "3d": 4}),
        ("4f145d106s1", {"4f": 14, "5d": 10, "6s": 1}),
        ("3d104s1", {"3d": 10, "4s": 1}),
        ("2s2 2px2 2py1", {"2s": 2, "2p": 3}),
        (r"$\sigma_{2s}^{*2}$", {"σ*2s": 2}),
    ],
)
def test_counts_are_told_from_the_shells_behind_them(text: str, counts: dict[str, int]) -> None:
    (found,) = read(normalise(text).plain)
    assert found.value.counts == counts


@pytest.mark.parametrize("text", ["1s2 2s2 " * 3_000, "3d" * 8_000, "(σ2s)2" * 3_000, "[Ar] 3d6 " * 3_000])
def test_endless_text_is_read_without_harm(text: str) -> None:
    assert decided("[Ar] 3d7", text) is not Status.MET
