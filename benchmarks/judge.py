"""What a judged answer costs beside a bare litellm call, on one loopback server in the same minute.

    python benchmarks/judge.py [--calls 2000] [--rounds 5] [--require]
    python benchmarks/judge.py --memory

Both ask for the same verdicts with the same prompts, 100 at once, of a server that
takes 50 ms: litellm alone, which reads the reply as JSON and forgets it; and a whole
grading by `--judge`, from the run file to the archived calls and verdicts. Each has a
process of its own, in turns; imports and first calls are not counted. Prints medians,
and the medians of the rounds' ratios; with --require it exits 1 if calls per second are
below 0.9 or CPU per call is above 1.3 of litellm's.

With --memory it prints the peak memory of grading 2,000 and 10,000 answers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from tests.model_server import server_process  # noqa: E402
from tests.scripted_judge import Body, judge_reply  # noqa: E402

SPEED, CPU = 0.9, 1.3
CONCURRENCY, LATENCY = 100, 0.05
WARM_UP = 200
MEMORY = (2_000, 10_000)

PASSAGE = "The tertiary carbocation forms first, and water attacks it from either face."
HEADER = "2-Methylbut-2-ene is stirred in dilute sulfuric acid at room temperature."
QUESTION = "Explain the mechanism and the regiochemistry of the hydration."
CRITERIA = {
    "h-1-r1": "Names the tertiary carbocation as the intermediate.",
    "h-1-r2": "Explains that the more substituted cation is stabilised by hyperconjugation.",
}
CARD = """\
model = "openai/bench-judge"
api_base = "{api_base}"
key_env = "BENCH_JUDGE_KEY"
[parameters]
temperature = 0
[limits]
concurrency = {concurrency}
[price]
input = 1
output = 4
"""


def reply(body: Body) -> str:
    """What the server's judge says: everything is met, for a passage that every answer holds."""
    return judge_reply(body, lambda point, body: {"verdict": "met", "evidence": PASSAGE})


def answers(label: str, number: int) -> Iterator[str]:
    """Answers of about 700 characters, all different."""
    padding = "Protonation gives the more stable cation. " * 14
    return (f"{label} {i}: {padding}{PASSAGE}" for i in range(number))


class Took(NamedTuple):
    """What one part took in its process."""

    calls: int
    seconds: float
    cpu: float
    """Seconds, those of child processes included."""
    peak_mb: float

    @property
    def rate(self) -> float:
        """Calls a second."""
        return self.calls / self.seconds

    @property
    def each(self) -> float:
        """CPU seconds of a call."""
        return self.cpu / self.calls


Part = Callable[[Path, str, int], Callable[[], None]]
"""Prepares a number of calls in a folder, under a label of their own; what it returns is measured."""


def measured(part: Part, folder: Path, calls: int) -> Took:
    """A part in this process, after a warm-up."""
    part(folder, "warm-up", WARM_UP)()
    work = part(folder, "answer", calls)
    began, cpu = time.perf_counter(), cpu_seconds()
    work()
    return Took(calls, time.perf_counter() - began, cpu_seconds() - cpu, peak_mb())


def cpu_seconds() -> float:
    """Of this process and of its children that have ended."""
    return sum(os.times()[:4])


