"""What a model is shown, turn by turn, under a protocol and a mode.

Content and separators only: no role, no instruction, no format to answer in.
A prompt profile says how the blocks are written, and may add more; without
one, a gap between two conditions is a gap between two contents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from grader.errors import UsageError
from grader.problem.visible import Attachment, Figure, VisibleProblem, VisibleSubquestion
from grader.protocol.scaffold import Scaffold

ShownProtocol = Literal["full_problem", "sequential_carry", "oracle_scaffolded"]
ShownMode = Literal["multimodal", "text_only", "text_reader"]

PROTOCOLS: tuple[ShownProtocol, ...] = ("full_problem", "sequential_carry", "oracle_scaffolded")
MODES: tuple[ShownMode, ...] = ("multimodal", "text_only", "text_reader")


@dataclass(frozen=True, slots=True)
class Oracle:
    """What ``oracle_scaffolded`` grants, and to whom."""

    scope: Literal["previous", "all", "none"] = "previous"
    """Whose standard results are granted: of the subquestion before, of all before, of none."""
    session: Literal["isolated", "shared"] = "isolated"
    """``shared``: one conversation, in which the model sees its own earlier answers too."""


@dataclass(frozen=True, slots=True)
class Number:
    """Which of the subquestions follows, where one message holds them all."""

    number: int
    """1-based."""
    sub_id: str
    """For profiles that name it."""


@dataclass(frozen=True, slots=True)
class Text:
    """Text as its author wrote it."""

    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """An image as the model sees it (multimodal)."""

    figure: Figure


@dataclass(frozen=True, slots=True)
class Described:
    """What its author says a reader takes from an image (text_only)."""

    figure: Figure


@dataclass(frozen=True, slots=True)
class Named:
    """An image that the model can ask a reader about (text_reader): nothing but its name."""

    figure: Figure


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file handed over with the question."""

    attachment: Attachment


@dataclass(frozen=True, slots=True)
class Granted:
    """The standard result of an earlier subquestion (oracle_scaffolded)."""

    scaffold: Scaffold


Block = Number | Text | Picture | Described | Named | InputFile | Granted


@dataclass(frozen=True, slots=True)
class Turn:
    """One message to the model, which answers it."""

    sub_id: str | None
    """The subquestion that the reply answers; None: all of them."""
    blocks: tuple[Block, ...]
    continues: bool = False
    """In the same conversation as the turn before, whose reply the model therefore sees."""
    ungranted: tuple[str, ...] = ()
    """The subquestions whose result would be granted, but which have none."""

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures of the message, in order."""
        return tuple(block.figure for block in self.blocks if isinstance(block, Picture | Described | Named))

    @property
    def granted(self) -> tuple[Scaffold, ...]:
        """What is granted, in order."""
        return tuple(block.scaffold for block in self.blocks if isinstance(block, Granted))


def turns(
    shown: VisibleProblem,
    protocol: ShownProtocol,
    mode: ShownMode,
    scaffolds: Mapping[str, Scaffold] | None = None,
    oracle: Oracle = Oracle(),
    *,
    descriptions: bool = False,
) -> tuple[Turn, ...]:
    """The turns of a problem.

    ``scaffolds`` are the standard results by sub_id, the one private thing that
    a model may be shown, and only oracle_scaffolded shows them. ``descriptions``
    gives them to text_reader beside its tool. Raises UsageError for a protocol
    or mode there isn't.
    """
    if protocol not in PROTOCOLS:
        raise UsageError("unknown protocol", got=repr(protocol), expected="one of " + ", ".join(PROTOCOLS))
    if mode not in MODES:
        raise UsageError("unknown mode", got=repr(mode), expected="one of " + ", ".join(MODES))
    composed = _Composer(shown, mode, descriptions)
    if protocol == "full_problem":
        return (composed.everything(),)
    if protocol == "sequential_carry":
        return tuple(composed.carried())
    return tuple(composed.scaffolded(scaffolds or {}, oracle))


@dataclass(frozen=True, slots=True)
class _Composer:
    shown: VisibleProblem
    mode: ShownMode
    descriptions: bool

    def everything(self) -> Turn:
        blocks = list(self._header())
        for number, sub in enumerate(self.shown.subquestions, start=1):
            # The number separates the questions, and lets an answer say which of them it answers.
            blocks += [Number(number, sub.sub_id), *self._question(sub)]
        return Turn(None, tuple(blocks))

    def carried(self) -> Iterator[Turn]:
        for index, sub in enumerate(self.shown.subquestions):
            opening = () if index else tuple(self._header())
            yield Turn(sub.sub_id, (*opening, *self._question(sub)), continues=index > 0)

    def scaffolded(self, scaffolds: Mapping[str, Scaffold], oracle: Oracle) -> Iterator[Turn]:
        shared = oracle.session == "shared"
        before: list[str] = []
        for index, sub in enumerate(self.shown.subquestions):
            # a shared conversation holds the header, and what was granted earlier, already
            opening = () if shared and index else tuple(self._header())
            wanted = before[-1:] if shared and oracle.scope != "none" else _wanted(before, oracle)
            granted = tuple(Granted(scaffolds[one]) for one in wanted if one in scaffolds)
            missing = tuple(one for one in wanted if one not in scaffolds)
            blocks = (*opening, *granted, *self._question(sub))
            yield Turn(sub.sub_id, blocks, continues=shared and index > 0, ungranted=missing)
            before.append(sub.sub_id)

    def _header(self) -> Iterator[Block]:
        yield from (self._figure(figure) for figure in self.shown.figures)
        if self.shown.header.strip():
            yield Text(self.shown.header)

    def _question(self, sub: VisibleSubquestion) -> Iterator[Block]:
        yield from (self._figure(figure) for figure in sub.figures)
        yield from (InputFile(one) for one in sub.files)
        yield Text(sub.text)

    def _figure(self, figure: Figure) -> Block:
        if self.mode == "multimodal":
            return Picture(figure)
        if self.mode == "text_only" or self.descriptions:
            return Described(figure)
        return Named(figure)


def _wanted(before: list[str], oracle: Oracle) -> list[str]:
    return {"previous": before[-1:], "all": before[:], "none": []}[oracle.scope]
