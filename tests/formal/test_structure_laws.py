"""Laws of structures: rewriting one never changes a finding, and another object always does."""

from __future__ import annotations

import csv
import random
from collections import Counter
from pathlib import Path

import pytest
from rdkit import Chem

from grader.answer.answer import Answer
from grader.formal import inchi, reaction, smiles
from grader.formal.structures.inchi import inchi_of
from grader.formal.structures.inchi_comparison import holds_in_inchi
from grader.formal.structures.structure import read_structure
from grader.formal.variants.structures import (
    equivalent_structures,
    equivalents,
    near_inchis,
    near_misses,
    near_structures,
    proved_different,
)
from grader.problem.checks import InchiCheck, ReactionCheck, SmilesCheck
from grader.record import Status
from tests.formal.molecules import MOLECULES, STEREO

SOURCES = ("delaney-processed.csv", "lipophilicity_fgbench.csv", "freesolv_fgbench_zscore.csv")


def check_of(text: str) -> SmilesCheck:
    return SmilesCheck(kind="smiles", expected=text, accept=("smiles", "inchi"))


def rewritten_alike(text: str, seed: int) -> int:
    """How many rewritings of a molecule were tried; each must earn the point."""
    spellings = list(equivalents(read_structure(text).mol, seed))
    for one in spellings:
        label = "InChI" if one.notation else "SMILES"
        found = smiles.decide(check_of(text), Answer(f"{label}: `{one.text}`"))
        assert found.status is Status.MET, (text, one, found.detail)
    return len(spellings)


def refused(text: str, seed: int) -> Counter[str]:
    """What was done in the near-misses of a molecule; each must lose the point."""
    made: Counter[str] = Counter()
    for one in near_misses(read_structure(text).mol, seed):
        found = smiles.decide(check_of(text), Answer(f"SMILES: `{one.text}`"))
        assert found.status is Status.NOT_MET, (text, one, found.detail)
        made[one.how] += 1
    return made


def plain(text: str) -> bool:
    structure = read_structure(text)
    return not (structure.lost or structure.labels or structure.mol.GetStereoGroups())


@pytest.mark.parametrize("text", [*MOLECULES[::9], *STEREO[::4]])
def test_rewriting_earns_the_point_and_an_edit_loses_it(text):
    rewritten_alike(text, 3)
    refused(text, 3)


def molecules(folder: Path, count: int) -> list[str]:
    """Molecules of public data sets, the same ones each time."""
    found: set[str] = set()
    for source in SOURCES:
        with (folder / source).open(encoding="utf-8") as lines:
            found |= {row["smiles"].strip() for row in csv.DictReader(lines)}
    return random.Random(0).sample(sorted(found), count)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_the_laws_hold_for_five_hundred_molecules_and_more(shared, part):
    listed = [*molecules(shared / "seeds" / "moleculenet", 520), *MOLECULES, *STEREO]
    own = [text for text in listed[part::4] if plain(text)]
    made: Counter[str] = Counter()
    tried = 0
    for seed, text in enumerate(own):
        tried += rewritten_alike(text, seed)
        made += refused(text, seed)
    assert len(own) >= 150
    assert tried >= 6 * len(own)
    assert made.total() >= 750
    assert len(made) == 9


@pytest.mark.slow
def test_the_laws_hold_for_inchis_of_molecules_that_they_can_hold(shared):
    listed = [*molecules(shared / "seeds" / "moleculenet", 200), *STEREO]
    held = [mol for text in listed if holds_in_inchi(mol := read_structure(text).mol)]
    made = 0
    for seed, mol in enumerate(held):
        text = inchi_of(mol)
        check = InchiCheck(kind="inchi", expected=text, accept=("inchi", "smiles"))
        for one in equivalents(mol, seed):
            found = inchi.decide(check, Answer(f"{'InChI' if one.notation else 'SMILES'}: `{one.text}`"))
            assert found.status is Status.MET, (text, one, found.detail)
        for one in near_inchis(check, seed):
            made += 1
            found = inchi.decide(check, Answer(one.text))
            assert found.status is Status.NOT_MET, (text, one, found.detail)
    assert len(held) >= 100
    assert made >= 500


