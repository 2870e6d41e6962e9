"""Real replies that others have graded: where the formal track disagrees with their grades, and why.

    python benchmarks/third_party.py [--write]

Grades the replies of `../shared/seeds/real` (ChemBench's numeric questions, ChemIQ's
names) with checks built from their keys. Prints the counts and every row on which the
two differ, each with its explanation; --write puts the same into
`docs/third-party-grades.md`. Exits 1 if a row has none, or if a reply that was graded
wrong because of its extraction or tolerance is decided against the right grade.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]
REAL = ROOT.parent / "shared" / "seeds" / "real"
PAGE = ROOT / "docs" / "third-party-grades.md"

NONPOSITIVE = "relative_tolerance_on_nonpositive_target"
MEASURED = ("answer_extraction", "tolerance_or_convention", NONPOSITIVE)
"""The classes of wrong grades that a grader can avoid."""
FAULTS_OF_A_KEY = ("wrong_key", "key_needs_missing_context")

CLASSES = {
    NONPOSITIVE: "their tolerance is a share of the key, so no answer to a key of "
    "zero or below can pass; ours is a share of its magnitude",
    "answer_extraction": "the reply states the right value where their parser doesn't look",
    "tolerance_or_convention": "a rounding or a sign by convention: people may go either way",
    "no_value": "the reply breaks off, refuses, or writes no value that can be read: their parser gives 0, "
    "ours leaves it open",
    "several_values": "the reply states values that contradict each other, and no final one",
    "open_unit": "the value agrees, in a unit that the key leaves open",
    "released": "the amount agrees; it is negative for what is released",
    "name_unread": "the name can't be read, or leaves open which compound it means: their rule gives 0, ours "
    "leaves it open",
}


class Row(NamedTuple):
    """A reply, the grade it got, and the check built from its key."""

    source: str
    item: str
    model: str
    published: bool
    check: dict[str, Any]
    reply: str
    hand: dict[str, Any] | None
    """The hand check of its grade, if there is one."""


class Graded(NamedTuple):
    """A row and what the formal track says."""

    row: Row
    status: str
    reason: str | None
    detail: str

    @property
    def differs(self) -> bool:
        """Whether the grade is another one, or is left open."""
        return (self.status == "met") is not self.row.published or self.status == "undetermined"

    @property
    def against(self) -> bool:
        """Whether it is decided against the hand check."""
        hand = self.row.hand
        return hand is not None and self.status == ("not_met" if hand["right_grade"] else "met")


def _lines(name: str) -> Iterator[dict[str, Any]]:
    for line in (REAL / name).read_text("utf-8").splitlines():
        yield json.loads(line)


def rows() -> list[Row]:
    """Every reply with a grade."""
    hand = {
        (row["item"], row["model"]): row for row in _lines("third_party_grade_errors.jsonl") if "model" in row
    }
    numeric = (
        Row(
            "ChemBench",
            row["item"],
            row["model"],
            row["published_all_correct"] == 1,
            numeric_check(row["target"], row["prompt"]),
            row["response"],
            hand.get((row["item"], row["model"])),
        )
        for row in _lines("chembench_numeric.jsonl")
    )
    names = (
        Row(
            "ChemIQ",
            row["item"],
            row["model"],
            row["rule_grade"] == 1,
            {"kind": "smiles", "expected": row["target_smiles"], "accept": ["name"]},
            row["response"],
            None,
        )
        for row in _lines("chemiq_iupac.jsonl")
    )
    return [*numeric, *names]


def numeric_check(target: str, question: str) -> dict[str, Any]:
    """The check of a numeric key: within their 1 %; of what is released, the amount."""
    check: dict[str, Any] = {"kind": "quantity", "expected": float(target), "rel_tol": 0.01}
    if re.search(r"\b(?:energy|heat)\b[^.?]{0,40}\breleased\b", question):
        check["sign"] = "either"
    return check


def graded(chosen: Sequence[Row]) -> list[Graded]:
    """What the formal track says of each row."""
    from grader.formal import check_many

    findings = check_many((row.check, row.reply) for row in chosen)
    return [
        Graded(row, finding.status.value, finding.reason and finding.reason.value, finding.detail)
        for row, finding in zip(chosen, findings, strict=True)
    ]


def explained(one: Graded) -> str | None:
    """The class of a disagreement; None if it has no explanation."""
    hand = one.row.hand
    if hand is not None and hand["error_class"] in CLASSES:
        return str(hand["error_class"])
    if one.status == "met":
        nonpositive = one.row.source == "ChemBench" and one.row.check["expected"] <= 0
        return NONPOSITIVE if nonpositive else "released" if one.row.check.get("sign") == "either" else None
    if one.status == "not_met":
        return None
    if one.row.source == "ChemIQ":
        return "name_unread"
    if "names no unit" in one.detail:
        return "open_unit"
    return {"no_candidate": "no_value", "conflicting_candidates": "several_values"}.get(one.reason or "")


def page(all_graded: Sequence[Graded]) -> str:
    """The page: counts, classes, and each disagreement."""
    differing = [one for one in all_graded if one.differs]
    classes = Counter(explained(one) for one in differing)
    measured = [one for one in all_graded if one.row.hand and one.row.hand["error_class"] in MEASURED]
    against = sum(one.against for one in measured)
    decided = sum(one.status != "undetermined" for one in measured)
    at_fault = sum(
        one.row.hand is not None and one.row.hand["error_class"] in FAULTS_OF_A_KEY for one in all_graded
    )
    lines = [
        "# Grades by others, and ours",
        "",
        "Written by `python benchmarks/third_party.py --write`. The replies are real ones, whose grades were",
        "published with them (ChemBench's numeric questions; for ChemIQ's names, its rule recomputed). The",
        "checks are built from their keys: a number within 1 %, or a structure that may be named. Only",
        "questions and models are named here; the data stays where it is.",
        "",
        "| source | replies | same grade | other grade | left open |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for source in ("ChemBench", "ChemIQ"):
        own = [one for one in all_graded if one.row.source == source]
        left = sum(one.status == "undetermined" for one in own)
        other = sum(one.differs for one in own) - left
        lines.append(f"| {source} | {len(own)} | {len(own) - other - left} | {other} | {left} |")
    lines += [
        "",
        f"Of the {len(measured)} replies whose grade a hand check found wrong or disputable because of",
        f"extraction or tolerance, {decided} are decided, {against} of them against the right grade.",
        f"The keys of another {at_fault} replies are themselves at fault; code can only follow its key.",
        "",
        "## Why they differ",
        "",
        "| why | replies | |",
        "| --- | ---: | --- |",
    ]
    for name, meaning in CLASSES.items():
        if classes[name]:
            lines.append(f"| {name} | {classes[name]} | {meaning} |")
    lines += [
        "",
        "## Each of them",
        "",
        "| question | model | theirs | ours | why |",
        "| --- | --- | ---: | --- | --- |",
    ]
    for one in differing:
        theirs = int(one.row.published)
        lines.append(f"| {one.row.item} | {one.row.model} | {theirs} | {one.status} | {explained(one)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write the page, too")
    options = parser.parse_args()
    found = graded(rows())
    text = page(found)
    print(text)
    if options.write:
        PAGE.write_text(text, "utf-8")
    unexplained = [one for one in found if one.differs and explained(one) is None]
    against = [
        one for one in found if one.against and one.row.hand and one.row.hand["error_class"] in MEASURED
    ]
    for one in (*unexplained, *against):
        print(
            f"unexplained or wrong: {one.row.item} {one.row.model}: {one.status}, {one.detail}",
            file=sys.stderr,
        )
    sys.exit(bool(unexplained or against))


if __name__ == "__main__":
    main()
