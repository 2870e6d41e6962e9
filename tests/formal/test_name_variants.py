"""What a proof shows of a name check: other names that earn the point, and names that must not."""

from __future__ import annotations

from typing import Any

import pytest

from grader.answer.answer import Answer
from grader.formal.name import decide
from grader.formal.structures.names import available
from grader.formal.variants.check import equivalents, near_misses
from grader.problem.checks import NameCheck

pytestmark = pytest.mark.skipif(not available(), reason="names need a Java")

CHECKS: list[tuple[str, dict[str, Any]]] = [
    ("1,3-dimethylbenzene", {}),
    ("(E)-but-2-ene", {}),
    ("(E)-but-2-ene", {"stereo": "ignore"}),
    ("(1R,2R)-cyclohexane-1,2-diol", {"stereo": "relative"}),
    ("2-acetyloxybenzoic acid", {"aliases": ["aspirin"]}),
    ("(2S)-2-aminopropanoic acid", {}),
    ("D-glucose", {}),
    ("benzene-1,4-diol", {}),
    ("4-methyl-1H-imidazole", {"tautomers": "same"}),
    ("sodium benzoate", {}),
    ("iron(III) chloride", {}),
    ("rac-butan-2-ol", {}),
    ("but-1-ene", {"ambiguous_names": "not_met"}),
    ("dimethylamine hydrochloride", {}),
]


def _check(expected: str, **options: Any) -> NameCheck:
    return NameCheck(kind="name", expected=expected, **options)


def _names(check: NameCheck) -> tuple[set[str], set[str]]:
    return {one.text for one in equivalents(check)}, {one.text for one in near_misses(check)}


@pytest.mark.parametrize(("expected", "options"), CHECKS)
def test_a_made_name_never_gets_the_other_verdict(expected: str, options: dict[str, Any]) -> None:
    check = _check(expected, **options)
    made = [("met", equivalents(check)), ("not_met", near_misses(check))]
    found = [
        (one.text, right, decide(check, Answer(one.text)).status) for right, all_ in made for one in all_
    ]
    assert {right for _, right, _ in found} == {"met", "not_met"}
    assert [one for one in found if one[1] != one[2]] == []


@pytest.mark.parametrize(
    ("expected", "same", "other"),
    [
        ("pentan-3-one", "3-pentanone", "pentan-2-one"),
        ("1-butene", "but-1-ene", "1-pentene"),
        ("benzene-1,4-diol", "hydroquinone", "resorcinol"),
        ("ethyl acetate", "ethyl ethanoate", "propyl acetate"),
        ("1,4-dimethylbenzene", "p-xylene", "m-xylene"),
        ("copper(I) chloride", "cuprous chloride", "copper(II) chloride"),
        ("2-methylpropan-2-ol", "2-methyl-2-propanol", "2-methylpropan-1-ol"),
        ("propan-1-ol", "1-propanol", "propanal"),
    ],
)
def test_spellings_locants_and_homologues_are_not_left_out(expected: str, same: str, other: str) -> None:
    right, wrong = _names(_check(expected))
    assert same in right
    assert other in wrong


def test_a_configuration_that_is_not_asked_is_no_near_miss() -> None:
    turned = {"(Z)-but-2-ene", "but-2-ene"}
    assert turned <= _names(_check("(E)-but-2-ene"))[1]
    assert not turned & _names(_check("(E)-but-2-ene", stereo="ignore"))[1]


def test_an_accepted_isomer_is_no_near_miss() -> None:
    _, wrong = _names(_check("benzene-1,4-diol", aliases=["resorcinol"]))
    assert not wrong & {"resorcinol", "benzene-1,3-diol", "1,3-benzenediol"}
    assert "catechol" in wrong


def test_a_mobile_hydrogen_in_another_place_is_no_near_miss() -> None:
    _, wrong = _names(_check("4-methyl-1H-imidazole"))
    assert "5-methyl-1H-imidazole" not in wrong


def test_a_name_without_its_locant_is_wrong_only_where_the_check_says_so() -> None:
    assert "butene" in _names(_check("but-1-ene", ambiguous_names="not_met"))[1]
    assert "butene" not in _names(_check("but-1-ene"))[1]


def test_nothing_is_made_of_a_name_that_nobody_can_read() -> None:
    right, wrong = _names(_check("ketopentalane-3", aliases=["compound X7"]))
    assert right == {"ketopentalane-3", "compound X7"}
    assert not wrong


def test_no_names_are_made_where_names_do_not_count() -> None:
    assert _names(_check("ethanol", accept=["smiles"])) == (set(), set())
