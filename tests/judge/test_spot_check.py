"""The spot check draws each item with exactly the probability it stores, for good."""

from __future__ import annotations

from math import sqrt
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from grader.judge.card import SpotCheck
from grader.judge.routing import Doubt
from grader.judge.spot_check import Drawn, Stratum, draw, stratum_of
from grader.record import Finding, Reason, Status, Verdict

RATES = SpotCheck(confident=0.05, doubtful=0.1, formal=0.02, seed=7)
JUDGED = Verdict("1#1", Status.MET, "judge:careful@0123456789ab", award=1.0, confidence=0.9)


def sample(items: range, stratum: str, rates: SpotCheck) -> dict[int, Drawn]:
    drawn = {item: draw(f"item {item}", stratum, rates) for item in items}
    return {item: one for item, one in drawn.items() if one is not None}


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("stratum", ["confident", "doubtful", "formal"])
def test_the_share_drawn_is_the_stored_probability(stratum: str, seed: int) -> None:
    rates = RATES.model_copy(update={"seed": seed})
    items = 20_000
    p = getattr(rates, stratum)
    drawn = sample(range(items), stratum, rates)
    assert {one.probability for one in drawn.values()} == {p}
    assert abs(len(drawn) - items * p) < 4 * sqrt(items * p * (1 - p))


def test_growing_a_run_changes_no_earlier_draw() -> None:
    before = sample(range(2_000), "confident", RATES)
    after = sample(range(4_000), "confident", RATES)
    assert {item: one for item, one in after.items() if item < 2_000} == before
    assert len(after) > len(before)


def test_an_item_drawn_at_a_low_rate_is_drawn_at_a_higher_one() -> None:
    assert sample(range(5_000), "formal", RATES).keys() < sample(range(5_000), "doubtful", RATES).keys()


def test_another_seed_draws_other_items() -> None:
    other = RATES.model_copy(update={"seed": 8})
    one, two = (set(sample(range(5_000), "confident", rates)) for rates in (RATES, other))
    assert len(one & two) < len(one) / 2


@given(st.text(), st.sampled_from(list(Stratum)), st.integers(0, 2**63 - 1))
def test_drawing_again_draws_the_same_and_certainty_draws_everything(
    item: str, stratum: Stratum, seed: int
) -> None:
    rates = RATES.model_copy(update={"seed": seed})
    assert draw(item, stratum, rates) == draw(item, stratum, rates)
    certain = SpotCheck(confident=1, doubtful=1, formal=1, seed=seed)
    assert draw(item, stratum, certain) == Drawn(stratum, 1.0)


def test_a_weighted_sample_estimates_a_known_error_without_bias() -> None:
    """Horvitz and Thompson's estimate, over 300 seeds, of a population whose errors are known."""
    population = [("confident" if i % 4 else "doubtful", i % 4 == 0 and i % 3 == 0) for i in range(240)]
    wrong = sum(is_wrong for _, is_wrong in population)
    estimates = []
    for seed in range(300):
        rates = SpotCheck(confident=0.1, doubtful=0.3, seed=seed)
        drawn = [(draw(str(i), stratum, rates), bad) for i, (stratum, bad) in enumerate(population)]
        estimates.append(sum(bad / one.probability for one, bad in drawn if one is not None))
    assert wrong == 20
    assert abs(fmean(estimates) - wrong) < 4 * stdev(estimates) / sqrt(len(estimates))
    # Independent draws: the variance of the estimate is the sum of (1 - p) / p over the wrong ones.
    assert stdev(estimates) == pytest.approx(sqrt(20 * 0.7 / 0.3), rel=0.15)


@pytest.mark.parametrize("stratum", ["confident", "doubtful", "formal"])
def test_no_card_can_leave_a_stratum_out(stratum: str) -> None:
    with pytest.raises(ValidationError, match="greater than 0"):
        SpotCheck.model_validate({stratum: 0})


def test_an_unknown_stratum_is_not_drawn_from() -> None:
    with pytest.raises(ValueError, match="everything"):
        draw("item", "everything", RATES)


def test_strata_are_by_who_decided_and_whether_it_is_doubted() -> None:
    assert stratum_of(JUDGED, ()) is Stratum.CONFIDENT
    assert stratum_of(JUDGED, (Doubt.SAME_FAMILY,)) is Stratum.CONFIDENT
    assert stratum_of(JUDGED, (Doubt.LOW_CONFIDENCE,)) is Stratum.DOUBTFUL
    assert stratum_of(Finding(Status.NOT_MET, "formal:choice@1", "another one"), ()) is Stratum.FORMAL


@pytest.mark.parametrize(
    "decided",
    [
        None,
        Finding(Status.UNDETERMINED, "formal:choice@1", "nothing", Reason.NO_CANDIDATE),
        Verdict("1#1", Status.UNDETERMINED, JUDGED.by, reason=Reason.SPLIT_VOTES),
        Verdict("1#1", Status.MET, "human:ada", award=1.0),
    ],
)
def test_what_is_open_or_decided_by_people_is_not_sampled(decided: Finding | Verdict | None) -> None:
    assert stratum_of(decided, (Doubt.UNDETERMINED,)) is None
