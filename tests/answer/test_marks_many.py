"""Marks stay right, and linear, where an answer holds very many of them."""

from __future__ import annotations

import pytest

from grader.answer.marks import Rank, marks
from grader.answer.notation import normalise


@pytest.mark.parametrize("noise", ["\\boxed{" * 3000, "{" * 3000, "so " * 3000, "CCO -> CC=O " * 3000])
def test_a_box_after_much_noise_is_found(noise):
    raw = noise + "\n\\boxed{\\text{CC(C)=O}}"
    boxes = [raw[mark.start : mark.end] for mark in marks(normalise(raw)) if mark.rank is Rank.FINAL]
    assert boxes == ["\\text{CC(C)=O}"]


def test_an_escaped_or_unbalanced_brace_closes_no_other_box():
    raw = "\\boxed{a} } \\boxed{b{c}d} \\boxed{open"
    assert [raw[m.start : m.end] for m in marks(normalise(raw)) if m.rank is Rank.FINAL] == ["a", "b{c}d"]
