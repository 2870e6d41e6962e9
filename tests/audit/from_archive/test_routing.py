"""The error rate of what nobody looks at is never taken from what people were sent."""

from __future__ import annotations

import numpy as np
import pytest

from grader.audit.from_archive.labels import labels
from grader.audit.from_archive.risk import Routed, accepted_error
from grader.audit.from_archive.routing import routing
from grader.audit.result import Audit, NotAudited
from tests.audit.spot_checked import JUDGE, checked, flipping, simulated


def routed(error_of, *, rates=(0.5, 0.5), doubtful=0.25, seed=0, points=20):
    """Doubted verdicts state 0.4 and err at ``error_of[1]``, accepted ones 0.9 and at ``error_of[0]``."""
    frame = simulated(flipping(0, 0), points=points, rate=1.0, seed=seed)
    rng = np.random.default_rng(seed)
    doubted = rng.random(len(frame)) < doubtful
    award = np.where(
        rng.random(len(frame)) < np.where(doubted, error_of[1], error_of[0]),
        1 - frame["human"],
        frame["human"],
    )
    rate = np.where(doubted, rates[1], rates[0])
    drawn = rng.random(len(frame)) < rate
    return frame.assign(
        award=award,
        status=np.where(award == 1, "met", "not_met"),
        doubted=doubted,
        confidence=np.where(doubted, 0.4, 0.9),
        stratum=np.where(doubted, "doubtful", "confident"),
        rate=rate,
        drawn=drawn,
        human=frame["human"].where(drawn),
    )


def audit(points, **settings):
    found = routing(checked(points), JUDGE, **settings)
    assert isinstance(found, Audit), found
    return found, {(one.name, one.of): one for one in found.measures}


def test_accepted_verdicts_have_their_own_error_rate_with_an_exact_bound():
    points = routed((0.05, 0.5))
    _, named = audit(points)
    one = named["error rate of accepted verdicts", ""]
    own = points[points["drawn"] & ~points["doubted"]]
    wrong = int((own["award"] != own["human"]).sum())
    from scipy.stats import binomtest

    exact = binomtest(wrong, len(own), alternative="less").proportion_ci(0.95).high
    assert one.n == len(own)
    assert one.value == pytest.approx(wrong / len(own))
    assert one.high == pytest.approx(exact)
    assert one.low is None
    assert named["error rate of doubted verdicts", ""].value == pytest.approx(0.5, abs=0.1)


def test_no_error_seen_is_bounded():
    found, named = audit(routed((0.0, 0.5)))
    one = named["error rate of accepted verdicts", ""]
    assert one.value == 0
    assert one.high == pytest.approx(1 - 0.05 ** (1 / one.n))
    assert "0.0 % are wrong, at most " in found.says[0]


def test_unequal_rates_are_weighed():
    """Doubted verdicts marked ten times as often must not stand for ten times as many errors."""
    points = routed((0.1, 0.5), rates=(0.09, 0.9), doubtful=0.2, points=60)
    _, named = audit(points)
    # 0.8 * 0.1 + 0.2 * 0.5 errors, of which half are doubted
    whole = named["error rate of all verdicts", ""]
    assert whole.value == pytest.approx(0.18, abs=0.04)
    caught = named["share of errors caught", ""]
    assert caught.value == pytest.approx(0.1 / 0.18, abs=0.12)
    assert caught.low is not None
    assert caught.high is not None
    assert caught.low < 0.1 / 0.18 < caught.high


def test_good_routing_catches_more_than_chance_and_its_cost_is_told():
    points = routed((0.05, 0.5))
    found, named = audit(points)
    above = named["errors caught beyond a random choice", ""]
    assert (above.low or 0) > 0
    assert named["share sent to people", ""].value == pytest.approx(points["doubted"].mean())
    # every second doubted verdict is wrong: two looks an error, 20 s each
    assert named["points looked at per caught error", ""].value == pytest.approx(2, abs=0.5)
    assert named["time per caught error", ""].value == pytest.approx(
        20 * (named["points looked at per caught error", ""].value or 0)
    )
    assert "points more than a random choice" in found.says[1]


