"""What is to be known of a response before its score is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

from grader.record.values import Response

Flag = Literal["empty", "refused", "truncated", "looping", "overflow"]
"""A completed reply without text; a refusal that the provider marks; a reply cut off at the limit of
tokens; one that ends going in circles; a conversation longer than the model takes, which is a failed call."""
FLAGS: tuple[Flag, ...] = get_args(Flag)


def flags(response: Response) -> tuple[Flag, ...]:
    """What a response is, besides an answer."""
    return tuple(_flags(response))


def _flags(response: Response) -> Iterator[Flag]:
    if response.error is not None:
        if "context" in response.error.lower():
            yield "overflow"
        return
    if not response.text.strip():
        yield "empty"
    if response.finish_reason in ("refusal", "content_filter"):
        yield "refused"
    if response.finish_reason in ("length", "max_tokens"):
        yield "truncated"
