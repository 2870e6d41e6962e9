"""signoff.jsonl and gate.toml are read whole or not at all, and every fault is said at once."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from grader.errors import ProblemError
from grader.problem.schema import published
from grader.problem.set import load_set
from grader.problem.signoff import GateRules, read_signoff
from tests.grade.small import write_set

REVIEW = {
    "gate": "review",
    "problem_id": "water",
    "content": "0123456789ab",
    "reviewer": "Ada",
    "date": "2026-12-01",
    "decision": "accept",
}


def signed(folder, *lines, gate=""):
    """What is read of a set with these lines."""
    write_set(folder)
    text = "".join(one if isinstance(one, str) else json.dumps(one) + "\n" for one in lines)
    (folder / "signoff.jsonl").write_text(text)
    if gate:
        (folder / "gate.toml").write_text(gate)
    return load_set(folder)


def test_a_set_without_files_has_no_lines_and_the_default_rules(tmp_path):
    read = read_signoff(load_set(write_set(tmp_path)))
    assert (read.reviews, read.probes, read.pilots, read.rules) == ((), (), (), GateRules())


def test_lines_are_read_in_their_order_and_options_stand_above_the_file(tmp_path):
    probe, pilot = {"gate": "probe", "run": "a"}, {"gate": "pilot", "run": "b", "model": "Ana"}
    problems = signed(tmp_path, REVIEW, "\n", probe, pilot, gate="[gate]\nreviews = 1\nprobes = 5\n")
    read = read_signoff(problems, {"probes": 2})
    assert [one.reviewer for one in read.reviews] == ["Ada"]
    assert [(one.run, one.model) for one in read.probes] == [("a", None)]
    assert [(one.run, one.model) for one in read.pilots] == [("b", "Ana")]
    assert (read.rules.reviews, read.rules.probes, read.rules.pilots) == (1, 2, 3)


def test_every_fault_of_both_files_is_said_with_its_place(tmp_path):
    problems = signed(
        tmp_path,
        REVIEW | {"problem_id": "fire"},
        REVIEW | {"content": "abc"},
        REVIEW | {"date": 20261201},
        REVIEW | {"decison": "accept"},
        {"gate": "exam"},
        "{\n",
        gate="[gate]\npilot_low = 2\n",
    )
    with pytest.raises(ProblemError) as raised:
        read_signoff(problems)
    said = [(fault.line, fault.pointer, fault.what) for fault in raised.value.faults]
    assert [(line, pointer) for line, pointer, _ in said] == [
        (1, "/problem_id"),
        (2, "/content"),
        (3, "/date"),
        (4, "/decison"),
        (5, "/gate"),
        (6, None),
        (None, "/gate/pilot_low"),
    ]
    assert said[3][2] == "unknown field"


@pytest.mark.parametrize("gate", ["reviews = 1", "[gate]\n[other]\n", "gate = 1", "[gate"])
def test_a_gate_file_holds_nothing_but_its_table(tmp_path, gate):
    with pytest.raises(ProblemError, match=r"gate\.toml"):
        read_signoff(signed(tmp_path, gate=gate))


def test_bounds_for_students_that_exclude_each_other_are_refused(tmp_path):
    with pytest.raises(ProblemError, match="pilot_low is above pilot_high"):
        read_signoff(signed(tmp_path), {"pilot_low": 0.99})


def test_the_published_schema_takes_what_is_read_and_nothing_else():
    schema = Draft202012Validator(published("signoff.schema.json"))
    for line in (REVIEW, {"gate": "probe", "run": "a"}, {"gate": "pilot", "run": "a", "notes": "x"}):
        assert schema.is_valid(line)
    for other in ({**REVIEW, "more": 1}, {"gate": "exam", "run": "a"}, {"gate": "probe"}, {"run": "a"}):
        assert not schema.is_valid(other)
