"""What reports of a large archive take: seconds, megabytes, and the size of the page.

    python -m benchmarks.report [--runs 25] [--problems 191] [--keep FOLDER]

Times ``argus report`` on a generated archive (``benchmarks.report_archive``), as tables and
as one page; exits 1 if tables take more than 5 s, or the page more than 30 s, 1.5 GB
or 15 MB. Then the same where people have marked 2,500 points of a spot check
(``benchmarks.marked_archive``): scores are corrected too, and the marks have made the totals of all
runs outdated. That page may take twice the CPU of the other one, and 1.5 GB. With ``--keep``
the archives stay there, and are taken as they are the next time.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path

from benchmarks.marked_archive import marked_copy
from benchmarks.regrade import Cost, cost_of
from benchmarks.report_archive import write
from grader.archive.store import open_archive

TABLES, PAGE, PEAK, SIZE = 5.0, 30.0, 1536, 15.0
"""Seconds, seconds, MB of memory, MB of the page."""
RATIO = 2.0
"""CPU of the page with marks by that without."""


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
            with open_archive(str(folder / "argus.db")) as archive:
                write(archive, folder, options.runs, options.problems)
        (tables, page, size), marked = _costs(folder / "argus.db"), _costs(marked_copy(folder))
    for name, (of_tables, of_page, megabytes) in {"": (tables, page, size), "marked: ": marked}.items():
        print(f"{name}tables {_said(of_tables)}")
        print(f"{name}page {_said(of_page)}, {megabytes:.1f} MB large")
    ratio = marked[1].cpu / page.cpu
    print(f"at most {TABLES:g} s; {PAGE:g} s, {PEAK} MB, {SIZE:g} MB")
    print(f"marked: tables {marked[0].cpu / tables.cpu:.1f} times the CPU, page {ratio:.2f} times")
    print(f"at most {RATIO:g} times for the page, {PEAK} MB, {SIZE:g} MB")
    over = marked[1].peak_mb > PEAK or marked[2] > SIZE or ratio > RATIO
    sys.exit(tables.wall > TABLES or page.wall > PAGE or page.peak_mb > PEAK or size > SIZE or over)


def _costs(archive: Path) -> tuple[Cost, Cost, float]:
    """Of tables and of the page, and the page's MB."""
    report = [sys.executable, "-m", "grader", "report", "--archive", str(archive)]
    tables, out = cost_of(report), archive.with_suffix(".html")
    page = cost_of([*report, "--format", "html", "-o", str(out)])
    return tables, page, out.stat().st_size / 1e6


def _said(cost: Cost) -> str:
    return f"{cost.wall:6.1f} s ({cost.cpu:.1f} s CPU)  {cost.peak_mb:5d} MB"


if __name__ == "__main__":
    main()
