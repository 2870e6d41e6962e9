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
    """None is distinct, but says that the author made no choice."""
    charge_state: Literal["exact", "neutralise"] | None = None
    """None is exact, but says that the author made no choice."""
    isotopes: Literal["exact", "ignore"] = "exact"
    salts: Literal["exact", "strip"] = "exact"
    metal_bonds: Literal["exact", "any"] = "exact"
    """any: dative, covalent, ionic and charge-separated drawings count as one."""
    accept: tuple[Notation, ...] = Field(default=(), strict=False)
    """Notations that may carry the answer; empty: the kind's own, and names."""
    invalid_smiles: Literal["undetermined", "not_met"] = "undetermined"
    ambiguous_names: Literal["undetermined", "not_met"] = "undetermined"
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
    """None: structure where the expected formula has square brackets, else composition."""
    charge: Literal["exact", "ignore"] = "exact"
    accept: tuple[Notation, ...] = Field(default=(), strict=False)
    aliases: tuple[str, ...] = Field(default=(), strict=False)


class EquationCheck(CheckModel):
    """A balanced chemical or nuclear equation."""

    kind: Literal["equation"]
    expected: str = Field(min_length=1)
    states: Literal["required", "ignored"] = "ignored"
    scale: Literal["any", "exact"] = "any"
    arrow: Literal["any", "exact"] = "any"
    proton_form: Literal["any", "exact"] = "any"
    """any: H+ and H3O+ interchange, with water balanced accordingly."""
    nuclear: bool = False
    agents: Literal["required", "ignored"] = "ignored"


class ReactionCheck(StructureModel):
    """A reaction given as reaction SMILES."""

    kind: Literal["reaction"]
    expected: str = Field(min_length=1)
    agents: Literal["required", "ignored"] = "ignored"
    byproducts: Literal["required", "ignored"] = "ignored"


class QuantityCheck(CheckModel):
    """A number with a unit."""

    kind: Literal["quantity"]
    expected: float = Field(allow_inf_nan=False)
    unit: str | None = None
    """A unit as pint reads it, or ``%`` or ``dimensionless``."""
    unit_required: bool = True
    rel_tol: float | None = Field(default=None, ge=0, allow_inf_nan=False)
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
    texts: dict[str, str] = Field(default_factory=dict)
    """The text of each option, by its letter."""
    multiple: bool = False


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


class SequenceCheck(CheckModel):
    """An order, such as a ranking."""

    kind: Literal["sequence"]
    expected: tuple[str | int | float, ...] = Field(min_length=2, strict=False)
    items: Item = "label"
    order: str | None = None
    """In words, which way the expected order runs."""


class ElectronConfigurationCheck(CheckModel):
    """An electron configuration."""

    kind: Literal["electron_configuration"]
    expected: str = Field(min_length=1)
    subject: str | None = None


class OxidationStateCheck(CheckModel):
    """An oxidation state; fractions as ``"8/3"``."""

    kind: Literal["oxidation_state"]
    expected: int | str
    element: str | None = None
    subject: str | None = None


class LabelCheck(CheckModel):
    """A term of a closed vocabulary: a point group, a mechanism, a geometry, a CIP letter."""

    kind: Literal["label"]
    expected: str = Field(min_length=1)
    label_kind: str | None = None
    subject: str | None = None
    aliases: tuple[str, ...] = Field(default=(), strict=False)


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
