"""Grade a run and send this very process a signal just before its n-th commit.

python -m tests.grade.interrupted N SIGNAL RUN SET ARCHIVE MARKS
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from sqlalchemy import Engine, event

from grader import workers
from grader.archive.store import open_archive
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set


def main() -> None:
    """Read the arguments and grade."""
    count, name, run, folder, url, marks = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    left = int(count)

    def before_commit(_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.Signals[name])

    workers.BATCH = 1  # one task, one finding, one commit: the count doesn't depend on the machine's speed
    with open_archive(url) as archive:
        event.listen(Engine, "commit", before_commit)
        grade(GradeRequest(Path(run), load_set(Path(folder)), marks=[Path(marks)], workers=1), archive)
    print(f"commits {int(count) - left}")  # noqa: T201


if __name__ == "__main__":
    main()
