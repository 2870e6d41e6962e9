"""Keys come from the environment and go nowhere but into the request's header."""

from __future__ import annotations

import json
import logging
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.errors import SetupError, UsageError
from grader.model.failure import LONGEST_ERROR
from grader.model.keys import HIDDEN, PLACEHOLDER, Redactor, check_environment, key_for
from grader.model.request import Endpoint
from tests.model.asking import ask_all, asking, endpoint_of, terms
from tests.model_server import Answer, model_server

KEY = 'sk-se"cret/9+7é='
FORMS = [KEY, json.dumps(KEY)[1:-1], quote(KEY), quote(KEY, safe=""), quote_plus(KEY)]


def test_the_named_variable_holds_the_key_and_the_server_gets_it():
    with model_server(lambda body: "fine") as server:
        endpoint = Endpoint("openai/m", server.base_url, "OUR_JUDGE")
        ask_all([asking(endpoint)], environ={"OUR_JUDGE": "sk-ours-1", "OPENAI_API_KEY": "sk-theirs"})
        [headers] = server.headers
    assert headers["Authorization"] == "Bearer sk-ours-1"


def test_an_api_of_ones_own_never_gets_the_key_meant_for_another(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-theirs")
    with model_server(lambda body: "fine") as server:
        ask_all([asking(endpoint_of(server))], environ={"OPENAI_API_KEY": "sk-theirs"})
        [headers] = server.headers
    assert headers["Authorization"] == f"Bearer {PLACEHOLDER}"
    assert "sk-theirs" not in str(headers)


@pytest.mark.parametrize("name", ["OPENAI_BASE_URL", "OPENAI_API_BASE"])
def test_a_variable_that_sends_requests_elsewhere_is_refused(name):
    environ = {name: "https://user:secret@elsewhere.example/v1", "OPENAI_API_KEY": "sk-1"}
    with pytest.raises(UsageError, match=name) as refused:
        ask_all([asking(Endpoint("openai/m"))], environ=environ)
    assert "secret" not in str(refused.value)
    check_environment(Endpoint("openai/m", "http://127.0.0.1:1/v1"), environ)
    check_environment(Endpoint("anthropic/m"), environ)


@pytest.mark.parametrize("model", ["gpt-4o", "ft:gpt-4o-mini:us::1", "openai/gpt-4o"])
def test_a_model_that_names_no_provider_is_sent_nowhere_else_either(model, monkeypatch):
    with model_server(lambda body: "fine") as server:
        environ = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "sk-ours-1"}
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        for endpoint in (Endpoint(model), Endpoint(model, key_env="OPENAI_API_KEY")):
            with pytest.raises(UsageError, match="OPENAI_BASE_URL sends requests for"):
                ask_all([asking(endpoint)], environ=environ)
        assert not server.counts.received


def test_a_key_that_is_missing_is_named_before_anything_is_sent(monkeypatch):
    with model_server(lambda body: "fine") as server:
        endpoint = Endpoint("openai/m", server.base_url, "OUR_JUDGE")
        with pytest.raises(SetupError, match="OUR_JUDGE is not set"):
            ask_all([asking(endpoint)])
        assert not server.counts.received
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SetupError, match="OPENAI_API_KEY is not set"):
        key_for(Endpoint("openai/gpt-4o"), {})
    with pytest.raises(SetupError, match="GOOGLE_API_KEY or GEMINI_API_KEY is not set"):
        key_for(Endpoint("gemini/gemini-2.5-pro"), {})


