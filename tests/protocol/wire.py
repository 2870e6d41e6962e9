"""Every byte that a run sent, held against what should have been sent."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from tests.protocol.picture_files import bits_of, chunks, opened
from tests.protocol.private_sets import Made, tags_in
from tests.protocol.shown_to_models import Account, Seen, Setting, Shown

SOLVER, READER = "solver", "reader"
UNKNOWN = "Figure 99"
"""A figure there isn't, which the model asks about all the same."""


@dataclass
class Speaker:
    """Plays the model and its reader, and remembers what it said to what."""

    said: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    """The model's messages, by the conversations that they answered, with its tool or without."""
    asked: dict[str, tuple[str, Any]] = field(default_factory=dict)
    """What it asked its reader: by the question the figure's name, and what the model had seen."""
    read: dict[str, str] = field(default_factory=dict)
    """The reader's answers, by the questions."""
    _count: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Answer a request."""
        messages = body["messages"]
        with self._lock:
            if body["model"] == READER:
                question = messages[0]["content"][-1]["text"]
                return {
                    "role": "assistant",
                    "content": self.read.setdefault(question, f"{question} A thing."),
                }
            number = self._count = self._count + 1
            finished = not body.get("tools") or messages[-1]["role"] == "tool"
            message = _answer(number) if finished else self._ask(body, number)
            self.said.setdefault(_address(messages), []).append(message)
            return message

    def _ask(self, body: Mapping[str, Any], number: int) -> Mapping[str, Any]:
        """Use the reader for the first figure, the last one, and one there isn't."""
        names = body["tools"][0]["function"]["parameters"]["properties"]["figure"]["enum"]
        calls = []
        for place, figure in enumerate(dict.fromkeys([names[0], names[-1], UNKNOWN])):
            question = f"What is there, {number}-{place}?"
            self.asked[question] = figure, body["messages"]
            arguments = json.dumps({"figure": figure, "question": question})
            function = {"name": "read_image", "arguments": arguments}
            calls.append({"id": f"call-{number}-{place}", "type": "function", "function": function})
        return {"role": "assistant", "tool_calls": calls}


def _answer(number: int) -> Mapping[str, Any]:
    return {"role": "assistant", "content": f"Answer {number}: {{B}}."}


def _address(messages: Sequence[Any]) -> str:
    return hashlib.sha256(json.dumps(messages).encode()).hexdigest()


@dataclass(frozen=True)
class Sent:
    """A request: every byte of it, and what it says in OpenAI's shape."""

    data: bytes
    body: dict[str, Any]
    is_once: str
    """The same for no other request."""


def told_to_server(request: bytes) -> Sent:
    """An HTTP request."""
    body = json.loads(request.partition(b"\r\n\r\n")[2])
    return Sent(request, body, json.dumps(body))


def told_to_program(line: bytes) -> Sent:
    """A line on a program's standard input; the same question may be asked in several conversations."""
    told = json.loads(line)
    assert set(told) <= {"request", "conversation", "messages", "parameters", "tools"}
    tools = {"tools": told["tools"]} if "tools" in told else {}
    body = {"model": SOLVER, "messages": told["messages"], **told["parameters"], **tools}
    return Sent(line, body, told["request"])


def put_into_batch(line: bytes) -> Sent:
    """A line of a batch file."""
    put = json.loads(line)
    assert set(put) == {"custom_id", "method", "url", "body"}
    return Sent(line, put["body"], json.dumps(put["body"]))


