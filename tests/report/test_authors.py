"""What authors are told: of the runs on the set as it is, in its order, no number that isn't one."""

from __future__ import annotations

import json

import numpy as np
import pytest

from grader.archive.store import open_archive
from grader.errors import UsageError
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set
from grader.render.analyze import analysis_tables, beaten_table, floors_table
from grader.report.authors import analyze
from tests.grade.previewed import whole
from tests.grade.small import line, write_lines, write_set

THINGS = ("easy", "hard", "against", "nobody", "everybody", "unasked")
PROBLEM = {
    "problem_id": "things",
    "header": "Count them.",
    "subquestions": [
        {
            "sub_id": name,
            "text_open": f"How many {name}?",
            "full_mark": 1,
            "rubric": [whole(f"{name}-p", 1, 2, name)],
        }
        for name in THINGS
    ],
}
MODELS = 10


def right(name, model):
    """Models are better the greater their number; one item asks for the contrary."""
    return {"easy": model >= 3, "hard": model >= 6, "against": model < 5, "nobody": False, "everybody": True}[
        name
    ]


def lines():
    return [
        line(name, f"There are {2 if right(name, model) else 3} {name}.", f"m{model}")
        for model in range(MODELS)
        for name in THINGS[:-1]
    ]


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The set, and the archive with one run on it and one on another content of it."""
    place = tmp_path_factory.mktemp("authors")
    with open_archive(f"sqlite:///{place / 'argus.db'}") as archive:
        now = write_set(place / "now", PROBLEM)
        write_lines(now / "all.jsonl", lines())
        grade(GradeRequest(now / "all.jsonl", load_set(now), workers=1), archive)
        old = write_set(place / "old", json.loads(json.dumps(PROBLEM).replace("Count them", "Count")))
        write_lines(old / "earlier.jsonl", [line("easy", "There are 2 easy.", "old")])
        grade(GradeRequest(old / "earlier.jsonl", load_set(old), workers=1), archive)
        yield load_set(now), archive


@pytest.fixture(scope="module")
def found(graded):
    return json.loads(json.dumps(analyze(*graded).as_json(), allow_nan=False))


def test_runs_on_another_content_of_the_set_are_left_out_and_named(found):
    assert (found["runs"], found["outdated"]) == (["all"], ["earlier"])
    assert found["unanswered"] == [{"problem_id": "things", "sub_id": "unasked"}]


def test_items_come_in_the_order_of_the_set_with_their_difficulty_and_flags(found):
    listed = [(one["sub_id"], one["difficulty"], one["flags"]) for one in found["subquestions"]]
    assert listed == [
        ("easy", pytest.approx(0.7), []),
        ("hard", pytest.approx(0.4), []),
        ("against", pytest.approx(0.5), ["negative"]),
        ("nobody", 0.0, ["nobody"]),
        ("everybody", 1.0, ["everybody"]),
    ]
    assert [(one["point_id"], one["flags"]) for one in found["points"]] == [
        (f"{one['sub_id']}-p", one["flags"]) for one in found["subquestions"]
    ]
    assert {(one["respondents"], one["models"]) for one in found["subquestions"]} == {(10, 10)}


def test_discrimination_leaves_the_item_itself_out_of_the_total(found):
    table = np.array([[right(name, model) for name in THINGS[:-1]] for model in range(MODELS)], float)
    for place, one in enumerate(found["subquestions"][:3]):
        rest = np.delete(table, place, axis=1).mean(axis=1)
        assert one["discrimination"] == pytest.approx(np.corrcoef(table[:, place], rest)[0, 1])
    assert [one["discrimination"] for one in found["subquestions"][3:]] == [None, None]


def test_the_same_answer_every_time_is_held_against_the_set(found):
    (floor,) = found["floors"]
    assert (floor["kind"], floor["answer"], floor["share"], floor["checks"]) == ("integer", "2", 1.0, 6)
    assert (floor["enough"], floor["cells"]) == (False, [])


def test_tables_say_what_deserves_a_look_in_words(found):
    subquestions, points, floors = analysis_tables(found)
    assert [row[-1].text for row in subquestions.rows] == [
        "",
        "",
        "who does well elsewhere does worse here",
        "nobody earns any of it",
        "everybody earns all of it",
    ]
    assert [row[2].text for row in points.rows] == ["against-p", "nobody-p", "everybody-p"]
    assert [cell.text for cell in floors.rows[0]] == ["integer", "2", "6", "100.0", "too few checks"]
    assert "−" in subquestions.rows[2][5].text


def test_a_cell_that_isnt_above_the_constant_answer_is_told_so():
    cell = {"model": "m", "protocol": "p", "mode": "o", "value": -0.1, "low": -0.2, "high": 0.1}
    floor = {"kind": "choice", "answer": "B", "share": 0.4, "checks": 12, "enough": True}
    told = {"floors": [{**floor, "cells": [{**cell, "beats": False}]}]}
    assert floors_table(told).rows[0][-1].text == ""
    texts = [one.text for one in beaten_table(told).rows[0]]
    assert texts[-3:] == ["−10.0", "−20.0 to +10.0", "no evidence that it knows more"]


def test_a_set_that_nothing_was_graded_on_is_refused(graded, tmp_path):
    _, archive = graded
    other = load_set(write_set(tmp_path / "set"))
    with pytest.raises(UsageError, match="no run in the archive was graded on this set as it is"):
        analyze(other, archive)
    with pytest.raises(UsageError, match="no such run"):
        analyze(graded[0], archive, ["nope"])
