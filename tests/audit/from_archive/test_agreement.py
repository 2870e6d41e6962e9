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
NOMINAL, INTERVAL = "Krippendorff's alpha, nominal (verdict)", "Krippendorff's alpha, interval (credit)"


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


def marked_by(people):
    """What an audit reads of points, one a problem, that people (rows of ``people``) marked alike or not."""
    awards = np.asarray(people, float)
    points = simulated(flipping(0, 0), problems=awards.shape[1], points=1, rate=1.0)
    points = points.assign(human=np.nanmean(awards, axis=0))
    ratings = [rated(points, f"person {n}").assign(award=row)[~np.isnan(row)] for n, row in enumerate(awards)]
    return checked(points, pd.concat(ratings, ignore_index=True))


def test_alpha_is_krippendorffs_own_of_two_people():
    """Computing Krippendorff's Alpha-Reliability (2011), section A: Meg and Owen, 0.095."""
    meg, owen = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    _, named = audit(marked_by([meg, owen]))
    for name in (NOMINAL, INTERVAL):  # of two values there is but one distance
        assert named[name, PEOPLE].value == pytest.approx(0.095, abs=5e-4)
        assert (named[name, PEOPLE].n, named[name, PEOPLE].problems) == (10, 10)
    assert (NOMINAL, "") not in named


def test_alpha_is_krippendorffs_own_of_four_people_with_gaps():
    """The same, section C: twelve units, values 1 to 5 (here as shares of credit); interval 0.849.

    Of verdicts 2, 3 and 4 are all partial, so the nominal one isn't his 0.743 but the library's of these.
    """
    from krippendorff import alpha

    units = np.array(
        [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, np.nan, np.nan, np.nan],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, np.nan, 3],
            [np.nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, np.nan],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, np.nan],
        ]
    )
    _, named = audit(marked_by((units - 1) / 4))
    assert named[INTERVAL, PEOPLE].value == pytest.approx(0.849, abs=5e-4)
    assert named[INTERVAL, PEOPLE].n == 11  # one person alone marked the last
    verdicts = np.where((units > 1) & (units < 5), 3, units)
    assert named[NOMINAL, PEOPLE].value == pytest.approx(
        alpha(reliability_data=verdicts[:, :11], level_of_measurement="nominal")
    )


def test_alpha_weighs_what_a_point_stands_for():
    """Points drawn at half the rate count as if they stood there twice, but for Krippendorff's n - 1."""
    from krippendorff import alpha

    found = twice_marked(simulated(flipping(0.1, 0.1), problems=40, points=10, rate=1.0, seed=2), error=0.2)
    rare = np.arange(len(found.points)) % 3 == 0
    places = pd.MultiIndex.from_frame(found.points[PLACE])
    # of the rare half as many are drawn again, unmarked, so that the marked ones stand for two
    unmarked = found.points[rare].assign(human=np.nan, response="e", stratum="doubtful", rate=1.0)
    points = found.points.assign(stratum=np.where(rare, "doubtful", "confident"), rate=1.0)
    _, named = audit(checked(pd.concat([points, unmarked], ignore_index=True), found.ratings))
    wide = found.ratings.pivot(index=PLACE, columns="person", values="award").reindex(places).to_numpy()
    twice = np.repeat(wide, np.where(rare, 2, 1), axis=0)
    expected = alpha(reliability_data=twice.T, level_of_measurement="nominal")
    repeated, given = 2 * len(twice), 2 * len(wide)
    # 1 - alpha holds the factor (n - 1) / n
    expected = 1 - (1 - expected) * (repeated / (repeated - 1)) * ((given - 1) / given)
    assert named[NOMINAL, PEOPLE].value == pytest.approx(expected)
    assert named[NOMINAL, PEOPLE].low < named[NOMINAL, PEOPLE].value < named[NOMINAL, PEOPLE].high


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
    assert any(note.startswith("All marked points are of type flexible") for note in done.notes)
    alone, measures = audit(checked(simulated(flipping(0.1, 0.1), seed=1)))
    assert alone.indicative
    assert ("kappa", PEOPLE) not in measures
    assert (NOMINAL, PEOPLE) not in measures


def test_many_points_of_few_problems_are_indicative():
    """A ceiling from ten problems is hardly known, however many points people marked twice."""
    done, named = audit(twice_marked(simulated(flipping(0.1, 0.1), problems=10, points=40, rate=0.5, seed=1)))
    assert named["kappa", PEOPLE].n >= 100
    assert done.indicative
    assert any(note.startswith("Indicative: ") and "of 10 problems" in note for note in done.notes)


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
