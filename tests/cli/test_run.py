"""argus run as it is typed: right, wrong, dear, in batches, and on terms that a file says."""

from __future__ import annotations

import json

import pytest

from tests.model_server import Answer, model_server
from tests.protocol.running import responses, small_set

KEY = "sk-secret-0123456789abcdef"


@pytest.fixture
def problems(tmp_path):
    small_set(tmp_path / "set", images=True)
    return tmp_path / "set"


@pytest.fixture
def server():
    with model_server(lambda body: f"I was sent {len(body['messages'])}.") as running:
        yield running


@pytest.fixture
def run(argus, problems, server):
    """Type ``argus run`` about the small set and the server's model."""
    return lambda *words: argus("run", problems, "--model", "openai/m", "--api-base", server.base_url, *words)


@pytest.fixture
def solver(tmp_path, server):
    """The settings of the server's model in a file."""
    path = tmp_path / "solver.toml"
    path.write_text(
        f'model = "openai/m"\nname = "mind"\napi_base = "{server.base_url}"\n'
        "[parameters]\nmax_tokens = 77\ntemperature = 0.5\n[price]\ninput = 1\noutput = 4\n"
    )
    return path


def bodies(server):
    return list(server.bodies.values())


# Right


def test_a_run_says_what_it_came_to_and_what_it_cost(run, server, tmp_path):
    done = run("--price", "1,4", "--protocol", "all")
    assert (done.code, done.err.splitlines()[1:]) == (0, [])
    for row in ("full_problem text_only 2 of 2 0", "sequential_carry text_only 4 of 4 0"):
        assert row in " ".join(done.out.split())
    assert f"Paid for all calls: ${server.counts.cost:.4f}" in done.out
    assert f"the cells share replies: ${server.counts.cost:.6f} were paid" in done.err
    assert len(responses(tmp_path / "run.jsonl")) == 10
    again = run("--price", "1,4", "--protocol", "all")
    assert (again.code, again.out) == (0, done.out)
    assert set(server.counts.received.values()) == {1}


def test_json_says_the_same_with_the_names_that_are_documented(run, server, tmp_path):
    done = run("--price", "1,4", "--json", "--out", "here/the.run")
    told = json.loads(done.out)
    (cell,) = told.pop("cells")
    assert told == {
        "schema_version": 1,
        "run": "here/the.run",
        "model": "openai/m",
        "complete": True,
        "paid": {"cost": round(server.counts.cost, 9), "unknown": 0},
        "unasked": {},
        "failures": {},
        "batch": None,
    }
    assert cell["done"] == cell["expected"] == 2
    folder = tmp_path / "here"
    assert {path.name for path in folder.iterdir()} == {"the.run", "the.run.calls.jsonl"}


def test_all_that_can_be_said_of_a_model_is_sent_and_recorded(run, server, tmp_path):
    done = run(
        *("--name", "mine", "--temperature", "0", "--seed", "7", "--max-tokens", "50"),
        *("--reasoning-effort", "low", "--samples", "2", "--problem", "copper", "--vision"),
    )
    assert done.code == 0
    sent = [(one["temperature"], one["max_tokens"], one["reasoning_effort"]) for one in bodies(server)]
    assert sent == [(0.0, 50, "low")] * 2
    assert sorted(one["seed"] for one in bodies(server)) == [7, 8]
    header = json.loads((tmp_path / "run.jsonl").read_text().splitlines()[0])
    assert header["model"] == "mine"
    assert header["parameters"]["asked"] == "openai/m"
    assert header["parameters"]["samples"] == 2
    assert header["visible_hash"]


def test_a_file_says_what_options_leave_open(argus, problems, server, solver):
    assert argus("run", problems, "--model", solver, "--temperature", "1").code == 0
    assert {(one["temperature"], one["max_tokens"]) for one in bodies(server)} == {(1.0, 77)}


