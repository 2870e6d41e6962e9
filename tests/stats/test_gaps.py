"""Gaps, their names and signs, and the kind of table that is published."""

from __future__ import annotations

import pandas as pd
import pytest

from grader.stats.gaps import KINDS, Ladder, ladders, mean_ladders
from tests.stats.marked import by_problem, subquestions

OFFSETS = (-9.0, -4.0, 0.0, 13.0)
"""What makes problems of one condition differ; they add up to nothing."""

FULL = {
    ("one", "multimodal"): 50.30,
    ("two", "multimodal"): 57.38,
    ("one", "text_only"): 40.06,
    ("two", "text_only"): 60.06,
    ("one", "text_reader"): 68.54,
    ("two", "text_reader"): 44.64,
}
ORACLE = {
    ("one", "multimodal"): 63.20,
    ("two", "multimodal"): 66.68,
    ("one", "text_only"): 41.18,
    ("two", "text_only"): 59.30,
    ("one", "text_reader"): 70.49,
    ("two", "text_reader"): 69.00,
}


def planted() -> pd.DataFrame:
    """Four problems of 100 marks for each of two models, so that shares in per cent are the planted ones."""
    frames = [
        by_problem([score + offset for offset in OFFSETS], 100, model=model, mode=mode, protocol=protocol)
        for protocol, scores in (("full_problem", FULL), ("oracle_scaffolded", ORACLE))
        for (model, mode), score in scores.items()
    ]
    return pd.concat(frames)


def printed(number: float) -> str:
    return f"{100 * number:.1f}"


def test_the_published_table_is_printed_from_unrounded_values() -> None:
    means = {one.held: one for one in mean_ladders(planted(), "protocol")}
    shares = {
        mode: [printed(one.shares[protocol].value) for protocol in ("full_problem", "oracle_scaffolded")]
        for mode, one in means.items()
    }
    assert shares == {
        "multimodal": ["53.8", "64.9"],
        "text_only": ["50.1", "50.2"],
        "text_reader": ["56.6", "69.7"],
    }
    gaps = [printed(means[mode].gaps["both"].difference.value) for mode in shares]
    assert gaps == ["11.1", "0.2", "13.2"]
    # rounded first, the last two would be another digit each: 0.1 and 13.1
    assert [f"{float(high) - float(low):.1f}" for low, high in shares.values()] == ["11.1", "0.1", "13.1"]


def test_reader_effects_are_printed_from_unrounded_values() -> None:
    found = {one.models[0]: one for one in ladders(planted(), "mode") if one.held == "full_problem"}
    effects = {model: one.gaps["reader"].difference.value for model, one in found.items()}
    assert {model: f"{100 * value:+.1f}" for model, value in effects.items()} == {
        "one": "+28.5",
        "two": "-15.4",
    }
    # rounded first: 68.5 - 40.1 = 28.4, and 44.6 - 60.1 = -15.5
    modes = ("text_reader", "text_only")
    rounded = [[float(printed(one.shares[mode].value)) for mode in modes] for one in found.values()]
    assert [f"{reader - text:+.1f}" for reader, text in rounded] == ["+28.4", "-15.5"]


def chain() -> pd.DataFrame:
    """One model, two problems of 10 marks, under all protocols: 4 + 5, 5 + 7, 8 + 8."""
    return pd.concat(
        [
            by_problem([4, 5], 10, protocol="full_problem"),
            by_problem([5, 7], 10, protocol="sequential_carry"),
            by_problem([8, 8], 10, protocol="oracle_scaffolded"),
        ]
    )


def test_each_gap_has_its_sign_and_its_conditions() -> None:
    (ladder,) = ladders(chain(), "protocol")
    assert {name: gap.difference.value for name, gap in ladder.gaps.items()} == {
        "integration": pytest.approx(3 / 20),
        "propagation": pytest.approx(4 / 20),
        "both": pytest.approx(7 / 20),
    }
    assert ladder.gaps["propagation"].conditions == (
        ("oracle_scaffolded", "multimodal"),
        ("sequential_carry", "multimodal"),
    )
    modes = [by_problem(marks, 10, mode=mode) for mode, marks in MODES.items()]
    (ladder,) = ladders(pd.concat(modes), "mode")
    assert {name: gap.difference.value for name, gap in ladder.gaps.items()} == {
        "modality": pytest.approx((9 - 6) / 20),
        "reader": pytest.approx((7 - 9) / 20),
    }
    assert ladder.gaps["reader"].conditions == (
        ("full_problem", "text_reader"),
        ("full_problem", "text_only"),
    )


