"""What each scaffold of a set reveals: to whom it goes, and what an author should look at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from grader.answer.notation import normalise
from grader.errors import UsageError, shown
from grader.problem.lints import LISTED
from grader.problem.model import Point, Problem, Subquestion, walk
from grader.problem.nodes import native_rubric, nodes
from grader.problem.rubric.hints import hints
from grader.problem.set import load_set
from grader.protocol.disclosed import Disclosed, Probe, disclosed_by
from grader.protocol.expected import readable
from grader.protocol.scaffold import Scaffold, private_names, scaffold

SCHEMA_VERSION = 1
"""Of the report that ``argus problems scaffolds --json`` prints."""

Scope = Literal["previous", "all"]
SCOPES: tuple[Scope, ...] = ("previous", "all")
Code = Literal[
    "missing", "derived", "drawn", "scoring_hint", "private_file", "private_description", "leak", "may_reveal"
]

_QUOTATION = 6
"""So many words in a row don't agree by chance."""
_FIGURES = 3
"""A number of so many significant figures doesn't stand in two texts by chance."""
_TOKEN = re.compile(r"[^\s;:\"'“”]+")
_NUMBER = re.compile(r"[-+\d.]+(?:e[-+]?\d+)?%?")


@dataclass(frozen=True, slots=True)
class Lint:
    """One thing that deserves an author's look; ``code`` is stable."""

    code: Code
    message: str
    sub_id: str | None = None
    """The subquestion that something is revealed to (leak, may_reveal)."""
    point_id: str | None = None
    """Its point."""
    found: str | None = None
    """What stands in the scaffold."""


@dataclass(frozen=True, slots=True)
class Reveals:
    """A subquestion that scaffolds later ones."""

    problem_id: str
    sub_id: str
    scaffold: Scaffold | None
    granted_to: tuple[str, ...]
    """The subquestions that are shown it, under the scope of the report."""
    lints: tuple[Lint, ...] = ()


@dataclass(frozen=True, slots=True)
class Stated:
    """A point whose expected value the visible text states already."""

    problem_id: str
    sub_id: str
    point_id: str
    where: str
    """``header``, or the subquestion whose text states it."""
    found: str


@dataclass(frozen=True, slots=True)
class ScaffoldReport:
    """The scaffolds of a set, and what is to be said about them."""

    path: Path
    scope: Scope
    scaffolds: tuple[Reveals, ...]
    already_said: tuple[Stated, ...]

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        return {
            "schema_version": SCHEMA_VERSION,
            "path": str(self.path),
            "scope": self.scope,
            "scaffolds": [_as_json(one) for one in self.scaffolds],
            "already_said": [_fields(one) for one in self.already_said],
        }


def _as_json(one: Reveals) -> dict[str, Any]:
    return {
        "problem_id": one.problem_id,
        "sub_id": one.sub_id,
        "text": one.scaffold.text if one.scaffold else None,
        "derived": one.scaffold.derived if one.scaffold else None,
        "granted_to": list(one.granted_to),
        "lints": [_fields(lint) for lint in one.lints],
    }


def _fields(value: Lint | Stated) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}


def scaffold_report(path: Path, scope: Scope = "previous") -> ScaffoldReport:
    """What the scaffolds of a set reveal under a scope.

    Formal points of those who are shown one are decided on its text as if it
    were an answer. Raises UsageError for a scope there isn't, and ProblemError.
    """
    if scope not in SCOPES:
        raise UsageError("unknown scope", got=shown(scope), expected=" or ".join(SCOPES))
    problems = tuple(load_set(path).problems.values())
    rows = [row for problem in problems for row in _rows(problem, scope)]
    visible = [probe for problem in problems for probe in _visible(problem)]
    found = disclosed_by([*(probe for row in rows for probe in row.probes), *visible])
    stated = (
        Stated(one.problem_id, one.sub_id, one.point.id, one.where, found[one].found)
        for one in visible
        if found[one].met
    )
    return ScaffoldReport(path, scope, tuple(row.reveals(found) for row in rows), tuple(stated))


# Whom a scaffold tells what


@dataclass(frozen=True, slots=True)
class _Row:
    """A subquestion that scaffolds later ones, with what is to be decided about it."""

    problem: Problem
    sub: Subquestion
    scaffold: Scaffold | None
    later: tuple[Subquestion, ...]
    probes: tuple[Probe, ...]

    def reveals(self, found: Mapping[Probe, Disclosed]) -> Reveals:
        lints = [*_of_text(self.problem, self.sub, self.scaffold)]
        known = {(probe.sub_id, probe.point.id): found[probe] for probe in self.probes}
        if self.scaffold:
            for sub in self.later:
                for point in _points(sub):
                    told = known.get((sub.sub_id, point.id))
                    lints += _of_point(self.problem, self.scaffold.text, sub, point, told)
        granted = tuple(sub.sub_id for sub in self.later)
        return Reveals(self.problem.problem_id, self.sub.sub_id, self.scaffold, granted, tuple(lints))