def test_a_key_that_the_provider_knows_how_to_find_is_left_to_it(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-theirs")
    assert key_for(Endpoint("openai/gpt-4o"), {}) is None
    assert key_for(Endpoint("ollama_chat/llama3"), {}) is None


def test_a_model_without_a_provider_is_a_mistake_of_the_user():
    with pytest.raises(UsageError, match="no provider for the model"):
        key_for(Endpoint("foo/bar"), {})


@pytest.mark.parametrize(
    "url",
    [
        "https://user:hunter2@example.org/v1",
        "https://hunter2@example.org/v1",
        "https://example.org/v1?api_key=hunter2",
        "https://example.org/v1?x=1&subscription-key=hunter2",
        "https://example.org/v1?token=hunter2",
    ],
)
def test_a_url_with_a_key_in_it_is_refused_and_not_repeated(url):
    with pytest.raises(UsageError, match="holds a user, a password or a key") as refused:
        ask_all([asking(Endpoint("openai/m", url))])
    assert "hunter2" not in str(refused.value)
    assert "example.org" in str(refused.value)


def test_a_url_that_is_none_is_a_mistake_of_the_user():
    with pytest.raises(UsageError, match="api_base is no URL"):
        ask_all([asking(Endpoint("openai/m", "http://[::1/v1"))])


def test_half_a_key_at_the_end_of_a_long_message_is_hidden_as_well():
    message = f"{'x' * (LONGEST_ERROR - 80)} {'sk-ours-1 ' * 20}"
    with model_server(lambda body: Answer(400, {"error": {"message": message}})) as server:
        endpoint = Endpoint("openai/m", server.base_url, "OUR_JUDGE")
        [failed] = ask_all([asking(endpoint)], environ={"OUR_JUDGE": "sk-ours-1"}).failures
    assert len(failed.detail) == LONGEST_ERROR + 1
    assert "sk" not in failed.detail


def test_a_url_with_other_parameters_is_fine():
    assert key_for(Endpoint("openai/m", "https://example.org/v1?api-version=2026-01-01"), {}) == PLACEHOLDER


@pytest.mark.parametrize("key", ["sk-ours\n", "sk-ours ", "sk-öurs", '"sk ours"'])
def test_a_key_that_fits_into_no_header_is_found_before_it_is_sent(key):
    with pytest.raises(SetupError, match="OUR_JUDGE holds no key") as refused:
        key_for(Endpoint("openai/m", "http://localhost/v1", "OUR_JUDGE"), {"OUR_JUDGE": key})
    assert key not in str(refused.value)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["SOME_API_KEY", "MY_TOKEN", "db_secret", "PGPASSWORD"])
def test_a_key_that_is_echoed_is_neither_kept_nor_raised_nor_logged(form, name, caplog):
    message = {
        "role": "assistant",
        "content": f"your key is {form}",
        "refusal": form,
        "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "f", "arguments": json.dumps({"k": form})}}
        ],
    }
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    with model_server(lambda body: {"choices": [choice], "model": form}) as server:
        endpoint = Endpoint("openai/m", server.base_url, "OUR_JUDGE")
        environ = {"OUR_JUDGE": "sk-ours-1"} | {name: KEY}
        with caplog.at_level(logging.DEBUG, "grader"):
            fine = ask_all([asking(endpoint)], environ=environ)
            server.reply = lambda body: Answer(500, {"error": {"message": f"key {form}"}})
            failed = ask_all([asking(endpoint)], terms(attempts=2, breaker=1), environ=environ)
    kept = repr([attempt for _, attempt in fine.journal.attempts + failed.journal.attempts])
    said = repr(fine.replies) + repr(failed.failures) + caplog.text
    assert HIDDEN in kept
    assert HIDDEN in repr(failed.failures)
    assert HIDDEN in caplog.text
    for secret in [*FORMS, "sk-ours-1"]:
        assert secret not in kept + said
        assert json.dumps(secret)[1:-1] not in kept + said


def test_a_wrong_key_is_not_in_the_message_that_refuses_it():
    with model_server(lambda body: Answer(401, {"error": {"message": "Incorrect key: sk-ours-1"}})) as server:
        endpoint = Endpoint("openai/m", server.base_url, "OUR_JUDGE")
        asked = ask_all([asking(endpoint)], environ={"OUR_JUDGE": "sk-ours-1"})
    [failed] = asked.failures
    assert failed.failure == "auth"
    assert f"Incorrect key: {HIDDEN}" in failed.detail
    assert "sk-ours-1" not in repr(asked.journal.attempts)


@given(st.text(min_size=6, max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_no_text_around_a_key_brings_it_through(key, before, after):
    assume(key not in HIDDEN)
    redactor = Redactor({"A_KEY": key})
    hidden = redactor.json({"a": [f"{before}{key}{after}", 1, None, True], key: json.dumps(key)})
    assert key not in str(hidden["a"][0]).replace(HIDDEN, "\0")
    assert hidden["a"][1:] == [1, None, True]
    assert key not in list(hidden)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("see https://me:pw@host/v1", f"see https://{HIDDEN}@host/v1"),
        ("GET /v1?api-key=abc&x=1", f"GET /v1?api-key={HIDDEN}&x=1"),
        ("https://h/?a=1&access_token=abc", f"https://h/?a=1&access_token={HIDDEN}"),
        ("k = 2.0e-3 s^-1; pKa=4.8", "k = 2.0e-3 s^-1; pKa=4.8"),
        ("mail a@b.org, https://h/p?q=1", "mail a@b.org, https://h/p?q=1"),
        ("short", "short"),
    ],
)
def test_urls_lose_their_keys_and_other_text_stays(text, hidden):
    assert Redactor({"A_KEY": "short"}).text(text) == hidden
