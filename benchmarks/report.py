"""What reports of a large archive take: seconds, megabytes, and the size of the page.

    python benchmarks/report.py [--runs 25] [--problems 191] [--keep FOLDER]

Grades generated runs (a model each, under the three protocols) into a fresh SQLite
archive, then times ``argus report`` as tables and as one page; exits 1 if tables take
more than 5 s, or the page more than 30 s, 1.5 GB or 15 MB. With ``--keep`` the archive
stays there, and is taken as it is the next time.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.regrade import cost_of
from grader.archive.store import open_archive
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set

SUBQUESTIONS = 820
"""Of 191 problems."""
POINTS = 3
LETTERS = "ABCD"
TABLES, PAGE, PEAK, SIZE = 5.0, 30.0, 1536, 15.0


def sizes(problems: int) -> list[int]:
    """How many subquestions each problem has: 4 or 5, as many in all as the share of 820 asks."""
    total = round(SUBQUESTIONS * problems / 191)
    return [total // problems + (n < total % problems) for n in range(problems)]


def write_set(folder: Path, problems: int) -> None:
    """Problems whose points are choices, every one with a label of its own."""
    for number, size in enumerate(sizes(problems)):
        name = f"p{number:03}"
        subs = [
            {
                "sub_id": f"{name}-{place + 1}",
                "tags": [f"tag {(number + place) % 9}"],
                "text_open": "Which letters?",
                "full_mark": POINTS,
                "standard_result": "The letters are known.",
                "rubric": [
                    {
                        "id": f"r{n}",
                        "points": 1,
                        "text": f"label {n} is B",
                        "check": {
                            "kind": "choice",
                            "expected": "B",
                            "choices": list(LETTERS),
                            "asked": [f"label {n}"],
                        },
                    }
                    for n in range(POINTS)
                ],
            }
            for place in range(size)
        ]
        task = folder / "tasks" / name
        task.mkdir(parents=True)
        (task / "problem.json").write_text(
            json.dumps({"problem_id": name, "header": "Letters.", "subquestions": subs})
        )


def responses(model: int, problems: int) -> Iterator[dict[str, object]]:
    """Answers of one model, better under protocols that help more; some leave a label out."""
    for number, size in enumerate(sizes(problems)):
        for place, protocol in enumerate(("full_problem", "sequential_carry", "oracle_scaffolded")):
            chance = 0.3 + 0.015 * model + 0.08 * place
            texts = [answer(f"{model} {number} {protocol} {sub}", chance) for sub in range(size)]
            head = {"model": f"model-{model:02}", "protocol": protocol, "mode": "text_only"}
            if protocol == "full_problem":
                joined = "\n\n".join(f"## p{number:03}-{sub + 1}\n\n{text}" for sub, text in enumerate(texts))
                yield {**head, "problem_id": f"p{number:03}", "text": joined}
            else:
                for sub, text in enumerate(texts):
                    yield {**head, "sub_id": f"p{number:03}-{sub + 1}", "text": text}


def answer(seed: str, chance: float) -> str:
    """Letters, right with that chance, and a reasoning of usual length."""
    draw = random.Random(seed)
    reasoning = "The usual argument applies, and nothing in it depends on the medium. " * 6
    letters = ("B" if draw.random() < chance else draw.choice("ACD") for _ in range(POINTS))
    said = [f"label {n}: **Answer: {letter}**" for n, letter in enumerate(letters) if draw.random() < 0.98]
    return f"{reasoning}({seed})\n\n" + "\n".join(said)


def build(folder: Path, runs: int, problems: int) -> None:
    """The archive, graded run by run."""
    write_set(folder, problems)
    loaded = load_set(folder)
    with open_archive(f"sqlite:///{folder / 'argus.db'}") as archive:
        for model in range(runs):
            path = folder / f"run-{model:02}.jsonl"
            path.write_text("".join(json.dumps(one) + "\n" for one in responses(model, problems)))
            grade(GradeRequest(path, loaded), archive)
            print(f"graded {path.stem}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=25)
    parser.add_argument("--problems", type=int, default=191)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "argus.db").exists():
            build(folder, options.runs, options.problems)
        url = f"sqlite:///{folder / 'argus.db'}"
        report = [sys.executable, "-m", "grader", "report", "--archive", url]
        tables = cost_of(report)
        out = folder / "report.html"
        page = cost_of([*report, "--format", "html", "-o", str(out)])
        size = out.stat().st_size / 1e6
    print(f"tables  {tables.wall:6.1f} s  {tables.peak_mb:5d} MB  (at most {TABLES:g} s)")
    print(f"page    {page.wall:6.1f} s  {page.peak_mb:5d} MB  (at most {PAGE:g} s, {PEAK} MB)")
    print(f"        {size:6.1f} MB large (at most {SIZE:g} MB)")
    sys.exit(tables.wall > TABLES or page.wall > PAGE or page.peak_mb > PEAK or size > SIZE)


if __name__ == "__main__":
    main()
