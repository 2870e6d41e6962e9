"""Nothing private leaves in a run, and what is visible is sent where and as often as it should be."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from grader.model.request import Endpoint
from grader.problem.nodes import nodes
from grader.problem.set import load_set
from grader.problem.visible import visible
from grader.protocol import messages, pictures, reader, turns
from grader.protocol.asking import Provider
from grader.protocol.plan import Plan
from grader.protocol.profile import load_profile
from grader.protocol.reader import Reader
from grader.protocol.request import RunRequest
from grader.protocol.run import run
from grader.protocol.solver import Solver
from grader.protocol.turns import MODES, PROTOCOLS, Number, Oracle, Picture
from tests.model_server import model_server
from tests.protocol.private_sets import write_set
from tests.protocol.shown_to_models import Setting
from tests.protocol.wire import READER, SOLVER, Speaker, check

CONDITIONS = list(product(PROTOCOLS, MODES))


def send(folder: Path, seed: int, count: int, settings: Sequence[Setting]) -> None:
    """Run a set of problems in all nine conditions under each setting, and look at all that was sent."""
    root, made = write_set(folder, seed, count)
    problems = load_set(root)
    for number, setting in enumerate(settings):
        speaker = Speaker()
        with model_server(speaker) as server:
            endpoints = [Endpoint(f"openai/{name}", server.base_url) for name in (SOLVER, READER)]
            oracle, told = Oracle(setting.scope, setting.session), setting.descriptions
            request = RunRequest(
                problems,
                Solver("s", endpoints[0], {"max_tokens": 99}, vision=True),
                Plan(list(problems.problems.values()), CONDITIONS, oracle=oracle, descriptions=told),
                load_profile(setting.profile),
                folder / f"{number}.jsonl",
                reader=Reader(endpoints[1], {"max_tokens": 99}, descriptions=told),
            )
            state = run(request, Provider(request))
        assert state.complete, state.failures
        check(server.requests, speaker, made, setting, str(folder))


@pytest.mark.parametrize(
    "setting",
    [
        Setting("plain"),
        Setting("plain", "all", "shared", descriptions=True),
        Setting("parity", "all"),
        Setting("parity", "none", "shared"),
    ],
)
def test_a_model_is_sent_what_it_should_see_and_nothing_else(tmp_path: Path, setting: Setting) -> None:
    send(tmp_path, 900 + len(setting.scope), 5, [setting])


@pytest.mark.slow
@pytest.mark.parametrize("descriptions", [False, True])
@pytest.mark.parametrize("session", ["isolated", "shared"])
@pytest.mark.parametrize("scope", ["previous", "all", "none"])
def test_two_hundred_problems_are_sent_so_in_nine_conditions_under_both_profiles(
    tmp_path: Path, scope: Any, session: Any, descriptions: bool
) -> None:
    seed = [*product(("previous", "all", "none"), ("isolated", "shared"), (False, True))].index(
        (scope, session, descriptions)
    )
    settings = [Setting(profile, scope, session, descriptions) for profile in ("plain", "parity")]
    send(tmp_path, seed, 17, settings)


# The test of the test: what it has to notice


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


QUICK = ("a rubric line", "metadata", "a sub_id under plain", "a name in a header")
"""The others are planted by make test-all."""
SEED = 977
"""Makes two problems in which each of the leaks has something to show."""


@pytest.mark.parametrize(
    "planted",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow, id=name) for name in PLANTED],
)
def test_a_leak_that_is_planted_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: str
) -> None:
    PLANTED[planted](monkeypatch)
    with pytest.raises(AssertionError):
        send(tmp_path, SEED, 2, [Setting("plain")])
