"""People's marks never leak into what code and judge said, nor a mark into answers it wasn't given to."""

from __future__ import annotations

import pytest

from grader.archive.entry import VerdictEntry
from grader.archive.review_entry import Member
from grader.errors import UsageError
from grader.judge.card import SpotCheck
from grader.record import Reason, Status, Verdict
from grader.stats.checked import read_checked
from grader.stats.checked.columns import ANSWERS, PLACE, POINTS, RATINGS
from grader.stats.frames import Frames
from tests.audit.drawn import CARD, Opinion, Script, drawn_archive, grading_of, right
from tests.grade.small import point

ALL = SpotCheck(confident=1.0, doubtful=1.0, formal=1.0)
CELL = ("alpha", "sequential_carry", "text_only")


def at(frame, problem, point_id):
    """The row of a point."""
    own = frame[(frame["problem_id"] == problem) & (frame["point_id"] == point_id)]
    assert len(own) == 1
    return own.iloc[0]


def wrong(spot):
    """The other award."""
    return 1 - right(spot)


def test_a_mark_leaves_the_machines_award_and_marks_as_they_were(tmp_path):
    with drawn_archive(tmp_path, Script(rates=ALL)) as desk:
        before = read_checked(desk.archive)
        desk.mark("Ada", wrong)
        after = read_checked(desk.archive)
        standing = Frames.of(desk.archive).points
    machine = [*PLACE, "track", "by", "status", "award", "confidence", "stratum", "rate", "drawn", "graded"]
    assert list(after.points.columns) == POINTS
    assert list(after.answers.columns) == ANSWERS
    assert list(after.ratings.columns) == RATINGS
    assert after.points[machine].equals(before.points[machine])
    assert after.answers.equals(before.answers)
    assert set(standing["track"]) == {"human"}  # while in scores marks go before both
    assert before.points["human"].isna().all()
    assert (after.points["human"] + after.points["award"] == 1).all()
    assert (after.points["marked"] == after.points["points"] * after.points["human"]).all()


def test_marks_add_up_to_the_score_as_graded(tmp_path):
    with drawn_archive(tmp_path, Script(models=("alpha", "beta"), samples=2)) as desk:
        checked = read_checked(desk.archive)
        cells = Frames.of(desk.archive).cells
    assert checked.judge == CARD
    assert not checked.provisional
    assert checked.notes[0].endswith("stand for them, which is right if nobody chose which to mark first")
    earned = checked.answers.groupby("model")["earned"].sum()
    assert earned.tolist() == cells["earned"].tolist()
    assert checked.points.groupby("model")["graded"].sum().tolist() == cells["earned"].tolist()
    assert (checked.answers["rest"] == 0).all()
    assert not checked.answers["interacting"].any()


def test_what_nobody_decided_is_open_and_no_zero(tmp_path):
    def judge(spot):
        return Opinion(None) if spot.point_id == "b" else Opinion(1.0)

    with drawn_archive(tmp_path, Script(problems=2, judge=judge, rates=ALL)) as desk:
        desk.mark("Ada", lambda spot: 1.0, only=lambda item: desk.spot(item).point_id == "b", most=1)
        checked = read_checked(desk.archive)
    own = checked.points[checked.points["point_id"] == "b"]
    assert own["award"].isna().all()
    assert own["graded"].isna().all()
    assert own["stratum"].isna().all()
    assert list(own["status"]) == ["undetermined"] * 2
    assert list(checked.answers["open"]) == [1.0, 1.0]
    # the first was settled by a person: the score as graded doesn't know, the corrected one must
    assert sorted(checked.answers["settled"]) == [0.0, 1.0]
    assert sorted(checked.answers["still_open"]) == [0.0, 1.0]
    assert own["marked"].isna().all()


def test_a_provisional_judge_is_in_no_marks(tmp_path):
    with drawn_archive(tmp_path, Script(problems=2, provisional=True, found=lambda spot: 1.0)) as desk:
        checked = read_checked(desk.archive)
    judged = checked.points[checked.points["track"] == "judge"]
    assert checked.provisional
    assert judged["award"].notna().all()
    assert judged["graded"].isna().all()
    assert judged["stratum"].isna().all()
    assert list(checked.answers["earned"]) == [1.0, 1.0]  # code's mark alone
    assert list(checked.answers["open"]) == [3.0, 3.0]


