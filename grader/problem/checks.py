"""The option models of every check kind: data only, one implementation each in ``grader/formal``.

A check is the machine-decidable part of a formal point: what kind of value is
asked for, which value is right, and which liberties an answer may take. Every
default is the strict reading of chemistry (stereo exact, tautomers distinct).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

Notation = Literal["smiles", "inchi", "inchikey", "name", "formula"]
Item = Literal["smiles", "formula", "name", "label", "locant", "integer", "quantity"]


class CheckModel(BaseModel):
    """What all kinds share."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    kind: str
    """Which module decides."""
    asked: tuple[str, ...] = Field(default=(), strict=False)
    """Symbols, names, labels or contexts under which the answer states this value."""

    @field_validator("asked")
    @classmethod
    def _no_blank_label(cls, asked: tuple[str, ...]) -> tuple[str, ...]:
        if any(not label.strip() for label in asked):
            raise ValueError("a label in 'asked' is blank")
        return asked


class StructureModel(CheckModel):
    """Options of the kinds that compare structures."""

    stereo: Literal["exact", "ignore", "relative", "enhanced"] = "exact"
    """relative: the mirror image is right too; enhanced: CXSMILES stereo groups count."""
    tautomers: Literal["distinct", "same"] | None = None
    """Left out it is distinct, and a lint asks for a choice where hydrogens are mobile."""
    charge_state: Literal["exact", "neutralise"] | None = None
    """Left out it is exact, and a lint asks for a choice where a structure is amphoteric."""
    isotopes: Literal["exact", "ignore"] = "exact"
    """ignore: a labelled atom counts as an ordinary one."""
    salts: Literal["exact", "strip"] = "exact"
    """strip: counterions and solvent are left aside on both sides."""
    metal_bonds: Literal["exact", "any"] = "exact"
    """any: dative, covalent, ionic and charge-separated drawings count as one."""
    accept: tuple[Notation, ...] = Field(default=(), strict=False)
    """Notations that may carry the answer; empty: the kind's own, and names."""
    invalid_smiles: Literal["undetermined", "not_met"] = "undetermined"
    """The verdict on an answer whose SMILES can't be read."""
    ambiguous_names: Literal["undetermined", "not_met"] = "undetermined"
    """The verdict on a name that leaves the structure open, such as xylene."""
    aliases: tuple[str, ...] = Field(default=(), strict=False)
    """Further accepted spellings."""


class SmilesCheck(StructureModel):
    """A structure given as SMILES or CXSMILES."""

    kind: Literal["smiles"]
    expected: str = Field(min_length=1)


class InchiCheck(StructureModel):
    """A structure given as InChI or InChIKey."""

    kind: Literal["inchi"]
    expected: str = Field(min_length=1)
    match: Literal["full", "first_block"] = "full"
    """How much of an InChIKey must agree."""


class NameCheck(StructureModel):
    """A structure given as a chemical name."""

    kind: Literal["name"]
    expected: str = Field(min_length=1)


class FormulaCheck(CheckModel):
    """A molecular, condensed, ionic or complex formula, hydrates included."""

    kind: Literal["formula"]
    expected: str = Field(min_length=1)
    compare: Literal["composition", "structure"] | None = None
    """Left out: structure where the expected formula has square brackets, else composition."""
    charge: Literal["exact", "ignore"] = "exact"
    """ignore: an ion and the neutral species count as one."""
    accept: tuple[Notation, ...] = Field(default=(), strict=False)
    """Notations that may carry the answer; empty: formulas."""
    aliases: tuple[str, ...] = Field(default=(), strict=False)
    """Further accepted formulas."""


class EquationCheck(CheckModel):
    """A balanced chemical or nuclear equation."""

    kind: Literal["equation"]
    expected: str = Field(min_length=1)
    states: Literal["required", "ignored"] = "ignored"
    """required: (s), (l), (g) and (aq) must be given and agree."""
    scale: Literal["any", "exact"] = "any"
    """any: every non-zero multiple of the equation is right."""
    arrow: Literal["any", "exact"] = "any"
    """exact: an equilibrium arrow isn't a reaction arrow. The direction always counts."""
    proton_form: Literal["any", "exact"] = "any"
    """any: H+ and H3O+ interchange, with water balanced accordingly."""
    nuclear: bool = False
    """Mass and atomic numbers are compared and balanced in place of atoms and charge."""
    agents: Literal["required", "ignored"] = "ignored"
    """required: what stands over the arrow must agree."""


