"""Run a suite in a process that may be killed.

python -m tests.audit.audit_interrupted SUITE ARCHIVE CARD
"""

from __future__ import annotations

import sys

from grader.archive.store import open_archive
from grader.audit.asked_anew.suite import load_suite
from grader.judge.cards import load_card
from tests.audit.audited import audited


def main() -> None:
    """Read the arguments and ask."""
    suite, url, card = sys.argv[1:]
    with open_archive(url) as archive:
        audited(load_suite(suite), load_card(card), archive)


if __name__ == "__main__":
    main()
