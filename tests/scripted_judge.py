"""A judge that answers as the test says: what a model server replies to a judge's request."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Body = dict[str, Any]

Decide = Callable[[str, Body], str | Mapping[str, Any]]
"""The verdict on a point id, as a word or with fields of its own."""


def judge_reply(body: Body, decide: Decide) -> str:
    """The reply of a judge that answers every point it was asked about."""
    verdicts = [verdict(point, decide(point, body)) for point in asked_points(body)]
    return json.dumps({"verdicts": verdicts}, ensure_ascii=False)


def all_met(body: Body) -> str:
    """The reply of a judge that finds everything met."""
    return judge_reply(body, lambda point, body: "met")


def verdict(point: str, decided: str | Mapping[str, Any]) -> Body:
    """What a judge says of a point."""
    said: Body = {
        "point_id": point,
        "rationale": "as the test says",
        "evidence": "",
        "verdict": "met",
        "points": None,
        "confidence": 0.9,
    }
    return said | ({"verdict": decided} if isinstance(decided, str) else dict(decided))


def asked_points(body: Body) -> list[str]:
    """The ids a judge is asked about: those its schema allows, else those of the example it is shown last."""
    shape: Any = [body.get("response_format"), body.get("tools")]
    found = list(_ids(shape))
    if not found:
        documents = list(_documents(_text(body["messages"][-1])))
        found = next(filter(None, (list(_ids(document)) for document in reversed(documents))), [])
    return list(dict.fromkeys(found))


def _ids(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for member in schema:
            yield from _ids(member)
    if not isinstance(schema, dict):
        return
    point = schema.get("point_id")
    if isinstance(point, str):
        yield point
    if isinstance(point, dict):
        yield from point.get("enum", [])
    for member in schema.values():
        yield from _ids(member)


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def _documents(text: str) -> Iterator[Any]:
    """Every JSON object that stands in a text."""
    decoder, place = json.JSONDecoder(), text.find("{")
    while place >= 0:
        try:
            document, end = decoder.raw_decode(text, place)
            yield document
        except ValueError:
            end = place + 1
        place = text.find("{", end)
