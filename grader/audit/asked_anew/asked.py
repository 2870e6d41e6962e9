"""What judges were asked for audits, read back from the archive as a frame: a row a variant and point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from grader.archive.audit_entry import Said, StoredAsked
from grader.archive.entry import Run
from grader.archive.store import Archive
from grader.record import Reason

COLUMNS = [
    "problem_id",
    "answer",  # what tells answers apart: response digest and sub_id
    "where",  # <problem>/<sub>/<point>, and the response's digest shortened
    "variant",  # base, repeat 1, attack order, ...
    "point_id",
    "place",  # of the point among those asked about, from 0
    "points",  # how many were asked about
    "marks",  # what the point is worth, above 0
    "award",  # in [0, 1]; nan: undetermined
    "credit",  # the award; of a deduction or a veto 1 minus it
    "said",  # the award as text, or why there is none
    "about",  # what is to be known of the variant, a mapping
    "keys",  # of the requests, a tuple
    "task",  # the digest of what was asked about
    "card",
]


def rows_of(archive: Archive, design: str, card: str, runs: Sequence[Run] | None = None) -> list[StoredAsked]:
    """Every variant that a card (``<name>@<hash>``) was asked about under a design, of some runs or all."""
    rows = archive.asked(design, card)
    ids = None if runs is None else {run.id for run in runs}
    return [one for one in rows if ids is None or one.place.run_id in ids]


def frame(archive: Archive, rows: Sequence[StoredAsked]) -> pd.DataFrame:
    """A row for each variant and point, in the order they were asked."""
    tasks: dict[str, dict[str, dict[str, Any]]] = {}
    records = []
    for row in rows:
        if row.task not in tasks:
            kept = archive.audit_task(row.task)
            tasks[row.task] = {one["id"]: one for one in kept["criteria"]}
        criteria = tasks[row.task]
        # one point a request or all: the task says in which order they stand
        for place, (point_id, criterion) in enumerate(criteria.items()):
            said = row.outcome.get(point_id)
            if said is not None:
                records.append(_record(row, point_id, place, criterion, len(criteria), said))
    return pd.DataFrame(records, columns=COLUMNS)


def _record(
    row: StoredAsked, point_id: str, place: int, criterion: dict[str, Any], points: int, said: Said
) -> tuple[object, ...]:
    of = row.place
    award = float("nan") if said.award is None else said.award
    credit = award if criterion["shape"] == "point" else 1 - award
    where = f"{of.problem_id}/{of.sub_id}/{point_id}, {of.response_digest[:12]}"
    return (
        *(of.problem_id, f"{of.response_digest}/{of.sub_id}", where, row.variant, point_id),
        *(place, points, float(criterion["marks"]), award, credit, _words(said)),
        *(dict(row.about), row.keys, row.task, row.card),
    )


def _words(said: Said) -> str:
    return f"{said.award:g}" if said.award is not None else str(said.reason or Reason.UNJUDGED)


@dataclass(frozen=True, slots=True)
class Ground:
    """Under what calls were made: what the provider says it served, and what it was asked for."""

    served: tuple[str, ...]
    """Model ids as served, the most frequent first, each with its number of replies."""
    parameters: tuple[str, ...]
    """Temperature and seed of the requests; of several, as of a panel, each with its number of requests."""
    first: str
    """The date of the first call; empty without any."""
    last: str

    def as_notes(self) -> list[str]:
        """In sentences."""
        said = f"Served: {', '.join(self.served) or 'the provider does not say'}"
        when = self.first if self.first == self.last else f"{self.first} to {self.last}"
        return [f"{said}; {'; '.join(self.parameters)}; calls of {when or 'no date'}."]


def ground(archive: Archive, rows: Iterable[StoredAsked]) -> Ground:
    """What stands with the calls of some variants."""
    keys = list(dict.fromkeys(key for row in rows for key in row.keys))
    served: Counter[str] = Counter()
    dates = set()
    for calls in archive.calls_at(keys).values():
        last = calls[-1].attempt
        served[last.served_model or "unnamed"] += 1
        dates.add(last.started.date().isoformat())
    asked = Counter(map(_settings, archive.parameters(keys).values()))
    said = [f"{one} ({count})" for one, count in asked.most_common()] if len(asked) > 1 else list(asked)
    counts = tuple(f"{model} ({count})" for model, count in served.most_common())
    unknown = ("temperature unknown, seed unknown",)
    return Ground(counts, tuple(said) or unknown, min(dates, default=""), max(dates, default=""))


def _settings(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {parameters.get(name, 'not set')}" for name in ("temperature", "seed"))
