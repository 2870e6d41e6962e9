"""How fast a run asks beside bare litellm, on one loopback server in the same minute.

    python benchmarks/run.py [--calls 2000] [--rounds 5] [--require] [--profile]

Both send the same requests, 100 at once, to a server that takes 50 ms: full_problem in text_only
over generated problems. One is `litellm.acompletion` behind a semaphore, which reads the text of
each reply and forgets it. The other is `run()` with all that a run does: it makes the messages from
the problems, asks, and has every try in the journal and every response in run.jsonl, on disk,
before it goes on. They take turns in one process, after a warm-up of both, so that what is loaded
and how busy the machine is are the same. Prints calls per second and the median of the rounds'
ratios; with --require it exits 1 below 0.9.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import gc
import json
import os
import pstats
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]
os.environ |= {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True"}

from grader.model import provider  # noqa: E402
from grader.model.request import Message  # noqa: E402
from grader.problem.set import ProblemSet, load_set  # noqa: E402
from grader.protocol.asking import Provider  # noqa: E402
from grader.protocol.messages import message  # noqa: E402
from grader.protocol.request import RunRequest  # noqa: E402
from grader.protocol.run import run  # noqa: E402
from grader.protocol.solver import SolverSpec  # noqa: E402
from grader.protocol.spec import ShownSpec  # noqa: E402
from tests.model_server import server_process  # noqa: E402
from tests.scripted_judge import Body  # noqa: E402

RATIO = 0.9
CONCURRENCY, LATENCY = 100, 0.05
WARM_UP = 300
MOST_TOKENS = 1_000
ANSWER = "The tertiary carbocation forms first, and water attacks it from either face. " * 10

_labels = count()


def reply(body: Body) -> str:
    """What the server's model says: as much as a model says to a question."""
    return ANSWER


def write_set(folder: Path, number: int) -> ProblemSet:
    """Problems of three questions each, all different."""
    label = next(_labels)
    for one in range(number):
        name = f"p{label}-{one}"
        header = f"Problem {name}. 2-Methylbut-2-ene is stirred in dilute acid at room temperature. " * 4
        subs = [
            {
                "sub_id": f"{name}-{part}",
                "text_open": f"Question {part}: give the structure of the product and explain its formation.",
                "full_mark": 1,
                "rubric": [{"id": f"{name}-{part}-r", "points": 1, "text": "2-methylbutan-2-ol"}],
            }
            for part in range(1, 4)
        ]
        task = folder / "tasks" / name
        task.mkdir(parents=True)
        problem = {"problem_id": name, "header": header, "subquestions": subs}
        (task / "problem.json").write_text(json.dumps(problem))
    return load_set(folder)


def request_for(api_base: str, folder: Path, calls: int) -> RunRequest:
    """A run of so many calls, in an empty folder."""
    said = {"model": "openai/bench", "api_base": api_base, "limits": {"concurrency": CONCURRENCY}}
    solver = SolverSpec.model_validate(said | {"parameters": {"max_tokens": MOST_TOKENS}})
    return ShownSpec().request(write_set(folder / "set", calls), solver, folder / "run.jsonl")


# --- The two parts -----------------------------------------------------------------------------------------


def bare(request: RunRequest) -> None:
    """litellm alone, with the messages that the run would send."""
    import litellm

    solver = request.solver
    given = {"api_base": solver.endpoint.api_base, "api_key": "unused", "max_retries": 0}

    async def ask(gate: asyncio.Semaphore, said: Message) -> None:
        async with gate:
            replied = await litellm.acompletion(
                model=solver.endpoint.model, messages=[dict(said)], **solver.parameters, **given
            )
        assert replied.choices[0].message.content == ANSWER

    async def ask_all(messages: list[Message]) -> None:
        gate = asyncio.Semaphore(CONCURRENCY)
        await asyncio.gather(*(ask(gate, said) for said in messages))
        await provider.close()

    asyncio.run(ask_all(list(_messages(request))))


def _messages(request: RunRequest) -> Iterator[Message]:
    for conversation in request.plan:
        (turn,) = conversation.turns
        yield message(turn, "full_problem", request.profile, lambda figure: "", lambda attachment: "")


def argus(request: RunRequest) -> None:
    """A run, from its problems to its responses on disk."""
    assert run(request, Provider(request)).complete


PARTS = {"litellm": bare, "argus": argus}


# --- Measuring ---------------------------------------------------------------------------------------------


class Took(NamedTuple):
    """What one part took."""

    calls: int
    seconds: float
    cpu: float
    """Seconds."""

    @property
    def rate(self) -> float:
        """Calls a second."""
        return self.calls / self.seconds


def took(part: str, api_base: str, calls: int) -> Took:
    """A part in this process, in a folder of its own; making the problems doesn't count."""
    with tempfile.TemporaryDirectory() as name:
        request = request_for(api_base, Path(name), calls)
        gc.collect()
        began, cpu = time.perf_counter(), time.process_time()
        PARTS[part](request)
        return Took(calls, time.perf_counter() - began, time.process_time() - cpu)


def compare(api_base: str, calls: int, rounds: int) -> bool:
    """Print both parts' medians and their ratio; whether it is large enough."""
    for part in PARTS:
        took(part, api_base, WARM_UP)
    pairs = [[took(part, api_base, calls) for part in PARTS] for _ in range(rounds)]
    for part, ended in zip(PARTS, zip(*pairs, strict=True), strict=True):
        rate, each = median(one.rate for one in ended), median(one.cpu / calls for one in ended)
        print(f"{part:8} {rate:6.0f} calls/s, {each * 1000:5.2f} ms CPU per call")
    # of neighbours in time, so that a busy minute hits both
    ratio = median(ours.rate / bare.rate for bare, ours in pairs)
    print(f"ratio    {ratio:6.2f} (at least {RATIO})")
    return ratio >= RATIO


def profile(api_base: str, calls: int) -> None:
    """Print where a run spends its time."""
    took("argus", api_base, WARM_UP)
    profiler = cProfile.Profile()
    profiler.runcall(took, "argus", api_base, calls)
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(60)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--require", action="store_true", help="exit 1 below the ratio")
    parser.add_argument("--profile", action="store_true", help="print where a run spends its time")
    given = parser.parse_args()
    with server_process("benchmarks.run:reply", latency=LATENCY) as server:
        if given.profile:
            profile(server.base_url, given.calls)
        else:
            enough = compare(server.base_url, given.calls, given.rounds)
            sys.exit(given.require and not enough)


if __name__ == "__main__":
    main()
