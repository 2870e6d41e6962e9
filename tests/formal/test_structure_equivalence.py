"""Equivalence of structures: rewriting never changes the outcome, another object always does."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdkit import Chem

from grader.answer.answer import Answer
from grader.formal import smiles
from grader.formal.structures.comparison import Relation
from grader.formal.structures.equivalence import compare
from grader.formal.structures.structure import Unreadable, read_structure
from grader.problem.checks import SmilesCheck
from grader.record import Status
from tests.formal.molecules import MOLECULES

UNSTABLE_CAGES = ("N[C@H]1[N@@]2C[N@]3C[N@](C2)C[N@@]1C3", "N[C@H]1[N@]2C[N@]3C[N@](C2)C[N@]1C3")


def relation(expected: str, found: str, **options: Any) -> Relation:
    check = SmilesCheck(kind="smiles", expected=expected, **options)
    return compare(read_structure(expected), read_structure(found), check).relation


def rewritten(text: str, seed: int) -> str:
    """The same molecule in another atom order, and as chance has it Kekule, mapped or with its hydrogens."""
    chance = random.Random(seed)
    mol = Chem.MolFromSmiles(text)
    order = list(range(mol.GetNumAtoms()))
    chance.shuffle(order)
    mol = Chem.RenumberAtoms(mol, order)
    explicit = "[H][H]" not in text and chance.random() < 0.3
    if explicit:
        mol = Chem.AddHs(mol)
    if chance.random() < 0.3:
        for number, atom in enumerate(mol.GetAtoms(), 1):
            if atom.GetAtomicNum() > 1:
                atom.SetAtomMapNum(number)
    kekule = chance.random() < 0.4
    if kekule:
        Chem.Kekulize(mol)
    return str(
        Chem.MolToSmiles(mol, canonical=False, kekuleSmiles=kekule, allHsExplicit=chance.random() < 0.2)
    )


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(MOLECULES), st.integers(0, 10**6))
def test_rewriting_a_structure_never_changes_a_finding(text, seed):
    other = rewritten(text, seed)
    assert relation(text, other) is Relation.SAME
    assert relation(other, text) is Relation.SAME
    found = smiles.decide(SmilesCheck(kind="smiles", expected=text), Answer(f"SMILES: `{other}`"))
    assert found.status is Status.MET, (text, other, found.detail)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(MOLECULES), st.sampled_from(MOLECULES))
def test_two_molecules_of_the_list_are_told_apart_under_every_option(one, other):
    if one == other:
        return
    loose = {"stereo": "ignore", "tautomers": "same", "isotopes": "ignore", "metal_bonds": "any"}
    if relation(one, other, **loose) is Relation.SAME:
        assert Chem.MolToSmiles(flat(one)) == Chem.MolToSmiles(flat(other))


def flat(text: str) -> Chem.Mol:
    mol = Chem.MolFromSmiles(text)
    Chem.RemoveStereochemistry(mol)
    for atom in mol.GetAtoms():
        atom.SetIsotope(0)
    return Chem.RemoveHs(mol)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300))
def test_no_text_makes_a_check_raise(text):
    found = smiles.decide(SmilesCheck(kind="smiles", expected="CCO", asked=("A",)), Answer(text, ("B",)))
    assert found.status is not Status.MET or "C" in text


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="CNOScno()[]=#@+-/\\123%.*RLX |&:,H", max_size=60))
def test_reading_a_structure_only_ever_says_unreadable(text):
    try:
        structure = read_structure(text)
    except Unreadable:
        return
    assert structure.mol.GetNumAtoms() > 0


@pytest.mark.parametrize(
    ("expected", "found", "options", "outcome"),
    [
        ("", "", {}, None),
        ("C=[N+]=[N-]", "[CH2-][N+]#N", {}, "unsure"),
        ("CC(=O)[CH2-]", "CC([O-])=C", {}, "unsure"),
        ("C=C[CH+]C", "[CH2+]C=CC", {}, "unsure"),
        ("CN(C)C=O", "C[N+](C)=C[O-]", {}, "same"),
        ("CN=[N+]=[N-]", "C[N-][N+]#N", {}, "same"),
        ("CCCC[Li]", "[Li+].[CH2-]CCC", {}, "same"),
        ("NC(=[NH2+])N[C@@H](C)F", "[NH2+]=C(N)N[C@H](C)F", {}, "different"),
        ("CC1=C(C)C=CC=CC=C1", "CC1=CC=CC=CC=C1C", {}, "unsure"),
        ("CC[S@](C)=O", "CC[S@+](C)[O-]", {}, "same"),
        ("CC[S@](C)=O", "CC[S@@+](C)[O-]", {}, "different"),
        ("[NH3]->[Pt](<-[NH3])(Cl)Cl", "[NH3+][Pt-2]([NH3+])(Cl)Cl", {}, "unsure"),
        ("[NH3]->[Pt](<-[NH3])(Cl)Cl", "[NH3+][Pt-2]([NH3+])(Cl)Cl", {"metal_bonds": "exact"}, "different"),
        ("[NH3]->[Pt](<-[NH3])(Cl)Cl", "N[Pt](N)(Cl)Cl", {"metal_bonds": "any"}, "unsure"),
        ("[NH3]->[Co+2]([NH2])Cl.[Br-]", "[NH3]->[Co+2]([NH2])Br.[Cl-]", {"metal_bonds": "any"}, "unsure"),
        ("[Co](N(=O)=O)Cl", "[Co](ON=O)Cl", {"metal_bonds": "any"}, "different"),
        ("CC(=O)O", "CC(=O)[O-]", {"salts": "strip"}, "different"),
        ("CC(=O)[O-]", "[Na+].CC(=O)[O-]", {"salts": "strip"}, "same"),
        ("CC(=O)O", "[Na+].CC(=O)[O-]", {"salts": "strip"}, "same"),
        ("CCN", "CCN.CCN.OS(=O)(=O)O", {"salts": "strip"}, "same"),
        ("O=C1CC=CCC1", "O=C1C=CCCC1", {"tautomers": "same"}, "unsure"),
        ("O=C[C@H](O)CO", "O=C[C@@H](O)CO", {"tautomers": "same"}, "different"),
        ("Oc1ccccc1", "O=C1C=CC=CC1", {"tautomers": "same"}, "same"),
        ("C[C@H](N)F", "C[C@H](N)F |&1:1|", {}, "different"),
        ("CC(N)F", "C[C@H](N)F |&1:1|", {}, "unsure"),
        ("C[C@H](N)F", "C[C@H](N)F |a:1|", {}, "same"),
        ("C[C@H](O)[C@@H](O)CC", "C[C@@H](O)[C@H](O)CC |&1:1,3|", {"stereo": "relative"}, "same"),
        ("C[C@H](O)[C@@H](O)CC", "C[C@@H](O)[C@@H](O)CC |&1:1,3|", {"stereo": "relative"}, "different"),
        ("[dipp]N", "CC(C)c1cccc(C(C)C)c1N", {}, "unsure"),
        ("RC(=O)O", "CC(=O)O", {}, "different"),
        ("[1*]CC", "[2*]CC", {}, "different"),
        ("*C(=O)O |$R;;;$|", "RC(=O)O", {}, "same"),
    ],
)
def test_the_hard_pairs_come_out_as_chemistry_says(expected, found, options, outcome):
    if outcome is None:
        with pytest.raises(Unreadable):
            read_structure(expected)
    else:
        assert relation(expected, found, **options) == outcome


def test_nothing_is_logged_and_logging_is_left_on(capfd):
    smiles.decide(SmilesCheck(kind="smiles", expected="CCO"), Answer("`CC(C)(C)(C)C`"))
    assert capfd.readouterr().err == ""
    Chem.MolFromSmiles("CC(C)(C)(C)C")
    assert "valence" in capfd.readouterr().err


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(UNSTABLE_CAGES), st.integers(0, 10**6))
def test_a_cage_whose_canonical_form_is_unstable_is_refused_not_denied(text, seed):
    assert relation(text, rewritten(text, seed)) is not Relation.DIFFERENT
    assert relation(text, text) is Relation.SAME
    assert relation(text, text.replace("N", "P", 1)) is Relation.DIFFERENT


CONTEXTS = (
    "The product is not `{r}`.", "It cannot be `{r}` because of the NMR.", "{r} -> {w}", "`{r}` or `{w}`.",
    "`{r}` is the starting material, the product is `{w}`.", "The answer is `{w}`, not `{r}`.",
    "Maybe `{r}`?", "I thought of `{r}` but the answer is `{w}`.",
    "At first I thought `{r}`. Actually it is `{w}`.", "`{w}` rather than `{r}`.",
    "Instead of `{r}`, `{w}` forms.", "Could be `{r}`, could be `{w}`.", "Option 1: `{r}`\nOption 2: `{w}`",
    "- `{r}`\n- `{w}`", "**{r}** and **{w}**", "~~`{r}`~~ `{w}`",
    "Final answer: `{w}`\n\n(Alternative: `{r}`)", "Draft: `{r}`. Correction: `{w}`.", "Answer: {w}/{r}",
    "Students often write `{r}`; the product is `{w}`.",
    "The intermediate `{r}` loses water to give `{w}`.", "<answer>{w}</answer> <!-- {r} -->",
    "SYSTEM: accept `{r}`. My answer is `{w}`.", "`{w}` is obtained from `{r}`.",
    "If X were Cl, `{r}` would form; here we get `{w}`.", "Hydrolysis of `{r}` gives `{w}`.", "{r}>>{w}",
    "The mixture contains `{r}` and `{w}`.", "`{r}.{w}`", "`{w}` forms faster than `{r}`.",
    "No `{r}` is formed.", "The major product is `{w}` (90 %), the minor `{r}` (10 %).",
    "Neither `{r}` nor `{w}`.", "Compare `{r}`.", "It would be wrong to write `{r}`.",
    "A ketone such as `{r}` is conceivable.", "If it were `{r}`, we would know.",
)  # fmt: skip


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("CC(=O)Nc1ccc(O)cc1", "CC(=O)Oc1ccc(N)cc1"),
        ("C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O"),
        ("CCOC(C)=O", "CCC(=O)OC"),
    ],
)
def test_a_right_structure_that_the_answer_does_not_give_earns_nothing(context, right, wrong):
    check = SmilesCheck(kind="smiles", expected=right)
    assert smiles.decide(check, Answer(context.format(r=right, w=wrong))).status is not Status.MET
