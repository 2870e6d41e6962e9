"""Grade a generated run and print what it took.

python -m tests.grade.scale RESPONSES
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from pathlib import Path

from benchmarks.regrade import write_run, write_set
from grader.archive.store import open_archive
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set

WORKERS = 2


def peak_mb(who: int) -> int:
    """The largest resident size so far, of this process or of the largest of its children."""
    return resource.getrusage(who).ru_maxrss // 1024


def main() -> None:
    """Print the answers that were scored and the megabytes of this process and its workers together."""
    responses = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_set(folder)
        write_run(folder / "run.jsonl", responses)
        with open_archive(f"sqlite:///{folder / 'argus.db'}") as archive:
            request = GradeRequest(folder / "run.jsonl", load_set(folder), workers=WORKERS)
            summary = grade(request, archive).summary
    answers = sum(row["answers"] for row in summary["scores"])
    total = peak_mb(resource.RUSAGE_SELF) + WORKERS * peak_mb(resource.RUSAGE_CHILDREN)
    print(json.dumps({"answers": answers, "mb": total}))  # noqa: T201


if __name__ == "__main__":
    main()
