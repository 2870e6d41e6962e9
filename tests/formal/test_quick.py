"""The quick comparison of structures must say what the long one says, or nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from rdkit import Chem, rdBase

from grader.answer.answer import Answer
from grader.formal import smiles
from grader.formal.structures.equivalence import _compare_at_length
from grader.formal.structures.profile import profile
from grader.formal.structures.quick import quick
from grader.formal.structures.structure import read_structure
from grader.problem.checks import SmilesCheck
from tests.formal.molecules import MOLECULES

HARD = (
    "C[C@H]1CC[C@@H](C)CC1", "OC1C(O)C(O)C(O)C(O)C1O", "C1[C@@H]2C[C@H]3C[C@@H]1C[C@@H](C2)C3",
    "F/C=C/C=C\\F", "CC(O)=N", "CC(N)=O", "O=S(C)C", "C[S+](C)[O-]", "[O-][N+](=O)C", "[NH3+]CC(=O)[O-]",
    "CC=C=CC", "C1=CC=CC=CC=C1", "C[CH2]", "[Na+].[O-]C(C)=O", "Cl[Pt](Cl)(N)N", "OC(O)[C@H](O)[C@@H](O)C",
    "CP(C)(C)=C", "C[P+](C)(C)[CH2-]", "[13CH3]C", "c1ccccc1B(O)O", "C1CC1.C1CC1", "CN(=O)=O", "CS(C)(=O)=O",
)  # fmt: skip
OPTIONS: tuple[dict[str, Any], ...] = (
    {}, {}, {}, {"stereo": "ignore"}, {"tautomers": "same"}, {"charge_state": "neutralise"},
    {"salts": "strip"}, {"isotopes": "ignore"}, {"stereo": "relative"},
)  # fmt: skip
SHAPES = ("{}", " {}\n", "{}.", "**{}**", "`{}`", "Answer: {}", "**SMILES:** `{}`", "The answer is {}.")


def _varied(text: str, chance: random.Random) -> Iterator[str]:
    """The structure written otherwise, and near misses of it."""
    mol = Chem.MolFromSmiles(text)
    order = list(range(mol.GetNumAtoms()))
    chance.shuffle(order)
    renumbered = Chem.RenumberAtoms(mol, order)
    yield Chem.MolToSmiles(renumbered, canonical=False)
    yield Chem.MolToSmiles(renumbered, isomericSmiles=False)
    yield text.replace("@@", "@", 1) if "@@" in text else text.replace("@", "@@", 1)
    changes = (("C", "N"), ("O", "S"), ("CC", "C"), ("=O", "O"), ("/", "\\"), ("c1", "n1"))
    yield from {text.replace(old, new, 1) for old, new in changes} - {text}


@pytest.mark.parametrize("texts", [HARD, MOLECULES[::5]], ids=["hard", "ordinary"])
def test_the_quick_comparison_says_what_the_long_one_says(texts: tuple[str, ...]) -> None:
    chance = random.Random(4)
    compared = 0
    with rdBase.BlockLogs():
        for text in texts:
            for other in _varied(text, chance):
                check = SmilesCheck(kind="smiles", expected=text, **chance.choice(OPTIONS))
                said = quick(text, other, check)
                if said is not None:
                    compared += 1
                    at_length = _compare_at_length(read_structure(text), read_structure(other), check)
                    assert said == at_length, (text, other, check)
    assert compared > len(texts)


def test_a_bare_structure_is_found_as_in_prose() -> None:
    chance = random.Random(7)
    taken = 0
    with rdBase.BlockLogs():
        for text in (*HARD, *MOLECULES[::9], "CC", "C", "NO", "IN", "CCI", "FCC", "C=C", "CC/C=C", "OCC=C"):
            for other in _varied(text, chance):
                labels = chance.choice([(), (), ("C", "A"), ("product",)])
                check = SmilesCheck(kind="smiles", expected=text, asked=labels)
                answer = Answer(chance.choice(SHAPES).format(other))
                at_once = smiles._at_once(check, answer)
                taken += at_once is not None
                assert at_once in (None, smiles._at_length(check, answer)), (check, answer)
    assert taken > 100


@pytest.mark.parametrize(
    "text",
    ["*C", "[R]C", "[CH3:1]C", "C[H]", "C |o1:0|", "C>>C", "C\u2212C", "C" * 3000, "F[Po@SP1](Cl)(Br)I"],
)
def test_what_one_canonical_text_can_not_say_is_left_to_the_long_comparison(text: str) -> None:
    assert profile(text) is None


@pytest.mark.parametrize(
    ("text", "reliable"),
    [
        ("F[C@]12C[C@@]3(Cl)C[C@](Br)(C1)C[C@@](I)(C2)C3", False),
        ("C[C@H]1CC[C@@H](C)CC1", False),
        ("C[C@H]1C[C@@H](C)C1", False),
        ("C[C@H](O)[C@@H](N)C(=O)O", True),
        ("C/C=C/C=C\\CO", True),
    ],
)
def test_marks_that_depend_on_each_other_are_left_to_the_long_comparison(text: str, reliable: bool) -> None:
    read = profile(text)
    assert read is not None
    assert read.reliable is reliable
