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
from grader.protocol.turns import (
    MODES,
    PROTOCOLS,
    Granted,
    InputFile,
    Picture,
    Reading,
    ShownMode,
    ShownProtocol,
    Text,
    Turn,
    turns,
)
from tests.protocol.problems import PRIVATE, chain, chains

conditions = st.tuples(st.sampled_from(PROTOCOLS), st.sampled_from(MODES))


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
    for turn in turns(problem, *condition):
        kept = tuple(block for block in turn.blocks if not isinstance(block, Granted))
        assert not any(PRIVATE in text for text in _strings(dataclasses.replace(turn, blocks=kept)))


@given(chains())
def test_a_visible_problem_holds_nothing_private(problem: Problem) -> None:
    assert not any(PRIVATE in text for text in _strings(visible(problem)))


@given(chains(), st.sampled_from(MODES))
def test_oracle_grants_the_result_before_and_no_other(problem: Problem, mode: ShownMode) -> None:
    shown = turns(problem, "oracle_scaffolded", mode)
    for index, turn in enumerate(shown):
        granted = [block for block in turn.blocks if isinstance(block, Granted)]
        before = problem.subquestions[index - 1] if index else None
        if before is None or before.standard_result is None:
            assert granted == []
            assert turn.ungranted == (before.sub_id if before else None)
        else:
            assert granted == [Granted(before.standard_result, before.sub_id)]
            assert turn.ungranted is None


@given(chains(), st.sampled_from(["full_problem", "sequential_carry"]), st.sampled_from(MODES))
def test_only_oracle_grants(problem: Problem, protocol: ShownProtocol, mode: ShownMode) -> None:
    shown = turns(problem, protocol, mode)
    assert not any(isinstance(block, Granted) for turn in shown for block in turn.blocks)
    assert all(turn.ungranted is None for turn in shown)


@given(chains(), conditions)
def test_every_question_is_shown_once_and_in_order(
    problem: Problem, condition: tuple[ShownProtocol, ShownMode]
) -> None:
    shown = turns(problem, *condition)
    texts = [block.text for turn in shown for block in turn.blocks if isinstance(block, Text)]
    questions = [text for text in texts if text.startswith("question")]
    assert questions == [sub.text_open for sub in problem.subquestions]
    expected = len(shown) if condition[0] == "oracle_scaffolded" else 1
    assert texts.count(problem.header) == expected


def _kinds(turn: Turn) -> list[str]:
    return [type(block).__name__ for block in turn.blocks]


TWO = chain(2, [1, 1, 1], ["point", "point"], set())


def test_full_problem_is_one_turn_whose_questions_are_numbered() -> None:
    (turn,) = turns(TWO, "full_problem", "multimodal")
    assert turn.sub_id is None
    assert [block.text for block in turn.blocks if isinstance(block, Text)] == [
        "shared background",
        "(1)",
        "question 0",
        "(2)",
        "question 1",
    ]


def test_carry_is_one_conversation_that_opens_with_the_header() -> None:
    first, second = turns(TWO, "sequential_carry", "multimodal")
    assert (first.sub_id, first.continues, second.sub_id, second.continues) == ("p-0", False, "p-1", True)
    assert _kinds(first) == ["Picture", "Text", "Picture", "InputFile", "Text"]
    assert _kinds(second) == ["Picture", "InputFile", "Text"]


def test_oracle_opens_a_new_conversation_for_each_question() -> None:
    first, second = turns(TWO, "oracle_scaffolded", "multimodal")
    assert not any(turn.continues for turn in (first, second))
    assert _kinds(first) == ["Picture", "Text", "Picture", "InputFile", "Text"]
    assert _kinds(second) == ["Picture", "Text", "Granted", "Picture", "InputFile", "Text"]


def test_figures_stand_before_the_text_they_belong_to_under_neutral_names() -> None:
    (turn,) = turns(TWO, "full_problem", "multimodal")
    shown = [
        block.figure.name
        if isinstance(block, Picture)
        else getattr(block, "text", getattr(block, "name", ""))
        for block in turn.blocks
    ]
    assert shown == [
        "Figure 1", "shared background",
        "(1)", "Figure 2", "input-0.csv", "question 0",
        "(2)", "Figure 3", "input-1.csv", "question 1",
    ]  # fmt: skip


def test_a_figure_bears_the_same_name_under_every_protocol() -> None:
    names = {
        block.figure.file: block.figure.name
        for turn in turns(TWO, "oracle_scaffolded", "multimodal")
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
    (turn,) = turns(TWO, "full_problem", mode)
    first = turn.blocks[0]
    expected: dict[str, type] = {"multimodal": Picture, "text_only": Text, "text_reader": Reading}
    assert type(first) is expected[mode]
    texts = " ".join(block.text for block in turn.blocks if isinstance(block, Text))
    assert ("what header-0 shows" in texts) == (mode == "text_only")
    assert [block for block in turn.blocks if isinstance(block, InputFile)]


@pytest.mark.parametrize(("protocol", "mode"), [("oracle", "text_only"), ("full_problem", "text")])
def test_a_condition_there_isnt_is_refused(protocol: Any, mode: Any) -> None:
    with pytest.raises(UsageError, match="one of"):
        turns(TWO, protocol, mode)
