"""Marks are money: every rule by hand, and bounds that always hold."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.problem.model import Deduction, Group, Note, Point, Veto
from grader.score import Award, Total, macro_share, score_subquestion


def point(name, points=1.0):
    return Point(id=name, points=points, text="")


def group(name, points, rule, *of, **options):
    return Group(id=name, points=points, text="", rule=rule, of=of, **options)


def awards(**shares):
    return {name: Award(share, "human") for name, share in shares.items()}


def marks(nodes, full_mark, **shares):
    score = score_subquestion(nodes, full_mark, awards(**shares))
    return score.earned, score.low, score.high


def test_points_add_up_and_open_ones_widen_the_bounds():
    nodes = (point("a", 1), point("b", 2), point("c", 0.5))
    assert marks(nodes, 3.5, a=1, b=0.5, c=1) == (2.5, 2.5, 2.5)
    assert marks(nodes, 3.5, a=1) == (1, 1, 3.5)


def test_thirds_of_a_mark_add_up_to_one():
    nodes = tuple(point(name, 1) for name in "abc")
    assert marks(nodes, 3, a=1 / 3, b=1 / 3, c=1 / 3)[0] == 1


@pytest.mark.parametrize(
    ("shares", "earned"),
    [({"a": 1, "b": 1}, 3), ({"a": 1, "b": 0}, 0), ({"a": 1, "b": 0.5}, 0)],
)
def test_all_is_everything_or_nothing(shares, earned):
    nodes = (group("g", 3, "all", point("a", 1), point("b", 2)),)
    assert marks(nodes, 3, **shares)[0] == earned


def test_any_takes_the_best_member_and_a_lesser_award_is_a_cheaper_member():
    nodes = (group("g", 2, "any", point("whole", 2), point("net", 1)),)
    assert marks(nodes, 2, whole=0, net=1) == (1, 1, 1)
    assert marks(nodes, 2, whole=1, net=1) == (2, 2, 2)
    assert marks(nodes, 2, net=1) == (1, 1, 2)


def test_an_open_alternative_of_a_met_member_is_no_longer_open():
    nodes = (group("g", 2, "any", point("a", 2), point("b", 2)), point("c", 1))
    score = score_subquestion(nodes, 3, awards(a=1))
    assert score.open_points == ("c",)
    assert score.by_track == {"human": 2}


def test_count_takes_the_best_members():
    nodes = (group("g", 4, "count", *(point(name, 2) for name in "abc"), take=2),)
    assert marks(nodes, 4, a=1, b=1, c=1)[0] == 4
    assert marks(nodes, 4, a=1, b=0, c=0)[0] == 2


def test_count_reads_its_table_and_missing_counts_earn_nothing():
    nodes = (group("g", 2, "count", *(point(name) for name in "abc"), table={"3": 2, "2": 1}),)
    assert [marks(nodes, 2, a=a, b=b, c=1)[0] for a, b in ((1, 1), (1, 0), (0, 0))] == [2, 1, 0]


def test_a_mark_on_a_group_stands_in_place_of_its_members():
    nodes = (group("g", 2, "any", point("a", 2), point("b", 1)),)
    assert marks(nodes, 2, g=0.75, a=1, b=1) == (1.5, 1.5, 1.5)


def test_a_count_group_that_lists_no_members_waits_for_a_mark():
    nodes = (group("g", 3, "count", table={"3": 3, "2": 2, "1": 1}),)
    assert marks(nodes, 3) == (0, 0, 3)
    assert score_subquestion(nodes, 3, {}).open_points == ("g",)
    assert marks(nodes, 3, g=2 / 3) == (2, 2, 2)


def test_a_deduction_never_takes_a_score_below_zero():
    nodes = (point("a", 1), Deduction(id="d", points=-2, text=""))
    assert marks(nodes, 1, a=1, d=1) == (0, 0, 0)
    assert marks(nodes, 1, a=1) == (1, 0, 1)


def test_a_scoped_deduction_takes_only_from_its_scope():
    nodes = (point("a", 1), point("b", 3), Deduction(id="d", points=-2, text="", scope="a"))
    assert marks(nodes, 4, a=1, b=1, d=1)[0] == 3


def test_a_deduction_for_each_takes_its_share_of_the_most_it_can():
    nodes = (point("a", 8), Deduction(id="d", points=-1, text="", each=True, max=4))
    assert marks(nodes, 8, a=1, d=0.5)[0] == 6


def test_a_met_veto_zeroes_its_scope_alone():
    nodes = (point("a", 1), point("b", 3), Veto(id="v", veto=True, text="", scope="b"), Note(note="n"))
    assert marks(nodes, 4, a=1, b=1, v=1) == (1, 1, 1)
    assert marks(nodes, 4, a=1, b=1) == (4, 1, 4)


def test_a_veto_without_scope_settles_the_subquestion():
    nodes = (point("a", 1), point("b", 3), Veto(id="v", veto=True, text=""))
    score = score_subquestion(nodes, 4, awards(v=1))
    assert (score.low, score.high, score.open_points) == (0, 0, ())


def test_follow_through_is_counted_beside_the_strict_marks():
    nodes = (point("a", 2),)
    score = score_subquestion(nodes, 2, {"a": Award(0.0, "human", award_follow=1.0)})
    assert (score.earned, score.earned_follow) == (0, 2)


def test_an_undetermined_award_is_open():
    score = score_subquestion((point("a"),), 1, {"a": Award(None, "judge")})
    assert (score.low, score.high, score.open_points, score.by_track) == (0, 1, ("a",), {})


names = st.sampled_from("abcdef")


@st.composite
def rubrics(draw):
    """Rubrics of nested groups, deductions and vetoes over at most six open nodes."""
    pool = iter("abcdef")
    counter = itertools.count()

    def member(depth):
        name = next(pool, None)
        if name is None:
            return None
        if depth and draw(st.booleans()):
            members = [m for m in (point(name, draw(st.integers(1, 3))), member(depth - 1)) if m]
            rule = draw(st.sampled_from(["sum", "all", "any", "count"]))
            options = {"take": 1} if rule == "count" else {}
            top = sum(m.points for m in members) if rule == "sum" else max(m.points for m in members)
            return group(f"g{next(counter)}", top, rule, *members, **options)
        return point(name, draw(st.integers(1, 3)))

    nodes = [node for node in (member(2), member(1), member(0)) if node]
    scopes = [None, *(node.id for node in nodes)]
    if name := next(pool, None):
        nodes.append(
            Deduction(id=name, points=-draw(st.integers(1, 3)), text="", scope=draw(st.sampled_from(scopes)))
        )
    if name := next(pool, None):
        nodes.append(Veto(id=name, veto=True, text="", scope=draw(st.sampled_from(scopes))))
    return tuple(nodes)


@given(rubrics(), st.dictionaries(names, st.sampled_from([0.0, 1.0])))
def test_the_bounds_hold_and_are_reached_however_open_points_are_decided(nodes, known):
    full_mark = sum(node.points for node in nodes if isinstance(node, Point | Group))
    score = score_subquestion(nodes, full_mark, awards(**known))
    still_open = [name for name in "abcdef" if name not in known]
    reached = [
        score_subquestion(
            nodes, full_mark, awards(**known, **dict(zip(still_open, choice, strict=True)))
        ).earned
        for choice in itertools.product([0.0, 1.0], repeat=len(still_open))
    ]
    assert score.low == min(reached)
    assert score.high == max(reached)
    assert 0 <= score.low <= score.earned <= score.high <= full_mark


@given(rubrics(), st.dictionaries(names, st.sampled_from([0.0, 1.0])))
def test_no_point_is_called_open_unless_it_can_change_the_score(nodes, known):
    full_mark = sum(node.points for node in nodes if isinstance(node, Point | Group))
    score = score_subquestion(nodes, full_mark, awards(**known))
    assert bool(score.open_points) == (score.low < score.high)
    assert not set(score.open_points) & set(known)
    assert sum(score.by_track.values()) <= full_mark


def test_totals_add_marks_and_problems_count_once_in_the_macro_share():
    small, large = Total(), Total()
    small.add(score_subquestion((point("a", 1),), 1, awards(a=1)))
    large.add(score_subquestion((point("a", 9),), 9, awards(a=0)))
    assert macro_share([small, large]) == 0.5
    assert small.share == 1
    assert Total().share is None
