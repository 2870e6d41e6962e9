"""A request to a model, as content: whoever asks the same asks once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from grader.record import digest

Message = Mapping[str, Any]
"""A chat message in OpenAI's shape. An image's URL is ``image:<digest>`` until it is sent."""

IMAGE_SCHEME = "image:"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is asked."""

    model: str
    """As litellm names it: ``openai/gpt-4o``."""
    api_base: str | None = None
    """The URL of the API where it isn't the provider's own."""
    key_env: str | None = None
    """The environment variable that holds the key; the key itself stands nowhere."""

    @property
    def identity(self) -> tuple[str, str | None]:
        """What tells endpoints apart; the key doesn't."""
        return (self.model, self.api_base)


@dataclass(frozen=True)
class ModelRequest:
    """What a model is asked. Nothing in it names a run, a grading or a time."""

    endpoint: Endpoint
    messages: tuple[Message, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Sampling parameters and limits by OpenAI's names; ``max_tokens`` is always there."""
    output: Mapping[str, Any] = field(default_factory=dict)
    """How the reply is to be shaped: ``response_format``, or ``tools`` and ``tool_choice``, or nothing."""
    vote: int = 0
    """Asking a model several times for its opinion makes several requests."""
    conversation: str = ""
    """What the request is part of, where whoever is asked may remember the rest of it."""

    @cached_property
    def key(self) -> str:
        """The address of the request: SHA-256 of all of it, the key of the endpoint aside."""
        apart = (self.conversation,) if self.conversation else ()
        asked = (self.messages, self.parameters, self.output, self.vote)
        return digest([*self.endpoint.identity, *asked, *apart])

    def body(self) -> dict[str, Any]:
        """The request in OpenAI's shape, images by digest."""
        return {
            "model": self.endpoint.model,
            "messages": list(self.messages),
            **self.parameters,
            **self.output,
        }