MODES = {"multimodal": [3, 3], "text_only": [5, 4], "text_reader": [3, 4]}


def test_the_papers_names_change_two_places_and_no_value() -> None:
    names = {kind.name: kind.called(paper=True) for kind in KINDS}
    assert names == {
        "integration": "propagation",
        "propagation": "integration",
        "both": "both",
        "modality": "modality",
        "reader": "reader",
    }
    assert all(kind.called() == kind.name for kind in KINDS)


def test_a_gap_whose_interval_holds_zero_is_no_evidence() -> None:
    (ladder,) = ladders(chain(), "protocol")
    # gains of 3 and 1 of 10: 0.2 in the mean, with a standard error of 0.1 and one degree of freedom
    propagation = ladder.gaps["propagation"].difference
    assert propagation.se == pytest.approx(0.1)
    assert (propagation.low, propagation.high) == (-1.0, 1.0)  # 0.2 ± 12.7 * 0.1, within what can be
    assert not propagation.evidence


def test_unstated_conditions_enter_no_gap() -> None:
    frame = pd.concat([chain(), by_problem([0, 0], 10, protocol="unstated", mode="unstated")])
    assert len(ladders(frame, "protocol")) == 1
    assert ladders(chain().assign(mode="unstated"), "protocol") == []
    assert ladders(frame, "mode") == []


def test_p_is_adjusted_over_the_models_of_a_table() -> None:
    def model(name: str, carry: list[float]) -> pd.DataFrame:
        full = by_problem([2, 3, 4, 3], 10, model=name)
        return pd.concat([full, by_problem(carry, 10, model=name, protocol="sequential_carry")])

    found = ladders(pd.concat([model("one", [5, 7, 7, 7]), model("two", [3, 3, 5, 3])]), "protocol")
    one, two = (ladder.gaps["integration"] for ladder in found)
    assert one.difference.p is not None
    assert two.difference.p is not None
    assert one.difference.p < two.difference.p
    assert one.p_adjusted == pytest.approx(2 * one.difference.p)
    assert two.p_adjusted == pytest.approx(two.difference.p)


def mean(frame: pd.DataFrame) -> Ladder:
    (found,) = mean_ladders(frame, "protocol")
    return found


def test_a_mean_gap_is_over_the_models_that_have_both_conditions() -> None:
    half = by_problem([9, 9], 10, model="half", protocol="oracle_scaffolded")
    found = mean(pd.concat([chain(), half]))
    assert found.gaps["both"].models == ("m",)
    assert found.gaps["both"].difference.value == pytest.approx(7 / 20)
    assert found.shares["oracle_scaffolded"].value == pytest.approx((16 / 20 + 18 / 20) / 2)


def test_a_mean_gap_leaves_out_models_without_a_common_question() -> None:
    apart = [
        subquestions([("p0", "x", 1, 2)], model="apart"),
        subquestions([("p0", "y", 1, 2)], model="apart", protocol="oracle_scaffolded"),
    ]
    found = mean(pd.concat([chain(), *apart])).gaps["both"]
    assert found.models == ("m",)
    assert found.difference.value == pytest.approx(7 / 20)


def test_models_weigh_the_same_in_a_mean_and_share_their_problems() -> None:
    # gains of 4, 3 of 10 each; and of 1, 1 of 2 over one subquestion more of the first problem
    other = pd.concat(
        [
            subquestions([("p0", "a", 0, 10), ("p0", "b", 0, 4), ("p1", "a", 0, 10)], model="n"),
            subquestions(
                [("p0", "a", 3, 10), ("p0", "b", 1, 4), ("p1", "a", 2, 10)],
                model="n",
                protocol="oracle_scaffolded",
            ),
        ]
    )
    gap = mean(pd.concat([chain(), other])).gaps["both"].difference
    # m: 4 and 3 of 20; n: 4 of 14 and 2 of 10
    assert gap.value == pytest.approx((7 / 20 + 6 / 24) / 2)
    # without p0: (3/10 + 2/10) / 2; without p1: (4/10 + 4/14) / 2
    without = (1 / 4, (4 / 10 + 4 / 14) / 2)
    assert gap.se == pytest.approx((without[1] - without[0]) / 2)
    assert (gap.problems, gap.subquestions, gap.answers) == (2, 3, 10)
