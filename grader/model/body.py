"""A request as it is sent: images as data URLs, and how large it can be at most."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from grader.errors import UsageError
from grader.model.request import IMAGE_SCHEME, Message, ModelRequest

Images = Callable[[str], tuple[str, bytes]]
"""The media type and the bytes of an image, by its digest."""

REQUEST_TOKENS = 1000
"""What providers add to a request at most: their own instructions for tools are the largest part."""
MESSAGE_TOKENS = 16
"""What a message's role and its delimiters take at most."""

_ELSEWHERE = frozenset({"model", "models", "messages", "prompt", "stream", "n", "best_of"})
_TOKENS = re.compile(
    r"max_?(?:completion_?|output_?|new_?)?tokens|n_?predict|num_?predict"
    r"|num_?return_?sequences|candidate_?count",
    re.IGNORECASE,
)


def enlarges(name: str, top: bool) -> bool:
    """Whether a field of ``extra_body`` could make a reply larger or dearer than the request admits.

    Another model or number of replies does at the ``top``, another limit of tokens however deep.
    """
    return _TOKENS.fullmatch(name) is not None or (top and name.lower() in _ELSEWHERE)


def no_images(digest: str) -> tuple[str, bytes]:
    """For requests that hold no image."""
    raise KeyError(f"no image {digest}")


def sendable(request: ModelRequest, images: Images) -> dict[str, Any]:
    """The body of a request with its images in it, as a copy: the client changes what it is given.

    Messages of a user behind one another are one: where a reply was empty,
    nothing stands between them, and many chat templates refuse two. Half a
    surrogate pair, which some models end in, becomes U+FFFD: no encoding has it.
    """
    messages = [_with_images(message, images) for message in _alternating(request.messages)]
    body = {"model": request.endpoint.model, "messages": messages, **request.parameters, **request.output}
    return {name: _copied(value) for name, value in body.items()}


def _copied(value: Any) -> Any:
    if isinstance(value, str):
        return (
            value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )
    if isinstance(value, Mapping):
        return {name: _copied(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_copied(member) for member in value]
    return value


def _alternating(messages: Iterable[Message]) -> list[Message]:
    joined: list[Message] = []
    for message in messages:
        if joined and message["role"] == joined[-1]["role"] == "user":
            joined[-1] = {**message, "content": _together(joined[-1]["content"], message["content"])}
        else:
            joined.append(message)
    return joined


def _together(before: Any, after: Any) -> Any:
    """Two contents as one, with a blank line between their texts."""
    if isinstance(before, str) and isinstance(after, str):
        return f"{before}\n\n{after}"
    *parts, last = _parts(before)
    first, *rest = _parts(after)
    if "text" in last and "text" in first:
        return [*parts, {**last, "text": f"{last['text']}\n\n{first['text']}"}, *rest]
    return [*parts, last, first, *rest]


def _parts(content: Any) -> list[Mapping[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _with_images(message: Message, images: Images) -> dict[str, Any]:
    content = message.get("content")
    if not isinstance(content, list | tuple):
        return dict(message)
    return {**message, "content": [_part(part, images) for part in content]}


def _part(part: Mapping[str, Any], images: Images) -> dict[str, Any]:
    digest = _digest(part)
    if digest is None:
        return dict(part)
    media, data = images(digest)
    url = f"data:{media};base64,{base64.b64encode(data).decode()}"
    return {**part, "image_url": {**part["image_url"], "url": url}}


def _digest(part: Mapping[str, Any]) -> str | None:
    url = (part.get("image_url") or {}).get("url", "")
    return url.removeprefix(IMAGE_SCHEME) if url.startswith(IMAGE_SCHEME) else None


def image_digests(request: ModelRequest) -> Iterator[str]:
    """The images of a request, in their order, one as often as it is shown."""
    for message in request.messages:
        content = message.get("content")
        for part in content if isinstance(content, list | tuple) else ():
            if (digest := _digest(part)) is not None:
                yield digest


def size(request: ModelRequest) -> int:
    """Bytes of a request without its images: no tokenizer makes more tokens of them."""
    return len(json.dumps(request.body(), ensure_ascii=False).encode("utf-8", "surrogatepass"))


def most_tokens(request: ModelRequest, image_tokens: int) -> tuple[int, int]:
    """The most tokens a request can take, in and out, an image at ``image_tokens``.

    Raises UsageError where its ``extra_body`` could ask for more.
    """
    fields = _fields(request.parameters.get("extra_body"))
    if (name := next((name for name, top in fields if enlarges(name, top)), None)) is not None:
        raise UsageError(
            f"extra_body says {name!r}, so nobody knows what a reply can cost at most",
            do="Remove it from the judge card: max_tokens says how long a reply may be.",
        )
    images = sum(1 for _ in image_digests(request))
    prompt = size(request) + MESSAGE_TOKENS * len(request.messages) + REQUEST_TOKENS + images * image_tokens
    return prompt, int(request.parameters["max_tokens"])


def _fields(value: Any, top: bool = True) -> Iterator[tuple[str, bool]]:
    """Every field of a value, however deep, and whether it stands at its top."""
    if isinstance(value, Mapping):
        yield from ((name, top) for name in value)
        value = value.values()
    elif not isinstance(value, list | tuple):
        return
    for member in value:
        yield from _fields(member, top=False)
