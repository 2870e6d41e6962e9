"""Laws: no spelling, layout or direction of a term or list changes a finding; every near-miss does."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from grader.answer.answer import Answer
from grader.formal import registry
from grader.formal.variants.check import equivalents, near_misses
from grader.problem.checks import Check, CheckModel
from grader.record import Status

CHECKS: TypeAdapter[CheckModel] = TypeAdapter(Check)
TERMS = """
point_group: D3h, C2v, Td, D∞h, Cs
mechanism: SN1, E2, SNAr, electrophilic addition
geometry: bent, trigonal bipyramidal, square planar
cip: R, S
double_bond: Z
isomer: fac
hybridisation: sp3d2, sp
term symbol: 3F2, 4A2g
order: first order
spin: high spin
magnetism: paramagnetic
aromaticity: antiaromatic
sign: exothermic, positive
chirality: achiral
bond: ionic
crystal structure: face-centred cubic
crystal system: tetragonal
tacticity: isotactic
splitting: triplet
relationship: enantiomers
colour: green
carbon class: tertiary
role: Lewis acid
control: kinetic
stereochemistry: inversion
"""
SUBJECTS = """
magnetism: paramagnetic, O2
cip: R, C2
geometry: linear, XeF2
aromaticity: aromatic, benzene
"""
SETS = """
formula: Na^+, Cl^-
formula: CO2, SO2, NO2
locant: 2, 4, 6
integer: 3, 5
label: alkene, ester, ketone
label: A, C, E
label: cis, trans
smiles: CCO, CC(=O)O
name: ethanol, acetic acid
quantity: 1.5 g, 2.0 g
"""
ORDERS = """
formula, increasing acidity: HF, HCl, HBr, HI
formula, decreasing pKa: CH4, NH3, H2O
label, decreasing reactivity: B, A, D, C
label, increasing atomic radius: Li, Na, K
smiles, increasing oxidation state: CCO, CC=O, CC(=O)O
name, increasing boiling point: methane, ethane, propane
locant, decreasing reactivity: 3, 1, 2
quantity, increasing mass: 10 g, 20 g, 30 g
label, : primary, secondary, tertiary
"""


def lines(text: str) -> list[tuple[str, list[str]]]:
    """The lines of a table: what stands before the colon, and the items behind it."""
    pairs = [line.split(": ", 1) for line in text.strip().splitlines()]
    return [(head, [item.strip() for item in items.split(", ")]) for head, items in pairs]


def checks() -> list[CheckModel]:
    found: list[dict[str, object]] = [
        {"kind": "label", "label_kind": kind, "expected": term}
        for kind, terms in lines(TERMS)
        for term in terms
    ]
    found += [
        {"kind": "label", "label_kind": kind, "expected": term, "subject": subject}
        for kind, (term, subject) in lines(SUBJECTS)
    ]
    found += [{"kind": "set", "items": kind, "expected": items} for kind, items in lines(SETS)]
    for head, items in lines(ORDERS):
        kind, order = head.split(", ")
        found.append({"kind": "sequence", "items": kind, "expected": items, "order": order or None})
    return [CHECKS.validate_python(one) for one in found]


@pytest.mark.parametrize("check", checks(), ids=str)
def test_equivalents_earn_the_point_and_near_misses_do_not(check: CheckModel) -> None:
    right = list(equivalents(check, 1))
    wrong = list(near_misses(check, 1))
    assert len(right) >= 2
    assert wrong
    for variant in right:
        assert registry.decide(check, Answer(variant.text)).status is Status.MET, variant
    for variant in wrong:
        assert registry.decide(check, Answer(variant.text)).status is Status.NOT_MET, variant
