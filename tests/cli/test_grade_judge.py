"""argus grade --judge as it is typed: right, wrong, dry, in batches, and with a key that must not show."""

from __future__ import annotations

import json

import pytest

from tests.grade.judged import judge_by_number, write_card, write_run
from tests.model_server import Answer, Faults, model_server

PRICE = "{input = 1.0, output = 4.0}"
KEY = "sk-secret-0123456789abcdef"


@pytest.fixture
def run(tmp_path):
    return write_run(tmp_path / "set", 6)


def test_a_judged_run_says_what_it_cost_and_who_is_to_look_at_what(argus, run, tmp_path):
    with model_server(judge_by_number) as server:
        card = write_card(tmp_path, server.base_url, price=PRICE)
        done = argus("grade", run, "--judge", card.path)
    assert done.code == 0, done.err
    assert "judge" in done.out
    assert f"judge {card.label}: 6 requests, 6 replies" in done.err
    assert f"cost ${server.counts.cost:.6f}" in done.err
    again = argus("grade", run, "--judge", card.path)
    assert (again.code, again.out) == (0, done.out)


def test_a_dry_run_prints_calls_and_price_and_needs_no_server(argus, run, tmp_path):
    card = write_card(tmp_path, "http://127.0.0.1:9/v1")
    done = argus("grade", run, "--judge", card.path, "--dry-run", "--price", "2,8")
    assert done.code == 0
    assert "6 requests, at most $" in done.out
    unknown = argus("grade", run, "--judge", card.path, "--dry-run", "--json")
    assert json.loads(unknown.out)["estimate"]["cost_at_most"] is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--max-cost", "1"], "--judge CARD"),
        (["--dry-run"], "--judge CARD"),
        (["--judge", "no-such-card"], "there is no judge card of that name"),
        (["--judge", ""], "there is no judge card of that name"),
        (["--judge", "CARD", "--price", "cheap"], "--price 0.15,0.60"),
        (["--judge", "CARD", "--price", "1,-1"], "--price 0.15,0.60"),
        (["--judge", "CARD", "--max-cost", "1"], "--price"),
        (["--judge", "CARD", "--dry-run", "--batch-out", "b.jsonl"], "a dry run writes and reads no batch"),
        (["--judge", "CARD", "--max-cost", "1", "--batch-out", "b.jsonl"], "no limit can hold"),
        (["--judge", "CARD", "--batch-in", "missing.jsonl"], "missing.jsonl"),
        (["--judge", "CARD", "--batch-out", "no/such/folder/b.jsonl"], "can't be written"),
    ],
)
def test_wrong_options_exit_2_with_one_line_and_send_nothing(argus, run, tmp_path, options, said):
    with model_server(judge_by_number) as server:
        card = write_card(tmp_path, server.base_url)
        done = argus("grade", run, *(card.path if option == "CARD" else option for option in options))
        assert server.counts.received.total() == 0
    assert done.code == 2
    assert said in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_a_missing_key_is_named_before_anything_is_sent(argus, run, tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = argus("grade", run, "--judge", "openai-gpt")
    assert done.code == 2
    assert "OPENAI_API_KEY" in done.err


def test_a_key_shows_nowhere(argus, run, tmp_path, monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", KEY)

    def telling(body):
        return f"Your key {KEY} is fine."

    with model_server(telling, Faults(share=0.5, kinds=("500", "html"))) as server:
        card = write_card(tmp_path, server.base_url, key_env='"JUDGE_KEY"')
        done = argus("grade", run, "--judge", card.path)
        assert any(KEY in headers.get("Authorization", "") for headers in server.headers)
    assert done.code == 3
    assert KEY not in done.out + done.err
    assert all(KEY.encode() not in path.read_bytes() for path in tmp_path.glob("argus.db*") if path.is_file())


def test_an_exhausted_limit_exits_3_and_a_higher_one_goes_on(argus, run, tmp_path):
    with model_server(judge_by_number) as server:
        parameters = "{max_tokens = 100}"
        card = write_card(tmp_path, server.base_url, price=PRICE, parameters=parameters)
        some = argus("grade", run, "--judge", card.path, "--max-cost", "0.0095")
        assert some.code == 3
        assert "answers were not judged: the rest of --max-cost ($0.00" in some.err
        assert 0 < server.counts.received.total() < 6
        rest = argus("grade", run, "--judge", card.path, "--max-cost", "1")
        assert rest.code == 0
        assert server.counts.received.total() == 6


def test_batches_are_exchanged_by_two_commands(argus, run, tmp_path):
    card = write_card(tmp_path, "http://127.0.0.1:9/v1")
    requests, results = tmp_path / "requests.jsonl", tmp_path / "results.jsonl"
    out = argus("grade", run, "--judge", card.path, "--batch-out", requests)
    assert out.code == 3
    assert "6 requests written to" in out.err
    with results.open("w") as file:
        for asked in map(json.loads, requests.read_text().splitlines()):
            message = {"role": "assistant", "content": judge_by_number(asked["body"])}
            body = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "model": "m"}
            response = {"status_code": 200, "body": body}
            file.write(json.dumps({"custom_id": asked["custom_id"], "response": response}) + "\n")
    taken = argus("grade", run, "--judge", card.path, "--batch-in", results)
    assert taken.code == 0, taken.err
    assert "6 replies taken from the batch" in taken.err


def test_a_trace_shows_the_judges_words_its_votes_and_their_requests(argus, run, tmp_path):
    with model_server(judge_by_number) as server:
        card = write_card(tmp_path, server.base_url, provisional="true")
        argus("grade", run, "--judge", card.path)
    out = argus("trace", "ice-1", "--sample", "1").out
    for said in (
        f"verdict  {card.by}: met",
        "as the test says",
        "'answer number 1'",
        "confidence 0.90, provisional",
        "stands   undetermined: the provisional verdict of judge:scripted@",
        f"vote {card.label} 0: met, 0.90, request ",
    ):
        assert said in out
    (line,) = argus("verdicts", "--jsonl", "--by", card.by, "--sample", "1").out.splitlines()
    assert json.loads(line)["requests"][0][:12] in out
    assert json.loads(line)["standing"] is False


def test_what_people_are_to_look_at_comes_with_reasons_and_the_sample_with_probabilities(
    argus, run, tmp_path
):
    with model_server(judge_by_number) as server:
        spot_check = "{confident = 1.0, doubtful = 1.0}"
        thresholds = "{confidence = 0.95}"
        card = write_card(tmp_path, server.base_url, spot_check=spot_check, thresholds=thresholds)
        argus("grade", run, "--judge", card.path)
    doubted = [json.loads(line) for line in argus("triage", "--jsonl").out.splitlines()]
    assert [(one["sub_id"], one["point_id"], one["reasons"]) for one in doubted] == [
        ("ice-1", doubted[0]["point_id"], ["low_confidence"])
    ] * 6
    drawn = [json.loads(line) for line in argus("triage", "--spot-check", "--run", "run").out.splitlines()]
    assert {(one["stratum"], one["probability"], one["by"]) for one in drawn} == {("doubtful", 1.0, card.by)}
    assert {one["response_digest"] for one in drawn} == {one["response_digest"] for one in doubted}
    assert argus("triage", "--run", "nope").code == 2


def test_why_calls_failed_is_said_once(argus, run, tmp_path):
    def unknown(body):
        return Answer(404, {"error": {"message": "the model does not exist"}})

    with model_server(unknown) as server:
        done = argus("grade", run, "--judge", write_card(tmp_path, server.base_url).path)
    assert done.code == 3
    assert done.err.count("the model does not exist") == 1
    assert "6 answers were not judged" in done.err
