"""Judge cards as they are typed: what is listed, shown, found wrong, probed and tried."""

from __future__ import annotations

import json

import pytest

from grader.judge.cards import card_names
from tests.grade.small import RIGHT, write_set
from tests.model_server import Faults, model_server
from tests.scripted_judge import all_met, judge_reply

KEY = "sk-test-0123456789abcdef"


@pytest.fixture
def asking(argus, tmp_path, monkeypatch):
    """A card for a server on loopback, and the command."""
    monkeypatch.setenv("ARGUS_TEST_KEY", KEY)
    write_set(tmp_path / "set")

    def typed(server, *words, more=""):
        card = f'model = "openai/m"\napi_base = "{server.base_url}"\nkey_env = "ARGUS_TEST_KEY"\n{more}'
        (tmp_path / "mine.toml").write_text(card)
        done = argus("judges", *words)
        assert KEY not in done.out + done.err
        return done

    return typed


def says(decided, quote=""):
    """A judge that says the same of every point."""
    return lambda body: judge_reply(body, lambda point, _: {"verdict": decided, "evidence": quote})


# Without asking anybody


def test_every_card_is_listed_with_its_hash(argus):
    done = argus("judges", "list", "--json")
    cards = json.loads(done.out)["cards"]
    assert [card["name"] for card in cards] == card_names()
    assert all(len(card["hash"]) == 64 for card in cards)
    table = argus("judges", "list")
    assert (done.code, table.code) == (0, 0)
    assert all(f"{card['name']} " in table.out and card["hash"][:12] in table.out for card in cards)


def test_a_card_is_shown_with_its_settings_and_its_prompt(argus):
    done = argus("judges", "show", "openai-gpt")
    assert done.code == 0
    assert 'parameters.reasoning_effort = "low"' in done.out
    assert "Takes a unit of k that isn't one of first order" in done.out
    assert "The result to be found" in done.out
    shown = json.loads(argus("judges", "show", "panel", "--json").out)
    assert [label.partition("@")[0] for label in shown["members"]] == shown["settings"]["panel"]
    # each member's prompt, and the locator's
    assert len(shown["requests"]) == 4
    assert shown["requests"][0]["messages"][0]["role"] == "system"


def test_all_cards_are_checked_and_each_fault_is_named(argus, tmp_path):
    (tmp_path / "bad.toml").write_text('model = "openai/x"\nvotse = 3\n[limits]\nattempts = 0\n')
    (tmp_path / "even.toml").write_text(
        'model = "hosted_vllm/x"\napi_base = "http://judge.example/v1"\nvotes = 2\norder_seed = 3\n'
        "[parameters]\nmax_tokens = 300\ntemperature = 0\n"
    )
    done = argus("judges", "check", "bad.toml", "even.toml", "nobody", "--json")
    report = json.loads(done.out)
    assert done.code == 2
    assert report["cards"] == 3
    assert [fault["pointer"] for fault in report["errors"]] == ["/votse", "/limits/attempts", None]
    assert {lint["pointer"] for lint in report["lints"]} == {
        "/votes",
        "/parameters/temperature",
        "/parameters/max_tokens",
        "/family",
        "/api_base",
        "/price",
        "/order_seed",
    }
    plain = argus("judges", "check", "bad.toml", "even.toml", "nobody")
    assert plain.code == 2
    assert "3 cards: 3 errors, 7 lints" in plain.out


def test_the_shipped_cards_give_no_cause_for_a_look(argus):
    done = argus("judges", "check", *card_names())
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{len(card_names())} cards: 0 errors, 0 lints\n"


def test_a_panel_that_could_err_together_deserves_a_look(argus, tmp_path):
    for name, model in (("a", "gpt-4o"), ("b", "o3")):
        (tmp_path / f"{name}.toml").write_text(f'model = "openai/{model}"\n[price]\ninput = 1\noutput = 1\n')
    (tmp_path / "pair.toml").write_text('panel = ["a", "b"]\n')
    out = argus("judges", "check", "pair.toml").out
    assert "an even number of votes can split in half; got 2 votes" in out
    assert "two members are of one family (openai) and may err together; got a and b" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["show", "nobody"], "there is no judge card of that name; got 'nobody'; expected anthropic-claude"),
        (["show", "nowhere.toml"], "nowhere.toml: the file can't be read"),
        (["probe", "openai-gpt", "--price", "cheap"], "no price; got 'cheap'"),
        (["probe", "openai-gpt"], "OPENAI_API_KEY"),
        (["try", "openai-gpt", "--problems", "set", "--sub", "water-2"], "the answer is given once"),
        (
            ["try", "openai-gpt", "--problems", "set", "--sub", "water-2", "--text", "a", "--answer", "-"],
            "the answer is given once",
        ),
        (
            ["try", "openai-gpt", "--problems", "set", "--sub", "water-2", "--answer", "nowhere.txt"],
            "nowhere.txt: the answer can't be read",
        ),
        (
            ["try", "openai-gpt", "--problems", "set", "--sub", "water-9", "--text", "a"],
            "the set has no such subquestion; got 'water-9'; expected water-1, water-2",
        ),
        (["try", "openai-gpt", "--problems", "nowhere", "--sub", "a", "--text", "a"], "nowhere"),
        (["check"], "CARD"),
        (["try", "openai-gpt"], "--problems"),
    ],
)
def test_a_mistake_is_said_and_exits_2(argus, tmp_path, monkeypatch, words, message):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    write_set(tmp_path / "set")
    done = argus("judges", *words)
    assert done.code == 2
    assert message in done.err


