"""Problem sets: loaded whole or not at all, checked for everything at once."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from grader.errors import Fault, ProblemError
from grader.problem.checks import CheckModel
from grader.problem.follow_rules import PlacedFollow, follow_faults, placed_follows
from grader.problem.hashes import Hashes, hashes_of, hashes_of_set
from grader.problem.images import Kind, SetFile, locate, references
from grader.problem.layout import PROBLEM, SOURCE, Entry, Layout, find
from grader.problem.model import Deduction, Point, Problem, Subquestion, Veto, walk
from grader.problem.nodes import nodes
from grader.problem.parse import Parsed, parse
from grader.problem.place import Place
from grader.problem.rules import placed_nodes, rubric_faults

SCHEMA_VERSION = 1
"""Of the report that ``argus problems check --json`` prints."""

Files = Mapping[tuple[str, Kind, str], SetFile]
"""Files by problem id, kind and the name that the problem gives them."""


@dataclass(frozen=True, slots=True)
class ProblemSet:
    """A problem set without faults."""

    path: Path
    problems: Mapping[str, Problem]
    """By id, in the order of the set."""
    hashes: Mapping[str, Hashes]
    """Of each problem, by id."""
    files: Files
    whole: Hashes
    """Of the set."""
    owners: Mapping[str, str]
    """The problem that holds each subquestion, by their ids."""
    tags: Mapping[str, str] | None = None
    """The set's vocabulary: tag to meaning."""
    canary: str | None = None
    images: Mapping[str, SetFile] = field(default_factory=dict)
    """By digest."""

    @property
    def visible_hash(self) -> str:
        """What a run is bound to: all that a model can see."""
        return self.whole.visible

    @property
    def rubric_hash(self) -> str:
        """The rest: rubrics, marks, standard results."""
        return self.whole.rubric

    @property
    def gradable(self) -> bool:
        """Whether every subquestion has a rubric."""
        return all(problem.gradable for problem in self.problems.values())

    def owner(self, sub_id: str) -> Problem:
        """The problem that holds a subquestion; KeyError if none does."""
        return self.problems[self.owners[sub_id]]

    def image(self, problem_id: str, name: str) -> SetFile:
        """The image that a problem names; KeyError if it names none so."""
        return self.files[problem_id, "images", name]


@dataclass(frozen=True, slots=True)
class PlacedCheck:
    """A check and where it stands, for lints that know chemistry."""

    place: Place
    problem_id: str
    sub_id: str
    node_id: str
    check: CheckModel


