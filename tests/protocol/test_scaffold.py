"""A derived standard result holds what the rubric states, unchanged, and nothing that is for its marker."""

from __future__ import annotations

import json
import re
import shlex
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, RenderableType

from grader.problem.model import Point, Subquestion
from grader.problem.nodes import nodes
from grader.problem.rubric import read_rubric
from grader.problem.rubric.nodes import NativeNode, leaves
from grader.problem.set import load_set
from grader.protocol.command import Command
from grader.protocol.expected import readable, states
from grader.protocol.inputs import inputs
from grader.protocol.run import run
from grader.protocol.scaffold import derive, scaffold
from grader.render.inputs import inputs_table
from tests.protocol.running import request_for, responses, small_set

ROOT = Path(__file__).parents[2]
MARK = re.compile(
    r"\d\s*½?\s*(?:points?|pts?|marks?)\b(?!\s+on\b)|½\s*marks?\b|\b(?:one|two)\s+points?\b", re.I
)


def subquestion(*rubric: Any, marks: float = 3, **more: Any) -> Subquestion:
    raw = {"sub_id": "s", "text_open": "?", "full_mark": marks, "rubric": list(rubric), **more}
    return Subquestion.model_validate(raw)


def point(text: str, points: float = 1, name: str = "r", **check: Any) -> dict[str, Any]:
    return {"id": name, "points": points, "text": text} | ({"check": check} if check else {})


def group(
    rule: str, *members: dict[str, Any], text: str = "", points: float = 3, **more: Any
) -> dict[str, Any]:
    return {"id": "g", "points": points, "text": text, "rule": rule, "of": list(members), **more}


def test_what_the_author_gave_is_granted_as_it_is() -> None:
    given_ = scaffold(subquestion(point("K = 1"), standard_result=" K = 1 (2 points) "))
    assert given_ is not None
    assert (given_.text, given_.derived) == ("K = 1 (2 points)", False)


def test_every_point_is_there_in_order_and_no_deduction_veto_or_note() -> None:
    sub = subquestion(
        point("K = 4.2 (2 points)"),
        {"note": "a wrong sign is common"},
        point("States that it is exothermic", name="r2"),
        {"id": "d", "points": -1, "text": "K without a unit"},
        {"id": "v", "veto": True, "text": "no reason at all"},
        point("[Cr(H2O)4Cl2]+", name="r3"),
    )
    found = scaffold(sub)
    assert found is not None
    assert (found.text, found.derived) == ("K = 4.2\nit is exothermic\n[Cr(H2O)4Cl2]+", True)


def test_of_alternatives_the_best_is_there_and_other_groups_are_whole() -> None:
    lesser, best = point("only the ion", 1, "a"), point("the whole salt", 2, "b")
    assert derive(subquestion(group("any", lesser, best, points=2))) == "the whole salt"
    for rule in ("sum", "all"):
        assert derive(subquestion(group(rule, lesser, best))) == "only the ion\nthe whole salt"
    counted = group("count", lesser, best, take=1)
    assert derive(subquestion(counted)) == "only the ion\nthe whole salt"


def test_the_text_of_a_choice_stands_for_its_best_member_where_it_states_the_value() -> None:
    member = point("within half a unit", 1, "a", kind="quantity", expected=21.7, unit="dimensionless")
    stated = group("any", member, text="A = 2.7e9, i.e. ln A = 21.7", points=1)
    assert derive(subquestion(stated)) == "A = 2.7e9, i.e. ln A = 21.7"
    assert (
        derive(subquestion(group("any", member, text="the factor", points=1))) == "within half a unit: 21.7"
    )


