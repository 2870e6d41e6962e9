"""A favoured model is told from a judge that is lenient to all."""

from __future__ import annotations

import numpy as np
import pytest

from grader.archive.served import Served
from grader.audit.from_archive.kinship import judge_families, kin_of
from grader.audit.from_archive.preference import preference
from grader.audit.result import Audit, NotAudited
from grader.judge.cards import load_card
from tests.audit.acceptance import above, outcome
from tests.audit.leniency_at_once import p_of, preferred, sums
from tests.audit.marked_worlds import ASKED, MODELS, WORLDS, Marked, archives, drawn
from tests.audit.spot_checked import JUDGE, START, checked, flipping, lenient_to, simulated


class Calls:
    """An archive that knows what a card was served by."""

    def __init__(self, *models):
        self.models = models

    def served(self, card):
        return [Served(one, f"{one}-2026", 1, START, START, "key") for one in self.models]


def judged_by(points, *models):
    found = checked(points)
    found.archive = Calls(*models)
    return found


def flagged(audit):
    assert isinstance(audit, Audit)
    return [one.of for one in audit.measures if one.flagged]


def test_a_favoured_model_is_found_and_is_no_measure_for_the_others():
    found = preference(checked(simulated(lenient_to("b", 0.12), models=MODELS, seed=1)), JUDGE)
    # against others among which b is, each of them would seem disfavoured
    assert flagged(found) == ["model b against the others"]
    assert isinstance(found, Audit)
    assert found.says[0].startswith("Favours model b against the others: +")


def test_leniency_to_all_alike_is_no_preference():
    found = preference(checked(simulated(flipping(0.4, 0.0), models=MODELS, seed=2)), JUDGE)
    assert flagged(found) == []
    assert isinstance(found, Audit)
    assert found.says[0].startswith("No preference for a graded model was found; one of ")
    assert all((one.value or 0) > 0.1 for one in found.measures if one.name == "leniency")


def test_two_models_are_one_comparison():
    found = preference(checked(simulated(flipping(0.1, 0.1), models=("a", "b"), seed=2)), JUDGE)
    assert isinstance(found, Audit)
    (one,) = [one for one in found.measures if one.name == "leniency against others"]
    assert one.of == "model a against model b"
    assert one.p_adjusted == one.p


def test_the_judges_family_is_marked_and_tested_as_a_whole():
    models = ("claude-a", "gpt-x", "gpt-y", "qwen")
    points = simulated(flipping(0.05, 0.03), models=models, seed=5)
    own = points["model"].isin(["gpt-x", "gpt-y"]) & (points["human"] == 0)
    lifted = own & (points.index % 3 == 0)
    points["award"] = points["award"].mask(lifted, 1.0)
    points["status"] = points["status"].mask(lifted, "met")
    found = preference(judged_by(points, "openai/gpt-9"), JUDGE)
    assert "models of the same family as the judge against the others" in flagged(found)
    assert isinstance(found, Audit)
    kin = {one.of for one in found.measures if "(same family as the judge)" in one.of}
    assert {"model gpt-x (same family as the judge)", "model gpt-y (same family as the judge)"} <= kin
    assert any("family: openai; graded models of it: gpt-x and gpt-y" in note for note in found.notes)


def test_only_problems_judged_on_both_sides_are_compared():
    points = simulated(flipping(0.1, 0.1), models=("a", "b"), seed=2)
    first = int(points["problem_id"].str[1:].astype(int).max() // 2)
    points = points[(points["model"] == "a") | (points["problem_id"].str[1:].astype(int) < first)]
    found = preference(checked(points), JUDGE)
    assert isinstance(found, Audit)
    assert found.measures[0].problems == first


def test_few_marks_a_model_claim_nothing():
    points = simulated(lenient_to("b", 0.3), models=("a", "b", "c"), rate=0.03, seed=1)
    found = preference(checked(points), JUDGE)
    assert isinstance(found, Audit)
    assert found.indicative
    assert flagged(found) == []
    assert any("Not tested" in note for note in found.notes)


def test_one_model_can_not_be_favoured():
    found = preference(checked(simulated(flipping(0.1, 0.1), seed=2)), JUDGE)
    assert isinstance(found, NotAudited)
    assert "second model" in found.do


def test_a_card_says_its_family_before_its_calls_do():
    card = load_card("openai-gpt")
    assert judge_families(None, card.label) == {"openai"}
    # of a card that has been changed since only what served it is known
    assert judge_families(None, f"{card.name}@000000000000") == frozenset()
    assert judge_families(Calls("anthropic/claude-x"), f"{card.name}@000000000000") == {"anthropic"}  # type: ignore[arg-type]
    assert kin_of(frozenset({"anthropic"}), "claude-sonnet")
    assert not kin_of(frozenset(), "claude-sonnet")


def held_to_the_audit(world, runs, more, all_alike=0.0):
    """The simulation on arrays says of each archive what the audit says."""
    many = drawn(world, runs, seed=4, more=more, all_alike=all_alike)
    flags = preferred(sums(many))
    for run, archive in enumerate(archives(many)):
        accused = {one.split()[1] for one in flagged(preference(archive, JUDGE))}
        assert accused == {model for model, found in zip(MODELS, flags[run], strict=True) if found}


def test_what_is_simulated_is_what_the_audit_says():
    held_to_the_audit(ASKED, 2, 0.1)
    held_to_the_audit(ASKED, 1, 0.05, all_alike=0.09)


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_what_is_simulated_is_what_the_audit_says_everywhere(world):
    for more in (0.0, 0.05):
        held_to_the_audit(world, 5, more)


def test_planted_preference_is_found_and_sound_judges_are_not_accused_in_a_few_runs():
    found = outcome(ASKED, 250, 60).preferred
    assert found.found.value >= 0.90
    assert not above(found.false, 0.06)
    assert not above(found.others, 0.06)


@pytest.mark.slow
def test_planted_preference_is_found_and_sound_judges_are_not_accused():
    """As A2 must, of as many runs: .10 found in 90 % of runs or more, family error 6 % or less."""
    found = outcome(ASKED, 4_000, 2_000).preferred
    assert found.found.value >= 0.90
    assert found.false.value <= 0.06
    assert found.others.value <= 0.06


@pytest.mark.slow
def test_leniency_to_all_alike_accuses_no_model():
    found = outcome(Marked("lenient, centred"), 4_000, 1_000, all_alike=0.09).preferred
    assert found.found.value >= 0.90
    assert found.false.value <= 0.06
    assert found.others.value <= 0.06


def test_one_models_favour_is_not_held_against_another():
    """Of equal models a to c one that is behind by chance differs from the others, favoured d among them."""
    many = drawn(Marked("10 % flipped", share=0.1), 300, seed=6, more=0.10)
    found = sums(many)
    others = {one: [out for out in range(4) if out != one] for one in range(3)}
    sides = [[found.of(slice(None), some) for some in ([one], rest)] for one, rest in others.items()]
    against_all = np.stack([p_of(both) for both in sides])
    wrong = (against_all.min(axis=0) * len(MODELS) < 0.05).mean()
    assert wrong > 0.06
    assert preferred(found)[:, :3].any(axis=1).mean() <= 0.06
