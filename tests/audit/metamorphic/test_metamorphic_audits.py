"""Planted judges are found by what they do, and sound ones are left alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from rdkit import Chem

from grader.audit.metamorphic.audits import invariance, sensitivity
from grader.audit.metamorphic.pair import Outcome, Pair
from grader.audit.metamorphic.pairs import pairs_of
from grader.audit.result import Audit, Measure, NotAudited
from grader.problem.model import Point
from tests.audit.acceptance import flagged
from tests.audit.scripted_judges import PAIRS, SLIPS, blind, flipping, outcome, random_flips, rewritten

CHIRAL = (
    "C[C@H](O)C(=O)O", "C[C@H](N)C(=O)O", "CC[C@H](C)O", "N[C@@H](CO)C(=O)O", "CN1CCC[C@H]1c1cccnc1",
    "C[C@@H](O)c1ccccc1", "CC[C@@H](C)Br", "OC(=O)[C@@H]1CCCN1", "C[C@@H]1CO1", "CC(C)[C@H](N)C(=O)O",
    "N[C@@H](Cc1ccccc1)C(=O)O", "CSCC[C@H](N)C(=O)O", "C[C@H](O)CC(=O)O", "OC[C@H](O)C=O", "CC[C@H](O)C#C",
    "C[C@H](Cl)C(=O)O", "C[C@@H](F)CC", "CC1=CC[C@H](CC1)C(C)=C", "O[C@@H]1CCCC[C@H]1O", "C[C@H](S)CO",
)  # fmt: skip


def measure(audit: Audit | NotAudited, name: str, of: str = "") -> Measure:
    assert isinstance(audit, Audit)
    (one,) = (one for one in audit.measures if (one.name, one.of) == (name, of))
    return one


@pytest.mark.slow
def test_a_rise_of_ten_points_is_flagged_and_none_is_not() -> None:
    """The requirement: from 3 to 13 % at 200 pairs in 90 % of runs or more, from 3 to 3 % in 6 % or fewer.

    The latter is far below: McNemar's test is exact, and has few flips to go by.
    """
    runs = 1_000
    assert PAIRS == 200
    assert SLIPS == 0.03
    assert sum(rise_flagged(seed, 0.10) for seed in range(runs)) / runs >= 0.90
    assert sum(rise_flagged(runs + seed, 0.0) for seed in range(runs)) / runs <= 0.06


def test_a_rise_of_ten_points_is_flagged_and_none_is_not_in_a_few_runs() -> None:
    assert sum(rise_flagged(seed, 0.10) for seed in range(50)) >= 0.90 * 50
    assert sum(rise_flagged(seed, 0.0) for seed in range(50)) <= 0.06 * 50


def rise_flagged(seed: int, rise: float) -> bool:
    return measure(rewritten(seed, rise), "rise of the flip rate").flagged


@pytest.mark.slow
def test_a_judge_that_flips_whatever_it_is_asked_is_not_one_that_minds_rewritings() -> None:
    found = flagged(random_flips, 0.1, 1_000)
    assert found.value <= 0.06


@pytest.mark.slow
def test_overlooked_stereocentres_are_found_and_slips_are_not_called_so() -> None:
    assert flagged(blind, 0.0, 1_000).value <= 0.06
    assert flagged(blind, 0.25, 300, first=5_000).value >= 0.90


def test_rates_bounds_and_what_would_have_been_found_are_all_said() -> None:
    flipped = [outcome(at, 1.0, 1.0, 0.0) for at in range(12)]
    stable = [outcome(at, 1.0, 1.0, 1.0) for at in range(12, 200)]
    audit = invariance([*flipped, *stable], "j@1")
    assert isinstance(audit, Audit)
    rate = measure(audit, "flip rate, rewritten")
    assert (rate.value, rate.n, rate.problems) == (12 / 200, 200, 40)
    assert rate.high == pytest.approx(0.0958, abs=5e-4)  # Clopper-Pearson, one-sided
    assert measure(audit, "flip rate, repeated").value == 0
    rise = measure(audit, "rise of the flip rate")
    assert rise.flagged
    assert rise.p == pytest.approx(2 * 0.5**12)
    assert rise.detectable is not None
    assert measure(audit, "credit shift").value == pytest.approx(-12 / 200)
    assert len(audit.cases) == 12
    assert audit.cases[0].calls == ("before-0", "after-0")
    assert not audit.indicative
    assert "6.0 % of 200" in audit.says[0]


def test_a_flip_that_asking_again_shows_too_is_no_case() -> None:
    audit = invariance([outcome(0, 1.0, 0.0, 0.0), outcome(1, 1.0, 1.0, 1.0)], "j@1")
    assert isinstance(audit, Audit)
    assert audit.cases == ()
    assert audit.indicative
    assert "could not have shown any" in audit.says[0]


def test_flips_of_one_problem_alone_are_not_a_rise_everywhere() -> None:
    rows = [outcome(at, 1.0, 1.0, float(at % 40 != 0)) for at in range(400)]
    rise = measure(invariance(rows, "j@1"), "rise of the flip rate")
    assert rise.p is not None
    assert rise.p < 0.01  # McNemar's, as if the ten pairs were independent
    assert rise.low is not None
    assert rise.low < 0
    assert not rise.flagged


def test_what_is_undetermined_is_counted_and_no_verdict() -> None:
    rows = [outcome(at, 1.0, 1.0, 1.0) for at in range(8)]
    rows += [outcome(8, 1.0, 1.0, None), outcome(9, 1.0, None, 1.0), outcome(10, None, 1.0, 1.0)]
    audit = invariance(rows, "j@1")
    assert isinstance(audit, Audit)
    assert measure(audit, "flip rate, rewritten").n == 8
    assert measure(audit, "undetermined after a rewriting").value == pytest.approx(1 / 10)
    assert any("3 of 11 pairs lack a verdict" in note for note in audit.notes)


def test_nothing_to_measure_is_said_and_never_a_zero() -> None:
    for audit in (
        invariance([], "j@1"),
        invariance([outcome(0, 1.0, None, 1.0)], "j@1"),
        sensitivity([outcome(0, 0.0, None, 0.0, law="sensitive")], "j@1"),
    ):
        assert isinstance(audit, NotAudited)
        assert audit.why
        assert audit.do


def test_kinds_are_tested_with_holms_correction() -> None:
    rows = [outcome(at, 1.0, 1.0, float(at >= 9), kind="kekule_form") for at in range(60)]
    rows += [outcome(at, 1.0, 1.0, 1.0, kind="random_smiles") for at in range(60)]
    audit = invariance(rows, "j@1")
    guilty = measure(audit, "rise of the flip rate", "kind kekule_form")
    assert guilty.p == pytest.approx(2 * 0.5**9)
    assert guilty.p_adjusted == pytest.approx(4 * 0.5**9)
    assert guilty.flagged
    assert not measure(audit, "rise of the flip rate", "kind random_smiles").flagged
    assert isinstance(audit, Audit)
    assert "kekule_form" in audit.says[1]


def test_sixty_answers_without_a_miss_bound_the_miss_rate() -> None:
    rows = [outcome(at, 1.0, None, 0.0, law="sensitive", kind="tenfold") for at in range(60)]
    audit = sensitivity(rows, "j@1")
    rate = measure(audit, "miss rate")
    assert (rate.value, rate.flagged) == (0, False)
    assert rate.high == pytest.approx(0.049, abs=5e-4)
    assert isinstance(audit, Audit)
    assert not audit.indicative


def test_only_an_answer_that_earned_something_can_lose_it() -> None:
    rows = [
        outcome(0, 1.0, None, 0.0, law="sensitive"),
        outcome(1, 0.0, None, 0.0, law="sensitive"),
        outcome(2, 1.0, None, 0.5, law="sensitive"),
        outcome(3, 0.5, None, 0.5, law="sensitive"),
        outcome(4, 1.0, None, None, law="sensitive"),
    ]
    audit = sensitivity(rows, "j@1")
    assert isinstance(audit, Audit)
    assert measure(audit, "miss rate").value == pytest.approx(1 / 3)
    assert [case.where for case in audit.cases] == ["p3/a/3"]
    assert any("1 answers earned nothing" in note for note in audit.notes)
    assert measure(audit, "undetermined with one thing wrong").value == pytest.approx(1 / 4)


Judge = Callable[[str, str], float]
"""The award of an answer, given the right structure."""


def sound(answer: str, right: str) -> float:
    return float(Chem.CanonSmiles(answer.split("`")[1]) == Chem.CanonSmiles(right))


def blind_to_stereo(answer: str, right: str) -> float:
    flat = [
        Chem.MolToSmiles(Chem.MolFromSmiles(one), isomericSmiles=False)
        for one in (answer.split("`")[1], right)
    ]
    return float(flat[0] == flat[1])


def by_letters(answer: str, right: str) -> float:
    return float(f"`{right}`" in answer)


def judged(judge: Judge) -> list[Outcome]:
    found = []
    for number, smiles in enumerate(CHIRAL):
        point = Point(id="1", points=1, text=f"Product: `{smiles}`")
        kinds = ["random_smiles", "explicit_hydrogens", "stereocentre_inverted", "methylene_added"]
        for seed in range(2):
            for pair in pairs_of(f"It is `{smiles}`.", point, kinds, seed):
                assert isinstance(pair, Pair), pair
                before, after = judge(pair.before, smiles), judge(pair.after, smiles)
                found.append(Outcome(pair, f"p{number}", f"p{number}/a/1", before, before, after))
    return found


def test_a_judge_that_ignores_stereochemistry_is_found_and_a_sound_one_is_not() -> None:
    blind, well = judged(blind_to_stereo), judged(sound)
    found = sensitivity(blind, "blind@1")
    assert measure(found, "miss rate", "kind stereocentre_inverted").flagged
    assert measure(found, "miss rate", "kind stereocentre_inverted").value == 1
    assert not measure(found, "miss rate", "kind methylene_added").flagged
    assert isinstance(found, Audit)
    assert "stereocentre_inverted" in found.says[1]
    assert not any(one.flagged for one in _measures(invariance(blind, "blind@1")))
    for audit in (sensitivity(well, "sound@1"), invariance(well, "sound@1")):
        assert not any(one.flagged for one in _measures(audit))


def test_a_judge_that_compares_letters_is_found_by_rewritings() -> None:
    rows = judged(by_letters)
    assert measure(invariance(rows, "letters@1"), "rise of the flip rate").flagged
    assert not any(one.flagged for one in _measures(sensitivity(rows, "letters@1")))


def _measures(audit: Audit | NotAudited) -> tuple[Measure, ...]:
    assert isinstance(audit, Audit)
    return audit.measures


def test_equal_outcomes_make_equal_audits_in_any_order_of_kinds() -> None:
    rows = flipping(np.random.default_rng(1), 60, 0.1, 0.2)
    other = [replace(one, pair=replace(one.pair, kind="kekule_form")) for one in rows]
    one, two = (invariance(some, "j@1") for some in ([*rows, *other], [*other, *rows]))
    assert _measures(one)[:3] == _measures(two)[:3]
    assert sorted(map(repr, _measures(one))) == sorted(map(repr, _measures(two)))
