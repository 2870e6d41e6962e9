"""People: who errs on seeded items or follows the judge is found out, by number; who doesn't, isn't."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from grader.audit.from_archive.people import people
from grader.audit.result import NotAudited
from grader.stats.checked import read_checked
from tests.audit.asking import done, measure
from tests.audit.drawn import CARD, Script, drawn_archive, right
from tests.audit.spot_checked import JUDGE, checked

GOLD = "right on seeded items"
SHIFT = "agrees with the judge, shown minus hidden"
CHANGED = "agrees with the judge, after seeing its verdict minus before"


def points(n=400, problems=40):
    """Points that a judge gets right in 70 %."""
    rng = np.random.default_rng(7)
    truth = (rng.random(n) < 0.5).astype(float)
    award = np.where(rng.random(n) < 0.7, truth, 1 - truth)
    place: dict[str, Any] = {
        "model": "m",
        "protocol": "full_problem",
        "mode": "text_only",
        "sub_id": "s",
        "sample": 0,
        "run": "r",
    }
    rows = pd.DataFrame(
        {"response": [f"d{k}" for k in range(n)], "point_id": "p", "award": award, "truth": truth}
    )
    return rows.assign(
        **place, problem_id=[f"q{k % problems}" for k in range(n)], by=f"judge:{JUDGE}", human=truth
    )


def said(rows, person, award, **more):
    """Marks of a person: ``award`` of each row."""
    kept = ["model", "protocol", "mode", "problem_id", "sub_id", "sample", "run", "response", "point_id"]
    common = {"kind": "spot_check", "blind": True, "gold": np.nan, "seconds": 20.0} | more
    return rows[kept].assign(person=person, award=award, **common)


def audited(*ratings, rows=None, **how):
    every = pd.concat(ratings, ignore_index=True)
    found = checked(points() if rows is None else rows, every)
    found.archive = SimpleNamespace(marks=lambda: iter(()), items=lambda: iter(()))
    return done(people(found, JUDGE, **how))


def seeded(person, wrong, n=40):
    rows = points(n).assign(response=[f"gold {k}" for k in range(n)])
    award = np.where(np.arange(n) < wrong, 1 - rows["truth"], rows["truth"])
    return said(rows, person, award, kind="gold", gold=rows["truth"])


def test_a_reviewer_who_errs_on_seeded_items_is_found_out_and_the_good_one_is_not():
    found = audited(seeded("Ada", 1), seeded("Bob", 14))
    good, bad = measure(found, GOLD, "reviewer 1"), measure(found, GOLD, "reviewer 2")
    assert (good.value, good.flagged) == (0.975, False)
    assert (bad.value, bad.flagged) == (0.65, True)
    expected = stats.binomtest(26, 40).proportion_ci(0.95, "exact")
    assert bad.low == pytest.approx(expected.low)
    assert bad.high == pytest.approx(expected.high)
    assert bad.p == pytest.approx(stats.binom.cdf(26, 40, 0.9))
    # more than 7 wrong of 40 are found: binom.sf(7, 40, 0.1) is below 0.05, binom.sf(6, ...) isn't
    assert good.detectable is not None
    assert stats.binom.sf(7, 40, 1 - good.detectable) == pytest.approx(0.8, abs=1e-6)
    assert found.says == ("Reviewer 2 is right on 65.0 % of 40 seeded items: less than 90.0 %.",)
    assert not found.indicative


def test_nobody_is_named_unless_asked():
    ratings = seeded("Ada Lovelace", 14), seeded("Bob", 0)
    assert "Ada" not in str(audited(*ratings))
    named = audited(*ratings, names=True)
    assert measure(named, GOLD, "Ada Lovelace").flagged
    assert named.says[0].startswith("Ada Lovelace is right on")


def test_few_seeded_items_are_indicative():
    found = audited(seeded("Ada", 0), seeded("Bob", 0, n=12))
    assert found.indicative
    assert any("fewer than 30 seeded items for reviewer 2" in note for note in found.notes)


def test_a_reviewer_who_follows_the_judge_is_told_from_one_who_does_not():
    rows = points()
    first, second = rows.iloc[:200], rows.iloc[200:]
    shown = {"blind": False, "kind": "dispute"}
    anchored = [said(first, "Ada", first["truth"]), said(second, "Ada", second["award"], **shown)]
    free = [said(first, "Bob", first["truth"]), said(second, "Bob", second["truth"], **shown)]
    found = audited(*anchored, *free)
    ada, bob = measure(found, SHIFT, "reviewer 1"), measure(found, SHIFT, "reviewer 2")
    assert ada.flagged
    assert ada.value == pytest.approx(1 - (first["truth"] == first["award"]).mean())
    assert not bob.flagged
    assert any(one.startswith("Reviewer 1 agrees more often with the judge where its") for one in found.says)
    assert not any("Reviewer 2" in one for one in found.says)


def test_an_adjudication_is_no_mark_that_the_judge_was_shown_for():
    rows = points()
    settled = said(rows[200:], "Ada", rows["award"][200:], blind=False, kind="adjudication")
    found = audited(said(rows[:200], "Ada", rows["truth"][:200]), settled)
    assert not any("minus" in one.name or "shown" in one.name for one in found.measures)
    assert any("too few marks" in note for note in found.notes)


def test_changing_marks_once_the_verdict_is_seen_is_measured_on_the_same_marks():
    rows = points()
    wrong = rows[rows["truth"] != rows["award"]].head(30)
    found = audited(said(rows, "Ada", rows["truth"]), said(wrong, "Ada", wrong["award"], blind=False))
    changed = measure(found, CHANGED, "reviewer 1")
    assert changed.value == pytest.approx(30 / 400)
    assert (changed.n, changed.flagged) == (400, True)


def test_two_people_who_differ_are_measured_against_each_other():
    rows = points()
    rng = np.random.default_rng(8)
    slips = np.where(rng.random(100) < 0.1, 1 - rows["truth"][:100], rows["truth"][:100])
    found = audited(said(rows, "Ada", rows["truth"]), said(rows.head(100), "Bob", slips))
    assert measure(found, "marked blindly by two people").value == 0.25
    differ = measure(found, "blind marks that differ")
    assert differ.value == pytest.approx((slips != rows["truth"][:100]).mean())
    from sklearn.metrics import cohen_kappa_score

    kappa = cohen_kappa_score(rows["truth"][:100], slips)
    pair = measure(found, "quadratic kappa", "reviewer 1 and reviewer 2")
    assert pair.value == pytest.approx(kappa)
    assert pair.low is not None
    assert pair.high is not None
    assert pair.low < kappa < pair.high
    assert (pair.n, pair.problems) == (100, 40)


def test_too_few_second_marks_are_said():
    rows = points()
    found = audited(said(rows, "Ada", rows["truth"]), said(rows.head(8), "Bob", rows["truth"][:8]))
    assert any(one.startswith("Two people marked blindly 2.0 % of 400 marked points") for one in found.says)


def test_equal_seeds_give_equal_numbers():
    rows = points()
    ratings = said(rows, "Ada", rows["truth"]), said(rows, "Bob", rows["award"])
    assert audited(*ratings, seed=3) == audited(*ratings, seed=3)


def test_marks_at_the_desk_bring_times_second_marks_and_adjudications(tmp_path):
    with drawn_archive(tmp_path, Script(problems=10, second=0.5)) as desk:
        desk.mark("Ada", seconds=30)
        desk.mark("Bob", lambda spot: 1 - right(spot), kinds=("second",), seconds=10)
        asked = sum(one.entry.kind == "adjudication" for one in desk.archive.items("open"))
        assert asked > 0
        desk.mark("Cy", kinds=("adjudication",), most=1, seconds=50)
        found = done(people(read_checked(desk.archive), CARD))
    assert measure(found, "median time of an item", "reviewer 1").value == 30
    assert measure(found, "median time of an item", "reviewer 2").value == 10
    assert measure(found, "blind marks that differ").value == 1
    assert measure(found, "adjudications settled").value == 1
    assert measure(found, "adjudications open").value == asked - 1
    assert measure(found, "agrees with the judge, its verdict hidden", "reviewer 1").value == 1
    assert "Ada" not in str(found)


def test_without_marks_there_is_nothing_to_say(tmp_path):
    with drawn_archive(tmp_path, Script(problems=1)) as desk:
        found = people(read_checked(desk.archive), CARD)
    assert isinstance(found, NotAudited)
    assert "argus review" in found.do
