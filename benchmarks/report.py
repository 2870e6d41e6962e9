"""What reports of a large archive take: seconds, megabytes, and the size of the page.

    python -m benchmarks.report [--runs 25] [--problems 191] [--keep FOLDER]

Times ``argus report`` on a generated archive (``benchmarks.report_archive``), as tables and
as one page; exits 1 if tables take more than 5 s, or the page more than 30 s, 1.5 GB
or 15 MB. With ``--keep`` the archive stays there, and is taken as it is the next time.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path

from benchmarks.regrade import cost_of
from benchmarks.report_archive import write
from grader.archive.store import open_archive

TABLES, PAGE, PEAK, SIZE = 5.0, 30.0, 1536, 15.0
"""Seconds, seconds, MB of memory, MB of the page."""


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
        report = [sys.executable, "-m", "grader", "report", "--archive", str(folder / "argus.db")]
        tables = cost_of(report)
        out = folder / "report.html"
        page = cost_of([*report, "--format", "html", "-o", str(out)])
        size = out.stat().st_size / 1e6
    print(f"tables  {tables.wall:6.1f} s ({tables.cpu:.1f} s CPU)  {tables.peak_mb:5d} MB")
    print(f"page    {page.wall:6.1f} s ({page.cpu:.1f} s CPU)  {page.peak_mb:5d} MB, {size:.1f} MB large")
    print(f"at most {TABLES:g} s; {PAGE:g} s, {PEAK} MB, {SIZE:g} MB")
    sys.exit(tables.wall > TABLES or page.wall > PAGE or page.peak_mb > PEAK or size > SIZE)


if __name__ == "__main__":
    main()
