"""Batches: what is written is what would be asked, and results count as replies do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.archive.store import open_archive
from grader.errors import DataError
from grader.judge.cards import load_card
from tests.grade.judged import (
    judge_by_number,
    judge_run,
    marks_of,
    number_in,
    verdicts,
    write_card,
    write_run,
)
from tests.grade.small import PROBLEM, line, write_lines, write_set
from tests.scripted_judge import all_met

ANSWERS = 9
PRICE = "{input = 1.0, output = 4.0, batch = 0.5}"
NOWHERE = "http://127.0.0.1:9/v1"
USAGE = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}


@pytest.fixture
def archive(tmp_path):
    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as opened:
        yield opened


@pytest.fixture
def job(tmp_path, archive):
    """Grades with batch files, and gives the report and the summary."""
    run = write_run(tmp_path / "set", ANSWERS)
    card = write_card(tmp_path, NOWHERE, price=PRICE)

    def grade(**files):
        result = judge_run(run, archive, card, **files)
        assert result.judged is not None
        return result.judged.batch, result.summary

    return grade


def served(requests, say=judge_by_number):
    """What the provider makes of a batch: a line for each request that ``say`` has words for."""
    lines = [json.loads(line) for line in requests.read_text().splitlines()]
    results = []
    for asked in lines:
        text = say(asked["body"])
        if text is None:
            continue
        message = {"role": "assistant", "content": text}
        body = {
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "model": "judge-2026-01-01",
            "usage": USAGE,
        }
        results.append({"custom_id": asked["custom_id"], "response": {"status_code": 200, "body": body}})
    out = requests.with_suffix(".results.jsonl")
    out.write_text("".join(json.dumps(one) + "\n" for one in results))
    return out


def test_a_batch_of_all_requests_judges_the_run_at_half_the_price(tmp_path, archive, job):
    requests = tmp_path / "requests.jsonl"
    report, summary = job(batch_out=requests)
    assert report.written == {requests: ANSWERS}
    assert summary["undetermined"] == [{"reason": "unjudged", "points": ANSWERS}]
    report, summary = job(batch_in=[served(requests)])
    assert report.taken == ANSWERS
    assert summary["undetermined"] == []
    assert {one["sample"]: one["award"] for one in verdicts(archive)} == {
        n: marks_of(n) / 2 for n in range(ANSWERS)
    }
    assert summary["judge"]["cost"] == pytest.approx(ANSWERS * (1000 * 1.0 + 100 * 4.0) / 1e6 / 2)


def test_what_is_missing_or_failed_is_written_again_and_nothing_else(tmp_path, archive, job):
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    job(batch_out=first)
    results = served(first, lambda body: None if number_in(body) < 3 else judge_by_number(body))
    failed = json.loads(first.read_text().splitlines()[0])["custom_id"]
    error = {"code": "batch_expired", "message": "not run in time"}
    with results.open("a") as file:
        file.write(json.dumps({"custom_id": failed, "response": None, "error": error}) + "\n")
    report, summary = job(batch_in=[results], batch_out=second)
    assert (report.taken, report.failed.total(), report.written) == (6, 1, {second: 3})
    assert "batch_expired" in next(iter(report.failed))
    assert summary["undetermined"] == [{"reason": "unjudged", "points": 3}]
    report, summary = job(batch_in=[served(second)])
    assert report.taken == 3
    assert summary["undetermined"] == []


def test_an_unreadable_reply_has_its_repair_in_the_next_batch(tmp_path, job):
    first, second, third = (tmp_path / f"{n}.jsonl" for n in (1, 2, 3))
    job(batch_out=first)
    bad = served(first, lambda body: "Well done." if number_in(body) == 1 else judge_by_number(body))
    report, _ = job(batch_in=[bad], batch_out=second)
    assert report.written == {second: 1}
    (repair,) = (json.loads(line) for line in second.read_text().splitlines())
    assert [message["role"] for message in repair["body"]["messages"]][-2:] == ["assistant", "user"]
    report, summary = job(batch_in=[served(second)], batch_out=third)
    assert summary["undetermined"] == []
    assert report.written == {}
    assert not third.exists()


def test_results_of_another_batch_are_named_and_those_taken_before_are_not(tmp_path, job):
    requests = tmp_path / "requests.jsonl"
    job(batch_out=requests)
    results = served(requests)
    other = json.loads(results.read_text().splitlines()[0]) | {"custom_id": "f" * 64}
    results.write_text(results.read_text() + json.dumps(other) + "\n")
    report, _ = job(batch_in=[results])
    assert report.foreign == ["f" * 64]
    assert any("belong to no request" in note for note in report.notes())


def test_a_torn_result_file_is_refused_with_its_line(tmp_path, job):
    requests = tmp_path / "requests.jsonl"
    job(batch_out=requests)
    results = served(requests)
    results.write_text(results.read_text()[:-40])
    with pytest.raises(DataError, match=rf"{results.name}:{ANSWERS}"):
        job(batch_in=[results])


def test_a_panel_has_a_batch_for_each_model(tmp_path, archive):
    run = write_run(tmp_path / "set", ANSWERS)
    for port, name in enumerate(("one", "two", "three"), start=10):
        card = write_card(tmp_path, f"http://127.0.0.1:{port}/v1", name)
        card.path.write_text(card.path.read_text().replace(f"openai/{name}", "openai/same"))
    panel = tmp_path / "panel.toml"
    panel.write_text('panel = ["one", "two", "three"]\n')
    card = load_card(str(panel))
    results: list[Path] = []
    rounds = 0
    while True:
        judged = judge_run(run, archive, card, batch_out=tmp_path / "b.jsonl", batch_in=results).judged
        assert judged is not None
        assert judged.batch is not None
        if not judged.batch.written:
            break
        for path in judged.batch.written:
            models = {json.loads(line)["body"]["model"] for line in path.read_text().splitlines()}
            assert models == {"same"}
        results = [served(path) for path in judged.batch.written]
        rounds += 1
    assert rounds == 1  # two agreeing votes settle each point
    assert {one["sample"]: one["award"] for one in verdicts(archive)} == {
        n: marks_of(n) / 2 for n in range(ANSWERS)
    }


def test_what_a_located_value_would_change_waits_for_the_next_batch(tmp_path, archive):
    text = "The oxygen count is 1. For hydrogen I count 2. **Answer: B**."
    problem = json.loads(json.dumps(PROBLEM))
    both = [node for sub in problem["subquestions"] for node in sub["rubric"]]
    problem["subquestions"] = [problem["subquestions"][0] | {"full_mark": 6, "rubric": both}]
    run = write_lines(write_set(tmp_path / "set", problem) / "run.jsonl", [line("water-1", text)])
    card = write_card(tmp_path, NOWHERE, locator='{reasons = ["conflicting_candidates"]}')

    def say(body):
        if '"quote"' in json.dumps(body["response_format"]):
            return json.dumps({"rationale": "it says so", "quote": "I count 2"})
        return all_met(body)

    rounds: list[int] = []
    results: list[Path] = []
    while True:
        judged = judge_run(run, archive, card, batch_out=tmp_path / "b.jsonl", batch_in=results).judged
        assert judged is not None
        assert judged.batch is not None
        assert judged.batch.foreign == []
        if not judged.batch.written:
            break
        rounds += judged.batch.written.values()
        results = [served(tmp_path / "b.jsonl", say)]
    assert rounds == [1, 1]  # first where the value is, then the rest with what code found there
    assert archive.spent(archive.runs()[0]).total.replies == 2
