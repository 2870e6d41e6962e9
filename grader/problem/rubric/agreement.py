"""How far the grammar agrees with a file of cases read by hand.

A case is a line of JSON: ``id``, ``full_mark``, ``rubric`` (lines) and
``expect`` with ``parts`` (top-level nodes in order), ``marks_accounted`` and
``flags``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.errors import CaseError, Fault, shown
from grader.problem.rubric.nodes import FLAGS, NativeNode, NativeRubric, close_to
from grader.problem.rubric.read import read_rubric

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A case that was read otherwise than expected."""

    id: str
    what: tuple[str, ...]
    got: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement over a file of cases."""

    cases: int
    agree: int
    """Marks and the whole structure are as expected."""
    marks_agree: int
    """The sum and the nested marks of the parts are as expected."""
    disagreements: tuple[Disagreement, ...]

    def as_json(self) -> dict[str, object]:
        """The result under its documented keys."""
        return {
            "schema_version": SCHEMA_VERSION,
            "cases": self.cases,
            "agree": self.agree,
            "marks_agree": self.marks_agree,
            "disagreements": [
                {"id": each.id, "what": list(each.what), "got": dict(each.got)} for each in self.disagreements
            ],
        }


@dataclass(frozen=True, slots=True)
class Case:
    """One rubric with what a reader expects of it."""

    id: str
    full_mark: float
    rubric: tuple[str, ...]
    parts: tuple[Mapping[str, Any], ...]
    accounted: float
    flags: frozenset[str]


def agreement(path: Path) -> Agreement:
    """Read every case of a JSON Lines file and compare; CaseError names each line that is no case."""
    cases = read_cases(path)
    marks_agree = 0
    found: list[Disagreement] = []
    for case in cases:
        rubric = read_rubric(case.rubric, case.full_mark)
        marks = tuple(_marks_differ(case, rubric))
        rest = tuple(_structure_differs(case, rubric))
        marks_agree += not marks
        if marks or rest:
            what = tuple(dict.fromkeys((*marks, *rest)))
            found.append(Disagreement(case.id, what, as_json(rubric)))
    return Agreement(len(cases), len(cases) - len(found), marks_agree, tuple(found))


def as_json(rubric: NativeRubric) -> dict[str, Any]:
    """A parsed rubric in the form that cases expect."""
    return {
        "marks_accounted": rubric.accounted,
        "parts": [_node_json(node) for node in rubric.nodes],
        "flags": list(rubric.flags),
    }


def _node_json(node: NativeNode) -> dict[str, Any]:
    told: dict[str, Any] = {"line": node.line, "marks": node.marks, "kind": node.kind, "text": node.text,
                            "quoted": list(node.quoted)}  # fmt: skip
    if node.of or node.kind == "group":
        told["of"] = [_node_json(member) for member in node.of]
    if node.table:
        told["table"] = {str(count): marks for count, marks in node.table}
    for name in ("label", "rule", "take", "answer_line", "scope", "each", "once", "max"):
        if getattr(node, name):
            told[name] = getattr(node, name)
    if node.answer_line is not None:
        told["answer_line"] = node.answer_line
    return told


def _marks_differ(case: Case, rubric: NativeRubric) -> Iterator[str]:
    if not close_to(case.accounted, rubric.accounted):
        yield f"marks_accounted: expected {case.accounted:g}, got {rubric.accounted:g}"
    expected = [part for part in case.parts if part.get("marks") != 0]
    got = [node for node in rubric.nodes if node.marks]
    yield from _nested_marks(expected, got, "parts")


def _nested_marks(expected: Sequence[Mapping[str, Any]], got: Sequence[NativeNode], at: str) -> Iterator[str]:
    if len(expected) != len(got):
        yield f"{at}: expected {len(expected)} with marks, got {len(got)}"
        return
    for place, (part, node) in enumerate(zip(expected, got, strict=True)):
        marks = part.get("marks")
        if marks is not None and not close_to(marks, node.marks):
            yield f"{at}/{place}/marks: expected {marks:g}, got {node.marks:g}"
        yield from _nested_marks(part.get("of", ()), node.of, f"{at}/{place}/of")


def _structure_differs(case: Case, rubric: NativeRubric) -> Iterator[str]:
    if case.flags != set(rubric.flags):
        yield f"flags: expected {sorted(case.flags)}, got {sorted(rubric.flags)}"
    yield from _nodes_differ(case, case.parts, rubric.nodes, "parts")


def _nodes_differ(
    case: Case, expected: Sequence[Mapping[str, Any]], got: Sequence[NativeNode], at: str
) -> Iterator[str]:
    if len(expected) != len(got):
        yield f"{at}: expected {len(expected)} nodes, got {len(got)}"
        return
    for place, (part, node) in enumerate(zip(expected, got, strict=True)):
        here = f"{at}/{place}"
        yield from _node_differs(part, node, here)
        yield from _values_missing(case, part, node, here)
        yield from _nodes_differ(case, part.get("of", ()), node.of, f"{here}/of")


def _node_differs(part: Mapping[str, Any], node: NativeNode, at: str) -> Iterator[str]:
    for name in ("kind", "line", "rule", "take", "answer_line", "scope", "each", "once", "max"):
        if name in part and part[name] != getattr(node, name):
            yield f"{at}/{name}: expected {part[name]!r}, got {getattr(node, name)!r}"
    if node.rule is not None and "rule" not in part:
        yield f"{at}/rule: expected none, got {node.rule!r}"
    if node.answer_line is not None and "answer_line" not in part:
        yield f"{at}/answer_line: expected none, got {node.answer_line}"
    table = {str(count): marks for count, marks in node.table or ()}
    if part.get("table", {}) != table:
        yield f"{at}/table: expected {part.get('table')}, got {table}"


def _values_missing(case: Case, part: Mapping[str, Any], node: NativeNode, at: str) -> Iterator[str]:
    """Values that the node should hold verbatim; one in quotation marks must be held as a quotation."""
    for value in part.get("quoted", ()):
        spelled = any(f"{mark}{value}{mark}" in line for line in case.rubric for mark in "'\"")
        held = (
            value in node.quoted
            if spelled
            else value in node.text or any(value in each for each in node.quoted)
        )
        if not held:
            yield f"{at}/quoted: {value!r} is not held"


def read_cases(path: Path) -> list[Case]:
    """The cases of a JSON Lines file, blank lines skipped; CaseError with every fault of the file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CaseError(f"can't be read: {error.strerror}", file=str(path)) from error
    except UnicodeDecodeError as error:
        raise CaseError("is not UTF-8", file=str(path), do="Save it as UTF-8.") from error
    cases: list[Case] = []
    faults: list[Fault] = []
    seen: set[str] = set()
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            case = _case(line, str(path), number)
        except CaseError as error:
            faults.extend(error.faults)
            continue
        if case.id in seen:
            faults.append(
                Fault("the id occurs twice", str(path), number, "/id", shown(case.id), "an id of its own")
            )
        seen.add(case.id)
        cases.append(case)
    if faults:
        raise CaseError(faults)
    return cases


