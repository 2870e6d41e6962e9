"""A fault names its place as the file that holds it would."""

from __future__ import annotations

import pytest

from grader.errors import Fault


@pytest.mark.parametrize(
    ("file", "pointer", "said"),
    [
        ("solver.toml", "/limits/concurrency", "solver.toml:3 limits.concurrency: wrong"),
        ("sweep.toml", "/models/1/price/input", "sweep.toml:3 models[1].price.input: wrong"),
        ("a.toml", "/extra_body/a.b/c~1d", 'a.toml:3 extra_body."a.b"."c/d": wrong'),
        (None, "/limits/concurrency", "3 limits.concurrency: wrong"),
        ("problem.json", "/subquestions/0/rubric", "problem.json:3 /subquestions/0/rubric: wrong"),
    ],
)
def test_a_setting_is_named_by_its_dotted_key_and_other_data_by_a_pointer(file, pointer, said):
    fault = Fault("wrong", file, 3, pointer)
    assert str(fault) == said
    assert fault.as_json()["pointer"] == pointer
