"""Models that are right only if exactly what a condition means has reached them, and nothing else.

A model knows the problems of a set and the reply to each question, and one definition of what it is to be
shown, in the words of this file. Where it was shown that and nothing else, it gives the reply; else it says
nothing at all. A second one reads figures: it says which pixels it was shown.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

from tests.scripted_judge import Body

EYE = "eye"
"""The model that reads figures."""


class Definition(NamedTuple):
    """What is shown, and of what."""

    protocol: str
    mode: str
    scope: str = "previous"
    session: str = "isolated"


class Pixels(NamedTuple):
    """An image, whatever file it comes in."""

    digest: str


@dataclass(frozen=True)
class Figure:
    """A figure of a problem."""

    name: str
    description: str
    pixels: Pixels


@dataclass(frozen=True)
class Question:
    """A question of a problem, and what is said to it."""

    text: str
    figures: Sequence[Figure]
    result: str
    reply: str


@dataclass(frozen=True)
class Exam:
    """A problem."""

    header: str
    figures: Sequence[Figure]
    questions: Sequence[Question]

    @property
    def whole_reply(self) -> str:
        """The replies to all questions, under headings."""
        return "\n\n".join(f"## ({n})\n\n{one.reply}" for n, one in enumerate(self.questions, start=1))


def exam_of(task: Path, replies: Mapping[str, str] | None = None) -> Exam:
    """The problem in a folder; ``replies`` by sub_id, where anybody answers."""
    raw = json.loads((task / "problem.json").read_text())
    numbers = count(1)

    def figures(images: Sequence[Mapping[str, str]]) -> list[Figure]:
        return [
            Figure(f"Figure {next(numbers)}", one["description"], pixels_in(task / "images" / one["file"]))
            for one in images
        ]

    header = figures(raw["header_images"])
    questions = [
        Question(
            sub["text_open"],
            figures(sub["text_images"]),
            sub.get("standard_result", ""),
            (replies or {}).get(sub["sub_id"], ""),
        )
        for sub in raw["subquestions"]
    ]
    return Exam(raw["header"], header, questions)


def pixels_in(file: Path | io.BytesIO) -> Pixels:
    with Image.open(file) as image:
        shown = image.convert("RGBA")
        return Pixels(hashlib.sha256(repr(shown.size).encode() + shown.tobytes()).hexdigest())


# What a conversation is, step by step


class Shown(NamedTuple):
    """A message of the user: texts and pixels, in order."""

    parts: tuple[str | Pixels, ...]


class Called(NamedTuple):
    """The model asks its reader about figures."""

    names: tuple[str, ...]


class Told(NamedTuple):
    """What the reader says of a figure."""

    name: str
    text: str


class Said(NamedTuple):
    """The model answers."""

    text: str


Step = Shown | Called | Told | Said


@dataclass(frozen=True)
class _Turn:
    parts: tuple[str | Pixels, ...]
    figures: tuple[Figure, ...]
    reply: str


def conversations(exam: Exam, definition: Definition) -> Iterator[list[Step]]:
    """Every conversation about a problem, as its definition has it."""
    for turns in _turns(exam, definition):
        steps: list[Step] = []
        for turn in turns:
            steps.append(Shown(turn.parts))
            if definition.mode == "text_reader" and turn.figures:
                steps.append(Called(tuple(one.name for one in turn.figures)))
                steps += [Told(one.name, reading(one.pixels)) for one in turn.figures]
            steps.append(Said(turn.reply))
        yield steps


def reading(pixels: Pixels) -> str:
    """What the reader says of an image."""
    return f"I see {pixels.digest}."


def _turns(exam: Exam, definition: Definition) -> Iterator[list[_Turn]]:
    protocol, mode, scope, session = definition
    opening = [*_figures(exam.figures, mode), exam.header]
    asked = [[*_figures(one.figures, mode), one.text] for one in exam.questions]
    if protocol == "full_problem":
        numbered = [part for n, parts in enumerate(asked, start=1) for part in (f"({n})", *parts)]
        figures = [*exam.figures, *(figure for one in exam.questions for figure in one.figures)]
        yield [_turn([*opening, *numbered], figures, exam.whole_reply)]
        return
    one_by_one = protocol == "sequential_carry" or session == "shared"
    turns = []
    for n, question in enumerate(exam.questions):
        before = [one.result for one in exam.questions[:n]] if protocol == "oracle_scaffolded" else []
        # whatever was granted earlier stands in a conversation that goes on
        granted = {"none": [], "all": before}.get(scope, before[-1:])
        granted = granted[-1:] if one_by_one else granted
        begins = n == 0 or not one_by_one
        turns.append(
            _turn(
                [*(opening if begins else []), *granted, *asked[n]],
                [*(exam.figures if begins else []), *question.figures],
                question.reply,
            )
        )
    if one_by_one:
        yield turns
    else:
        yield from ([turn] for turn in turns)


def _figures(figures: Sequence[Figure], mode: str) -> list[str | Pixels]:
    match mode:
        case "multimodal":
            return [part for one in figures for part in (one.name, one.pixels)]
        case "text_only":
            return [f"{one.name}: {one.description}" for one in figures]
    return [one.name for one in figures]


def _turn(parts: Sequence[str | Pixels], figures: Sequence[Figure], reply: str) -> _Turn:
    return _Turn(_joined(parts), tuple(figures), reply)


def _joined(parts: Sequence[str | Pixels]) -> tuple[str | Pixels, ...]:
    """Neighbouring texts as one, with an empty line between them."""
    joined: list[str | Pixels] = []
    for part in parts:
        if joined and isinstance(part, str) and isinstance(joined[-1], str):
            joined[-1] += f"\n\n{part}"
        else:
            joined.append(part)
    return tuple(joined)


# Models


class Strict:
    """The model of one definition."""

    def __init__(self, exams: Sequence[Exam], definition: Definition) -> None:
        self._reads = definition.mode == "text_reader"
        self._conversations = [steps for exam in exams for steps in conversations(exam, definition)]

    def __call__(self, body: Body) -> Mapping[str, Any]:
        there = list(_steps(body["messages"]))
        for steps in self._conversations:
            if steps[: len(there)] == there and self._nothing_else(body, there):
                return _spoken(steps[len(there)])
        return {"role": "assistant", "content": ""}

    def _nothing_else(self, body: Body, there: Sequence[Step]) -> bool:
        """Whether a request holds the tool it should hold, and nothing besides its messages."""
        wanted = {"model", "messages", "max_tokens"} | ({"tools"} if self._reads else set())
        if set(body) != wanted:
            return False
        return not self._reads or _offered(body["tools"]) == [
            line
            for step in there
            if isinstance(step, Shown)
            for part in step.parts
            for line in str(part).splitlines()
            if line.startswith("Figure ") and line.removeprefix("Figure ").isdigit()
        ]


def _offered(tools: Sequence[Mapping[str, Any]]) -> list[str]:
    """The figures that the one tool takes."""
    (tool,) = tools
    names: list[str] = tool["function"]["parameters"]["properties"]["figure"]["enum"]
    return names


def _spoken(step: Step) -> Mapping[str, Any]:
    match step:
        case Called(names):
            return {"role": "assistant", "content": None, "tool_calls": [_call(name) for name in names]}
        case Said(text):
            return {"role": "assistant", "content": text}
    raise AssertionError("whoever was asked has to speak")


def _call(name: str) -> Mapping[str, Any]:
    arguments = json.dumps({"figure": name, "question": "What does it show?"})
    return {"id": name, "type": "function", "function": {"name": "read_image", "arguments": arguments}}


def _steps(messages: Sequence[Mapping[str, Any]]) -> Iterator[Step]:
    """What has happened so far, as a model sees it."""
    for message in messages:
        match message["role"]:
            case "user":
                yield Shown(tuple(_parts(message["content"])))
            case "tool":
                yield Told(message["tool_call_id"], message["content"])
            case "assistant" if "tool_calls" in message:
                yield Called(tuple(_figure(call) for call in message["tool_calls"]))
            case role:
                # a system message is nothing that any definition holds
                yield Said(message["content"] if role == "assistant" else f"{role}: {message['content']}")


def _figure(call: Mapping[str, Any]) -> str:
    name: str = json.loads(call["function"]["arguments"])["figure"]
    return name


def _parts(content: str | Sequence[Mapping[str, Any]]) -> Iterator[str | Pixels]:
    if isinstance(content, str):
        yield content
        return
    for part in content:
        yield part["text"] if part["type"] == "text" else pixels_at(part["image_url"]["url"])


def pixels_at(url: str) -> Pixels:
    """What a data URL shows."""
    return pixels_in(io.BytesIO(base64.b64decode(url.partition(",")[2])))


def eye(body: Body) -> str:
    """The reader: says which pixels it was shown, if it was asked about one image and nothing else."""
    (message,) = body["messages"]
    image, question = message["content"]
    assert question == {"type": "text", "text": "What does it show?"}
    return reading(pixels_at(image["image_url"]["url"]))
