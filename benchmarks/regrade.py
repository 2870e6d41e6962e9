"""What grading the same run a second time costs beside parsing it, in CPU seconds of the same minute.

    python benchmarks/regrade.py [--responses 100000]

Grades a generated run into a fresh SQLite archive, then grades it again. Prints
the first grading's rate and peak memory, the CPU of parsing the run with the run
reader, of the second grading, and their ratio; exits 1 if the second grading
computed a finding or cost more than twice the parsing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

LIMIT = 2.0

PARSE = """\
import sys
from pathlib import Path
from grader.record import RunReader
print(sum(1 for _ in RunReader(Path(sys.argv[1]), {"p": [f"p-{n}" for n in range(1, 6)]})))
"""

SUBQUESTIONS = [
    ({"kind": "integer", "expected": 4, "asked": ["stereocentres"]}, "The molecule has {n} stereocentres."),
    ({"kind": "choice", "expected": "B", "choices": ["A", "B", "C", "D"]}, "**Answer: {letter}** (case {i})"),
    ({"kind": "boolean", "expected": True}, "{yes}, in case {i} the reaction is spontaneous."),
    ({"kind": "quantity", "expected": 52.4, "unit": "kJ/mol", "asked": ["Ea"]}, "Ea = {n}.{i} kJ/mol"),
    (
        {"kind": "integer", "expected": 12, "asked": ["hydrogen atoms"]},
        "There are {n} hydrogen atoms (no. {i}).",
    ),
]


def write_set(folder: Path) -> None:
    """A problem of five subquestions with one formal point each."""
    subs = [
        {
            "sub_id": f"p-{number}",
            "text_open": "Decide.",
            "full_mark": 1,
            "rubric": [{"id": f"p-{number}-r1", "points": 1, "text": "the value", "check": check}],
        }
        for number, (check, _) in enumerate(SUBQUESTIONS, 1)
    ]
    task = folder / "tasks" / "p"
    task.mkdir(parents=True)
    problem = {"problem_id": "p", "header": "Numbers.", "subquestions": subs}
    (task / "problem.json").write_text(json.dumps(problem))


def write_run(path: Path, responses: int) -> None:
    """Answers of about 600 characters, all different."""
    padding = "The usual argument applies, and nothing in it depends on the medium. " * 8
    with path.open("w") as stream:
        for i in range(responses):
            number = i % len(SUBQUESTIONS)
            text = SUBQUESTIONS[number][1].format(
                n=i % 9, i=i, letter="ABCD"[i % 4], yes="Yes" if i % 3 else "No"
            )
            line = {
                "model": f"m{i // len(SUBQUESTIONS) % 4}",
                "sub_id": f"p-{number + 1}",
                "protocol": "oracle_scaffolded",
                "mode": "text_only",
                "sample": i,
                "text": padding + text,
            }
            stream.write(json.dumps(line) + "\n")


class Cost(NamedTuple):
    """What a command took, its children included, and what it printed."""

    cpu: float
    wall: float
    peak_mb: int
    """Of the largest process."""
    printed: str


def cost_of(command: list[str], accept: tuple[int, ...] = (0,)) -> Cost:
    """Run a command."""
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in accept:
            sys.exit(f"{command} exited {process.returncode}")
        out.seek(0)
        return Cost(
            usage.ru_utime + usage.ru_stime, time.monotonic() - began, usage.ru_maxrss // 1024, out.read()
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--responses", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run = folder / "run.jsonl"
        write_set(folder)
        write_run(run, options.responses)
        argus = str(Path(sys.executable).with_name("argus"))
        grade = [argus, "grade", str(run), "--json", "--archive", f"sqlite:///{folder / 'argus.db'}"]
        first = cost_of(grade, (0, 3))
        parsing = cost_of([sys.executable, "-c", PARSE, str(run)])
        again = cost_of(grade, (0, 3))
    computed = [json.loads(cost.printed)["computed"] for cost in (first, again)]
    rate = options.responses / first.wall
    print(f"first grading   {first.cpu:7.2f} s CPU, {computed[0]} findings, {rate:.0f} responses/s")
    print(f"                {first.peak_mb:7d} MB at the peak of its largest process")
    print(f"parsing the run {parsing.cpu:7.2f} s CPU")
    print(f"second grading  {again.cpu:7.2f} s CPU, {computed[1]} findings computed")
    print(f"ratio           {again.cpu / parsing.cpu:7.2f} (at most {LIMIT})")
    sys.exit(computed[1] != 0 or again.cpu > LIMIT * parsing.cpu)


if __name__ == "__main__":
    main()
