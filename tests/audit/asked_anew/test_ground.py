"""What calls were made under is told of all of them, not of the first alone."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from grader.archive.call_entry import CallEntry
from grader.archive.store import open_archive
from grader.audit.asked_anew.asked import ground
from grader.model.reply import Attempt
from grader.model.request import Endpoint, ModelRequest


def call(model: str, vote: int, **parameters: Any) -> CallEntry:
    request = ModelRequest(
        endpoint=Endpoint(model, None),
        messages=({"role": "user", "content": "grade"},),
        parameters=parameters,
        output={},
        vote=vote,
    )
    started = datetime(2030, 1, 1 + vote, tzinfo=UTC)
    body = {"model": f"{model}-2030", "choices": []}
    attempt = Attempt(started, 1.0, raw=body, served_model=f"{model}-2030")
    return CallEntry(request, attempt, None, "panel@1", "audit")


def test_every_member_of_a_panel_is_told_with_its_settings(tmp_path):
    entries = [call("one", vote, temperature=0.0, seed=7) for vote in range(3)]
    entries += [call("two", vote, temperature=1.0) for vote in range(2)]
    with open_archive(str(tmp_path / "argus.db")) as archive:
        archive.put_calls(entries)
        rows: Any = [SimpleNamespace(keys=(entry.request.key,)) for entry in entries]
        found = ground(archive, rows)
        alone = ground(archive, rows[:3])
        nothing = ground(archive, [])
    assert found.served == ("one-2030 (3)", "two-2030 (2)")
    assert found.parameters == ("temperature 0.0, seed 7 (3)", "temperature 1.0, seed not set (2)")
    assert (found.first, found.last) == ("2030-01-01", "2030-01-03")
    assert alone.as_notes() == [
        "Served: one-2030 (3); temperature 0.0, seed 7; calls of 2030-01-01 to 2030-01-03."
    ]
    assert nothing.as_notes() == [
        "Served: the provider does not say; temperature unknown, seed unknown; calls of no date."
    ]