@pytest.mark.parametrize(
    ("text", "check", "derived"),
    [
        ("B is the diol", {"kind": "smiles", "expected": "OCCC(O)C"}, "B is the diol: OCCC(O)C"),
        ("nu1 = 17,390 cm-1", {"kind": "quantity", "expected": 17391.0, "unit": "1/cm"}, "nu1 = 17,390 cm-1"),
        (
            r"$1.9\times10^{3}$ yr",
            {"kind": "quantity", "expected": 1.9e3, "unit": "year"},
            r"$1.9\times10^{3}$ yr",
        ),
        (
            "Rate constant",
            {"kind": "quantity", "expected": 2.9e-5, "unit": "1/s"},
            "Rate constant: 2.9e-5 1/s",
        ),
        ("Two isomers", {"kind": "integer", "expected": 2}, "Two isomers"),
        ("Isomers of H2O2", {"kind": "integer", "expected": 2}, "Isomers of H2O2: 2"),
        ("$[Co(NH_3)_6]^{3+}$", {"kind": "formula", "expected": "[Co(NH3)6]3+"}, "$[Co(NH_3)_6]^{3+}$"),
        (
            "A salt forms",
            {"kind": "choice", "expected": "A", "texts": {"A": "NaCl"}},
            "A salt forms: A (NaCl)",
        ),
        ("B, E", {"kind": "choice", "expected": "B, E", "multiple": True}, "B, E"),
        ("No gas evolves", {"kind": "boolean", "expected": False}, "No gas evolves"),
        (
            "The verdict",
            {"kind": "boolean", "expected": True, "statement": "It melts."},
            "The verdict: It melts: yes",
        ),
        ("Fe(III)", {"kind": "oxidation_state", "expected": 3}, "Fe(III)"),
        ("The state of Fe", {"kind": "oxidation_state", "expected": 3}, "The state of Fe: +3"),
        (
            "The order",
            {"kind": "sequence", "expected": ["b", "a"], "order": "falling rate"},
            "The order: b, a (falling rate)",
        ),
        ("", {"kind": "label", "expected": "octahedral"}, "octahedral"),
    ],
)
def test_a_value_that_its_point_doesnt_write_out_is_added(
    text: str, check: dict[str, Any], derived: str
) -> None:
    assert derive(subquestion(point(text, **check))) == derived


def test_a_value_that_two_points_check_is_added_once() -> None:
    check: dict[str, Any] = {"kind": "smiles", "expected": "OC[C@@H]1CO1", "asked": ["A"]}
    sub = subquestion(point("A is the epoxide", **check), point("A is (S)", name="r2", **check))
    assert derive(sub) == "A is the epoxide: OC[C@@H]1CO1\nA is (S)"


def test_a_draft_that_nobody_accepted_adds_nothing() -> None:
    drafted = point("the product", kind="smiles", expected="CCO") | {"draft": True}
    assert derive(subquestion(drafted)) == "the product"


def test_native_and_typed_lines_stand_in_the_order_of_the_rubric() -> None:
    lines = ("[B]: 'CCBr' (1 point; a racemate earns nothing)", "Take off 1 point for a missing charge.")
    sub = subquestion(lines[0], point("K = 3"), lines[1], marks=2)
    assert derive(sub) == "[B]: 'CCBr'\nK = 3"


def test_native_lines_that_are_worth_nothing_are_guidance() -> None:
    assert derive(subquestion(point("K = 3", 3), "Anything near 3 will do.")) == "K = 3"


@pytest.mark.parametrize(
    ("lines", "derived"),
    [
        (
            ["Step 1: 'CCO' (1 point)", "Alternatively 'CCN' (1 point)", "K = 2 (2 points)"],
            "Step 1: 'CCO'\nK = 2",
        ),
        (["P: 'CC=N'; P': 'CN=C'", "(1.5 points each)"], "P: 'CC=N'\nP': 'CN=C'"),
        (["$E = x$ (1 point)", "With $x = 2$:", "$E = 2$ (2 points)"], "$E = x$\nWith $x = 2$\n$E = 2$"),
        (
            ["The anion is bent (3 points), because of its lone pair."],
            "The anion is bent, because of its lone pair.",
        ),
        (["It boils.", "The vapour condenses."], "It boils.\nThe vapour condenses."),
        (["Red (2 points)", "Blue (2 points)"], "Red\nBlue"),
        (["Any two of: cheap; inert; volatile (3 points)"], "cheap\ninert\nvolatile"),
        (["One point for each sensible source of error, three at most."], ""),
        (["Newman projection: (3 points)"], ""),
        (
            ["It gets no oxygen, so no mark of rust appears. (3 points)"],
            "It gets no oxygen, so no mark of rust appears",
        ),
    ],
)
def test_native_lines_are_read_as_a_whole(lines: list[str], derived: str) -> None:
    assert derive(subquestion(*lines)) == derived


def test_a_private_file_isnt_named() -> None:
    sub = subquestion(
        "K = 2 (see s-gold.png) (1 point)",
        point("It melts. Compare s-gold.png."),
        rubric_images=[{"file": "s-gold.png", "description": ""}],
        marks=2,
    )
    assert derive(sub) == "K = 2\nIt melts."


