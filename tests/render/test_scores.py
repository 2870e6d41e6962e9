"""The score table keeps its numbers, whatever the terminal and the names."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from grader.render.scores import estimate_table, score_table


def row(model, **more):
    return {
        "model": model,
        "protocol": "sequential_carry",
        "mode": "text_only",
        "earned": 29.5,
        "earned_follow": 33.5,
        "full_mark": 77.0,
        "share": 0.383,
        "low": 0.377,
        "high": 0.675,
        "coverage": 0.701,
        "macro": 0.4,
        "subquestions": 22,
        "missing": 0,
        "by_track": {"formal": 54.0, "human": 3.0},
    } | more


def printed(*rows, width=80, name="run", judge=None, follow=False):
    out = io.StringIO()
    summary = {
        "run": {"name": name},
        "scores": list(rows),
        "undetermined": [{"reason": "unjudged", "points": 3}],
        "judge": judge,
        "follow": follow,
    }
    Console(file=out, width=width, force_terminal=False).print(score_table(summary))
    return out.getvalue()


def test_80_columns_hold_every_number():
    out = printed(row("a-model-with-a-rather-long-name/2026-12"))
    for cell in ("29.5 / 77", "37.7 % to 67.5 %", "70.1 %", "54", "3"):
        assert cell in out


def test_marks_with_follow_through_stand_beside_the_strict_ones_where_any_point_follows():
    out = printed(row("m"), follow=True)
    for cell in ("29.5 / 77", "33.5", "37.7 % to 67.5 %", "70.1 %", "54", "3"):
        assert cell in out
    assert "33.5" not in printed(row("m"))


def test_what_differs_has_a_column_and_what_all_share_is_in_the_title():
    out = printed(row("m"), row("m", protocol="full_problem"), width=120)
    assert "Scores of run, text_only" in out
    assert "full_problem" in out


def test_answers_that_are_missing_are_counted():
    assert "1 of 22" in printed(row("m", subquestions=1, missing=21), width=120)


@pytest.mark.parametrize("name", ["gpt[high]", "a[/red]b", "[x]"])
def test_brackets_in_names_are_no_markup(name):
    assert name in printed(row(name), name=name, width=120)


def test_a_name_controls_no_terminal():
    assert "\x1b" not in printed(row("m\x1b[2J"))


def judge(**more):
    return {"card": "strict@0123456789ab", "provisional": False, "kin": {}} | more


def test_a_judge_that_is_only_a_demo_says_so_under_the_scores():
    assert "provisional" not in printed(row("m"), judge=judge())
    said = " ".join(printed(row("m"), judge=judge(provisional=True)).split())
    assert "judge strict@0123456789ab is provisional, its verdicts count nowhere" in said


def test_a_judge_of_the_models_own_family_is_marked_in_its_row():
    out = printed(row("gpt-5"), row("other"), judge=judge(kin={"gpt-5": "openai"}), width=200)
    assert "gpt-5 *" in out
    assert "other *" not in out
    assert "of the same family as judge strict@0123456789ab: gpt-5 (openai)" in " ".join(out.split())


def test_a_dry_run_names_requests_tokens_and_price():
    line = {
        "judge_model": "openai/judge",
        "model": "m",
        "protocol": "full_problem",
        "mode": "text_only",
        "calls": 1200,
        "prompt_tokens": 900_000,
        "completion_tokens_at_most": 4_800_000,
        "cost_at_most": 12.5,
    }
    out = io.StringIO()
    worst = {"worst_calls": 2400, "worst_cost": None}
    table = estimate_table({"calls": 1200, "cost_at_most": 12.5, "rows": [line], **worst})
    Console(file=out, width=200).print(table)
    said = " ".join(out.getvalue().split())
    for cell in ("1,200", "900,000", "4,800,000", "$12.5000", "2,400 requests, at most unknown"):
        assert cell in said


def test_what_is_no_plain_answer_has_a_column_where_there_is_any():
    flags = {"empty": 2, "refused": 0, "truncated": 11, "looping": 0, "overflow": 1}
    none = {"responses": 22, "failed": 0, "flags": dict.fromkeys(flags, 0)}
    out = printed(row("m", responses=22, failed=1, flags=flags), row("n", **none))
    for cell in ("flags", "15", "29.5 / 77", "37.7 % to 67.5 %", "70.1 %", "54", "3"):
        assert cell in out
    assert "flags: 1 failed, 2 empty, 11 truncated, 1 overflow;" in " ".join(out.split())
    assert "flags" not in printed(row("n", **none))


def test_a_summary_of_a_version_without_flags_is_shown_without_them():
    assert "flags" not in printed(row("m"))
