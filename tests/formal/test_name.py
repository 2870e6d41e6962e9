"""Which of the compounds that an answer names is its answer, and whether it is the expected one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from grader.answer.answer import Answer
from grader.answer.notation import normalise
from grader.formal import registry
from grader.formal.located import decide_located
from grader.formal.reading.name_tokens import name_candidates
from grader.formal.structures import opsin
from grader.formal.structures.names import available
from grader.problem.checks import Check, CheckModel, NameCheck
from grader.record import Finding, Reason, Status

pytestmark = pytest.mark.skipif(not available(), reason="no Java")

CASES = Path(__file__).with_name("name_cases.jsonl")
CHECKS: TypeAdapter[CheckModel] = TypeAdapter(Check)


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def decide(expected: str, text: str, **options: object) -> Finding:
    return registry.decide(
        NameCheck.model_validate({"kind": "name", "expected": expected, **options}), Answer(text)
    )


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["id"])
def test_a_name_is_judged_as_a_chemist_would(row):
    check = CHECKS.validate_python({"kind": row["kind"], "expected": row["expected"], **row["options"]})
    found = registry.decide(check, Answer(row["answer"]))
    assert found.status == row["verdict"]
    for one in (*([found.evidence] if found.evidence else ()), *found.rejected):
        assert row["answer"][one.start : one.end] == one.quote


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The benzene ring of toluene is nitrated.", ["toluene"]),
        ("Add sodium hydroxide, then ethyl\n3-oxobutanoate.", ["sodium hydroxide", "ethyl\n3-oxobutanoate"]),
        ("an alcohol, a ketone or an alkyl halide", []),
        ("methanol\nethanol", ["methanol", "ethanol"]),
        ("ethanol and acetic acid", ["ethanol", "acetic acid"]),
        ("(acetic acid)", ["acetic acid"]),
        ("(2R, 3S)-2,3-dibromobutane", ["(2R, 3S)-2,3-dibromobutane"]),
        ("aniline hydrochloride", ["aniline hydrochloride"]),
        ("the carbon next to nitrogen leads to no tin", []),
    ],
)
def test_names_are_found_whole_and_nothing_else_is(text, found):
    assert [one.quote for one in name_candidates(normalise(text))] == found


def test_an_alias_counts_though_nobody_can_read_it():
    assert decide("2-phenylpropan-2-ol", "It is cumylol.", aliases=["cumylol"]).status is Status.MET


def test_an_expected_name_that_nobody_can_read_is_met_by_itself_only():
    assert decide("tris(foo)barium", "tris(foo)barium").status is Status.MET
    assert decide("tris(foo)barium", "2-butanol").status is Status.UNDETERMINED


def test_a_capital_locant_is_not_a_small_prefix():
    assert decide("N-butylaniline", "n-butylaniline").status is not Status.MET


@pytest.mark.parametrize(
    "text",
    [
        *("ethanol " * 14_000, "(" * 100_000, "2-(" * 30_000, "a" * 100_000),
        pytest.param("ethyl\n" * 9000, marks=pytest.mark.slow),
    ],
)
def test_a_flood_of_names_decides_nothing(text):
    assert decide("propan-2-ol", text).status is Status.UNDETERMINED


def test_a_name_too_long_to_be_one_decides_nothing():
    found = decide("propan-2-ol", "methyl" * 2000 + "ane")
    assert (found.status, found.reason) == (Status.UNDETERMINED, Reason.NO_CANDIDATE)


def test_without_java_a_name_check_says_what_to_install(monkeypatch):
    monkeypatch.setattr(opsin, "java", lambda: None)
    found = decide("propan-2-ol", "propan-2-ol")
    assert (found.status, found.reason) == (Status.UNDETERMINED, Reason.UNSUPPORTED)
    assert "Java" in found.detail


def test_a_quoted_passage_states_its_own_name():
    text = "Step 1 gives propan-1-ol. Step 2 gives propan-2-ol."
    check = NameCheck(kind="name", expected="propan-2-ol")
    for quote, status in (("Step 1 gives propan-1-ol", Status.NOT_MET), ("gives propan-2-ol", Status.MET)):
        start = text.index(quote)
        assert decide_located(check, Answer(text), start, start + len(quote)).status is status
