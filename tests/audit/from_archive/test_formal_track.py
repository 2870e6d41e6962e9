"""Code's own errors: bounds by hand, the kind that errs is named, and a good one isn't."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from grader.audit.from_archive.formal_track import formal_track
from grader.audit.result import NotAudited
from grader.stats.checked import read_checked
from tests.audit.asking import done, measure
from tests.audit.drawn import Script, drawn_archive, right
from tests.audit.spot_checked import checked, finished, simulated

RATE = "error rate of code"


def by_code(errors, kinds=("smiles",), per_kind=80, rate=0.5, strata=None):
    """Marked decisions of code: ``errors`` of each kind are wrong."""
    rows = []
    frame = simulated(lambda frame, rng: frame["truth"].to_numpy(), problems=40, points=len(kinds) * 2)
    for place, kind in enumerate(kinds):
        own = frame.iloc[place :: len(kinds)].head(per_kind).copy()
        own["kind"] = kind
        rows.append(own)
    found = np.concatenate(
        [np.arange(len(own)) < errors.get(kind, 0) for own, kind in zip(rows, kinds, strict=True)]
    )
    whole = pd.concat(rows, ignore_index=True)
    whole = whole.assign(truth=whole["award"], drawn=True, track="formal", stratum="formal")
    whole["by"] = "formal:" + whole["kind"] + "@1"
    award = np.where(found, 1 - whole["truth"], whole["truth"])
    kept = ["model", "problem_id", "point_id", "kind", "track", "by", "stratum", "truth", "drawn", "points"]
    points = finished(whole[kept], award, rate)
    # an unmarked point, so that the sample isn't all there is
    rest = points.head(len(kinds)).assign(human=np.nan, drawn=False)
    return checked(pd.concat([points, rest], ignore_index=True))


def test_without_an_error_the_bound_is_that_of_the_rule_of_three():
    found = done(formal_track(by_code({}, per_kind=59)))
    overall = measure(found, RATE)
    assert (overall.value, overall.n, overall.low) == (0, 59, None)
    assert overall.high == pytest.approx(1 - 0.05 ** (1 / 59))
    assert overall.high == pytest.approx(0.0495, abs=1e-4)
    assert not any(one.flagged for one in found.measures)
    assert found.cases == ()


def test_with_errors_the_bound_is_clopper_and_pearsons():
    found = done(formal_track(by_code({"smiles": 3})))
    expected = stats.binomtest(3, 80, alternative="less").proportion_ci(0.95, "exact").high
    assert measure(found, RATE).high == pytest.approx(expected)
    assert measure(found, RATE, "kind smiles").p == pytest.approx(stats.binom.sf(2, 80, 0.02))


def test_the_kind_that_errs_is_named_and_each_error_is_a_case():
    found = done(formal_track(by_code({"quantity": 12}, kinds=("smiles", "quantity", "formula"))))
    flagged = [one.of for one in found.measures if one.flagged and one.of]
    assert flagged == ["kind quantity"]
    assert "15.0 % of the points of kind quantity" in found.says[0]
    assert len(found.cases) == 12
    assert all("formal:quantity@1" in case.what for case in found.cases)


def test_one_slip_in_eighty_is_not_said_to_be_a_fault():
    found = done(formal_track(by_code({"smiles": 1}, kinds=("smiles", "quantity"))))
    assert not any(one.flagged for one in found.measures)


def test_a_judge_is_audited_elsewhere():
    found = formal_track(by_code({}), "judge@0")
    assert isinstance(found, NotAudited)


def test_an_archives_own_stratum_is_read_with_its_rate(tmp_path):
    with drawn_archive(tmp_path, Script(problems=12)) as desk:
        assert isinstance(formal_track(read_checked(desk.archive)), NotAudited)
        # whoever marks says the opposite of the truth about code's points
        desk.mark("ann", lambda spot: 1 - right(spot) if spot.point_id == "n" else right(spot))
        found = done(formal_track(read_checked(desk.archive)))
    overall = measure(found, RATE)
    assert overall.value == 1
    assert 1 <= overall.n < 12
    assert len(found.cases) == overall.n
    assert found.indicative
