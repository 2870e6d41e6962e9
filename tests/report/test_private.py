"""What is private is taken out of answers, and page names are safe."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from grader.problem.model import Problem
from grader.report.full.files import anchor, file_name
from grader.report.private import Withholder, private_texts

PROBLEM = Problem.model_validate(
    {
        "problem_id": "p",
        "header": "h",
        "subquestions": [
            {
                "sub_id": "p-1",
                "text_open": "q",
                "full_mark": 4,
                "standard_result": "the standard result",
                "rubric_images": [{"file": "x.png", "description": "a private picture"}],
                "rubric": [
                    "A native line (1 point)",
                    {"id": "g", "points": 3, "text": "a group", "rule": "sum", "of": [
                        {"id": "m", "points": 3, "text": "a member"}]},
                    {"id": "d", "points": -1, "text": "a deduction"},
                    {"id": "v", "veto": True, "text": "a veto"},
                    {"note": "a note to judges"},
                ],
            }
        ],
    }
)  # fmt: skip


def test_every_private_text_of_a_problem_is_known():
    assert private_texts(PROBLEM) == [
        "A native line (1 point)",
        "a group",
        "a member",
        "a deduction",
        "a veto",
        "a note to judges",
        "the standard result",
        "a private picture",
    ]


def test_an_answer_that_repeats_a_private_text_loses_it_however_it_breaks_lines():
    withhold = Withholder(private_texts(PROBLEM))
    assert withhold("So The standard\n  result holds.") == "So [withheld] holds."
    assert withhold("nothing private") == "nothing private"


def test_short_texts_are_left_in_answers():
    assert Withholder(["B"])("Answer: B") == "Answer: B"


@given(st.text(max_size=40), st.text(max_size=40))
def test_different_problems_have_different_files(one, two):
    assert (file_name(one) == file_name(two)) is (one == two)


@given(st.text(max_size=200))
def test_a_file_name_is_safe_everywhere(problem_id):
    name = file_name(problem_id)
    assert len(name) < 90
    assert set(name.removesuffix(".html")) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-")
    assert name == file_name(problem_id)


def test_plain_ids_are_kept():
    assert file_name("seed-kinetics-01") == "seed-kinetics-01.html"
    assert anchor("q-1", "demo-weak", 0) == "q-1-demo-weak-0"