@dataclass(frozen=True, slots=True)
class SetReport:
    """All that is wrong with a set, and what it holds."""

    path: Path
    problems: int = 0
    subquestions: int = 0
    points: int = 0
    """Formal and flexible points of the rubrics that could be read, native lines included."""
    errors: tuple[Fault, ...] = ()
    lints: tuple[Fault, ...] = ()
    """What deserves a look; never a reason to refuse the set."""
    checks: tuple[PlacedCheck, ...] = ()
    follows: tuple[PlacedFollow, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The report as the JSON that ``argus problems check --json`` prints."""
        return {
            "schema_version": SCHEMA_VERSION,
            "path": str(self.path),
            "problems": self.problems,
            "subquestions": self.subquestions,
            "points": self.points,
            "errors": [fault.as_json() for fault in self.errors],
            "lints": [lint.as_json() for lint in self.lints],
        }


def load_set(path: Path, *, decode: bool = True) -> ProblemSet:
    """Load a problem set: a folder, a task folder or a single problem.json.

    ``decode=False`` trusts that images decode and reads only their bytes.
    Raises ProblemError with every fault of the set.
    """
    draft = _read(find(path), thorough=False, decode=decode)
    if draft.faults:
        raise ProblemError(draft.faults)
    return draft.problem_set()


def check_set(path: Path) -> SetReport:
    """Look for every fault and lint of a set; never raises for what a set may hold."""
    try:
        draft = _read(find(path), thorough=True, decode=True)
    except ProblemError as error:
        return SetReport(path, errors=error.faults)
    from grader.problem.lints import lints

    subs = [sub for read in draft.read for _, sub in read.parsed.subquestions]
    return SetReport(
        path,
        problems=len(draft.read),
        subquestions=len(subs),
        points=sum(_points(sub) for sub in subs),
        errors=draft.faults,
        lints=tuple(lints([(read.entry.place, read.parsed.problem) for read in draft.read], draft.files)),
        checks=tuple(_checks(draft.read)),
        follows=tuple(
            follow
            for read in draft.read
            if read.parsed.problem is not None
            for follow in placed_follows(read.parsed.subquestions, read.entry.place)
        ),
    )


# Reading


@dataclass(frozen=True, slots=True)
class _Read:
    """One problem, as far as it could be read."""

    entry: Entry
    parsed: Parsed


@dataclass(frozen=True, slots=True)
class _Draft:
    """A set, as far as it could be read."""

    layout: Layout
    read: tuple[_Read, ...]
    files: Files
    tags: Mapping[str, str] | None
    faults: tuple[Fault, ...]

    def problem_set(self) -> ProblemSet:
        """The set, once nothing is wrong with it."""
        found = [read.parsed.problem for read in self.read]
        problems = {problem.problem_id: problem for problem in found if problem is not None}
        hashes = {name: self._hashes(problem) for name, problem in problems.items()}
        owners = {sub.sub_id: name for name, problem in problems.items() for sub in problem.subquestions}
        images = {file.digest: file for (_, kind, _), file in self.files.items() if kind == "images"}
        return ProblemSet(
            path=self.layout.path,
            problems=MappingProxyType(problems),
            hashes=MappingProxyType(hashes),
            files=MappingProxyType(dict(self.files)),
            whole=hashes_of_set(hashes),
            owners=MappingProxyType(owners),
            tags=self.tags,
            canary=_canary(self.layout.root),
            images=MappingProxyType(images),
        )

    def _hashes(self, problem: Problem) -> Hashes:
        def digest_of(kind: Any, name: str) -> str:
            return self.files[problem.problem_id, kind, name].digest

        return hashes_of(problem, digest_of)


def _read(layout: Layout, *, thorough: bool, decode: bool) -> _Draft:
    tags, faults = _tags(layout.root)
    faults += layout.faults
    read = tuple(_Read(entry, parse(entry.raw, entry.place, thorough=thorough)) for entry in layout.entries)
    files: dict[tuple[str, Kind, str], SetFile] = {}
    for one in read:
        faults += one.parsed.faults
        for index, sub in one.parsed.subquestions:
            faults += rubric_faults(sub, one.entry.place.at("subquestions", index))
        if one.parsed.problem is not None:
            faults += follow_faults(one.parsed.subquestions, one.entry.place)
        faults += _file_faults(one.entry, layout, files, decode=decode)
        faults += _tag_faults(one.entry, tags)
        faults += _source_faults(one.entry)
    faults += _id_faults(layout.entries)
    return _Draft(layout, read, files, tags, tuple(faults))


def _file_faults(
    entry: Entry, layout: Layout, files: dict[tuple[str, Kind, str], SetFile], *, decode: bool
) -> Iterator[Fault]:
    """Locate every file that an entry names, into ``files``."""
    problem_id = entry.problem_id or ""
    for reference in references(entry.raw, entry.place):
        key = (problem_id, reference.kind, reference.name)
        if key in files:
            continue
        file, fault = locate(reference, layout, problem_id, decode=decode)
        if file is not None:
            files[key] = file
        if fault is not None:
            yield fault


def _id_faults(entries: Iterable[Entry]) -> Iterator[Fault]:
    """Ids must be unique in the whole set: a line of a run may name a subquestion alone."""
    first: dict[tuple[str, str], Place] = {}
    for entry in entries:
        for name, value, place in _ids(entry):
            known = first.setdefault((name, value), place)
            if known is not place:
                where = Fault("", known.file, known.line, known.pointer)
                got = f"{value!r}, first at {str(where).removesuffix(': ')}"
                yield place.fault(f"the {name} is used twice in the set", got=got, do="Rename one.")


def _ids(entry: Entry) -> Iterator[tuple[str, str, Place]]:
    if entry.problem_id is not None:
        yield "problem_id", entry.problem_id, entry.place.at("problem_id")
    subs = entry.raw.get("subquestions")
    for index, sub in enumerate(subs if isinstance(subs, list) else []):
        if isinstance(sub, dict) and isinstance(sub.get("sub_id"), str):
            yield "sub_id", sub["sub_id"], entry.place.at("subquestions", index, "sub_id")


def _source_faults(entry: Entry) -> list[Fault]:
    source = entry.folder / SOURCE if entry.folder and entry.folder.joinpath(PROBLEM).is_file() else None
    if source is None or not source.is_file():
        return []
    from grader.problem.source import stale

    return stale(source, entry.raw)


# Beside the problems


def _tags(root: Path) -> tuple[Mapping[str, str] | None, list[Fault]]:
    file = root / "tags.toml"
    if not file.is_file():
        return None, []
    try:
        table = tomllib.loads(file.read_text("utf-8")).get("tags")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        return None, [Fault("is not TOML", file=str(file), got=str(error))]
    if not isinstance(table, dict) or not all(isinstance(meaning, str) for meaning in table.values()):
        return None, [Fault("holds no vocabulary", file=str(file), expected='[tags] with "tag" = "meaning"')]
    return MappingProxyType(table), []


def _tag_faults(entry: Entry, tags: Mapping[str, str] | None) -> Iterator[Fault]:
    subs = entry.raw.get("subquestions")
    for index, sub in enumerate(subs if isinstance(subs, list) and tags is not None else []):
        named = sub.get("tags") if isinstance(sub, dict) else None
        for position, tag in enumerate(named if isinstance(named, list) else []):
            if isinstance(tag, str) and tag not in (tags or {}):
                place = entry.place.at("subquestions", index, "tags", position)
                do = "Correct the tag or add it to tags.toml."
                yield place.fault("the tag is not in the set's vocabulary", got=repr(tag), do=do)


def _canary(root: Path) -> str | None:
    file = root / "canary.txt"
    return file.read_text("utf-8", errors="replace").strip() or None if file.is_file() else None


# Reporting


def _points(sub: Subquestion) -> int:
    return sum(isinstance(node, Point) for node in walk(nodes(sub)))


def _checks(read: Iterable[_Read]) -> Iterator[PlacedCheck]:
    for one in read:
        for index, sub in one.parsed.subquestions:
            for place, node in placed_nodes(sub, one.entry.place.at("subquestions", index)):
                if isinstance(node, Point | Deduction | Veto) and node.check is not None:
                    here = place.at("check")
                    yield PlacedCheck(here, one.entry.problem_id or "", sub.sub_id, node.id, node.check)
