"""Whether corrected scores and audits hold what they promise, over simulated benchmarks.

    python -m benchmarks.acceptance [--section audits] [--runs 2000] [--write docs/audit-acceptance.md]

Runs on all cores: ``scores``, the grid of ``tests.stats.acceptance``; ``judges``, real judges, where the
folder ``shared`` stands beside the repository; ``audits``, planted faults. Exits 1 if anything is not as it
must be. With ``--write`` the tables go to that file; a section that did not run stays as the file has it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import acceptance_audits  # noqa: E402
from tests.stats.acceptance import GRID, RUNS, Outcome, outcome, real_judges  # noqa: E402
from tests.stats.judge_world import Design  # noqa: E402

MARKS, DRAWS, LEAST = (30, 48, 96), 4_000, 0.94

Cell = tuple[str, Design, float, int]

HEAD = """# What corrected scores hold up to

Written by `python -m benchmarks.acceptance --write docs/audit-acceptance.md`; the same seeds give the same
numbers. Each row is {runs} simulated benchmarks (`tests/stats/judge_world.py`): problems of 10 to 29 points
of weight 1 to 3 and three levels of credit, marked by people and by a judge of known faults. *Coverage* is
how often a 95 % interval held the truth, *width* its mean width from end to end.

## The score over problems like these

Coverage, and the width in brackets. *Corrected* has lambda from other folds (PPI++), *PPI* has lambda 1.
Required: coverage of both within .93 and .97 (.92 and .97 with 30 problems); with 60 problems or more |bias|
below .005, no wider than 1.02 of people alone, and for the lenient judge at 10 % drawn at random at most .85.
"""

BENCHMARK = """
## This benchmark's own score, and differences of equal systems

The truth is what people would have given this very benchmark. Required: coverage within .92 and .97 with 100
marks or more. With fewer than 10 disagreements the interval is widened on purpose. The judge that prefers
itself marks two systems that are equal: a difference must be declared in 3 to 7.5 % of runs.
"""

REAL = """## Few disagreements: real judges

Sixteen judges of 480 real answers, {draws} draws each: coverage of the benchmark's own score, and the width
in brackets. Required: .94 or more.
"""


SECTIONS = {
    "scores": "# What corrected scores hold up to",
    "judges": "## Few disagreements: real judges",
    "audits": acceptance_audits.TITLE,
}
"""Their first lines, in the order of the document."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=RUNS, help="of each cell of the scores")
    parser.add_argument("--section", choices=SECTIONS, action="append", help="only this (may be repeated)")
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    made, faults = sections(options.section or list(SECTIONS), options.runs)
    print(*made.values(), *faults, sep="\n")
    if options.write:
        kept = parts(options.write.read_text("utf-8")) if options.write.exists() else {}
        options.write.write_text(joined(kept | made), "utf-8")
    sys.exit(bool(faults))


def sections(names: list[str], runs: int) -> tuple[dict[str, str], list[str]]:
    """The text of each section, and what in them isn't as it must be."""
    made, faults = {}, []
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        if "scores" in names:
            waiting = {cell: pool.submit(outcome, *cell, runs) for cell in GRID}
            found = {cell: one.result() for cell, one in waiting.items()}
            made["scores"], faults = "\n".join(page(found, runs)) + "\n", faults_of(found)
        shared = ROOT.parent / "shared"
        if "judges" in names and shared.is_dir():
            lines, low = real(shared)
            made["judges"], faults = "\n".join(lines) + "\n", faults + low
        if "audits" in names:
            made["audits"], wrong = acceptance_audits.section(pool)
            faults = faults + wrong
    return made, faults


def parts(text: str) -> dict[str, str]:
    """What a document already holds of each section."""
    starts = {name: f"\n{text}".find(f"\n{line}\n") for name, line in SECTIONS.items()}
    held = sorted((start, name) for name, start in starts.items() if start >= 0)
    ends = [start - 1 for start, _ in held[1:]] + [len(text)]
    return {name: text[start:end] for (start, name), end in zip(held, ends, strict=False)}


def joined(sections: dict[str, str]) -> str:
    """The document of those sections, a blank line between them."""
    return "\n".join(sections[name] for name in SECTIONS if name in sections)


def faults_of(found: dict[Cell, Outcome]) -> list[str]:
    """What isn't as it must be, with its cell."""
    return [
        f"{', '.join(map(str, cell))}: {fault}" for cell, one in found.items() for fault in one.faults(*cell)
    ]


def page(found: dict[Cell, Outcome], runs: int) -> Iterator[str]:
    """The two tables of the grid."""
    yield HEAD.format(runs=f"{runs:,}")
    yield from _header("judge only", "people only", "PPI", "corrected", "bias", "of people's width")
    for cell, one in found.items():
        several = (one.judge, one.human, one.plain, one.tuned)
        columns = " | ".join(f"{_share(each.covers)} ({_share(each.width)})" for each in several)
        ratio = _share(one.tuned.width / one.human.width, 2)
        yield f"| {_named(cell)} | {columns} | {one.tuned.bias:+.4f} | {ratio} |"
    yield BENCHMARK
    yield from _header("marks", "coverage", "width", "declared", "by the judge", "coverage of difference")
    for cell, one in found.items():
        own, pair = one.benchmark, one.differences
        said = [f"{one.labels:.0f}", _share(own.covers), _share(own.width), "", "", ""]
        if pair:
            said[3:] = map(_share, (pair.declared, pair.declared_by_judge, pair.benchmark_covers))
        yield f"| {_named(cell)} | {' | '.join(said)} |"


def _header(*columns: str) -> Iterator[str]:
    yield f"| judge | drawn | problems | {' | '.join(columns)} |"
    yield f"| --- | --- | ---: |{' ---: |' * len(columns)}"


def real(shared: Path) -> tuple[list[str], list[str]]:
    """The table of real judges, and what in it is too low."""
    lines = [REAL.format(draws=f"{DRAWS:,}")]
    lines.append(f"| judge | {' | '.join(f'{marks} marks' for marks in MARKS)} |")
    lines.append("| --- |" + " ---: |" * len(MARKS))
    low = []
    for judge in real_judges(shared):
        found = [judge.covered(marks, DRAWS) for marks in MARKS]
        cells = " | ".join(f"{_share(covers)} ({_share(width)})" for covers, width in found)
        lines.append(f"| {judge.name.replace('|', ', ')} | {cells} |")
        low += [f"{judge.name}: covers {covers}" for covers, _ in found if covers < LEAST]
    return lines, low


def _named(cell: Cell) -> str:
    name, design, share, problems = cell
    return f"{name} | {design} {share:.0%} | {problems}"


def _share(value: float, digits: int = 3) -> str:
    return f"{value:.{digits}f}".removeprefix("0")  # 0.95 as .95


if __name__ == "__main__":
    main()
