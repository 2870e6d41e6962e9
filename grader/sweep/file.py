"""A sweep.toml, and all that keeps it from being run: found before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from pydantic import Field

from grader.errors import ArgusError, Fault
from grader.judge.cards import LoadedCard, load_card
from grader.marks import read_marks
from grader.model.line import Terms
from grader.model.options import Money
from grader.model.prices import Prices
from grader.model.request import Endpoint
from grader.model.settings import read_settings
from grader.problem.place import Place
from grader.problem.set import ProblemSet, load_set
from grader.protocol.asking import check_agrees
from grader.protocol.command import check_program
from grader.protocol.profile import load_profile
from grader.protocol.request import RunRequest
from grader.protocol.solver import Asks, SolverSpec, solver_faults
from grader.protocol.spec import ShownSpec, chosen
from grader.protocol.turns import ShownMode, ShownProtocol
from grader.record import Response

JOURNAL = "calls"
"""The stem of the file that keeps all calls of a sweep."""


class SweepFile(ShownSpec):
    """What a sweep.toml says. Its paths start from its folder."""

    description: str = ""
    """For people; every table of the sweep says it."""
    problems: str = Field(min_length=1)
    """The problem set."""
    out: str | None = Field(default=None, min_length=1)
    """The folder of runs, journal and archive; None: named like the file, beside it."""
    protocols: tuple[ShownProtocol, ...] = Field(min_length=1, strict=False)
    modes: tuple[ShownMode, ...] = Field(min_length=1, strict=False)
    models: tuple[SolverSpec, ...] = Field(min_length=1, strict=False)
    judge: str | None = Field(default=None, min_length=1)
    """The judge card that is asked about flexible points; None: nobody is."""
    marks: tuple[str, ...] = Field(default=(), strict=False)
    """Files of human marks."""
    max_cost: Money | None = None
    """US dollars for all calls to models behind an API: solvers, reader and judge; never passed."""


@dataclass(frozen=True)
class Sweep:
    """A sweep, ready to run."""

    path: Path
    file: SweepFile
    problems: ProblemSet
    requests: tuple[RunRequest, ...]
    """One for each solver."""
    card: LoadedCard | None
    """The judge."""

    @property
    def title(self) -> str:
        """What stands above its tables."""
        return f"Sweep {self.path.stem}" + (f": {said}" if (said := self.file.description) else "")

    @property
    def folder(self) -> Path:
        """Where its runs, its journal and its archive lie."""
        return _folder(self.path, self.file)

    @property
    def journal(self) -> Path:
        """The calls to solvers and reader."""
        return self.folder / f"{JOURNAL}.jsonl"

    @property
    def archive(self) -> Path:
        """Its own archive: what judges are paid there is paid from its purse."""
        return self.folder / "argus.db"

    @property
    def marks(self) -> tuple[Path, ...]:
        """The files of human marks."""
        return tuple(self.path.parent / name for name in self.file.marks)


def load_sweep(path: Path) -> Sweep:
    """The sweep that a file describes. Raises ArgusError with every fault; nobody is asked."""
    loading = _Loading(path)
    file = read_settings(path, SweepFile, loading.faults)
    assert loading.problems is not None
    sweep = Sweep(path, file, loading.problems, tuple(loading.requests), loading.card)
    marks = read_marks(sweep.marks, sweep.problems.problems)
    if len(marks):
        marks.match(_planned(sweep.requests), "sweep")
    return sweep


def _planned(requests: Sequence[RunRequest]) -> Iterator[tuple[str, Response]]:
    """The responses that a sweep will hold, before there is any text in them."""
    for request in requests:
        name = request.solver.name
        for one in request.plan:
            protocol, mode = one.condition
            for turn in one.turns:
                planned = Response(name, one.problem_id, turn.sub_id, protocol, mode, one.sample, "")
                yield f"{name} {protocol} {mode} {one.sample}", planned


class _Loading:
    """Loads what a file names, and says what is wrong with it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.problems: ProblemSet | None = None
        self.card: LoadedCard | None = None
        self.requests: list[RunRequest] = []

    def faults(self, file: SweepFile, place: Place) -> Iterator[Fault]:
        """All faults, those of the models only where nothing else is wrong with the file."""
        wrong = [*_solvers(file, place), *self._named(file, place)]
        yield from wrong or self._asked(file, place)

    def _named(self, file: SweepFile, place: Place) -> Iterator[Fault]:
        """Of what the file names: set, problems, profile, judge, marks."""
        if not (folder := self._path.parent / file.problems).exists():
            yield place.at("problems").fault("there is no such problem set", got=str(folder))
        else:
            self.problems = load_set(folder)
            for index, name in enumerate(file.only):
                yield from _wrong(partial(chosen, self.problems, [name]), place.at("only", index))
        yield from _wrong(partial(load_profile, self._beside(file.profile)), place.at("profile"))
        if file.judge is not None:
            yield from _wrong(partial(self._load_card, self._beside(file.judge)), place.at("judge"))
        for index, name in enumerate(file.marks):
            if not (marks := self._path.parent / name).is_file():
                yield place.at("marks", index).fault("there is no such file of marks", got=str(marks))

    def _load_card(self, name: str) -> None:
        self.card = load_card(name)

    def _beside(self, name: str) -> str:
        """A content file by its name, or the path of one that is the user's own."""
        return str(self._path.parent / name) if name.endswith(".toml") or "/" in name else name

    def _asked(self, file: SweepFile, place: Place) -> Iterator[Fault]:
        """Of who is asked: what they see, what they cost, whether they are there."""
        reader = file.reader.beside(file.models) if file.reader is not None else None
        shown = file.model_copy(update={"profile": self._beside(file.profile), "reader": reader})
        for index, (spec, name) in enumerate(zip(file.models, file_names(file.models), strict=True)):
            plan = partial(self._plan, shown, spec, _folder(self._path, file) / f"{name}.jsonl")
            yield from _wrong(plan, place.at("models", index))
        yield from self._askable(shown, place)

    def _plan(self, shown: ShownSpec, spec: SolverSpec, out: Path) -> None:
        assert self.problems is not None
        self.requests.append(shown.request(self.problems, spec, out))

    def _askable(self, file: SweepFile, place: Place) -> Iterator[Fault]:
        """Of programs that aren't there, endpoints that are asked on two terms, limits that can't be kept."""
        asked: list[tuple[Asks, Place]] = [
            (spec, place.at("models", n)) for n, spec in enumerate(file.models)
        ]
        if file.reader is not None:
            asked.append((file.reader, place.at("reader")))
        terms: dict[Endpoint, Terms] = {}
        for spec, here in asked:
            if spec.cmd is not None:
                yield from _wrong(partial(check_program, spec.cmd), here)
            if spec.kind == "model":
                yield from _wrong(partial(check_agrees, spec.endpoint, spec.terms, terms), here)
                terms[spec.endpoint] = spec.terms
                if file.max_cost is not None:
                    yield from _unpriced(spec, here)
        if file.max_cost is not None:
            if not terms and self.card is None:
                what = "max_cost is about models behind an API, and none is asked"
                yield place.at("max_cost").fault(what, do="Leave it out.")
            yield from self._judge_unpriced(place)

    def _judge_unpriced(self, place: Place) -> Iterator[Fault]:
        for voter in self.card.voters if self.card else ():
            given = voter.card.price
            prices = Prices((given.input, given.output)) if given else Prices()
            if prices.price(voter.endpoint) is None:
                what = f"the price of the judge's model {voter.card.model} isn't known"
                yield place.at("judge").fault(what, do=f"Add [price] to {voter.path}.")


