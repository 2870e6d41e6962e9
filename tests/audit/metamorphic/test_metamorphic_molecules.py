"""Every transform of structures over molecules of every kind, proved by RDKit alone and not by the guards."""

from __future__ import annotations

import re
from functools import cache

import pytest
from rdkit import Chem, rdBase
from rdkit.Chem.rdMolDescriptors import CalcMolFormula

from grader.audit.metamorphic.kind import Unfit
from grader.audit.metamorphic.pair import NotApplicable, Pair
from grader.audit.metamorphic.pairs import pairs_of
from grader.audit.metamorphic.registry import KINDS
from grader.audit.metamorphic.structures import assert_other, isomers, whole
from grader.formal.structures.structure import read_structure
from grader.problem.checks import SmilesCheck
from grader.problem.model import Point

MOLECULES = {
    "lactic acid": "C[C@H](O)C(=O)O",
    "alanine, a zwitterion": "C[C@H]([NH3+])C(=O)[O-]",
    "glycine, a zwitterion": "[NH3+]CC(=O)[O-]",
    "meso-tartaric acid": "O[C@H]([C@@H](O)C(O)=O)C(O)=O",
    "L-tartaric acid": "O[C@H]([C@H](O)C(O)=O)C(O)=O",
    "meso-butane-2,3-diol": "C[C@@H](O)[C@@H](O)C",
    "cis-1,4-dimethylcyclohexane": "C[C@H]1CC[C@@H](C)CC1",
    "menthol": "C[C@@H]1CC[C@@H](C(C)C)[C@H](O)C1",
    "glucose": "OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O",
    "nicotine": "CN1CCC[C@H]1c1cccnc1",
    "penicillin G": "CC1(C)S[C@@H]2[C@H](NC(=O)Cc3ccccc3)C(=O)N2[C@H]1C(=O)O",
    "crotonaldehyde": "C/C=C/C=O",
    "maleic acid": "OC(=O)/C=C\\C(=O)O",
    "an oxime": "C/C(=N\\O)c1ccccc1",
    "sorbic acid of two double bonds": "C/C=C/C=C\\C(=O)O",
    "a centre and a double bond": "C/C=C/[C@@H](O)C",
    "pyridine": "c1ccncc1",
    "imidazole": "Cc1c[nH]cn1",
    "indole": "c1ccc2[nH]ccc2c1",
    "caffeine": "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
    "pyridine N-oxide": "[O-][n+]1ccccc1",
    "nitrobenzene": "O=[N+]([O-])c1ccccc1",
    "sodium acetate": "[Na+].CC(=O)[O-]",
    "procaine hydrochloride": "CCN(CC)CCOC(=O)c1ccc(N)cc1.Cl",
    "ammonium sulfate": "[NH4+].[NH4+].[O-]S(=O)(=O)[O-]",
    "methylammonium bromide": "C[NH3+].[Br-]",
    "choline": "C[N+](C)(C)CCO",
    "a carbanion": "[CH2-]C#N",
    "methanol labelled with carbon-13": "[13CH3]O",
    "a centre by deuterium": "C[C@]([2H])(O)c1ccccc1",
    "a chiral sulfoxide": "CC[S@](C)=O",
    "p-cresol": "Cc1ccc(O)cc1",
    "ethanol": "CCO",
    "aspirin": "CC(=O)Oc1ccccc1C(=O)O",
}

_QUOTED = re.compile(r"`([^`]+)`")
_STRUCTURAL = (
    "random_smiles", "kekule_form", "explicit_hydrogens", "part_order", "inchi_for_smiles",
    "stereocentre_inverted", "double_bond_turned", "substituent_moved", "methylene_added",
    "methylene_removed", "element_replaced", "charge_changed",
)  # fmt: skip


def _answer(smiles: str) -> str:
    return f"The product is `{smiles}`."


@cache
def _made(smiles: str) -> dict[str, Pair | NotApplicable]:
    point = Point(id="1", points=1, text=f"Product: `{smiles}`")
    return {one.kind: one for one in pairs_of(_answer(smiles), point, seed=7)}


def _after(pair: Pair) -> Chem.Mol:
    (text,) = _QUOTED.findall(pair.after)
    with rdBase.BlockLogs():
        mol = Chem.MolFromInchi(text) if text.startswith("InChI=") else Chem.MolFromSmiles(text)
    assert mol is not None
    assert pair.after != pair.before
    return mol


def _flat(mol: Chem.Mol) -> str:
    return str(Chem.MolToSmiles(mol, isomericSmiles=False))


def _formula(mol: Chem.Mol) -> str:
    return str(CalcMolFormula(mol, separateIsotopes=True))


def _weights(mol: Chem.Mol) -> dict[str, int]:
    return {symbol: int(n or 1) for symbol, n in re.findall(r"([A-Z][a-z]?)(\d*)", CalcMolFormula(mol))}