RUBRIC = [
    {
        "id": "g",
        "points": 2,
        "text": "one of two",
        "rule": "any",
        "of": [point("g1", 2), point("g2", 2)],
    },
    point("a", 2),
    {"id": "d", "points": -1, "text": "sloppy"},
    {"id": "v", "veto": True, "text": "dangerous"},
]
GIVEN = {"g1": 1.0, "g2": 1.0, "a": 0.0, "d": 1.0, "v": 0.0}
"""The judge: 2 for the group, 0, less 1: 1 of 4."""


@pytest.mark.parametrize(
    ("point_id", "graded", "marked"),
    [
        ("g1", 2.0, 2.0),  # the other member still earns the group's marks
        ("a", 0.0, 2.0),
        ("d", -1.0, 0.0),
        ("v", 0.0, -1.0),  # the veto takes the one mark there is
    ],
)
def test_marks_of_points_that_act_on_each_other_are_what_the_score_changes_by(
    tmp_path, point_id, graded, marked
):
    script = Script(
        1, rubric=lambda number: RUBRIC, judge=lambda spot: Opinion(GIVEN[spot.point_id]), rates=ALL
    )
    with drawn_archive(tmp_path, script) as desk:
        desk.mark("Ada", lambda spot: 1 - GIVEN[spot.point_id])
        checked = read_checked(desk.archive)
    row = at(checked.points, "p001", point_id)
    assert (row["graded"], row["marked"]) == (graded, marked)
    (answer,) = checked.answers.itertuples()
    assert answer.interacting
    assert answer.earned == 1.0
    assert answer.rest == 1.0 - (2 + 2 + 0 - 1 + 0)
    assert "g" not in set(checked.points["point_id"])


def test_draws_about_another_decision_or_rubric_are_left_out_and_counted(tmp_path):
    with drawn_archive(tmp_path, Script(problems=2, rates=ALL)) as desk:
        desk.mark("Ada")
        (answer, *_) = list(desk.archive.graded(desk.run))
        node = next(one for one in answer.points if one.point_id == "b")
        span = answer.answer
        place = (answer.response.digest, answer.response.problem_id, span.sub_id, node.point_hash or "")
        said = Verdict("b", Status.UNDETERMINED, f"judge:{CARD}", reason=Reason.CANNOT_ASSESS, confidence=0.5)
        desk.archive.put_verdicts([VerdictEntry(*place, span.answer_hash, said)])
        checked = read_checked(desk.archive)
        row = at(checked.points, answer.response.problem_id, "b")
        desk.regrade()
        again = read_checked(desk.archive)
    assert not row["drawn"]
    assert checked.points["drawn"].sum() == 5
    assert checked.notes == (
        "1 drawn points are left out: they are about an earlier rubric, answer or decision; "
        "grade the runs again to draw anew",
    )
    assert again.notes == ()  # regraded, it isn't drawn any more


def test_what_another_judge_doubted_is_in_no_stratum_of_this_ones_doubts(tmp_path):
    """Else marks on the one's doubts would be taken for all of the other's stratum, beside its own sample."""
    script = Script(40, rubric=lambda number: [point("b", 1)], full_mark=1, judge=lambda _: Opinion(1.0, 0.3))
    with drawn_archive(tmp_path, script) as desk:
        desk.mark("Ada")
        before = read_checked(desk.archive).points
        desk.regrade()  # which takes what Ada settled off triage
        again = read_checked(desk.archive).points
        desk.grade_by("surer@0123456789ab", lambda _: Opinion(1.0, 0.95))
        after = read_checked(desk.archive).points
    for frame in (before, again):
        assert frame["doubted"].all()
        assert set(frame["stratum"]) == {"doubtful"}
        assert 0 < frame["drawn"].sum() < 40
    assert after["human"].notna().all()
    assert not after["doubted"].any()
    assert set(after["stratum"]) == {"confident"}