def _unpriced(spec: Asks, place: Place) -> Iterator[Fault]:
    if spec.terms.prices.price(spec.endpoint) is None:
        do = "Give its price, in US dollars for a million tokens: price = {input = 1.0, output = 4.0}."
        yield place.at("price").fault(f"the price of {spec.model} isn't known", do=do)


def _solvers(file: SweepFile, place: Place) -> Iterator[Fault]:
    """Of solvers and reader, as far as the file alone tells."""
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
        if "text_reader" in file.modes:
            yield from _wrong(file.reader.reader().check_sees, place.at("reader"))
    elif "text_reader" in file.modes:
        yield place.at("modes").fault("text_reader needs a reader", do="Name a vision model below [reader].")


def _wrong(load: Callable[[], object], place: Place) -> Iterator[Fault]:
    """What keeps something from being loaded; raises what is wrong within another file."""
    try:
        load()
    except ArgusError as error:
        if any(fault.file is not None for fault in error.faults):
            raise
        yield from (replace(fault, file=place.file, pointer=place.pointer) for fault in error.faults)


def _folder(path: Path, file: SweepFile) -> Path:
    return path.parent / (file.out or path.stem)


def file_names(models: Sequence[SolverSpec]) -> Iterator[str]:
    """A file name for each solver, after what the run calls it."""
    taken = {JOURNAL}
    for spec in models:
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", spec.solver().name).strip("-.") or "solver"
        while name.casefold() in taken:
            name += "-"
        taken.add(name.casefold())
        yield name
