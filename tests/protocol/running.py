"""Runs over a small set, as ``argus run`` would make them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from grader.problem.set import ProblemSet, load_set
from grader.protocol.request import RunRequest
from grader.protocol.solver import SolverSpec
from grader.protocol.spec import ShownSpec
from grader.record import Response, RunReader

NAMES = ("copper", "iron")


def small_set(folder: Path, *, images: bool = False) -> ProblemSet:
    """Two problems of two subquestions; with ``images``, one in the header and one in the second."""
    for number, name in enumerate(NAMES):
        task = folder / "tasks" / name
        (task / "images").mkdir(parents=True)
        (task / "problem.json").write_text(json.dumps(_problem(name, images)))
        if images:
            from PIL import Image

            Image.new("RGB", (8, 6), (200, 40 * number, 0)).save(task / "images" / f"{name}-solution-a.png")
            Image.new("RGB", (4, 4), (0, 40 * number, 90)).save(task / "images" / f"{name}-solution-b.png")
    return load_set(folder)


def _problem(name: str, images: bool) -> dict[str, Any]:
    def image(letter: str) -> list[dict[str, str]]:
        return (
            [{"file": f"{name}-solution-{letter}.png", "description": f"a plot, {letter}"}] if images else []
        )

    subs = [
        {
            "sub_id": f"{name}-{number}",
            "text_open": f"Question {number} about a metal, {len(name)} letters long.",
            "text_images": image("b") if number == 2 else [],
            "full_mark": 1,
            "rubric": [{"id": f"{name}-r{number}", "points": 1, "text": "secret"}],
            "standard_result": f"The result {number}.",
        }
        for number in (1, 2)
    ]
    header = f"A metal, {len(name)} letters."
    return {"problem_id": name, "header": header, "header_images": image("a"), "subquestions": subs}


def request_for(problems: ProblemSet, out: Path, solver: dict[str, Any], **shown: Any) -> RunRequest:
    """What is run: ``solver`` and ``shown`` as a sweep's file would say it."""
    return ShownSpec.model_validate(shown).request(problems, SolverSpec.model_validate(solver), out)


def responses(out: Path) -> list[Response]:
    """What a run holds."""
    return [response for _, response in RunReader(out)]


def tries(out: Path) -> list[dict[str, Any]]:
    """The tries in the journal of a run."""
    lines = out.with_suffix(".calls.jsonl").read_text().splitlines()
    return [entry["attempt"] for entry in map(json.loads, lines) if "attempt" in entry]