@pytest.mark.slow
def test_the_laws_hold_for_the_components_of_reactions():
    chance = random.Random(1)
    organic = [text for text in (*MOLECULES, *STEREO) if plain(text) and "." not in text and len(text) > 12]
    for seed in range(150):
        one, two, three = chance.sample(organic, 3)
        check = ReactionCheck(kind="reaction", expected=f"{one}.{two}>>{three}")
        again = [_respelled(text, seed) for text in (one, two, three)]
        right = f"`{again[1]}.{again[0]}>>{again[2]}`"
        assert reaction.decide(check, Answer(right)).status is Status.MET, (check.expected, right)
        for place in range(3):
            for miss in near_misses(read_structure((one, two, three)[place]).mol, seed):
                parts = [*again[:place], miss.text, *again[place + 1 :]]
                wrong = f"`{parts[0]}.{parts[1]}>>{parts[2]}`"
                assert reaction.decide(check, Answer(wrong)).status is Status.NOT_MET, (check.expected, wrong)


def _respelled(text: str, seed: int) -> str:
    return list(equivalents(read_structure(text).mol, seed))[1].text


NAMES = [
    f"{locant}-{substituent}{parent}"
    for parent, locants in (
        ("pyridine", "234"), ("phenol", "234"), ("aniline", "234"), ("benzoic acid", "234"),
        ("toluene", "234"),
        ("naphthalene", "12"), ("cyclohexan-1-ol", "234"), ("pentan-2-one", "345"), ("thiophene", "23"),
        ("quinoline", "2345"), ("hexanoic acid", "23456"), ("piperidine", "234"), ("1H-indole", "23456"),
    )
    for locant in locants
    for substituent in ("chloro", "methyl", "methoxy", "nitro", "cyclopropyl", "(propan-2-yl)")
]  # fmt: skip


@pytest.mark.slow
def test_a_name_earns_the_point_of_its_structure_and_no_other():
    names = pytest.importorskip("grader.formal.structures.names")
    if not names.available():
        pytest.skip("names need a Java")
    read = {one.name: one.smiles for one in names.structures(NAMES) if one.smiles is not None}
    assert len(read) >= 200
    structures = list(read.items())
    for index, (name, text) in enumerate(structures):
        check = SmilesCheck(kind="smiles", expected=text, accept=("smiles", "name"))
        assert smiles.decide(check, Answer(f"The product is {name}.")).status is Status.MET, (name, text)
        other, different = structures[(index + 6) % len(structures)]
        if proved_different(read_structure(text).mol, different):
            wrong = smiles.decide(check, Answer(f"The product is {other}."))
            assert wrong.status is not Status.MET, (text, other)


def test_a_near_miss_is_proved_by_formula_or_by_inchi_and_canonical_smiles():
    mol = Chem.MolFromSmiles("C[C@H](N)C(=O)O")
    assert proved_different(mol, "C[C@@H](N)C(=O)O")
    assert proved_different(mol, "CCC(N)C(=O)O")
    assert not proved_different(mol, "OC(=O)[C@@H](N)C")
    assert not proved_different(Chem.MolFromSmiles("Oc1ccccn1"), "O=c1cccc[nH]1")


def test_the_variants_of_a_check_keep_to_its_options():
    exact = SmilesCheck(kind="smiles", expected="C[C@H](N)C(=O)O")
    loose = SmilesCheck(
        kind="smiles",
        expected="C[C@H](N)C(=O)O",
        stereo="ignore",
        isotopes="ignore",
        charge_state="neutralise",
    )
    ignored = {"one centre inverted", "an isotope", "another charge"}
    assert ignored <= {one.how for one in near_structures(exact)}
    assert not ignored & {one.how for one in near_structures(loose)}
    for check in (exact, loose):
        for one in equivalent_structures(check):
            assert smiles.decide(check, Answer(one.text)).status is Status.MET
        for one in near_structures(check):
            assert smiles.decide(check, Answer(one.text)).status is Status.NOT_MET