def _case(line: str, file: str, number: int) -> Case:
    """One line as a case; CaseError says what is wrong with it."""

    def refuse(pointer: str, got: object, expected: str) -> CaseError:
        return CaseError(
            "not a rubric case", file=file, line=number, pointer=pointer, got=shown(got), expected=expected
        )

    try:
        value = json.loads(line)
    except ValueError as error:
        raise CaseError(f"not JSON: {error}", file=file, line=number) from error
    if not isinstance(value, dict):
        raise refuse("", value, "an object")
    expect = value.get("expect")
    if not isinstance(expect, dict):
        raise refuse("/expect", expect, "an object with parts, marks_accounted and flags")
    for pointer, got, fits, expected in _demands(value, expect):
        if not fits:
            raise refuse(pointer, got, expected)
    for pointer, part in _parts(expect["parts"], "/expect/parts"):
        if not isinstance(part, dict) or not _number(part.get("marks", 0) or 0):
            raise refuse(pointer, part, "a node with kind and marks")
    return Case(
        value["id"], float(value["full_mark"]), tuple(value["rubric"]), tuple(expect["parts"]),
        float(expect["marks_accounted"]), frozenset(expect["flags"]),
    )  # fmt: skip


def _demands(value: Mapping[str, Any], expect: Mapping[str, Any]) -> Iterator[tuple[str, object, bool, str]]:
    """Each field of a case: pointer, value, whether it fits, what would."""
    rubric, flags, parts = value.get("rubric"), expect.get("flags"), expect.get("parts")
    name, full = value.get("id"), value.get("full_mark")
    strings = isinstance(rubric, list) and all(isinstance(each, str) for each in rubric)
    known = isinstance(flags, list) and all(isinstance(flag, str) and flag in FLAGS for flag in flags)
    yield "/id", name, isinstance(name, str) and bool(name), "a name"
    yield "/full_mark", full, _number(full) and float(full or 0) > 0, "a number above 0"
    yield "/rubric", rubric, strings, "a list of strings"
    yield (
        "/expect/marks_accounted",
        expect.get("marks_accounted"),
        _number(expect.get("marks_accounted")),
        "a number",
    )
    yield "/expect/flags", flags, known, f"a list of {', '.join(FLAGS)}"
    yield "/expect/parts", parts, isinstance(parts, list), "a list of nodes"


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _parts(parts: Sequence[Any], pointer: str) -> Iterator[tuple[str, Any]]:
    for place, part in enumerate(parts):
        yield f"{pointer}/{place}", part
        if isinstance(part, dict) and isinstance(part.get("of"), list):
            yield from _parts(part["of"], f"{pointer}/{place}/of")
