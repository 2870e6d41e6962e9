"""How right the formal track is on the reference cases, beside peers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

CASES = Path(__file__).resolve().parents[2] / "shared" / "cases" / "formal.jsonl"

PUBLISHED = (
    ("math-verify 0.9", "quantity", "23/65", "9/33"),
    ("math-verify 0.9", "expression", "3/18", "0/14"),
    ("math-verify 0.9", "integer", "11/16", "0/8"),
    ("inspect_ai match(numeric)", "quantity", "24/65", "10/33"),
    ("ChemBench find_numbers, 1 %", "quantity", "29/65", "12/33"),
    ("moleculariq count reward", "integer", "3/16", "0/8"),
    ("last parsable SMILES + RDKit", "smiles", "23/51", "2/49"),
    ("last token + chempy", "formula", "7/27", "1/23"),
)
"""Peers on the larger collection that the reference cases are drawn from, as measured for it
(`../shared/research/formal-options.md`): of the right answers and of the wrong ones, those credited."""


class Tally(NamedTuple):
    """Of right answers and of wrong ones, how many were credited."""

    right: int
    credited: int
    wrong: int
    wrongly: int


def tally(pairs: Iterator[tuple[str, bool]]) -> Tally:
    """Count right verdicts against credit given."""
    counts = {
        (verdict, credit): 0 for verdict in ("met", "not_met", "undetermined") for credit in (True, False)
    }
    for verdict, credit in pairs:
        counts[verdict, credit] += 1
    right, wrong = (counts[verdict, True] + counts[verdict, False] for verdict in ("met", "not_met"))
    return Tally(right, counts["met", True], wrong, counts["not_met", True])


def last_parsable(answer: str, expected: str) -> bool:
    """The rule of thumb: the last word that RDKit reads, by canonical SMILES."""
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():
        for word in reversed(answer.split()):
            mol = Chem.MolFromSmiles(word.strip("`*$.,;:()"))
            if mol is not None and mol.GetNumAtoms():
                target = Chem.MolFromSmiles(expected)
                return target is not None and Chem.MolToSmiles(mol) == Chem.MolToSmiles(target)
    return False


def accuracy() -> None:
    """Print the track's figures beside the peers'."""
    if not CASES.is_file():
        print(f"\nno accuracy: {CASES.parent} is missing")
        return
    from grader.formal import check_many

    cases: list[dict[str, Any]] = [json.loads(line) for line in CASES.read_text().splitlines()]
    checks = [
        ({**case["options"], "kind": case["kind"], "expected": case["expected"]}, case["answer"])
        for case in cases
    ]
    credited = [finding.award == 1 for finding in check_many(checks)]
    print(f"\n{'':22}{'cases':>6}{'right ones credited':>22}{'wrong ones credited':>22}")
    for kind in sorted({case["kind"] for case in cases}):
        ours = (
            (case["verdict"], met) for case, met in zip(cases, credited, strict=True) if case["kind"] == kind
        )
        _print(kind, tally(ours))
        if kind == "smiles":
            theirs = (
                (case["verdict"], last_parsable(case["answer"], case["expected"]))
                for case in cases
                if case["kind"] == kind
            )
            _print("  last parsable", tally(theirs))
    print("\npeers on the larger collection behind these cases, as published with it")
    for peer, kind, right, wrong in PUBLISHED:
        print(f"  {peer:30}{kind:12}{right:>8}{wrong:>8}")


def _print(name: str, count: Tally) -> None:
    right, wrong = f"{count.credited}/{count.right}", f"{count.wrongly}/{count.wrong}"
    print(f"{name:22}{count.right + count.wrong:6}{right:>22}{wrong:>22}")
