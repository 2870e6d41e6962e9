"""Judges that answer from a script, in the process: what they say is a function of what they are asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.judge.cards import LoadedCard, load_card
from grader.model.reply import Attempt, CallFailed, NotAsked, Reply
from grader.model.request import Endpoint, ModelRequest

REFUSED = {"choices": [{"message": {"content": None, "refusal": "I won't."}, "finish_reason": "stop"}]}
UNSENT = NotAsked(ModelRequest(Endpoint("nobody"), ()), "batch")
"""Said in place of a reply; raised with the request that wasn't sent."""
EMPTY = {"choices": [{"message": {"content": ""}, "finish_reason": "stop"}]}
WHEN = datetime(2026, 12, 2, tzinfo=UTC)


@dataclass(frozen=True)
class Asked:
    """A request, as a script looks at it."""

    judge: str
    vote: int
    points: tuple[str, ...]
    repair: bool
    text: str
    """All of its messages."""


Said = str | Mapping[str, Any] | CallFailed | NotAsked
Script = Callable[[Asked], Said]


@dataclass
class Scripted:
    """An asker that plays a script and remembers what it was asked."""

    script: Script
    requests: list[ModelRequest] = field(default_factory=list)

    async def ask(self, request: ModelRequest) -> Reply:
        self.requests.append(request)
        said = self.script(asked(request))
        if isinstance(said, NotAsked):
            raise NotAsked(request, said.why)
        if isinstance(said, CallFailed):
            raise said
        raw = body(said) if isinstance(said, str) else said
        finish = raw["choices"][0]["finish_reason"]
        return Reply(request.key, Attempt(WHEN, 0.0, raw=raw, finish_reason=finish))

    @property
    def asked(self) -> list[Asked]:
        return [asked(request) for request in self.requests]

    @property
    def keys(self) -> list[str]:
        return [request.key for request in self.requests]


def asked(request: ModelRequest) -> Asked:
    schema = request.output["response_format"]["json_schema"]["schema"]["properties"]
    points = schema["verdicts"]["items"]["properties"]["point_id"]["enum"] if "verdicts" in schema else ()
    text = "\n".join(str(message["content"]) for message in request.messages)
    repair = any(message["role"] == "assistant" for message in request.messages)
    return Asked(request.endpoint.model, request.vote, tuple(points), repair, text)


def body(text: str, finish: str = "stop") -> dict[str, Any]:
    """A reply in OpenAI's shape."""
    return {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": finish}]}


def verdict(
    point: str, said: str | float, quote: str = "", confidence: float | None = 0.9
) -> dict[str, object]:
    """One verdict of a reply: a word, or the marks of a partial one."""
    word, points = ("partial", said) if isinstance(said, float) else (said, None)
    return {
        "point_id": point,
        "rationale": f"on {point}",
        "evidence": quote,
        "verdict": word,
        "points": points,
        "confidence": confidence,
    }


def says(*verdicts: Mapping[str, object]) -> str:
    """A whole reply."""
    return json.dumps({"verdicts": verdicts}, ensure_ascii=False)


def card(folder: Path, name: str = "one", **settings: object) -> LoadedCard:
    """A card named ``name`` whose model is called the same."""
    return load_card(str(written(folder, name, model=f"openai/{name}", **settings)))


def panel(folder: Path, *names: str, **votes: int) -> LoadedCard:
    """A panel of cards with these names; ``votes`` where one votes more often than once."""
    for name in names:
        written(folder, name, model=f"openai/{name}", votes=votes.get(name, 1))
    return load_card(str(written(folder, "panel", panel=list(names))))


def written(folder: Path, name: str, **settings: object) -> Path:
    path = folder / f"{name}.toml"
    path.write_text("".join(f"{key} = {_toml(value)}\n" for key, value in settings.items()))
    return path


def _toml(value: object) -> str:
    """JSON's strings, numbers, booleans and lists are TOML's, its objects aren't."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {_toml(one)}' for key, one in value.items())}}}"
    return json.dumps(value)
