"""Run a sweep in a process that may be killed.

python -m tests.interrupted_sweep SWEEP [between]

``between``: it kills itself when every answer is there and nothing is graded.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from grader.sweep import SweepState, load_sweep, run_sweep
from tests.grade.judged import at_once


def main() -> None:
    """Read the arguments and run."""
    path, *between = sys.argv[1:]

    def progress(state: SweepState) -> None:
        if between and all(run.complete for run in state.runs):
            os.kill(os.getpid(), signal.SIGKILL)

    made = run_sweep(load_sweep(Path(path)), progress, wait=at_once)
    sys.exit(0 if made.complete else 3)


if __name__ == "__main__":
    main()
