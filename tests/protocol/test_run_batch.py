"""A run by batch files is the run that asking would make; what needs an answer first is refused."""

from __future__ import annotations

import json

import pytest

from grader.errors import DataError, UsageError
from grader.protocol.asking import Provider
from grader.protocol.batch import Batch
from grader.protocol.run import run
from tests.grade.judged import at_once
from tests.model_server import model_server
from tests.protocol.running import request_for, responses, small_set

SHOWN = {"protocols": ["full_problem", "oracle_scaffolded"], "modes": ["multimodal", "text_only"]}
ANSWERS = 2 * (2 + 4)
USAGE = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}


@pytest.fixture
def problems(tmp_path):
    return small_set(tmp_path / "set", images=True)


@pytest.fixture
def job(tmp_path, problems):
    """Goes on with one run by batch files; its state and the report."""
    price = {"input": 1.0, "output": 4.0, "batch": 0.5}
    solver = {"model": "openai/m", "api_base": "http://127.0.0.1:9/v1", "vision": True, "price": price}

    def made(out=None, results=(), **shown):
        request = request_for(problems, tmp_path / "run.jsonl", solver, **(shown or SHOWN))
        batch = Batch(request, out, results)
        return run(request, batch), batch.report

    return made


def say(body):
    return f"The answer to {len(json.dumps(body))} bytes."


def served(batch, say=say):
    """What the provider makes of a batch: a line for each request that ``say`` has words for."""
    results = batch.with_suffix(".results.jsonl")
    with results.open("w") as stream:
        for asked in map(json.loads, batch.read_text().splitlines()):
            if (text := say(asked["body"])) is not None:
                choice = {
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": "stop",
                }
                body = {"choices": [choice], "model": "m-2026", "usage": USAGE}
                response = {"status_code": 200, "body": body}
                stream.write(json.dumps({"custom_id": asked["custom_id"], "response": response}) + "\n")
    return results


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_batch_goes_out_comes_in_and_the_run_is_complete_at_the_price_of_batches(tmp_path, job):
    out = tmp_path / "batch.jsonl"
    state, report = job(out)
    # the first question of a problem is the same under oracle_scaffolded and nowhere else
    assert report.written == {out: ANSWERS}
    assert state.unasked == {"batch": ANSWERS}
    assert not state.complete
    assert list(state.notes()) == [f"{ANSWERS} questions wait for a batch"]
    state, report = job(results=[served(out)])
    assert state.complete
    assert report.taken == ANSWERS
    assert state.paid.cost == pytest.approx(ANSWERS * (1000 * 1.0 + 100 * 4.0) / 1e6 / 2)
    assert sum(cell.cost for cell in state.cells.values()) == pytest.approx(state.paid.cost)


def test_a_run_by_batch_is_the_run_that_asking_makes(tmp_path, job, problems):
    out = tmp_path / "batch.jsonl"
    job(out)
    job(results=[served(out, lambda body: f"{body['messages']}")])
    with model_server(lambda body: f"{body['messages']}") as server:
        solver = {"model": "openai/m", "api_base": server.base_url, "vision": True}
        request = request_for(problems, tmp_path / "asked.jsonl", solver, **SHOWN)
        run(request, Provider(request, wait=at_once))

    def made(path):
        return {one.key: (one.text, one.meta["input"]) for one in responses(path)}

    assert made(tmp_path / "run.jsonl") == made(tmp_path / "asked.jsonl")


def test_what_failed_or_is_missing_is_in_the_next_batch_and_nothing_else(tmp_path, job):
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    job(first)
    asked = lines(first)
    results = served(first, lambda body: None if body in [one["body"] for one in asked[:3]] else say(body))
    error = {"code": "batch_expired", "message": "not run in time"}
    with results.open("a") as stream:
        stream.write(json.dumps({"custom_id": asked[0]["custom_id"], "response": None, "error": error}))
    state, report = job(second, [results])
    assert (report.taken, report.failed.total(), report.written) == (ANSWERS - 3, 1, {second: 3})
    assert any("batch_expired" in note for note in report.notes())
    assert {one["custom_id"] for one in lines(second)} == {one["custom_id"] for one in asked[:3]}
    assert (len(responses(tmp_path / "run.jsonl")), state.unasked) == (ANSWERS - 3, {"batch": 3})
    # all that came so far may be given again
    state, report = job(results=[results, served(second)])
    assert state.complete
    assert (report.taken, report.foreign) == (3, [])


def test_replies_that_nobody_asked_for_are_named(tmp_path, job):
    out = tmp_path / "batch.jsonl"
    job(out)
    results = served(out)
    other = lines(results)[0] | {"custom_id": "f" * 64}
    results.write_text(results.read_text() + json.dumps(other) + "\n")
    state, report = job(results=[results])
    assert state.complete
    assert report.foreign == ["f" * 64]
    assert any("belong to no request" in note for note in report.notes())


def test_requests_that_two_conversations_share_are_written_once_and_taken_in_by_both(tmp_path, job):
    shown = {"protocols": ["oracle_scaffolded"], "oracle": {"scope": "none"}, "samples": 2}
    out = tmp_path / "batch.jsonl"
    _, report = job(out, **shown)
    assert report.written == {out: 8}
    assert len({one["custom_id"] for one in lines(out)}) == 8
    state, _ = job(results=[served(out)], **shown)
    assert state.complete


def test_a_torn_result_file_is_refused_with_its_line_and_leaves_the_run_as_it_is(tmp_path, job):
    out = tmp_path / "batch.jsonl"
    job(out)
    results = served(out)
    results.write_text(results.read_text()[:-40])
    before = (tmp_path / "run.jsonl").read_bytes()
    with pytest.raises(DataError, match=rf"{results.name}:{ANSWERS}"):
        job(results=[results])
    assert (tmp_path / "run.jsonl").read_bytes() == before


def test_a_batch_that_cant_be_written_is_said(tmp_path, job):
    with pytest.raises(UsageError, match="the batch can't be written"):
        job(tmp_path / "no" / "folder" / "batch.jsonl")


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ({"protocols": ["sequential_carry"]}, "sequential_carry in text_only"),
        ({"protocols": ["full_problem"], "modes": ["text_reader"]}, "full_problem in text_reader"),
        (
            {"protocols": ["oracle_scaffolded"], "oracle": {"session": "shared"}},
            "oracle_scaffolded in text_only",
        ),
    ],
)
def test_questions_that_wait_for_an_answer_have_no_place_in_a_batch(problems, tmp_path, shown, said):
    reader = {"model": "openai/eyes", "api_base": "http://127.0.0.1:9/v1"}
    solver = {"model": "openai/m", "api_base": "http://127.0.0.1:9/v1", "vision": True}
    request = request_for(problems, tmp_path / "run.jsonl", solver, reader=reader, **shown)
    with pytest.raises(UsageError, match=f"wait for no answer; got {said}"):
        Batch(request, tmp_path / "batch.jsonl", [])


def test_a_reader_that_is_not_asked_changes_no_file_name(problems, tmp_path):
    solver = {"model": "openai/m", "api_base": "http://127.0.0.1:9/v1"}
    reader = {"model": "openai/eyes", "api_base": "http://127.0.0.1:9/v1"}
    request = request_for(problems, tmp_path / "run.jsonl", solver, reader=reader)
    batch = Batch(request, tmp_path / "batch.jsonl", [])
    run(request, batch)
    assert batch.report is not None
    assert batch.report.written == {tmp_path / "batch.jsonl": 2}
