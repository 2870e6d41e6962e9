"""Judge a run of many answers and print the memory it took on the way.

python -m tests.grade.judge_scale ANSWERS API_BASE
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from grader.archive.store import open_archive
from grader.grade import GradeRequest, grade
from grader.grade.asking import JudgeRequest
from grader.problem.set import load_set
from tests.grade.judged import at_once, verdicts, write_card, write_run
from tests.grade.scale import peak_mb


def main() -> None:
    """Print the peak in megabytes after a fifth of the answers and at the end, and the verdicts there are."""
    answers, api_base = int(sys.argv[1]), sys.argv[2]
    peaks: dict[int, int] = {}

    def look(what: str, done: int, total: int | None) -> None:
        if what == "judging" and done in (answers // 5, answers):
            peaks[done] = peak_mb(os.getpid())

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run = write_run(folder / "set", answers)
        card = write_card(folder, api_base, limits="{concurrency = 100}")
        with open_archive(f"sqlite:///{folder / 'argus.db'}") as archive:
            judge = JudgeRequest(card, wait=at_once)
            grade(GradeRequest(run, load_set(run.parent), judge=judge, workers=1), archive, look)
            given = sum(1 for _ in verdicts(archive))
    print(json.dumps({"verdicts": given, "mb": list(peaks.values())}))  # noqa: T201


if __name__ == "__main__":
    main()
