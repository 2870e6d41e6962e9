"""Writing twice changes nothing, and nothing written is ever overwritten."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.archive.entry import AnswerSpan, Engine, FindingEntry, Received
from grader.archive.store import open_archive
from grader.errors import UsageError
from grader.record import Evidence, Finding, Reason, Status, Verdict, digest
from tests.archive.judged import CARD, DOUBT, VERDICT, VOTES, judge
from tests.archive.sample import (
    ENGINES,
    KINETICS,
    MARKS,
    QUANTITY,
    RATE_HASH,
    REASON_NODE,
    REPLIES,
    RIGHT,
    RUN_DIGEST,
    SET,
    answer_hash,
    dump,
    findings,
    grade,
    mark,
)

RATE_NODE = KINETICS.nodes[0]
SLOW = Finding(Status.UNDETERMINED, QUANTITY.by, "too slow", reason=Reason.TIME_LIMIT)


def points_of(archive, point_id, line=2):
    graded = next(one for one in archive.graded(archive.runs()[0]) if one.response.line == line)
    return next(point for point in graded.points if point.point_id == point_id)


def test_grading_twice_leaves_the_archive_as_it_was(archive):
    grade(archive)
    once = dump(archive)
    grade(archive)
    assert dump(archive) == once


def test_what_one_archive_object_wrote_the_next_one_reads(archive, archive_url):
    grade(archive)
    with open_archive(archive_url, create=False) as again:
        assert dump(again) == dump(archive)


def test_the_same_answer_to_the_same_point_is_found_once(archive):
    grade(archive)
    assert answer_hash(2, "kin-1") == answer_hash(3, "kin-1")
    assert points_of(archive, "rate", 2).findings == points_of(archive, "rate", 3).findings
    assert archive.counts()["findings"] == len(findings())


def test_known_findings_name_the_engines_that_decided(archive):
    grade(archive)
    pairs = [(one.point_hash, one.answer_hash) for one in findings()]
    keys = [engine.key for engine in ENGINES]
    known = archive.known_findings([*pairs, (RATE_HASH, "another answer")], keys)
    assert known == {pair: {one.engine} for pair, one in zip(pairs, findings(), strict=True)}
    assert archive.known_findings(pairs, [Engine(QUANTITY.by, {"python": "3.12"}).key]) == {}


def test_many_pairs_are_looked_up_at_once(archive):
    grade(archive)
    pairs = [(RATE_HASH, digest(n)) for n in range(1201)]
    assert len(archive.known_findings([*pairs, *[(RATE_HASH, answer_hash(2, "kin-1"))]], [QUANTITY.key])) == 1


def test_a_finding_that_is_there_stays_unless_regrading_is_forced(archive):
    grade(archive)
    other = FindingEntry(RATE_HASH, answer_hash(2, "kin-1"), QUANTITY.key, SLOW)
    assert archive.put_findings([other]) == 0
    assert points_of(archive, "rate").standing.status is Status.MET
    assert archive.put_findings([other], again=True) == 1
    assert points_of(archive, "rate").standing.reason is Reason.TIME_LIMIT


def test_a_forced_regrading_adds_only_what_came_out_differently(archive):
    grade(archive)
    assert archive.put_findings(findings(), again=True) == 0
    slow = FindingEntry(RATE_HASH, answer_hash(2, "kin-1"), QUANTITY.key, SLOW)
    right = replace(slow, finding=RIGHT)
    assert [archive.put_findings([one], again=True) for one in (slow, slow, right, right)] == [1, 0, 1, 0]
    assert points_of(archive, "rate").standing.status is Status.MET
    assert len(points_of(archive, "rate").findings) == 3


def test_marks_imported_twice_are_there_once(archive):
    grade(archive)
    assert archive.put_verdicts(MARKS) == 0
    assert archive.counts()["verdicts"] == len(MARKS)


def test_a_mark_taken_back_holds_again(archive):
    grade(archive)
    awards = []
    for award in (0.0, 0.0, 1.0):
        new = archive.put_verdicts([mark(2, "kin-1", REASON_NODE, award)])
        awards.append((new, points_of(archive, "reason").standing.award))
    assert awards == [(1, 0.0), (0, 0.0), (1, 1.0)]


def test_the_last_of_two_marks_of_one_person_in_a_file_counts(archive):
    grade(archive)
    twice = [mark(2, "kin-1", REASON_NODE, award, by="human:Cy") for award in (0.0, 0.5)]
    assert archive.put_verdicts(twice) == 1
    assert archive.put_verdicts(twice) == 0


def test_evidence_flags_and_rejected_candidates_come_back(archive):
    grade(archive)
    (kept,) = points_of(archive, "rate", 4).findings
    original = next(one.finding for one in findings() if one.answer_hash == answer_hash(4, "kin-1"))
    assert kept.finding == original
    assert kept.engine == QUANTITY
    (verdict,) = points_of(archive, "reason", 2).verdicts
    assert (verdict.verdict, verdict.source) == (MARKS[0].verdict, MARKS[0].source)


def test_an_answer_cut_differently_holds_and_the_earlier_cut_is_kept(archive):
    run = grade(archive)
    whole = REPLIES[0].response.text
    recut = AnswerSpan("kin-1", 0, 14, digest(whole[:14]), True)
    archive.put_responses(run, [Received(2, REPLIES[0].response, [recut])])
    now, *_ = archive.graded(run)
    assert now.answer == recut
    assert now.points[0].standing.reason is Reason.UNJUDGED
    before, *_ = archive.graded(run, history=True)
    assert before.earlier == (REPLIES[0].answers[0],)
    archive.put_responses(run, [REPLIES[0]])
    again, *_ = archive.graded(run)
    assert again.answer == REPLIES[0].answers[0]


def test_a_run_written_again_with_other_costs_keeps_its_marks(archive):
    grade(archive)
    cheaper = [replace(one, response=replace(one.response, meta={"cost": 0.1})) for one in REPLIES]
    run = archive.put_run("another digest", "run", {})
    archive.begin_grading(run, SET.digest, ENGINES)
    archive.put_responses(run, cheaper)
    first, *_ = archive.graded(run)
    assert first.points[1].standing.track == "human"


def test_a_grading_is_new_only_if_something_it_is_under_is(archive):
    run = grade(archive)
    same = archive.begin_grading(run, SET.digest, reversed(ENGINES))
    assert archive.counts()["gradings"] == 1
    newer = archive.begin_grading(run, SET.digest, [Engine(QUANTITY.by, {"pint": "0.26"})])
    assert newer.id != same.id
    assert archive.begin_grading(run, SET.digest, ENGINES, card="gauss").card == "gauss"


def test_another_card_is_another_grading_and_leaves_the_first_ones_verdicts_beside(archive):
    run = grade(archive)
    judge(archive, run)
    gauss = archive.grading(run)
    assert archive.begin_grading(run, SET.digest, ENGINES, card=CARD) == gauss
    euler = archive.begin_grading(run, SET.digest, ENGINES, card="euler@1")
    assert archive.grading(run) == euler != gauss
    other = replace(VERDICT, verdict=replace(VERDICT.verdict, by="judge:euler@1", award=0.0, votes=()))
    archive.put_verdicts([mark(3, "kin-1", REASON_NODE, None, reason=Reason.CANNOT_ASSESS), other])
    point = points_of(archive, "reason")
    assert [one.verdict.by for one in point.verdicts] == ["human:Ada", f"judge:{CARD}", "judge:euler@1"]
    assert (list(archive.triage(gauss)), list(archive.triage(euler))) == ([DOUBT], [])


def test_a_judge_that_could_be_reached_later_decides_then(archive):
    run = grade(archive)
    archive.begin_grading(run, SET.digest, ENGINES, card=CARD)
    judged = mark(4, "kin-1", RATE_NODE, 1.0, by=f"judge:{CARD}", votes=VOTES)
    unreached = Verdict("rate", Status.UNDETERMINED, f"judge:{CARD}", reason=Reason.CALL_FAILED)
    unsure = Finding(Status.UNDETERMINED, QUANTITY.by, "nothing", reason=Reason.NO_CANDIDATE)
    unfound = FindingEntry(RATE_HASH, answer_hash(4, "kin-1"), QUANTITY.key, unsure)
    archive.put_findings([unfound], again=True)
    said = []
    for verdict in (unreached, unreached, judged.verdict, judged.verdict):
        new = archive.put_verdicts([replace(judged, verdict=verdict)])
        standing = points_of(archive, "rate", 4).standing
        said.append((new, standing.reason, standing.award))
    assert said == [
        (1, Reason.CALL_FAILED, None),
        (0, Reason.CALL_FAILED, None),
        (1, None, 1.0),
        (0, None, 1.0),
    ]


def test_the_same_award_by_other_votes_is_another_verdict(archive):
    run = grade(archive)
    judge(archive, run)
    fewer = replace(VERDICT, verdict=replace(VERDICT.verdict, votes=VOTES[:2]))
    assert [archive.put_verdicts([one]) for one in (VERDICT, fewer, fewer)] == [0, 1, 0]
    assert points_of(archive, "reason").verdicts[-1].verdict.votes == VOTES[:2]


def test_a_summary_holds_until_a_mark_a_finding_or_a_grading_changes(archive):
    run = grade(archive)
    grading = archive.begin_grading(run, SET.digest, ENGINES)
    assert archive.summary(grading) == {"earned": 3.5}
    archive.put_verdicts([mark(2, "kin-1", REASON_NODE, 0.0)])
    assert archive.summary(grading) is None
    archive.put_summary(grading, archive.state(), {"earned": 2.5})
    assert archive.summary(grading) == {"earned": 2.5}
    slow = FindingEntry(RATE_HASH, answer_hash(2, "kin-1"), QUANTITY.key, SLOW)
    archive.put_findings([slow], again=True)
    assert archive.summary(grading) is None
    assert archive.summary(archive.begin_grading(run, SET.digest, ENGINES, card="gauss")) is None


def test_grading_another_run_leaves_a_summary_valid(archive):
    run = grade(archive)
    grading = archive.begin_grading(run, SET.digest, ENGINES)
    other = archive.put_run("other", "other", {})
    archive.begin_grading(other, SET.digest, ENGINES)
    archive.put_responses(other, REPLIES[:1])
    evidence = Evidence("k", 0, 1)
    archive.put_findings([FindingEntry(RATE_HASH, "x", QUANTITY.key, replace(RIGHT, evidence=evidence))])
    assert archive.summary(grading) == {"earned": 3.5}


def test_a_mark_ends_the_summaries_of_the_runs_that_hold_its_response_and_of_no_other(archive):
    run = grade(archive)
    grading = archive.begin_grading(run, SET.digest, ENGINES)
    with_it, without = (archive.put_run(name, name, {}) for name in ("with it", "without"))
    archive.put_responses(with_it, REPLIES[:2])
    archive.put_responses(without, REPLIES[2:])
    others = [archive.begin_grading(one, SET.digest, ENGINES) for one in (with_it, without)]
    for one in others:
        archive.put_summary(one, archive.state(), {"earned": 1.0})
    archive.put_verdicts([mark(REPLIES[0].line, "kin-1", REASON_NODE, 0.0)])
    assert [archive.summary(one) for one in (grading, *others)] == [None, None, {"earned": 1.0}]
    assert archive.summary(others[0], earlier=True) == {"earned": 1.0}
    archive.put_verdicts([mark(REPLIES[2].line, "kin-1", REASON_NODE, 1.0)])
    assert archive.summary(others[1]) is None


def test_runs_are_found_by_name_and_by_the_beginning_of_their_digest(archive):
    run = grade(archive)
    assert archive.runs("run") == archive.runs(RUN_DIGEST[:8]) == archive.runs() == [run]
    for unknown in ("sprint", "%", "ffffffff", "\x00\ud800"):
        with pytest.raises(UsageError, match="no such run"):
            archive.runs(unknown)


def test_an_empty_write_is_no_error(archive):
    run = archive.put_run("d", "run", {})
    assert archive.put_responses(run, []) == []
    assert (archive.put_findings([]), archive.put_verdicts([])) == (0, 0)
    assert archive.known_findings([], []) == {}
    archive.put_images([])
    assert list(archive.graded(run)) == []


def test_a_problem_remembers_its_nodes_in_rubric_order(archive):
    grade(archive)
    assert [node.point_id for node in archive.problem(KINETICS.hash).nodes] == ["rate", "reason"]
