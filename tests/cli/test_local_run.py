"""A real model answers part of the demo over HTTP, by the command, and what it says is graded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.errors import SetupError
from grader.model.local import NAME, bundled_model, local_server
from grader.problem.set import load_set
from tests.protocol.running import responses, tries

DEMO = Path(__file__).resolve().parents[2] / "problems" / "demo"
PROBLEM = "seed-electro-01"


@pytest.fixture(scope="module")
def api_base():
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed")
    try:
        bundled_model()
    except SetupError as missing:
        pytest.skip(str(missing))
    with local_server() as url:
        yield url


@pytest.mark.slow
def test_a_real_model_answers_part_of_the_demo_in_two_conditions_and_the_run_grades(
    argus, api_base, tmp_path
):
    solver = tmp_path / "local.toml"
    solver.write_text(
        f'model = "openai/{NAME}"\nname = "smollm"\napi_base = "{api_base}"\n'
        "price = {input = 0, output = 0}\nlimits = {concurrency = 1}\n"
        "parameters = {max_tokens = 60, temperature = 0, seed = 0}\n"
    )
    command = ["run", DEMO, "--model", solver, "--problem", PROBLEM, "--json"]
    command += ["--protocol", "full_problem", "--protocol", "sequential_carry"]
    made = argus(*command)
    assert made.code == 0, made.err
    told = json.loads(made.out)
    subs = load_set(DEMO).problems[PROBLEM].subquestions
    assert [cell["done"] for cell in told["cells"]] == [1, len(subs)]
    assert told["paid"] == {"cost": 0.0, "unknown": 0}

    out = tmp_path / "run.jsonl"
    for one in responses(out):
        assert one.text.strip()
        assert one.finish_reason in ("stop", "length")
        assert one.meta["usage"]["completion_tokens"] <= 60
    assert {attempt["served_model"] for attempt in tries(out)} == {NAME}

    graded = argus("grade", out, "--json")
    assert graded.code == 3, graded.err  # flexible points have no judge
    scores = json.loads(graded.out)["scores"]
    assert [score["protocol"] for score in scores] == ["full_problem", "sequential_carry"]
    for score, cell in zip(scores, told["cells"], strict=True):
        assert (score["model"], score["responses"], score["failed"]) == ("smollm", cell["done"], 0)
        assert score["answers"] == score["subquestions"] == len(subs)
        assert score["low"] <= score["share"] <= score["high"]