def _rows(problem: Problem, scope: Scope) -> Iterator[_Row]:
    for index, sub in enumerate(problem.subquestions[:-1]):
        there = scaffold(sub)
        later = problem.subquestions[index + 1 :][: 1 if scope == "previous" else None]
        probes = (
            Probe(problem.problem_id, other.sub_id, point, point.check, there.text)
            for other in (later if there else ())
            for point in _points(other)
            if there and point.check
        )
        yield _Row(problem, sub, there, later, tuple(probes))


def _points(sub: Subquestion) -> Iterator[Point]:
    return (node for node in walk(nodes(sub)) if isinstance(node, Point))


def _of_point(
    problem: Problem, text: str, sub: Subquestion, point: Point, told: Disclosed | None
) -> Iterator[Lint]:
    """What a scaffold tells of one point; ``told`` is what code found, None where it has no check."""
    where = f"{point.id} of {sub.sub_id}"
    if told and told.met:
        yield Lint("leak", f"states what {where} expects", sub.sub_id, point.id, told.found)
    elif told and told.mentioned:
        yield Lint("may_reveal", f"mentions what {where} expects", sub.sub_id, point.id, told.mentioned)
    elif told is None or told.undecided:
        expected = [readable(point.check)] if point.check else []
        asked = _tokens([problem.header, sub.text_open])
        if shared := sorted(_tokens([text]) & _tokens([point.text, *expected]) - asked):
            yield Lint("may_reveal", f"shares words with {where}", sub.sub_id, point.id, ", ".join(shared))


def _tokens(texts: Iterable[str]) -> set[str]:
    """The numbers, formulas and symbols of texts that don't stand in two of them by chance."""
    words = (word for text in texts for word in _TOKEN.findall(normalise(text).plain))
    return {word for one in words if _is_telling(word := one.strip(".,()[]{}!?*").replace(",", ""))}


def _is_telling(word: str) -> bool:
    if _NUMBER.fullmatch(word):
        return len(re.sub(r"e.*|\D", "", word).strip("0")) >= _FIGURES
    mixed = any(char.isdigit() for char in word) or sum(char.isupper() for char in word) > 1
    return len(word) >= 4 and mixed


# What a scaffold says, whoever is shown it


def _of_text(problem: Problem, sub: Subquestion, there: Scaffold | None) -> Iterator[Lint]:
    if there is None:
        why = "its rubric states none in writing" if sub.rubric else "it has no rubric"
        yield Lint("missing", f"no standard_result, and {why}: nothing is granted")
    elif there.derived:
        yield Lint("derived", "from the rubric: better give a standard_result")
    native = native_rubric(sub) if there is None or there.derived else None
    if native and "figure_only" in native.flags:
        yield Lint("drawn", "an answer is only drawn in the rubric, so it is missing here")
    if there is not None:
        for start, end in hints(there.text):
            yield Lint("scoring_hint", "speaks to a marker", found=there.text[start:end].strip())
        yield from _private(problem, there.text)


def _private(problem: Problem, text: str) -> Iterator[Lint]:
    for sub in problem.subquestions:
        for name in private_names(sub):
            if name in text or _stem(name) in text:
                yield Lint("private_file", f"names a private file of {sub.sub_id}", found=name)
        for image in sub.rubric_images:
            if quoted := _quoted(image.description, text):
                what = f"quotes the description of a private image of {sub.sub_id}"
                yield Lint("private_description", what, found=quoted)


def _stem(name: str) -> str:
    """A file's name without its ending, where that can't be a word."""
    stem = Path(name).stem
    return stem if len(stem) >= 8 and re.search(r"[\d_-]", stem) else name


def _quoted(description: str, text: str) -> str:
    """The first run of words of a description that stands in a text."""
    words, whole = description.split(), f" {' '.join(text.casefold().split())} "
    runs = (" ".join(words[at : at + _QUOTATION]) for at in range(len(words) - _QUOTATION + 1))
    return next((run for run in runs if f" {run.casefold()} " in whole), "")


# What everybody can read


def _visible(problem: Problem) -> Iterator[Probe]:
    """The formal points with the header and every question: full_problem shows them all.

    Kinds whose values a question may rightly list are left aside.
    """
    texts = {"header": problem.header, **{sub.sub_id: sub.text_open for sub in problem.subquestions}}
    for sub in problem.subquestions:
        for point in _points(sub):
            if point.check is not None and point.check.kind not in LISTED:
                for where, text in texts.items():
                    yield Probe(problem.problem_id, sub.sub_id, point, point.check, text, where)
