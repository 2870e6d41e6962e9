"""argus problems gate as its user types it."""

from __future__ import annotations

import json

from tests.grade.small import write_lines, write_set


def test_a_set_without_signoff_says_what_it_lacks_and_require_exits_4(argus, tmp_path):
    write_set(tmp_path / "set")
    shown = argus("problems", "gate", "set")
    assert shown.code == 0
    assert "accepting reviewers: 0 of 2; models: 0 of 1; students: 0 of 3" in shown.out
    assert "0 of 1 problems lack nothing" in shown.out
    assert argus("problems", "gate", "set", "--require").code == 4
    free = argus(
        "problems", "gate", "set", "--require", "--reviews", 0, "--probes", 0, "--pilots", 0, "--json"
    )
    assert (free.code, json.loads(free.out)["passed"]) == (0, 1)


def test_faults_of_signoff_are_one_line_each(argus, tmp_path):
    write_set(tmp_path / "set")
    write_lines(tmp_path / "set" / "signoff.jsonl", [{"gate": "exam"}, {"gate": "probe"}])
    typed = argus("problems", "gate", "set")
    assert typed.code == 2
    assert [line.split(": ")[1] for line in typed.err.splitlines()] == [
        "set/signoff.jsonl:1 /gate",
        "set/signoff.jsonl:2 /run",
    ]
