"""A program answers a run, or it is said how it failed; no answered question is put to it again."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shlex
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.errors import UsageError
from grader.problem.set import ProblemSet, load_set
from grader.protocol import program
from grader.protocol.asking import Provider
from grader.protocol.command import Command, commanded
from grader.protocol.run import run
from grader.protocol.state import RunState
from tests.model_server import model_server
from tests.protocol.running import NAMES, request_for, responses, small_set, tries

DOCS = Path(__file__).parents[2] / "docs" / "solvers.md"
PROGRAM = Path(__file__).with_name("solving_program.py")


@pytest.fixture
def problems(tmp_path):
    return small_set(tmp_path / "set")


class Solve:
    """Runs the small set by the program in a folder."""

    def __init__(self, folder: Path, problems: ProblemSet) -> None:
        self._problems = problems
        self._log = folder / "log"
        self.out = folder / "run.jsonl"
        self._cmd = shlex.join([sys.executable, "-ISE", str(PROGRAM), str(self._log)])

    def __call__(
        self,
        fault: str = "none",
        ordinal: int = 1,
        *,
        limits: dict[str, Any] | None = None,
        on: ProblemSet | None = None,
        progress: Callable[[RunState], None] = lambda state: None,
        **shown: Any,
    ) -> RunState:
        """Go on with the run; the program meets a fault at its request of that ordinal."""
        self._log.with_name("log.fault").write_text(f"{fault} {ordinal}")
        solver = {"cmd": self._cmd, "limits": limits or {}}
        request = request_for(on or self._problems, self.out, solver, **shown)
        return run(request, Command(request, Provider(request)), progress)

    def asked(self) -> list[dict[str, Any]]:
        """All that the program was ever asked."""
        return [json.loads(line) for line in self._log.read_text().splitlines()]


@pytest.fixture
def solve(tmp_path, problems):
    return Solve(tmp_path, problems)


CARRIED = {"protocols": ["sequential_carry"]}


def test_a_program_answers_turn_after_turn_and_sees_its_own_answers(solve):
    assert solve(**CARRIED).complete
    texts = {one.sub_id: one.text for one in responses(solve.out)}
    assert texts["iron-2"] == "answer to 'Question 2 about a metal, 4 letters long.' after 2 messages"
    last = next(one for one in solve.asked() if "Question 2 about a metal, 4" in str(one["messages"][-1]))
    assert [message["role"] for message in last["messages"]] == ["user", "assistant", "user"]
    assert last["messages"][1]["content"] == texts["iron-1"]


def test_a_request_names_no_problem_no_protocol_and_no_file(tmp_path, solve):
    shown = small_set(tmp_path / "pictured", images=True)
    protocols = ["full_problem", "sequential_carry", "oracle_scaffolded"]
    solve(on=shown, protocols=protocols, modes=["multimodal", "text_only"])
    for line in solve.asked():
        assert list(line) == ["request", "conversation", "messages", "parameters"]
        assert line["parameters"] == {"max_tokens": 16384}
        text = json.dumps(line)
        assert not [word for word in (*NAMES, *protocols, "solution", "secret", "multimodal") if word in text]


def test_conditions_share_no_conversation_and_no_reply(tmp_path, solve):
    """Without images, several conditions open a conversation alike, and a program may remember one."""
    protocols = ["full_problem", "sequential_carry", "oracle_scaffolded"]
    assert solve(protocols=protocols, modes=["multimodal", "text_only"]).complete
    answered = [*responses(solve.out)]
    assert len(solve.asked()) == len(answered) == 2 * 2 * (1 + 2 + 2)
    marks = Counter(line["conversation"] for line in solve.asked())
    assert sorted(marks.values()) == [1] * 2 * 2 * (1 + 2) + [2] * 2 * 2


def test_problems_that_read_alike_are_conversations_of_their_own(tmp_path, solve):
    folder = tmp_path / "twins"
    small_set(folder)
    twin = json.loads((folder / "tasks" / "iron" / "problem.json").read_text().replace("iron-", "steel-"))
    (folder / "tasks" / "steel").mkdir()
    (folder / "tasks" / "steel" / "problem.json").write_text(json.dumps({**twin, "problem_id": "steel"}))
    assert solve(on=load_set(folder), only=["iron", "steel"], **CARRIED).complete
    assert sorted(Counter(line["conversation"] for line in solve.asked()).values()) == [2, 2]


def test_the_turns_of_a_conversation_share_a_mark_and_others_have_theirs(solve):
    solve(**CARRIED, samples=2)
    assert sorted(Counter(line["conversation"] for line in solve.asked()).values()) == [2, 2, 2, 2]
    assert len({line["request"] for line in solve.asked()}) == 8


def test_images_come_as_the_bytes_that_the_run_names(tmp_path, solve):
    solve(on=small_set(tmp_path / "pictured", images=True), modes=["multimodal"])
    recorded = {image["digest"] for one in responses(solve.out) for image in one.meta["input"]["images"]}
    urls = [
        part["image_url"]["url"]
        for line in solve.asked()
        for part in line["messages"][0]["content"]
        if part["type"] == "image_url"
    ]
    bytes_of = [base64.b64decode(url.removeprefix("data:image/png;base64,")) for url in urls]
    assert {hashlib.sha256(data).hexdigest() for data in bytes_of} == recorded
    assert len(recorded) == 4


def test_replies_may_come_in_any_order(solve):
    assert solve("gather", 4, limits={"concurrency": 4}, samples=2).complete
    for one in responses(solve.out):
        assert f"A metal, {len(one.problem_id)} letters." in one.text


def test_no_more_requests_are_in_flight_than_the_limit_says(solve):
    with pytest.raises(UsageError, match=r"before its first reply, the program said nothing for 0\.3 s"):
        solve("gather", 4, limits={"concurrency": 3, "timeout": 0.3}, samples=2)
    assert len(solve.asked()) == 3


def test_the_same_request_is_asked_once(solve):
    assert solve(**CARRIED).complete
    whole = responses(solve.out)
    solve.out.unlink()  # what was replied stands in the journal
    assert solve(**CARRIED).complete
    assert {one.key: one.text for one in responses(solve.out)} == {one.key: one.text for one in whole}
    assert len(solve.asked()) == 4


def test_all_that_a_reply_may_hold_is_recorded(solve, tmp_path, monkeypatch, capfd):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    solve("full", 1, only=["iron"])
    [one] = responses(solve.out)
    assert (one.text, one.finish_reason) == ("short", "length")
    assert one.meta["reasoning"] == "because"
    assert one.meta["usage"] == {"prompt_tokens": 11, "completion_tokens": 5, "reasoning_tokens": 3}
    assert one.meta["cost"] == 0.25
    assert one.meta["files"] == ["elsewhere/answers/a.mol"]  # from the folder of the run
    [kept] = tries(solve.out)
    assert kept["cost_source"] == "command"
    assert capfd.readouterr().err == "thinking aloud\n"


def test_an_error_that_a_program_reports_is_a_failed_call_with_its_words(solve):
    state = solve("error")
    assert not state.complete
    assert state.failures == {"server_error: the agent is out of steps": 2}
    assert [one["failure"] for one in tries(solve.out)] == ["server_error"] * 2
    assert solve().complete


def test_a_program_whose_prompt_is_too_long_is_not_asked_again(solve):
    (cell,) = solve("overflow", only=["iron"]).cells.values()
    assert (cell.overflowed, cell.flags["overflow"]) == (1, 1)
    assert solve(only=["iron"]).complete
    assert len(solve.asked()) == 1


BROKEN = {
    "exit": "connection: the program ended with exit code 3",
    "crash": "connection: the program was ended by signal 9",
    "chatter": "unreadable_body: the program wrote no reply: 'Loading weights...'",
    "array": "unreadable_body: the program wrote no reply: '[1]'",
    "nan": "NaN is not JSON",
    "wrong_field": "answer: ",
    "silent": "neither a text nor a tool call nor an error",
    "stranger": "the program replied to no open request",
    "twice": "replied to no open request",
    "endless": "unreadable_body: the program wrote a line of more than 2 MiB",
    "deep": "unreadable_body: the program wrote no reply",
    "close": "connection: the program closed its standard output",
    "hang": "timeout: the program said nothing for 0.3 s",
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_program_that_breaks_in_the_middle_goes_on_later_without_being_asked_twice(
    solve, fault, monkeypatch
):
    monkeypatch.setattr(program, "GRACE", 0.1)
    limits = {"concurrency": 1, "timeout": 0.3 if fault == "hang" else 60}
    state = solve(fault, 3, limits=limits, **CARRIED, samples=2)
    assert not state.complete
    assert any(BROKEN[fault] in why for why in state.failures), state.failures
    answered = [one for one in responses(solve.out) if one.error is None]
    assert 2 <= len(answered) <= 3
    before = [line["request"] for line in solve.asked()]
    assert solve(limits=limits, **CARRIED, samples=2).complete
    after = [line["request"] for line in solve.asked()][len(before) :]
    assert len(after) == 8 - len(answered)
    assert len({*before[:2], *after}) == len(before[:2]) + len(after)
    assert all(one.error is None for one in responses(solve.out))


@pytest.mark.parametrize("fault", ["exit", "chatter", "stranger", "endless", "hang"])
def test_a_program_that_never_replies_ends_the_run_and_leaves_nothing_behind(solve, fault):
    with pytest.raises(UsageError, match="before its first reply, the program"):
        solve(fault, 1, limits={"concurrency": 1, "timeout": 0.2 if fault == "hang" else 60})
    assert responses(solve.out) == []


def test_once_it_is_given_up_a_program_is_asked_nothing_more(solve):
    state = solve("exit", 2, limits={"concurrency": 1}, samples=4)
    assert [why.partition(":")[0] for why in state.failures] == ["connection", "breaker"]
    assert state.failures["breaker: the program is asked nothing more: it ended with exit code 3"] == 6
    assert len(solve.asked()) == 2
    assert len(tries(solve.out)) == 2


def test_ctrl_c_ends_the_run_and_keeps_what_was_answered_and_what_was_cut(solve):
    def interrupt(state: RunState) -> None:
        if sum(cell.done for cell in state.cells.values()) == 1:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        solve("hang", 2, limits={"concurrency": 1}, progress=interrupt)
    assert len(responses(solve.out)) == 1
    assert [one.get("failure") for one in tries(solve.out)] in ([None, "cancelled"], [None])
    assert solve().complete
    assert len({line["request"] for line in solve.asked()}) == 2


def test_a_program_and_what_it_started_end_with_the_run(solve, tmp_path, monkeypatch):
    monkeypatch.setattr(program, "GRACE", 0.1)
    os.mkfifo(tmp_path / "log.alive")
    alive = os.open(tmp_path / "log.alive", os.O_RDONLY | os.O_NONBLOCK)
    assert solve("linger", 1, only=["iron"]).complete
    os.set_blocking(alive, True)
    assert os.read(alive, 9) == b"two"
    assert os.read(alive, 9) == b""  # nobody holds it any more
    os.close(alive)


def test_a_run_that_is_complete_starts_no_program(solve):
    assert solve().complete
    assert solve("exit").complete


@pytest.mark.parametrize(
    ("cmd", "what"),
    [
        ("no-such-program --fast", "there is no such program; got 'no-such-program'"),
        ("/", "there is no such program; got '/'"),
        ("'open", "the command can't be read"),
        ("  ", "the command names no program"),
        ("a\0b", "there is no such program"),
    ],
)
def test_what_is_no_program_is_said_before_anything_is_recorded(tmp_path, problems, cmd, what):
    request = request_for(problems, tmp_path / "run.jsonl", {"cmd": cmd})
    with pytest.raises(UsageError, match=what):
        run(request, Command(request))
    assert not request.out.exists()


def test_a_mistyped_command_doesnt_bind_the_run(tmp_path, problems, solve):
    request = request_for(problems, solve.out, {"cmd": "no-such-program"})
    with pytest.raises(UsageError, match="no such program"):
        run(request, Command(request))
    assert solve().complete


def test_a_key_in_the_command_is_refused_as_the_run_would_record_it(tmp_path, problems, monkeypatch):
    monkeypatch.setenv("AGENT_API_KEY", "an-unmistakable-key")
    cmd = "agent --key an-unmistakable-key"
    request = request_for(problems, tmp_path / "run.jsonl", {"cmd": cmd})
    with pytest.raises(UsageError, match="holds a key"):
        Command(request)


def test_the_program_that_the_docs_show_answers_a_run(tmp_path, problems):
    [shown] = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
    (tmp_path / "my_solver.py").write_text(shown)
    (tmp_path / "my_agent.py").write_text("def solve(messages):\n    return messages[0]['content']\n")
    cmd = shlex.join([sys.executable, str(tmp_path / "my_solver.py")])
    request = request_for(problems, tmp_path / "run.jsonl", {"cmd": cmd})
    assert run(request, Command(request)).complete
    assert "Question 2 about a metal" in responses(request.out)[1].text


def test_a_program_without_eyes_asks_the_reader_behind_its_api(tmp_path, solve):
    with model_server(lambda body: "It is orange.") as server:
        reader = {"model": "openai/eyes", "api_base": server.base_url}
        shown = small_set(tmp_path / "pictured", images=True)
        state = solve("reader", 1, on=shown, modes=["text_reader"], reader=reader, only=["iron"])
        assert state.complete
        assert sum(server.counts.received.values()) == 1
    [one] = responses(solve.out)
    [call] = one.meta["reader_calls"]
    assert (call["figure"], call["question"], call["answer"]) == ("Figure 1", "What colour?", "It is orange.")
    first, second = solve.asked()
    assert first["conversation"] == second["conversation"]
    assert second["messages"][-1] == {"role": "tool", "tool_call_id": "c1", "content": "It is orange."}
    assert "data:image" not in json.dumps([first, second])


def test_a_program_may_be_the_reader_of_a_model_behind_an_api(tmp_path):
    shown = small_set(tmp_path / "pictured", images=True)
    (tmp_path / "log.fault").write_text("none 1")
    cmd = shlex.join([sys.executable, "-ISE", str(PROGRAM), str(tmp_path / "log")])
    with model_server(asking_once) as server:
        solver = {"model": "openai/mind", "api_base": server.base_url}
        reading = {"modes": ["text_reader"], "reader": {"cmd": cmd}, "only": ["iron"]}
        request = request_for(shown, tmp_path / "run.jsonl", solver, **reading)
        assert run(request, commanded(request, Provider(request))).complete
        assert server.counts.received.total() == 2
    [line] = map(json.loads, (tmp_path / "log").read_text().splitlines())
    [message] = line["messages"]
    image, question = message["content"]
    assert question == {"type": "text", "text": "What colour?"}
    assert image["image_url"]["url"].startswith("data:image/png;base64,")
    [call] = responses(request.out)[0].meta["reader_calls"]
    assert call["answer"].startswith("answer to [{'type': 'image_url'")
    assert call["model"] == f"cmd:{cmd}"


def asking_once(body: dict[str, Any]) -> dict[str, Any]:
    """A model that asks its reader once."""
    if body["messages"][-1]["role"] == "tool":
        return {"role": "assistant", "content": "An answer."}
    arguments = json.dumps({"figure": "Figure 1", "question": "What colour?"})
    call = {"id": "c1", "type": "function", "function": {"name": "read_image", "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}