# People


def test_blind_marks_are_averaged_until_somebody_settles_them(tmp_path):
    with drawn_archive(tmp_path, Script(problems=4, rates=ALL, second=1.0)) as desk:
        desk.mark("Ada", lambda spot: 1.0)
        desk.mark("Bo", lambda spot: 0.0 if spot.point_id == "a" else 1.0, kinds=("second",))
        checked = read_checked(desk.archive)
        desk.mark("Cy", lambda spot: 0.25, kinds=("adjudication",), seen=True)
        settled = read_checked(desk.archive)
    own = checked.points[checked.points["point_id"] == "a"]
    assert set(own["human"]) == {0.5}
    assert set(own["people"]) == {2}
    assert own["disagree"].all()
    others = checked.points[checked.points["point_id"] != "a"]
    assert not others["disagree"].any()
    assert set(others["human"]) == {1.0}
    assert set(settled.points.loc[settled.points["point_id"] == "a", "human"]) == {0.25}
    kinds = settled.ratings.groupby("person")[["kind", "blind"]].agg(set)
    assert kinds.loc["Ada", "blind"] == {True}
    assert kinds.loc["Bo", "kind"] == {"second"}
    assert kinds.loc["Cy", "kind"] == {"adjudication"}
    assert kinds.loc["Cy", "blind"] == {False}


def test_people_who_differ_on_a_veto_take_half_of_what_it_takes(tmp_path):
    script = Script(
        1,
        rubric=lambda number: RUBRIC,
        judge=lambda spot: Opinion(GIVEN[spot.point_id]),
        rates=ALL,
        second=1.0,
    )
    with drawn_archive(tmp_path, script) as desk:
        desk.mark("Ada", lambda spot: 1.0)
        desk.mark("Bo", lambda spot: 0.0, kinds=("second",))
        checked = read_checked(desk.archive)
    row = at(checked.points, "p001", "v")
    assert (row["human"], row["graded"], row["marked"]) == (0.5, 0.0, -0.5)


def test_a_mark_changed_after_the_verdict_was_seen_is_no_blind_one(tmp_path):
    with drawn_archive(tmp_path, Script(problems=1, rates=ALL)) as desk:
        item = next(one for one in desk.archive.items("open") if desk.spot(one).point_id == "a")
        desk.archive.invite("Ada", "token")
        desk.mark_item(item, "Ada", 0.5, seconds=30)
        desk.mark_item(item, "Ada", 1.0, seen=True, seconds=5)
        checked = read_checked(desk.archive)
    assert at(checked.points, "p001", "a")["human"] == 0.5
    told = checked.ratings[["award", "blind", "seconds"]].itertuples(index=False, name=None)
    assert sorted(told) == [(0.5, True, 30.0), (1.0, False, 5.0)]


def test_marks_that_were_taken_back_or_say_nothing_are_no_award(tmp_path):
    with drawn_archive(tmp_path, Script(problems=1, rates=ALL)) as desk:
        one, two, three = desk.archive.items("open")
        desk.archive.invite("Ada", "token")
        for item, award in ((one, 1.0), (two, None), (three, 0.0)):
            desk.mark_item(item, "Ada", award)
        desk.undo(one)
        checked = read_checked(desk.archive)
    assert checked.points["human"].notna().sum() == 1
    assert len(checked.ratings) == 2
    assert checked.ratings["award"].isna().sum() == 1  # who can't say is heard, too
    assert (
        at(
            checked.points,
            "p001",
            desk.spots[
                three.entry.members[0].response_digest, three.entry.sub_id, three.entry.point_id
            ].point_id,
        )["human"]
        == 0.0
    )


