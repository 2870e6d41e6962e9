"""What graded runs tell the authors of a set: how hard its items are, and which don't do their work."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.archive.store import Archive
from grader.errors import UsageError
from grader.problem.set import ProblemSet
from grader.report.extra import require_extra

if TYPE_CHECKING:
    import pandas as pd

    from grader.stats.floors import Floor

SCHEMA_VERSION = 1
_FLAGS = ("nobody", "everybody", "negative")
_NUMBERS = ("difficulty", "discrimination", "low", "high", "alpha_without")
_COUNTS = ("respondents", "models", "place")


@dataclass(frozen=True)
class Analysis:
    """A set's items over the runs that were graded on it as it is."""

    path: str
    runs: tuple[str, ...]
    """Names, in the order of their first grading."""
    outdated: tuple[str, ...]
    """Runs that were graded on other contents of its problems; they are left out."""
    unanswered: tuple[tuple[str, str], ...]
    """Subquestions, by problem and id, that nobody answered."""
    alpha: float | None
    """Cronbach's, over who answered all subquestions."""
    subquestions: tuple[Mapping[str, Any], ...]
    points: tuple[Mapping[str, Any], ...]
    floors: tuple[Mapping[str, Any], ...]
    """The best constant answer to each kind of check that has few possible ones."""

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        return {
            "schema_version": SCHEMA_VERSION,
            "path": self.path,
            "runs": list(self.runs),
            "outdated": list(self.outdated),
            "unanswered": [{"problem_id": problem, "sub_id": sub} for problem, sub in self.unanswered],
            "alpha": self.alpha,
            "subquestions": list(self.subquestions),
            "points": list(self.points),
            "floors": list(self.floors),
        }


def analyze(
    problems: ProblemSet, archive: Archive, named: Sequence[str] = (), *, level: float = 0.95
) -> Analysis:
    """A set's items over its graded runs: those of these names, or all of the archive.

    Raises UsageError for an unknown run and where none was graded on the set as
    it is, SetupError without the extra ``report``.
    """
    require_extra()
    from grader.stats import floors, items
    from grader.stats.frames import Frames

    taken, outdated = _runs(problems, archive, named)
    frames = Frames.of(archive, list(taken))
    answers = _of_set(frames.answers, problems)
    points = _of_set(frames.points, problems)
    asked = [(problem_id, sub_id) for sub_id, problem_id in problems.owners.items()]
    answered = set(zip(answers["problem_id"], answers["sub_id"], strict=True))
    subs = items.subquestion_items(answers, level=level)
    nodes = items.point_items(points, answers, level=level)
    rubrics = {key: sub for key, sub in frames.rubrics.items() if key[0] in problems.problems}
    return Analysis(
        path=str(problems.path),
        runs=tuple(taken.values()),
        outdated=outdated,
        unanswered=tuple(one for one in asked if one not in answered),
        alpha=_known(items.alpha(answers)),
        subquestions=_ordered(subs, asked),
        points=_ordered(nodes, asked),
        floors=tuple(map(_floor, floors.floors(points, rubrics, level=level))),
    )


def _runs(
    problems: ProblemSet, archive: Archive, named: Sequence[str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The runs that were graded on the set as it is, names by digest; and the names of those that weren't."""
    today = {problem_id: hashes.content for problem_id, hashes in problems.hashes.items()}
    taken: dict[str, str] = {}
    outdated = []
    chosen = {run.id: run for name in named for run in archive.runs(name)} if named else None
    for run in archive.runs() if chosen is None else chosen.values():
        grading = archive.grading(run)
        entries = archive.set_problems(grading.set_digest) if grading else []
        known = [entry for entry in entries if entry.problem_id in today]
        if known and all(entry.hash == today[entry.problem_id] for entry in known):
            taken[run.digest] = run.name
        elif known:
            outdated.append(run.name)
    if not taken:
        about = f"; on other contents of it: {', '.join(outdated)}" if outdated else ""
        raise UsageError(
            "no run in the archive was graded on this set as it is",
            file=archive.name,
            got=f"{problems.path}{about}",
            do="Grade a run on it first.",
        )
    return taken, tuple(outdated)


def _of_set(frame: pd.DataFrame, problems: ProblemSet) -> pd.DataFrame:
    return frame[frame["problem_id"].isin(list(problems.problems))]


def _ordered(frame: pd.DataFrame, asked: Sequence[tuple[str, str]]) -> tuple[dict[str, Any], ...]:
    """Rows as JSON has them, in the order of the set."""
    order = {key: place for place, key in enumerate(asked)}
    rows = [_row(row) for row in frame.to_dict("records")]
    return tuple(sorted(rows, key=lambda row: (order[row["problem_id"], row["sub_id"]], row.get("place", 0))))


def _row(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Numbers that can't be given are null, and the flags are a list."""
    found: dict[str, Any] = {
        name: row[name] for name in ("problem_id", "sub_id", "point_id", "kind") if name in row
    }
    found |= {name: int(row[name]) for name in _COUNTS if name in row}
    found |= {name: _known(row[name]) for name in _NUMBERS if name in row}
    return {**found, "flags": [flag for flag in _FLAGS if row[flag]], "enough": bool(row["enough"])}


def _floor(floor: Floor) -> dict[str, Any]:
    cells = [
        {
            **dict(zip(("model", "protocol", "mode"), one.cell, strict=True)),
            **{name: _known(getattr(one.difference, name)) for name in ("value", "low", "high")},
            "beats": one.beats,
        }
        for one in floor.cells
    ]
    said = {name: getattr(floor, name) for name in ("kind", "answer", "share", "checks", "enough")}
    return {**said, "cells": cells}


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else round(float(value), 9)
