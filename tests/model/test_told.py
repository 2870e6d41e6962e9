"""An error that comes as a body of status 200 is a failed attempt and no reply to be kept for ever."""

from __future__ import annotations

from typing import Any

import pytest

from grader.model.told import error_told
from tests.model.asking import PRICES, ask_all, asking, endpoint_of, terms
from tests.model_server import Answer, model_server

UPSTREAM = {"code": 502, "message": "Upstream error"}
FINE = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "fine"}}


def choice(error: Any, content: str = "") -> dict[str, Any]:
    message = {"role": "assistant", "content": content}
    return {"choices": [{"index": 0, "finish_reason": "error", "error": error, "message": message}]}


CASES = [
    (choice(UPSTREAM), "server_error"),
    (choice({"code": "502", "message": "no"}), "server_error"),
    (choice({"code": 429, "message": "no"}), "rate_limit"),
    (choice({"message": "The model is overloaded"}), "server_error"),
    (choice({"code": "rate_limit_exceeded"}, "half a rep"), "rate_limit"),
    (choice("rate limit exceeded"), "rate_limit"),
    ({"error": {"code": 429, "message": "no"}}, "rate_limit"),
    ({"error": {"code": "rate_limit_exceeded", "message": "no"}}, "rate_limit"),
    ({"error": UPSTREAM}, "server_error"),
    ({"choices": [], "error": UPSTREAM}, "server_error"),
    ({"choices": [FINE], "error": {"type": "overloaded_error", "message": "Overloaded"}}, "server_error"),
    ({"error": "timed out"}, "server_error"),
]


@pytest.mark.parametrize(("body", "kind"), CASES)
@pytest.mark.parametrize("provider", ["openai", "openrouter", "hosted_vllm"])
def test_an_error_in_a_body_is_a_failure_of_its_kind_and_asked_again(body, kind, provider):
    bodies = iter([body])
    with model_server(lambda asked: Answer(200, next(bodies, {"choices": [FINE]}))) as server:
        asked = ask_all([asking(endpoint_of(server, f"{provider}/m"))])
    assert asked.texts == ["fine"]
    assert asked.journal.failures == [kind, None]
    (_, failed), _ = asked.journal.attempts
    assert (failed.raw, failed.status, bool(failed.error)) == (None, 200, True)


@pytest.mark.parametrize(("body", "kind"), CASES)
def test_an_error_is_told_from_the_body_alone_too(body, kind):
    found = error_told(body)
    assert found is not None
    assert found[0] == kind


def test_a_half_made_reply_that_was_billed_is_paid():
    body = choice(UPSTREAM, "half a rep") | {"usage": {"prompt_tokens": 1000, "completion_tokens": 50}}
    with model_server(lambda asked: Answer(200, body)) as server:
        asked = ask_all([asking(endpoint_of(server))], terms(attempts=2))
    assert [failed.failure for failed in asked.failures] == ["server_error"]
    each = (1000 * PRICES[0] + 50 * PRICES[1]) / 1e6
    assert [attempt.cost for _, attempt in asked.journal.attempts] == [pytest.approx(each)] * 2


@pytest.mark.parametrize(
    "body",
    [
        {"choices": [FINE], "error": None},
        {"choices": [FINE], "error": {}},
        {"choices": [FINE | {"error": None}]},
        choice({"code": 403, "message": "your input was flagged by moderation"}),
        choice({"code": "content_filter", "message": "content policy"}),
        choice({"message": "no idea"}),
    ],
)
def test_a_reply_beside_no_error_or_withheld_for_what_it_says_is_a_reply(body):
    with model_server(lambda asked: Answer(200, body)) as server:
        asked = ask_all([asking(endpoint_of(server))])
        assert server.counts.received.total() == 1
    assert len(asked.replies) == 1


@pytest.mark.parametrize("error", [{"code": 400, "message": "bad"}, {"message": "the schema is too deep"}])
def test_a_refusal_in_a_body_is_not_asked_again(error):
    with model_server(lambda asked: Answer(200, {"error": error})) as server:
        [failed] = ask_all([asking(endpoint_of(server))]).failures
        assert server.counts.received.total() == 1
    assert failed.failure == "bad_request"
