"""How fast the archive takes rows in and gives them back, and that its memory stays flat.

    python -m benchmarks.archive [URL] [--responses 300000] [--points 3]

Writes generated responses with an answer and findings each, in batches of 500,
into a new archive (a temporary SQLite file unless URL names another), reads
all of it back, and looks one response up.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.archive.entry import (
    AnswerSpan,
    Engine,
    FindingEntry,
    NodeEntry,
    ProblemEntry,
    Received,
    Run,
    SetEntry,
)
from grader.archive.read import Filters
from grader.archive.store import Archive, open_archive
from grader.record import Evidence, Finding, Response, Status, digest

BATCH = 500
PROBLEMS = 200
ENGINE = Engine("formal:quantity@1", {"pint": "0.25.3"})
RIGHT = Finding(
    Status.MET,
    ENGINE.by,
    "0.0462 s⁻¹ is within 1 % of the expected 0.0462 s⁻¹",
    found="0.0462 s⁻¹",
    evidence=Evidence("k = 0.0462 s⁻¹", 0, 14),
)


def problem(number: int, points: int) -> ProblemEntry:
    """A problem of one subquestion with formal points."""
    sub_id = f"p{number}-1"
    ids = [f"{sub_id}#{n}" for n in range(points)]
    nodes = [NodeEntry(sub_id, one, digest(one), "point", {"id": one, "points": 1}) for one in ids]
    return ProblemEntry(digest(ids), f"p{number}", "", "", {"header": "A → B"}, nodes)


def batches(responses: int) -> Iterator[list[Received]]:
    """Responses that all differ."""
    for start in range(0, responses, BATCH):
        yield [received(number) for number in range(start, min(start + BATCH, responses))]


def received(number: int) -> Received:
    """One response of about 300 characters with its answer."""
    problem_id = f"p{number % PROBLEMS}"
    text = f"k = 0.0462 s⁻¹, run {number}. " + "ln[A] falls linearly with t. " * 10
    response = Response("m", problem_id, f"{problem_id}-1", "sequential_carry", "text_only", number, text)
    return Received(number + 1, response, [AnswerSpan(f"{problem_id}-1", 0, len(text), digest(text), True)])


def write(archive: Archive, problems: Sequence[ProblemEntry], responses: int) -> tuple[Run, int]:
    """Write everything as a grading does; the run and the number of rows."""
    set_digest = archive.put_set(SetEntry("bench", "", "", problems))
    run = archive.put_run(digest(responses), "bench", {})
    archive.begin_grading(run, set_digest, [ENGINE])
    points = {one.problem_id: [node.point_hash for node in one.nodes] for one in problems}
    rows = 0
    for batch in batches(responses):
        archive.put_responses(run, batch)
        pairs = [
            (point, one.answers[0].answer_hash) for one in batch for point in points[one.response.problem_id]
        ]
        known = archive.known_findings(pairs, [ENGINE.key])
        new = [FindingEntry(*pair, ENGINE.key, RIGHT) for pair in pairs if pair not in known]
        rows += 2 * len(batch) + archive.put_findings(new)
    return run, rows


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", nargs="?")
    parser.add_argument("--responses", type=int, default=300_000)
    parser.add_argument("--points", type=int, default=3)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        open_archive(given.url or str(Path(folder) / "argus.db")) as archive,
    ):
        measure(archive, [problem(n, given.points) for n in range(PROBLEMS)], given.responses)


def measure(archive: Archive, problems: Sequence[ProblemEntry], responses: int) -> None:
    """Write, read, look up; a line for each."""
    before, started = peak(), time.perf_counter()
    run, rows = write(archive, problems, responses)
    took = time.perf_counter() - started
    print(f"written: {rows} response, answer and finding rows, {rows / took:.0f} a second")
    started = time.perf_counter()
    points = sum(len(one.points) for one in archive.graded(run))
    took = time.perf_counter() - started
    print(f"read: {points} points with what stands, {points / took:.0f} a second")
    started = time.perf_counter()
    found = len(list(archive.search(Filters(sub_id="p7-1", sample=7))))
    print(f"looked up: {found} answer in {time.perf_counter() - started:.2f} s")
    print(f"memory: {before} MB at the start, {peak()} MB at most")


def peak() -> int:
    """Peak resident memory so far in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
