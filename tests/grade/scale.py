"""Grade a generated run and print what it took.

python -m tests.grade.scale RESPONSES
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

from benchmarks.regrade import write_run, write_set
from grader.archive.store import open_archive
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set
from grader.workers import Workers

WORKERS = 2


def peak_mb(pid: int) -> int:
    """The largest resident size of a process so far.

    Not getrusage: its maximum is handed on by a process to those it starts.
    """
    status = Path(f"/proc/{pid}/status").read_text()
    (kilobytes,) = re.findall(r"VmHWM:\s+(\d+) kB", status)
    return int(kilobytes) // 1024


class Measured(Workers):
    """Workers whose memory is looked at before they are let go."""

    peaks: tuple[int, ...] = ()

    def __exit__(self, *error: object) -> None:
        Measured.peaks = tuple(peak_mb(child.process.pid) for child in self._children)
        super().__exit__(*error)


def main() -> None:
    """Print the answers that were scored and the megabytes of this process and its workers together."""
    responses = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_set(folder)
        write_run(folder / "run.jsonl", responses)
        url = f"sqlite:///{folder / 'argus.db'}"
        with patch("grader.formal.task.Workers", Measured), open_archive(url) as archive:
            request = GradeRequest(folder / "run.jsonl", load_set(folder), workers=WORKERS)
            summary = grade(request, archive).summary
    answers = sum(row["answers"] for row in summary["scores"])
    peaks = [peak_mb(os.getpid()), *Measured.peaks]
    print(json.dumps({"answers": answers, "mb": sum(peaks), "processes": peaks}))  # noqa: T201


if __name__ == "__main__":
    main()
