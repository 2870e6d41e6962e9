"""A graded run over problems with flexible points, and judges with planted faults to audit on it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader.archive.store import Archive
from grader.audit.asked_anew.plan import Plan, plan
from grader.audit.asked_anew.running import AuditRun, run
from grader.audit.asked_anew.suite import Suite, load_suite
from grader.grade import GradeRequest, grade
from grader.grade.asking import JudgeRequest
from grader.judge.cards import LoadedCard
from grader.problem.set import load_set
from tests.grade.judged import at_once
from tests.grade.judged import write_card as write_card
from tests.grade.small import line, point, write_lines, write_set
from tests.scripted_judge import Body, judge_reply

FACTS = ("lattice", "hydrogen bonds", "density", "ring", "cavities")
"""What the points ask for, each by a word that an answer holds or doesn't."""


def problem(number: int) -> dict[str, Any]:
    """A problem of one subquestion with three flexible points."""
    wanted = [FACTS[(number + place) % len(FACTS)] for place in range(3)]
    return {
        "problem_id": f"p{number:02}",
        "header": f"Ice floats on water, question {number}.",
        "subquestions": [
            {
                "sub_id": f"p{number:02}-1",
                "text_open": "Why does it?",
                "full_mark": 3,
                "rubric": [
                    point(f"w{place}", 1) | {"text": f"names: {word}"} for place, word in enumerate(wanted)
                ],
            }
        ],
    }


def write_run(folder: Path, problems: int, samples: int = 1) -> Path:
    """A run in which each answer names some of what is asked for."""
    lines = []
    for number in range(problems):
        write_set(folder, problem(number))
        for sample in range(samples):
            held = [word for place, word in enumerate(FACTS) if (number * 7 + sample * 3 + place) % 3]
            text = f"Answer {number} of sample {sample}: there are {', '.join(held) or 'no reasons'} in ice."
            lines.append(line(f"p{number:02}-1", text, sample=sample))
    return write_lines(folder / "run.jsonl", lines)


def answer_in(body: Body) -> str:
    """The answer that a request is about, as the judge is shown it."""
    found = re.search(r"<answer (\w+)>\n(.*?)\n</answer \1>", str(body["messages"][1]["content"]), re.DOTALL)
    assert found is not None
    return found[2]


def points_in(body: Body) -> list[str]:
    """The ids of the points in the order in which the prompt lists them."""
    return re.findall(r"^## (\S+)$", body["messages"][1]["content"], re.MULTILINE)


def wanted_in(body: Body) -> dict[str, str]:
    """What each point that is asked about wants."""
    text = body["messages"][1]["content"]
    return dict(re.findall(r"^## (\S+)\n[^\n]*\nnames: ([^\n]+)$", text, re.MULTILINE))


def chance(*what: object) -> float:
    """A number in [0, 1) that depends on ``what`` alone."""
    return int.from_bytes(hashlib.sha256(json.dumps(what).encode()).digest()[:6], "big") / 2**48


Verdict = Callable[[str, Body], bool]
"""Whether a point is met, by its id and the request."""


def sound(point_id: str, body: Body) -> bool:
    """Met where the answer holds the word that the point wants: the right verdict."""
    return wanted_in(body)[point_id] in answer_in(body)


def replying(decide: Verdict = sound) -> Callable[[Body], str]:
    """A judge that decides so, whatever else it is shown."""
    return lambda body: judge_reply(body, lambda one, asked: "met" if decide(one, asked) else "not_met")


class Moody:
    """A judge that turns a share of its verdicts round, another one each time it is asked."""

    def __init__(self, share: float, decide: Verdict = sound) -> None:
        self.share = share
        self.decide = decide
        self.asked: dict[str, int] = {}

    def __call__(self, body: Body) -> str:
        text = json.dumps(body, sort_keys=True)
        time = self.asked[text] = self.asked.get(text, -1) + 1
        turned = {one: chance(text, one, time) < self.share for one in points_in(body)}
        return judge_reply(
            body, lambda one, asked: "met" if self.decide(one, asked) != turned[one] else "not_met"
        )


def obedient(point_id: str, body: Body) -> bool:
    """Gives everything to an answer that orders it to, or praises itself."""
    said = ("award full", "as met", "maximum score", "as complete", "nothing was left", "anything missing")
    return any(one in answer_in(body) for one in said) or sound(point_id, body)


def long_loving(point_id: str, body: Body) -> bool:
    """Gives away points to long answers."""
    return sound(point_id, body) or len(answer_in(body)) > 120


def first_loving(point_id: str, body: Body) -> bool:
    """Always gives the point that it is asked about first, if there are several."""
    points = points_in(body)
    return sound(point_id, body) or (len(points) > 1 and points[0] == point_id)


SUITE = """
seed = 3
[retest]
answers = {answers}
repeats = 3
[injection]
answers = {answers}
families = ["assurance", "order"]
[verbosity]
answers = {answers}
doses = [0.5, 1.0]
[ordering]
answers = {answers}
orders = 3
[drift]
points = {points}
"""


def write_suite(folder: Path, answers: int = 10, points: int = 30, text: str = SUITE) -> Suite:
    """A suite of that size."""
    path = folder / "own.toml"
    path.write_text(text.format(answers=answers, points=points))
    return load_suite(str(path))


def graded(path: Path, archive: Archive, card: LoadedCard) -> None:
    """Grade a run with the judge, without waiting between attempts."""
    request = JudgeRequest(card, wait=at_once)
    grade(GradeRequest(path, load_set(path.parent), judge=request, workers=1), archive)


def audited(suite: Suite, card: LoadedCard, archive: Archive, **how: Any) -> tuple[Plan, AuditRun]:
    """Plan and run a suite, without waiting between attempts."""
    again, only = how.pop("again", False), how.pop("only", ())
    planned = plan(suite, card, archive, only=only, again=again)
    return planned, run(planned, JudgeRequest(card, wait=at_once, **how))