def _cases(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def _kept(node: NativeNode) -> list[NativeNode]:
    """The leaves that a derived result holds: of alternatives those of the best."""
    if node.rule == "any" and node.of:
        return _kept(max(node.of, key=lambda member: member.marks))
    return [leaf for member in node.of for leaf in _kept(member)] if node.of else [node]


def _hold(cases: list[dict[str, Any]]) -> None:
    for case in cases:
        lines, full_mark = case["rubric"], case["full_mark"]
        text = derive(subquestion(*lines, marks=full_mark))
        assert not MARK.search(text), case["id"]
        tops = read_rubric(lines, full_mark).nodes
        for leaf in (leaf for node in tops if node.scores for leaf in _kept(node)):
            assert all(quoted in text for quoted in leaf.quoted), case["id"]
        gone = {quoted for leaf in leaves(tops) if not leaf.scores for quoted in leaf.quoted}
        kept = {quoted for leaf in leaves(tops) if leaf.scores or not leaf.flags for quoted in leaf.quoted}
        assert not any(f"'{quoted}'" in text for quoted in gone - kept), case["id"]


def test_of_native_rubrics_every_answer_stays_and_no_mark_does() -> None:
    _hold(_cases(ROOT / "tests" / "problem" / "rubric_cases.jsonl"))


def test_the_shared_rubrics_come_out_as_well(shared: Path) -> None:
    _hold(_cases(shared / "cases" / "native_rubrics.jsonl"))


def test_what_authors_gave_for_the_demo_is_in_what_would_be_derived() -> None:
    subs = [
        sub for problem in load_set(ROOT / "problems/demo").problems.values() for sub in problem.subquestions
    ]
    checked = 0
    for sub in subs:
        text = derive(sub)
        for node in nodes(sub):
            if isinstance(node, Point) and node.check:
                assert states(text, node.check), node.id
                checked += states(sub.standard_result or "", node.check)
        assert not MARK.search(text)
    # the authors' own results state most of them, too
    assert checked > 30


VALUES = st.floats(1e-8, 1e8, allow_nan=False).map(lambda value: float(f"{value:.4g}"))
ENDS = st.sampled_from(
    ["", " (2 points)", " (1.5 marks; accept 3 to 4)", "; award 1 for the method", ", ECF", " [1 mark]"]
)


@given(st.lists(st.tuples(VALUES, ENDS, st.booleans()), min_size=1, max_size=4), st.booleans())
def test_expected_values_survive_and_no_mark_does(parts: list[tuple[float, str, bool]], native: bool) -> None:
    checks = [
        {"kind": "quantity", "expected": value, "unit": "kJ/mol", "rel_tol": 1e-3} for value, _, _ in parts
    ]
    points = [
        point(f"x{n} = {value!r} kJ/mol{end}" if written else f"the value{end}", 1, f"r{n}", **check)
        for n, ((value, end, written), check) in enumerate(zip(parts, checks, strict=True))
    ]
    sub = subquestion(*points, *(["'CCO' (1 point)"] if native else []), marks=len(points) + native)
    text = derive(sub)
    assert not MARK.search(text)
    assert len(text.splitlines()) == len(points) + native
    for node, line in zip((node for node in nodes(sub)), text.splitlines(), strict=True):
        if isinstance(node, Point) and node.check:
            assert states(line, node.check)
            assert readable(node.check).endswith("kJ/mol")


@pytest.mark.parametrize(
    ("gone", "granted", "printed"),
    [
        (["standard_result"], {"granted": [{"of": "iron-1", "derived": True}]}, "iron-1 (derived)"),
        (["standard_result", "rubric"], {"granted": [], "ungranted": ["iron-1"]}, "iron-1 (has none)"),
    ],
)
def test_a_run_says_which_results_were_derived_or_missing(
    tmp_path: Path, gone: list[str], granted: dict[str, Any], printed: str
) -> None:
    small_set(tmp_path / "set")
    path = tmp_path / "set" / "tasks" / "iron" / "problem.json"
    raw = json.loads(path.read_text())
    for field in gone:
        del raw["subquestions"][0][field]
    path.write_text(json.dumps(raw))
    problems = load_set(tmp_path / "set")
    (tmp_path / "log.fault").write_text("none 1")
    program = Path(__file__).with_name("solving_program.py")
    command = shlex.join([sys.executable, "-ISE", str(program), str(tmp_path / "log")])
    out = tmp_path / "run.jsonl"
    request = request_for(
        problems, out, {"cmd": command}, protocols=["oracle_scaffolded"], modes=["text_only"]
    )
    run(request, Command(request))
    told = {response.sub_id: dict(response.meta["input"]) for response in responses(out)}
    for one in told.values():
        del one["message"], one["images"]
    assert told == {
        "copper-1": {"granted": []},
        "copper-2": {"granted": [{"of": "copper-1", "derived": False}]},
        "iron-1": {"granted": []},
        "iron-2": granted,
    }
    assert printed in _printed(inputs_table("run", inputs(out)))


def _printed(table: RenderableType) -> str:
    file = StringIO()
    Console(width=200, file=file).print(table)
    return file.getvalue()
