"""Solvers with one fault each: nine conditions show the gap that is named after it, and no other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path

import pytest

from examples.scripted_solver import FAULTS, Solver, marks_of, read_set
from grader.protocol.turns import MODES, PROTOCOLS
from grader.sweep import load_sweep, run_sweep
from tests.model_server import ModelServer, model_server
from tests.protocol.definitions import EYE, Pixels, exam_of, pixels_at

DEMO = Path(__file__).resolve().parents[2] / "problems" / "demo"

FULL = {
    "seed-coord-01": [4, 2, 4, 4, 4, 4],
    "seed-electro-01": [3, 3, 4, 3, 5],
    "seed-kinetics-01": [4, 3, 3, 4, 3],
    "seed-orgsyn-01": [4, 4, 3, 4, 3, 2],
}
"""The marks of each question, all of which the strong solver's reply earns."""
WEAK = {
    "seed-coord-01": [1, 1, 2, 2, 0, 2],
    "seed-electro-01": [0, 0, 0, 1, 0],
    "seed-kinetics-01": [0, 0, 2, 1, 0],
    "seed-orgsyn-01": [1, 0, 1, 0, 0, 0],
}
"""What the weak solver's reply to it earns, by the set's marks and by code."""
FIGURE_OF_ITS_OWN = {("seed-kinetics-01", 2), ("seed-orgsyn-01", 0)}


def marks_if(right: Callable[[str, int], bool]) -> int:
    """The marks of a solver that is strong where ``right`` says so, and weak elsewhere."""
    return sum(
        FULL[problem][n] if right(problem, n) else WEAK[problem][n]
        for problem in FULL
        for n in range(len(FULL[problem]))
    )


STRONG = marks_if(lambda problem, n: True)
LADDERS: Mapping[str, Mapping[tuple[str, str], int]] = {
    # it begins each chain wrong: its own error stays with it, and only a granted result ends it
    "propagation": {
        **dict.fromkeys(product(["full_problem", "sequential_carry"], MODES), marks_if(lambda *_: False)),
        **dict.fromkeys(product(["oracle_scaffolded"], MODES), marks_if(lambda problem, n: n > 0)),
    },
    # it can do anything, but not all at once
    "integration": {
        **dict.fromkeys(product(["full_problem"], MODES), marks_if(lambda problem, n: n < 2)),
        **dict.fromkeys(product(["sequential_carry", "oracle_scaffolded"], MODES), STRONG),
    },
    # it is told by a description, and by its reader, what it doesn't see
    "images": {
        **dict.fromkeys(product(PROTOCOLS, ["text_only", "text_reader"]), STRONG),
        **dict.fromkeys(
            product(PROTOCOLS, ["multimodal"]), marks_if(lambda *place: place not in FIGURE_OF_ITS_OWN)
        ),
    },
}
"""The marks of each solver under each condition."""


def test_the_ladders_are_worked_out_right():
    assert (STRONG, marks_if(lambda *_: False)) == (77, 14)
    assert LADDERS["propagation"]["oracle_scaffolded", "text_only"] == 77 - (3 + 3 + 4 + 3) == 64
    assert LADDERS["integration"]["full_problem", "text_only"] == (6 + 6 + 7 + 8) + (6 + 1 + 3 + 1) == 38
    assert LADDERS["images"]["full_problem", "multimodal"] == 77 - (1 + 3) == 73


GAPS = {
    "propagation": {"integration": 0, "propagation": 50, "both": 50, "images": 0, "reader": 0},
    "integration": {"integration": 39, "propagation": 0, "both": 39, "images": 0, "reader": 0},
    "images": {"integration": 0, "propagation": 0, "both": 0, "images": 4, "reader": 0},
}
"""What conditions differ by, in marks: the protocols in each mode, and the modes under each protocol."""


@pytest.fixture(scope="module")
def faulty():
    """The faulty solvers and their reader, who describes what it is shown."""
    solvers = {fault: Solver(read_set(DEMO), fault) for fault in FAULTS}
    described = dict(descriptions())

    def reply(body):
        if body["model"] == EYE:
            image = body["messages"][0]["content"][0]["image_url"]["url"]
            return f"It shows this. {described[pixels_at(image)]}"
        said = solvers[body["model"]].reply(body["messages"], body.get("tools", ()))
        return {"role": "assistant", "content": said.pop("text"), **said}

    return reply


def descriptions() -> Iterator[tuple[Pixels, str]]:
    """What each figure of the set shows, by its pixels."""
    for task in (DEMO / "tasks").iterdir():
        exam = exam_of(task)
        for figure in (*exam.figures, *(figure for one in exam.questions for figure in one.figures)):
            yield figure.pixels, figure.description


def write_sweep(folder: Path, server: ModelServer, *marks: Path) -> Path:
    where = f'api_base = "{server.base_url}"\nprice = {{input = 1.0, output = 4.0}}\n'
    models = [f'[[models]]\nname = "{one}"\nmodel = "openai/{one}"\nvision = true\n{where}' for one in FAULTS]
    head = {
        "problems": str(DEMO),
        "protocols": PROTOCOLS,
        "modes": MODES,
        "marks": [str(one) for one in marks],
    }
    said = "".join(f"{name} = {json.dumps(value)}\n" for name, value in head.items())
    path = folder / "sweep.toml"
    path.write_text("\n".join([said, f'[reader]\nmodel = "openai/{EYE}"\n{where}', *models]))
    return path


@pytest.mark.slow
def test_a_fault_makes_the_gap_that_is_named_after_it_and_no_other(tmp_path, faulty):
    with model_server(faulty) as server:
        asked = run_sweep(load_sweep(write_sweep(tmp_path, server)))
        marks = tmp_path / "marks.jsonl"
        given = [mark for one in asked.sweep.requests for mark in marks_of(one.out, DEMO)]
        marks.write_text("".join(json.dumps(mark) + "\n" for mark in given))
        made = run_sweep(load_sweep(write_sweep(tmp_path, server, marks)))
        assert set(server.counts.received.values()) == {1}
    assert made.complete
    scores = {(row.model, *row.condition): row.score for row in made.rows() if row.score}
    assert {score["full_mark"] for score in scores.values()} == {STRONG}
    found = {cell: score["earned"] for cell, score in scores.items()}
    assert found == {
        (name, *condition): marks for name, own in LADDERS.items() for condition, marks in own.items()
    }
    for ladder in made.ladders():
        for name, gap in ladder.gaps.items():
            assert gap.low == gap.high == pytest.approx(GAPS[ladder.model][name] / STRONG, abs=1e-8)
    # three modes with three gaps of protocols, three protocols with two gaps of modes
    assert sum(len(ladder.gaps) for ladder in made.ladders()) == 3 * (3 * 3 + 3 * 2)
