"""What a model is shown, turn by turn, under a protocol and a mode.

Content and separators only: no role, no instruction, no format to answer in.
A prompt profile may add those; without one, a gap between two conditions is a
gap between two contents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from grader.errors import UsageError
from grader.problem.model import Problem
from grader.problem.visible import Figure, VisibleProblem, VisibleSubquestion, visible

ShownProtocol = Literal["full_problem", "sequential_carry", "oracle_scaffolded"]
ShownMode = Literal["multimodal", "text_only", "text_reader"]

PROTOCOLS: tuple[ShownProtocol, ...] = ("full_problem", "sequential_carry", "oracle_scaffolded")
MODES: tuple[ShownMode, ...] = ("multimodal", "text_only", "text_reader")


@dataclass(frozen=True, slots=True)
class Text:
    """Text as the model reads it."""

    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """An image as the model sees it (multimodal)."""

    figure: Figure


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader model makes of an image, without having seen any question (text_reader)."""

    figure: Figure


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file handed over with the question."""

    name: str


@dataclass(frozen=True, slots=True)
class Granted:
    """The standard result of the subquestion before (oracle_scaffolded)."""

    text: str
    sub_id: str
    """Whose result it is."""


Block = Text | Picture | Reading | InputFile | Granted


@dataclass(frozen=True, slots=True)
class Turn:
    """One message to the model, which answers it."""

    sub_id: str | None
    """The subquestion that the reply answers; None: all of them."""
    blocks: tuple[Block, ...]
    continues: bool = False
    """In the same conversation as the turn before, whose reply the model therefore sees."""
    ungranted: str | None = None
    """The subquestion whose result oracle_scaffolded would grant, but which has none."""


def turns(problem: Problem, protocol: ShownProtocol, mode: ShownMode) -> tuple[Turn, ...]:
    """The turns of a problem. Raises UsageError for a protocol or mode there isn't."""
    if protocol not in PROTOCOLS:
        raise UsageError("unknown protocol", got=repr(protocol), expected="one of " + ", ".join(PROTOCOLS))
    if mode not in MODES:
        raise UsageError("unknown mode", got=repr(mode), expected="one of " + ", ".join(MODES))
    shown = visible(problem)
    if protocol == "full_problem":
        return (_everything(shown, mode),)
    if protocol == "sequential_carry":
        return tuple(_carried(shown, mode))
    return tuple(_scaffolded(problem, shown, mode))


def _everything(shown: VisibleProblem, mode: ShownMode) -> Turn:
    blocks = list(_header(shown, mode))
    for number, sub in enumerate(shown.subquestions, start=1):
        # The number separates the questions, and lets an answer say which of them it answers.
        blocks += [Text(f"({number})"), *_question(sub, mode)]
    return Turn(None, tuple(blocks))


def _carried(shown: VisibleProblem, mode: ShownMode) -> Iterator[Turn]:
    for index, sub in enumerate(shown.subquestions):
        opening = () if index else tuple(_header(shown, mode))
        yield Turn(sub.sub_id, (*opening, *_question(sub, mode)), continues=index > 0)


def _scaffolded(problem: Problem, shown: VisibleProblem, mode: ShownMode) -> Iterator[Turn]:
    for index, sub in enumerate(shown.subquestions):
        before = problem.subquestions[index - 1] if index else None
        grant, missing = _grant(problem, index)
        blocks = (*_header(shown, mode), *grant, *_question(sub, mode))
        yield Turn(sub.sub_id, blocks, ungranted=before.sub_id if before and missing else None)


def _grant(problem: Problem, index: int) -> tuple[tuple[Granted, ...], bool]:
    """The one private thing that a model is shown, and whether it is missing."""
    if index == 0:
        return (), False
    before = problem.subquestions[index - 1]
    result = (before.standard_result or "").strip()
    return ((Granted(result, before.sub_id),), False) if result else ((), True)


def _header(shown: VisibleProblem, mode: ShownMode) -> Iterator[Block]:
    yield from (_figure(figure, mode) for figure in shown.figures)
    if shown.header.strip():
        yield Text(shown.header)


def _question(sub: VisibleSubquestion, mode: ShownMode) -> Iterator[Block]:
    yield from (_figure(figure, mode) for figure in sub.figures)
    yield from (InputFile(name) for name in sub.files)
    yield Text(sub.text)


def _figure(figure: Figure, mode: ShownMode) -> Block:
    if mode == "multimodal":
        return Picture(figure)
    if mode == "text_reader":
        return Reading(figure)
    return Text(f"{figure.name}: {figure.description}" if figure.description else figure.name)
