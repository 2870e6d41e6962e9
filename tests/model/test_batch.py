"""Batch files: whole or absent, each request once, and nothing in a returned file passes unnoticed."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from grader.errors import DataError, UsageError
from grader.model.batch import BatchItem, read_batch, write_batch
from grader.model.keys import HIDDEN, Redactor
from grader.model.prices import Prices
from grader.model.reply import Usage
from grader.model.request import Endpoint, ModelRequest
from tests.model.asking import asking

GPT = Endpoint("openai/gpt-4o")
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
BODY = {
    "created": 1_800_000_000,
    "model": "gpt-4o-2026",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hi"}}],
    "usage": {"prompt_tokens": 1000, "completion_tokens": 100},
}


def answered(key: str, body: Any = BODY, status: int = 200) -> dict[str, Any]:
    return {"id": "b", "custom_id": key, "response": {"status_code": status, "body": body}, "error": None}


def written(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_a_batch_holds_each_request_once_as_the_provider_takes_it(tmp_path):
    image = {"type": "image_url", "image_url": {"url": "image:d"}}
    with_image = ModelRequest(GPT, ({"role": "user", "content": [image]},), {"max_tokens": 5})
    output = {"response_format": {"type": "json_object"}}
    local = Endpoint("openai/org/model", "http://localhost/v1")
    plain = asking(local, "ä?", output=output, parameters={"extra_body": {"top_k": 3}})
    path = tmp_path / "batch.jsonl"
    assert write_batch(path, [with_image, plain, with_image], lambda digest: ("image/png", b"abc")) == 2
    first, second = map(json.loads, path.read_text().splitlines())
    assert {name: first[name] for name in ("custom_id", "method", "url")} == {
        "custom_id": with_image.key,
        "method": "POST",
        "url": "/v1/chat/completions",
    }
    data = {"type": "image_url", "image_url": {"url": "data:image/png;base64,YWJj"}}
    messages = [{"role": "user", "content": [data]}]
    assert first["body"] == {"model": "gpt-4o", "messages": messages, "max_completion_tokens": 5}
    assert second["custom_id"] == plain.key
    assert second["body"] == {
        "model": "org/model",
        "messages": [{"role": "user", "content": "ä?"}],
        "max_tokens": 100,
        "top_k": 3,
        **output,
    }


def test_a_batch_that_fails_half_way_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "batch.jsonl"
    write_batch(path, [asking(GPT, "old")])
    before = path.read_bytes()
    image = {"type": "image_url", "image_url": {"url": "image:missing"}}
    broken = ModelRequest(GPT, ({"role": "user", "content": [image]},), {"max_tokens": 5})
    with pytest.raises(KeyError):
        write_batch(path, [asking(GPT, "new"), broken])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_batch_that_cant_be_written_is_the_users_to_mend(tmp_path):
    with pytest.raises(UsageError, match="can't be written"):
        write_batch(tmp_path / "no" / "batch.jsonl", [])


def test_a_reply_becomes_an_attempt_at_the_batch_price(tmp_path):
    request = asking(GPT)
    [item] = read_batch(written(tmp_path / "out.jsonl", answered(request.key)))
    attempt = item.attempt(request, Prices((2.0, 10.0)), Redactor({}))
    assert attempt.raw == BODY
    assert attempt.batch
    assert attempt.failure is None
    assert attempt.usage == Usage(1000, 100)
    assert attempt.cost == pytest.approx(0.0015)
    assert attempt.started == datetime.fromtimestamp(1_800_000_000, UTC)
    assert (attempt.served_model, attempt.finish_reason) == ("gpt-4o-2026", "stop")


@pytest.mark.parametrize(
    ("record", "kind", "said"),
    [
        (
            answered("k", {"error": {"code": "invalid", "message": "bad schema"}}, 400),
            "bad_request",
            "bad schema",
        ),
        (answered("k", {"error": {"message": "slow down"}}, 429), "rate_limit", "slow down"),
        (answered("k", None, 503), "server_error", "503"),
        (answered("k", {"error": {"message": "no"}}, 401), "auth", "no"),
        (answered("k", None, 200), "unreadable_body", "no completion"),
        (answered("k", {"choices": None}, 200), "unreadable_body", "no completion"),
        (
            {"custom_id": "k", "response": None, "error": {"code": "batch_expired", "message": "too late"}},
            "server_error",
            "batch_expired: too late",
        ),
        ({"custom_id": "k"}, "server_error", "no response"),
        (answered("k", {"error": {"message": "slow down", "code": 429}}), "rate_limit", "slow down"),
        (answered("k", BODY | {"usage": {}, "error": "overloaded"}), "server_error", "overloaded"),
    ],
)
def test_a_failed_item_is_a_failed_attempt_and_says_why(tmp_path, record, kind, said):
    [item] = read_batch(written(tmp_path / "errors.jsonl", record))
    attempt = item.attempt(asking(GPT), Prices((1.0, 1.0)), Redactor({}))
    assert attempt.failure == kind
    assert said in str(attempt.error)
    assert (attempt.raw, attempt.cost, attempt.batch) == (None, None, True)


def test_a_failed_item_taken_in_again_is_the_same_attempt(tmp_path):
    failed = {"custom_id": "k", "response": None, "error": {"code": "batch_expired"}}
    path = written(tmp_path / "errors.jsonl", failed)
    os.utime(path, (1_800_000_000, 1_800_000_000))
    attempts = [
        item.attempt(asking(GPT), Prices(), Redactor({})) for _ in range(2) for item in read_batch(path)
    ]
    assert attempts[0] == attempts[1]
    assert attempts[0].started == datetime.fromtimestamp(1_800_000_000, UTC)


def test_an_error_in_the_midst_of_a_batched_reply_is_a_failed_attempt_that_was_paid(tmp_path):
    choice = {"index": 0, "finish_reason": "error", "error": {"code": 502, "message": "upstream"}}
    [item] = read_batch(written(tmp_path / "out.jsonl", answered("k", BODY | {"choices": [choice]})))
    assert item.error == "502 upstream"
    attempt = item.attempt(asking(GPT), Prices((2.0, 10.0)), Redactor({}))
    assert (attempt.failure, attempt.error, attempt.raw) == ("server_error", "502 upstream", None)
    assert attempt.cost == pytest.approx(0.0015)


def test_a_partial_file_gives_what_it_has_with_lines_and_ids(tmp_path):
    path = written(
        tmp_path / "out.jsonl", answered("a"), answered("nobody-asked"), answered("a"), answered("b")
    )
    path.write_text(path.read_text().replace("\n", "\n\n", 1))
    assert [(item.line, item.key) for item in read_batch(path)] == [(1, "a"), (3, "nobody-asked"), (5, "b")]


def test_two_different_replies_to_one_request_are_an_error_and_not_a_choice(tmp_path):
    path = written(
        tmp_path / "out.jsonl", answered("a"), answered("b"), answered("a", BODY | {"model": "other"})
    )
    with pytest.raises(DataError, match="custom_id a has another reply in line 1") as wrong:
        list(read_batch(path))
    assert wrong.value.faults[0].line == 3


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"custom_id": "c", "respon', "no JSON: is the file whole?"),
        ("[]", "no line of a batch"),
        ('{"id": 1}', "no line of a batch"),
        ('{"custom_id": 7}', "no line of a batch"),
    ],
)
def test_a_broken_line_is_named(tmp_path, line, said):
    path = written(tmp_path / "out.jsonl", answered("a"))
    path.write_text(path.read_text() + line)
    with pytest.raises(DataError) as wrong:
        list(read_batch(path))
    assert said in str(wrong.value)
    assert wrong.value.faults[0].line == 2


def test_a_file_that_cant_be_read_is_the_users_to_mend(tmp_path):
    with pytest.raises(DataError, match="can't be read"):
        list(read_batch(tmp_path / "missing.jsonl"))
    (tmp_path / "latin.jsonl").write_bytes(b'{"custom_id": "\xff"}\n')
    with pytest.raises(DataError, match="isn't UTF-8"):
        list(read_batch(tmp_path / "latin.jsonl"))


@pytest.mark.parametrize(
    "odd",
    [
        {"created": "today"},
        {"created": 10**30},
        {"usage": 5},
        {"usage": {"prompt_tokens": "many", "completion_tokens": None}},
        {"usage": {"prompt_tokens": 5, "completion_tokens": -1, "completion_tokens_details": []}},
        {"choices": ["?"]},
        {"model": 7},
    ],
)
def test_a_body_with_odd_members_is_still_a_reply(tmp_path, odd):
    [item] = read_batch(written(tmp_path / "out.jsonl", answered("k", BODY | odd)))
    attempt = item.attempt(asking(GPT), Prices((1.0, 1.0)), Redactor({}))
    assert attempt.raw == BODY | odd
    assert (attempt.cost is None) == ("usage" in odd)


def test_a_body_without_a_choice_is_no_reply(tmp_path):
    [item] = read_batch(written(tmp_path / "out.jsonl", answered("k", BODY | {"choices": []})))
    attempt = item.attempt(asking(GPT), Prices((1.0, 1.0)), Redactor({}))
    assert (attempt.failure, attempt.error) == ("unreadable_body", "the body holds no choice")
    assert attempt.cost is not None


def test_a_key_in_a_batch_is_hidden_too():
    redactor = Redactor({"A_KEY": "sk-secret"})
    body = BODY | {"model": "sk-secret"}
    items = BatchItem(1, "k", 200, body, None, NOON), BatchItem(1, "k", 401, None, "bad key sk-secret", NOON)
    fine, failed = (item.attempt(asking(GPT), Prices(), redactor) for item in items)
    assert (fine.served_model, failed.error) == (HIDDEN, f"bad key {HIDDEN}")
