"""What a response only reports, denies or takes back is not what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.answer.stance import Discourse, Stance

ASSERTED, HEDGED = Stance.ASSERTED, Stance.HEDGED
NEGATED, RETRACTED = Stance.NEGATED, Stance.RETRACTED

STANCES = [
    ("The obvious answer is 4.5.", RETRACTED),
    ("Many students pick 4.5, but that forgets the square.", RETRACTED),
    ("One might think it is 4.5.", RETRACTED),
    ("4.5 is what most textbooks say.", RETRACTED),
    ("It is tempting to say 4.5.", RETRACTED),
    ("I first marked 4.5.", RETRACTED),
    ("4.5 would be right if the gas were ideal.", RETRACTED),
    ("~~4.5~~", RETRACTED),
    ("A common mistake is to answer 4.5.", NEGATED),
    ("It is a misconception that it is 4.5.", NEGATED),
    ("In contrast to 4.5, the other is measured.", NEGATED),
    ("4.5, which ignores the square, is not the answer.", NEGATED),
    ("4.5, isn't it?", HEDGED),
    ("The obvious route is distillation, but the answer is 4.5.", ASSERTED),
    ("Many students know that; I say 4.5.", ASSERTED),
    ("There is no doubt that it is 4.5.", ASSERTED),
    ("4.5 seems reasonable.", ASSERTED),
    ("The answer is 4.5.", ASSERTED),
]


@pytest.mark.parametrize(("text", "stance"), STANCES)
def test_reports_denials_and_tags_are_told_from_assertions(text: str, stance: Stance) -> None:
    at = text.index("4.5")
    assert Discourse(text).stance(at, at + 3)[0] is stance


@pytest.mark.parametrize("word", ["EDIT:", "Update:", "Hmm,", "On reflection,"])
def test_a_turn_of_mind_is_found_where_it_starts(word: str) -> None:
    text = f"The answer is 4.5. {word} it is 9.0."
    assert any(text.index("4.5") < at < text.index("9.0") for at in Discourse(text).turns)


CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("stance_cases.jsonl").read_text(encoding="utf-8").splitlines()
]
"""Sentences with a value in brackets, and whether they assert it: supposed, reported and alternative
values, and harmless uses of the same words."""


@pytest.mark.parametrize("case", CASES, ids=[case["text"] for case in CASES])
def test_supposed_and_reported_values_are_told_from_conclusions(case: dict[str, Any]) -> None:
    marked = case["text"]
    at = marked.index("[4.5]")
    found, cue = Discourse(marked.replace("[4.5]", "4.5")).stance(at, at + 3)
    assert (found is ASSERTED) == case["asserted"], (found, cue)
