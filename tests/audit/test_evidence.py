"""Evidence: what a judge quotes is looked for as it wrote it, and who quotes nothing is found out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grader.archive.store import open_archive
from grader.audit.evidence import evidence
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


def audited(tmp_path, quote: Callable[[str, str], str], said: str = "met", **settings):
    """The audit of a judge that awards ``said`` and quotes ``quote(model, point)``."""
    folder = write_problems(tmp_path / "set", PROBLEMS)
    run = write_answers(folder, PROBLEMS, MODELS, text)
    one = card(tmp_path, **settings)

    def script(asked, answer):
        model = answer.response.model
        return says(*(verdict(point, said, quote(model, point)) for point in asked.points))

    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as archive:
        judge_in_process(run, archive, one, script)
        return done(evidence(read_checked(archive), one.label))


def test_a_judge_that_quotes_verbatim_is_said_nothing_against(tmp_path):
    found = audited(tmp_path, lambda model, point: "the bond breaks first – slowly")
    assert measure(found, "quoted verbatim", "verdict met").value == 1
    overall = measure(found, "credit without evidence")
    assert (overall.value, overall.n, overall.problems) == (0, 40, 10)
    # no problem of 10 has a violation: at most 1 - 0.025^(1/10) of them have any
    assert overall.high == pytest.approx(1 - 0.025 ** (1 / 10))
    assert overall.detectable == pytest.approx(1 - 0.2 ** (1 / 40))
    assert not any(one.flagged for one in found.measures)
    assert (found.says, found.cases) == ((), ())


def test_typography_is_told_from_misquoting(tmp_path):
    found = audited(tmp_path, lambda model, point: "the bond  breaks first - slowly")
    assert measure(found, "quoted verbatim but for typography", "verdict met").value == 1
    assert measure(found, "quoted verbatim", "verdict met").value == 0
    assert measure(found, "credit without evidence").value == 0


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
    assert {one.where.split("/")[0] for one in found.cases} == {f"q{n:02}" for n in range(10)}
    assert all("'the bond mends'" in one.what for one in found.cases)


def test_a_piece_of_a_number_or_a_word_is_no_quote(tmp_path):
    found = audited(tmp_path, lambda model, point: "reaks fir")
    assert measure(found, "quoted what isn't there", "verdict met").value == 1


def test_credits_without_evidence_are_held_against_what_people_say_of_them(tmp_path):
    folder = write_problems(tmp_path / "set", PROBLEMS)
    run = write_answers(folder, PROBLEMS, MODELS, text)
    one = card(tmp_path)

    def odd(answer):
        return int(answer.response.problem_id[1:]) % 2 == 1

    def script(asked, answer):
        return says(*(verdict(point, "met", "" if odd(answer) else "bond") for point in asked.points))

    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as archive:
        judge_in_process(run, archive, one, script)
        (archived,) = archive.runs()
        # people find nothing in the answers of which the judge quoted nothing
        give_marks(archive, archived, lambda answer, point: 0.0 if odd(answer) else 1.0)
        found = done(evidence(read_checked(archive), one.label))
    worse = measure(found, "error rate", "without evidence minus with")
    assert (worse.value, worse.n, worse.flagged) == (1, 40, True)
    assert (
        "Error rate of credits, without evidence minus with evidence: +100.0 percentage points." in found.says
    )


def test_votes_are_read_from_the_reply_that_speaks_for_the_verdict(tmp_path):
    found = audited(tmp_path, lambda model, point: "bond", votes=3)
    assert measure(found, "quoted verbatim", "verdict met").n == 40
    assert not any("isn't archived" in note for note in found.notes)


def test_code_is_not_audited_for_quotes(tmp_path):
    nothing: Any = None
    found = evidence(nothing, "formal")
    assert isinstance(found, NotAudited)
    assert "offsets" in found.why
