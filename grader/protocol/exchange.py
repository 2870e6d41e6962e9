"""One turn of a run: the model is asked, uses its reader if it has one, and answers."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.model.reply import Asker, CallFailed, Reply
from grader.model.request import Endpoint, Message, ModelRequest
from grader.problem.visible import Figure
from grader.protocol.messages import DigestOf
from grader.protocol.reader import Reader, ReaderCall, read, tool
from grader.protocol.said import Said, said


@dataclass(frozen=True, slots=True)
class Asked:
    """Who is asked in a turn, and on what terms."""

    asker: Asker
    endpoint: Endpoint
    parameters: Mapping[str, Any]
    sample: int
    digest_of: DigestOf
    reader: Reader | None = None
    """In text_reader."""


@dataclass
class Exchange:
    """What a turn came to."""

    text: str = ""
    finish_reason: str | None = None
    error: str | None = None
    """The call failed; whatever else there is, is no answer."""
    reasoning: str | None = None
    files: tuple[str, ...] = ()
    carried: list[Message] = field(default_factory=list)
    """What the turns after it see of it, after its own message."""
    reader_calls: list[ReaderCall] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    """Of the model, in order; more than one where it used its reader."""
    seconds: float = 0.0

    @property
    def cost(self) -> float | None:
        """US dollars of the model's calls and its reader's; None where one of them is unknown."""
        replies = [*self.replies, *(call.reply for call in self.reader_calls if call.reply)]
        costs = [reply.attempt.cost for reply in replies]
        return sum(cost for cost in costs if cost is not None) if costs and None not in costs else None

    @property
    def usage(self) -> dict[str, int]:
        """Tokens of the model's own calls, as far as the provider counted them."""
        total: Counter[str] = Counter()
        for reply in self.replies:
            usage = reply.attempt.usage
            counts = {"prompt_tokens": usage.prompt, "completion_tokens": usage.completion}
            counts["reasoning_tokens"] = usage.reasoning
            total.update({name: count for name, count in counts.items() if count is not None})
        return dict(total)


async def exchange(conversation: Sequence[Message], figures: Sequence[Figure], asked: Asked) -> Exchange:
    """Ask for the answer to the last message of a conversation.

    ``figures`` are those shown so far, about which a reader may be asked. A
    failed call is an Exchange with an error. Raises NotAsked where nothing may be sent.
    """
    began = time.monotonic()
    done = Exchange()
    try:
        await _answer([*conversation], figures, asked, done)
    except CallFailed as failed:
        done.error = str(failed)
    done.seconds = time.monotonic() - began
    return done


async def _answer(
    conversation: list[Message], figures: Sequence[Figure], asked: Asked, done: Exchange
) -> None:
    start = len(conversation)
    while True:
        reply = await asked.asker.ask(_request(conversation, figures, asked, len(done.reader_calls)))
        done.replies.append(reply)
        spoken = said(reply.raw)
        if not _uses(spoken, figures, asked, done):
            break
        conversation.append(spoken.carried)
        conversation += await _read(spoken, figures, asked, done)
    done.text, done.finish_reason, done.reasoning = spoken.text, spoken.finish_reason, spoken.reasoning
    done.files = spoken.files
    answer: list[Message] = [{"role": "assistant", "content": spoken.text}] if spoken.text.strip() else []
    done.carried = [*map(_unreasoned, conversation[start:]), *answer]


def _uses(spoken: Said, figures: Sequence[Figure], asked: Asked, done: Exchange) -> bool:
    """Whether the reply uses the reader, and may."""
    left = asked.reader.most_calls - len(done.reader_calls) if asked.reader and figures else 0
    return bool(spoken.calls) and left > 0


def _request(
    conversation: Sequence[Message], figures: Sequence[Figure], asked: Asked, used: int
) -> ModelRequest:
    output: dict[str, Any] = {}
    if asked.reader is not None and figures:
        output["tools"] = [tool(figures)]
        if used >= asked.reader.most_calls:
            output["tool_choice"] = "none"
    return ModelRequest(asked.endpoint, tuple(conversation), asked.parameters, output, asked.sample)


async def _read(spoken: Said, figures: Sequence[Figure], asked: Asked, done: Exchange) -> list[Message]:
    """The reader's answers to all that one reply asks; what is beyond the bound is told so."""
    assert asked.reader is not None
    told: list[Message] = []
    for call in spoken.calls:
        if len(done.reader_calls) < asked.reader.most_calls:
            made = await read(call, figures, asked.reader, asked.asker, asked.digest_of, asked.sample)
            done.reader_calls.append(made)
            content = made.told
        else:
            content = "error: no calls are left"
        told.append({"role": "tool", "tool_call_id": call.id, "content": content})
    return told


def _unreasoned(message: Message) -> Message:
    """A message without the reasoning that its provider wanted back within the turn."""
    return {name: value for name, value in message.items() if name != "thinking_blocks"}
