"""Every kind of transform, by its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grader.audit.metamorphic import equations, formulas, names, quantities, structures
from grader.audit.metamorphic.entities import Sort
from grader.audit.metamorphic.kind import Edit, Edits, Kind, Place
from grader.audit.metamorphic.structures import edited, isomers, respelled, stereoisomers

_SAME = "canonical isomeric SMILES and InChI are equal"
_OTHER = "canonical isomeric SMILES differ, and formula or InChI too"
_VALUE = "read back, value and dimension are equal"
_WRONG = "read back, the value differs in the same dimension"


def _of(**by_sort: Edits) -> Edits:
    """The edits of several sorts of entities."""

    def edits(place: Place) -> Iterator[Edit]:
        return by_sort[place.entity.sort.replace(" ", "_")](place)

    return edits


_HOMOLOGUE = ("a homologue",)
_DESCRIPTOR = ("one descriptor turned",)
_ISOMER: tuple[Sort, ...] = ("structure", "name")

_INVARIANT = (
    Kind(
        "random_smiles", "invariant", ("structure",), "another SMILES of the same molecule", _SAME,
        respelled("atoms in another order", "the molecule can't be written so"),
    ),
    Kind(
        "kekule_form", "invariant", ("structure",), "single and double bonds for aromatic ones", _SAME,
        respelled("single and double bonds alternate", "the molecule isn't aromatic"),
    ),
    Kind(
        "explicit_hydrogens", "invariant", ("structure",), "all hydrogens written out", _SAME,
        respelled("hydrogens written out", "the molecule is too large for that"),
    ),
    Kind(
        "part_order", "invariant", ("structure",), "parts of a salt in another order", _SAME,
        structures.salt_order,
    ),
    Kind(
        "inchi_for_smiles", "invariant", ("structure",), "InChI for SMILES",
        f"{_SAME}; InChI holds every distinction of the molecule", structures.as_inchi,
    ),
    Kind(
        "smiles_for_name", "invariant", ("name",), "SMILES for a name",
        "the name means that structure by OPSIN or the table of trivial names", names.smiles_for_name,
    ),
    Kind(
        "name_for_formula", "invariant", ("formula",), "a reagent by name for its formula",
        "the name means the formula's structure by OPSIN", names.name_for_formula,
    ),
    Kind(
        "formula_for_name", "invariant", ("name",), "a reagent by formula for its name",
        "the name means the formula's structure by OPSIN", names.formula_for_name,
    ),
    Kind(
        "unit_rescaled", "invariant", ("quantity",), "another unit, the number rescaled",
        f"{_VALUE}, by pint", quantities.unit_rescaled,
    ),
    Kind(
        "power_respelled", "invariant", ("quantity",), "scientific notation spelled otherwise", _VALUE,
        quantities.power_respelled,
    ),
    Kind(
        "term_order", "invariant", ("equation",), "terms of an equation in another order",
        "read back, species, ratios, sides and arrow are equal", equations.term_order,
    ),
    Kind(
        "latex_formula", "invariant", ("formula",), "a formula in LaTeX",
        "read back, composition and charge are equal", formulas.latex_formula,
    ),
    Kind(
        "latex_symbols", "invariant", ("equation", "quantity", "formula"),
        "Greek letters, arrows and powers in LaTeX", "the plain spelling of the line is equal",
        formulas.latex_symbols,
    ),
)  # fmt: skip

_SENSITIVE = (
    Kind(
        "stereocentre_inverted", "sensitive", _ISOMER, "one stereocentre inverted",
        f"{_OTHER}; the flat SMILES and the formula are equal",
        _of(
            structure=edited("one centre inverted", "no centre can be inverted with proof", stereoisomers),
            name=names.edited_name(
                _DESCRIPTOR, "the name has no descriptor of a centre", structures.differs_at_centres
            ),
        ),
    ),
    Kind(
        "double_bond_turned", "sensitive", _ISOMER, "E and Z swapped",
        f"{_OTHER}; the flat SMILES and the formula are equal",
        _of(
            structure=edited("one double bond turned", "no double bond turns with proof", stereoisomers),
            name=names.edited_name(
                _DESCRIPTOR, "the name has no descriptor of a double bond", structures.differs_at_bonds
            ),
        ),
    ),
    Kind(
        "substituent_moved", "sensitive", _ISOMER, "a substituent on the neighbouring position",
        f"{_OTHER}; the formula is equal",
        _of(
            structure=edited("a substituent moved", "no substituent moves with proof", isomers),
            name=names.edited_name(("another locant",), "the name has no locant to change", isomers),
        ),
    ),
    Kind(
        "methylene_added", "sensitive", _ISOMER, "a CH2 more", f"{_OTHER}, by CH2",
        _of(
            structure=edited("one CH2 more", "no hydrogen makes room for methyl", structures.homologues(1)),
            name=names.edited_name(_HOMOLOGUE, "the name has no stem to change", structures.homologues(1)),
        ),
    ),
    Kind(
        "methylene_removed", "sensitive", _ISOMER, "a CH2 less", f"{_OTHER}, by CH2",
        _of(
            structure=edited("one CH2 less", "no methyl makes room for hydrogen", structures.homologues(-1)),
            name=names.edited_name(_HOMOLOGUE, "the name has no stem to change", structures.homologues(-1)),
        ),
    ),
    Kind(
        "element_replaced", "sensitive", ("structure", "formula", "name"), "one element replaced",
        f"{_OTHER}; as many heavy atoms; of a formula: composition differs, charge is equal",
        _of(
            structure=edited("another element", "no atom has a likely replacement", structures.other_element),
            formula=formulas.edited(("another element",), "no element can be replaced", charge=False),
            name=names.edited_name(
                ("another halogen",), "the name has no halogen to replace", structures.other_element
            ),
        ),
    ),
    Kind(
        "charge_changed", "sensitive", ("structure", "formula"), "the charge changed",
        f"{_OTHER}; the charges differ; of a formula: composition is equal",
        _of(
            structure=edited(
                "another charge", "no amine or hydroxy group can be charged", structures.other_charge
            ),
            formula=formulas.edited(
                ("the sign of the charge turned", "one charge more", "the charge left off", "a charge added"),
                "the formula's charge can't be changed", charge=True,
            ),
        ),
    ),
    Kind(
        "coefficient_changed", "sensitive", ("equation",), "one coefficient more",
        "read back, the ratios differ", equations.coefficient,
    ),
    Kind(
        "arrow_reversed", "sensitive", ("equation",), "reactants and products swapped",
        "read back, the sides differ; no equilibrium", equations.arrow_reversed,
    ),
    Kind(
        "enthalpy_sign", "sensitive", ("quantity",), "the sign of an enthalpy",
        f"{_WRONG}; nothing says the sign in words", quantities.enthalpy_sign,
    ),
    Kind(
        "tenfold", "sensitive", ("quantity",), "ten times the number, or a tenth", _WRONG, quantities.tenfold
    ),
    Kind(
        "unit_only", "sensitive", ("quantity",), "another unit, the number kept", _WRONG, quantities.unit_only
    ),
    Kind(
        "oxidation_state_changed", "sensitive", ("oxidation state",), "an oxidation state one apart",
        "read back, the state differs", formulas.oxidation_state,
    ),
    Kind(
        "steps_swapped", "sensitive", ("steps",), "two neighbouring steps swapped",
        "the steps differ, and the rubric gives their order", formulas.step_order,
    ),
)  # fmt: skip

KINDS: Mapping[str, Kind] = {kind.name: kind for kind in (*_INVARIANT, *_SENSITIVE)}
"""By name, invariance first."""
