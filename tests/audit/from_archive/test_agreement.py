"""Agreement with people is that of libraries, weighed, and held beside that of people among themselves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from grader.audit.from_archive.agreement import agreement
from grader.audit.result import Audit, NotAudited
from grader.stats.checked.columns import PLACE
from tests.audit.spot_checked import JUDGE, checked, flipping, rated, simulated

PEOPLE = "people among themselves, points marked twice"
ONE = "judge and one person, points marked twice"


def twice_marked(points, *, share=1.0, error=0.1, seed=0):
    """A second person marks a share of the marked points, and errs; nobody settles what they differ in."""
    rng = np.random.default_rng(seed)
    second = rated(points, "bob").assign(kind="second")
    second = second[rng.random(len(second)) < share]
    second["award"] = second["award"].where(rng.random(len(second)) >= error, 1 - second["award"])
    ratings = pd.concat([rated(points), second], ignore_index=True)
    said = ratings.groupby(PLACE)["award"]
    places = pd.MultiIndex.from_frame(points[PLACE])
    human, people = (one.reindex(places).to_numpy(float) for one in (said.mean(), said.size()))
    spread = said.max() - said.min()
    differ = spread.reindex(places).to_numpy(float) > 0
    return checked(points.assign(human=human, people=np.nan_to_num(people), disagree=differ), ratings)


def audit(found, **settings):
    done = agreement(found, JUDGE, **settings)
    assert isinstance(done, Audit), done
    return done, {(one.name, one.of): one for one in done.measures}


def thirds(points, seed=0):
    """The same points, some of them awarded in part by either side."""
    rng = np.random.default_rng(seed)
    award = rng.choice([0.0, 0.5, 1.0], len(points))
    same = rng.random(len(points)) < 0.6
    human = np.where(same, award, rng.choice([0.0, 0.5, 1.0], len(points)))
    status = np.select([award == 0, award == 1], ["not_met", "met"], "partial")
    return points.assign(award=award, status=status, human=np.where(points["drawn"], human, np.nan))


def test_coefficients_are_scikit_learns_of_all_three_verdicts():
    from sklearn.metrics import cohen_kappa_score, matthews_corrcoef

    points = thirds(simulated(flipping(0, 0), rate=0.5, seed=1))
    _, named = audit(checked(points))
    own = points[points["drawn"]]
    judge, people = ((2 * own[name]).astype(int) for name in ("award", "human"))
    assert named["kappa", ""].value == pytest.approx(cohen_kappa_score(judge, people))
    assert named["quadratic kappa", ""].value == pytest.approx(
        cohen_kappa_score(judge, people, weights="quadratic")
    )
    assert named["MCC", ""].value == pytest.approx(matthews_corrcoef(judge, people))
    assert named["same award", ""].value == pytest.approx((judge == people).mean())


def test_marks_drawn_at_unequal_rates_are_weighed():
    from sklearn.metrics import cohen_kappa_score, matthews_corrcoef

    points = thirds(simulated(flipping(0, 0), rate=1.0, seed=2))
    rng = np.random.default_rng(0)
    doubtful = rng.random(len(points)) < 0.5
    rate = np.where(doubtful, 0.8, 0.2)
    drawn = rng.random(len(points)) < rate
    points = points.assign(
        stratum=np.where(doubtful, "doubtful", "confident"),
        rate=rate,
        drawn=drawn,
        human=points["human"].where(drawn),
    )
    _, named = audit(checked(points))
    own = points[drawn]
    judge, people = ((2 * own[name]).astype(int) for name in ("award", "human"))
    weight = 1 / own["rate"]
    settings = {"sample_weight": weight}
    assert named["kappa", ""].value == pytest.approx(cohen_kappa_score(judge, people, **settings))
    assert named["MCC", ""].value == pytest.approx(matthews_corrcoef(judge, people, **settings))
    assert named["quadratic kappa", ""].value == pytest.approx(
        cohen_kappa_score(judge, people, weights="quadratic", **settings)
    )
    met = named["prevalence", "met, people's marks"].value
    assert met == pytest.approx(np.average(people == 2, weights=weight))


def test_ac1_by_hand():
    """Gwet 2008: 4 of 5 alike; the mean shares are 0.7 and 0.3 of three categories that could be."""
    points = simulated(flipping(0, 0), problems=5, points=1, rate=1.0)
    human, award = [1.0, 1, 1, 0, 0], np.array([1.0, 1, 1, 1, 0])
    points = points.assign(human=human, award=award, status=np.where(award == 1, "met", "not_met"))
    _, named = audit(checked(points))
    chance = (0.7 * 0.3 + 0.3 * 0.7) / 2
    assert named["AC1", ""].value == pytest.approx((0.8 - chance) / (1 - chance))


def test_people_who_differ_count_by_shares():
    found = twice_marked(simulated(flipping(0.1, 0.1), rate=0.5, seed=1), share=0.5)
    _, named = audit(found)
    marked = found.points[found.points["human"].notna()]
    right = np.where(marked["disagree"], 0.5, (marked["award"] == marked["human"]).astype(float))
    assert named["same verdict", ""].value == pytest.approx(right.mean())
    assert named["same award", ""].value == pytest.approx(right.mean())
    assert ("prevalence", "partial, people's marks") not in named


def test_people_among_themselves_are_the_ceiling():
    from sklearn.metrics import cohen_kappa_score

    found = twice_marked(simulated(flipping(0.05, 0.05), rate=0.4, seed=3), share=0.6)
    done, named = audit(found)
    wide = found.ratings.pivot_table(index=PLACE, columns="person", values="award").dropna()
    ann, bob = wide["ann"].astype(int), wide["bob"].astype(int)
    people = named["kappa", PEOPLE]
    assert people.n == len(wide)
    # symmetric in who is first, so that its margins are the mean of both people's
    both = cohen_kappa_score(np.r_[ann, bob], np.r_[bob, ann])
    assert people.value == pytest.approx(both)
    assert people.low is not None
    assert people.high is not None
    assert people.low < people.value < people.high
    assert not done.indicative
    assert "people among themselves 0." in " ".join(done.says)


def test_a_judge_below_people_is_found():
    found = twice_marked(simulated(flipping(0.25, 0.25), rate=0.5, seed=3), error=0.05)
    done, named = audit(found)
    gap = named["kappa minus people's", ""]
    assert gap.flagged
    assert gap.value == pytest.approx((named["kappa", ONE].value or 0) - (named["kappa", PEOPLE].value or 0))
    assert done.says[0].startswith("The judge agrees less with people than people do")


def test_a_judge_that_agrees_as_people_do_is_not_accused():
    """People err on 10 % each of two marks; the judge, like one of them, on 10 %."""
    found = twice_marked(simulated(flipping(0.05, 0.05), rate=0.5, seed=5), error=0.1)
    done, named = audit(found)
    gap = named["kappa minus people's", ""]
    assert not gap.flagged
    assert gap.detectable is not None
    assert done.says[0].startswith("No evidence that it agrees less")


def test_few_points_marked_twice_are_indicative():
    done, named = audit(twice_marked(simulated(flipping(0.1, 0.1), seed=1), share=0.1))
    assert done.indicative
    assert any(note.startswith("Indicative: ") for note in done.notes)
    assert 0 < named["kappa", PEOPLE].n < 100
    alone, measures = audit(checked(simulated(flipping(0.1, 0.1), seed=1)))
    assert alone.indicative
    assert ("kappa", PEOPLE) not in measures


def test_a_constant_verdict_has_no_kappa():
    points = simulated(flipping(0, 0), seed=1, prevalence=0.999999, points=4)
    done, named = audit(checked(points))
    assert named["kappa", ""].value is None
    assert named["same award", ""].value == 1.0
    assert any("can't be given" in said for said in done.says)


def test_point_types_are_told_apart():
    points = simulated(flipping(0.2, 0.2), rate=0.5, seed=1)
    points["kind"] = ["integer" if n % 2 else None for n in range(len(points))]
    points.loc[points.index % 10 == 0, "shape"] = "deduction"
    _, named = audit(checked(points))
    types = {of for _, of in named if of.startswith("type ")}
    assert types == {"type flexible", "type flexible deduction", "type integer"}
    assert sum(named["kappa", of].n for of in types) == named["kappa", ""].n


def test_the_gravest_disagreements_come_first_as_cases():
    points = simulated(flipping(0.2, 0.2), rate=0.5, seed=1)
    done, _ = audit(checked(points))
    marked = points[points["drawn"]].set_index(["problem_id", "point_id"])
    worth = []
    for one in done.cases:
        problem_id, _, point_id = one.where.partition(",")[0].split("/")
        worth.append(float(marked.loc[(problem_id, point_id), "points"]))
    assert worth == sorted(worth, reverse=True)
    assert worth[0] == 3
    assert 0 < len(done.cases) <= 50


def test_unmarked_judges_are_refused_and_code_has_an_audit_of_its_own():
    points = simulated(flipping(0.1, 0.1), seed=1)
    code = points.assign(by="formal:integer@1", track="formal", stratum="formal")
    found = agreement(checked(code), "formal")
    assert isinstance(found, Audit)
    assert found.measures[0].name == "error rate of code"
    points["human"] = np.nan
    refused = agreement(checked(points), JUDGE)
    assert isinstance(refused, NotAudited)
    assert refused.do.startswith("Mark the spot check")


def test_equal_seeds_give_equal_results():
    found = checked(simulated(flipping(0.1, 0.1), seed=1))
    first, second, other = (agreement(found, JUDGE, seed=seed) for seed in (1, 1, 2))
    assert first == second
    assert first != other
