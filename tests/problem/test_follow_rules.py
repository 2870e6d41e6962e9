"""A point can only follow from earlier values; anything else is said with its place on loading."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grader.errors import ProblemError
from grader.problem.model import Follow, Point, Problem
from grader.problem.set import check_set, load_set
from grader.problem.source import compile_source

NUMBER = {"kind": "quantity", "expected": 0.2, "unit": "mol/L"}
COUNT = {"kind": "integer", "expected": 2}
STRUCTURE = {"kind": "smiles", "expected": "CCO"}


def point(name: str, check: Any = None, **more: Any) -> dict[str, Any]:
    return {"id": name, "points": 1, "text": name, **({"check": check} if check else {}), **more}


def chain() -> dict[str, Any]:
    """Two subquestions; ``last`` is the point that follows."""
    either = {"id": "either", "points": 1, "text": "x or y", "rule": "any"}
    first = [
        point("c", NUMBER),
        point("n", COUNT),
        point("A", STRUCTURE),
        point("why"),
        point("proposed", NUMBER, draft=True),
        {**either, "of": [point("x", NUMBER), point("y", NUMBER)]},
    ]
    second = [point("n", COUNT), point("last", NUMBER), point("later", NUMBER)]
    subs = [("d-1", first), ("d-2", second)]
    return {
        "problem_id": "d",
        "header": "A solution is diluted.",
        "subquestions": [
            {"sub_id": sub_id, "text_open": sub_id, "full_mark": len(rubric), "rubric": rubric}
            for sub_id, rubric in subs
        ],
    }


def written(folder, follow: dict[str, Any], **fields: Any):
    """The chain with ``follow`` at its last point."""
    problem = chain()
    problem["subquestions"][1]["rubric"][1].update(follow=follow, **fields)
    task = folder / "tasks" / "d"
    task.mkdir(parents=True)
    (task / "problem.json").write_text(json.dumps(problem))
    return folder


GOOD = {"from": {"c": "c"}, "expression": "c / 10"}
HERE = "/subquestions/1/rubric/1/follow"


@pytest.mark.parametrize(
    "follow",
    [
        GOOD,
        {"from": {"c": "d-1/c", "n": "d-2/n"}, "expression": "c * n"},
        {"from": {"x": "x"}, "expression": "x"},
    ],
)
def test_earlier_values_are_named_by_id_or_by_subquestion_and_id(tmp_path, follow):
    assert list(load_set(written(tmp_path, follow)).problems) == ["d"]
    assert check_set(tmp_path).errors == ()


FAULTS: list[tuple[str, dict[str, Any], str, str]] = [
    ("no source", {"from": {}, "expression": "1"}, "/from", "is empty"),
    ("no from", {"expression": "1"}, "", "the field 'from' is missing"),
    ("unknown field", {**GOOD, "unit": "M"}, "/unit", "unknown field 'unit'"),
    ("an old-style expression", "c / 10", "", "has the wrong type"),  # type: ignore[list-item]
    ("neither", {"from": {"c": "c"}}, "", "either 'expression' or 'reaction'; got neither"),
    ("both", {**GOOD, "reaction": "[C:1]>>[C:1]"}, "", "got both"),
    ("unknown point", {**GOOD, "from": {"c": "d"}}, "/from/c", "names no point of this problem; got 'd'"),
    ("a group", {**GOOD, "from": {"c": "either"}}, "/from/c", "names no point"),
    ("two points of that id", {"from": {"n": "n"}, "expression": "n"}, "/from/n", "d-1/n, d-2/n"),
    ("itself", {**GOOD, "from": {"c": "last"}}, "/from/c", "doesn't come before"),
    ("a later point", {**GOOD, "from": {"c": "later"}}, "/from/c", "doesn't come before"),
    ("a flexible point", {**GOOD, "from": {"c": "why"}}, "/from/c", "flexible"),
    ("a draft", {**GOOD, "from": {"c": "proposed"}}, "/from/c", "draft"),
    ("a structure in an expression", {**GOOD, "from": {"c": "A"}}, "/from/c", "integer or quantity"),
    ("an unknown variable", {**GOOD, "expression": "c / V"}, "/expression", "got 'V'; expected c"),
    ("an unused value", {**GOOD, "from": {"c": "c", "n": "d-1/n"}}, "/from/n", "doesn't use it"),
    ("a broken expression", {**GOOD, "expression": "c /"}, "/expression", "can't be read: it breaks off"),
    ("a function as a name", {"from": {"ln": "c"}, "expression": "1"}, "/from/ln", "can't name a value"),
    ("a label as a name", {"from": {"[Cl-]": "c"}, "expression": "1"}, "/from/[Cl-]", "can't name a value"),
    ("a number by a reaction", {"from": {"A": "A"}, "reaction": "[C:1]>>[C:1]"}, "", "got quantity"),
]


@pytest.mark.parametrize(
    ("follow", "where", "said"), [fault[1:] for fault in FAULTS], ids=[f[0] for f in FAULTS]
)
def test_each_fault_is_named_with_its_place(tmp_path, follow, where, said):
    folder = written(tmp_path, follow)
    with pytest.raises(ProblemError) as caught:
        load_set(folder)
    assert (HERE + where.replace("~", "~0")) in {fault.pointer for fault in caught.value.faults}
    assert said in str(caught.value)
    assert all(str(fault.file).endswith("problem.json") for fault in caught.value.faults)
    assert {str(fault) for fault in caught.value.faults} <= {str(fault) for fault in check_set(folder).errors}


def test_a_flexible_point_can_not_follow(tmp_path):
    folder = written(tmp_path, GOOD)
    path = folder / "tasks/d/problem.json"
    problem = json.loads(path.read_text())
    del problem["subquestions"][1]["rubric"][1]["check"]
    path.write_text(json.dumps(problem))
    with pytest.raises(ProblemError, match="a flexible point can't follow"):
        load_set(folder)


def test_alternatives_of_one_point_do_not_follow_from_each_other(tmp_path):
    problem = chain()
    group = problem["subquestions"][0]["rubric"][5]
    group["of"][1]["follow"] = {"from": {"x": "x"}, "expression": "x"}
    task = tmp_path / "tasks" / "d"
    task.mkdir(parents=True)
    (task / "problem.json").write_text(json.dumps(problem))
    with pytest.raises(ProblemError, match="an alternative of this point"):
        load_set(tmp_path)


def test_a_problem_in_toml_says_the_line(tmp_path):
    source = tmp_path / "problem.toml"
    source.write_text(
        "problem_id = 'd'\nheader = 'h'\n[[subquestions]]\nsub_id = 'd-1'\ntext_open = 't'\nfull_mark = 1\n"
        "[[subquestions.rubric]]\nid = 'c'\npoints = 1\ntext = 'c'\n"
        "check = { kind = 'integer', expected = 1 }\n"
        "follow = { from = { k = 'none' }, expression = 'k' }\n"
    )
    with pytest.raises(ProblemError, match=r"problem.toml:12 .*names no point"):
        compile_source(source)


def test_what_is_written_is_what_is_read_back():
    problem = Problem.model_validate(chain())
    node = problem.subquestions[1].rubric[1]  # type: ignore[index]
    assert isinstance(node, Point)
    followed = node.model_copy(update={"follow": Follow.model_validate(GOOD)})
    assert followed.model_dump(mode="json", exclude_defaults=True)["follow"] == GOOD