def test_a_mark_holds_for_all_answers_of_its_item_and_gold_for_none(tmp_path):
    with drawn_archive(tmp_path, Script(problems=2, models=("alpha", "beta"), rates=ALL)) as desk:
        desk.archive.invite("Ada", "token")
        items = [one for one in desk.archive.items("open") if one.entry.point_id == "b"]
        same = [one for one in items if one.entry.problem_id == "p001"]
        members = tuple(Member(*one) for item in same for one in _members(item))
        entry = same[0].entry
        joined = type(entry)(
            *("joined", "joined", "spot_check", entry.problem_id, entry.sub_id, "b", entry.point_hash),
            members=members,
        )
        gold = type(entry)(
            *("gold", "gold", "gold", "p002", "p002-1", "b", items[-1].entry.point_hash),
            members=items[-1].entry.members,
            gold=1.0,
        )
        desk.archive.put_items([joined, gold])
        for item in desk.archive.items("open"):
            if item.entry.key in ("joined", "gold"):
                desk.mark_item(item, "Ada", 0.0)
        checked = read_checked(desk.archive)
    marked = checked.points[checked.points["human"].notna()]
    assert list(marked["model"]) == ["alpha", "beta"]
    assert set(marked["problem_id"]) == {"p001"}
    assert sorted(checked.ratings["kind"]) == ["gold", "spot_check", "spot_check"]
    assert checked.ratings.set_index("kind").loc["gold", "gold"] == 1.0


def _members(item):
    return [(one.response_digest, one.answer_hash) for one in item.entry.members]


def test_marks_from_a_file_count_as_blind_and_the_last_word_holds(tmp_path):
    with drawn_archive(tmp_path, Script(problems=1, rates=ALL)) as desk:
        (answer,) = desk.archive.graded(desk.run)
        node = next(one for one in answer.points if one.point_id == "a")
        span = answer.answer

        def given(by, award, adjudicated=False):
            status = {0.0: Status.NOT_MET, 1.0: Status.MET}.get(award, Status.PARTIAL)
            verdict = Verdict("a", status, f"human:{by}", award, adjudicated=adjudicated)
            place = (answer.response.digest, "p001", span.sub_id, node.point_hash or "", span.answer_hash)
            desk.archive.put_verdicts([VerdictEntry(*place, verdict, f"marks.jsonl:{by}")])
            return at(read_checked(desk.archive).points, "p001", "a")

        assert given("Ada", 0.0)["human"] == 0.0
        assert given("Ada", 1.0)["people"] == 1
        assert given("Bo", 0.5)["human"] == 0.75
        assert given("Cy", 0.25, adjudicated=True)["human"] == 0.25
        ratings = read_checked(desk.archive).ratings
    assert set(ratings["kind"]) == {"file"}
    assert list(ratings.sort_values("person")["blind"]) == [True, True, False]


# Judges


def test_runs_can_be_read_as_another_judge_graded_them(tmp_path):
    with drawn_archive(tmp_path, Script(problems=2, rates=ALL)) as desk:
        desk.archive.begin_grading(desk.run, grading_of(desk).set_digest, [], "other@ba9876543210")
        other = read_checked(desk.archive)
        own = read_checked(desk.archive, card="scripted")
        with pytest.raises(UsageError, match="no run was graded by this judge; got nobody"):
            read_checked(desk.archive, card="nobody")
    assert other.judge == "other@ba9876543210"
    assert other.points["award"].isna().all()
    assert own.judge == CARD
    assert own.points["award"].notna().all()
    assert own.points["drawn"].all()


def test_both_databases_hold_the_same(tmp_path, archive_url):
    with drawn_archive(tmp_path, Script(problems=2, rates=ALL), url=archive_url) as desk:
        assert not desk.archive.marked_by_people()
        assert desk.mark("Ada", wrong) == 6
        assert desk.archive.marked_by_people()
        checked = read_checked(desk.archive, card="scripted")
    assert len(list(checked.points["marked"].dropna())) == 6
    assert set(checked.ratings["kind"]) == {"spot_check"}


def test_nothing_is_read_of_people_where_nobody_marked(tmp_path):
    with drawn_archive(tmp_path, Script(problems=1, judge=None)) as desk:
        assert not desk.archive.marked_by_people()
        checked = read_checked(desk.archive)
    assert checked.judge is None
    assert checked.ratings.empty