def test_a_failed_call_is_said_without_control_characters_and_exits_3(run, server):
    server.reply = lambda body: Answer(400, {"error": {"message": "no \x1b[31m\u202e way"}})
    done = run()
    assert done.code == 3
    assert "2 calls failed; the same command asks again: bad_request" in done.err
    assert "\x1b" not in done.err
    assert "\u202e" not in done.err
    # a run without an answer binds nobody to its terms
    server.reply = lambda body: "fine"
    assert run("--temperature", "0").code == 0


def test_money_that_does_not_do_is_said_and_exits_3(run, server):
    done = run("--price", "1,4", "--max-cost", "0.0001")
    assert done.code == 3
    assert "2 questions were not asked: the rest of the most that may be spent" in done.err
    assert not server.counts.received


def test_a_key_stands_nowhere(run, server, tmp_path, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    server.reply = lambda body: f"Your key is {KEY}."
    done = run("--key-env", "MY_KEY", "--json")
    assert done.code == 0
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    kept = [path.read_text() for path in tmp_path.glob("run*")]
    assert len(kept) == 2
    assert not any(KEY in text for text in [done.out, done.err, *kept])


def test_a_batch_is_written_and_taken_in_and_both_are_said(run, server, tmp_path):
    written = run("--batch-out", "batch.jsonl")
    assert written.code == 3
    assert "2 questions wait for a batch" in written.err
    assert "2 requests written to batch.jsonl; take the replies in by --batch-in" in written.err
    results = tmp_path / "results.jsonl"
    with results.open("w") as stream:
        for line in (tmp_path / "batch.jsonl").read_text().splitlines():
            body = {"choices": [{"message": {"role": "assistant", "content": "fine"}}]}
            response = {"status_code": 200, "body": body}
            stream.write(
                json.dumps({"custom_id": json.loads(line)["custom_id"], "response": response}) + "\n"
            )
    taken = run("--batch-in", results, "--json")
    assert taken.code == 0
    assert "2 replies taken from the batch" in taken.err
    assert json.loads(taken.out)["batch"]["taken"] == 2
    assert not server.counts.received


# Wrong

NO_PROVIDER = ["--model", "mind", "--api-base", "URL"]
ASKED = ["--model", "openai/m", "--api-base", "URL"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "one of --model, --model-cmd and --human"),
        ([*ASKED, "--human", "Ann"], "one of --model, --model-cmd and --human"),
        ([*ASKED, "--model-cmd", "cat"], "one of --model, --model-cmd and --human"),
        (["--model", ""], "model: is empty"),
        (["--model", "two words"], "is no name of a model"),
        (NO_PROVIDER, "no provider for the model; got mind"),
        (["--model", "openai/m", "--api-base", "nonsense"], "is no URL of an API"),
        (["--model", "openai/m", "--api-base", "http://u:p@h/v1"], "holds a user, a password or a key"),
        (["--model", "openai/gpt-4o"], "the environment variable OPENAI_API_KEY is not set"),
        ([*ASKED, "--key-env", "NO_SUCH_KEY"], "the environment variable NO_SUCH_KEY is not set"),
        ([*ASKED, "--protocol", "full"], "'full'; expected one of full_problem, sequential_carry"),
        ([*ASKED, "--mode", "seen"], "'seen'; expected one of multimodal, text_only, text_reader"),
        ([*ASKED, "--problem", "coper"], "no such problem in the set; got coper; expected copper"),
        ([*ASKED, "--samples", "0"], "expected at least 1"),
        ([*ASKED, "--concurrency", "0"], "expected at least 1"),
        ([*ASKED, "--temperature", "nan"], "expected a finite number"),
        ([*ASKED, "--oracle-scope", "some"], "expected one of previous, all, none"),
        ([*ASKED, "--oracle-session", "long"], "expected one of isolated, shared"),
        ([*ASKED, "--profile", "chatty"], "no such prompt profile; got chatty"),
        ([*ASKED, "--mode", "multimodal"], "nobody knows whether openai/m sees images"),
        ([*ASKED, "--mode", "all", "--no-vision", "--reader", "openai/eyes"], "sees no images"),
        ([*ASKED, "--mode", "text_reader"], "text_reader needs a reader. Name a vision model by --reader"),
        ([*ASKED, "--reader-calls", "3"], "these options are about a reader"),
        ([*ASKED, "--mode", "text_reader", "--reader", "eyes"], "no provider for the model; got eyes"),
        ([*ASKED, "--mode", "text_reader", "--reader", "openai/gpt-4o"], "OPENAI_API_KEY is not set"),
        ([*ASKED, "--answers", "x.md"], "--answers is about a person"),
        ([*ASKED, "--price", "cheap"], "--price 0.15,0.60"),
        ([*ASKED, "--max-cost", "1"], "the price of openai/m isn't known"),
        (["--model-cmd", "cat", "--max-cost", "1"], "about models behind an API, and none is asked"),
        (["--human", "Ann", "--max-cost", "1"], "about models behind an API, and none is asked"),
        (["--model-cmd", "cat", "--batch-out", "b.jsonl"], "a batch asks a model behind an API"),
        (["--model-cmd", "no-such-program"], "there is no such program"),
        ([*ASKED, "--max-cost", "1", "--price", "1,4", "--batch-out", "b.jsonl"], "no limit can hold"),
        ([*ASKED, "--batch-in", "missing.jsonl"], "missing.jsonl"),
        ([*ASKED, "--batch-out", "no/such/folder/b.jsonl"], "the batch can't be written"),
        ([*ASKED, "--batch-out", "b.jsonl", "--protocol", "all"], "questions that wait for no answer"),
        ([*ASKED, "--out", "."], "the run needs a file"),
        ([*ASKED, "--out", "set"], "set: the run can only be kept in a file"),
        ([*ASKED, "--out", "file/run.jsonl"], "can't write the run"),
        ([*ASKED, "--out", "file"], "file: the file is there, and is no run that argus run made"),
        (["--model", "missing.toml"], "missing.toml: the file can't be read"),
        (["--model", "torn.toml"], "torn.toml:2: is not TOML"),
        (["--model", "wrong.toml"], "wrong.toml:3 parameters.temprature: unknown field"),
        (["--model", "key.toml"], "key.toml:2: something here looks like a key"),
        (
            [*ASKED, "--mode", "text_reader", "--reader", "reader.toml"],
            "reader.toml: exactly one of model and cmd",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line_and_nothing_is_sent(
    argus, problems, server, tmp_path, monkeypatch, options, said
):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "torn.toml").write_text('model = "openai/m"\nname = "m\n')
    (tmp_path / "wrong.toml").write_text('model = "openai/m"\n[parameters]\ntemprature = 1\n')
    (tmp_path / "key.toml").write_text(f'model = "openai/m"\napi_key = "{KEY}"\n')
    (tmp_path / "reader.toml").write_text("calls = 3\n")
    done = argus("run", problems, *(server.base_url if word == "URL" else word for word in options))
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert len(done.err.splitlines()) == 1
    assert not server.counts.received
    assert (tmp_path / "file").read_text() == "mine"
    assert not list(tmp_path.glob("*run*"))


def test_a_set_that_is_not_there_is_said(argus, server):
    done = argus("run", "nowhere", "--model", "openai/m", "--api-base", server.base_url)
    assert (done.code, done.err) == (2, "argus: nowhere: no such file or folder. Name a problem set.\n")


def test_other_terms_than_those_of_the_run_are_named(run, server):
    assert run().code == 0
    done = run("--temperature", "1")
    assert done.code == 2
    assert "other terms: parameters.temperature; got parameters.temperature = 1.0; expected nothing" in (
        " ".join(done.err.split())
    )
    assert server.counts.received.total() == 2
