"""Agreement is counted over blind marks, by the textbook's formulas, and names stay at home."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.archive.review_entry import ItemEntry, MarkEntry, Member
from grader.marks import status_of
from grader.record import Status
from grader.review.agreement import agreement, interval, kappa

AWARDS = st.sampled_from([None, 0.0, 0.5, 1.0])


@pytest.fixture
def marked(desk):
    """Put items and mark them: ``marked(key, kind, [(who, award), ...])``."""
    (run,) = desk.archive.runs()
    answer = next(iter(desk.archive.graded(run)))
    point = next(one for one in answer.points if one.point_id == "why")
    member = Member(answer.response.digest, answer.answer.answer_hash)
    place = ("desk", "desk-1", "why", point.point_hash)

    def put(key, kind="triage", marks=(), **more):
        desk.archive.put_items([ItemEntry(key, key, kind, *place, (member,), **more)])
        item = next(one for one in desk.archive.items() if one.entry.key == key)
        for n, (who, award, *rest) in enumerate(marks):
            extra = rest[0] if rest else {}
            form = f"{key} {who} {n}"
            desk.archive.mark(MarkEntry(item.id, who, form, status_of(award), award, **extra))
        return item.id

    return put


def test_two_people_over_four_answers_by_hand(desk, marked):
    """Awards 1-1, 1-0, 0-0, 0-0: equal 3/4, by chance 1/2*1/4 + 1/2*3/4 = 1/2; means 1/2 and 1/4."""
    for n, (one, other) in enumerate([(1.0, 1.0), (1.0, 0.0), (0.0, 0.0), (0.0, 0.0)]):
        first = marked(f"item {n}", marks=[("Ada", one)])
        marked(f"second {n}", "second", [("Bo", other)], parent=first)
    (pair,) = agreement(desk.archive).pairs
    assert (pair.first, pair.second, pair.n, pair.equal) == ("Ada", "Bo", 4, 0.75)
    assert pair.kappa == pytest.approx(0.5)
    assert pair.difference == 0.25


def test_a_change_after_seeing_counts_as_a_change_and_not_for_agreement(desk, marked):
    seen = {"after_seen": True, "seconds": 5.0}
    first = marked("item", marks=[("Ada", 1.0, {"seconds": 30.0}), ("Ada", 0.0, seen)])
    marked("again", "second", [("Bo", 1.0, {"seconds": 10.0})], parent=first)
    marked("other", marks=[("Ada", 1.0, {"seconds": 15.0})])
    found = agreement(desk.archive)
    assert [(one.n, one.equal, one.kappa) for one in found.pairs] == [(1, 1.0, None)]
    ada, bo = found.people
    assert (ada.name, ada.marks, ada.seconds, ada.changed) == ("Ada", 2, 25.0, 0.5)
    assert (bo.seconds, bo.changed, bo.gold, bo.low) == (10.0, 0.0, 0, None)


def test_an_undone_mark_and_one_that_settles_a_difference_are_no_blind_ones(desk, marked):
    first = marked("item", marks=[("Ada", 1.0)])
    second = marked("again", "second", [("Bo", 0.0)], parent=first)
    marked("final", "adjudication", [("Cy", 0.5)], parent=first)
    (pair,) = agreement(desk.archive).pairs
    assert (pair.first, pair.second, pair.equal) == ("Ada", "Bo", 0.0)
    (given,) = desk.archive.marks_of([second])[second]
    desk.archive.undo(MarkEntry(second, "Bo", "undone", Status.UNDETERMINED, None, undoes=given.id))
    found = agreement(desk.archive)
    assert found.pairs == ()
    assert [one.marks for one in found.people] == [1, 0, 1]


def test_seeded_items_tell_how_often_a_person_is_right(desk, marked):
    """Clopper-Pearson of 4 of 5 is 0.2836 to 0.9949, of any table."""
    for n in range(5):
        award = 0.0 if n == 4 else 1.0
        marked(f"gold {n}", "gold", [("Ada", award)], gold=1.0)
    found = agreement(desk.archive)
    (ada,) = found.people
    assert (ada.gold, ada.right, found.pairs) == (5, 4, ())
    assert (ada.low, ada.high) == pytest.approx((0.28358, 0.99495), abs=1e-5)


def test_outside_people_have_numbers(desk, marked):
    first = marked("item", marks=[("Zoe", 1.0)])
    marked("again", "second", [("Ada", None)], parent=first)
    found = agreement(desk.archive).public()
    assert [(one.first, one.second) for one in found.pairs] == [("reviewer 1", "reviewer 2")]
    assert not [name for name in ("Zoe", "Ada") if name in str(found.as_json())]


@given(st.lists(st.tuples(AWARDS, AWARDS), min_size=1, max_size=30))
def test_kappa_is_the_agreement_beyond_chance(both):
    n = len(both)
    seen = sum(one == other for one, other in both) / n
    names = {award for pair in both for award in pair}
    by = [[sum(pair[side] == name for pair in both) / n for name in names] for side in (0, 1)]
    chance = sum(one * other for one, other in zip(*by, strict=True))
    found = kappa(both)
    assert (found is None) == (len(names) == 1)
    if found is not None:
        assert found == pytest.approx((seen - chance) / (1 - chance))


@given(st.integers(0, 40), st.integers(1, 40))
def test_an_interval_holds_its_share(right, n):
    low, high = interval(min(right, n), n)
    assert low is not None
    assert high is not None
    assert 0 <= low <= min(right, n) / n <= high <= 1
