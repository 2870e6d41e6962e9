"""Applying mends: a copy of a problem set with other checks and texts, held to the answers behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from grader.errors import DataError, Fault, shown
from grader.formal.proof import case_file, case_lines, check_fields, write_cases
from grader.grade.plan import PlannedPoint, PlannedSubquestion, plan
from grader.problem.checks import CheckModel
from grader.problem.model import Group, Note, ScoringNode
from grader.problem.rewrite import copy_set
from grader.problem.set import load_set
from grader.review.mends import Mend, check_at, check_of, check_with, found_by, with_alias

SCHEMA_VERSION = 1
"""Of what ``argus problems mend --json`` prints."""

Place = tuple[str, str, str]
"""Problem, subquestion and point."""


@dataclass(frozen=True, slots=True)
class Mended:
    """What was applied."""

    path: Path
    points: tuple[Place, ...]
    """Those that are others now."""
    applied: int
    left: int
    """Lines without a ``to``, or about a question: the author's to write."""
    cases: int
    """Regression cases that the set has got."""

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        names = ("problem_id", "sub_id", "point_id")
        return {
            "schema_version": SCHEMA_VERSION,
            "path": str(self.path),
            "applied": self.applied,
            "left": self.left,
            "cases": self.cases,
            "points": [dict(zip(names, place, strict=True)) for place in self.points],
        }


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A mend at its line."""

    number: int
    mend: Mend

    @property
    def place(self) -> Place:
        return self.mend.problem_id, self.mend.sub_id, self.mend.point_id


@dataclass(slots=True)
class _Work:
    """Faults so far, and the nodes that are others."""

    file: str
    faults: list[Fault] = field(default_factory=list)
    nodes: dict[Place, ScoringNode] = field(default_factory=dict)
    given: dict[tuple[Place, str], _Numbered] = field(default_factory=dict)

    def refuse(self, line: _Numbered, what: str, pointer: str | None = None, **more: str | None) -> None:
        self.faults.append(Fault(what, self.file, line.number, pointer, **more))

    def stop(self) -> None:
        if self.faults:
            raise DataError(self.faults)


def read_mends(file: Path) -> list[tuple[int, Mend]]:
    """The mends of a file with their lines; DataError names every line that is none."""
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "they are not UTF-8"
        raise DataError(f"can't read the mends: {why}", file=str(file)) from None
    found, faults = [], []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            if line.strip():
                found.append((number, Mend.model_validate_json(line)))
        except ValidationError as error:
            faults += [_fault(str(file), number, one) for one in error.errors(include_url=False)]
    if faults:
        raise DataError(faults)
    return found


def mend_set(path: Path, file: Path, target: Path, *, workers: int | None = None) -> Mended:
    """Write the set at ``path`` with the mends of ``file`` to ``target``, a folder that isn't there yet.

    Nothing is written unless every mend fits today's points, every mended check
    gives the answers that asked for it the verdict that people gave, and every
    case that the set holds already keeps its own. Raises DataError, UsageError.
    """
    problems = load_set(path, decode=False)
    subs = {
        (problem_id, sub.sub_id): sub
        for problem_id, several in plan(problems.problems, str(path)).subquestions.items()
        for sub in several
    }
    lines = [_Numbered(number, mend) for number, mend in read_mends(file)]
    work = _Work(str(file))
    wanted = [line for line in lines if line.mend.to is not None]
    for line in wanted:
        _apply(work, line, _points(subs.get(line.place[:2])))
    work.stop()
    new = [line for line in wanted if line.mend.case and check_at(work.nodes[line.place])]
    old = [one for one in case_lines(case_file(path)) if _held(one, work) is not None]
    _try(work, new, old, str(case_file(path)), workers)
    work.stop()
    touched = {
        sub_id: _replaced(subs[problem, sub_id].nodes, problem, sub_id, work)
        for problem, sub_id, _ in work.nodes
    }
    copy_set(path, target, touched)
    load_set(target, decode=False)
    if new or old:
        write_cases(case_file(target), list(_cases(case_lines(case_file(path)), new, work)))
    return Mended(target, tuple(work.nodes), len(wanted), len(lines) - len(wanted), len(new))


def _points(sub: PlannedSubquestion | None) -> dict[str, PlannedPoint]:
    return {one.node.id: one for one in sub.points} if sub else {}


def _apply(work: _Work, line: _Numbered, points: Mapping[str, PlannedPoint]) -> None:
    mend = line.mend
    if mend.what == "question":
        do = "Change it in the problem itself; runs are bound to what models saw. Then delete the line."
        return work.refuse(line, "a question isn't mended from a file", "/what", do=do)
    point = points.get(mend.point_id)
    if point is None:
        where = "/".join(line.place)
        return work.refuse(line, "the set has no such point", "/point_id", got=where)
    if point.point_hash != mend.point_hash:
        do = "Have it marked again under today's rubric, or delete the line."
        return work.refuse(line, "the point has changed since it was marked", "/point_hash", do=do)
    other = work.given.setdefault((line.place, mend.what), line)
    if mend.what != "alias" and other.mend.to != mend.to:
        expected = f"as line {other.number}: {shown(other.mend.to)}"
        return work.refuse(
            line, "two lines say different things", "/to", got=shown(mend.to), expected=expected
        )
    node = work.nodes.get(line.place, point.node)
    try:
        work.nodes[line.place] = _changed(node, mend)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        work.refuse(line, first["msg"], "/to", got=shown(mend.to))
    except ValueError as error:
        work.refuse(line, str(error), "/to", got=shown(mend.to))
    return None


def _changed(node: ScoringNode, mend: Mend) -> ScoringNode:
    """The node with the mend; ValueError where it doesn't take it."""
    if mend.what == "text":
        if not isinstance(mend.to, str) or not mend.to.strip():
            raise ValueError("a text is needed")
        return node.model_copy(update={"text": mend.to})
    check = check_at(node)
    if check is None:
        raise ValueError("no code decides the point, so its check can't be mended")
    if mend.what == "alias":
        if not hasattr(check, "aliases"):
            raise ValueError(f"a check of kind {check.kind} takes no aliases")
        return node.model_copy(update={"check": with_alias(check, mend.to)})
    changed = check_of(mend.to) if mend.what == "check" else check_with(check, expected=mend.to)
    return node.model_copy(update={"check": changed})


