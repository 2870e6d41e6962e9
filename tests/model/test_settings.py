"""What is wrong with settings is said in plain words, whatever the field refuses."""

from __future__ import annotations

import pytest

from grader.errors import UsageError
from grader.model.settings import settings
from grader.protocol.solver import SolverSpec

MODEL = {"model": "openai/m"}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": ""}, "name: is empty; expected a text"),
        ({"name": 3}, "name: has the wrong type; got 3; expected a string"),
        ({"name": "\udcff"}, "name: has the wrong type; got '\\udcff'; expected a string of UTF-8"),
        ({"limits": {"concurrency": 0}}, "limits.concurrency: is out of bounds; got 0; expected at least 1"),
        ({"limits": {"attempts": 21}}, "limits.attempts: is out of bounds; got 21; expected at most 20"),
        ({"limits": {"timeout": 0}}, "limits.timeout: is out of bounds; got 0; expected more than 0"),
        ({"limits": 8}, "limits: has the wrong type; got 8; expected a table"),
        ({"vision": "yes"}, "vision: has the wrong type; got 'yes'; expected true or false"),
        (
            {"parameters": {"seed": 1.5}},
            "parameters.seed: has the wrong type; got 1.5; expected a whole number",
        ),
        ({"parameters": {"top_p": "a"}}, "parameters.top_p: has the wrong type; got 'a'; expected a number"),
        ({"price": {"input": 1.0}}, "price.output: the field is missing. Add it."),
        ({"cmd": "cat"}, "exactly one of model, cmd and human says who is asked"),
    ],
)
def test_a_refused_field_is_named_as_in_a_file_and_in_no_words_of_a_library(wrong, said):
    with pytest.raises(UsageError) as raised:
        settings({**MODEL, **wrong}, SolverSpec)
    assert str(raised.value) == said
