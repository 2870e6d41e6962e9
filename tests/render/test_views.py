"""What `problems show` prints for a model holds nothing private; for a judge, no standard result."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import UsageError
from grader.problem.model import Problem
from grader.problem.visible import visible
from grader.protocol.messages import message, opening
from grader.protocol.profile import load_profile
from grader.protocol.scaffold import scaffolds
from grader.protocol.turns import MODES, PROTOCOLS, ShownMode, ShownProtocol, turns
from grader.render.plain import plain
from grader.render.views import view
from tests.protocol.private_sets import write_set
from tests.protocol.problems import PRIVATE, chain, chains

PROBLEM = chain(3, [1, 0, 1, 0], ["group", "point", "none"], {1})


@given(chains(), st.sampled_from(PROTOCOLS), st.sampled_from(MODES))
def test_a_model_sees_nothing_private_but_what_is_granted(
    problem: Problem, protocol: ShownProtocol, mode: ShownMode
) -> None:
    lines = view(problem, "model", protocol, mode).splitlines()
    private = [line for line in lines if PRIVATE in line]
    granted = [line for one in scaffolds(problem).values() for line in one.text.splitlines()]
    assert private == (granted if protocol == "oracle_scaffolded" else [])


@given(chains())
def test_a_judge_sees_rubric_and_private_descriptions_but_no_standard_result(problem: Problem) -> None:
    shown = view(problem, "judge")
    for index, sub in enumerate(problem.subquestions):
        assert f"{PRIVATE}what solution-{index} shows" in shown
        assert sub.standard_result is None or sub.standard_result not in shown
        assert ("not gradable" in shown) >= (sub.rubric is None)
    assert f"{PRIVATE}solution" not in shown


@given(chains())
def test_a_reviewer_sees_everything(problem: Problem) -> None:
    shown = view(problem, "reviewer")
    for sub in problem.subquestions:
        expected = [sub.sub_id, sub.text_open, *sub.rubric_files, *sub.files]
        expected += [image.file for image in (*sub.text_images, *sub.rubric_images)]
        expected += [sub.standard_result or "", f"{PRIVATE}alias" if sub.rubric else ""]
        assert all(text in shown for text in expected)


def test_the_view_says_what_plain_text_cant_show() -> None:
    carried = view(PROBLEM, "model", "sequential_carry", "multimodal")
    assert "[turn 2 of 3, the same conversation]" in carried
    assert "[the model's own answer to p-0]" in carried
    assert "\n\nFigure 1\n\n[image]\n\n" in carried
    scaffolded = view(PROBLEM, "model", "oracle_scaffolded", "text_reader")
    assert "[granted: the standard result of p-1, derived from its rubric]" in scaffolded
    assert "\n\nFigure 1\n\n[the model may ask its reader about it]\n\n" in scaffolded
    bare = view(chain(2, [0, 0, 0], ["none", "none"], {0}), "model", "oracle_scaffolded", "text_only")
    assert "[p-0 has no standard result: nothing is granted]" in bare


NOTE = re.compile(
    r"\[(?:turn \d|system message|message|image|granted: |the model)[^\n]*\]|\[.* nothing is granted\]"
)
"""A line of the view that no model reads."""


@pytest.mark.parametrize("profile", ["plain", "parity"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("mode", MODES)
def test_a_view_is_what_a_model_is_sent_and_notes(
    tmp_path: Path, profile: str, protocol: ShownProtocol, mode: ShownMode
) -> None:
    _, made = write_set(tmp_path, 990, 3)
    how = load_profile(profile)
    contents = {name: text for one in made for name, text in one.contents.items()}
    for problem in (Problem.model_validate(one.raw) for one in made):
        seen = view(problem, "model", protocol, mode, how, lambda file: contents[file.file])
        sent: list[str] = []
        for turn in turns(visible(problem), protocol, mode, scaffolds(problem)):
            sent += [] if turn.continues else [str(system["content"]) for system in opening(how)]
            said = message(turn, protocol, how, lambda figure: "", lambda file: contents[file.file])
            parts = [said] if isinstance(said["content"], str) else said["content"]
            sent += [part.get("text") or part["content"] for part in parts if part.get("type") != "image_url"]
        texts = [part for part in seen.removesuffix("\n").split("\n\n") if not NOTE.fullmatch(part)]
        assert "\n\n".join(texts) == plain("\n\n".join(sent))


def test_text_can_neither_rewrite_a_terminal_nor_reverse_a_line() -> None:
    assert plain("a\x1b[2Jb\u202ec\td\r\n") == "a\ufffd[2Jb\ufffdc\td\n"


def test_an_unknown_viewer_is_refused() -> None:
    viewer: Any = "student"
    with pytest.raises(UsageError, match="one of model, judge, reviewer"):
        view(PROBLEM, viewer)
