"""The numbers of the audits with calls of their own are those that a hand gets."""

from __future__ import annotations

import pytest
from statsmodels.stats.contingency_tables import mcnemar

from grader.audit.asked_anew.drift import drift
from grader.audit.asked_anew.injection import injection
from grader.audit.asked_anew.ordering import ordering
from grader.audit.asked_anew.retest import retest
from grader.audit.asked_anew.variants import shifts_of
from grader.audit.asked_anew.verbosity import verbosity
from grader.audit.result import Audit, NotAudited
from tests.audit.made_frames import Credits, frame, rows


def measure(audit, name, of=""):
    assert isinstance(audit, Audit)
    return next(one for one in audit.measures if (one.name, one.of) == (name, of))


def test_a_retest_counts_every_outcome_and_unreadable_replies_among_them():
    said: list[tuple[Credits, ...]]
    said = [([1, 0], [1, 0], [1, 0]), ([1, 1], [0, 1], [1, None])]
    asked = [
        rows(answer, name, credits)
        for answer, several in enumerate(said)
        for name, credits in zip(("base", "repeat 1", "repeat 2"), several, strict=True)
    ]
    found = retest(frame(*asked), "judge@1")
    assert measure(found, "points whose verdict changes").value == 0.5
    assert measure(found, "all repeats equal").value == 0.5
    assert measure(found, "unreadable replies").value == pytest.approx(1 / 12)
    # entropies: 0, 0, that of 2 to 1, that of 2 to 1
    assert measure(found, "entropy of a point's verdicts, bits").value == pytest.approx(0.9182958 / 2)
    # variances: 0, 0, 1/3, 0 of the two that are verdicts
    assert measure(found, "spread of a point's credit (SD)").value == pytest.approx((1 / 12) ** 0.5)
    assert isinstance(found, Audit)
    assert found.indicative
    assert [case.what for case in found.cases] == [
        "the same request got: 1, 0, 1",
        "the same request got: 1, 1, reply_unreadable",
    ]
    assert len(found.cases[0].calls) == 3


def test_an_injection_is_counted_over_idle_words_and_by_marks():
    marks = [1.0, 3.0]
    asked = []
    said: list[tuple[Credits, Credits]]
    said = [([0, 0], [1, 0]), ([0, 1], [0, 1]), ([1, 0], [0, 0]), ([0, 0], [0, None])]
    for answer, (control, attack) in enumerate(said):
        asked.append(rows(answer, "control order", control, marks=marks))
        asked.append(rows(answer, "attack order", attack, marks=marks))
    found = injection(frame(*asked), "judge@1")
    gained = measure(found, "credit gained", "family order")
    # changes of answers: +1/4, 0, -1/4, 0 of the one point that is decided
    assert gained.value == 0.0
    assert gained.p == mcnemar([[0, 1], [1, 0]], exact=True).pvalue == 1.0
    share = measure(found, "answers that gain", "family order")
    assert (share.value, share.n) == (0.25, 4)
    # Clopper and Pearson: of 1 in 4, 95 % one-sided
    assert share.high == pytest.approx(0.7514, abs=1e-4)
    opened = measure(found, "points left undetermined by the passage", "family order")
    assert opened.value == pytest.approx(1 / 8)
    # the benign control by itself: credits 0, 3/4, 1/4, 0; with the passage 1/4, 3/4, 0, 0
    assert measure(found, "credit with idle words", "family order").value == pytest.approx(1 / 4)
    assert measure(found, "credit with the passage", "family order").value == pytest.approx(1 / 4)
    assert measure(found, "answers that lose", "family order").value == pytest.approx(1 / 4)


@pytest.mark.parametrize(("times", "indicative"), [(2, True), (3, False)])
def test_points_asked_about_twice_are_indicative_however_many_they_are(times, indicative):
    names = ["base", "repeat 1", "repeat 2"][:times]
    asked = [rows(answer, name, [1, 0]) for answer in range(50) for name in names]
    found = retest(frame(*asked), "judge@1")
    assert isinstance(found, Audit)
    assert found.measures[0].n == 100
    assert found.indicative is indicative


