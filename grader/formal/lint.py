"""What deserves a chemist's look in a check: expected values that don't hold what the author may mean.

A lint never refuses a set. Where something could not be looked at, a lint says
so instead of passing in silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rdkit import Chem, rdBase

from grader.answer.notation import normalise
from grader.formal.equations.balance import imbalance
from grader.formal.equations.reader import read_equation
from grader.formal.follow.lint import follow_report
from grader.formal.formulas.tree import Unreadable as UnreadableFormula
from grader.formal.formulas.tree import read_formula
from grader.formal.reading.inchi_tokens import as_inchi
from grader.formal.structures.inchi import inchi_of, is_canonical, read_inchi
from grader.formal.structures.reaction import read_reaction
from grader.formal.structures.structure import Structure, Unreadable, read_structure
from grader.formal.structures.tautomers import heteroatom_tautomers
from grader.problem.checks import (
    CheckModel,
    EquationCheck,
    FormulaCheck,
    InchiCheck,
    QuantityCheck,
    ReactionCheck,
    SmilesCheck,
)
from grader.problem.set import SetReport, check_set


@dataclass(frozen=True, slots=True)
class Lint:
    """One thing to look at; ``code`` is stable, ``do`` says how to settle it."""

    code: str
    message: str
    do: str = ""


def lint(check: CheckModel) -> list[Lint]:
    """The lints of one check; never raises for what a check may hold."""
    if isinstance(check, SmilesCheck):
        return list(_lint_smiles(check))
    if isinstance(check, InchiCheck):
        return list(_lint_inchi(check))
    if isinstance(check, ReactionCheck):
        return list(_lint_reaction(check))
    if isinstance(check, FormulaCheck):
        return list(_lint_formula(check))
    if isinstance(check, EquationCheck):
        return list(_lint_equation(check))
    if isinstance(check, QuantityCheck):
        return list(_lint_unit(check))
    return []


def set_report(path: Path) -> SetReport:
    """Everything that is wrong with a set, with the lints that need chemistry added."""
    report = check_set(path)
    found = [
        placed.place.fault(one.message, got=str(getattr(placed.check, "expected", "")), do=one.do or None)
        for placed in report.checks
        for one in lint(placed.check)
    ]
    errors, further = follow_report(report)
    return replace(report, errors=(*report.errors, *errors), lints=(*report.lints, *found, *further))


def _lint_smiles(check: SmilesCheck) -> Iterator[Lint]:
    try:
        structure = read_structure(check.expected)
    except Unreadable as error:
        yield Lint("unreadable_structure", f"the expected SMILES can't be read: {error}", "Correct it.")
        return
    if not structure.sound:
        yield Lint(
            "unsound_valence",
            "RDKit allows no such valence, so that only the same drawing is found right",
            "Write it with charges or dative bonds if you can.",
        )
        return
    if structure.lost and check.stereo != "ignore":
        yield Lint(
            "uncomparable_stereo",
            f"{structure.lost} can't be compared, so answers stay undetermined",
            "Make the point flexible, or set stereo to ignore.",
        )
    if check.tautomers is None and _has_mobile_hydrogens(structure):
        yield Lint(
            "mobile_hydrogens",
            "the expected structure has mobile hydrogens; the check doesn't say whether tautomers count",
            "Set tautomers to same or distinct.",
        )
    if check.charge_state is None and _is_amphoteric(structure):
        yield Lint(
            "amphoteric",
            "the expected structure has acid and base; the check doesn't say whether the zwitterion is right",
            "Set charge_state to neutralise or exact.",
        )


def _lint_inchi(check: InchiCheck) -> Iterator[Lint]:
    text = as_inchi(check.expected)
    if text is None:
        why = "the expected text is neither an InChI nor an InChIKey"
        yield Lint("unreadable_structure", why, "Correct it.")
    elif text.startswith("InChI="):
        try:
            canonical = is_canonical(text)
        except Unreadable as error:
            yield Lint("unreadable_structure", f"the expected InChI can't be read: {error}", "Correct it.")
            return
        if not canonical:
            yield Lint(
                "other_inchi",
                f"the structure of the expected InChI has another InChI: {inchi_of(read_inchi(text).mol)}",
                "See which of both is meant.",
            )


def _lint_reaction(check: ReactionCheck) -> Iterator[Lint]:
    try:
        read_reaction(check.expected)
    except Unreadable as error:
        yield Lint("unreadable_reaction", f"the expected reaction can't be read: {error}", "Correct it.")


def _has_mobile_hydrogens(structure: Structure) -> bool:
    mol = structure.mol
    with rdBase.BlockLogs():
        return mol.HasSubstructMatch(_patterns()["diketone"]) or any(
            _is_rival(mol, other) for other in heteroatom_tautomers(mol)
        )


def _is_rival(mol: Chem.Mol, other: Chem.Mol) -> bool:
    """Whether a tautomer is one that people write: no imidic acid of an amide, no lost aromaticity."""
    imidic = _patterns()["imidic"]
    more = len(other.GetSubstructMatches(imidic)) > len(mol.GetSubstructMatches(imidic))
    return not more and _aromatic(other) >= _aromatic(mol)


def _aromatic(mol: Chem.Mol) -> int:
    return sum(atom.GetIsAromatic() for atom in mol.GetAtoms())


def _is_amphoteric(structure: Structure) -> bool:
    fragments = Chem.GetMolFrags(structure.mol, asMols=True)
    return any(
        fragment.HasSubstructMatch(_patterns()["acid"]) and fragment.HasSubstructMatch(_patterns()["base"])
        for fragment in fragments
    )


@cache
def _patterns() -> dict[str, Chem.Mol]:
    smarts = {
        "imidic": "[OX2H,SX2H]-[CX3;!a]=[NX2]",
        "diketone": "[#6,#1;!$([CX3]=O)][CX3](=O)[CX4;!H0][CX3](=O)[#6,#1;!$([CX3]=O)]",
        "acid": "[$([CX3](=O)[OX2H1]),$([CX3](=O)[O-]),$([SX4](=O)(=O)[OX2H1]),$([SX4](=O)(=O)[O-]),"
        "$([PX4](=O)[OX2H1]),$([PX4](=O)[O-])]",
        "base": "[$([NX3;+0;!$(N-[C,S,P]=[O,N,S]);!$(N-a);!$(N-[N,O]);!$(N#*);!$(N=*)]([#6])[#6,#1]),"
        "$([NX3;H2;+0]-[CX4]),$([NX4;H1,H2,H3;+]),$([NX2;+0]=[CX3][NX3])]",
    }
    return {name: Chem.MolFromSmarts(text) for name, text in smarts.items()}


def _lint_formula(check: FormulaCheck) -> Iterator[Lint]:
    for text in (check.expected, *check.aliases):
        try:
            readings = read_formula(normalise(text).plain.strip())
        except UnreadableFormula as error:
            yield Lint("unreadable_formula", f"the formula {text} can't be read: {error}", "Correct it.")
            continue
        if len(readings) > 1:
            yield Lint(
                "ambiguous_charge",
                f"the charge of {text} can be read in two ways",
                "Write a caret before it, as in O2^- or O^2-.",
            )


def _lint_equation(check: EquationCheck) -> Iterator[Lint]:
    try:
        equation = read_equation(check.expected, nuclear=check.nuclear)
    except UnreadableFormula as error:
        yield Lint("unread_equation", f"whether the equation balances wasn't checked: {error}")
        return
    if off := imbalance(equation, nuclear=check.nuclear):
        yield Lint("unbalanced_equation", f"the expected equation doesn't balance ({off})", "Balance it.")


def _lint_unit(check: QuantityCheck) -> Iterator[Lint]:
    from grader.formal.values.units import expected_unit

    try:
        expected_unit(check.unit)
    except ValueError:
        yield Lint(
            "unknown_unit",
            f"the unit {check.unit} is not known",
            "Write it as pint reads it: mol/L, kJ/mol, degC.",
        )