# Asking a server


def test_a_probe_says_what_the_endpoint_does(asking):
    with model_server(all_met) as server:
        done = asking(server, "probe", "mine.toml", "--price", "1,4", "--json")
        assert server.counts.received.total() == 1
        assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
        cost = server.counts.cost
    (probe,) = json.loads(done.out)["probes"]
    assert done.code == 0
    assert (probe["shape"], probe["usable"], probe["finish_reason"]) == ("as_asked", True, "stop")
    assert probe["served_model"] == "m-2026-01-01"
    assert probe["cost"] == pytest.approx(cost)
    assert probe["verdicts"]["p1"]["verdict"] == "met"
    assert probe["advice"] == ["name the model m-2026-01-01: m may be served by another one tomorrow"]


PROBES = [
    ("prose", "", 3, "output    json_schema: the reply hasn't the shape", "set output = 'tool'"),
    ("prose", 'output = "prompt"\n', 3, "unparseable", "use another model"),
    ("reasoning", "", 3, "finish    length", "raise max_tokens above 4096"),
    ("refusal", "", 3, "verdicts  refusal", "this one refuses, or says nothing"),
    ("wrong_ids", "", 3, "the reply is JSON of another shape", "set output = 'tool'"),
    ("429", "", 2, "failed    rate_limit", "ask more slowly"),
    ("500", "", 2, "failed    server_error", "try again later"),
    ("broken", "", 2, "failed    connection", "nothing replies at http"),
    ("hang", "[limits]\ntimeout = 0.2\n", 2, "failed    timeout", "wait longer than 0.2 s"),
]


@pytest.mark.parametrize(("fault", "more", "code", "found", "advice"), PROBES)
def test_a_probe_of_a_bad_endpoint_says_what_to_change(asking, fault, more, code, found, advice):
    with model_server(all_met, Faults(share=1.0, most=9, kinds=(fault,))) as server:
        done = asking(server, "probe", "mine.toml", more=more)
        assert server.counts.received.total() == 1
    assert done.code == code
    assert found in done.out
    assert advice in done.out


@pytest.mark.parametrize("mode", ["json_schema", "json_object", "tool", "prompt"])
def test_every_output_mode_can_be_probed(asking, mode):
    # in the modes without a schema the server isn't told which points there are
    verdict = {"rationale": "r", "evidence": "", "verdict": "met", "points": None, "confidence": 0.9}
    text = json.dumps({"verdicts": [{"point_id": point, **verdict} for point in ("p1", "p2")]})
    with model_server(lambda body: text) as server:
        done = asking(server, "probe", "mine.toml", "--json", more=f'output = "{mode}"\n')
        (body,) = server.bodies.values()
    (probe,) = json.loads(done.out)["probes"]
    assert (done.code, probe["shape"], probe["usable"]) == (0, "as_asked", True)
    assert ("tools" in body, "response_format" in body) == (mode == "tool", mode.startswith("json"))


def test_a_key_that_comes_back_is_hidden(asking):
    with model_server(lambda body: f"your key is {KEY}") as server:
        done = asking(server, "probe", "mine.toml", "--json")  # asserts that the key isn't printed
    assert "your key is [hidden]" in done.out


def test_an_answer_is_tried_as_a_grading_would_judge_it(asking, tmp_path):
    (tmp_path / "answer.txt").write_text(RIGHT["water-2"])
    words = ["try", "mine.toml", "--problems", "set", "--sub", "water-2", "--price", "1,4"]
    with model_server(says("met", "open lattice")) as server:
        done = asking(server, *words, "--answer", "answer.txt", "--json")
        cost = server.counts.cost
    tried = json.loads(done.out)
    points = {point["point_id"]: point for point in tried["points"]}
    assert done.code == 0
    assert points["ice"]["by"].startswith("formal:choice")
    assert points["why"]["by"].startswith("judge:mine@")
    (verdict,) = points["why"]["verdicts"]
    evidence = verdict["evidence"]
    assert RIGHT["water-2"][evidence["start"] : evidence["end"]] == evidence["quote"] == "open lattice"
    (call,) = tried["calls"]
    # what code found is told to the judge, and who answered isn't
    assert "The option B is stated" in call["request"]["messages"][1]["content"]
    assert "sequential" not in json.dumps(call["request"])
    assert call["reply"]["choices"][0]["message"]["role"] == "assistant"
    assert tried["cost"] == pytest.approx(cost)
    assert list(tmp_path.glob("*.db")) == []


def test_what_the_judge_can_not_assess_stays_open_and_exits_3(asking):
    with model_server(says("cannot_assess")) as server:
        done = asking(server, "try", "mine.toml", "--problems", "set", "--sub", "water-2", "--text", "B")
    assert done.code == 3
    assert "why  undetermined (cannot_assess)" in done.out
    assert "cost unknown" in done.out
