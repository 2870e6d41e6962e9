"""Evidence: what a judge quotes is looked for as it wrote it, and who quotes nothing is found out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import pytest

from grader.archive.store import open_archive
from grader.audit.from_archive.evidence import evidence
from grader.audit.from_archive.quotes import quotes
from grader.audit.result import NotAudited
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

PROBLEMS = [problem(f"q{n:02}") for n in range(10)]
MODELS = ("alpha", "beta")


def text(model: str, sub_id: str) -> str:
    return f"For {sub_id} the bond breaks first – slowly – says {model}. A second line follows."


@contextmanager
def judging(tmp_path, quote: Callable[[str, str], str], said="met", problems=10, models=MODELS, **settings):
    """The archive of a judge that awards ``said`` and quotes ``quote(model, problem)``, and its label."""
    folder = write_problems(tmp_path / "set", PROBLEMS[:problems])
    run = write_answers(folder, PROBLEMS[:problems], models, text)
    one = card(tmp_path, **settings)

    def script(asked, answer):
        quoted = quote(answer.response.model, answer.response.problem_id)
        return says(*(verdict(point, said, quoted) for point in asked.points))

    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as archive:
        judge_in_process(run, archive, one, script)
        yield archive, one.label


def audited(tmp_path, quote, **how):
    with judging(tmp_path, quote, **how) as (archive, label):
        return done(evidence(read_checked(archive), label))


def test_quotes_are_told_apart_as_they_were_written(tmp_path):
    said = {
        "verbatim": "the bond breaks first – slowly",
        "typographic": "the bond  breaks first - slowly",
        "emphatic": "**the bond breaks**",
        "piece": "reaks fir",
        "changed": "the bond mends",
        "joining": "of the",
        "silent": "",
    }
    with judging(tmp_path, lambda model, _: said[model], problems=1, models=tuple(said)) as (archive, label):
        found = {one.model: one for one in quotes(read_checked(archive).source, label)}
    assert {model: one.kind for model, one in found.items()} == {
        "verbatim": "exact",
        "typographic": "folded",
        "emphatic": "folded",
        "piece": "absent",
        "changed": "absent",
        "joining": "none",
        "silent": "none",
    }
    assert {model: one.quote for model, one in found.items()} == said
    assert not any(one.misplaced or one.elsewhere or one.request is None for one in found.values())


def test_a_judge_that_quotes_verbatim_is_said_nothing_against(tmp_path):
    found = audited(tmp_path, lambda model, point: "the bond breaks first – slowly")
    assert measure(found, "quoted verbatim", "verdict met").value == 1
    overall = measure(found, "credit without evidence")
    assert (overall.value, overall.n, overall.problems) == (0, 40, 10)
    # no problem of 10 has a violation: at most 1 - 0.025^(1/10) of them have any
    assert overall.high == pytest.approx(1 - 0.025 ** (1 / 10))
    # and if violations come together in a problem, 10 problems are all there is to see them in
    assert overall.detectable == pytest.approx(1 - 0.2 ** (1 / 10))
    assert not any(one.flagged for one in found.measures)
    assert (found.says, found.cases) == ((), ())


def test_a_judge_that_quotes_nothing_is_found_out_with_every_credit_as_a_case(tmp_path):
    found = audited(tmp_path, lambda model, point: "")
    assert measure(found, "quoted nothing", "verdict met").value == 1
    assert measure(found, "credit without evidence").flagged
    assert found.says == ("100.0 % of the judge's credits rest on no quote of the answer.",)
    assert len(found.cases) == 40
    assert all(len(one.calls) == 1 for one in found.cases)


def test_nothing_need_be_quoted_for_what_is_not_met(tmp_path):
    found = audited(tmp_path, lambda model, point: "", said="not_met")
    assert measure(found, "quoted nothing", "verdict not_met").value == 1
    assert measure(found, "credit without evidence").value is None
    assert not any(one.flagged for one in found.measures)


def test_misquoting_one_model_is_laid_to_that_model(tmp_path):
    found = audited(tmp_path, lambda model, point: "bond" if model == "alpha" else "the bond mends")
    assert measure(found, "quoted what isn't there", "verdict met").value == 0.5
    apart = measure(found, "credit without evidence", "model alpha minus beta")
    assert (apart.value, apart.flagged) == (-1, True)
    for model, share in (("alpha", 0), ("beta", 1)):
        assert measure(found, "quoted what isn't there", f"credits, model {model}").value == share
        assert measure(found, "quoted verbatim", f"credits, model {model}").value == 1 - share
    assert {one.where.split("/")[0] for one in found.cases} == {f"q{n:02}" for n in range(10)}
    assert all("'the bond mends'" in one.what for one in found.cases)


def test_credits_without_evidence_are_held_against_what_people_say_of_them(tmp_path):
    def odd(problem_id):
        return int(problem_id[1:]) % 2 == 1

    with judging(tmp_path, lambda _, problem_id: "" if odd(problem_id) else "bond") as (archive, label):
        (archived,) = archive.runs()
        # people find nothing in the answers of which the judge quoted nothing
        give_marks(archive, archived, lambda answer, _: 0.0 if odd(answer.response.problem_id) else 1.0)
        found = done(evidence(read_checked(archive), label))
    worse = measure(found, "error rate", "without evidence minus with")
    assert (worse.value, worse.n, worse.flagged) == (1, 40, True)
    assert measure(found, "correlation of missing evidence and error").value == pytest.approx(1)
    assert (
        "Error rate of credits, without evidence minus with evidence: +100.0 percentage points." in found.says
    )


def test_missing_evidence_and_errors_are_correlated_as_by_numpy(tmp_path):
    def silent(problem_id):
        return int(problem_id[1:]) % 2 == 1

    def wrong(answer, point):
        number = int(answer.response.problem_id[1:])
        return number in (1, 3, 5) or (number == 2 and answer.response.model == "alpha")

    with judging(tmp_path, lambda _, problem_id: "" if silent(problem_id) else "bond") as (archive, label):
        (archived,) = archive.runs()
        give_marks(archive, archived, lambda answer, point: float(not wrong(answer, point)))
        found = done(evidence(read_checked(archive), label))
    # of 20 credits without a quote 12 are wrong, of 20 with one 2: phi of that table
    one = measure(found, "correlation of missing evidence and error")
    assert one.value == pytest.approx((12 * 18 - 8 * 2) / (20 * 20 * 14 * 26) ** 0.5)
    assert (one.n, one.problems) == (40, 10)
    assert one.value is not None
    assert one.low is not None
    assert one.high is not None
    assert one.low < one.value < one.high


def test_votes_are_read_from_the_reply_that_speaks_for_the_verdict(tmp_path):
    found = audited(tmp_path, lambda model, _: "bond", problems=2, votes=3)
    assert measure(found, "quoted verbatim", "verdict met").n == 8
    assert not any("isn't archived" in note for note in found.notes)


def test_code_is_not_audited_for_quotes(tmp_path):
    nothing: Any = None
    found = evidence(nothing, "formal")
    assert isinstance(found, NotAudited)
    assert "offsets" in found.why
