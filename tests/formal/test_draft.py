"""Drafted checks say what their lines say, keep the marks, and decide nothing before they are accepted."""

from __future__ import annotations

import json
import math

import pytest

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