def check(
    sent: Sequence[Sent],
    speaker: Speaker,
    made: Sequence[Made],
    setting: Setting,
    folder: str,
    conditions: Sequence[tuple[str, str]],
) -> None:
    """Fail unless all that should have been sent was, once, and nothing else, wherever it could hide."""
    wanted: dict[Seen, Account] = {}
    for account in (Account(one, setting) for one in made):
        wanted |= dict.fromkeys(account.seen(conditions), account)
    for one in sent:
        body = one.body
        assert set(body) <= {"model", "messages", "max_tokens", "tools"}
        shown = _read_by(body, speaker, wanted) if body["model"] == READER else _seen_by(body, wanted)
        allowed = tags_in(repr(shown))
        for text in (one.data.decode(), *_strings(body)):
            assert tags_in(text) <= allowed
            assert folder not in text
        _history(body["messages"], speaker)
    assert {_seen(one.body) for one in sent if one.body["model"] == SOLVER} == set(wanted)
    assert len({one.is_once for one in sent}) == len(sent), "something was asked twice"
    assert {question for question, (figure, _) in speaker.asked.items() if figure != UNKNOWN} == set(
        speaker.read
    )


def _seen_by(body: Mapping[str, Any], wanted: Mapping[Seen, Account]) -> Seen:
    seen = _seen(body)
    assert seen in wanted
    return seen


def _seen(body: Mapping[str, Any]) -> Seen:
    """What stands in a request of the model."""
    texts = [one["content"] for one in body["messages"] if one["role"] == "system"]
    users = tuple(_shown(one["content"]) for one in body["messages"] if one["role"] == "user")
    tools = body.get("tools", ())
    names = [tool["function"]["parameters"]["properties"]["figure"]["enum"] for tool in tools]
    return Seen("".join(texts), users, tuple(name for some in names for name in some))


def _read_by(body: Mapping[str, Any], speaker: Speaker, wanted: Mapping[Seen, Account]) -> Shown:
    """The reader sees the image that it is asked about, the question, and nothing else."""
    (message,) = body["messages"]
    image, question = shown = _shown(message["content"])
    assert isinstance(question, str)
    assert question in speaker.asked
    figure, messages = speaker.asked[question]
    users = tuple(_shown(one["content"]) for one in messages if one["role"] == "user")
    account = next(account for seen, account in wanted.items() if seen.users == users)
    assert image == account.figures[figure]
    return shown


def _shown(content: str | Sequence[Mapping[str, Any]]) -> Shown:
    if isinstance(content, str):
        return (content,)
    parts: list[str | int] = []
    for part in content:
        if part["type"] == "text":
            assert set(part) == {"type", "text"}
            parts.append(part["text"])
        else:
            assert set(part) == {"type", "image_url"}
            assert set(part["image_url"]) == {"url"}
            parts.append(_picture(part["image_url"]["url"]))
    return tuple(parts)


@lru_cache(maxsize=4096)
def _picture(url: str) -> int:
    """The number that an image shows; nothing but grey pixels may come with it."""
    head, _, data = url.partition(",")
    assert head == "data:image/png;base64"
    png = base64.b64decode(data, validate=True)
    assert not tags_in(png.decode("latin-1"))
    assert set(chunks(png)) == {b"IHDR", b"IDAT", b"IEND"}
    image = opened(png)
    assert all(max(colour) - min(colour) < 40 for _, colour in image.getcolors(10_000) or ())  # type: ignore[arg-type]
    return bits_of(image)


def _strings(value: Any) -> Iterator[str]:
    """Every string and every key of a JSON value, unescaped."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for member in value:
            yield from _strings(member)
    elif isinstance(value, dict):
        yield from value
        yield from _strings(list(value.values()))


def _history(messages: Sequence[Mapping[str, Any]], speaker: Speaker) -> None:
    """What the model and its reader are said to have said, they said, there and then."""
    questions: dict[str, Mapping[str, str]] = {}
    for place, message in enumerate(messages):
        if message["role"] == "assistant":
            spoken = {name: value for name, value in message.items() if value is not None}
            assert spoken in speaker.said[_address(messages[:place])]
            calls = message.get("tool_calls", ())
            questions |= {call["id"]: json.loads(call["function"]["arguments"]) for call in calls}
        elif message["role"] == "tool":
            asked = questions[message["tool_call_id"]]
            told = speaker.read.get(asked["question"], "error: ")
            assert message["content"].startswith(told)
