"""The scaffolds of a set, as their author asks for them."""

from __future__ import annotations

import json

import pytest

from tests.grade.small import write_set

PROBLEM = {
    "problem_id": "salt",
    "header": "A salt.",
    "subquestions": [
        {
            "sub_id": f"salt-{number}",
            "text_open": "Why?",
            "full_mark": 2,
            "rubric": [{"id": "r", "points": 2, "text": f"The student states that {what} (2 points)"}],
        }
        for number, what in enumerate(
            ("it melts at 801.2 degrees", "801.2 is its melting point", "so"), start=1
        )
    ],
}


def test_a_table_shows_each_result_and_what_to_look_at(argus, tmp_path):
    write_set(tmp_path / "set", PROBLEM)
    done = argus("problems", "scaffolds", "set")
    assert (done.code, done.err) == (0, "")
    assert all(words in done.out for words in ("[derived] it", "to salt-2", "may reveal:"))
    assert "student" not in done.out
    assert "2 scaffolds: 0 given, 2 derived, 0 missing; may reveal 1" in done.out


def test_json_has_every_key(argus, tmp_path):
    write_set(tmp_path / "set", PROBLEM)
    done = argus("problems", "scaffolds", "set", "--scope", "all", "--json")
    report = json.loads(done.out)
    assert done.code == 0
    assert {"schema_version", "path", "scope", "scaffolds", "already_said"} == report.keys()
    assert report["scope"] == "all"
    first = report["scaffolds"][0]
    assert (first["sub_id"], first["derived"], first["granted_to"]) == ("salt-1", True, ["salt-2", "salt-3"])
    assert first["lints"][1] == {
        "code": "may_reveal",
        "message": "shares words with r of salt-2",
        "sub_id": "salt-2",
        "point_id": "r",
        "found": "801.2",
    }


def test_a_set_of_single_questions_has_none(argus, tmp_path):
    write_set(tmp_path / "set", PROBLEM | {"subquestions": PROBLEM["subquestions"][:1]})
    done = argus("problems", "scaffolds", "set")
    assert done.code == 0
    assert "0 scaffolds" in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["set", "--scope", "next"], "previous or all"),
        (["nowhere"], "nowhere"),
        (["set/tasks/salt/problem.txt"], "problem.txt"),
    ],
)
def test_a_mistake_is_said_and_exits_2(argus, tmp_path, words, message):
    write_set(tmp_path / "set", PROBLEM)
    done = argus("problems", "scaffolds", *words)
    assert done.code == 2
    assert message in done.err


def test_a_broken_set_is_refused_with_its_faults(argus, tmp_path):
    write_set(tmp_path / "set", PROBLEM | {"colour": "red"})
    done = argus("problems", "scaffolds", "set")
    assert done.code == 2
    assert "/colour" in done.err
