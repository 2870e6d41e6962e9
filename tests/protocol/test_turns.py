"""A model sees the problem under neutral names, and never anything that tells the answer."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import UsageError
from grader.problem.model import Problem
from grader.problem.visible import visible
from grader.protocol.scaffold import scaffolds
from grader.protocol.turns import (
    MODES,
    PROTOCOLS,
    Described,
    Granted,
    InputFile,
    Named,
    Number,
    Oracle,
    Picture,
    ShownMode,
    ShownProtocol,
    Text,
    Turn,
    turns,
)
from tests.protocol.problems import PRIVATE, chain, chains

conditions = st.tuples(st.sampled_from(PROTOCOLS), st.sampled_from(MODES))


def shown_turns(
    problem: Problem, protocol: ShownProtocol, mode: ShownMode, oracle: Oracle | None = None
) -> tuple[Turn, ...]:
    return turns(visible(problem), protocol, mode, scaffolds(problem), oracle or Oracle())


def _strings(value: Any) -> list[str]:
    """Every string that a dataclass holds, however deep."""
    if isinstance(value, str):
        return [value]
    if dataclasses.is_dataclass(value):
        return [s for field in dataclasses.fields(value) for s in _strings(getattr(value, field.name))]
    return [s for item in value for s in _strings(item)] if isinstance(value, tuple) else []


@given(chains(), conditions)
def test_nothing_private_is_in_any_turn_but_the_granted_result(
    problem: Problem, condition: tuple[ShownProtocol, ShownMode]
) -> None:
    for turn in shown_turns(problem, *condition):
        kept = tuple(block for block in turn.blocks if not isinstance(block, Granted))
        assert not any(PRIVATE in text for text in _strings(dataclasses.replace(turn, blocks=kept)))


@given(chains())
def test_a_visible_problem_holds_nothing_private(problem: Problem) -> None:
    assert not any(PRIVATE in text for text in _strings(visible(problem)))


scopes = st.sampled_from(["previous", "all", "none"])


@given(chains(), st.sampled_from(MODES), scopes)
def test_oracle_grants_what_its_scope_says_and_nothing_else(
    problem: Problem, mode: ShownMode, scope: Any
) -> None:
    there = scaffolds(problem)
    before: list[str] = []
    for turn in shown_turns(problem, "oracle_scaffolded", mode, Oracle(scope)):
        wanted = {"previous": before[-1:], "all": before, "none": []}[scope]
        assert list(turn.granted) == [there[one] for one in wanted if one in there]
        assert list(turn.ungranted) == [one for one in wanted if one not in there]
        assert turn.sub_id is not None
        before.append(turn.sub_id)


def test_a_shared_oracle_is_one_conversation_with_each_result_once() -> None:
    three = chain(3, [1, 0, 0, 0], ["point"] * 3, set())
    shown = shown_turns(three, "oracle_scaffolded", "multimodal", Oracle("all", "shared"))
    assert [turn.continues for turn in shown] == [False, True, True]
    assert [[one.sub_id for one in turn.granted] for turn in shown] == [[], ["p-0"], ["p-1"]]
    assert [len(turn.figures) for turn in shown] == [1, 0, 0]


@given(chains(), st.sampled_from(["full_problem", "sequential_carry"]), st.sampled_from(MODES))
def test_only_oracle_grants(problem: Problem, protocol: ShownProtocol, mode: ShownMode) -> None:
    shown = shown_turns(problem, protocol, mode)
    assert not any(isinstance(block, Granted) for turn in shown for block in turn.blocks)
    assert not any(turn.ungranted for turn in shown)


@given(chains(), conditions)
def test_every_question_is_shown_once_and_in_order(
    problem: Problem, condition: tuple[ShownProtocol, ShownMode]
) -> None:
    shown = shown_turns(problem, *condition)
    texts = [block.text for turn in shown for block in turn.blocks if isinstance(block, Text)]
    questions = [text for text in texts if text.startswith("question")]
    assert questions == [sub.text_open for sub in problem.subquestions]
    expected = len(shown) if condition[0] == "oracle_scaffolded" else 1
    assert texts.count(problem.header) == expected


def _kinds(turn: Turn) -> list[str]:
    return [type(block).__name__ for block in turn.blocks]


TWO = chain(2, [1, 1, 1], ["point", "point"], set())


def test_full_problem_is_one_turn_whose_questions_are_numbered() -> None:
    (turn,) = shown_turns(TWO, "full_problem", "multimodal")
    assert turn.sub_id is None
    assert [block for block in turn.blocks if isinstance(block, Text | Number)] == [
        Text("shared background"),
        Number(1, "p-0"),
        Text("question 0"),
        Number(2, "p-1"),
        Text("question 1"),
    ]


def test_carry_is_one_conversation_that_opens_with_the_header() -> None:
    first, second = shown_turns(TWO, "sequential_carry", "multimodal")
    assert (first.sub_id, first.continues, second.sub_id, second.continues) == ("p-0", False, "p-1", True)
    assert _kinds(first) == ["Picture", "Text", "Picture", "InputFile", "Text"]
    assert _kinds(second) == ["Picture", "InputFile", "Text"]


def test_oracle_opens_a_new_conversation_for_each_question() -> None:
    first, second = shown_turns(TWO, "oracle_scaffolded", "multimodal")
    assert not any(turn.continues for turn in (first, second))
    assert _kinds(first) == ["Picture", "Text", "Picture", "InputFile", "Text"]
    assert _kinds(second) == ["Picture", "Text", "Granted", "Picture", "InputFile", "Text"]


def test_figures_stand_before_the_text_they_belong_to_under_neutral_names() -> None:
    (turn,) = shown_turns(TWO, "full_problem", "multimodal")
    assert _kinds(turn) == ["Picture", "Text", *["Number", "Picture", "InputFile", "Text"] * 2]
    assert [figure.name for figure in turn.figures] == ["Figure 1", "Figure 2", "Figure 3"]
    files = [block.attachment for block in turn.blocks if isinstance(block, InputFile)]
    assert [(file.name, file.file) for file in files] == [
        ("File 1", "input-0.csv"),
        ("File 2", "input-1.csv"),
    ]


def test_a_figure_bears_the_same_name_under_every_protocol() -> None:
    names = {
        block.figure.file: block.figure.name
        for turn in shown_turns(TWO, "oracle_scaffolded", "multimodal")
        for block in turn.blocks
        if isinstance(block, Picture)
    }
    assert names == {
        "header-0.png": "Figure 1",
        "figure-0-0.png": "Figure 2",
        "figure-1-0.png": "Figure 3",
    }


@pytest.mark.parametrize("mode", MODES)
def test_a_mode_decides_what_stands_for_a_figure(mode: ShownMode) -> None:
    (turn,) = shown_turns(TWO, "full_problem", mode)
    first = turn.blocks[0]
    expected: dict[str, type] = {"multimodal": Picture, "text_only": Described, "text_reader": Named}
    assert type(first) is expected[mode]
    assert [block for block in turn.blocks if isinstance(block, InputFile)]


def test_a_reader_may_be_given_beside_the_descriptions() -> None:
    (turn,) = turns(visible(TWO), "full_problem", "text_reader", descriptions=True)
    assert type(turn.blocks[0]) is Described


@pytest.mark.parametrize(("protocol", "mode"), [("oracle", "text_only"), ("full_problem", "text")])
def test_a_condition_there_isnt_is_refused(protocol: Any, mode: Any) -> None:
    with pytest.raises(UsageError, match="one of"):
        shown_turns(TWO, protocol, mode)
