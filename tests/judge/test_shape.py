"""The shape of a reply as endpoints take it: only what strict modes accept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from grader.judge.card import JudgeCard
from grader.judge.shape import judge_example, judge_output, judge_schema, locator_output, locator_schema
from grader.judge.task import Criterion

WHOLE = Criterion("a", 1, "whole")
PARTIAL = Criterion("b", 2, "part", partial=True)
STRICT = {"type", "properties", "required", "additionalProperties", "items", "enum", "minItems", "maxItems"}


def card(output):
    return JudgeCard(model="openai/x", output=output)


def verdict(point_id="a", **changed):
    said = {"point_id": point_id, "rationale": "r", "evidence": "e", "verdict": "met", "points": None}
    return {**said, "confidence": 0.5, **changed}


def subschemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    for part in (*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])):
        yield from subschemas(part)


@pytest.mark.parametrize("schema", [judge_schema([("a", False), ("b", True)]), locator_schema()])
def test_the_schema_keeps_to_what_strict_modes_accept(schema):
    Draft202012Validator.check_schema(schema)
    for part in subschemas(schema):
        assert set(part) <= STRICT
        if part["type"] == "object":
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False


def test_the_rationale_comes_before_the_verdict():
    item = judge_schema([("a", False)])["properties"]["verdicts"]["items"]
    assert list(item["properties"]) == [
        "point_id",
        "rationale",
        "evidence",
        "verdict",
        "points",
        "confidence",
    ]


@pytest.mark.parametrize(
    ("verdicts", "valid"),
    [
        ([verdict("a"), verdict("b", verdict="partial", points=0.5)], True),
        ([verdict("a"), verdict("b", verdict="cannot_assess")], True),
        ([verdict("a")], False),
        ([verdict("a"), verdict("c")], False),
        ([verdict("a"), verdict("b", verdict="maybe")], False),
        ([verdict("a"), {**verdict("b"), "extra": 1}], False),
    ],
)
def test_the_schema_takes_one_verdict_for_each_asked_point(verdicts, valid):
    schema = judge_schema([("a", False), ("b", True)])
    assert Draft202012Validator(schema).is_valid({"verdicts": verdicts}) is valid


def test_partial_is_offered_only_where_some_point_allows_it():
    assert "partial" not in str(judge_schema([("a", False)]))
    assert "partial" in str(judge_schema([("a", False), ("b", True)]))
    assert "partial" not in str(judge_example(card("prompt"), [WHOLE]))
    assert "partial" in str(judge_example(card("prompt"), [WHOLE, PARTIAL]))


def test_each_mode_asks_in_its_own_way():
    schema = judge_schema([("a", False)])
    asked = {
        mode: judge_output(card(mode), [WHOLE]) for mode in ("json_schema", "json_object", "tool", "prompt")
    }
    shape = {"name": "grade", "strict": True, "schema": schema}
    assert asked["json_schema"] == {"response_format": {"type": "json_schema", "json_schema": shape}}
    assert asked["json_object"] == {"response_format": {"type": "json_object"}}
    assert asked["tool"]["tools"][0]["function"]["parameters"] == schema
    assert asked["tool"]["tool_choice"] == {"type": "function", "function": {"name": "grade"}}
    assert asked["prompt"] == {}


def test_the_shape_is_told_in_words_exactly_where_no_schema_is_sent():
    told = {
        mode: judge_example(card(mode), [WHOLE]) for mode in ("json_schema", "json_object", "tool", "prompt")
    }
    assert [mode for mode, text in told.items() if text] == ["json_object", "prompt"]


def test_a_bound_on_texts_is_sent_only_where_the_card_asks_for_it():
    bounded = JudgeCard(model="openai/x", longest=160)
    texts = judge_output(bounded, [WHOLE])["response_format"]["json_schema"]["schema"]
    item = texts["properties"]["verdicts"]["items"]["properties"]
    assert (item["rationale"]["maxLength"], item["evidence"]["maxLength"]) == (160, 160)
    assert "maxLength" not in item["verdict"]
    assert "maxLength" in str(locator_output(bounded))
    assert "maxLength" not in str(locator_output(card("json_schema")))
