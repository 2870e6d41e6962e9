"""Failures: each is counted by what was wrong, laid to whom it befalls, and never taken for a zero."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.archive.store import open_archive
from grader.audit.from_archive.failures import OUTCOMES, failures
from grader.audit.from_archive.treatments import TREATMENTS, Treating
from grader.grade.plan import plan
from grader.model.reply import CallFailed
from grader.problem.model import Problem
from grader.stats.checked import read_checked
from tests.audit.asking import done, judge_in_process, measure, problem, write_answers, write_problems
from tests.judge.scripted import EMPTY, REFUSED, card, says, verdict

PROBLEMS = [problem(f"q{n:02}") for n in range(8)]
MODELS = ("alpha", "beta")
BAD = {
    "unparseable": "A fine answer.",
    "missing_points": says(verdict("p1", "met", "bond")),
    "out_of_range": says(verdict("p1", "met", "bond"), verdict("p2", 3.0, "bond")),
    "refusal": REFUSED,
    "empty": EMPTY,
    "truncated": {
        "choices": [{"message": {"content": '{"verdicts": [{"point_id": "p1'}, "finish_reason": "length"}]
    },
    "call_failed": CallFailed("server_error", "overloaded"),
}


def text(model: str, sub_id: str) -> str:
    # beta is long-winded
    return f"For {sub_id} the bond breaks, says {model}." + " It is so." * (9 if model == "beta" else 0)


def good(asked):
    return says(*(verdict(point, "met", "bond") for point in asked.points))


def audited(tmp_path, script, problems=8, **settings):
    folder = write_problems(tmp_path / "set", PROBLEMS[:problems])
    run = write_answers(folder, PROBLEMS[:problems], MODELS, text)
    one = card(tmp_path, **settings)
    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as archive:
        judge_in_process(run, archive, one, script)
        return done(failures(read_checked(archive), one.label))


def test_a_judge_that_answers_is_said_nothing_against(tmp_path):
    found = audited(tmp_path, lambda asked, answer: good(asked))
    assert (measure(found, "request without a readable reply").value, found.says, found.cases) == (0, (), ())
    assert not any(one.flagged for one in found.measures)
    for name in TREATMENTS.values():
        assert measure(found, name, "model alpha").value == 1


def test_every_bad_first_reply_is_told_by_its_kind_though_a_repair_mends_it(tmp_path):
    bad = dict(zip((one["problem_id"] for one in PROBLEMS), BAD.values(), strict=False))

    def script(asked, answer):
        said = bad.get(answer.response.problem_id) if answer.response.model == "alpha" else None
        return good(asked) if said is None or asked.repair else said

    found = audited(tmp_path, script)
    # 16 answers, and a repair for each of the six replies that came and couldn't be read
    assert [measure(found, name).value for name in OUTCOMES.values()] == [pytest.approx(1 / 22)] * 7
    every = measure(found, "request without a readable reply")
    assert every.value == pytest.approx(7 / 22)
    assert (every.n, every.problems) == (22, 8)
    # a failed call has no reply to repair
    assert measure(found, "point left open").value == pytest.approx(2 / 32)
    assert measure(found, OUTCOMES["refusal"], "model alpha").value == pytest.approx(1 / 14)
    assert measure(found, OUTCOMES["refusal"], "model beta").value == 0


def test_a_judge_that_fails_on_one_model_is_found_out_and_its_score_is_given_by_all_treatments(tmp_path):
    def script(asked, answer):
        return BAD["unparseable"] if answer.response.model == "beta" else good(asked)

    found = audited(tmp_path, script)
    apart = measure(found, "point left open", "model alpha minus beta")
    assert (apart.value, apart.flagged) == (-1, True)
    assert measure(found, "request without a readable reply", "length long minus short").flagged
    treated = {key: measure(found, name, "model beta").value for key, name in TREATMENTS.items()}
    assert treated == {"excluded": None, "zero": 0, "worst": 0, "best": 1}
    assert measure(found, TREATMENTS["worst"], "model alpha").value == 1
    assert any("by up to 100.0 percentage points: 0.0 % to 100.0 %" in said for said in found.says)
    assert len(found.cases) == 16
    assert all(case.calls and "reply_unreadable" in case.what for case in found.cases)


def test_two_failures_among_few_are_not_said_to_be_a_models_fault(tmp_path):
    def script(asked, answer):
        bad = answer.response.problem_id in ("q03", "q07") and answer.response.model == "alpha"
        return BAD["unparseable"] if bad else good(asked)

    found = audited(tmp_path, script)
    assert not any(one.flagged for one in found.measures)


def test_votes_are_asked_about_one_by_one(tmp_path):
    def script(asked, answer):
        return BAD["refusal"] if asked.vote == 1 and answer.response.model == "alpha" else good(asked)

    found = audited(tmp_path, script, problems=3, votes=3, calls="point")
    # two votes a point are cast, and where the second failed (and its repair) a third is
    assert measure(found, "request without a readable reply", "model alpha").value == pytest.approx(2 / 4)
    assert measure(found, "point left open").value == 0


RUBRIC = [
    {"id": "a", "points": 2, "text": "a", "partial": True},
    {"id": "b", "points": 2, "text": "b"},
    {"id": "less", "points": -1, "text": "less"},
    {"id": "gone", "veto": True, "text": "gone"},
]
(SUB,) = plan({"p": Problem.model_validate(problem("p", rubric=RUBRIC, full_mark=4))}, "here").subquestions[
    "p"
]


def treated(**awards):
    return Treating().treated(SUB, tuple((name, award, award is None) for name, award in awards.items()))


def test_each_treatment_has_the_marks_that_it_says():
    found = treated(a=0.5, b=None, less=None, gone=0.0)
    # 1 mark is earned; b may add 2, the deduction take 1
    assert (found.zero, found.worst, found.best, found.full) == (1, 0, 3, 4)
    assert (found.excluded, found.excluded_full) == (1, 2)


def test_an_open_veto_may_take_everything_and_leaves_the_full_marks_alone():
    found = treated(a=1.0, b=1.0, less=0.0, gone=None)
    assert (found.zero, found.worst, found.best, found.excluded_full) == (4, 0, 4, 4)


@given(
    st.fixed_dictionaries(
        {name: st.none() | st.sampled_from([0.0, 1.0]) for name in ("a", "b", "less", "gone")}
    )
)
def test_the_extremes_hold_every_other_treatment(awards):
    found = treated(**awards)
    assert found.worst <= found.zero <= found.best <= found.full
    assert 0 <= found.excluded_full <= found.full
    if None not in awards.values():
        assert found.worst == found.best
        assert found.excluded_full == found.full