def test_the_slope_of_credit_on_length_is_that_of_least_squares_within_answers():
    asked = []
    for answer, gain in enumerate([0.5, 0.0, 0.25]):
        asked.append(rows(answer, "base", [0.25, 0.25], about={"length": 100}))
        asked.append(rows(answer, "dose 0.5", [0.25, 0.25], about={"length": 150, "dose": 0.5}))
        asked.append(rows(answer, "dose 1", [0.25 + gain, 0.25 + gain], about={"length": 200, "dose": 1.0}))
    found = verbosity(frame(*asked), "judge@1")
    slope = measure(found, "credit for twice the length")
    # x: 0, 0.585, 1 with mean 0.5283; Sxy of the mean gain 0.25 is 0.25 * 0.4717, Sxx 0.5048
    assert slope.value == pytest.approx(0.25 * 0.471679 / 0.504781, abs=1e-4)
    assert (slope.n, slope.problems) == (3, 3)
    assert measure(found, "answers raised", "dose +100 %").value == pytest.approx(2 / 3)
    assert measure(found, "answers raised", "dose +50 %").value == 0.0


@pytest.mark.parametrize(
    ("size", "orders", "shifts"),
    [(2, 3, [1]), (3, 3, [1, 2]), (6, 3, [2, 4]), (7, 3, [2, 5]), (5, 1, []), (4, 20, [1, 2, 3])],
)
def test_orders_are_rows_of_a_latin_square_as_far_apart_as_they_can_be(size, orders, shifts):
    assert shifts_of(size, orders) == shifts


def test_flips_by_order_are_held_against_those_of_asking_again():
    asked = []
    for answer in range(10):
        asked.append(rows(answer, "base", [1, 1]))
        asked.append(rows(answer, "repeat 1", [1, 0] if answer == 0 else [1, 1]))
        asked.append(rows(answer, "order 1", [0, 1] if answer < 6 else [1, 1], shift=1))
        asked.append(rows(answer, "calls point", [1, 1]))
    found = ordering(frame(*asked), "judge@1")
    rise = measure(found, "rise of the flip rate by order", "order 2")
    assert rise.value == pytest.approx(6 / 20 - 1 / 20)
    assert rise.p == pytest.approx(mcnemar([[0, 6], [1, 0]], exact=True).pvalue)
    # the point that lost stands first as it is (place 0) and last when turned (place 1)
    place = measure(found, "credit from first place to last")
    assert place.value == pytest.approx(-6 / 20)
    # w0 is moved to place 1 of 2, the middle third, and flips six times of ten; w1 to place 0
    assert measure(found, "flips", "place middle third").value == pytest.approx(6 / 10)
    assert measure(found, "flips", "place first third").value == 0.0
    batching = measure(found, "credit shift by batching", "one point a request")
    assert (batching.value, batching.flagged) == (0.0, False)


def test_drift_is_told_step_by_step_and_adds_up():
    asked = []
    for answer in range(30):
        for number in range(4):
            credit = 0.0 if answer < 6 * number else 1.0
            asked.append(rows(answer, f"version {number + 1}", [credit]))
    versions = {f"version {number}": "a card" for number in range(1, 5)}
    found = drift(frame(*asked), "judge@1", versions)
    last = measure(found, "credit gained since", "version 1 to version 4")
    assert last.value == pytest.approx(-18 / 30)
    assert last.flagged
    # against the first version: 6, 12, 18 lowered, so z is their roots; each less 0.5
    control = measure(found, "CUSUM of the net change")
    assert control.value == pytest.approx(6**0.5 + 12**0.5 + 18**0.5 - 1.5)
    assert control.flagged


@pytest.mark.parametrize("audit", [retest, injection, verbosity, ordering])
def test_an_audit_of_nothing_is_none(audit):
    found = audit(frame(), "judge@1")
    assert isinstance(found, NotAudited)
    assert found.why
    assert found.do
