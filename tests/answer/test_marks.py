"""What a response marks as its answer."""

from __future__ import annotations

import pytest

from grader.answer.marks import Marked, Rank
from grader.answer.notation import normalise

MARKED = [
    (r"so $\boxed{X}$", Rank.FINAL),
    (r"\boxed{\text{X}}", Rank.FINAL),
    ("[ANSWER]X[/ANSWER]", Rank.FINAL),
    ("<choice>X</choice>", Rank.FINAL),
    ('{"answer": "X"}', Rank.FINAL),
    ("Final answer: X", Rank.FINAL),
    ("**Final Answer:**\n\nX", Rank.FINAL),
    ("ANSWER: X", Rank.ANSWER),
    ("**Answer: X**, see step 3", Rank.ANSWER),
    ("The answer is X.", Rank.ANSWER),
    ("it is **X** then", Rank.BOLD),
    ("it is `X` then", Rank.CODE),
    ("```\nX\n```", Rank.CODE),
    ("hence X", Rank.CONCLUDED),
    ("it is X then", Rank.PLAIN),
    ("**X:** heading", Rank.PLAIN),
    ("**Step 1: X**", Rank.PLAIN),
]


@pytest.mark.parametrize(("raw", "rank"), MARKED)
def test_a_mark_ranks_what_it_holds(raw: str, rank: Rank) -> None:
    at = raw.index("X")
    assert Marked(normalise(raw)).rank(at, at + 1) is rank


def test_a_reason_after_the_answer_is_not_the_answer() -> None:
    raw = "Answer: X because Y is too small"
    at = raw.index("Y")
    assert Marked(normalise(raw)).rank(at, at + 1) is Rank.PLAIN