def test_routing_of_a_random_flipper_is_no_better_than_chance():
    found, named = audit(routed((0.25, 0.25)))
    above = named["errors caught beyond a random choice", ""]
    assert above.low is not None
    assert above.high is not None
    assert above.low < 0 < above.high
    assert above.detectable is not None
    # the smallest difference found four times in five is 2.8 and more standard errors
    assert above.detectable > 2.8 * (above.high - above.low) / 4.2
    least = f"({100 * above.detectable:.1f} points would have shown)"
    assert f"no evidence that a random choice would catch fewer {least}" in found.says[1]


def test_the_curve_trades_risk_for_coverage():
    points = routed((0.05, 0.5))
    _, named = audit(points)
    everything, confident = (f"confidence at least {one}" for one in ("0.4", "0.9"))
    assert named["share sent to people", everything].value == 0
    assert named["share sent to people", confident].value == pytest.approx(points["doubted"].mean())
    risks = [named["error rate of accepted verdicts", of].value or 0 for of in (everything, confident)]
    assert risks[0] > risks[1]
    assert risks[1] == named["error rate of accepted verdicts", ""].value


def test_undetermined_points_and_unstated_confidences_go_to_people():
    points = routed((0.05, 0.5))
    points.loc[:119, ["award", "status", "human"]] = [np.nan, "undetermined", np.nan]
    points.loc[120:239, "confidence"] = np.nan
    _, named = audit(points)
    open_ones = points["doubted"] | points["award"].isna()
    assert named["share sent to people", ""].value == pytest.approx(open_ones.mean())
    assert named["share sent to people", "confidence at least 0.4"].value == pytest.approx(240 / 1200)


def test_marks_on_doubted_verdicts_alone_say_nothing_of_accepted_ones():
    found = routing(checked(routed((0.05, 0.5), rates=(0.0, 1.0), points=40)), JUDGE)
    assert isinstance(found, NotAudited)
    assert "confident verdict" in found.why
    assert "confident" in found.do


def test_of_doubted_verdicts_that_nobody_marked_at_random_nothing_is_said():
    found, named = audit(routed((0.05, 0.5), rates=(0.5, 0.0)))
    assert named["share of errors caught", ""].value is None
    assert named["error rate of all verdicts", ""].value is None
    assert named["error rate of accepted verdicts", "confidence at least 0.4"].value is None
    assert named["error rate of accepted verdicts", ""].value is not None
    assert "no doubted verdict is marked at random" in found.says[1]


def test_few_marks_are_refused_with_what_to_do():
    points = routed((0.05, 0.5), rates=(0.05, 0.05))
    found = routing(checked(points), JUDGE)
    assert isinstance(found, NotAudited)
    assert "too few" in found.why
    assert "Raise the rates confident and doubtful" in found.do
    points["human"] = np.nan
    assert isinstance(routing(checked(points), JUDGE), NotAudited)
    assert isinstance(routing(checked(points), "formal"), NotAudited)


def test_a_judge_that_doubts_everything_accepts_nothing():
    found = routing(checked(routed((0.05, 0.5)).assign(doubted=True, stratum="doubtful")), JUDGE)
    assert isinstance(found, NotAudited)
    assert "nothing is accepted" in found.why


def test_many_thresholds_are_thinned_out():
    points = routed((0.1, 0.3))
    points["confidence"] = np.random.default_rng(0).random(len(points))
    found, _ = audit(points)
    curve = [
        one for one in found.measures if one.of.startswith("confidence") and one.name.startswith("share")
    ]
    assert 15 <= len(curve) <= 20
    sent = [one.value or 0 for one in curve]
    assert sent == sorted(sent)
    assert sent[0] == 0


@pytest.mark.slow
def test_the_bound_holds():
    """A true error rate near 10 %, marks drawn at 0.3: the bound is above it in at least 95 % of draws."""
    runs, held = 150, 0
    for seed in range(runs):
        points = routed((0.1, 0.1), rates=(0.3, 0.3), seed=seed)
        truth = simulated(flipping(0, 0), rate=1.0, seed=seed)["human"]
        rate = float((points["award"] != truth)[~points["doubted"]].mean())
        one = accepted_error(Routed.of(labels(checked(points), JUDGE)), 0.95)
        held += (one.high or 0) >= rate
    assert held / runs >= 0.95
