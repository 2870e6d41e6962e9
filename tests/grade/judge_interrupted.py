"""Grade a run with a judge in a process that may be killed.

python -m tests.grade.judge_interrupted RUN ARCHIVE CARD
"""

from __future__ import annotations

import sys
from pathlib import Path

from grader.archive.store import open_archive
from grader.judge.cards import load_card
from tests.grade.judged import judge_run


def main() -> None:
    """Read the arguments and grade."""
    run, url, card = sys.argv[1:]
    with open_archive(url) as archive:
        judge_run(Path(run), archive, load_card(card))


if __name__ == "__main__":
    main()
