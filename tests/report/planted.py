"""A small set whose private texts are planted tokens, answered by two models, graded by all tracks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from grader.archive.store import Archive, open_archive
from grader.grade import GradeRequest, grade
from grader.grade.asking import JudgeRequest
from grader.problem.set import load_set
from tests.grade.judged import at_once, write_card
from tests.grade.small import line, write_lines, write_set
from tests.model_server import model_server
from tests.scripted_judge import Body, judge_reply

TOKEN = re.compile("zq[a-z]+qz", re.IGNORECASE)
"""What is private says so by such a word."""

PROBLEM = {
    "problem_id": "Alcohols",
    "header": "Ethanol is oxidised.",
    "header_images": [{"file": "scheme.png", "description": "A visible scheme."}],
    "subquestions": [
        {
            "sub_id": "q-1",
            "tags": ["oxidation"],
            "text_open": "Give the SMILES of the product, and why it is $\\ce{CH3CHO}$.",
            "full_mark": 5,
            "standard_result": "zqresultqz: the product is CC=O",
            "rubric_images": [{"file": "private.png", "description": "zqpictureqz is private"}],
            "rubric": [
                {
                    "id": "s",
                    "points": 2,
                    "text": "zqpointqz: ethanal",
                    "check": {"kind": "smiles", "expected": "CC=O", "aliases": ["zqaliasqz"]},
                },
                {
                    "id": "g",
                    "points": 2,
                    "text": "zqgroupqz: reasons",
                    "rule": "any",
                    "of": [{"id": "m", "points": 2, "text": "zqmemberqz: mild"}],
                },
                {"id": "w", "points": 1, "text": "zqflexibleqz: why"},
                {"id": "d", "points": -1, "text": "zqdeductionqz: sloppy"},
                {"id": "v", "veto": True, "text": "zqvetoqz: dangerous"},
                {"note": "zqnoteqz: be kind"},
            ],
        },
        {
            "sub_id": "q-2",
            "text_open": "Name it.",
            "full_mark": 2,
            "rubric": ["zqnativeqz: ethanal is named (2 points)"],
        },
    ],
}
HOSTILE = "<script>alert(1)</script> **CC=O** because PCC is mild zqresultqz: the product is\nCC=O"
ANSWERS = {
    "right": {"q-1": f"The product is `CC=O`. {HOSTILE}", "q-2": "It is ethanal."},
    "wrong": {"q-1": "The product is `CCO`, zqpointqz: ethanal", "q-2": "It is ether."},
}


def write_planted(folder: Path) -> Path:
    """The set, its images and a run."""
    write_set(folder, PROBLEM)
    task = folder / "tasks" / "Alcohols"
    (task / "images").mkdir()
    for name in ("scheme", "private"):
        Image.new("RGB", (8, 8), "red" if name == "private" else "blue").save(task / "images" / f"{name}.png")
    lines = [
        line(sub_id, text, model, protocol=protocol)
        for model, answers in ANSWERS.items()
        for protocol in PROTOCOLS
        for sub_id, text in answers.items()
    ]
    return write_lines(folder / "run.jsonl", lines)


def _judge(body: Body) -> str:
    return judge_reply(body, lambda point, _: {"verdict": "met", "rationale": f"zqrationaleqz of {point}"})


PROTOCOLS = ("sequential_carry", "oracle_scaffolded")
MARK = {"point_id": "w", "points": 0, "by": "Ada", "reason": "zqreasonqz", "evidence": "product"}
MARKS = [MARK | {"model": model, "protocol": protocol} for model in ANSWERS for protocol in PROTOCOLS]


@contextmanager
def planted_archive(folder: Path) -> Iterator[Archive]:
    """The run graded by code, by a judge on loopback and by a person."""
    run = write_planted(folder)
    marks = write_lines(folder / "marks.jsonl", MARKS)
    with open_archive(f"sqlite:///{folder / 'argus.db'}") as archive, model_server(_judge) as server:
        card = write_card(folder, server.base_url)
        judge = JudgeRequest(card, wait=at_once)
        grade(GradeRequest(run, load_set(folder), [marks], judge=judge, workers=1), archive)
        yield archive
