"""No item is held by two, no mark is lost, given twice or counted after it was undone; on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from grader.archive.entry import response_digest
from grader.archive.read import Filters
from grader.archive.review_entry import ItemEntry, MarkEntry, Member, Wanted
from grader.archive.review_marks import NotYours, standing
from grader.archive.store import open_archive
from grader.record import Evidence, Reason, Status
from tests.archive.sample import KINETICS, REASON_NODE, REPLIES, answer_hash, grade, mark

NOON = datetime(2026, 12, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DIGESTS = {one.line: response_digest(one.response) for one in REPLIES}


def entry(name, *lines, kind="triage", **more):
    members = tuple(Member(DIGESTS[line], answer_hash(line, "kin-1")) for line in lines or (2,))
    place = ("kinetics", "kin-1", "reason", KINETICS.nodes[1].point_hash)
    return ItemEntry(name, more.pop("alike", name), kind, *place, members, **more)


def given(item, by, award, form=None, **more):
    status = {0.0: Status.NOT_MET, 1.0: Status.MET, None: Status.UNDETERMINED}.get(award, Status.PARTIAL)
    return MarkEntry(
        item.id, by, form or f"{item.id}-{by}-{award}-{more.get('undoes')}", status, award, **more
    )


def verdicts(item, by, award, **more):
    lines = [
        line
        for line, digest in DIGESTS.items()
        for one in item.entry.members
        if one.response_digest == digest
    ]
    return [mark(line, "kin-1", REASON_NODE, award, f"human:{by}", **more) for line in lines]


def stands(archive, line=2, point="reason"):
    """The award that stands for a point of a reply, and by whom."""
    for answer in archive.search(Filters(sub_id="kin-1", point_id=point)):
        if answer.response.digest == DIGESTS[line]:
            one = answer.points[0].standing
            return one.award, one.by
    raise AssertionError(line)


@pytest.fixture
def queue(archive):
    grade(archive)
    return archive


def test_the_first_in_order_comes_first_and_what_is_held_comes_back_to_its_holder(queue):
    queue.put_items([entry("low", priority=1.0), entry("high", 3, priority=2.0)])
    first = queue.claim("Ada")
    assert first.entry.key == "high"
    assert queue.claim("Ada").id == first.id
    assert queue.claim("Bo").entry.key == "low"
    assert queue.claim("Cy") is None
    queue.release(first.id, "Bo")  # not his to let go of
    assert queue.claim("Cy") is None
    queue.release(first.id, "Ada")
    assert queue.claim("Cy").id == first.id


def test_a_lease_ends_and_whoever_comes_too_late_is_told_so(queue):
    queue.put_items([entry("one")])
    held = queue.claim("Ada", lease=HOUR, at=NOON)
    assert queue.claim("Bo", at=NOON + HOUR / 2) is None
    assert queue.renew(held.id, "Ada", lease=HOUR, at=NOON + HOUR / 2).lease == NOON + 1.5 * HOUR
    assert queue.claim("Bo", lease=HOUR, at=NOON + 2 * HOUR).id == held.id
    with pytest.raises(NotYours):
        queue.mark(given(held, "Ada", 1.0), verdicts(held, "Ada", 1.0), at=NOON + 2.5 * HOUR)
    queue.mark(given(held, "Bo", 0.0), verdicts(held, "Bo", 0.0), at=NOON + 2.5 * HOUR)
    with pytest.raises(NotYours):
        queue.mark(given(held, "Ada", 1.0), verdicts(held, "Ada", 1.0), at=NOON + 9 * HOUR)
    assert [one.entry.reviewer for one in queue.marks()] == ["Bo"]


def test_a_mark_stands_for_every_answer_of_its_item_and_a_form_sent_twice_is_one_mark(queue):
    queue.put_items([entry("alike", 3, 4)])
    item = queue.claim("Ida")
    form = given(item, "Ida", 1.0, evidence=(Evidence("first", 0, 5),), reason="so it says", seconds=3.5)
    first = queue.mark(form, verdicts(item, "Ida", 1.0))
    before = queue.counts()
    assert queue.mark(form, verdicts(item, "Ida", 1.0)) == first
    assert queue.counts() == before
    assert first.entry == form
    assert queue.item(item.id).state == "done"
    assert queue.progress().items == {"done": 1}
    assert queue.progress().by_reviewer == {"Ida": (1, 3.5)}


def test_a_mark_is_undone_by_another_row_and_what_stood_before_stands_again(queue):
    queue.put_items([entry("rate", 2)])
    item = queue.claim("Ida")
    before = stands(queue)
    marked = queue.mark(given(item, "Ida", 0.0), verdicts(item, "Ida", 0.0))
    assert stands(queue) != before  # two marks that differ
    nothing = verdicts(item, "Ida", None, reason=Reason.UNJUDGED)
    undone = queue.undo(given(item, "Ida", None, undoes=marked.id), nothing)
    assert stands(queue) == before
    assert queue.undo(given(item, "Ida", None, undoes=marked.id), nothing) == undone
    assert queue.claim("Ida").id == item.id
    assert [one.entry.undoes for one in queue.marks()] == [None, marked.id]
    assert standing(queue.marks()) == {}
    assert queue.progress().by_reviewer == {}
    with pytest.raises(NotYours):
        queue.undo(given(item, "Bo", None, form="other", undoes=marked.id), nothing)


def test_a_mark_may_be_changed_by_who_gave_it_and_by_nobody_else(queue):
    queue.put_items([entry("one", 4)])
    item = queue.claim("Ida")
    queue.mark(given(item, "Ida", 1.0), verdicts(item, "Ida", 1.0))
    queue.mark(given(item, "Ida", 0.0, after_seen=True), verdicts(item, "Ida", 0.0))
    with pytest.raises(NotYours):
        queue.mark(given(item, "Bo", 1.0), verdicts(item, "Bo", 1.0))
    holds = standing(queue.marks())
    assert (holds["Ida"].entry.award, holds["Ida"].entry.after_seen) == (0.0, True)
    assert len(list(queue.marks())) == 2


def test_who_may_not_mark_an_item_cannot_by_any_way_and_who_only_skipped_it_still_can(queue):
    queue.put_items([entry("one", barred=("Ada",))])
    (item,) = queue.items("open")
    assert queue.claim("Ada") is None
    assert queue.renew(item.id, "Ada") is None
    with pytest.raises(NotYours):
        queue.mark(given(item, "Ada", 1.0), verdicts(item, "Ada", 1.0))
    queue.skip(queue.claim("Bo").id, "Bo")
    assert queue.claim("Bo") is None
    queue.mark(given(item, "Bo", 1.0), verdicts(item, "Bo", 1.0))
    assert [one.entry.reviewer for one in queue.marks()] == ["Bo"]


def test_what_was_skipped_goes_to_others_and_comes_back_when_asked_for(queue):
    queue.put_items([entry("one")])
    item = queue.claim("Ada")
    queue.skip(item.id, "Ada")
    assert queue.claim("Ada") is None
    assert queue.come_back("Ada") == 1
    assert queue.claim("Ada").id == item.id
    queue.skip(item.id, "Ada")
    assert queue.claim("Bo").id == item.id


def test_an_item_is_split_into_its_answers_once(queue):
    queue.put_items([entry("three", 2, 3, 4, reasons=("low_confidence",), priority=2.0)])
    item = queue.claim("Ada")
    assert queue.split(item.id) == 3
    assert queue.split(item.id) == 0
    parts = list(queue.items("open"))
    assert [len(one.entry.members) for one in parts] == [1, 1, 1]
    assert {one.entry.reasons for one in parts} == {("low_confidence",)}
    assert queue.put_items([entry("three", 2, 3, 4)]) == 0


def test_answers_that_come_later_join_an_item_that_nobody_has_and_else_get_one_of_their_own(queue):
    assert queue.put_items([entry("alike", 2)]) == 1
    assert queue.put_items([entry("alike", 2, 3, priority=5.0)]) == 0
    (item,) = queue.items("open")
    assert (len(item.entry.members), item.entry.priority) == (2, 5.0)
    held = queue.claim("Ada")
    assert queue.put_items([entry("alike", 2, 3, 4)]) == 1
    queue.mark(given(held, "Ada", 1.0), verdicts(held, "Ada", 1.0))
    assert queue.put_items([entry("alike", 2, 3, 4)]) == 0
    (left,) = queue.items("open")
    assert [one.response_digest for one in left.entry.members] == [DIGESTS[4]]


def test_marks_that_differ_go_to_somebody_who_gave_neither(queue):
    queue.put_items([entry("first", 4)])
    first = queue.claim("Ada")
    queue.put_items([entry("second", 4, kind="second", parent=first.id, barred=("Ada",))])
    assert queue.claim("Ada").id == first.id
    queue.mark(given(first, "Ada", 1.0), verdicts(first, "Ada", 1.0))
    assert queue.claim("Ada") is None
    second = queue.claim("Bo")
    queue.mark(given(second, "Bo", 0.0), verdicts(second, "Bo", 0.0))
    (settling,) = queue.items("open")
    assert (settling.entry.kind, settling.entry.parent) == ("adjudication", first.id)
    assert settling.entry.members == first.entry.members
    assert [queue.claim(one) for one in ("Ada", "Bo")] == [None, None]
    assert queue.claim("Cy", Wanted(adjudications=False)) is None
    assert queue.claim("Cy", Wanted(adjudications=True)).id == settling.id
    queue.mark(given(settling, "Cy", 0.5), verdicts(settling, "Cy", 0.5, adjudicated=True))
    assert stands(queue, 4) == (0.5, "human:Cy")
    assert list(queue.items("open")) == []


def test_marks_that_agree_or_seeded_items_ask_for_nobody(queue):
    queue.put_items([entry("first", 4), entry("gold", 3, kind="gold", gold=1.0)])
    first, gold = queue.items()
    queue.put_items([entry("second", 4, kind="second", parent=first.id)])
    second = next(one for one in queue.items() if one.entry.kind == "second")
    for item, by, award in ((first, "Ada", 1.0), (second, "Bo", 1.0), (gold, "Bo", 0.0)):
        queue.mark(given(item, by, award))
    assert list(queue.items("open")) == []
    assert queue.item(gold.id).entry.gold == 1.0


def test_nobody_marks_the_same_answers_twice_not_even_what_they_skipped(queue):
    queue.put_items([entry("first", 4)])
    (first,) = queue.items()
    queue.put_items([entry("second", 4, kind="second", parent=first.id, priority=1.0)])
    second = queue.claim("Ada")
    queue.skip(second.id, "Ada")
    assert queue.claim("Ada") is None  # or what she skipped would be before her again
    queue.mark(given(first, "Ada", 1.0))
    assert queue.come_back("Ada") == 0
    assert queue.claim("Ada") is None
    assert queue.claim("Bo").id == second.id


def test_what_no_longer_differs_is_no_longer_to_be_settled(queue):
    """Bo slips, and takes it back; then he differs for good, and it is asked again."""
    queue.put_items([entry("first", 4)])
    (first,) = queue.items()
    queue.mark(given(first, "Ada", 1.0))
    queue.put_items([entry("second", 4, kind="second", parent=first.id)])
    second = queue.claim("Bo")

    def asked():
        return [one.state for one in queue.items() if one.entry.kind == "adjudication"]

    slip = queue.mark(given(second, "Bo", 0.0))
    assert asked() == ["open"]
    queue.undo(given(second, "Bo", None, undoes=slip.id))
    assert asked() == ["withdrawn"]
    queue.mark(given(second, "Bo", 1.0))
    assert asked() == ["withdrawn"]
    queue.mark(given(second, "Bo", 0.0, "changed", after_seen=True))
    assert asked() == ["withdrawn", "open"]
    queue.claim("Cy")
    queue.mark(given(second, "Bo", 1.0, "again", after_seen=True))
    assert asked() == ["withdrawn", "open"]  # Cy has it before them


def test_a_filter_by_reason_tells_nobody_what_was_drawn_at_random(queue):
    queue.put_items(
        [
            entry("doubt", 2, reasons=("low_confidence",), check_kind="quantity", priority=2.0),
            entry("other", 3, reasons=("split_votes",), priority=3.0),
            entry("drawn", 4, kind="spot_check", priority=1.0),
        ]
    )
    wanted = Wanted(reason="low_confidence")
    assert [queue.claim(name, wanted).entry.key for name in ("Ada", "Bo")] == ["doubt", "drawn"]
    assert queue.claim("Cy", wanted) is None
    assert queue.claim("Cy", Wanted(check_kind="quantity")) is None
    assert queue.claim("Cy", Wanted(check_kind="flexible", subs=[("kinetics", "kin-1")])).entry.key == "other"
    assert queue.claim("Di", Wanted(subs=[("kinetics", "kin-9")])) is None
    assert queue.claim("Cy", Wanted(run_id=queue.runs()[0].id)).entry.key == "other"
    assert queue.claim("Di", Wanted(run_id=99)) is None


def test_a_token_opens_the_desk_until_it_is_revoked_or_another_is_given(queue):
    queue.invite("Ada", "hash-1")
    queue.invite("Cy", "hash-2", adjudicates=True)
    assert queue.reviewer("hash-1").name == "Ada"
    assert [(one.name, one.adjudicates) for one in queue.reviewers()] == [("Ada", False), ("Cy", True)]
    queue.invite("Ada", "hash-3")
    assert queue.reviewer("hash-1") is None
    queue.put_items([entry("one")])
    queue.claim("Ada")
    assert [queue.revoke(one) for one in ("Ada", "Nobody")] == [True, False]
    assert queue.reviewer("hash-3") is None
    assert queue.claim("Cy") is not None  # what she held is free


def test_of_many_who_reach_for_the_same_items_each_gets_one_and_each_form_counts_once(queue, archive_url):
    """Twelve people at once, some forms sent twice: every item is marked once."""
    entries = [replace(entry(f"item-{n}", 3 + n % 2), priority=float(n % 3)) for n in range(24)]
    queue.put_items(entries)

    def work(name):
        done = []
        with open_archive(archive_url) as own:
            while (item := own.claim(name)) is not None:
                form = given(item, name, 1.0)
                own.mark(form, verdicts(item, name, 1.0))
                own.mark(form, verdicts(item, name, 1.0))
                done.append(item.id)
        return done

    with ThreadPoolExecutor(12) as pool:
        done = [item for several in pool.map(work, [f"r{n}" for n in range(12)]) for item in several]
    assert sorted(done) == sorted(one.id for one in queue.items("done"))
    assert len(done) == len(set(done)) == len(list(queue.marks())) == 24


def test_a_mark_whose_verdicts_cannot_be_kept_is_not_kept_either(queue):
    queue.put_items([entry("one", 4)])
    item = queue.claim("Ada")
    (verdict,) = verdicts(item, "Ada", 1.0)
    with pytest.raises(IntegrityError):
        queue.mark(given(item, "Ada", 1.0), [replace(verdict, point_hash="nowhere")])
    assert list(queue.marks()) == []
    assert queue.item(item.id).state == "open"
