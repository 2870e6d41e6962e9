"""argus problems analyze as its user types it."""

from __future__ import annotations

import json

from tests.grade.small import both_models, write_lines, write_set


def test_a_set_is_analyzed_from_its_runs_and_what_cant_be_is_one_line(argus, tmp_path):
    run = write_lines(write_set(tmp_path / "set") / "run.jsonl", both_models())
    nothing = argus("problems", "analyze", "set")
    assert (nothing.code, nothing.err.count("\n")) == (2, 1)
    assert "there is no archive" in nothing.err
    argus("grade", run)
    shown = argus("problems", "analyze", "set")
    assert shown.code == 0
    assert "water-1" in shown.out
    assert "too few" in shown.out
    found = json.loads(argus("problems", "analyze", "set", "--json").out)
    assert [(one["sub_id"], one["difficulty"]) for one in found["subquestions"]] == [
        ("water-1", 0.5),
        ("water-2", 0.166666667),
    ]
    unknown = argus("problems", "analyze", "set", "--run", "nope")
    assert (unknown.code, unknown.err.count("\n")) == (2, 1)
