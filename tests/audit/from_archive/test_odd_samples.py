"""Audits of random marks on odd samples: no warning, nothing that isn't a number, the same each time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grader.audit.from_archive.agreement import agreement
from grader.audit.from_archive.calibration import calibration
from grader.audit.from_archive.leniency import leniency
from grader.audit.from_archive.preference import preference
from grader.audit.from_archive.routing import routing
from grader.audit.result import AUDITS, Audit
from tests.audit.spot_checked import JUDGE, checked, flipping, simulated


def odd(seed):
    """Few problems, missing confidences, undetermined points, vetoes, doubts at random."""
    rng = np.random.default_rng(seed)
    models = ("gpt-a", "b", "c")[: int(rng.integers(1, 4))]
    problems, held, rate = int(rng.integers(1, 8)), int(rng.integers(1, 9)), float(rng.choice([0.1, 0.5, 1]))
    judge = flipping(rng.choice([0, 0.1, 0.5]), rng.choice([0, 0.3]))
    points = simulated(judge, models=models, problems=problems, points=held, rate=rate, seed=seed)
    doubted = rng.random(len(points)) < 0.3
    points = points.assign(
        confidence=rng.choice([np.nan, 0.2, 0.9, 1.0], len(points)),
        doubted=doubted,
        stratum=np.where(doubted, "doubtful", "confident"),
    )
    undecided, veto = (rng.random(len(points)) < share for share in (0.1, 0.2))
    return checked(
        points.assign(
            award=points["award"].mask(undecided),
            status=points["status"].mask(undecided, "undetermined"),
            shape=points["shape"].mask(veto, "veto"),
            points=points["points"].mask(veto),
        )
    )


@pytest.mark.parametrize("audit", [agreement, leniency, preference, calibration, routing])
def test_odd_samples_have_a_result_or_a_reason(audit, monkeypatch):
    monkeypatch.setattr("grader.audit.from_archive.routing.MIN_POINTS", 1)
    assert audit(odd(0), JUDGE) == audit(odd(0), JUDGE)
    for seed in range(8):
        found = audit(odd(seed), JUDGE, seed=seed)
        assert found.id in AUDITS
        if not isinstance(found, Audit):
            assert found.why
            assert found.do
            continue
        assert found.indicative  # so few problems prove nothing
        assert not any(one.flagged for one in found.measures if audit is not agreement)
        for one in found.measures:
            numbers = [one.value, one.low, one.high, one.p, one.p_adjusted, one.detectable]
            assert all(number is None or math.isfinite(number) for number in numbers), one
            for low, high in ((one.low, one.value), (one.value, one.high)):
                assert low is None or high is None or low <= high + 1e-9, one
