"""The reference of all kinds of transforms, docs/metamorphic.md, generated from the registry.

Run ``python -m grader.audit.metamorphic.reference`` in a checkout after a kind
has changed; a test fails while the page lags behind.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from grader.audit.metamorphic.depends import checks_of
from grader.audit.metamorphic.kind import Kind
from grader.audit.metamorphic.pair import NotApplicable, Pair
from grader.audit.metamorphic.pairs import pairs_of
from grader.audit.metamorphic.registry import KINDS
from grader.problem.content import content_root
from grader.problem.model import Point

PAGE = Path("docs") / "metamorphic.md"

_ALANINE = ("Product: `C[C@H](N)C(=O)O`", "The product is `C[C@H](N)C(=O)O`.")
_HEAT = ("ΔH = -57.3 kJ/mol", "So ΔH = −57.3 kJ/mol.")
_WATER = ("The equation is 2 H2 + O2 -> 2 H2O", "2 H2 + O2 → 2 H2O")
EXAMPLES: Mapping[str, tuple[str, str]] = {
    "random_smiles": _ALANINE,
    "kekule_form": ("Product: `Cc1ccccc1`", "The product is `Cc1ccccc1`."),
    "explicit_hydrogens": ("Product: `C=CC=O`", "The product is `C=CC=O`."),
    "part_order": ("Salt: `C[NH3+].[Br-]`", "The salt is `C[NH3+].[Br-]`."),
    "inchi_for_smiles": ("Product: `C/C=C/C=O`", "The product is `C/C=C/C=O`."),
    "smiles_for_name": ("Product: aspirin", "The product is aspirin."),
    "name_for_formula": ("Reagent: NaBH4", "It is reduced with NaBH4."),
    "formula_for_name": ("Acid: sulfuric acid", "The acid is sulfuric acid."),
    "unit_rescaled": _HEAT,
    "power_respelled": ("k = 3.5e-3 s^-1", "So k = 3.5e-3 s^-1."),
    "term_order": _WATER,
    "latex_formula": ("The ion is SO4^2-", "The ion is SO4^2-."),
    "latex_symbols": _HEAT,
    "stereocentre_inverted": _ALANINE,
    "double_bond_turned": ("Product: `C/C=C/C=O`", "The product is `C/C=C/C=O`."),
    "substituent_moved": ("Product: `Cc1ccc(O)cc1`", "The product is `Cc1ccc(O)cc1`."),
    "methylene_added": _ALANINE,
    "methylene_removed": ("Product: `CCC(C)=O`", "The product is `CCC(C)=O`."),
    "element_replaced": ("Product: `OCCCl`", "The product is `OCCCl`."),
    "charge_changed": ("The ion is SO4^2-", "The ion is SO4^2-."),
    "coefficient_changed": _WATER,
    "arrow_reversed": _WATER,
    "enthalpy_sign": _HEAT,
    "tenfold": _HEAT,
    "unit_only": _HEAT,
    "oxidation_state_changed": ("The state of Mn is +7", "The oxidation state of Mn is +7."),
    "steps_swapped": (
        "First nitration with HNO3, then reduction with HCl and tin",
        "1. Nitrate benzene with HNO3.\n2. Reduce it with tin and HCl.",
    ),
}
"""A rubric's text and an answer, by kind."""

_HEAD = """# Metamorphic transforms

Pairs of answers whose verdicts must agree (invariance, audit A7) or must not (sensitivity, audit A8). How the
audits read them: [audits.md](audits.md).

Of each pair all of this is asserted, else it is dropped and counted as not applicable, with the reason:

- The text differs; a random SMILES that equals the answer's is drawn again.
- What the answer writes there, read back by the readers of the formal track, is what the last column says.
- The point depends on it. With a check: code decides the point by this very passage. Without one: the
  rubric's text holds the same object (canonical structure, composition, value, species and ratios); to be
  made wrong it must be what the rubric wants, and not something named in passing.
- With a check: its options don't let the change pass, and code gives the verdict that the law says, on both
  answers. An answer that earns nothing as it is can't show sensitivity.
- One wrong passage must not contradict the rest: where the answer states the same object in other words too,
  nothing is made wrong. The same letters elsewhere in the answer are changed alike.

*Checks* are the kinds of checks whose points a kind can apply to, if their options let it; a flexible point
is open to every kind. Lists only by what their items are.

A structure that RDKit doesn't hold in full (placeholders, lost stereo marks, groups of stereoisomers, metals)
is left alone. Names need a Java, but for trivial ones.

This page is generated from `grader/audit/metamorphic/registry.py`; the tests make every example anew.
"""
_TITLES = {
    "invariant": "Invariance: the verdict must not change",
    "sensitive": "Sensitivity: the verdict must change",
}


def made(kind: Kind) -> Pair | NotApplicable:
    """The example of a kind."""
    text, answer = EXAMPLES[kind.name]
    (one,) = pairs_of(answer, Point(id="1", points=1, text=text), [kind.name])
    return one


def reference() -> str:
    """The page. Raises ValueError where an example makes no pair, as without a Java."""
    parts = [_HEAD]
    for law, title in _TITLES.items():
        parts += [f"## {title}\n", "\n".join(_table(law)) + "\n"]
    return "\n".join(parts)


def _table(law: str) -> Iterator[str]:
    yield "| kind | what is done | rewrites a | checks | before | after | asserted of the pair |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for kind in KINDS.values():
        if kind.law != law:
            continue
        pair = made(kind)
        if isinstance(pair, NotApplicable):
            raise ValueError(f"the example of {kind.name} makes no pair: {pair.why}")
        texts = _cell(pair.before), _cell(pair.after)
        checks = ", ".join(f"`{one}`" for one in checks_of(kind.sorts, kind.law))
        cells = (f"`{kind.name}`", kind.title, ", ".join(kind.sorts), checks, *texts, kind.proof)
        yield f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    """An answer in a cell of a table, as it is written."""
    spelled = text.replace("\n", " ⏎ ").replace("|", "\\|")
    return f"`` {spelled} ``"


def main(arguments: list[str]) -> int:
    """Write the page, or with ``--check`` say whether it is up to date."""
    page = content_root() / PAGE
    if "--check" in arguments:
        current = page.is_file() and page.read_text("utf-8") == reference()
        sys.stdout.write(f"{PAGE} is {'up to date' if current else 'out of date'}\n")
        return 0 if current else 1
    page.write_text(reference(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
