"""Lints point at what deserves a look, and never refuse a set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grader.problem.set import check_set, load_set
from tests.problem.valid_set import ValidSet, png

Change = Callable[[ValidSet], Any]


def _described(text: str) -> Change:
    return lambda valid: valid.first["header_images"][0].update(description=text)


def _figure(valid: ValidSet, description: str) -> None:
    valid.images["own.png"] = png(shade=3)
    valid.sub(1)["text_images"] = [{"file": "own.png", "description": description}]


def _smiles(valid: ValidSet) -> ValidSet:
    valid.node(0, 1)["check"] = {"kind": "smiles", "expected": "CC(=O)[O-]"}
    return valid


CASES: list[tuple[str, Change, str, str]] = [
    ("no description", _described(" "), "/header_images/0", "no description"),
    ("expected number in a description", _described("A curve with its midpoint at 4.76."),
     "/header_images/0/description", "read an answer to acid-1-1"),
    ("standard result in a description", _described("the pKa is 4.76, read at half equivalence, as drawn"),
     "/header_images/0/description", "'the pKa is 4.76"),
    ("answer of a later subquestion",
     lambda v: _described("Na+ and CC(=O)[O-] in water")(_smiles(v)), "/header_images/0/description",
     "read an answer to acid-1-2"),
    ("structure in the question", lambda v: _smiles(v).sub(1).update(text_open="Is it CC(=O)[O-]?"),
     "/subquestions/1/text_open", "CC(=O)[O-]"),
    ("one subquestion without rubric", lambda v: v.sub(1).pop("rubric"), "/subquestions/1", "has no rubric"),
    ("a fifth of a mark", lambda v: v.node(3).update(points=-0.2), "/subquestions/0/rubric/3/points",
     "neither a whole nor a half mark"),
    ("private image shown to models", lambda v: v.images.update({"solution.png": v.images["curve.png"]}),
     "/subquestions/0/rubric_images/0", "also shown to models"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "pointer", "piece"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_lint_names_its_place(valid: ValidSet, change: Change, pointer: str, piece: str) -> None:
    change(valid)
    path = valid.write()
    report = check_set(path)
    assert report.errors == ()
    assert {lint.pointer for lint in report.lints} == {pointer}
    assert any(piece in str(lint) for lint in report.lints)
    assert load_set(path)


QUIET: list[tuple[str, Change]] = [
    ("part of a longer number", _described("A curve through 4.761 and 14.76.")),
    ("a short answer", _described("Curves A and B.")),
    ("an answer given earlier", lambda v: _figure(v, "the pKa is 4.76, read at half equivalence")),
    ("options that a question lists", lambda v: (
        v.node(0, 1).update(check={"kind": "label", "expected": "acetate ion"}),
        v.sub(1).update(text_open="Acetic acid or acetate ion?"),
    )),
    ("part of a longer formula", lambda v: _described("Shown: CCC(=O)[O-]")(_smiles(v))),
]  # fmt: skip


@pytest.mark.parametrize("change", [c[1] for c in QUIET], ids=[c[0] for c in QUIET])
def test_no_lint_without_cause(valid: ValidSet, change: Change) -> None:
    change(valid)
    assert check_set(valid.write()).lints == ()


def test_a_question_asked_twice_is_named(valid: ValidSet) -> None:
    valid.problems[1] = {**valid.problems[1], "subquestions": list(valid.problems[1]["subquestions"])}
    again = {**valid.problems[1]["subquestions"][0], "sub_id": "base-1-2"}
    valid.problems[1]["subquestions"].append(again)
    (lint,) = check_set(valid.write()).lints
    assert (lint.file, lint.pointer) == (str(valid.file(1)), "/subquestions/1/text_open")
    assert "base-1-1" in lint.what


def test_a_quoted_answer_of_a_native_line_counts(valid: ValidSet) -> None:
    valid.sub(1)["rubric"] = ["'CC(=O)[O-]' (2 points)"]
    _described("Beside it stands CC(=O)[O-].")(valid)
    assert [lint.got for lint in check_set(valid.write()).lints] == ["'CC(=O)[O-]'"]
