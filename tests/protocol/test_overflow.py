"""A conversation longer than its model takes is recorded whole, asked no more, and never a zero."""

from __future__ import annotations

import pytest

from grader.protocol.overflow import NOT_ASKED, overflowed
from grader.record import Response
from tests.model_server import Answer
from tests.protocol.conversing import once, strict
from tests.protocol.providers import calling, refused

TOO_LONG = "This model's maximum context length is 64 tokens. However, your messages resulted in 90 tokens."


def overflowing(turns):
    """A model that takes that many questions."""

    def model(body):
        asked = sum(message["role"] == "user" for message in body["messages"])
        return refused(TOO_LONG) if asked > turns else "An answer."

    return strict(model)


@pytest.mark.parametrize("turns", [0, 1])
def test_the_turn_and_those_behind_it_are_recorded_and_nothing_is_left_to_ask(made, turns):
    run = made(overflowing(turns), modes=["text_only"])
    state = run.go()
    (cell,) = state.cells.values()
    assert state.complete
    assert (cell.done, cell.failed, cell.overflowed, cell.unasked) == (turns, 0, 2 - turns, 0)
    assert cell.flags["overflow"] == 2 - turns
    errors = [response.error for response in run.responses]
    assert errors[:turns] == [None] * turns
    assert TOO_LONG in str(errors[turns])
    assert errors[turns + 1 :] == [NOT_ASKED] * (1 - turns)
    assert not state.failures
    note = f"{2 - turns} questions have no answer: their conversation is longer than the model takes"
    assert note in list(state.notes())
    assert [one["overflowed"] for one in state.as_json(run.out, "m")["cells"]] == [2 - turns]
    # what was not asked was not shown either
    assert all("input" not in one.meta for one in run.responses if one.error == NOT_ASKED)


def test_the_same_command_asks_nothing_and_changes_nothing(made):
    run = made(overflowing(0), modes=["text_only"])
    first = run.go()
    before, asked = run.out.read_bytes(), len(run.asked)
    assert run.go().cells == first.cells
    assert (run.out.read_bytes(), len(run.asked)) == (before, asked)


def test_a_run_that_was_killed_behind_the_overflow_records_the_rest_without_asking(made):
    run = made(overflowing(0), modes=["text_only"])
    run.go()
    lines = run.out.read_bytes().splitlines(keepends=True)
    run.out.write_bytes(b"".join(lines[:2]))
    asked = len(run.asked)
    state = run.go()
    assert state.complete
    assert [response.error for response in run.responses][1:] == [NOT_ASKED]
    assert len(run.asked) == asked


def test_a_line_that_is_removed_is_asked_again(made):
    run = made(overflowing(1), modes=["text_only"])
    run.go()
    lines = run.out.read_bytes().splitlines(keepends=True)
    run.out.write_bytes(b"".join(lines[:2]))
    run.server.reply = overflowing(2)
    assert run.go().complete
    assert [response.text for response in run.responses] == ["An answer."] * 2


def test_other_failures_are_asked_again_beside_it(made):
    def reply(body):
        asked = sum(message["role"] == "user" for message in body["messages"])
        return refused(TOO_LONG) if asked > 1 else Answer(400, {"error": {"message": "no"}})

    run = made(reply, modes=["text_only"])
    state = run.go()
    (cell,) = state.cells.values()
    assert (state.complete, cell.failed, cell.unasked, cell.overflowed) == (False, 1, 1, 0)
    assert any("the same command asks again" in note for note in state.notes())


def test_a_reader_that_overflows_ends_no_conversation(made):
    run = made(once(calling(), reader=lambda body: refused(TOO_LONG)))
    state = run.go()
    (cell,) = state.cells.values()
    assert (state.complete, cell.failed, cell.overflowed) == (False, 1, 0)
    run.server.reply = once(calling())
    assert run.go().complete
    assert [response.text for response in run.responses] == ["An answer."] * 2


def test_what_stands_behind_an_overflow_is_one_for_whoever_reads_the_run():
    behind = Response("m", "p", "p-2", "sequential_carry", "text_only", 0, "", error=NOT_ASKED)
    assert overflowed(behind)
