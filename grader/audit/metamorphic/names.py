"""Names for formulas, formulas for names, structures for names, and names one edit away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from grader.audit.metamorphic.entities import canonical, overlaps
from grader.audit.metamorphic.kind import Edit, Edits, Place, Unfit
from grader.audit.metamorphic.structures import assert_other, whole
from grader.formal.equations.reader import find_equations
from grader.formal.reading.smiles_tokens import is_smiles
from grader.formal.structures.names import available, structures
from grader.formal.structures.reagents import formulas
from grader.formal.structures.structure import Structure, read_structure
from grader.formal.variants.names import near_names
from grader.problem.checks import NameCheck

REAGENTS = {
    "H2SO4": "sulfuric acid", "HNO3": "nitric acid", "H3PO4": "phosphoric acid", "HCl": "hydrogen chloride",
    "HBr": "hydrogen bromide", "HI": "hydrogen iodide", "HF": "hydrogen fluoride", "NH3": "ammonia",
    "H2O": "water", "H2O2": "hydrogen peroxide", "CO2": "carbon dioxide", "SO2": "sulfur dioxide",
    "SO3": "sulfur trioxide", "H2S": "hydrogen sulfide", "HCN": "hydrogen cyanide",
    "NaOH": "sodium hydroxide", "KOH": "potassium hydroxide", "LiOH": "lithium hydroxide",
    "NaCl": "sodium chloride", "NaBr": "sodium bromide", "NaI": "sodium iodide",
    "KCl": "potassium chloride", "KBr": "potassium bromide", "KI": "potassium iodide",
    "Na2CO3": "sodium carbonate", "K2CO3": "potassium carbonate", "NaHCO3": "sodium hydrogencarbonate",
    "NaCN": "sodium cyanide", "KCN": "potassium cyanide", "NaN3": "sodium azide",
    "NaBH4": "sodium borohydride", "LiAlH4": "lithium aluminium hydride",
    "KMnO4": "potassium permanganate", "SOCl2": "thionyl chloride", "PCl3": "phosphorus trichloride",
    "PBr3": "phosphorus tribromide", "PCl5": "phosphorus pentachloride", "AlCl3": "aluminium chloride",
    "BF3": "boron trifluoride", "OsO4": "osmium tetroxide",
    "CCl4": "carbon tetrachloride", "CHCl3": "chloroform", "CH2Cl2": "dichloromethane", "CH4": "methane",
    "CH3OH": "methanol", "CH3I": "iodomethane", "O3": "ozone",
}  # fmt: skip
"""Names of the reagents whose formulas ``structures.reagents`` reads; a test proves each by OPSIN.

No elements: their names mean the atoms as often.
"""
_GLUED = re.compile(r"\s?\((?:s|l|g|aq)\)|\s?(?:-|\^|molecule|bond)")
"""What behind a formula belongs to it."""


@cache
def _by_structure() -> dict[str, str]:
    """The formula of each named reagent by its canonical SMILES."""
    known = formulas()
    return {canonical(read_structure(known[text])): text for text in REAGENTS}


def name_for_formula(place: Place) -> Iterator[Edit]:
    """The name of a common reagent in the place of its formula."""
    _assert_alone(place)
    smiles = next((str(key[1]) for key in place.entity.keys if key[0] == "structure"), None)
    text = _by_structure().get(smiles or "")
    if smiles is None or text is None:
        raise Unfit("the formula is of no reagent that has one common name")
    name = REAGENTS[text]
    _assert_means(name, smiles)
    yield Edit(name, f"{place.entity.text}: by name, {name}")


def formula_for_name(place: Place) -> Iterator[Edit]:
    """The formula of a common reagent in the place of its name."""
    smiles = canonical(place.entity.value)
    text = _by_structure().get(smiles)
    if text is None:
        raise Unfit("the name is of no reagent that has one common formula")
    if canonical(read_structure(formulas()[text])) != smiles:
        raise Unfit("formula and name aren't proved to mean the same")
    yield Edit(text, f"{place.entity.text}: by formula, {text}")


def _assert_alone(place: Place) -> None:
    """Unfit for a formula that is part of an equation, a mixture, or set in LaTeX."""
    from grader.answer.notation import normalise

    span = place.entity.span
    schemes = ((one.start, one.end) for one in find_equations(normalise(place.raw), nuclear=False))
    if any(overlaps(span, one) for one in schemes):
        raise Unfit("the formula is part of an equation")
    if place.in_math or place.in_code or _GLUED.match(place.raw, span[1]):
        raise Unfit("the formula is set in a type of its own")


def _assert_means(name: str, smiles: str) -> None:
    """Unfit unless a name means the structure, by OPSIN or the table of trivial names."""
    (named,) = structures([name])
    if named.smiles is None:
        raise Unfit("the name can't be read here" if available() else "names need a Java")
    if canonical(read_structure(named.smiles)) != smiles:
        raise Unfit("formula and name aren't proved to mean the same")


def smiles_for_name(place: Place) -> Iterator[Edit]:
    """The SMILES that OPSIN, or the table of trivial names, reads a name to."""
    structure = whole(place.entity.value)
    text = canonical(structure)
    if not is_smiles(text):
        raise Unfit("the SMILES would be read as a formula or a word")
    if canonical(read_structure(text)) != text:
        raise Unfit("the rewriting isn't proved to be the same molecule")
    yield Edit(f"`{text}`", f"{place.entity.text}: as SMILES {text}")


def edited_name(hows: tuple[str, ...], absent: str, proof: Callable[[Any, Any], bool]) -> Edits:
    """Names one edit away, each proved by OPSIN to be another compound in the given relation."""

    def edits(place: Place) -> Iterator[Edit]:
        structure: Structure = whole(place.entity.value)
        fit = False
        for one in near_names(NameCheck(kind="name", expected=place.entity.text)):
            (named,) = structures([one.text])
            if one.how not in hows or named.smiles is None:
                continue
            try:
                assert_other(structure, named.smiles, proof)
            except Unfit:
                continue
            fit = True
            yield Edit(one.text, f"{place.entity.text}: {one.how}, {one.text}", how=_how(one.how))
        if not fit:
            raise Unfit(absent if available() else "names need a Java")

    return edits


def _how(how: str) -> str:
    """An edit of a name as the edit of a structure that it is."""
    return "one centre inverted" if how == "one descriptor turned" else how
