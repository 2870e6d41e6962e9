"""What a model should be shown of a raw problem in each condition: a second account of the protocols.

It shares no code with ``grader.protocol`` but the scaffolds that are derived
from rubrics, and knows nothing private but the results that are granted.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from grader.problem.content import content_root
from grader.problem.model import Problem
from grader.protocol.scaffold import scaffolds
from tests.protocol.private_sets import Made, tags_in

Shown = tuple[str | int, ...]
"""A message of the user: texts, and the numbers of images."""
Image = Mapping[str, str]


@dataclass(frozen=True)
class Setting:
    """The terms on which all nine conditions are run."""

    profile: str
    scope: Literal["previous", "all", "none"] = "previous"
    session: Literal["isolated", "shared"] = "isolated"
    descriptions: bool = False
    """Shown in text_reader."""


@dataclass(frozen=True)
class Seen:
    """What a model has before it when it answers."""

    system: str
    users: tuple[Shown, ...]
    figures: tuple[str, ...]
    """That it may ask its reader about."""


@dataclass(frozen=True)
class _Turn:
    shown: Shown
    figures: tuple[str, ...]


class Account:
    """Of one problem under one setting."""

    def __init__(self, made: Made, setting: Setting) -> None:
        self._setting = setting
        self._contents, self._pictures = made.contents, made.pictures
        self._header, self._subs = made.raw["header"], made.raw["subquestions"]
        self._images: Sequence[Image] = made.raw["header_images"]
        images = [*self._images, *(image for sub in self._subs for image in sub["text_images"])]
        self._names = {image["file"]: f"Figure {n}" for n, image in enumerate(images, start=1)}
        self._files = {file: f"File {n}" for n, file in enumerate(made.contents, start=1)}
        self._results = _results(made.raw)
        profile = tomllib.loads((content_root() / "profiles" / f"{setting.profile}.toml").read_text())
        self._blocks, self._before = profile["blocks"], profile.get("before", {})

    @property
    def figures(self) -> dict[str, int]:
        """The numbers of the images that may be seen, by their neutral names."""
        return {name: self._pictures[file] for file, name in self._names.items()}

    def seen(self, conditions: Sequence[tuple[str, str]]) -> Iterator[Seen]:
        """Whatever a model answers to under some protocols and modes; the same may come twice."""
        for protocol, mode in conditions:
            for conversation in self._conversations(protocol, mode):
                yield from self._answered(conversation, mode)

    def _answered(self, conversation: Sequence[_Turn], mode: str) -> Iterator[Seen]:
        for end in range(1, len(conversation) + 1):
            so_far = conversation[:end]
            figures = tuple(name for turn in so_far for name in turn.figures if mode == "text_reader")
            yield Seen(self._before.get("system", ""), tuple(turn.shown for turn in so_far), figures)

    def _conversations(self, protocol: str, mode: str) -> Iterator[list[_Turn]]:
        opening = _Turn(
            (self._before.get(protocol, ""), *self._shown(self._images, mode), self._header),
            self._named(self._images),
        )
        questions = [self._question(sub, mode) for sub in self._subs]
        if protocol == "full_problem":
            numbers = [
                _Turn((self._fill("number", number=n, sub_id=sub["sub_id"]),), ())
                for n, sub in enumerate(self._subs, start=1)
            ]
            pairs = zip(numbers, questions, strict=True)
            yield [_message(opening, *(one for pair in pairs for one in pair))]
        elif protocol == "sequential_carry":
            yield [_message(opening, questions[0]), *map(_message, questions[1:])]
        else:
            yield from self._scaffolded(opening, questions)

    def _scaffolded(self, opening: _Turn, questions: Sequence[_Turn]) -> Iterator[list[_Turn]]:
        ids = [sub["sub_id"] for sub in self._subs]
        if self._setting.session == "isolated":
            for index, question in enumerate(questions):
                wanted = {"previous": ids[:index][-1:], "all": ids[:index], "none": []}
                yield [_message(opening, self._granted(wanted[self._setting.scope]), question)]
            return
        later = [
            _message(self._granted([] if self._setting.scope == "none" else [before]), question)
            for before, question in zip(ids, questions[1:], strict=False)
        ]
        yield [_message(opening, questions[0]), *later]

    def _question(self, sub: Mapping[str, Any], mode: str) -> _Turn:
        files = [
            self._fill("file", file=self._files[file], content=self._contents[file]) for file in sub["files"]
        ]
        images = sub["text_images"]
        return _Turn((*self._shown(images, mode), *files, sub["text_open"]), self._named(images))

    def _granted(self, sub_ids: Sequence[str]) -> _Turn:
        there = [one for one in sub_ids if one in self._results]
        return _Turn(tuple(self._fill("granted", result=self._results[one], sub_id=one) for one in there), ())

    def _named(self, images: Sequence[Image]) -> tuple[str, ...]:
        return tuple(self._names[image["file"]] for image in images)

    def _shown(self, images: Sequence[Image], mode: str) -> Iterator[str | int]:
        for image in images:
            name, description = self._names[image["file"]], image.get("description")
            if mode == "multimodal":
                yield self._fill("pictured", figure=name)
                yield self._pictures[image["file"]]
            elif mode == "text_reader" and not self._setting.descriptions:
                yield self._fill("named", figure=name)
            elif description:
                yield self._fill("described", figure=name, description=description)
            else:
                yield self._fill("undescribed", figure=name)

    def _fill(self, block: str, **values: object) -> str:
        return re.sub(r"\{(\w+)\}", lambda name: str(values[name[1]]), self._blocks[block])


def _message(*pieces: _Turn) -> _Turn:
    """One message of several pieces: blank texts left out, neighbouring ones joined."""
    joined: list[str | int] = []
    for part in (part for piece in pieces for part in piece.shown):
        last = joined[-1] if joined else None
        if isinstance(part, int) or (part.strip() and not isinstance(last, str)):
            joined.append(part)
        elif part.strip():
            joined[-1] = f"{last}\n\n{part}"
    return _Turn(tuple(joined), tuple(name for piece in pieces for name in piece.figures))


def _results(raw: Mapping[str, Any]) -> dict[str, str]:
    """The standard results there are, by sub_id; a derived one says only what a rubric states."""
    results: dict[str, str] = {}
    derived = scaffolds(Problem.model_validate(raw))
    for sub in raw["subquestions"][:-1]:
        if given := sub.get("standard_result", "").strip():
            results[sub["sub_id"]] = given
        elif sub["sub_id"] in derived:
            results[sub["sub_id"]] = text = derived[sub["sub_id"]].text
            assert tags_in(text) <= tags_in(" ".join(_said(sub["rubric"])))
    return results


_EXPECTED = ("expected", "texts", "statement", "order", "unit")
"""What says which value a check expects; labels, aliases and tolerances don't."""


def _said(rubric: Sequence[Any]) -> Iterator[str]:
    """What lines, points and choices say and expect: no ids, aliases, notes, deductions or vetoes."""
    for node in rubric:
        if isinstance(node, str):
            yield node
        elif node.get("points", 0) > 0:
            yield node["text"]
            yield from (json.dumps(node.get("check", {}).get(name)) for name in _EXPECTED)
            yield from _said(node.get("of", ()))
