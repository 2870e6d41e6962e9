"""Turns as chat messages in OpenAI's shape; an image is its digest until it is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from grader.model.request import IMAGE_SCHEME, Message
from grader.problem.visible import Attachment, Figure
from grader.protocol.profile import Profile
from grader.protocol.turns import Block, Described, Granted, InputFile, Named, Number, Picture, Text, Turn

SEPARATOR = "\n\n"
"""Between two texts of one message."""

DigestOf = Callable[[Figure], str]
"""The digest of an image as it is sent."""
ContentOf = Callable[[Attachment], str]
"""The text of an input file."""


def opening(profile: Profile) -> tuple[Message, ...]:
    """What stands before the first turn of a conversation: nothing, or the profile's system message."""
    system = profile.before.system
    return ({"role": "system", "content": system},) if system.strip() else ()


def message(
    turn: Turn, protocol: str, profile: Profile, digest_of: DigestOf, content_of: ContentOf
) -> Message:
    """The user's message of a turn: one text where it shows no image, else texts and images in order."""
    parts = list(_parts(turn, protocol, profile, digest_of, content_of))
    if all(isinstance(part, str) for part in parts):
        return {"role": "user", "content": SEPARATOR.join(parts)}  # type: ignore[arg-type]
    return {"role": "user", "content": list(_joined(parts))}


def _parts(
    turn: Turn, protocol: str, profile: Profile, digest_of: DigestOf, content_of: ContentOf
) -> Iterator[str | Mapping[str, Any]]:
    """Texts and images in order; blank texts, which some providers refuse, are left out."""
    if not turn.continues and (first := profile.opening(protocol)).strip():
        yield first
    for block in turn.blocks:
        if (text := written(block, profile, content_of)).strip():
            yield text
        if isinstance(block, Picture):
            yield {"type": "image_url", "image_url": {"url": IMAGE_SCHEME + digest_of(block.figure)}}


def written(block: Block, profile: Profile, content_of: ContentOf) -> str:
    """The text of a block; of an image, what stands before it."""
    match block:
        case Number(number=number, sub_id=sub_id):
            return profile.written("number", number=number, sub_id=sub_id)
        case Text(text=text):
            return text
        case Picture(figure=figure):
            return profile.written("pictured", figure=figure.name)
        case Named(figure=figure):
            return profile.written("named", figure=figure.name)
        case Described(figure=figure) if figure.description.strip():
            return profile.written("described", figure=figure.name, description=figure.description)
        case Described(figure=figure):
            return profile.written("undescribed", figure=figure.name)
        case InputFile(attachment=attachment):
            return profile.written("file", file=attachment.name, content=content_of(attachment))
        case Granted(scaffold=scaffold):
            return profile.written("granted", result=scaffold.text, sub_id=scaffold.sub_id)


def _joined(parts: list[str | Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Neighbouring texts as one part."""
    texts: list[str] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
            continue
        if texts:
            yield {"type": "text", "text": SEPARATOR.join(texts)}
            texts = []
        yield part
    if texts:
        yield {"type": "text", "text": SEPARATOR.join(texts)}
