"""Who answers a run: what was said of it, and what can't be together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grader.errors import UsageError
from grader.protocol.asker import OpenAsker
from grader.protocol.asking import Provider, Purse, terms_of
from grader.protocol.batch import Batch
from grader.protocol.command import commanded
from grader.protocol.person import AnswerFile, Terminal
from grader.protocol.request import RunRequest
from grader.protocol.solver import SolverSpec


@dataclass(frozen=True)
class Answering:
    """How a run is answered, besides by whom."""

    answers: Path | None = None
    """A person's answers: a file to be filled in."""
    max_cost: float | None = None
    """US dollars for all calls to models behind an API; never passed."""
    batch_out: Path | None = None
    batch_in: tuple[Path, ...] = ()

    @property
    def batched(self) -> bool:
        """Whether nobody is asked but batch files."""
        return self.batch_out is not None or bool(self.batch_in)


def who_answers(
    request: RunRequest, solver: SolverSpec, how: Answering, show: Callable[[str], None]
) -> OpenAsker:
    """Whoever answers; ``show`` puts a text before a person. Raises UsageError for what can't be together."""
    if how.answers is not None and solver.human is None:
        raise UsageError("--answers is about a person", do="Name one by --human NAME.")
    if how.batched:
        return _batch(request, solver, how)
    purse = _purse(request, how.max_cost)
    if solver.human is not None:
        return AnswerFile(request, how.answers) if how.answers is not None else Terminal(request, show)
    return commanded(request, Provider(request, purse))


def _batch(request: RunRequest, solver: SolverSpec, how: Answering) -> Batch:
    if solver.model is None:
        raise UsageError("a batch asks a model behind an API", do="Leave it out, or name a --model.")
    if how.max_cost is not None:
        what = "whoever sends a batch pays for it, so no limit can hold"
        raise UsageError(what, do="Leave out --max-cost.")
    return Batch(request, how.batch_out, how.batch_in)


def _purse(request: RunRequest, limit: float | None) -> Purse | None:
    """Beside a program, the purse pays its reader: what a program costs nobody knows beforehand."""
    if limit is None:
        return None
    terms = terms_of([request])
    if not terms:
        what = "--max-cost is about models behind an API, and none is asked"
        raise UsageError(what, do="Leave it out, or name a --model.")
    return Purse(limit, terms)
