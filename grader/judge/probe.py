"""One request to a judge's endpoint, and what the endpoint really does with it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from grader.judge.card import OutputMode
from grader.judge.cards import LoadedCard
from grader.judge.prompt import judge_request
from grader.judge.reading import Reading, read
from grader.judge.sample import TASK
from grader.judge.shape import judge_schema
from grader.model.client import Client
from grader.model.line import Terms
from grader.model.reply import Attempt, CallFailed, Reply
from grader.model.request import ModelRequest

Shape = Literal["as_asked", "json_only", "not_as_asked"]
"""Of a reply: the shape that was asked for; JSON of another shape; neither."""

_NEXT: Mapping[OutputMode, OutputMode] = {
    "json_schema": "tool",
    "tool": "json_object",
    "json_object": "prompt",
    "prompt": "prompt",
}
"""What to try where an endpoint doesn't do as asked."""


@dataclass
class MemoryJournal:
    """A journal that keeps attempts as long as the program runs."""

    kept: list[tuple[ModelRequest, Attempt]] = field(default_factory=list)

    async def known(self, request: ModelRequest) -> Reply | None:
        """The last reply to the same request."""
        replies = [attempt for of, attempt in self.kept if of.key == request.key and attempt.raw is not None]
        return Reply(request.key, replies[-1], archived=True) if replies else None

    async def reserve(self, request: ModelRequest, started: datetime, most: float) -> None:
        """No limit outlives the program."""

    async def keep(self, request: ModelRequest, attempt: Attempt) -> None:
        """Keep an attempt."""
        self.kept.append((request, attempt))


@dataclass(frozen=True)
class Probe:
    """What an endpoint did with one request."""

    card: LoadedCard
    request: ModelRequest
    attempt: Attempt

    @property
    def reading(self) -> Reading | None:
        """The reply, read as a grading would; None where there is none."""
        return read(self.attempt.raw, TASK.criteria, TASK.answer) if self.attempt.raw is not None else None

    @property
    def usable(self) -> bool:
        """Whether a grading could take every verdict from the reply."""
        return self.reading is not None and not self.reading.trouble

    @property
    def shape(self) -> Shape | None:
        """Whether the reply came in the shape that was asked for; None where there is no reply."""
        return _shape(self.card.card.output, self.attempt.raw) if self.attempt.raw is not None else None

    @property
    def advice(self) -> list[str]:
        """What to change in the card, or around it."""
        failure = self.attempt.failure
        return list(_after_failure(self) if failure is not None else _after_reply(self))

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        attempt, reading = self.attempt, self.reading
        return {
            "card": self.card.label,
            "model": self.card.card.model,
            "api_base": self.card.card.api_base,
            "output": self.card.card.output,
            "failure": attempt.failure,
            "error": attempt.error,
            "status": attempt.status,
            "served_model": attempt.served_model,
            "shape": self.shape,
            "usable": self.usable,
            "trouble": reading.trouble or None if reading else None,
            "verdicts": {point: asdict(said) for point, said in reading.said.items()} if reading else {},
            "finish_reason": attempt.finish_reason,
            "usage": asdict(attempt.usage),
            "cost": attempt.cost,
            "cost_source": attempt.cost_source,
            "latency": attempt.latency,
            "advice": self.advice,
            "reply": attempt.raw,
        }


async def probe(card: LoadedCard, terms: Terms) -> Probe:
    """Ask a card's endpoint once about a tiny task, and tell what it did; a panel's members are asked alone.

    Raises SetupError, before anything is sent, where a key or the client is missing.
    """
    once = replace(terms, limits=replace(terms.limits, attempts=1))
    journal = MemoryJournal()
    request = judge_request(card, TASK, 0)
    async with Client({card.endpoint: once}, journal) as client:
        with suppress(CallFailed):  # the attempt says why
            await client.ask(request)
    ((_, attempt),) = journal.kept
    return Probe(card, request, attempt)


# Shape


def _shape(mode: OutputMode, raw: Mapping[str, Any]) -> Shape:
    from jsonschema import Draft202012Validator

    texts = _arguments(raw) if mode == "tool" else _content(raw)
    values = [value for text in texts for value in _json(text)]
    if not values:
        return "not_as_asked"
    schema = judge_schema([(criterion.id, criterion.partial) for criterion in TASK.criteria])
    return "as_asked" if Draft202012Validator(schema).is_valid(values[0]) else "json_only"


def _message(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = raw.get("choices") or [{}]
    message: Mapping[str, Any] = choices[0].get("message") or {}
    return message


def _arguments(raw: Mapping[str, Any]) -> list[str]:
    calls = _message(raw).get("tool_calls") or []
    return [str((call.get("function") or {}).get("arguments")) for call in calls]


def _content(raw: Mapping[str, Any]) -> list[str]:
    content = _message(raw).get("content")
    return [content] if isinstance(content, str) else []


def _json(text: str) -> Iterator[Any]:
    try:
        yield json.loads(text)
    except ValueError:
        return


# Advice


def _after_failure(probe: Probe) -> Iterator[str]:
    card, error = probe.card.card, (probe.attempt.error or "").lower()
    match probe.attempt.failure:
        case "auth":
            yield f"check the key in {card.key_env or 'the variable of the provider'}"
        case "rate_limit":
            yield "ask more slowly: [limits] concurrency, requests_per_minute, tokens_per_minute"
        case "timeout":
            yield f"wait longer than {card.limits.timeout:g} s: [limits] timeout"
        case "connection":
            yield f"nothing replies at {card.api_base or 'the provider'}: check api_base and the network"
        case "bad_request":
            yield from _after_refusal(probe, error)
        case _:
            yield "the endpoint itself failed: try again later"


def _after_refusal(probe: Probe, error: str) -> Iterator[str]:
    sent = [name for name in probe.request.parameters if name != "max_tokens" and name in error]
    yield from (f"remove {name} from [parameters]: the endpoint refuses it" for name in sent)
    mode = probe.card.card.output
    if any(word in error for word in ("response_format", "schema", "tool")) and mode != "prompt":
        yield f"set output = '{_NEXT[mode]}': the endpoint refuses '{mode}'"
    elif not sent:
        yield "read the error: the endpoint refuses the request as it is"


def _after_reply(probe: Probe) -> Iterator[str]:
    card, attempt, usage = probe.card.card, probe.attempt, probe.attempt.usage
    reading = probe.reading
    assert reading is not None
    if attempt.finish_reason == "length":
        yield f"raise max_tokens above {card.parameters.max_tokens}: the reply was cut off"
    elif (usage.reasoning or 0) > card.parameters.max_tokens // 2:
        yield f"raise max_tokens: reasoning took {usage.reasoning} of {card.parameters.max_tokens}"
    elif reading.trouble and not reading.words:
        yield "use another model or template: this one refuses, or says nothing"
    elif probe.shape != "as_asked" and card.output != "prompt":
        yield f"set output = '{_NEXT[card.output]}': the endpoint doesn't keep to '{card.output}'"
    elif not probe.usable:
        yield "use another model: this one can't say verdicts that can be read"
    if usage.prompt is None:
        yield "the endpoint counts no tokens: --max-cost will count each call at the most it can cost"
    elif attempt.cost is None:
        yield "the price is unknown: add [price], or give --price IN,OUT"
    served, bare = attempt.served_model or "", str(card.model).rpartition("/")[2]
    if served != bare and served.startswith(bare):
        yield f"name the model {served}: {bare} may be served by another one tomorrow"
