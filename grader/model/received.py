"""A reply's body, read as far as asking needs: tokens, price, served model, how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from grader.model.failure import one_line
from grader.model.prices import Prices
from grader.model.reply import Attempt, FailureKind, Usage
from grader.model.request import Endpoint
from grader.model.told import error_told


def replied(
    raw: Mapping[str, Any],
    endpoint: Endpoint,
    prices: Prices,
    started: datetime,
    latency: float,
    batch: bool = False,
) -> Attempt:
    """The attempt that brought this body; a failed one where it tells of an error or holds no reply, billed
    or not."""
    usage = usage_of(raw)
    cost, source = prices.cost(usage, endpoint, batch)
    if (error := error_told(raw) or _missing(raw)) is not None:
        kind, text = error
        return Attempt(
            started,
            latency,
            kind,
            one_line(text),
            200,
            usage=usage,
            cost=cost,
            cost_source=source,
            batch=batch,
        )
    return Attempt(
        started,
        latency,
        status=200,
        raw=raw,
        served_model=_text(raw.get("model")),
        finish_reason=_finish_reason(raw),
        usage=usage,
        cost=cost,
        cost_source=source,
        batch=batch,
    )


def _missing(raw: Mapping[str, Any]) -> tuple[FailureKind, str] | None:
    """An empty list of choices isn't an empty reply: nobody said anything."""
    return None if raw.get("choices") else ("unreadable_body", "the body holds no choice")


def usage_of(raw: Mapping[str, Any]) -> Usage:
    """The tokens a reply says it took; the client writes 0 where the provider said nothing."""
    usage = _mapping(raw.get("usage"))
    prompt = _count(usage.get("prompt_tokens"))
    if not prompt:
        return Usage()
    details = _mapping(usage.get("completion_tokens_details"))
    return Usage(prompt, _count(usage.get("completion_tokens")), _count(details.get("reasoning_tokens")))


def _finish_reason(raw: Mapping[str, Any]) -> str | None:
    choices = raw.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return _text(_mapping(first).get("finish_reason"))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
