"""The shape of a judge's reply, as endpoints take it.

The schema keeps to what strict modes accept everywhere: every field required,
nullable in place of optional, no other fields, no bounds on numbers. What it
can't say (a partial verdict only for this point, a confidence up to 1) the
reader of the reply checks in any case: a schema is a request, not a promise.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from grader.judge.card import JudgeCard, OutputMode
from grader.judge.task import Criterion

VERDICTS = ("met", "not_met", "partial", "cannot_assess")
JUDGE_TOOL = "grade"
LOCATOR_TOOL = "locate"

_STRING: Mapping[str, Any] = {"type": "string"}


def judge_output(card: JudgeCard, criteria: Iterable[Criterion]) -> Mapping[str, Any]:
    """What the request says about the reply's shape: ``response_format``, a forced tool, or nothing."""
    points = tuple((criterion.id, criterion.partial) for criterion in criteria)
    return _judge_output(card.output, points, card.longest)


def locator_output(card: JudgeCard) -> Mapping[str, Any]:
    """The same for a locator's reply."""
    return _output(card.output, LOCATOR_TOOL, locator_schema(card.longest))


def judge_schema(points: Iterable[tuple[str, bool]], longest: int | None = None) -> dict[str, Any]:
    """The JSON Schema of a judge's reply about these points: their ids, and whether partial is allowed.

    The rationale stands before the verdict, so that the verdict follows from it.
    """
    points = list(points)
    partial = any(allowed for _, allowed in points)
    verdict = {
        "point_id": {"type": "string", "enum": [point_id for point_id, _ in points]},
        "rationale": _text(longest),
        "evidence": _text(longest),
        "verdict": {"type": "string", "enum": [word for word in VERDICTS if partial or word != "partial"]},
        "points": {"type": ["number", "null"]},
        "confidence": {"type": "number"},
    }
    verdicts = {
        "type": "array",
        "items": _closed(verdict),
        "minItems": len(points),
        "maxItems": len(points),
    }
    return _closed({"verdicts": verdicts})


def locator_schema(longest: int | None = None) -> dict[str, Any]:
    """The JSON Schema of a locator's reply."""
    quote = {**_text(longest), "type": ["string", "null"]}
    return _closed({"rationale": _text(longest), "quote": quote})


def judge_example(card: JudgeCard, criteria: Iterable[Criterion]) -> str | None:
    """The shape in words, for endpoints that take no schema; None where one is sent."""
    if card.output in ("json_schema", "tool"):
        return None
    return _judge_example(tuple((criterion.id, criterion.partial) for criterion in criteria))


def locator_example(card: JudgeCard) -> str | None:
    """The same for a locator."""
    if card.output in ("json_schema", "tool"):
        return None
    return json.dumps({"rationale": "why this passage", "quote": "the passage, verbatim, or null"})


@lru_cache(maxsize=1024)
def _judge_output(
    mode: OutputMode, points: tuple[tuple[str, bool], ...], longest: int | None
) -> Mapping[str, Any]:
    return _output(mode, JUDGE_TOOL, judge_schema(points, longest))


@lru_cache(maxsize=1024)
def _judge_example(points: tuple[tuple[str, bool], ...]) -> str:
    partial = any(allowed for _, allowed in points)
    words = " or ".join(word for word in VERDICTS if partial or word != "partial")
    verdicts = [
        {
            "point_id": point_id,
            "rationale": "one or two sentences",
            "evidence": "a verbatim quote, or empty",
            "verdict": words,
            "points": None,
            "confidence": 0.0,
        }
        for point_id, _ in points
    ]
    lines = ",\n".join(json.dumps(verdict, ensure_ascii=False) for verdict in verdicts)
    return f'{{"verdicts": [\n{lines}\n]}}'


def _output(mode: OutputMode, name: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if mode == "json_schema":
        shape = {"name": name, "strict": True, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": shape}}
    if mode == "json_object":
        return {"response_format": {"type": "json_object"}}
    if mode == "tool":
        function = {"name": name, "description": "Hand in the result.", "parameters": schema}
        return {
            "tools": [{"type": "function", "function": function}],
            "tool_choice": {"type": "function", "function": {"name": name}},
        }
    return {}


def _text(longest: int | None) -> dict[str, Any]:
    return dict(_STRING) if longest is None else {**_STRING, "maxLength": longest}


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