class ReactionCheck(StructureModel):
    """A reaction given as reaction SMILES."""

    kind: Literal["reaction"]
    expected: str = Field(min_length=1)
    agents: Literal["required", "ignored"] = "ignored"
    """required: reagents, solvents and catalysts must agree, too."""
    byproducts: Literal["required", "ignored"] = "ignored"
    """required: every product must be given, not only those of the expected reaction."""


class QuantityCheck(CheckModel):
    """A number with a unit."""

    kind: Literal["quantity"]
    expected: float = Field(allow_inf_nan=False)
    unit: str | None = None
    """A unit as pint reads it, or ``%`` or ``dimensionless``."""
    unit_required: bool = True
    """false: a bare number counts as given in ``unit``."""
    rel_tol: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """As a share of ``expected``: 0.05 is 5 %."""
    abs_tol: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """In the unit of ``expected``. With neither tolerance: 1 % of the expected value or
    half a unit of its last given digit, whichever is larger."""
    sig_figs: int | None = Field(default=None, ge=1, le=15)
    """The exact count of significant figures demanded."""
    quantity_type: Literal["value", "difference"] = "value"
    """difference: a temperature difference, converted without offset."""
    sign: Literal["exact", "either"] = "exact"
    """either: a magnitude by convention."""


class ExpressionCheck(CheckModel):
    """A symbolic expression."""

    kind: Literal["expression"]
    expected: str = Field(min_length=1)
    symbols: dict[str, Annotated[tuple[str, ...], Field(strict=False)]] = Field(default_factory=dict)
    """Accepted spellings of a symbol."""
    rel_tol: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """How far numbers in the expression may be off, as a share."""


class IntegerCheck(CheckModel):
    """A whole number."""

    kind: Literal["integer"]
    expected: int


class ChoiceCheck(CheckModel):
    """One or more lettered options."""

    kind: Literal["choice"]
    expected: str = Field(min_length=1)
    """Comma-separated where ``multiple``."""
    choices: tuple[str, ...] = Field(default=(), strict=False)
    """The letters to choose from."""
    texts: dict[str, str] = Field(default_factory=dict)
    """The text of each option, by its letter."""
    multiple: bool = False
    """Several options are right, and all of them must be chosen."""


class BooleanCheck(CheckModel):
    """A statement that is true or false."""

    kind: Literal["boolean"]
    expected: bool
    statement: str | None = None
    """What a yes or a no speaks of."""


class SetCheck(CheckModel):
    """A collection whose order doesn't count."""

    kind: Literal["set"]
    expected: tuple[str | int | float, ...] = Field(min_length=1, strict=False)
    items: Item = "label"
    """What the collection holds, and so how two members are compared."""


class SequenceCheck(CheckModel):
    """An order, such as a ranking."""

    kind: Literal["sequence"]
    expected: tuple[str | int | float, ...] = Field(min_length=2, strict=False)
    items: Item = "label"
    """What is put in order, and so how two members are compared."""
    order: str | None = None
    """In words, which way the expected order runs."""


class ElectronConfigurationCheck(CheckModel):
    """An electron configuration."""

    kind: Literal["electron_configuration"]
    expected: str = Field(min_length=1)
    subject: str | None = None
    """Whose configuration, where an answer gives several."""


class OxidationStateCheck(CheckModel):
    """An oxidation state; fractions as ``"8/3"``."""

    kind: Literal["oxidation_state"]
    expected: int | str
    element: str | None = None
    """Whose state, as a symbol."""
    subject: str | None = None
    """In which substance."""


class LabelCheck(CheckModel):
    """A term of a closed vocabulary: a point group, a mechanism, a geometry, a CIP letter."""

    kind: Literal["label"]
    expected: str = Field(min_length=1)
    label_kind: str | None = None
    """The vocabulary the term is from, such as ``point_group`` or ``geometry``."""
    subject: str | None = None
    """What the term is said of, where an answer names several."""
    aliases: tuple[str, ...] = Field(default=(), strict=False)
    """Further accepted terms."""


Check = Annotated[
    SmilesCheck
    | InchiCheck
    | NameCheck
    | FormulaCheck
    | EquationCheck
    | ReactionCheck
    | QuantityCheck
    | ExpressionCheck
    | IntegerCheck
    | ChoiceCheck
    | BooleanCheck
    | SetCheck
    | SequenceCheck
    | ElectronConfigurationCheck
    | OxidationStateCheck
    | LabelCheck,
    Field(discriminator="kind"),
]

KINDS: tuple[str, ...] = (
    "smiles",
    "inchi",
    "name",
    "formula",
    "equation",
    "reaction",
    "quantity",
    "expression",
    "integer",
    "choice",
    "boolean",
    "set",
    "sequence",
    "electron_configuration",
    "oxidation_state",
    "label",
)
