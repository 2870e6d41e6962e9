"""Pairs of drawings as papers and models write them: one compound, two, or open.

The third column of each pair is what chemistry says: ``same``, ``different``,
or ``unsure`` where the drawing alone can't tell.
"""

from __future__ import annotations

from typing import Any

import pytest

from grader.formal.structures.equivalence import compare
from grader.formal.structures.structure import Unreadable, read_structure
from grader.problem.checks import SmilesCheck

ANY: dict[str, Any] = {"metal_bonds": "any"}
GROUPS: dict[str, Any] = {"stereo": "enhanced"}
RELATIVE: dict[str, Any] = {"stereo": "relative"}
TAUTOMERS: dict[str, Any] = {"tautomers": "same"}
SALTS: dict[str, Any] = {"salts": "strip"}
NEUTRAL: dict[str, Any] = {"charge_state": "neutralise"}
LIGHT: dict[str, Any] = {"isotopes": "ignore"}

SPINOL = ("Oc1cccc2CC[C@]3(CCc4cccc(O)c34)c12", "Oc1cccc2CC[C@@]3(CCc4cccc(O)c34)c12")

DRAWINGS: list[tuple[str, str, dict[str, Any], str]] = [
    # charges and multiple bonds of one group
    ("O=[N+]([O-])c1ccccc1", "O=N(=O)c1ccccc1", {}, "same"),
    ("[N-]=[N+]=NCc1ccccc1", "N#[N+][N-]Cc1ccccc1", {}, "same"),
    ("[N-]=[N+]=NCc1ccccc1", "N#N=NCc1ccccc1", {}, "same"),
    ("C=[N+]=[N-]", "C=N#N", {}, "same"),
    ("C[N+](C)(C)[O-]", "CN(C)(C)=O", {}, "same"),
    ("[O-][n+]1ccccc1", "O=n1ccccc1", {}, "same"),
    ("C[N+]#[C-]", "CN#C", {}, "same"),
    ("C[N+](C)(C)[CH2-]", "C=N(C)(C)C", {}, "same"),
    ("CS(C)=O", "C[S+](C)[O-]", {}, "same"),
    ("CS(C)(=O)=O", "C[S+2](C)([O-])[O-]", {}, "same"),
    ("CP(C)(C)=O", "C[P+](C)(C)[O-]", {}, "same"),
    ("C=P(c1ccccc1)(c1ccccc1)c1ccccc1", "[CH2-][P+](c1ccccc1)(c1ccccc1)c1ccccc1", {}, "same"),
    ("C=S(C)(C)=O", "[CH2-][S+](C)(C)=O", {}, "same"),
    ("OP(=O)(O)O", "O[P+]([O-])(O)O", {}, "same"),
    ("OS(=O)(=O)O", "O[S+2]([O-])([O-])O", {}, "same"),
    ("O=Cl(=O)(=O)O", "[O-][Cl+3]([O-])([O-])O", {}, "same"),
    ("O=C=[N-]", "[O-]C#N", {}, "same"),
    ("CC(=O)[S-]", "CC([O-])=S", {}, "same"),
    ("[N-]=[N+]=O", "N#[N+][O-]", {}, "same"),
    ("CC(=O)[CH2-]", "CC([O-])=C", {}, "unsure"),
    ("CN1C=CN(C)[C]1", "C[N+]1=[C-]N(C)C=C1", {}, "unsure"),
    ("CN1C=CN(C)[C]1", "CN1C=CN(C)C1", {}, "different"),
    ("[O][O]", "O=O", {}, "unsure"),
    ("C[N+](=O)[O-]", "CON=O", {}, "different"),
    ("C1=CC2=CC=CC=CC2=C1", "c1ccc2cccc-2cc1", {}, "same"),
    ("CC1=C(C)C=CC=C1", "CC1=CC=CC=C1C", {}, "same"),
    ("[HH]", "[H][H]", {}, "same"),
    # centres of elements beyond carbon
    ("C[S@](=O)CC", "C[S@+]([O-])CC", {}, "same"),
    ("C[S@](=O)CC", "C[S@@+]([O-])CC", {}, "different"),
    ("C[P@](=O)(CC)c1ccccc1", "C[P@+]([O-])(CC)c1ccccc1", {}, "same"),
    ("C[P@](=O)(CC)c1ccccc1", "C[P@@](=O)(CC)c1ccccc1", {}, "different"),
    ("C[P@H]CC", "C[P@@H]CC", {}, "different"),
    ("C[Te@](=O)CC", "C[Te@@](=O)CC", {}, "different"),
    ("C[N@](CC)O", "C[N@@](CC)O", {}, "same"),
    ("C[N@]1C[C@@H]1C", "C[N@@]1C[C@@H]1C", {}, "different"),
    # marks that RDKit drops
    (*SPINOL, {}, "different"),
    (*SPINOL, RELATIVE, "same"),
    (SPINOL[0], "Oc1cccc2c1[C@]1(CC2)CCc2cccc(O)c21", {}, "same"),
    (SPINOL[0], "Oc1cccc2c1[C@@]1(CC2)CCc2cccc(O)c21", {}, "different"),
    ("O[C@H]1CC[C@@]2(C1)CC[C@H](O)C2", "O[C@H]1CC[C@]2(C1)CC[C@H](O)C2", {}, "different"),
    ("C/C=C1/CC[C@H](C)CC1", "C/C=C1\\CC[C@H](C)CC1", {}, "different"),
    ("C/C=C1/CC[C@H](C)CC1", "C/C=C1\\CC[C@@H](C)CC1", {}, "same"),
    ("C/C=C1/CC[C@H](C)CC1", "CC=C1CCC(C)CC1", {}, "different"),
    ("C1OC[C@]12COC2", "C1OC[C@@]12COC2", {}, "same"),
    ("C/C=C=C=C/C", "C/C=C=C=C\\C", {}, "unsure"),
    ("CC=[C@]=CC", "CC=[C@@]=CC", {}, "unsure"),
    ("C[Pt@SP1](F)(Cl)[H]", "C[Pt@SP2](F)(Cl)[H]", {}, "unsure"),
    ("C1CCC/C=C\\1", "C1CCCC=C1", {}, "same"),
    ("C1CCCC/C=C\\1", "C1CCCCC=C1", {}, "same"),
    # symmetric rings, meso forms, double bonds
    ("C[C@@H]1CC[C@H](C)CC1", "C[C@H]1CC[C@@H](C)CC1", {}, "same"),
    ("C[C@@H]1CC[C@H](C)CC1", "C[C@H]1CC[C@H](C)CC1", {}, "different"),
    ("C[C@H](O)[C@@H](C)O", "C[C@@H](O)[C@H](C)O", {}, "same"),
    ("C[C@H](O)[C@H](C)O", "C[C@@H](O)[C@@H](C)O", {}, "different"),
    ("C[C@H](O)[C@H](C)O", "C[C@@H](O)[C@@H](C)O", RELATIVE, "same"),
    ("C[C@H](O)[C@H](C)O", "C[C@@H](O)[C@H](C)O", RELATIVE, "different"),
    ("C/C=C/C", "C\\C=C\\C", {}, "same"),
    ("C/C=C/C", "C/C=C\\C", RELATIVE, "different"),
    ("C/C=C/C", "CC=CC", {}, "different"),
    ("C/C(=N/O)c1ccccc1", "C/C(=N\\O)c1ccccc1", {}, "different"),
    # groups of relative configuration
    ("C[C@H](O)CC |&1:1|", "C[C@@H](O)CC |&5:1|", GROUPS, "same"),
    ("C[C@H](O)CC |o1:1|", "C[C@@H](O)CC |o1:1|", GROUPS, "same"),
    ("C[C@H](O)CC |o1:1|", "C[C@@H](O)CC |&1:1|", GROUPS, "different"),
    ("C[C@H](O)CC |o1:1|", "C[C@@H](O)CC", GROUPS, "different"),
    ("C[C@H](O)[C@@H](C)Cl |&1:1,3|", "C[C@@H](O)[C@H](C)Cl |&1:1,3|", GROUPS, "same"),
    ("C[C@H](O)[C@@H](C)Cl |&1:1,3|", "C[C@@H](O)[C@@H](C)Cl |&1:1,3|", GROUPS, "different"),
    ("C[C@H](O)[C@@H](C)Cl |&1:1,&2:3|", "C[C@@H](O)[C@@H](C)Cl |&1:3,&2:1|", GROUPS, "same"),
    ("C[C@H](O)[C@@H](C)Cl |&1:1,&2:3|", "C[C@@H](O)[C@@H](C)Cl |&1:1,3|", GROUPS, "different"),
    ("C[C@H](O)[C@@H](C)Cl |a:1,&1:3|", "C[C@H](O)[C@H](C)Cl |a:1,&1:3|", GROUPS, "same"),
    ("C[C@H](O)[C@@H](C)Cl |a:1,&1:3|", "C[C@@H](O)[C@H](C)Cl |a:1,&1:3|", GROUPS, "different"),
    ("C[C@H](O)[C@@H](C)O |&1:1,3|", "C[C@H](O)[C@@H](C)O", GROUPS, "same"),
    ("C[C@H](O)[C@H](C)O |&1:1,3|", "C[C@H](O)[C@@H](C)O", GROUPS, "different"),
    # isotopes, tautomers, salts, protons
    ("[2H]C([2H])([2H])O", "[D]C([D])([D])O", {}, "same"),
    ("[2H]C([2H])([2H])O", "CO", {}, "different"),
    ("C[C@H]([2H])O", "C[C@@H]([2H])O", LIGHT, "same"),
    ("Oc1ccccn1", "O=c1cccc[nH]1", {}, "different"),
    ("Oc1ccccn1", "O=c1cccc[nH]1", TAUTOMERS, "same"),
    ("CC(O)=CC(C)=O", "CC(=O)CC(C)=O", TAUTOMERS, "same"),
    ("Cc1c[nH]cn1", "Cc1ncc[nH]1", TAUTOMERS, "different"),
    ("C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O", TAUTOMERS, "different"),
    ("CC(=O)[O-].[Na+]", "CC(=O)O[Na]", {}, "same"),
    ("CC(=O)[O-].[Na+]", "CC(=O)O", {}, "different"),
    ("CC(=O)[O-].[Na+]", "CC(=O)O", SALTS, "same"),
    ("CN.Cl", "CN", SALTS, "same"),
    ("NCC(=O)O", "[NH3+]CC(=O)[O-]", {}, "different"),
    ("NCC(=O)O", "[NH3+]CC(=O)[O-]", NEUTRAL, "same"),
    # metals
    ("C[Mg]Br", "C[Mg+].[Br-]", ANY, "same"),
    ("C[Mg]Br.CC[Zn]Cl", "CC[Mg]Br.C[Zn]Cl", ANY, "unsure"),
    ("[NH3+][Pt-2](Cl)(Cl)[NH3+]", "[NH3]->[Pt](Cl)(Cl)<-[NH3]", ANY, "same"),
    ("N.N.[Cl-].[Cl-].[Pt+2]", "[NH3]->[Pt](Cl)(Cl)<-[NH3]", ANY, "same"),
    ("Cl[Rh](P(C)(C)C)P(C)(C)C", "CP(C)(C)->[Rh](Cl)<-P(C)(C)C", ANY, "same"),
    ("Cl[Rh](P(C)(C)C)P(C)(C)C", "CP(C)(C)->[Rh](Br)<-P(C)(C)C", ANY, "different"),
    ("CC(=O)O[Pd]OC(C)=O", "CC(=O)[O-].CC(=O)[O-].[Pd+2]", ANY, "same"),
    ("CC(=O)O[Pd]OC(C)=O", "CC(=O)[O-].CC(=O)[O-].[Pd+2]", {}, "unsure"),
    ("[Fe+2].[cH-]1cccc1.[cH-]1cccc1", "[CH-]1C=CC=C1.[CH-]1C=CC=C1.[Fe+2]", {}, "same"),
    # placeholders and abbreviations
    ("[R1]C(=O)[R2]", "[R2]C(=O)[R1]", {}, "same"),
    ("[R1]C(=O)O[R2]", "[R2]C(=O)O[R1]", {}, "different"),
    ("RC(=O)O", "CC(=O)O", {}, "different"),
    ("[Cp][Fe]C", "[Cp*][Fe]C", {}, "different"),
    ("[dipp]N", "CC(C)c1cccc(C(C)C)c1N", {}, "unsure"),
    ("[Ph]C(=O)O", "OC(=O)c1ccccc1", {}, "same"),
    ("PhC(=O)OMe", "COC(=O)c1ccccc1", {}, "same"),
    ("[Boc]NCC", "CC(C)(C)OC(=O)NCC", {}, "same"),
    ("[TBS]OCC", "CCO[Si](C)(C)C(C)(C)C", {}, "same"),
    ("[Ac]OC", "COC(C)=O", {}, "same"),
    ("[Ph]P([Ph])[Me]", "c1ccc(cc1)P(c1ccccc1)c1ccccc1", {}, "different"),
    ("O[C@H]([Ph])C(=O)O", "O[C@H](c1ccccc1)C(=O)O", {}, "same"),
    ("O[C@H]([Ph])C(=O)O", "O[C@@H](c1ccccc1)C(=O)O", {}, "different"),
    # valences that RDKit refuses
    ("[H]1B(C)(C)[H]B1(C)C", "C[B]1(C)[H][B](C)(C)[H]1", {}, "same"),
    ("[H]1B(C)(C)[H]B1(C)C", "C[B]1(C)[H][B](C)[H]1", {}, "unsure"),
    ("Cl[Al]1(Cl)Cl[Al](Cl)(Cl)Cl1", "Cl1[Al](Cl)(Cl)Cl[Al]1(Cl)Cl", {}, "same"),
    ("F[B-](F)(F)F", "FB(F)(F)F", {}, "unsure"),
    ("F[Si](F)(F)(F)(F)F", "F[Si-2](F)(F)(F)(F)F", {}, "unsure"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "options", "outcome"), DRAWINGS)
def test_two_drawings_come_out_as_chemistry_says(one, other, options, outcome):
    check = SmilesCheck(kind="smiles", expected=one, **options)
    first, second = read_structure(one), read_structure(other)
    assert compare(first, second, check).relation == outcome
    assert compare(second, first, check).relation == outcome


@pytest.mark.parametrize("text", ["CC(C)(C)(C)C", "CO(C)C", "C#C(C)C", "O=O=O"])
def test_a_valence_that_nobody_draws_on_purpose_is_an_error(text):
    with pytest.raises(Unreadable):
        read_structure(text)


def test_a_structure_is_itself_however_unusual():
    for one, other, _, _ in DRAWINGS:
        for text in (one, other):
            check = SmilesCheck(kind="smiles", expected=text)
            assert compare(read_structure(text), read_structure(text), check).relation == "same"
