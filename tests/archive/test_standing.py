"""Nobody's word counts for more than it should."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.archive.entry import Engine, StoredFinding, StoredVerdict
from grader.archive.standing import Standing, standing
from grader.record import Finding, Reason, Status, Verdict

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TODAY = Engine("formal:integer@2", {"python": "3.11"})
BEFORE = Engine("formal:integer@1", {"python": "3.11"})
LOCATED = Engine("formal:integer@2", {"python": "3.11", "locator": "gauss@1f"})
FACT = Engine("formal:integer@2", {"python": "3.11", "fact": "1"})
_ids = count(1)

ENGINES = (TODAY, LOCATED, FACT)

MET, NOT_MET, UNDETERMINED = Status.MET, Status.NOT_MET, Status.UNDETERMINED


def found(status, reason=None, *, point="p", answer="a", engine=TODAY):
    finding = Finding(status, engine.by, "compared", reason=reason)
    return StoredFinding(next(_ids), point, answer, engine, finding)


def given_by(by, award, *, point="p", answer="a", **more):
    status = {None: UNDETERMINED, 0.0: NOT_MET, 1.0: MET}.get(award, Status.PARTIAL)
    verdict = Verdict("1", status, by, award, **more)
    return StoredVerdict(next(_ids), "r", "s", point, answer, verdict, None, NOW)


def stands(findings=(), verdicts=(), **more):
    return standing(
        findings, verdicts, point_hash="p", answer_hash="a", engines=frozenset(e.key for e in ENGINES), **more
    )


def test_without_anything_a_point_is_unjudged():
    assert (stands().status, stands().reason, stands().track) == (UNDETERMINED, Reason.UNJUDGED, None)


def test_a_finding_decides_and_says_by_what():
    result = stands([found(MET)])
    assert (result.award, result.by, result.track) == (1.0, "formal:integer@2", "formal")


@pytest.mark.parametrize("card", [None, "gauss"])
def test_a_decided_finding_is_not_overruled_by_a_judge(card):
    assert stands([found(NOT_MET)], [given_by("judge:gauss@1f", 1.0)], card=card).status is NOT_MET


def test_a_human_mark_overrules_finding_and_judge():
    result = stands([found(NOT_MET)], [given_by("human:Ada", 1.0), given_by("judge:g@1", 0.0)], card="g")
    assert (result.status, result.track) == (MET, "human")


def test_an_adjudication_ends_a_disagreement_whoever_spoke_last():
    marks = [
        given_by("human:Ada", 1.0),
        given_by("human:Cy", 0.5, adjudicated=True),
        given_by("human:Bo", 0.0),
    ]
    for order in permutations(marks):
        assert stands(verdicts=order).by == "human:Cy"


def test_the_last_adjudication_holds():
    marks = [given_by("human:Cy", 1.0, adjudicated=True), given_by("human:Di", 0.0, adjudicated=True)]
    assert stands(verdicts=marks).by == "human:Di"


def test_two_people_who_differ_decide_nothing_even_against_a_finding():
    result = stands([found(MET)], [given_by("human:Ada", 1.0), given_by("human:Bo", 0.0)])
    assert (result.status, result.reason, result.source) == (UNDETERMINED, Reason.MARKS_DISAGREE, None)


def test_two_people_who_agree_are_one_voice():
    result = stands(verdicts=[given_by("human:Ada", 0.5), given_by("human:Bo", 0.5)])
    assert (result.award, result.by) == (0.5, "human:Bo")


def test_a_following_error_awarded_differently_is_a_disagreement():
    marks = [given_by("human:Ada", 0.0, award_follow=1.0), given_by("human:Bo", 0.0)]
    assert stands(verdicts=marks).reason is Reason.MARKS_DISAGREE


def test_a_person_who_thinks_again_replaces_the_own_mark_only():
    marks = [given_by("human:Ada", 1.0), given_by("human:Bo", 0.0), given_by("human:Ada", 0.0)]
    assert (stands(verdicts=marks).status, stands(verdicts=marks).by) == (NOT_MET, "human:Ada")


def test_someone_who_cannot_assess_leaves_the_point_to_those_who_can():
    unsure = given_by("human:Ada", None, reason=Reason.CANNOT_ASSESS)
    assert stands([found(MET)], [unsure]).track == "formal"
    assert stands(verdicts=[unsure, given_by("human:Bo", 1.0)]).by == "human:Bo"
    assert stands(verdicts=[unsure, given_by("judge:g@1", 0.0)], card="g").track == "judge"
    assert stands(verdicts=[unsure]).reason is Reason.CANNOT_ASSESS


def test_an_adjudication_that_nobody_can_assess_it_is_final():
    final = given_by("human:Cy", None, reason=Reason.CANNOT_ASSESS, adjudicated=True)
    assert stands([found(MET)], [final]).reason is Reason.CANNOT_ASSESS


def test_an_undetermined_finding_yields_and_else_keeps_its_reason():
    unsure = found(UNDETERMINED, Reason.CONFLICTING_CANDIDATES)
    assert stands([unsure], [given_by("human:Ada", 1.0)]).status is MET
    assert stands([unsure], [given_by("judge:g@1", 1.0)], card="g").status is MET
    assert stands([unsure]).reason is Reason.CONFLICTING_CANDIDATES


def test_only_the_selected_card_judges():
    verdicts = [given_by("judge:gauss@1f", 1.0), given_by("judge:gaussian@2", 0.0)]
    assert stands(verdicts=verdicts).reason is Reason.UNJUDGED
    assert stands(verdicts=verdicts, card="gauss").status is MET
    assert stands(verdicts=verdicts, card="gaussian@2").status is NOT_MET
    assert stands(verdicts=verdicts, card="gauss@99").reason is Reason.UNJUDGED


def test_a_provisional_judge_is_said_to_be_one():
    assert stands(verdicts=[given_by("judge:g@1", 1.0, provisional=True)], card="g").provisional


@pytest.mark.parametrize("changed", [{"point": "old"}, {"answer": "old"}])
def test_what_was_said_of_another_point_or_answer_does_not_count(changed):
    said = [given_by("human:Ada", 1.0, **changed), given_by("judge:g@1", 1.0, **changed)]
    result = stands([found(MET, **changed)], said, card="g")
    assert result.reason is Reason.UNJUDGED
    assert [one.verdict.by for one in result.stale] == ["human:Ada"]


def test_a_stale_mark_is_reported_until_its_marker_renews_it():
    old = given_by("human:Ada", 1.0, point="old")
    assert stands(verdicts=[old, given_by("human:Bo", 1.0)]).stale == (old,)
    assert stands(verdicts=[old, given_by("human:Ada", 0.0)]).stale == ()


def test_a_finding_of_another_engine_version_does_not_count():
    assert stands([found(MET, engine=BEFORE)]).reason is Reason.UNJUDGED
    assert stands([found(MET), found(NOT_MET, engine=BEFORE)]).status is MET


def test_the_last_finding_of_a_forced_regrading_holds():
    assert stands([found(UNDETERMINED, Reason.TIME_LIMIT), found(MET)]).status is MET


def located(status, reason=None, **more):
    return found(status, reason, engine=LOCATED, **more)


def shown(result: Standing):
    return (result.status, result.reason, result.located, result.track)


def test_what_code_finds_itself_goes_before_what_it_finds_where_a_judge_points():
    unsure = found(UNDETERMINED, Reason.NO_CANDIDATE)
    lost = located(UNDETERMINED, Reason.NOT_COMPARABLE)
    for one, other, expected in (
        (found(MET), located(NOT_MET), (MET, None, False, "formal")),
        (unsure, located(NOT_MET), (NOT_MET, None, True, "formal")),
        (unsure, lost, (UNDETERMINED, Reason.NO_CANDIDATE, False, "formal")),
    ):
        for order in permutations([one, other]):
            assert shown(stands(order)) == expected


def test_a_located_finding_yields_to_people_and_not_to_the_judge():
    findings = [found(UNDETERMINED, Reason.NO_CANDIDATE), located(NOT_MET)]
    judge = given_by("judge:gauss@1f", 1.0)
    assert shown(stands(findings, [judge], card="gauss")) == (NOT_MET, None, True, "formal")
    assert shown(stands(findings, [given_by("human:Ada", 1.0)])) == (MET, None, False, "human")


def test_a_located_finding_on_another_answer_or_by_another_card_does_not_count():
    euler = Engine(LOCATED.by, {**LOCATED.versions, "locator": "euler@2"})
    old = [located(MET, answer="old"), located(MET, point="old"), found(MET, engine=euler)]
    assert stands(old).reason is Reason.UNJUDGED


def test_a_fact_told_to_the_judge_never_stands():
    both = Engine(FACT.by, {**FACT.versions, **LOCATED.versions})
    facts = [found(MET, engine=FACT), found(MET, engine=both)]
    assert standing(facts, [], point_hash="p", answer_hash="a").reason is Reason.UNJUDGED
    assert shown(stands([found(NOT_MET), *facts])) == (NOT_MET, None, False, "formal")
    assert stands(facts, [given_by("judge:g@1", 0.0)], card="g").status is NOT_MET


def test_a_judge_nobody_reached_is_not_the_last_word():
    gone = given_by("judge:g@1", None, reason=Reason.CALL_FAILED)
    assert stands(verdicts=[gone], card="g").reason is Reason.CALL_FAILED
    assert stands(verdicts=[gone, given_by("judge:g@1", 1.0)], card="g").status is MET
    assert stands([found(MET)], [gone], card="g").track == "formal"


def test_a_failed_call_is_never_a_zero():
    result = stands([found(NOT_MET)], [given_by("human:Ada", 0.0)], failed=True)
    assert (result.status, result.award, result.reason) == (UNDETERMINED, None, Reason.CALL_FAILED)


awards = st.sampled_from([None, 0.0, 0.5, 1.0])
verdicts = st.builds(
    given_by,
    st.sampled_from(["human:Ada", "human:Bo", "judge:g@1"]),
    awards,
    point=st.sampled_from(["p", "old"]),
    adjudicated=st.booleans(),
)


@given(st.lists(st.sampled_from([MET, NOT_MET]), max_size=2), st.lists(verdicts, max_size=6))
def test_an_award_is_always_somebodys_and_undetermined_always_has_none(statuses, said):
    result = stands([found(status) for status in statuses], said, card="g")
    assert (result.award is None) == (result.status is UNDETERMINED)
    if result.award is not None:
        assert result.source is not None
        assert (result.source.point_hash, result.source.answer_hash) == ("p", "a")
