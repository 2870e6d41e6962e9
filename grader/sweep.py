"""A sweep: several solvers under several conditions over one set, run, graded and paid from one purse."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import Field

from grader.archive.store import Archive, open_archive
from grader.errors import Fault
from grader.grade.asking import JudgeRequest, committed
from grader.grade.pipeline import GradeRequest, GradeResult, grade
from grader.judge.cards import load_card
from grader.model.settings import read_settings
from grader.problem.place import Place
from grader.problem.set import ProblemSet, load_set
from grader.protocol.asking import Provider, Purse, terms_of
from grader.protocol.command import Command
from grader.protocol.run import OpenAsker, RunRequest, run_all, state_of
from grader.protocol.solver import SolverSpec, solver_faults
from grader.protocol.spec import ShownSpec
from grader.protocol.state import RunState
from grader.protocol.turns import ShownMode, ShownProtocol

SCHEMA_VERSION = 1


class SweepFile(ShownSpec):
    """What a sweep.toml says."""

    description: str = ""
    """For people; every table of the sweep says it."""
    problems: str
    """The problem set, from the folder of the file."""
    out: str | None = None
    """The folder of runs, journal and archive; None: named like the file, beside it."""
    protocols: tuple[ShownProtocol, ...] = Field(min_length=1, strict=False)
    modes: tuple[ShownMode, ...] = Field(min_length=1, strict=False)
    models: tuple[SolverSpec, ...] = Field(min_length=1, strict=False)
    judge: str | None = None
    """The judge card that is asked about flexible points; None: nobody is."""
    marks: tuple[str, ...] = Field(default=(), strict=False)
    """Files of human marks, from the folder of the file."""
    max_cost: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """US dollars for all calls to solvers, reader and judge; never passed."""


@dataclass(frozen=True)
class Sweep:
    """A sweep, ready to run."""

    path: Path
    file: SweepFile
    problems: ProblemSet
    requests: tuple[RunRequest, ...]
    """One for each solver."""

    @property
    def folder(self) -> Path:
        """Where its runs, its journal and its archive lie."""
        return self.path.parent / (self.file.out or self.path.stem)

    @property
    def archive_url(self) -> str:
        """Its own archive: what judges are paid there is paid from its purse."""
        return f"sqlite:///{self.folder / 'argus.db'}"

    @property
    def marks(self) -> tuple[Path, ...]:
        """The files of human marks."""
        return tuple(self.path.parent / name for name in self.file.marks)


@dataclass
class SweepState:
    """What a sweep has come to."""

    states: list[RunState]
    graded: dict[str, GradeResult] = field(default_factory=dict)
    """By the name of the solver; those with responses."""

    @property
    def complete(self) -> bool:
        """Whether every response is there and every point is decided."""
        whole = all(state.complete for state in self.states)
        return whole and not any(result.summary["undetermined"] for result in self.graded.values())

    @property
    def scores(self) -> list[dict[str, Any]]:
        """Of each solver under each condition, as ``grader.grade.summary`` gives them."""
        return [score for result in self.graded.values() for score in result.summary["scores"]]

    def by_name(self, sweep: Sweep) -> dict[str, RunState]:
        """The runs by the names of their solvers."""
        return {request.solver.name: one for request, one in zip(sweep.requests, self.states, strict=True)}

    def notes(self, sweep: Sweep) -> Iterator[str]:
        """What a user should know, a line each."""
        for name, state in self.by_name(sweep).items():
            yield from (f"{name}: {note}" for note in state.notes())
        for name, result in self.graded.items():
            judge = result.summary["judge"]
            if judge and judge["provisional"]:
                yield f"{name}: judge {judge['card']} is provisional: its verdicts are kept and count nowhere"
            if judge and (count := judge["unasked"].get("budget")):
                yield f"{name}: {count} answers were not judged: the rest of max_cost would not do"

    def as_json(self, sweep: Sweep) -> dict[str, Any]:
        """Documented in docs/output.md."""
        runs = [
            one.as_json(request.out, request.solver.name)
            for request, one in zip(sweep.requests, self.states, strict=True)
        ]
        paid = [one.pop("paid") for one in runs]  # the same for all: they have one journal
        return {
            "schema_version": SCHEMA_VERSION,
            "sweep": str(sweep.path),
            "description": sweep.file.description,
            "complete": self.complete,
            "paid": paid[0],
            "runs": runs,
            "scores": self.scores,
        }


def load_sweep(path: Path) -> Sweep:
    """The sweep that a file describes. Raises ArgusError with every fault, before anything is sent."""
    file = read_settings(path, SweepFile, _faults)
    problems = load_set(path.parent / file.problems)
    folder = path.parent / (file.out or path.stem)
    requests = tuple(
        file.request(problems, spec, folder / f"{name}.jsonl")
        for spec, name in zip(file.models, _file_names(file.models), strict=True)
    )
    if file.judge is not None:
        load_card(file.judge)
    return Sweep(path, file, problems, requests)


def run_sweep(
    sweep: Sweep, progress: Callable[[Sequence[RunState]], None] = lambda states: None
) -> SweepState:
    """Run and grade what is missing of a sweep. Raises ArgusError; what was paid for is kept."""
    sweep.folder.mkdir(parents=True, exist_ok=True)
    with open_archive(sweep.archive_url) as archive:
        purse = _purse(sweep, archive)
        asked = list(_asked(sweep, purse))
        state = SweepState(run_all(asked, sweep.folder / "calls.jsonl", progress))
        for request, made in zip(sweep.requests, state.states, strict=True):
            if any(cell.done for cell in made.cells.values()):
                judge = _judge(sweep, purse)
                wanted = GradeRequest(request.out, sweep.problems, sweep.marks, judge)
                state.graded[request.solver.name] = grade(wanted, archive)
        return state


def look(sweep: Sweep) -> SweepState:
    """What a sweep has come to, without asking anybody."""
    return SweepState([state_of(request) for request in sweep.requests])


def _purse(sweep: Sweep, archive: Archive) -> Purse | None:
    limit = sweep.file.max_cost
    if limit is None:
        return None
    terms = JudgeRequest(load_card(sweep.file.judge)).terms if sweep.file.judge else {}
    judged = sum(committed(archive, run, terms) for run in archive.runs()) if terms else 0.0
    return Purse(limit, terms_of(sweep.requests), judged)


def _judge(sweep: Sweep, purse: Purse | None) -> JudgeRequest | None:
    if sweep.file.judge is None:
        return None
    card = load_card(sweep.file.judge)
    if purse is None:
        return JudgeRequest(card)
    return JudgeRequest(card, max_cost=sweep.file.max_cost, whole_archive=True, elsewhere=purse.spent)


def _asked(sweep: Sweep, purse: Purse | None) -> Iterator[tuple[RunRequest, OpenAsker]]:
    """Each run with whoever answers it; models behind an API are asked through one client."""
    pairs = list(zip(sweep.file.models, sweep.requests, strict=True))
    behind = [request for spec, request in pairs if spec.cmd is None]
    provider = Provider(behind[0], purse, beside=behind[1:]) if behind else None
    for spec, request in pairs:
        if spec.cmd is not None:
            yield request, Command(spec.cmd, request)
        elif provider is not None:
            yield request, provider


def _file_names(models: Sequence[SolverSpec]) -> Iterator[str]:
    """A file name for each solver, after what the run calls it."""
    taken: set[str] = set()
    for spec in models:
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", spec.solver().name).strip("-.") or "solver"
        while name in taken:
            name += "-"
        taken.add(name)
        yield name


def _faults(file: SweepFile, place: Place) -> Iterator[Fault]:
    names = [spec.solver().name for spec in file.models]
    for index, spec in enumerate(file.models):
        here = place.at("models", index)
        yield from solver_faults(spec, here)
        if spec.human is not None:
            yield here.at("human").fault("a person has no place in a sweep", do="Use argus run --human.")
        if names[index] in names[:index]:
            yield here.at("name").fault("two solvers have one name", got=names[index], do="Give them names.")
    if file.reader is not None:
        yield from solver_faults(file.reader, place.at("reader"))
    if file.max_cost is not None and any(spec.cmd is not None for spec in file.models):
        do = "Leave out max_cost, or the command."
        yield place.at("max_cost").fault("nobody knows what a command costs, so no limit can hold", do=do)
