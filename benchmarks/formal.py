"""What a check costs beside the bare call of a library, in CPU of the same minute, and how right it is.

    python benchmarks/formal.py [--checks 2000] [--rounds 5] [--only smiles,quantity]

Each row has a process of its own, so that every cache is cold; no input comes twice.
The bare call reads what the check reads (of a structure both SMILES, of a quantity the
answer) and compares nothing. Bare calls and checks take turns; the ratio is the median
of the rounds'. "streamed" is a whole `check_many` over one worker with its start, twice
as many checks, all processes counted. Accuracy is that on `../shared/cases/formal.jsonl`,
where it is there, beside the peers'. Exits 1 where a ratio is above its limit.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.formal_accuracy import accuracy  # noqa: E402
from benchmarks.formal_rows import ROWS, Pair, Row  # noqa: E402


def cpu() -> float:
    """CPU seconds of this process, of the children it has had, and of those at work."""
    own = os.times()
    return own.user + own.system + own.children_user + own.children_system + _living(os.getpid())


def _living(pid: int) -> float:
    total = 0.0
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in thread.read_text().split():
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + _living(int(child))
    return total


@dataclass(frozen=True)
class Cost:
    """CPU microseconds a check: of the bare call, of deciding in one process, of a whole `check_many`."""

    bare: float
    check: float
    streamed: float
    ratio: float
    """The median of the rounds'."""
    decided: float
    """The share that was met or not met."""


def measure(row: Row, checks: int, rounds: int) -> Cost:
    """Measure one row in this process."""
    from pydantic import TypeAdapter

    from grader.answer.answer import Answer
    from grader.formal import check_many, registry
    from grader.problem.checks import Check
    from grader.record import Status

    adapter: TypeAdapter[Any] = TypeAdapter(Check)
    size = checks // rounds
    pairs = list(row.pairs(3 * checks + 1))
    (first_check, first_answer), pairs = pairs[0], pairs[1:]
    bare = row.bare()
    bare(pairs[:1])
    registry.decide(adapter.validate_python(first_check), Answer(first_answer + " "))  # imports, a JVM
    clock = cpu if row.kind == "name" else process_time  # the finer clock knows no other processes
    costs: list[tuple[float, float]] = []
    decided = 0
    for start in range(0, checks, size):
        chunk = pairs[start : start + size]
        ready = [(adapter.validate_python(check), Answer(answer)) for check, answer in chunk]
        began = clock()
        bare(chunk)
        between = clock()
        findings = [registry.decide(check, answer) for check, answer in ready]
        costs.append((between - began, clock() - between))
        decided += sum(finding.status is not Status.UNDETERMINED for finding in findings)
    began = cpu()
    streamed = sum(1 for _ in check_many(_models(adapter, pairs[checks:]), workers=1))
    whole = cpu() - began
    per = 1e6 / len(costs) / size
    return Cost(
        sum(one for one, _ in costs) * per,
        sum(two for _, two in costs) * per,
        whole * 1e6 / streamed,
        median(two / one for one, two in costs),
        decided / len(costs) / size,
    )


def _models(adapter: Any, pairs: list[Pair]) -> list[tuple[Any, str]]:
    return [(adapter.validate_python(check), answer) for check, answer in pairs]


def in_a_process(row: Row, options: argparse.Namespace) -> Cost:
    """Measure one row in a process of its own."""
    words = ["--row", row.name, "--checks", str(options.checks), "--rounds", str(options.rounds)]
    done = subprocess.run([sys.executable, __file__, *words], stdout=subprocess.PIPE, text=True, check=True)
    return Cost(**json.loads(done.stdout.splitlines()[-1]))


def report(options: argparse.Namespace) -> bool:
    """Print the table; True if every ratio is within its limit."""
    print(
        f"{'':26}{'bare call':30}{'us':>8}{'check':>8}{'ratio':>10}{'limit':>7}{'streamed':>10}{'decided':>9}"
    )
    within = True
    for row in ROWS:
        if (
            options.only
            and row.name not in options.only.split(",")
            and row.kind not in options.only.split(",")
        ):
            continue
        cost = in_a_process(row, options)
        fails = row.limit is not None and cost.ratio > row.limit
        within &= not fails
        print(
            f"{row.name:26}{row.against:30}{cost.bare:8.2f}{cost.check:8.1f}{cost.ratio:10.2f}"
            f"{row.limit or '':>7}{cost.streamed:10.1f}{cost.decided:9.0%}{'  too slow' if fails else ''}",
            flush=True,
        )
    return within


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checks", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", help="rows or kinds, separated by commas")
    parser.add_argument("--row", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.row:
        row = next(row for row in ROWS if row.name == options.row)
        print(json.dumps(measure(row, options.checks, options.rounds).__dict__))
        return
    within = report(options)
    accuracy()
    sys.exit(not within)


if __name__ == "__main__":
    main()
