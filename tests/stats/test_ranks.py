"""Rank intervals against hand computation and against pairwise differences one by one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from grader.stats.estimate import Difference, difference
from grader.stats.multiple import holm
from grader.stats.ranks import Rank, rankings
from tests.stats.marked import by_problem, subquestions

BEST = [4.0, 4.0, 3.0, 4.0, 4.0, 3.0]
GOOD = [1.0, 2.0, 1.0, 1.0, 2.0, 1.0]
SAME = [2.0, 1.0, 1.0, 1.0, 1.0, 2.0]


def three() -> pd.DataFrame:
    marks = {"good": GOOD, "best": BEST, "same": SAME}
    return pd.concat([by_problem(one, 4, model=name) for name, one in marks.items()])


def test_models_that_cannot_be_told_apart_share_their_ranks() -> None:
    (found,) = rankings(three())
    assert (found.protocol, found.mode, found.unequal) == ("full_problem", "multimodal", False)
    assert [(one.model, one.rank, one.low, one.high) for one in found.ranks] == [
        ("best", 1, 1, 1),
        ("good", 2, 2, 3),
        ("same", 2, 2, 3),
    ]


def test_open_points_that_can_overturn_a_pair_widen_its_ranks() -> None:
    rows = [(f"p{n}", "a", mark, 4.0) for n, mark in enumerate(BEST)]
    doubtful = subquestions(rows, model="best", low=2.5)
    frame = pd.concat([doubtful, three().query("model != 'best'")])
    (found,) = rankings(frame)
    assert [(one.low, one.high, one.low_if_open, one.high_if_open) for one in found.ranks] == [
        (1, 1, 1, 3),
        (2, 3, 1, 3),
        (2, 3, 1, 3),
    ]


def test_each_condition_has_a_ranking_of_its_own() -> None:
    text = pd.concat(
        [by_problem(BEST, 4, model="good", mode="text_only"), by_problem(GOOD, 4, mode="text_only")]
    )
    found = rankings(pd.concat([three(), text]))
    assert [(one.mode, [rank.model for rank in one.ranks]) for one in found] == [
        ("multimodal", ["best", "good", "same"]),
        ("text_only", ["good", "m"]),
    ]


def test_a_single_model_is_first_of_one() -> None:
    (found,) = rankings(by_problem(BEST, 4))
    assert [(one.rank, one.low, one.high) for one in found.ranks] == [(1, 1, 1)]


def test_one_problem_ranks_nobody_for_sure() -> None:
    frame = pd.concat([by_problem([4], 4, model="a"), by_problem([0], 4, model="b")])
    (found,) = rankings(frame)
    assert [(one.rank, one.low, one.high) for one in found.ranks] == [(1, 1, 2), (2, 1, 2)]


def test_models_without_a_common_question_cannot_be_told_apart() -> None:
    frame = pd.concat([by_problem(BEST, 4, model="a")[:3], by_problem(GOOD, 4, model="b")[3:]])
    (found,) = rankings(frame)
    assert [(one.rank, one.low, one.high) for one in found.ranks] == [(1, 1, 2), (2, 1, 2)]


def test_models_that_answered_other_questions_are_compared_on_the_common_ones() -> None:
    partial = by_problem(BEST, 4, model="best")[:4]
    (found,) = rankings(pd.concat([partial, three().query("model != 'best'")]))
    assert found.unequal
    one = difference(partial, by_problem(GOOD, 4))
    assert one is not None
    assert one.subquestions == 4


@pytest.mark.parametrize("macro", [False, True])
def test_rank_intervals_are_those_of_pairwise_differences(macro: bool) -> None:
    rng = np.random.default_rng(5)
    frames = {f"m{n}": ragged(rng, f"m{n}", n / 10) for n in range(7)}
    (found,) = rankings(pd.concat(frames.values()), macro=macro)
    pairs = list(combinations(frames, 2))
    found_pairs = [difference(frames[a], frames[b], macro=macro) for a, b in pairs]
    adjusted = holm([one.p for one in found_pairs if one])
    for rank in found.ranks:
        assert (rank.low, rank.high) == expected(rank, pairs, found_pairs, adjusted)
    assert any(one.low > 1 for one in found.ranks)
    assert any(one.low < one.high for one in found.ranks)


def ragged(rng: np.random.Generator, model: str, level: float) -> pd.DataFrame:
    """Twelve problems of up to three subquestions, some of them unanswered."""
    rows = [
        (f"p{k}", f"{k}{s}", float(rng.binomial(4, 0.2 + level)), 4.0) for k in range(12) for s in range(3)
    ]
    return subquestions([row for row in rows if rng.random() < 0.9], model=model)


def expected(
    rank: Rank,
    pairs: list[tuple[str, str]],
    found: list[Difference | None],
    adjusted: list[float | None],
) -> tuple[int, int]:
    better = worse = 0
    for (first, second), one, p in zip(pairs, found, adjusted, strict=True):
        if one is None or p is None or p > 0.05 or rank.model not in (first, second):
            continue
        ahead = first if one.value > 0 else second
        better, worse = better + (ahead != rank.model), worse + (ahead == rank.model)
    return 1 + better, 7 - worse
