"""Older estimators give what other programs gave on real marks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from grader.errors import AuditError
from grader.stats.correction.cross_checks import independent_ppi, rogan_gladen


def test_real_judges_give_the_published_values(shared: Path) -> None:
    """Rows whose number divides by 5 are labelled; ppi-python 0.2.3, tolerance 1e-6."""
    folder = shared / "seeds/human-marks"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    rows = [json.loads(line) for line in (folder / "saq_marks.jsonl").read_text("utf-8").splitlines()]
    people = np.array([float(sum(row["human"]) >= 2) for row in rows])
    fifth = np.array([int(row["id"].rsplit("-", 1)[1]) % 5 == 0 for row in rows])
    for name, values in expected["saq"]["judges"].items():
        machine = np.array([row["judges"][name][0] for row in rows], float)
        at = ~np.isnan(machine)
        parts = people[at & fifth], machine[at & fifth], machine[at & ~fifth]
        said = values["labelled_every_fifth_id"]
        assert (len(parts[0]), len(parts[2])) == (said["n_labelled"], said["n_unlabelled"])
        for tune, key in ((False, "ppi_lam1"), (True, "ppi_tuned")):
            found = independent_ppi(*parts, tune=tune)
            assert found.value == pytest.approx(said[key]["point"], abs=1e-6)
            assert [found.low, found.high] == pytest.approx(said[key]["ci95_iid_normal"], abs=1e-6)
        rates = rogan_gladen(*parts)
        assert rates.value == pytest.approx(said["rogan_gladen"]["point_clipped"], abs=1e-6)
        assert rates.sensitivity == pytest.approx(said["rogan_gladen"]["sens"], abs=1e-6)
        assert rates.specificity == pytest.approx(said["rogan_gladen"]["spec"], abs=1e-6)


def test_a_judge_that_tells_nothing_apart_gives_no_share() -> None:
    met, other = np.array([1.0, 0.0, 1.0, 0.0]), np.array([1.0, 1.0])
    assert rogan_gladen(met, np.ones(4), other).value is None
    assert rogan_gladen(np.ones(4), np.ones(4), other).value is None


def test_marks_count_for_what_they_stand_for() -> None:
    people, machine = np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 0.0, 1.0, 0.0])
    wanted = np.array([1.0] * 6 + [0.0] * 4)
    found = rogan_gladen(people, machine, wanted, np.array([9.0, 1.0, 1.0, 4.0]))
    # found by hand: .9 of what is met, .8 of what isn't, so (.6 + .8 - 1) / (.9 + .8 - 1)
    assert (found.sensitivity, found.specificity) == pytest.approx((0.9, 0.8))
    assert found.value == pytest.approx(0.4 / 0.7)


def test_partial_awards_and_too_few_points_are_refused() -> None:
    half, ones = np.array([0.5, 1.0]), np.ones(2)
    with pytest.raises(AuditError, match="all or nothing"):
        rogan_gladen(half, ones, ones)
    with pytest.raises(AuditError, match="marked and unmarked"):
        independent_ppi(ones, ones, ones[:1])
