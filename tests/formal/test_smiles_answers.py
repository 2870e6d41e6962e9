"""What answers in many guises are found to say: structures and formulas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from grader.answer.answer import Answer
from grader.formal import formula, smiles
from grader.formal.structures.names import available
from grader.formal.structures.structure import read_structure
from grader.formal.structures.trivial_names import NAMES
from grader.problem.checks import Check, CheckModel
from grader.record import Finding, Reason, Status
from tests.formal.structure_cases import FORMULA, LABELLED, NEVER_MET_FORMULA, NEVER_MET_SMILES, SMILES

SHARED = Path(__file__).resolve().parents[3] / "shared"
CORPUS = SHARED / "cases" / "formal.jsonl"
CHECKS: TypeAdapter[CheckModel] = TypeAdapter(Check)


def decide(kind: str, expected: str, options: dict[str, Any], text: str) -> Finding:
    check = CHECKS.validate_python({"kind": kind, "expected": expected, **options})
    found: Finding = (smiles if kind == "smiles" else formula).decide(check, Answer(text))
    for item in (found.evidence, *found.rejected):
        assert item is None or text[item.start : item.end] == item.quote
    return found


@pytest.mark.parametrize(("expected", "options", "answer", "verdict"), SMILES)
def test_a_structure_is_found_and_judged_as_a_chemist_would(expected, options, answer, verdict):
    assert decide("smiles", expected, options, answer).status == verdict


@pytest.mark.parametrize(("expected", "options", "answer", "verdict"), FORMULA)
def test_a_formula_is_found_and_judged_as_a_chemist_would(expected, options, answer, verdict):
    assert decide("formula", expected, options, answer).status == verdict


@pytest.mark.parametrize(("expected", "options", "answer"), NEVER_MET_SMILES)
def test_a_structure_that_is_not_the_answer_earns_nothing(expected, options, answer):
    assert decide("smiles", expected, options, answer).status is not Status.MET


@pytest.mark.parametrize(("expected", "options", "answer"), NEVER_MET_FORMULA)
def test_a_formula_that_is_not_the_answer_earns_nothing(expected, options, answer):
    assert decide("formula", expected, options, answer).status is not Status.MET


def corpus() -> list[dict[str, Any]]:
    if not CORPUS.is_file():
        return []
    rows = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["kind"] in ("smiles", "formula")]


@pytest.mark.skipif(not CORPUS.is_file(), reason="the shared case file is not there")
@pytest.mark.parametrize("row", corpus(), ids=lambda row: row["id"])
def test_the_shared_cases_come_out_right(row):
    found = decide(row["kind"], row["expected"], row["options"], row["answer"])
    assert found.status == row["verdict"]


@pytest.mark.parametrize("kind", ["smiles", "formula"])
def test_a_blank_answer_is_not_met_and_says_so(kind):
    found = decide(kind, "CO", {}, " \n\t")
    assert (found.status, found.reason) == (Status.NOT_MET, Reason.NO_ANSWER)


@pytest.mark.parametrize("kind", ["smiles", "formula"])
def test_a_list_without_end_is_left_open(kind):
    chains = [f"`CC({'C' * n}){'N' * m}O` C{n}H{m}Cl2" for n in range(1, 50) for m in range(1, 50)]
    text = " ".join(chains)
    found = decide(kind, "C7H8Cl2" if kind == "formula" else "CC(CCC)O", {}, text)
    assert (found.status, found.reason) == (Status.UNDETERMINED, Reason.CONFLICTING_CANDIDATES)


def test_an_uncut_response_needs_a_label_or_a_mark():
    check = CHECKS.validate_python({"kind": "smiles", "expected": "CCO", "asked": ["B"]})
    loose = smiles.decide(check, Answer("It is `CCO`.", cut=False))
    bound = smiles.decide(check, Answer("B = `CCO`", cut=False))
    assert (loose.status, bound.status) == (Status.UNDETERMINED, Status.MET)


def test_a_siblings_structure_is_not_taken():
    check = CHECKS.validate_python({"kind": "smiles", "expected": "CCO", "asked": ["C"]})
    found = smiles.decide(check, Answer("D: `CCO`", others=("D",)))
    assert found.status is Status.UNDETERMINED
    assert found.rejected[0].why == "is stated for D"


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("The product is aniline.", Status.MET),
        ("The product is toluene.", Status.NOT_MET),
        ("The product is not aniline.", Status.UNDETERMINED),
        ("It is made from aniline.", Status.UNDETERMINED),
        ("The product is aniline hydrochloride.", Status.NOT_MET),
        ("The product is 4-nitroaniline.", Status.NOT_MET),
        ("The product is aniline, `Cc1ccccc1`.", Status.NOT_MET),
        ("The product is toluene, `Nc1ccccc1`.", Status.UNDETERMINED),
        ("It is aniline. Or rather: it is toluene.", Status.UNDETERMINED),
    ],
)
@pytest.mark.skipif(not available(), reason="no Java, so no names")
def test_a_name_decides_where_names_count(answer, status):
    found = decide("smiles", "Nc1ccccc1", {"accept": ["smiles", "name"]}, answer)
    assert found.status is status
    only = decide("smiles", "Nc1ccccc1", {"accept": ["smiles"]}, "The product is aniline.")
    assert only.status is Status.UNDETERMINED


def test_every_trivial_name_is_a_structure():
    for name, text in NAMES.items():
        assert read_structure(text).mol.GetNumAtoms() > 0, name


@pytest.mark.parametrize(("kind", "expected", "letter", "answer", "met"), LABELLED)
def test_a_compound_is_not_taken_for_what_it_turns_into(kind, expected, letter, answer, met):
    found = decide(kind, expected, {"asked": [letter]}, answer)
    assert (found.status is Status.MET) is met


@pytest.mark.parametrize("kind", ["smiles", "formula"])
@pytest.mark.parametrize(
    "noise",
    [
        "C ",
        "(",
        "[",
        "`",
        "*",
        "Cp*",
        "\\boxed{",
        "CCO -> CC=O ",
        "C1CC1.",
        "NaCl · 7 H2O ",
        "<answer>",
        "A = CCO. ",
    ],
)
def test_long_hostile_answers_come_to_an_end(kind, noise):
    found = decide(
        kind, "CC(=O)Nc1ccccc1" if kind == "smiles" else "[Co(NH3)6]Cl3", {}, noise * (20_000 // len(noise))
    )
    assert found.status is not Status.MET
