"""Facts of a subquestion: which points have them, who signs them, and how points bear on each other."""

from __future__ import annotations

from typing import Any

import pytest

from grader.answer.answer import Answer
from grader.formal import registry
from grader.grade.facts import FactTask, expectations, fact_engine, fact_tasks, formal_fact
from grader.grade.plan import PlannedSubquestion, plan
from grader.problem.model import Problem
from grader.record import Finding


def planned(*rubric: Any, full_mark: float = 4) -> PlannedSubquestion:
    """A subquestion with a rubric."""
    sub = {"sub_id": "p-1", "text_open": "?", "full_mark": full_mark, "rubric": list(rubric)}
    problem = Problem.model_validate({"problem_id": "p", "header": "", "subquestions": [sub]})
    return plan({"p": problem}, "set").subquestions["p"][0]


def found(sub: PlannedSubquestion, answer: str) -> dict[str, Finding]:
    """What code finds of all points in an answer."""
    quoting = fact_tasks(sub)
    facts = {
        one.node.id: FactTask(one.node.text, Answer(answer, one.others)).decide()
        for one in sub.points
        if one.node.id in quoting
    }
    formal = {
        one.node.id: registry.decide(one.check, Answer(answer, one.others))
        for one in sub.formal
        if one.check is not None
    }
    return {**facts, **formal}


def test_only_flexible_points_that_quote_values_have_facts():
    sub = planned(
        "A: 'CCO' (2 points)",
        "The alcohol is oxidised further (1 point)",
        "Deduct 1 point if 'CCN' is given",
        {"id": "n", "points": 1, "text": "n = 2", "check": {"kind": "integer", "expected": 2}},
    )
    assert {name: [one.kind for one in checks] for name, checks in fact_tasks(sub).items()} == {
        "p-1#1": ["smiles"]
    }


def test_a_draft_has_facts_from_its_text_alone():
    draft = {"id": "d", "points": 4, "text": "'CCO'", "draft": True}
    sub = planned({**draft, "check": {"kind": "smiles", "expected": "CCN"}})
    (check,) = fact_tasks(sub)["d"]
    assert check.expected == "CCO"  # type: ignore[attr-defined]


def test_the_engine_changes_with_every_kind_and_library_it_rests_on():
    engine = fact_engine()
    assert engine.fact
    assert engine.versions["rdkit"] == registry.libraries("smiles")["rdkit"]
    assert set(registry.IMPLEMENTED) < set(engine.versions)


def test_a_value_that_is_right_for_one_point_does_not_make_another_wrong():
    sub = planned("'OCC(O)CO' (2 points)", "'OCC(=O)CO' (2 points)")
    assert expectations(found(sub, "`OCC(O)CO`")) == {"p-1#1": 1, "p-1#2": None}
    assert expectations(found(sub, "`OCCO`")) == {"p-1#1": 0, "p-1#2": 0}


def test_nor_does_the_value_of_a_formal_point():
    formal = {"id": "a", "points": 2, "text": "A", "check": {"kind": "smiles", "expected": "OCC(O)CO"}}
    sub = planned(formal, {"id": "b", "points": 2, "text": "'OCC(=O)CO'"})
    assert expectations(found(sub, "`OCC(O)CO`")) == {"b": None}


@pytest.mark.parametrize(
    "further",
    [
        "A missing unit costs 0.5 points",
        "error carried forward from (a) is accepted",
        "Deduct 1 point for a wrong sign",
    ],
)
def test_nor_does_a_wrong_value_where_the_rubric_deals_with_flawed_answers_elsewhere(further):
    line = "ΔG = −12.3 kJ mol−1 (2 points)"
    for rubric, expected in (([line], 0), ([line, further], None)):
        sub = planned(*rubric, full_mark=2)
        assert expectations(found(sub, "ΔG = -14.1 kJ/mol"), sub)["p-1#1"] == expected
        assert expectations(found(sub, "ΔG = -12.3 kJ/mol"), sub)["p-1#1"] == 1


def test_values_in_what_no_line_accounts_for_settle_nothing():
    sub = planned("A: 'CCO' (1 point)", "B is 'CCN', which smells", full_mark=4)
    settled = expectations(found(sub, "A: `CCO`; B is `CCN`"))
    assert settled["p-1#1"] == 1
    assert {award for name, award in settled.items() if name.endswith(("#rest", "#whole"))} <= {None}


def test_a_formal_point_is_told_as_a_fact_about_the_answer():
    check = {"kind": "quantity", "expected": 0.19, "unit": "1/(M s)", "asked": ["k2"]}
    sub = planned({"id": "r2", "points": 4, "text": "Rate constant k2", "check": check})
    (point,) = sub.points
    said = {answer: formal_fact(point, found(sub, answer)["r2"]) for answer in ("k2 = 0.19", "k2 is small")}
    assert said == {
        "k2 = 0.19": 'On another point, "Rate constant k2": The value stated in the answer for k2, 0.19, '
        "has no unit, and the right one is 0.19 1/(M s).",
        "k2 is small": None,
    }
