"""A turn becomes one message: texts and images in order, an image before the text it belongs to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest

from grader.model.request import Message
from grader.problem.visible import Attachment, Figure, VisibleProblem, VisibleSubquestion
from grader.protocol.messages import message, opening
from grader.protocol.profile import Before, Profile, load_profile
from grader.protocol.scaffold import Scaffold
from grader.protocol.turns import Oracle, ShownMode, ShownProtocol, turns

PLAIN = load_profile("plain")

PROBLEM = VisibleProblem(
    "p",
    "A header.",
    (Figure("Figure 1", "a curve", "curve.png"),),
    (
        VisibleSubquestion(
            "p-1", "First?", (Figure("Figure 2", "", "b.png"),), (Attachment("File 1", "d.csv"),)
        ),
        VisibleSubquestion("p-2", "Second?", (), ()),
    ),
)


def messages(
    protocol: ShownProtocol,
    mode: ShownMode,
    profile: Profile = PLAIN,
    problem: VisibleProblem = PROBLEM,
    session: Literal["isolated", "shared"] = "isolated",
) -> list[Message]:
    granted = {"p-1": Scaffold("p-1", "It is {x}.")}
    shown = turns(problem, protocol, mode, granted, Oracle("previous", session))
    return [
        message(
            turn,
            protocol,
            profile,
            lambda figure: f"digest of {figure.file}",
            lambda one: f"content of {one.file}",
        )
        for turn in shown
    ]


def texts(mode: ShownMode, protocol: ShownProtocol = "full_problem", **more: Any) -> list[str]:
    return [one["content"] for one in messages(protocol, mode, **more)]


def test_a_message_without_images_is_one_text() -> None:
    first = "Figure 1: a curve\n\nA header.\n\n(1)\n\nFigure 2\n\nFile 1:\ncontent of d.csv\n\nFirst?"
    assert texts("text_only") == [f"{first}\n\n(2)\n\nSecond?"]


def test_a_figure_of_text_reader_is_its_name_alone() -> None:
    assert texts("text_reader", "sequential_carry") == [
        "Figure 1\n\nA header.\n\nFigure 2\n\nFile 1:\ncontent of d.csv\n\nFirst?",
        "Second?",
    ]


def test_an_image_stands_between_its_name_and_the_text_it_belongs_to() -> None:
    (shown,) = messages("full_problem", "multimodal")
    assert shown["content"] == [
        {"type": "text", "text": "Figure 1"},
        {"type": "image_url", "image_url": {"url": "image:digest of curve.png"}},
        {"type": "text", "text": "A header.\n\n(1)\n\nFigure 2"},
        {"type": "image_url", "image_url": {"url": "image:digest of b.png"}},
        {"type": "text", "text": "File 1:\ncontent of d.csv\n\nFirst?\n\n(2)\n\nSecond?"},
    ]


def test_a_turn_of_multimodal_that_shows_no_image_is_one_text() -> None:
    assert texts("multimodal", "sequential_carry")[1] == "Second?"


def test_an_image_needs_no_name_before_it() -> None:
    unnamed = replace(PLAIN, blocks=PLAIN.blocks.model_copy(update={"pictured": ""}))
    (shown,) = messages("full_problem", "multimodal", unnamed)
    assert [part["type"] for part in shown["content"]] == ["image_url", "text", "image_url", "text"]


def test_a_granted_result_stands_before_the_question() -> None:
    assert texts("text_only", "oracle_scaffolded")[1] == (
        "Figure 1: a curve\n\nA header.\n\nIt is {x}.\n\nSecond?"
    )


@pytest.mark.parametrize(
    ("protocol", "opened"), [("sequential_carry", [True, False]), ("full_problem", [True])]
)
def test_what_stands_before_a_conversation_stands_there_once(
    protocol: ShownProtocol, opened: list[bool]
) -> None:
    before = Before(full_problem="Before.", sequential_carry="Before.")
    shown = texts("text_only", protocol, profile=replace(PLAIN, before=before))
    assert [text.startswith("Before.\n\nFigure 1") for text in shown] == opened
    assert [text.count("Before.") for text in shown] == [int(one) for one in opened]


@pytest.mark.parametrize(("session", "opened"), [("isolated", [True, True]), ("shared", [True, False])])
def test_an_oracle_opens_each_of_its_conversations(session: Any, opened: list[bool]) -> None:
    profile = replace(PLAIN, before=Before(oracle_scaffolded="Before."))
    shown = texts("text_only", "oracle_scaffolded", profile=profile, session=session)
    assert [text.startswith("Before.") for text in shown] == opened


def test_a_system_message_is_sent_only_where_the_profile_has_one() -> None:
    assert opening(PLAIN) == ()
    assert opening(replace(PLAIN, before=Before(system="\n "))) == ()
    assert opening(replace(PLAIN, before=Before(system="A role."))) == (
        {"role": "system", "content": "A role."},
    )


def test_blank_texts_are_left_out_and_others_stay_as_they_were_written() -> None:
    subs = (VisibleSubquestion("p-1", "\n", (Figure("Figure 1", " ", "b.png"),), ()),)
    shown = messages("sequential_carry", "multimodal", problem=VisibleProblem("p", " ", (), subs))
    assert [part["type"] for part in shown[0]["content"]] == ["text", "image_url"]
    assert texts("text_only", problem=VisibleProblem("p", "", (), subs)) == ["(1)\n\nFigure 1"]
    spaced = VisibleProblem("p", "  a\tb \n", (), (VisibleSubquestion("p-1", " c\n\n", (), ()),))
    assert texts("text_only", problem=spaced) == ["  a\tb \n\n\n(1)\n\n c\n\n"]
