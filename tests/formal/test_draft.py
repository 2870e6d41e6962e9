"""Drafted checks say what their lines say, keep the marks, and decide nothing before they are accepted."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from rdkit import Chem, rdBase

from grader.answer.answer import Answer
from grader.errors import ArgusError
from grader.formal import registry
from grader.formal.draft import draft_rubric
from grader.formal.draft_sets import accept_drafts, draft_set
from grader.problem.model import Deduction, Group, Point, Subquestion, Veto, walk
from grader.problem.set import load_set
from grader.record import Status


def subquestion(rubric, full_mark, sub_id="q-1"):
    raw = {"sub_id": sub_id, "text_open": "?", "full_mark": full_mark, "rubric": rubric}
    return Subquestion.model_validate(raw)


def drafted(*lines, full_mark):
    return draft_rubric(subquestion(lines, full_mark))


def write_native(folder, lines, full_mark=2):
    task = folder / "tasks" / "p"
    task.mkdir(parents=True)
    sub = {"sub_id": "p-1", "text_open": "?", "full_mark": full_mark, "rubric": lines}
    problem = {"problem_id": "p", "header": "h", "subquestions": [sub]}
    (task / "problem.json").write_text(json.dumps(problem))
    return folder


def test_a_plain_line_becomes_one_point_with_the_line_as_its_text():
    line = "K: 'O=C1CCC2(CC1)OCCO2' (3 points);"
    (node,) = drafted(line, full_mark=3).nodes
    assert isinstance(node, Point)
    assert node.check is not None
    assert (node.id, node.points, node.draft, node.text) == ("q-1#1", 3, True, line)
    assert (node.check.kind, node.check.expected, node.check.asked) == (
        "smiles",
        "O=C1CCC2(CC1)OCCO2",
        ("K",),
    )


def test_alternatives_become_a_group_of_which_any_earns():
    (node,) = drafted("'CCO' or 'CCCO' (2 points)", full_mark=2).nodes
    assert isinstance(node, Group)
    assert (node.rule, node.points) == ("any", 2)
    expected = [getattr(getattr(member, "check", None), "expected", None) for member in node.of]
    assert expected == ["CCO", "CCCO"]


def test_what_a_line_accepts_besides_is_left_to_a_judge():
    rubric = drafted("'CCCO' (2 points; also accept any other primary alcohol)", full_mark=2)
    (node,) = rubric.nodes
    assert isinstance(node, Group)
    checked, judged = node.of
    assert isinstance(checked, Point)
    assert isinstance(judged, Point)
    assert checked.check is not None
    assert judged.check is None
    assert node.rule == "any"
    assert not rubric.points[0].alone
    assert "judge" in rubric.points[0].why


def test_an_explanation_stays_flexible_and_says_why():
    rubric = drafted("Fluoride is the harder base and binds the hard cation. (2 points)", full_mark=2)
    (node,) = rubric.nodes
    assert isinstance(node, Point)
    assert node.check is None
    assert not node.draft
    assert rubric.points[0].kinds == ()
    assert rubric.points[0].why


def test_a_structure_that_a_line_refuses_is_never_expected():
    rubric = drafted("'CC1CO1' (2 points)", "'CC1OO1' is not accepted.", full_mark=2)
    expected = [node.check.expected for node in walk(rubric.nodes) if isinstance(node, Point) and node.check]
    assert expected == ["CC1CO1"]


def test_waived_stereo_is_ignored_and_relative_stereo_lets_the_mirror_image_earn():
    (waived,) = drafted("'C[C@H](O)CC' (2 points; stereochemistry not required)", full_mark=2).nodes
    (relative,) = drafted(
        "'O[C@H]1C[C@@H](O)C1' (2 points; only the relative configuration is marked)", full_mark=2
    ).nodes
    assert waived.check.stereo == "ignore"
    assert relative.check.stereo == "relative"


def test_lines_that_carry_too_much_stay_one_flexible_point():
    rubric = drafted("'CCO' (3 points)", "'CCC' (3 points)", full_mark=4)
    assert [(node.points, node.check) for node in rubric.nodes] == [(4, None)]
    assert "more than the full mark" in rubric.points[0].why


def _cases(shared):
    for line in (shared / "cases" / "native_rubrics.jsonl").read_text().splitlines():
        case = json.loads(line)
        if case["full_mark"] > 0:
            yield case["id"], draft_rubric(subquestion(case["rubric"], case["full_mark"], case["id"])), case


def test_every_rubric_of_the_corpus_keeps_its_marks_scopes_and_ids(shared):
    for name, rubric, case in _cases(shared):
        earning = math.fsum(node.points for node in rubric.nodes if isinstance(node, Point | Group))
        assert math.isclose(earning, case["full_mark"]), name
        raw = [node.model_dump(mode="json", by_alias=True, exclude_defaults=True) for node in rubric.nodes]
        again = subquestion(raw, case["full_mark"], name)
        assert tuple(again.rubric or ()) == rubric.nodes, name
        ids = [node.id for node in walk(rubric.nodes) if hasattr(node, "id")]
        assert len(ids) == len(set(ids)), name
        scopes = {node.scope for node in rubric.nodes if isinstance(node, Deduction | Veto)}
        assert scopes <= {None, *ids}, name


def test_no_drafted_check_contradicts_its_line(shared):
    for name, rubric, _ in _cases(shared):
        for node in walk(rubric.nodes):
            if isinstance(node, Point) and node.check is not None:
                found = registry.decide(node.check, Answer(node.text))
                assert node.draft, name
                assert found.status is not Status.NOT_MET, (name, node.check, found.detail)


def test_drafts_wait_until_they_are_accepted(tmp_path):
    source = write_native(tmp_path / "set", ["'CCO' (1 point)", "pH = 4.76 (1 point)"])
    report = draft_set(source, tmp_path / "new")
    assert report.share(alone=True) == 2
    first = accept_drafts(tmp_path / "new", ["p-1#1"])
    assert first.accepted == ("p-1#1",)
    assert [one.point_id for one in first.waiting] == ["p-1#2"]
    second = accept_drafts(tmp_path / "new", reject=["p-1#2"])
    assert second.rejected == ("p-1#2",)
    (sub,) = load_set(tmp_path / "new").problems["p"].subquestions
    formal, flexible = sub.rubric or ()
    assert isinstance(formal, Point)
    assert isinstance(flexible, Point)
    assert formal.check is not None
    assert not formal.draft
    assert flexible.check is None


def test_the_set_that_is_drafted_from_is_not_touched(tmp_path):
    source = write_native(tmp_path / "set", ["'CCO' (2 points)"])
    before = (source / "tasks" / "p" / "problem.json").read_bytes()
    draft_set(source, tmp_path / "new")
    accept_drafts(tmp_path / "new", every=True)
    assert (source / "tasks" / "p" / "problem.json").read_bytes() == before


def test_both_forms_of_a_set_are_drafted_alike(tmp_path):
    source = write_native(tmp_path / "set", ["'CCO' (2 points)"])
    raw = (source / "tasks" / "p" / "problem.json").read_text()
    (source / "dataset.jsonl").write_text(json.dumps(json.loads(raw)) + "\n")
    draft_set(source, tmp_path / "new")
    accept_drafts(tmp_path / "new", every=True)
    load_set(tmp_path / "new")  # refuses forms that differ


MISTAKES = {
    "the target is there": lambda folder: draft_set(folder / "set", folder / "new"),
    "nothing is native": lambda folder: draft_set(folder / "new", folder / "newer"),
    "no such draft": lambda folder: accept_drafts(folder / "new", ["p-1#9"]),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_named(tmp_path, mistake):
    draft_set(write_native(tmp_path / "set", ["'CCO' (2 points)"]), tmp_path / "new")
    with pytest.raises(ArgusError) as error:
        mistake(tmp_path)
    assert error.value.faults[0].got


# How much of what real lines quote is drafted

EQUATION = re.compile(r"\S\s*(?:=|->|\\rightarrow|⇌|→)\s*\S")
MEASURED = re.compile(
    r"-?\d[\d.,]*(?:\s?\\times\s?10\^\{?-?\d+\}?)?\s*(?:\\[, ;]|\s|\\circ)*"
    r"(?:\\(?:mathrm|text|rm)\{)?[A-Za-zµμ°%]"
)


def sort_of(quote):
    """What a quoted value is by its looks: a structure, an equation, a value with a unit, a formula."""
    bare = quote.strip().strip("$")
    if re.fullmatch(r"\S{2,}", bare) and re.search(r"[=#()\[\]]|[a-z]1|CC", bare) and "_" not in bare:
        with rdBase.BlockLogs():
            mol = Chem.MolFromSmiles(bare)
        if mol is not None and "{" not in bare:
            return "structure"
    if (
        EQUATION.search(bare)
        and "+" in bare
        and re.search(r"[A-Z]", bare)
        and not re.search(r"ln|lg|log|[xy]", bare)
    ):
        return "equation"
    if MEASURED.match(bare) and not re.match(r"\d+\s?[A-Z][a-z]?_?\{?\d", bare):
        return "value"
    if re.fullmatch(r"\[?(?:[A-Z][a-z]?[\d_{}()\[\]]*){2,}(?:\^?\{?\d?[+-]\}?)?", bare) and re.search(
        r"\d", bare
    ):
        return "formula"
    return ""


def quoted_of(parts):
    for part in parts:
        if part["kind"] in ("part", "group"):
            yield from part["quoted"]
            yield from quoted_of(part.get("of", ()))


def test_most_structures_equations_formulas_and_values_that_lines_quote_are_drafted(shared):
    wanted = {"structure": 0, "equation": 0, "formula": 0, "value": 0}
    drafted_ = dict.fromkeys(wanted, 0)
    for _, rubric, case in _cases(shared):
        checks = [node.check for node in walk(rubric.nodes) if isinstance(node, Point) and node.check]
        for quote in quoted_of(case["expect"]["parts"]):
            if sort := sort_of(quote):
                wanted[sort] += 1
                drafted_[sort] += any(
                    registry.decide(_free(check), Answer(f"`{quote}`")).award == 1 for check in checks
                )
    assert all(wanted.values())
    assert sum(drafted_.values()) >= 0.85 * sum(wanted.values()), (drafted_, wanted)


def _free(check):
    return check.model_copy(update={"asked": ()})


DEMO = Path(__file__).parents[2] / "problems" / "demo"
DECIDED = {"smiles", "formula", "equation", "quantity"}


def native(node):
    unit = "point" if node.points == 1 else "points"
    return f"{node.text} ({node.points:g} {unit})"


def test_the_demo_turned_back_into_native_lines_is_drafted_as_its_author_typed_it():
    """A drafted check finds what its author's check finds in every answer of the demo, or leaves it open."""
    written = lines = 0
    for problem in load_set(DEMO).problems.values():
        for sub in problem.subquestions:
            typed = [node for node in sub.rubric or () if isinstance(node, Point | Group)]
            rubric = draft_rubric(subquestion([native(node) for node in typed], sub.full_mark, sub.sub_id))
            for node in typed:
                if not isinstance(node, Point) or node.check is None or node.check.kind not in DECIDED:
                    continue
                if not any(character.isdigit() for character in node.text) or node.check.kind == "smiles":
                    continue  # the structure is only in the check: the line names it
                lines += 1
                made = [
                    one
                    for one in walk(rubric.nodes)
                    if isinstance(one, Point) and one.check and node.text in one.text
                ]
                written += bool(made)
                shown = f"{node.check.expected} {getattr(node.check, 'unit', None) or ''}"
                alike = [one.check for one in made if one.check and one.check.kind == node.check.kind]
                found = [registry.decide(_free(check), Answer(shown)) for check in alike]
                assert not found or any(one.award != 0 for one in found), node.text
    assert written >= 0.85 * lines, (written, lines)