@pytest.mark.parametrize("smiles", MOLECULES.values(), ids=MOLECULES.keys())
def test_each_pair_is_of_the_same_or_of_another_molecule_by_rdkit_alone(smiles: str) -> None:
    made = _made(smiles)
    assert list(made) == list(KINDS)
    before = Chem.MolFromSmiles(smiles)
    own, canonical = Chem.MolToInchi(before), Chem.MolToSmiles(before)
    for kind in _STRUCTURAL:
        pair = made[kind]
        if isinstance(pair, NotApplicable):
            continue
        after = _after(pair)
        same = Chem.MolToSmiles(after) == canonical
        assert same is (pair.law == "invariant"), (kind, pair.after)
        if pair.law == "invariant":
            assert Chem.MolToInchi(after) == own
        elif _formula(after) == _formula(before):
            assert Chem.MolToInchi(after) != own
        if kind in ("stereocentre_inverted", "double_bond_turned"):
            assert _flat(after) == _flat(before)
        if kind == "substituent_moved":
            assert (_formula(after), _flat(after) == _flat(before)) == (_formula(before), False)
        if kind in ("methylene_added", "methylene_removed"):
            by = 1 if kind == "methylene_added" else -1
            old, new = _weights(before), _weights(after)
            assert (new.get("C", 0) - old.get("C", 0), new["H"] - old["H"]) == (by, 2 * by)
        if kind == "element_replaced":
            assert after.GetNumHeavyAtoms() == before.GetNumHeavyAtoms()
            assert _formula(after) != _formula(before)
        if kind == "charge_changed":
            assert Chem.GetFormalCharge(after) != Chem.GetFormalCharge(before)


@pytest.mark.parametrize("smiles", MOLECULES.values(), ids=MOLECULES.keys())
def test_what_a_molecule_has_is_transformed_and_what_it_lacks_is_counted_with_a_reason(smiles: str) -> None:
    mol = Chem.MolFromSmiles(smiles)
    centres = [atom for atom in mol.GetAtoms() if atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED]
    bonds = [bond for bond in mol.GetBonds() if bond.GetStereo() > Chem.BondStereo.STEREOANY]
    methyls = mol.GetSubstructMatches(Chem.MolFromSmarts("[CX4;H3]~*"))
    wanted = {
        "random_smiles": mol.GetNumAtoms() > 1,
        "kekule_form": any(atom.GetIsAromatic() for atom in mol.GetAtoms()),
        "explicit_hydrogens": True,
        "part_order": len(set(smiles.split("."))) > 1,
        # RDKit writes rings like this one in more than one way, so that nothing is proved
        "stereocentre_inverted": bool(centres) and smiles != MOLECULES["cis-1,4-dimethylcyclohexane"],
        "double_bond_turned": bool(bonds),
        "methylene_added": True,
        "methylene_removed": bool(methyls),
    }
    made = _made(smiles)
    for kind, applies in wanted.items():
        one = made[kind]
        assert isinstance(one, Pair) is applies, one
    for one in made.values():
        assert isinstance(one, Pair) or one.why


def test_an_inchi_never_stands_for_what_it_does_not_tell_apart() -> None:
    for name in ("imidazole", "indole", "alanine, a zwitterion", "caffeine", "sodium acetate"):
        one = _made(MOLECULES[name])["inchi_for_smiles"]
        back = Chem.MolFromInchi(Chem.MolToInchi(Chem.MolFromSmiles(MOLECULES[name])))
        lost = Chem.MolToSmiles(back) != Chem.CanonSmiles(MOLECULES[name])
        if lost or name == "imidazole":  # two tautomers have one InChI
            assert isinstance(one, NotApplicable), one
            assert "InChI can't hold" in one.why


def test_both_centres_of_a_meso_form_inverted_are_the_same_molecule() -> None:
    meso, inverted, one = (
        "C[C@@H](O)[C@@H](O)C",
        "C[C@H](O)[C@H](O)C",
        "C[C@H](O)[C@@H](O)C",
    )
    assert Chem.CanonSmiles(meso) == Chem.CanonSmiles(inverted)
    with pytest.raises(Unfit, match="another molecule"):
        assert_other(read_structure(meso), inverted, isomers)
    assert_other(read_structure(meso), one, isomers)


@pytest.mark.parametrize(
    "smiles", [MOLECULES[name] for name in ("lactic acid", "maleic acid", "aspirin", "a centre by deuterium")]
)
def test_code_gives_the_verdict_of_the_law_where_the_point_has_a_check(smiles: str) -> None:
    from grader.answer.answer import Answer
    from grader.formal import registry

    check = SmilesCheck(kind="smiles", expected=smiles)
    pairs = [one for one in pairs_of(_answer(smiles), check) if isinstance(one, Pair)]
    assert {one.law for one in pairs} == {"invariant", "sensitive"}
    for one in pairs:
        award = registry.decide(check, Answer(one.after)).award
        assert award == (1.0 if one.law == "invariant" else 0.0), one


@pytest.mark.parametrize(
    ("smiles", "why"),
    [
        ("C[C@H](F)Cl |o1:1|", "group of stereoisomers"),
        ("C[Hg]C", "bond to a metal"),
        ("CN[dipp]", "doesn't hold all"),
    ],
)
def test_what_rdkit_does_not_hold_in_full_is_left_alone(smiles: str, why: str) -> None:
    with pytest.raises(Unfit, match=why):
        whole(read_structure(smiles))
