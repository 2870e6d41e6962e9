"""What takes part in reactions without being asked for: solvents, bases, catalysts, by-products.

Also formulas of common small compounds, which answers write beside SMILES.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

from rdkit import Chem

from grader.formal.structures.standardise import has_metal
from grader.formal.structures.structure import Structure, read_structure

_AGENTS = """
CCN(CC)CC CC(C)N(CC)C(C)C CN(C)C CN1CCOCC1 c1ccncc1 Cc1cccc(C)n1 CN(C)c1ccncc1 c1c[nH]cn1 Cn1ccnc1
C1CCC2=NCCCN2CC1 C1CN2CCN1CC2 OC(=O)[C@@H]1CCCN1 OC(=O)C1CCCN1 C1CCNC1 C1CCNCC1
Cc1ccc(cc1)S(=O)(=O)O CS(=O)(=O)O OS(=O)(=O)C(F)(F)F OC(=O)C(F)(F)F CC(=O)O OC=O CC(=O)[O-] OC(=O)c1ccccc1
C1CCOC1 CCOCC C1COCCO1 COCCOC COC(C)(C)C ClCCl ClC(Cl)Cl ClC(Cl)(Cl)Cl ClCCCl CC#N CN(C)C=O CS(C)=O
CN(C)C(C)=O CN1CCCC1=O CN(C)P(=O)(N(C)C)N(C)C CC(C)=O CCOC(C)=O Cc1ccccc1 c1ccccc1 Cc1ccccc1C CCCCCC CCCCC
CCCCCCC C1CCCCC1 CO CCO CCCO CC(C)O CC(C)(C)O OCCO C[O-] CC[O-] CC(C)[O-] CC(C)(C)[O-] CC(C)[N-]C(C)C
C[Si](C)(C)[N-][Si](C)(C)C c1ccc(cc1)P(c1ccccc1)c1ccccc1 C1CCC(CC1)P(C1CCCCC1)C1CCCCC1
CC(C)(C)P(C(C)(C)C)C(C)(C)C C(=NC1CCCCC1)=NC1CCCCC1 CCN=C=NCCCN(C)C On1nnc2ccccc12
CCOC(=O)N=NC(=O)OCC CC(C)OC(=O)N=NC(=O)OC(C)C CC(C)(C#N)N=NC(C)(C)C#N
O=C(OOC(=O)c1ccccc1)c1ccccc1 CC(C)(C)OOC(C)(C)C O=C(OO)c1cccc(Cl)c1 CC(C)(C)OO C[N+]1([O-])CCOCC1
CC1(C)CCCC(C)(C)N1[O] CCCC[N+](CCCC)(CCCC)CCCC C1COCCOCCOCCOCCOCCO1 [CH2-]CCC
"""
"""Bases, acids, solvents, ligands, activators and initiators that reaction SMILES often list."""

_SPENT = """
O=P(c1ccccc1)(c1ccccc1)c1ccccc1 O=C(NC1CCCCC1)NC1CCCCC1 CCNC(=O)NCCCN(C)C O=C1CCC(=O)N1 On1nnc2ccccc12
CCOC(=O)NNC(=O)OCC CC(C)OC(=O)NNC(=O)OC(C)C Cc1ccc(cc1)S(=O)(=O)O Cc1ccc(cc1)S(=O)(=O)[O-] CS(=O)(=O)[O-]
[O-]S(=O)(=O)C(F)(F)F OS(=O)(=O)C(F)(F)F CS(=O)(=O)O O=C(O)c1cccc(Cl)c1 CCCC[Sn](Cl)(CCCC)CCCC
CCCC[Sn](Br)(CCCC)CCCC C[Si](C)(C)O C[Si](C)(C)O[Si](C)(C)C C[Si](C)(C)Cl CC(C)(C)[Si](C)(C)O CS(C)
C#N CC[NH+](CC)CC c1cc[nH+]cc1 CC(C)[NH+](CC)C(C)C C=C CC(C)=C O=S1CCCC1
"""
"""Spent reagents and what leaves a sulfonate or a silane: nobody prepares them."""

_LEAVING = """
C CC CCC CCCC CO CCO CCCO CC(C)O CC(C)(C)O C[O-] CC[O-] CC(C)(C)[O-] CC(=O)O CC(=O)[O-] OC=O [O-]C=O
OC(=O)C(F)(F)F [O-]C(=O)C(F)(F)F CC(C)=O CC=O C=O CCl CBr CI CCCl CCBr CCI CC(C)(C)Cl C=CC Cc1ccccc1
Oc1ccccc1 [O-]c1ccccc1 CNC CN CCNCC c1c[nH]cn1 c1ccncc1 Sc1ccccc1
"""
"""Small organic compounds that leave a reaction; one counts as such beside a larger product only."""

_FORMULAS = """
H2O O|OH- [OH-]|HO- [OH-]|H+ [H+]|H3O+ [OH3+]|H2 [H][H]|O2 O=O|O3 [O-][O+]=O|N2 N#N|Cl2 ClCl|Br2 BrBr|I2 II
F2 FF|HCl Cl|HBr Br|HI I|HF F|NH3 N|NH4+ [NH4+]|CO2 O=C=O|SO2 O=S=O|SO3 O=S(=O)=O|H2S S|HCN C#N|CN- [C-]#N
H2SO4 OS(=O)(=O)O|HNO3 O[N+]([O-])=O|HNO2 ON=O|H3PO4 OP(O)(O)=O|H2O2 OO|NaOH [Na+].[OH-]|KOH [K+].[OH-]
LiOH [Li+].[OH-]|NaCl [Na+].[Cl-]|NaBr [Na+].[Br-]|NaI [Na+].[I-]|KCl [K+].[Cl-]|KBr [K+].[Br-]
KI [K+].[I-]|LiBr [Li+].[Br-]|LiCl [Li+].[Cl-]|Cl- [Cl-]|Br- [Br-]|I- [I-]|F- [F-]|Na+ [Na+]|K+ [K+]
Na2CO3 [Na+].[Na+].[O-]C([O-])=O|K2CO3 [K+].[K+].[O-]C([O-])=O|NaHCO3 [Na+].OC([O-])=O|NaH [Na+].[H-]
Cs2CO3 [Cs+].[Cs+].[O-]C([O-])=O|NaCN [Na+].[C-]#N|KCN [K+].[C-]#N|NaN3 [Na+].[N-]=[N+]=[N-]|Na [Na]|Mg [Mg]
NaBH4 [Na+].[BH4-]|LiAlH4 [Li+].[AlH4-]|KMnO4 [K+].[O-][Mn](=O)(=O)=O|SOCl2 ClS(Cl)=O|PCl3 ClP(Cl)Cl
PBr3 BrP(Br)Br|PCl5 ClP(Cl)(Cl)(Cl)Cl|POCl3 ClP(Cl)(Cl)=O|AlCl3 Cl[Al](Cl)Cl|FeBr3 Br[Fe](Br)Br
BF3 FB(F)F|BH3 B|NH2- [NH2-]|NaNH2 [Na+].[NH2-]|CH4 C|CH3OH CO|MeOH CO|EtOH CCO|CH3I CI|MeI CI
CCl4 ClC(Cl)(Cl)Cl|CH2Cl2 ClCCl|CHCl3 ClC(Cl)Cl|AcOH CC(O)=O|PPh3 c1ccc(cc1)P(c1ccccc1)c1ccccc1|Et3N CCN(CC)CC
HClO4 OCl(=O)(=O)=O|Ph3P c1ccc(cc1)P(c1ccccc1)c1ccccc1|Ph3PO O=P(c1ccccc1)(c1ccccc1)c1ccccc1
Ph3P=O O=P(c1ccccc1)(c1ccccc1)c1ccccc1
B(OH)3 OB(O)O|OsO4 O=[Os](=O)(=O)=O|CrO3 O=[Cr](=O)=O|MnO2 O=[Mn]=O|Zn [Zn]|Fe [Fe]|Pd [Pd]|Pt [Pt]|Ni [Ni]
"""


@cache
def formulas() -> dict[str, str]:
    """Formulas of small compounds that answers write among SMILES, as SMILES."""
    entries = (entry for line in _FORMULAS.strip().splitlines() for entry in line.split("|"))
    return dict(entry.split(" ", 1) for entry in entries if entry)


@cache
def _known(texts: str) -> frozenset[str]:
    return frozenset(key(read_structure(text)) for text in texts.split())


def key(structure: Structure) -> str:
    """The constitution of a component as a text."""
    flat = Chem.Mol(structure.mol)
    Chem.RemoveStereochemistry(flat)
    return str(Chem.MolToSmiles(flat))


def is_organic(structure: Structure) -> bool:
    """Whether a component has carbon beside hydrogen or another carbon: no CO2, carbonate or cyanide."""
    carbons = [atom for atom in structure.mol.GetAtoms() if atom.GetAtomicNum() == 6]
    return any(
        atom.GetTotalNumHs() or any(n.GetAtomicNum() in (0, 6) for n in atom.GetNeighbors())
        for atom in carbons
    ) and not (len(carbons) == 1 and structure.mol.GetNumAtoms() <= 2 and not carbons[0].GetTotalNumHs())


def is_agent(structure: Structure) -> bool:
    """Whether a component can be a catalyst, a base, an acid, a solvent or a counter-ion."""
    if structure.labels:
        return False
    return has_metal(structure.mol) or not is_organic(structure) or key(structure) in _known(_AGENTS)


def is_byproduct(structure: Structure, beside: Sequence[Structure]) -> bool:
    """Whether a component is what leaves a reaction beside a larger product."""
    if structure.labels:
        return False
    if not is_organic(structure):
        return True
    spent = key(structure) in _known(_SPENT)
    if spent and any(is_organic(other) and key(other) not in _known(_SPENT) for other in beside):
        return True
    larger = any(
        other.mol.GetNumAtoms() > structure.mol.GetNumAtoms() for other in beside if is_organic(other)
    )
    return larger and key(structure) in _known(_LEAVING)


def is_metal_ion(structure: Structure) -> bool:
    """Whether a component is the bare cation of a metal."""
    return (
        structure.mol.GetNumAtoms() == 1
        and has_metal(structure.mol)
        and Chem.GetFormalCharge(structure.mol) > 0
    )


def composition(structures: Sequence[Structure]) -> Counter[str] | None:
    """The atoms and the charge (under ``+``) of a side; None where placeholders leave them open."""
    total: Counter[str] = Counter()
    for structure in structures:
        for atom in structure.mol.GetAtoms():
            if atom.GetAtomicNum() == 0:
                return None
            total[atom.GetSymbol()] += 1
            total["H"] += atom.GetTotalNumHs()
        total["+"] += Chem.GetFormalCharge(structure.mol)
    return Counter({symbol: count for symbol, count in total.items() if count})
