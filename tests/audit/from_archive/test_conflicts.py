"""Code against judge: a contradiction is a case with both sides, and a partial award is none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.archive.audit_entry import AnswerPlace, AskedEntry, Said
from grader.archive.entry import VerdictEntry
from grader.archive.store import open_archive
from grader.audit.from_archive.conflicts import conflicts
from grader.audit.result import NotAudited
from grader.record import Status, Verdict, Vote
from grader.stats.checked import read_checked
from tests.audit.asking import done, judge_in_process, measure, problem, write_answers, write_problems
from tests.audit.drawn import CARD, Opinion, Script, drawn_archive, right
from tests.grade.small import point
from tests.judge.scripted import card, says, verdict

PROBLEMS = [
    problem(f"q{n}", rubric=[point("p1", 2) | {"text": "The rate constant is 0.35 L/(mol s)."}], full_mark=2)
    for n in range(6)
]


def text(model: str, sub_id: str) -> str:
    return f"Of {sub_id}: the rate constant is {'0.35' if model == 'right' else '0.71'} L/(mol s)."


def told(tmp_path, awards):
    """A judge that awards by the model, told of the value that code found."""
    run = write_answers(write_problems(tmp_path / "set", PROBLEMS), PROBLEMS, ("right", "wrong"), text)
    one = card(tmp_path)

    def script(asked, answer):
        said = awards[answer.response.model]
        return says(*(verdict(point, said, "rate constant") for point in asked.points))

    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as archive:
        judge_in_process(run, archive, one, script, facts=True)
        return done(conflicts(read_checked(archive), one.label))


def test_a_judge_that_follows_the_facts_contradicts_nothing(tmp_path):
    found = told(tmp_path, {"right": "met", "wrong": "not_met"})
    overall = measure(found, "conflict of code and judge", "values told as facts")
    assert (overall.value, overall.n, overall.problems) == (0, 12, 6)
    assert measure(found, "code met, judge met", "values told as facts").value == 6
    assert measure(found, "code not met, judge not met", "values told as facts").value == 6
    assert (found.says, found.cases) == ((), ())
    assert any("by design it is asked about flexible points" in note for note in found.notes)


def test_a_judge_that_awards_wrong_values_is_found_out_case_by_case(tmp_path):
    found = told(tmp_path, {"right": "met", "wrong": "met"})
    overall = measure(found, "conflict of code and judge", "values told as facts")
    assert (overall.value, overall.flagged) == (0.5, True)
    assert measure(found, "code not met, judge met", "values told as facts").value == 6
    apart = measure(found, "conflict of code and judge", "values told as facts, model right minus wrong")
    assert (apart.value, apart.flagged) == (-1, True)
    assert len(found.cases) == 6
    assert all("judge: met" in case.what and "0.35" in case.what and case.calls for case in found.cases)


def on_formal(desk, award, wrong=None, **more):
    """Verdicts of the judge on the points that code decides: as code says, but ``wrong`` on some problems."""
    entries = []
    for answer in desk.archive.graded(desk.run):
        one = next(point for point in answer.points if point.point_id == "n")
        said = award(one.standing.award, answer.response.problem_id)
        status = {1.0: Status.MET, 0.0: Status.NOT_MET}.get(said, Status.PARTIAL)
        votes = (Vote(CARD, 0, "key", status, said),)
        given = Verdict("n", status, f"judge:{CARD}", said, votes=votes, **more)
        head, span = answer.response, answer.answer
        place = (head.digest, head.problem_id, span.sub_id, one.point_hash, span.answer_hash)
        entries.append(VerdictEntry(*place, given))
    desk.archive.put_verdicts(entries)


def test_verdicts_on_formal_points_make_the_confusion_table(tmp_path):
    with drawn_archive(tmp_path, Script(problems=6)) as desk:
        on_formal(desk, lambda code, problem: 1 - code if problem in ("p001", "p002") else code)
        found = done(conflicts(read_checked(desk.archive), CARD))
    assert measure(found, "conflict of code and judge", "formal points").value == pytest.approx(2 / 6)
    assert measure(found, "conflict of code and judge", "kind integer").n == 6
    cells = [one for one in found.measures if one.unit == "count" and one.of == "formal points"]
    assert sum(one.value or 0 for one in cells) == 6
    assert [case.where.split("/")[0] for case in found.cases] == ["p001", "p002"]
    assert all(case.calls == ("key",) for case in found.cases)


def test_a_partial_award_contradicts_neither(tmp_path):
    with drawn_archive(tmp_path, Script(problems=2)) as desk:
        on_formal(desk, lambda code, problem: 0.5)
        found = done(conflicts(read_checked(desk.archive), CARD))
    assert measure(found, "conflict of code and judge", "formal points").value == 0
    assert found.indicative


def test_what_an_audit_asked_of_plain_answers_counts_too(tmp_path):
    with drawn_archive(tmp_path, Script(problems=3)) as desk:
        answer, *_ = desk.archive.graded(desk.run)
        head, span = answer.response, answer.answer
        stands = next(one.standing for one in answer.points if one.point_id == "n")
        assert stands is not None
        award = stands.award
        assert award is not None
        said = Said(Status.MET if award == 0 else Status.NOT_MET, 1 - award)
        place = AnswerPlace(desk.run.id, head.digest, head.problem_id, span.sub_id, span.answer_hash)
        about = {"points": {"n": next(one.point_hash for one in answer.points if one.point_id == "n")}}
        plain = AskedEntry("design", CARD, place, "base 0123", "task", {"n": said}, ("k1", "k2"), about=about)
        others = [
            replace(plain, variant="repeat 1"),
            replace(plain, card="another@0"),
            replace(plain, about={"points": {"n": "of an earlier rubric"}}),
            replace(plain, place=replace(place, answer_hash="of an earlier cut")),
        ]
        found = done(conflicts(read_checked(desk.archive), CARD, asked=[*others, plain]))
        nothing = conflicts(read_checked(desk.archive), CARD, asked=others)
    assert [case.calls for case in found.cases] == [("k1", "k2")]
    assert isinstance(nothing, NotAudited)
    assert "no point in common" in nothing.why


def test_people_say_who_is_right_in_conflicts(tmp_path):
    def contrary(spot):
        return Opinion(1 - right(spot), flags=("finding_conflict",))

    with drawn_archive(tmp_path, Script(problems=6, judge=contrary)) as desk:
        desk.mark("ann", only=desk.drawn)
        found = done(conflicts(read_checked(desk.archive), CARD))
    # the judge says the opposite of the truth throughout, and code's fact was right each time
    sides = measure(found, "people side with code in conflicts", "values told as facts")
    assert sides.value == 1
    assert len(found.cases) == 12
