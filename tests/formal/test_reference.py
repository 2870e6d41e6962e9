"""The reference of check kinds holds for what the code does."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from grader.answer.answer import Answer
from grader.formal import registry
from grader.problem.checks import KINDS, Check, CheckModel
from grader.problem.content import content_root
from grader.problem.reference import EXAMPLES, PAGE, reference
from grader.record import Status

CHECK: TypeAdapter[CheckModel] = TypeAdapter(Check)


@pytest.mark.parametrize("kind", KINDS)
def test_every_example_is_met(kind):
    check, answer = EXAMPLES[kind]
    found = registry.decide(CHECK.validate_python({"kind": kind, **check}), Answer(answer))
    assert found.status is Status.MET, found.detail


def test_the_page_says_what_the_models_say():
    assert (content_root() / PAGE).read_text("utf-8") == reference()