# Trials


def _held(case: Mapping[str, Any], work: _Work) -> CheckModel | None:
    """The new check of the point that a kept case is about; None where the point stays as it is."""
    for (_, sub_id, point_id), node in work.nodes.items():
        if (case.get("sub_id"), case.get("point_id")) == (sub_id, point_id):
            return check_at(node)
    return None


def _try(
    work: _Work, new: Sequence[_Numbered], old: Sequence[Mapping[str, Any]], kept: str, workers: int | None
) -> None:
    trials: dict[Any, tuple[CheckModel, str]] = {}
    for line in new:
        check = check_at(work.nodes[line.place])
        if check is not None and line.mend.case is not None:
            trials["new", line.number] = (check, line.mend.case.answer)
    for n, case in enumerate(old):
        check = _held(case, work)
        if check is not None:
            trials["old", n] = (check, str(case["answer"]))
    found = found_by(trials, workers)
    for line in new:
        finding = found["new", line.number]
        if line.mend.case is not None and finding.status != line.mend.case.verdict:
            got, expected = finding.status.value, line.mend.case.verdict
            do = "Correct 'to', or delete the line."
            work.refuse(
                line,
                "the mended check decides the case otherwise",
                "/case",
                got=got,
                expected=expected,
                do=do,
            )
    for n, case in enumerate(old):
        if found["old", n].status != case["verdict"]:
            was = str(case["verdict"])
            what = f"the mends change the verdict of the kept case {case['id']}"
            work.faults.append(Fault(what, kept, got=found["old", n].status.value, expected=was))


# The new set


def _replaced(rubric: Sequence[ScoringNode], problem: str, sub_id: str, work: _Work) -> list[ScoringNode]:
    """A rubric with the nodes that are others, groups and members alike."""
    return [_with(node, problem, sub_id, work) for node in rubric]


def _with(node: ScoringNode, problem: str, sub_id: str, work: _Work) -> ScoringNode:
    if isinstance(node, Note):
        return node
    node = work.nodes.get((problem, sub_id, node.id), node)
    if isinstance(node, Group):
        return node.model_copy(update={"of": tuple(_replaced(node.of, problem, sub_id, work))})
    return node


def _cases(old: Sequence[dict[str, Any]], new: Sequence[_Numbered], work: _Work) -> Iterator[dict[str, Any]]:
    """The kept cases, those of mended points under the new check, and the new ones."""
    for case in old:
        check = _held(case, work)
        yield case if check is None else {**case, **check_fields(check)}
    known = {(one["sub_id"], one["point_id"], one["answer"]) for one in old}
    for line in new:
        mend, check = line.mend, check_at(work.nodes[line.place])
        if check is None or mend.case is None or (*line.place[1:], mend.case.answer) in known:
            continue
        known.add((*line.place[1:], mend.case.answer))
        yield {
            "id": f"{mend.sub_id}/{mend.point_id}/item-{mend.item}",
            "sub_id": mend.sub_id,
            "point_id": mend.point_id,
            **check_fields(check),
            "answer": mend.case.answer,
            "verdict": mend.case.verdict,
            "why": "people's mark: " + ("; ".join(mend.reasons) or mend.what),
        }


def _fault(file: str, number: int, error: Any) -> Fault:
    pointer = "".join(f"/{part}" for part in error["loc"])
    return Fault(error["msg"], file, number, pointer or None, shown(error["input"]))
