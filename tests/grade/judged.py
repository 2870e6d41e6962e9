"""A run of many answers, a scripted judge on loopback, and what must come of it."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

from grader.archive.store import Archive
from grader.grade import GradeRequest, GradeResult, grade
from grader.grade.asking import JudgeRequest
from grader.grade.estimate import Estimate
from grader.judge.cards import LoadedCard, load_card
from grader.problem.set import load_set
from tests.grade.small import line, point, write_lines, write_set
from tests.scripted_judge import Body, judge_reply

PROBLEM = {
    "problem_id": "ice",
    "header": "Ice floats on water.",
    "subquestions": [
        {
            "sub_id": "ice-1",
            "text_open": "Why does it?",
            "full_mark": 2,
            "rubric": [point("why", 2) | {"partial": True}],
        }
    ],
}
"""One flexible point: one request an answer."""

_NUMBER = re.compile(r"answer number (\d+)")


async def at_once(seconds: float) -> None:
    """In place of waiting between attempts."""
    await asyncio.sleep(0)


def number_in(body: Body) -> int:
    """Which answer a request is about."""
    found = _NUMBER.search(str(body["messages"]))
    assert found is not None
    return int(found[1])


def marks_of(number: int) -> float:
    """What the scripted judge awards of 2 marks."""
    return (0.0, 2.0, 1.0)[number % 3]


def judge_by_number(body: Body) -> str:
    """A judge that awards by the number in the answer, and quotes it."""
    number = number_in(body)
    verdict = ("not_met", "met", "partial")[number % 3]
    evidence = "" if verdict == "not_met" else f"answer number {number}"
    return judge_reply(
        body,
        lambda asked, _: {"verdict": verdict, "points": marks_of(number), "evidence": evidence},
    )


def write_run(folder: Path, answers: int) -> Path:
    """A run of that many different answers of one model, in a set of its own."""
    write_set(folder, PROBLEM)
    lines = [line("ice-1", f"This is answer number {n}: an open lattice.", sample=n) for n in range(answers)]
    return write_lines(folder / "run.jsonl", lines)


def write_card(folder: Path, base_url: str, name: str = "scripted", **fields: Any) -> LoadedCard:
    """A judge card for a loopback server; ``fields`` as lines of TOML."""
    text = f'model = "openai/{name}"\napi_base = "{base_url}"\n'
    text += "".join(f"{key} = {value}\n" for key, value in fields.items())
    path = folder / f"{name}.toml"
    path.write_text(text)
    return load_card(str(path))


def judge_run(
    run: Path, archive: Archive, card: LoadedCard, *, again: bool = False, **how: Any
) -> GradeResult:
    """Grade a run with a judge, without waiting between attempts."""
    request = JudgeRequest(card, wait=at_once, **how)
    return grade(GradeRequest(run, load_set(run.parent), judge=request, regrade=again, workers=1), archive)


def estimate_of(run: Path, archive: Archive, card: LoadedCard) -> Estimate:
    """What a dry run says."""
    judged = judge_run(run, archive, card, dry_run=True).judged
    assert judged is not None
    assert judged.estimate is not None
    return judged.estimate


def verdicts(archive: Archive) -> list[dict[str, Any]]:
    """The judges' verdicts, as lines."""
    return [one for one in archive.lines() if one["by"].startswith("judge:")]
