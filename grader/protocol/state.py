"""What a run has come to: its cells, what failed, what was left, and what was paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten
from typing import Any, Literal

from grader.model.journal_file import Paid
from grader.protocol.overflow import overflowed
from grader.protocol.plan import Condition, Plan
from grader.record import Response
from grader.record.flags import FLAGS, flags
from grader.record.run_file import SCHEMA_VERSION

Unasked = Literal["budget", "dry_run", "batch", "person", "failed"]
"""Why a turn was not asked; ``failed``: one before it in its conversation has no answer."""

Progress = Literal["missing", "failed", "partial", "answered", "open points", "complete"]
"""How far a condition is. ``failed``: answers are missing, and calls for some of them failed; ``answered``:
all are there and not graded; ``open points``: graded, but not all is decided."""


@dataclass
class Cell:
    """What a condition has come to."""

    expected: int
    done: int = 0
    failed: int = 0
    overflowed: int = 0
    """Questions whose conversation is longer than the model takes: no answer to them can come."""
    unasked: int = 0
    flags: Counter[str] = field(default_factory=Counter)
    reader_calls: int = 0
    cost: float = 0.0
    """US dollars, as far as known; a reply that several cells share counts in each."""
    unpriced: int = 0
    """Answers whose cost isn't known."""
    ungranted: int = 0
    """Answers that were given without a standard result which the oracle would grant, but the set lacks."""

    @property
    def complete(self) -> bool:
        """Whether nothing is left to ask."""
        return self.done + self.overflowed == self.expected

    def progress(self, decided: float | None) -> Progress:
        """How far it is; ``decided``: the share of its marks that is, None where nothing is graded."""
        if not self.complete:
            return "failed" if self.failed else "partial" if self.done else "missing"
        if decided is None:
            return "answered"
        return "complete" if decided == 1 else "open points"


@dataclass
class RunState:
    """A run while it is made, and when it has ended."""

    cells: dict[Condition, Cell]
    problems: frozenset[str]
    """What is asked about now; the file may hold more."""
    samples: int
    """How often; the file may hold more of these, too."""
    failures: Counter[str] = field(default_factory=Counter)
    """Why calls failed."""
    unasked: Counter[Unasked] = field(default_factory=Counter)
    """How many turns were not asked, by why."""
    paid: Paid | None = None
    """By all calls that the journal keeps, each counted once; in a sweep those of its other runs too."""

    @classmethod
    def of(cls, plan: Plan) -> RunState:
        """Of a run before its first response."""
        cells = {condition: Cell(count) for condition, count in plan.expected().items()}
        return cls(cells, frozenset(problem.problem_id for problem in plan.problems), plan.samples)

    def count(self, response: Response) -> None:
        """Count a response; one that isn't asked for now, but was earlier, is left out."""
        condition = (response.protocol, response.mode)
        cell = next((cell for one, cell in self.cells.items() if one == condition), None)
        if cell is None or response.problem_id not in self.problems or response.sample >= self.samples:
            return
        cost = response.meta.get("cost")
        if overflowed(response):
            cell.overflowed += 1
        elif response.error is not None:
            cell.failed += 1
            self.failures[response.error] += 1
        else:
            cell.done += 1
            cell.unpriced += cost is None
        cell.flags.update(flags(response))
        cell.reader_calls += len(response.meta.get("reader_calls") or ())
        cell.cost += cost or 0.0
        cell.ungranted += bool((response.meta.get("input") or {}).get("ungranted"))

    def leave(self, condition: Condition, turns: int, why: Unasked) -> None:
        """Count turns that are not asked."""
        if turns:
            self.cells[condition].unasked += turns
            self.unasked[why] += turns

    @property
    def complete(self) -> bool:
        """Whether every response is there, or can't come."""
        return all(cell.complete for cell in self.cells.values())

    def notes(self) -> Iterator[str]:
        """What a user should know, a line each."""
        for why, count in self.failures.most_common(3):
            yield f"{count} calls failed; the same command asks again: {shorten(why, 300)}"
        for unasked, said in _UNASKED.items():
            if count := self.unasked[unasked]:
                yield f"{count} questions {said}"
        if count := sum(cell.overflowed for cell in self.cells.values()):
            yield f"{count} questions have no answer: their conversation is longer than the model takes"
        if count := sum(cell.ungranted for cell in self.cells.values()):
            yield f"{count} answers were given without a standard result, as the set has none to grant"
        cells = sum(cell.cost for cell in self.cells.values())
        if self.paid and cells - self.paid.cost > 1e-9:
            yield f"the cells share replies: ${self.paid.cost:.6f} were paid for ${cells:.6f}"

    def as_json(self, run: Path, model: str) -> dict[str, Any]:
        """Documented in docs/output.md."""
        return {
            "schema_version": SCHEMA_VERSION,
            "run": str(run),
            "model": model,
            "complete": self.complete,
            "cells": [
                {
                    "protocol": protocol,
                    "mode": mode,
                    "expected": cell.expected,
                    "done": cell.done,
                    "failed": cell.failed,
                    "overflowed": cell.overflowed,
                    "unasked": cell.unasked,
                    "flags": {flag: cell.flags[flag] for flag in FLAGS},
                    "ungranted": cell.ungranted,
                    "reader_calls": cell.reader_calls,
                    "cost": round(cell.cost, 9),
                    "unpriced": cell.unpriced,
                }
                for (protocol, mode), cell in self.cells.items()
            ],
            "paid": self.paid.as_json() if self.paid else None,
            "unasked": dict(self.unasked),
            "failures": dict(self.failures),
        }


_UNASKED: dict[Unasked, str] = {
    "failed": "were not asked: one before them in their conversation has no answer",
    "budget": "were not asked: the rest of the most that may be spent would not do for the next one",
    "batch": "wait for a batch",
    "person": "wait for their answers; the same command goes on",
}
