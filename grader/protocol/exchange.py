"""One turn of a run: the model is asked, uses its reader if it has one, and answers."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.model.reply import Asker, CallFailed, Reply
from grader.model.request import Endpoint, Message, ModelRequest
from grader.problem.visible import Figure
from grader.protocol.carried import after_turn, within_turn
from grader.protocol.messages import DigestOf
from grader.protocol.reader import Reader, ReaderCall, read
from grader.protocol.reader_tool import TOLD, tool
from grader.protocol.spoken import ToolCall, spoken_in


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
    conversation: str = ""
    """Its name, for whoever may remember it; else the same request is the same in every conversation."""


@dataclass
class Exchange:
    """What a turn came to."""

    text: str = ""
    finish_reason: str | None = None
    error: str | None = None
    """A call failed; whatever else there is, is no answer."""
    reasoning: str | None = None
    """Of all its replies."""
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
        # the same question to the reader is the same request, which is paid once
        costs = list({reply.key: reply.attempt.cost for reply in replies}.values())
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
    failed call, the reader's too, is an Exchange with an error: an answer that
    was given without what it asked for would be another condition's. Raises
    NotAsked where nothing may be sent.
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
    reader = asked.reader if figures else None
    names = [figure.name for figure in figures]
    output = {"tools": [tool(names, reader.most_calls)]} if reader else {}
    start, told = len(conversation), False
    while True:
        request = ModelRequest(
            asked.endpoint,
            tuple(conversation),
            asked.parameters,
            output,
            vote=asked.sample,
            conversation=asked.conversation,
        )
        reply = await asked.asker.ask(request)
        done.replies.append(reply)
        spoken = spoken_in(reply.raw)
        done.reasoning = "\n\n".join(filter(None, (done.reasoning, spoken.reasoning))) or None
        if reader is None or not spoken.calls or told:
            break
        left = reader.most_calls - len(done.reader_calls)
        # whoever asks on when it has been told that nothing is left will not stop by itself
        told = left == 0
        conversation.append(within_turn(spoken, asked.endpoint.model))
        conversation += await _read(spoken.calls, left, figures, reader, asked, done)
    done.text, done.finish_reason, done.files = spoken.text, spoken.finish_reason, spoken.files
    done.carried = after_turn(conversation[start:], spoken.text)


async def _read(
    calls: Sequence[ToolCall],
    left: int,
    figures: Sequence[Figure],
    reader: Reader,
    asked: Asked,
    done: Exchange,
) -> list[Message]:
    """The reader's answers to all that one reply asks, at the same time; beyond the bound it is told so."""
    reading = [
        read(call, figures, reader, asked.asker, asked.digest_of, asked.sample) for call in calls[:left]
    ]
    # all are waited for, so that what is paid for is kept, whichever of them fails
    ended = await asyncio.gather(*reading, return_exceptions=True)
    done.reader_calls += [one for one in ended if isinstance(one, ReaderCall)]
    for one in ended:
        if isinstance(one, BaseException):
            raise one
    told = [one.told for one in ended if isinstance(one, ReaderCall)]
    told += [TOLD["error"].format(error=TOLD["none_left"])] * (len(calls) - len(told))
    return [
        {"role": "tool", "tool_call_id": call.id, "content": content}
        for call, content in zip(calls, told, strict=True)
    ]
