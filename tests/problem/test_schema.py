"""The published schema is the models', and both accept the same documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from grader.problem.checks import KINDS
from grader.problem.model import Problem
from grader.problem.place import Place
from grader.problem.schema import SCHEMAS, drift, problem_schema, write_schemas
from grader.problem.structure import structure_faults
from tests.problem.test_any_document import CHANGES, Path_, changed
from tests.problem.valid_set import problem

SCHEMAS_FOLDER = Path(__file__).parents[2] / "schemas"
OFFICIAL = Draft202012Validator(problem_schema())


def test_the_published_schemas_are_those_of_the_models() -> None:
    assert drift(SCHEMAS_FOLDER) == [], "run python -m grader.problem.schema"


def test_drift_names_what_lags_behind(tmp_path: Path) -> None:
    assert drift(tmp_path) == list(SCHEMAS)
    write_schemas(tmp_path)
    assert drift(tmp_path) == []
    (tmp_path / "problem.schema.json").write_text("{}\n")
    assert drift(tmp_path) == ["problem.schema.json"]


def test_the_schema_is_closed_and_valid() -> None:
    schema = problem_schema()
    Draft202012Validator.check_schema(schema)
    objects = [schema, *schema["$defs"].values()]
    assert all(part["additionalProperties"] is False for part in objects)


def test_every_kind_of_check_has_a_definition() -> None:
    parts = problem_schema()["$defs"].values()
    kinds = {part["properties"]["kind"]["const"] for part in parts if "kind" in part["properties"]}
    assert kinds == set(KINDS)


def test_every_definition_says_what_it_is() -> None:
    for name, part in problem_schema()["$defs"].items():
        assert part.get("description"), name


@given(CHANGES)
def test_schema_models_and_messages_agree_on_what_is_allowed(change: tuple[Path_, Any, str]) -> None:
    raw = changed(problem(), *change)
    faults = structure_faults(raw, Place("problem.json"))
    assert OFFICIAL.is_valid(raw) == (not faults), faults
    assert _modelled(raw) == (not faults), faults


def _modelled(raw: Any) -> bool:
    try:
        Problem.model_validate(raw)
    except ValidationError as error:
        return all("blank" in found["msg"] for found in error.errors())
    return True


@pytest.mark.parametrize("value", [None, 3, [], "x", {"subquestions": {}}, {"subquestions": [None]}])
def test_no_value_breaks_the_messages(value: Any) -> None:
    assert structure_faults(value, Place("problem.json"))
