"""Which problem set a run is graded on."""

from __future__ import annotations

from pathlib import Path

from grader.errors import ProblemError, UsageError
from grader.problem.layout import find
from grader.problem.set import ProblemSet, load_set
from grader.record import RunReader


def problems_of(run: Path, named: Path | None = None) -> ProblemSet:
    """The set that the user named, else the one the run's header names, else the one the run lies in.

    Raises UsageError if there is none, ProblemError if it is faulty.
    """
    if named is not None:
        return load_set(named)
    header = RunReader(run).header
    if header.problems is not None:
        return load_set(run.parent / header.problems)
    try:
        find(run.parent)
    except ProblemError:
        raise UsageError(
            "no problem set: the run's header names none and its folder holds none",
            file=str(run),
            do="Name it by --problems PATH.",
        ) from None
    return load_set(run.parent)
