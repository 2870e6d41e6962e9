"""Where a check's options let pass what a kind changes, or refuse a notation that is right elsewhere."""

from __future__ import annotations

from grader.audit.metamorphic.entities import Entity
from grader.audit.metamorphic.kind import Edit, Kind
from grader.formal.structures.names import structures
from grader.formal.structures.structure import Unreadable, read_structure
from grader.formal.variants.structures import refused
from grader.problem.checks import (
    CheckModel,
    FormulaCheck,
    NameCheck,
    QuantityCheck,
    SmilesCheck,
    StructureModel,
)

_NOTATIONS = {
    "inchi_for_smiles": "inchi",
    "smiles_for_name": "smiles",
    "name_for_formula": "name",
    "formula_for_name": "formula",
}


def why_exempt(check: CheckModel, kind: Kind, entity: Entity, edit: Edit) -> str:
    """Why the law doesn't hold under the options of a check; empty where it does."""
    if kind.name in _NOTATIONS:
        notation = _NOTATIONS[kind.name]
        return "" if notation in _accepted(check) else f"the check accepts no {notation} for the answer"
    if isinstance(check, StructureModel) and kind.law == "sensitive" and entity.sort in ("structure", "name"):
        return _why_let_pass(check, entity, edit)
    if isinstance(check, FormulaCheck) and kind.name == "charge_changed" and check.charge == "ignore":
        return "the check leaves charges aside"
    if isinstance(check, QuantityCheck):
        if kind.name == "enthalpy_sign" and check.sign == "either":
            return "the check leaves the sign aside"
        if kind.name == "power_respelled" and check.sig_figs is not None:
            return "the check counts significant figures, which a power of ten shows"
    return ""


def _accepted(check: CheckModel) -> frozenset[str]:
    """The notations that may carry the answer; of checks that don't compare structures, their own."""
    if isinstance(check, StructureModel):
        own = ("smiles", "name") if isinstance(check, SmilesCheck) else (check.kind,)
        if isinstance(check, NameCheck):
            own = ("name",)
        return frozenset(check.accept or own)
    return frozenset(check.accept or ("formula",)) if isinstance(check, FormulaCheck) else frozenset()


def _why_let_pass(check: StructureModel, entity: Entity, edit: Edit) -> str:
    text = edit.text
    if entity.sort == "name":
        (named,) = structures([text])
        text = named.smiles or ""
    try:
        other = read_structure(text)
    except Unreadable:
        return "the edited structure can't be read"
    if refused(check, entity.value.mol, other.mol, edit.how):
        return ""
    return "the check's options let the change pass"