def peak_mb() -> float:
    """The most memory this process has held; what getrusage says is handed down by its parent."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


# --- The two parts -----------------------------------------------------------------------------------------


def bare(folder: Path, label: str, calls: int) -> Callable[[], None]:
    """litellm alone: ask, read the reply as JSON."""
    import litellm

    from grader.judge.cards import load_card
    from grader.judge.prompt import judge_request
    from grader.judge.task import Criterion, JudgeTask

    card = load_card(str(folder / "bench.toml"))
    criteria = tuple(Criterion(name, 1, text) for name, text in CRITERIA.items())
    tasks = [JudgeTask(HEADER, QUESTION, answer, criteria) for answer in answers(label, calls)]
    bodies = [judge_request(card, task, 0).body() for task in tasks]
    given = {"api_base": card.card.api_base, "api_key": "unused", "max_retries": 0}

    async def ask(gate: asyncio.Semaphore, body: dict[str, Any]) -> None:
        async with gate:
            replied = await litellm.acompletion(**body, **given)
        assert len(json.loads(replied.choices[0].message.content)["verdicts"]) == len(criteria)

    async def ask_all() -> None:
        gate = asyncio.Semaphore(CONCURRENCY)
        await asyncio.gather(*(ask(gate, body) for body in bodies))

    return lambda: asyncio.run(ask_all())


def argus(folder: Path, label: str, calls: int) -> Callable[[], None]:
    """A grading by --judge into an archive of its own."""
    from grader.archive.store import open_archive
    from grader.grade import GradeRequest, grade
    from grader.grade.asking import JudgeRequest
    from grader.grade.problems import problems_of
    from grader.judge.cards import load_card

    run = folder / f"{label}.jsonl"
    line = {"model": "bench", "sub_id": "h-1", "protocol": "oracle_scaffolded", "mode": "text_only"}
    with run.open("w") as stream:
        for sample, answer in enumerate(answers(label, calls)):
            stream.write(json.dumps({**line, "sample": sample, "text": answer}) + "\n")
    judge = JudgeRequest(load_card(str(folder / "bench.toml")))
    request = GradeRequest(run, problems_of(run, None), judge=judge)

    def work() -> None:
        with open_archive(f"sqlite:///{run.with_suffix('.db')}") as archive:
            result = grade(request, archive)
        assert not result.summary["undetermined"], result.summary["undetermined"]

    return work


PARTS: dict[str, Part] = {"litellm": bare, "argus": argus}


# --- In processes of their own -----------------------------------------------------------------------------


def write_inputs(folder: Path, api_base: str) -> None:
    """The card with its prompts, and the problem."""
    for template in (ROOT / "judges").glob("*.j2"):
        shutil.copy(template, folder)
    (folder / "bench.toml").write_text(CARD.format(api_base=api_base, concurrency=CONCURRENCY))
    rubric = [{"id": name, "points": 1, "text": text} for name, text in CRITERIA.items()]
    sub = {"sub_id": "h-1", "text_open": QUESTION, "full_mark": len(rubric), "rubric": rubric}
    (folder / "tasks" / "h").mkdir(parents=True)
    problem = {"problem_id": "h", "header": HEADER, "subquestions": [sub]}
    (folder / "tasks" / "h" / "problem.json").write_text(json.dumps(problem))


def took(part: str, api_base: str, calls: int) -> Took:
    """What a part takes in a new process and an empty folder."""
    offline = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True"}
    with tempfile.TemporaryDirectory() as name:
        write_inputs(Path(name), api_base)
        done = subprocess.run(
            [sys.executable, __file__, "--part", part, "--folder", name, "--calls", str(calls)],
            env={**os.environ, **offline, "BENCH_JUDGE_KEY": "unused"},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return Took(*json.loads(done.stdout.splitlines()[-1]))


def compare(calls: int, rounds: int) -> bool:
    """Print both parts' medians and their ratios; whether they are within the limits."""
    with server_process("benchmarks.judge:reply", latency=LATENCY) as server:
        pairs = [[took(part, server.base_url, calls) for part in PARTS] for _ in range(rounds)]
    for part, ended in zip(PARTS, zip(*pairs, strict=True), strict=True):
        rate, each = median(one.rate for one in ended), median(one.each for one in ended)
        print(f"{part:8} {rate:6.0f} calls/s, {each * 1000:5.2f} ms CPU per call")
    # of neighbours in time, so that a busy minute hits both
    faster = median(ours.rate / bare.rate for bare, ours in pairs)
    dearer = median(ours.each / bare.each for bare, ours in pairs)
    print(f"ratio    {faster:6.2f} (at least {SPEED}), {dearer:5.2f} (at most {CPU})")
    return faster >= SPEED and dearer <= CPU


def memory() -> None:
    """Print what grading takes of memory as the number of answers grows."""
    with server_process("benchmarks.judge:reply") as server:
        for calls in MEMORY:
            print(f"{calls:6} answers: {took('argus', server.base_url, calls).peak_mb:5.0f} MB at the peak")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--require", action="store_true", help="exit 1 outside the limits")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        print(json.dumps(measured(PARTS[given.part], given.folder, given.calls)))
    elif given.memory:
        memory()
    else:
        within = compare(given.calls, given.rounds)
        sys.exit(given.require and not within)


if __name__ == "__main__":
    main()
