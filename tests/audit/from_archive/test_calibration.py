"""Overconfidence is found, calibrated confidence isn't accused, small samples say how little they show."""

from __future__ import annotations

import numpy as np
import pytest

from grader.audit.from_archive.calibration import calibration
from grader.audit.result import Audit, NotAudited
from tests.audit.spot_checked import JUDGE, checked, flipping, simulated


def stating(confidence, *, points=20, seed=0, rate=0.6):
    """A judge that states ``confidence`` (what, of how many) and is right with ``chance`` (of what)."""
    frame = simulated(flipping(0, 0), points=points, rate=rate, seed=seed, only_marked=True)
    rng = np.random.default_rng(seed)
    stated, chance = confidence(rng, len(frame))
    wrong = rng.random(len(frame)) > chance
    award = np.where(wrong, 1 - frame["human"], frame["human"])
    return frame.assign(award=award, status=np.where(award == 1, "met", "not_met"), confidence=stated)


def calibrated(rng, n):
    stated = rng.choice([0.6, 0.75, 0.9, 0.99], n)
    return stated, stated


def overconfident(rng, n):
    stated = rng.choice([0.6, 0.75, 0.9, 0.99], n)
    return stated, stated - 0.15


def same_for_all(rng, n):
    return np.full(n, 0.8), np.full(n, 0.8)


def audit(points):
    found = calibration(checked(points), JUDGE)
    assert isinstance(found, Audit)
    return found, {one.name: one for one in found.measures if not one.of}


def test_an_overconfident_judge_is_found():
    found, named = audit(stating(overconfident))
    over = named["confidence minus share right"]
    assert over.value == pytest.approx(0.15, abs=0.04)
    assert over.flagged
    assert named["ECE"].flagged
    assert found.says[0].startswith("Overconfident: it states 82.0 % on average and is right in 68.0 %")
    change = named["change of the Brier score if recalibrated"]
    assert change.high is not None
    assert change.high < 0


def test_nothing_is_claimed_of_a_calibrated_judge():
    found, named = audit(stating(calibrated))
    assert not any(one.flagged for one in found.measures)
    assert named["AUROC"].low is not None
    assert named["AUROC"].low > 0.5
    assert any(said.startswith("No evidence of over- or underconfidence") for said in found.says)
    assert any("would have been detectable" in said for said in found.says)


def test_the_ece_comes_with_what_a_perfect_judge_would_show():
    _, named = audit(stating(calibrated))
    null = named["ECE if perfectly calibrated, 95 % quantile"]
    ece = named["ECE"]
    assert ece.n >= 500
    assert null.value is not None
    assert ece.value is not None
    assert ece.value < null.value


def test_no_ece_of_few_verdicts_though_the_null_is_told():
    found, named = audit(stating(overconfident, points=6))
    assert named["ECE"].value is None
    assert named["ECE if perfectly calibrated, 95 % quantile"].value is not None
    assert any("No ECE under 500" in note for note in found.notes)
    assert named["confidence minus share right"].flagged


def test_the_reliability_table_holds_all_verdicts():
    found, named = audit(stating(overconfident))
    rows = [one for one in found.measures if one.name == "share right"]
    assert [one.of for one in rows] == [f"confidence {one}" for one in ("0.60", "0.75", "0.90", "0.99")]
    assert sum(one.n for one in rows) == named["Brier score"].n
    mended = [one.value for one in found.measures if one.name == "mean confidence if recalibrated"]
    for value, stated in zip(mended, (0.6, 0.75, 0.9, 0.99), strict=True):
        assert value == pytest.approx(stated - 0.15, abs=0.08)


def test_one_and_the_same_confidence_tells_nothing():
    found, named = audit(stating(same_for_all))
    assert named["AUROC"].detectable is None
    assert (named["AUROC"].value, named["AUROC"].low, named["AUROC"].high) == (0.5, 0.5, 0.5)
    assert any(
        said.startswith("No evidence that its confidence tells right from wrong") for said in found.says
    )


def test_a_confidence_that_tells_nothing_comes_with_the_auroc_that_would_have_been_found():
    """Two confidences by lot, verdicts right in 80 %."""
    found, named = audit(stating(lambda rng, n: (rng.choice([0.7, 0.9], n), np.full(n, 0.8))))
    area = named["AUROC"]
    assert area.detectable is not None
    assert area.low is not None
    assert area.low < 0.5 < area.detectable < 0.6
    said = f"AUROC {area.value:.2f}; {area.detectable:.2f} would have been found."
    assert any(one.endswith(said) for one in found.says)


def test_a_judge_that_is_always_right_has_no_auroc():
    found, named = audit(stating(lambda rng, n: (rng.choice([0.8, 0.9], n), np.ones(n)), points=5))
    assert named["AUROC"].value is None
    assert any("can't be said" in said for said in found.says)


def test_missing_confidences_are_counted_and_left_out():
    points = stating(calibrated)
    points.loc[:99, "confidence"] = np.nan
    found, named = audit(points)
    assert named["verdicts without confidence"].value == 100
    assert named["Brier score"].n == len(points) - 100
    assert any(note.startswith("100 marked verdicts without a confidence") for note in found.notes)


def test_a_judge_without_confidence_and_code_are_not_audited():
    points = stating(calibrated, points=5).assign(confidence=np.nan)
    silent = calibration(checked(points), JUDGE)
    assert isinstance(silent, NotAudited)
    assert silent.why == "the judge stated no confidence"
    assert isinstance(calibration(checked(points), "formal"), NotAudited)


def test_equal_seeds_give_equal_results():
    points = stating(calibrated, points=5)
    first, second, other = (calibration(checked(points), JUDGE, seed=seed) for seed in (1, 1, 2))
    assert first == second
    assert first != other


def test_one_problem_gives_values_without_intervals():
    points = stating(overconfident)
    found, named = audit(points[points["problem_id"] == "p1"])
    assert found.indicative
    assert named["Brier score"].value is not None
    assert named["Brier score"].low is None
    assert not any(one.flagged for one in found.measures)
