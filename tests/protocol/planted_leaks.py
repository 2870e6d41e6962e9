"""Leaks that are planted into a run, so that the test at the wire shows that it would notice them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from grader.problem.nodes import nodes
from grader.problem.visible import visible
from grader.protocol import messages, pictures, reader, turns
from grader.protocol.solver import Solver
from grader.protocol.turns import Number, Picture


def _rubric_line(patch: pytest.MonkeyPatch) -> None:
    def leaking(problem: Any) -> Any:
        shown = visible(problem)
        sub = next(sub for sub in problem.subquestions if sub.rubric)
        line = next(node.text for node in nodes(sub) if hasattr(node, "text"))
        first, *rest = shown.subquestions
        return replace(shown, subquestions=(replace(first, text=f"{first.text}\n{line}"), *rest))

    patch.setattr("grader.protocol.plan.visible", leaking)


def _file_name(patch: pytest.MonkeyPatch) -> None:
    def leaking(problem: Any) -> Any:
        shown = visible(problem)
        return replace(shown, figures=tuple(replace(one, name=one.file) for one in shown.figures))

    patch.setattr("grader.protocol.plan.visible", leaking)


def _metadata(patch: pytest.MonkeyPatch) -> None:
    def leaking(data: bytes, *limits: int) -> Any:
        shown, _ = original(data, *limits)
        return replace(shown, digest=hashlib.sha256(data).hexdigest()), data

    original = pictures.encoded
    patch.setattr(pictures, "encoded", leaking)


def _hidden_colour(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(pictures, "_on_white", lambda image: image.convert("RGB"))


def _held_askew(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(pictures, "_turn_upright", lambda image: None)


def _last_frame(patch: pytest.MonkeyPatch) -> None:
    def leaking(image: Image.Image) -> None:
        image.seek(getattr(image, "n_frames", 1) - 1)

    patch.setattr(pictures, "_turn_upright", leaking)


def _written(of: type, text: Callable[[Any], str]) -> Callable[[pytest.MonkeyPatch], None]:
    """A block of a kind that says more."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        def leaking(block: Any, *rest: Any) -> str:
            return text(block) if isinstance(block, of) else original(block, *rest)

        original = messages.written
        patch.setattr(messages, "written", leaking)

    return plant


def _images_last(patch: pytest.MonkeyPatch) -> None:
    original = messages._joined
    patch.setattr(messages, "_joined", lambda parts: reversed([*original(parts)]))


def _every_result(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(turns, "_wanted", lambda before, oracle: before[:])


def _header_twice(patch: pytest.MonkeyPatch) -> None:
    original = turns._Composer._header
    patch.setattr(turns._Composer, "_header", lambda self: [*original(self), *original(self)])


def _context_for_the_reader(patch: pytest.MonkeyPatch) -> None:
    original = reader._question
    patch.setattr(reader, "_question", lambda digest, text: original(digest, f"In a problem: {text}"))


def _another_figure(patch: pytest.MonkeyPatch) -> None:
    """The reader is shown the last figure whichever it is asked about."""
    original = reader.read

    async def leaking(call: Any, figures: Any, asked: Any, asker: Any, digest_of: Any, sample: int) -> Any:
        return await original(call, figures, asked, asker, lambda figure: digest_of(figures[-1]), sample)

    patch.setattr("grader.protocol.exchange.read", leaking)


def _in_a_header(patch: pytest.MonkeyPatch) -> None:
    def leaking(self: Solver, sample: int) -> dict[str, Any]:
        return {**self.parameters, "extra_headers": {"X-Problem": "answer-731900000001"}}

    patch.setattr(Solver, "at", leaking)


def _in_the_body(patch: pytest.MonkeyPatch) -> None:
    def leaking(self: Solver, sample: int) -> dict[str, Any]:
        return {**self.parameters, "extra_body": {"note": "x"}}

    patch.setattr(Solver, "at", leaking)


PLANTED: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "a rubric line": _rubric_line,
    "a file name": _file_name,
    "metadata": _metadata,
    "a colour that transparency hides": _hidden_colour,
    "a camera's position": _held_askew,
    "another frame": _last_frame,
    "a sub_id under plain": _written(Number, lambda block: str(block.sub_id)),
    "a description beside its image": _written(
        Picture, lambda block: f"{block.figure.name}{block.figure.description}"
    ),
    "an image behind its text": _images_last,
    "a result that isn't granted": _every_result,
    "a header twice": _header_twice,
    "more than a question to the reader": _context_for_the_reader,
    "another figure to the reader": _another_figure,
    "a name in a header": _in_a_header,
    "anything beside the messages": _in_the_body,
}
