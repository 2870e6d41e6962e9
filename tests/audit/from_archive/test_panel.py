"""Panels: judges that err together are told from judges that don't, and early stopping doesn't mislead."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from grader.archive.store import open_archive
from grader.audit.from_archive.panel import measured, panel
from grader.audit.from_archive.voting import Voting
from grader.audit.result import NotAudited
from grader.stats.agreement.dawid_skene import dawid_skene
from grader.stats.checked import read_checked
from tests.audit.asking import (
    done,
    give_marks,
    judge_in_process,
    measure,
    problem,
    write_answers,
    write_problems,
)
from tests.judge.scripted import card, says, verdict
from tests.judge.scripted import panel as panel_card

NAN = float("nan")
MEMBERS = ("ann@1", "bob@2", "cy@3")


def voted(errors, problems=60):
    """A panel whose judges are wrong as [points, judges] says, voting as a panel does; and people's marks."""
    n = len(errors)
    truth = (np.arange(n) % 2).astype(float)
    awards = np.where(errors, 1 - truth[:, None], truth[:, None])
    asked = (np.arange(n)[:, None] + np.arange(3)) % 3  # who is asked first goes round
    first, every = np.full((n, 3), NAN), np.full((n, 3), NAN)
    for row in range(n):
        one, two, third = asked[row]
        first[row, [one, two]] = every[row, [one, two]] = awards[row, [one, two]]
        if awards[row, one] != awards[row, two]:
            every[row, third] = awards[row, third]
    majority = (awards.sum(axis=1) > 1.5).astype(float)
    place = {"response": [f"r{row}" for row in range(n)], "sub_id": "s", "point_id": "p"}
    points = pd.DataFrame(
        place | {"problem_id": [f"q{row % problems}" for row in range(n)], "majority": majority}
    )
    people = pd.DataFrame(place | {"human": truth, "weight": 4.0})
    return Voting(points, MEMBERS, first, every), people


def numbers(errors):
    measures, notes = measured(*voted(errors), level=0.95, seed=1)
    return {(one.name, one.of): one for one in measures}, notes


def apart(rate, n=900, seed=2):
    return np.random.default_rng(seed).random((n, 3)) < rate


def test_judges_that_err_apart_are_as_many_as_they_are():
    found, _ = numbers(apart(0.2))
    mean = found["error correlation", "mean of pairs"]
    assert abs(mean.value) < 0.12
    assert not mean.flagged
    assert found["effective number of the 3 judges", ""].high == pytest.approx(3)
    majority = found["error rate of the majority", ""]
    # three that err apart on 20 %: 3 x .04 x .8 + .008
    assert majority.value == pytest.approx(0.104, abs=0.03)


def test_judges_that_err_together_are_worth_one():
    common = np.repeat(np.random.default_rng(3).random((900, 1)) < 0.2, 3, axis=1)
    found, _ = numbers(common)
    mean = found["error correlation", "mean of pairs"]
    assert mean.value == pytest.approx(1)
    assert mean.flagged
    assert found["effective number of the 3 judges", ""].value == pytest.approx(1)
    # and nobody would know it by their agreement
    assert found["Krippendorff's alpha (interval)", ""].value == pytest.approx(1)
    assert found["accuracy by Dawid and Skene", "ann"].value == pytest.approx(1, abs=0.01)


def test_the_correlation_is_that_of_the_first_round_and_not_of_votes_cast_where_others_differ():
    errors = apart(0.3)
    found, notes = numbers(errors)
    for (one, other), of in (((0, 1), "ann and bob"), ((1, 2), "bob and cy"), ((0, 2), "ann and cy")):
        first = voted(errors)[0].first[:, [one, other]]
        rows = ~np.isnan(first).any(axis=1)
        expected = np.corrcoef(errors[rows, one], errors[rows, other])[0, 1]
        assert found["error correlation", of].value == pytest.approx(expected)
        assert found["error correlation", of].n == rows.sum() == 300
    assert "first round" in notes[0]


def test_a_judge_that_never_errs_has_no_correlation_and_the_majority_is_held_against_it():
    errors = np.random.default_rng(4).random((900, 1)) < np.array([0.0, 0.35, 0.35])
    errors[:, 2] = errors[:, 1]
    found, notes = numbers(errors)
    assert found["error correlation", "ann and bob"].value is None
    worse = found["error rate of the majority minus the best judge's", "ann"]
    assert worse.flagged
    assert worse.value == pytest.approx(0.35, abs=0.05)
    assert any("never errs" in note for note in notes)


def test_dawid_and_skene_find_the_accuracies_of_voters_that_err_apart():
    rng = np.random.default_rng(5)
    truth = rng.random(4000) < 0.4
    said = np.where(rng.random((4000, 4)) < [0.05, 0.1, 0.2, 0.4], ~truth[:, None], truth[:, None])
    fitted = dawid_skene(said)
    assert fitted is not None
    assert fitted.accuracy == pytest.approx([0.95, 0.9, 0.8, 0.6], abs=0.03)
    assert fitted.prevalence[1] == pytest.approx(0.4, abs=0.03)
    assert ((fitted.posterior[:, 1] > 0.5) == truth).mean() > 0.95


def test_missing_votes_that_others_decided_do_not_mislead_dawid_and_skene():
    errors = apart(0.15, n=3000)
    votes, _ = voted(errors)
    fitted = dawid_skene(votes.every)
    assert fitted is not None
    assert fitted.accuracy == pytest.approx([0.85] * 3, abs=0.05)


def test_a_panels_votes_are_read_from_the_archive(tmp_path):
    problems = [problem(f"q{n}") for n in range(6)]
    run = write_answers(
        write_problems(tmp_path / "set", problems), problems, ("m",), lambda model, sub: f"On {sub}."
    )
    one = panel_card(tmp_path, "ann", "bob", "cy")

    def script(asked, answer):
        # cy is wrong about the odd problems
        wrong = asked.judge.endswith("cy") and int(answer.response.problem_id[1:]) % 2 == 1
        return says(*(verdict(point, "not_met" if wrong else "met", "On") for point in asked.points))

    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as archive:
        judge_in_process(run, archive, one, script)
        assert isinstance(panel(read_checked(archive), "formal"), NotAudited)
        unmarked = done(panel(read_checked(archive), one.label))
        assert any("people's marks" in note for note in unmarked.notes)
        (archived,) = archive.runs()
        give_marks(archive, archived, lambda answer, point: 1.0)
        found = done(panel(read_checked(archive), one.label))
    assert measure(found, "error rate of the majority").value == 0
    assert measure(found, "error rate", "ann").value == 0
    cy = measure(found, "error rate", "cy")
    assert 0 < cy.n < 12
    assert found.indicative


def test_a_single_judge_is_no_panel(tmp_path):
    problems = [problem("q")]
    run = write_answers(
        write_problems(tmp_path / "set", problems), problems, ("m",), lambda model, sub: "Yes."
    )
    one = card(tmp_path, votes=3)
    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as archive:
        judge_in_process(
            run, archive, one, lambda asked, answer: says(verdict("p1", "met"), verdict("p2", "met"))
        )
        found = panel(read_checked(archive), one.label)
    assert isinstance(found, NotAudited)
    assert "single judge" in found.why
