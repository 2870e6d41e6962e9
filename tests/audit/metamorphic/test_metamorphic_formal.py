"""Code under its own transforms, and the page that shows them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.answer.answer import Answer
from grader.archive.store import open_archive
from grader.audit.metamorphic import formal
from grader.audit.metamorphic.answers import FormalAnswer, graded_answers, made_answers
from grader.audit.metamorphic.formal import (
    code_invariance,
    code_sensitivity,
    formal_invariance,
    formal_sensitivity,
)
from grader.audit.metamorphic.pair import Pair
from grader.audit.metamorphic.reference import EXAMPLES, PAGE, made, main, reference
from grader.audit.metamorphic.registry import KINDS
from grader.audit.metamorphic.task import CodePair, perform_judged
from grader.audit.result import Audit, NotAudited
from grader.formal.structures.names import available
from grader.grade import GradeRequest, grade
from grader.problem.checks import QuantityCheck, SmilesCheck
from grader.problem.content import content_root
from grader.problem.set import load_set
from grader.stats.checked import read_checked
from tests.grade.small import line, point, write_lines, write_set

ANSWERS = (
    FormalAnswer(
        "p1", "p1/a/1", SmilesCheck(kind="smiles", expected="C[C@H](O)CN"), Answer("It is `C[C@H](O)CN`.")
    ),
    FormalAnswer(
        "p2", "p2/a/1", QuantityCheck(kind="quantity", expected=2.5, unit="kJ"), Answer("ΔH = 2.5 kJ")
    ),
    FormalAnswer("p2", "p2/a/2", QuantityCheck(kind="quantity", expected=2.5, unit="kJ"), Answer("No idea")),
)


@pytest.fixture
def in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs are made and decided in this process: a child takes seconds to start."""
    monkeypatch.setattr(
        formal, "judged_many", lambda tasks, *, workers: ((one, perform_judged(one)) for one in tasks)
    )


@pytest.mark.usefixtures("in_place")
def test_code_keeps_its_verdicts_and_takes_back_those_that_are_wrong() -> None:
    for audit in (code_invariance(ANSWERS, workers=1), code_sensitivity(ANSWERS, workers=1)):
        assert isinstance(audit, Audit)
        assert audit.judge == "formal"
        assert audit.cases == ()
        assert audit.says[0].startswith("0 of ")
        assert not any(one.flagged for one in audit.measures)
        assert any(note.startswith("Not applicable: ") for note in audit.notes)


def test_a_verdict_of_code_that_changed_is_a_fault_without_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(tasks, *, workers):
        for task in tasks:
            made = perform_judged(task)
            pairs = [one for one in made if isinstance(one, CodePair)]
            yield task, [replace(pairs[0], after=0.0), *pairs[1:]] if task.key is ANSWERS[0] else made

    monkeypatch.setattr(formal, "judged_many", broken)
    audit = code_invariance(ANSWERS, workers=1)
    assert isinstance(audit, Audit)
    assert audit.says[0].startswith("1 of ")
    assert len(audit.cases) == 1
    assert any(one.flagged for one in audit.measures)
    assert all(one.p is None for one in audit.measures)


@pytest.mark.usefixtures("in_place")
def test_no_answers_are_no_audit() -> None:
    assert isinstance(code_invariance([], workers=1), NotAudited)


HYDRATION = {
    "problem_id": "hydration",
    "header": "Propene.",
    "subquestions": [
        {
            "sub_id": "hydration-1",
            "text_open": "What does it give with water, and how much heat?",
            "full_mark": 3,
            "rubric": [
                point("product", 2, kind="smiles", expected="CC(C)O"),
                point("heat", 1, kind="quantity", expected=-51.2, unit="kJ/mol", asked=["ΔH"]),
            ],
        }
    ],
}


@pytest.mark.slow
@pytest.mark.usefixtures("in_place")
def test_code_is_audited_on_the_answers_of_an_archive(tmp_path: Path) -> None:
    right, wrong = "It gives `CC(C)O`, ΔH = −51.2 kJ/mol.", "It gives `CCCO`, ΔH = −12.0 kJ/mol."
    lines = [line("hydration-1", text, f"m{at}") for at, text in enumerate((right, wrong, right))]
    run = write_lines(tmp_path / "run.jsonl", lines)
    with open_archive(f"sqlite:///{tmp_path / 'a.db'}") as archive:
        grade(GradeRequest(run, load_set(write_set(tmp_path, HYDRATION)), workers=1), archive)
        checked = read_checked(archive)
        answers = list(graded_answers(checked.source))
        # a text of a point counts once, whoever wrote it
        assert [(one.answer.text, one.points) for one in answers] == [
            (text, worth) for text in (right, wrong) for worth in (2.0, 1.0)
        ]
        for audit in (formal_invariance(checked), formal_sensitivity(checked, "formal", level=0.9, seed=5)):
            assert isinstance(audit, Audit)
            assert audit.cases == ()
            assert audit.indicative


@pytest.mark.slow
def test_code_obeys_the_law_on_every_check_of_the_demo_set() -> None:
    problems = load_set(Path(content_root()) / "problems" / "demo", decode=False)
    answers = list(made_answers(problems))
    assert len(answers) > 100
    for audit in (code_invariance(answers), code_sensitivity(answers)):
        assert isinstance(audit, Audit)
        assert audit.cases == ()
        assert max(one.n for one in audit.measures) > 300


def test_every_kind_has_an_example_and_the_page_shows_them() -> None:
    assert set(EXAMPLES) == set(KINDS)
    if not available():
        pytest.skip("Java is not installed")
    assert all(isinstance(made(kind), Pair) for kind in KINDS.values())
    assert (content_root() / PAGE).read_text("utf-8") == reference()
    assert main(["--check"]) == 0
