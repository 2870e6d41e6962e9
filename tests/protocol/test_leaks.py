"""What a scaffold tells of later answers is named, and what it may rightly say is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.errors import UsageError
from grader.protocol.leaks import Reveals, ScaffoldReport, scaffold_report

DEMO = Path(__file__).parents[2] / "problems" / "demo"
RATE: dict[str, Any] = {"kind": "quantity", "expected": 2.9e-3, "unit": "1/s", "asked": ["k"]}


def sub(*rubric: Any, result: str | None = None, text: str = "?", **more: Any) -> dict[str, Any]:
    raw = {"text_open": text, "full_mark": max(len(rubric), 1), "rubric": list(rubric)}
    return raw | ({"standard_result": result} if result else {}) | more


def point(text: str, name: str = "r", **check: Any) -> dict[str, Any]:
    return {"id": name, "points": 1, "text": text} | ({"check": check} if check else {})


def write(folder: Path, problems: dict[str, list[dict[str, Any]]], header: str = "A reaction.") -> Path:
    """A set of problems; the subquestions of ``a`` are ``a-1``, ``a-2``, ..."""
    for name, subs in problems.items():
        task = folder / "tasks" / name
        (task / "images").mkdir(parents=True)
        numbered = [{"sub_id": f"{name}-{number}"} | one for number, one in enumerate(subs, start=1)]
        problem = {"problem_id": name, "header": f"{header} {name}.", "subquestions": numbered}
        (task / "problem.json").write_text(json.dumps(problem))
    return folder


def said(row: Reveals) -> list[tuple[str, str | None, str | None]]:
    return [(lint.code, lint.sub_id, lint.found) for lint in row.lints]


def rows(report: ScaffoldReport) -> dict[str, list[tuple[str, str | None, str | None]]]:
    return {row.sub_id: said(row) for row in report.scaffolds}


def test_what_a_later_point_expects_leaks(tmp_path: Path) -> None:
    series = "k = 1.1e-3 1/s at 280 K; k = 2.9e-3 1/s at 290 K; k = 6.6e-3 1/s at 300 K"
    problems = {
        "leak": [sub(point("why"), result="The constant is k = 2.9e-3 1/s."), sub(point("k", **RATE))],
        "list": [sub(point("why"), result=series), sub(point("k", **RATE))],
        "bare": [sub(point("why"), result="0.61, 0.0029 and 0.75 were read"), sub(point("k", **RATE))],
        "own": [sub(point("k", **RATE), result="k = 2.9e-3 1/s"), sub(point("it falls"))],
        "other": [sub(point("Ea"), result="Ea = 58.0 kJ/mol; A = 2.7e9 1/s"), sub(point("k", **RATE))],
    }
    assert rows(scaffold_report(write(tmp_path, problems))) == {
        "leak-1": [("leak", "leak-2", "0.0029 1/s")],
        "list-1": [("leak", "list-2", "0.0029 1/s")],
        "bare-1": [("may_reveal", "bare-2", "0.0029 1/s")],
        "own-1": [],
        "other-1": [],
    }


def test_what_the_header_or_a_question_says_itself_is_named(tmp_path: Path) -> None:
    density: dict[str, Any] = {"kind": "quantity", "expected": 0.902, "unit": "g/mL", "asked": ["density"]}
    subs = [
        sub(point("density", **density)),
        sub(point("k", **RATE), text="Which order has it? With k = 2.9e-3 1/s, when is it over?"),
        sub(point("which", kind="choice", expected="B"), text="A: red. B: blue. Which?"),
    ]
    found = scaffold_report(write(tmp_path, {"p": subs}, "An ester. Its density is 0.902 g/mL."))
    assert [(one.sub_id, one.point_id, one.where, one.found) for one in found.already_said] == [
        ("p-1", "r", "header", "0.902 g/mL"),
        ("p-2", "r", "p-2", "0.0029 1/s"),
    ]


def test_a_result_goes_to_the_next_question_or_to_all_later_ones(tmp_path: Path) -> None:
    telling = "It takes BAC2, with 2.91 for rho; AgCl falls"
    flexible = point("Goes through the BAC2 path with rho = 2.91, as AgCl shows")
    subs = [
        sub(point("why"), result=telling),
        sub(point("how"), result="so"),
        sub(flexible, text="Why AgCl?"),
    ]
    write(tmp_path, {"p": subs})
    previous, every = scaffold_report(tmp_path), scaffold_report(tmp_path, "all")
    assert [row.granted_to for row in previous.scaffolds] == [("p-2",), ("p-3",)]
    assert [row.granted_to for row in every.scaffolds] == [("p-2", "p-3"), ("p-3",)]
    assert rows(previous) == {"p-1": [], "p-2": []}
    # AgCl is in the question itself
    assert rows(every) == {"p-1": [("may_reveal", "p-3", "2.91, BAC2")], "p-2": []}


def test_what_a_scaffold_lacks_is_said(tmp_path: Path) -> None:
    unread = [{"text_open": "?", "full_mark": 1} for _ in range(2)]
    drawn = [sub(point("K = 2")), sub("Newman projection: (1 point)"), sub("It is flat (1 point)"), sub("so")]
    found = scaffold_report(write(tmp_path, {"drawn": drawn, "none": unread}))
    assert [
        (row.scaffold and row.scaffold.text, [lint.code for lint in row.lints]) for row in found.scaffolds
    ] == [
        ("K = 2", ["derived"]),
        (None, ["missing", "drawn"]),
        ("It is flat", ["derived"]),
        (None, ["missing"]),
    ]
    assert (
        found.scaffolds[-1].lints[0].message == "no standard_result, and it has no rubric: nothing is granted"
    )


def test_a_given_result_that_speaks_to_a_marker_or_of_private_files_is_named(tmp_path: Path) -> None:
    from PIL import Image

    image = {"file": "p-1-gold.png", "description": "Term diagram with three arrows from the ground term."}
    told = "K = 2 (1 point), see p-1-gold: a term diagram with three arrows from the ground term"
    write(tmp_path, {"p": [sub(point("why"), result=told, rubric_images=[image]), sub(point("how"))]})
    Image.new("L", (2, 2)).save(tmp_path / "tasks" / "p" / "images" / "p-1-gold.png")
    assert rows(scaffold_report(tmp_path))["p-1"] == [
        ("scoring_hint", None, "(1 point)"),
        ("private_file", None, "p-1-gold.png"),
        ("private_description", None, "Term diagram with three arrows from"),
    ]


def test_a_scope_there_isnt_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="previous or all"):
        scaffold_report(tmp_path, "next")  # type: ignore[arg-type]


def test_a_structure_in_passing_and_in_another_notation_may_reveal(tmp_path: Path) -> None:
    told = "A, CC(=O)OCC, gives CC(=O)O and CCO in water"
    alcohol = point("B is the alcohol", kind="smiles", expected="OCC", asked=["B"])
    other = point("C is the amide", "s", kind="smiles", expected="CC(N)=O", asked=["C"])
    write(tmp_path, {"p": [sub(point("why"), result=told), sub(alcohol, other)]})
    (lint,) = scaffold_report(tmp_path).scaffolds[0].lints
    assert (lint.code, lint.point_id, lint.message) == ("may_reveal", "r", "mentions what r of p-2 expects")


@pytest.mark.slow
def test_the_demo_gives_every_result_and_none_away() -> None:
    found = scaffold_report(DEMO, "all")
    assert len(found.scaffolds) == 18
    assert not any(row.lints or row.scaffold is None or row.scaffold.derived for row in found.scaffolds)
    assert found.already_said == ()
