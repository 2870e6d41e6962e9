"""Other people's marks from a file, checked and put into one tidy table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from pydantic import ValidationError

from grader.audit.imported.rows import Row, rows_of
from grader.audit.imported.shapes import Criterion, Node, Rating, Shape, Tidy, Tree, shape_of
from grader.audit.words import percent
from grader.errors import Fault, MarkError, shown
from grader.render.words import counted, listed
from grader.stats.agreement.ratings import COLUMNS, HUMAN, Ratings

MOST_FAULTS = 20
_BY_HAND = "item, problem, rater, kind (human, judge or adjudicated), value (0 to 1, empty: none), run"
_VALUE = "a number from 0 to 1, or nothing"
_VALUES = ("value", "human", "human1", "human2", "human3", "judges", "runs")
_NO_VALUE = ("float_parsing", "float_type", "greater_than_equal", "less_than_equal", "finite_number")
"""Pydantic's names of what can be wrong with a value."""


@dataclass(frozen=True, slots=True)
class Imported:
    """Marks of a file."""

    path: Path
    ratings: Ratings
    notes: tuple[str, ...]
    """What was read, what was left unread, and how a tree adds up."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A rating and the row that it came from."""

    rating: Rating
    row: Row


def read_marks(path: Path) -> Imported:
    """The marks of a table; MarkError lists what is wrong, with file, line and field."""
    rows = rows_of(path)
    if not rows:
        raise MarkError("the table is empty", file=str(path), expected="rows of marks", do=_do())
    shape = shape_of(rows[0].fields)
    if shape is None:
        raise MarkError(
            "it can't be told what a row holds",
            file=str(path),
            line=rows[0].line,
            pointer=rows[0].pointer or None,
            got=f"fields {listed(map(shown, rows[0].fields))}",
            do=_do(),
        )
    placed = list(_placed(path, rows, shape))
    if all(one.rating.value is None for one in placed):
        raise MarkError(
            "the table holds no mark", file=str(path), got=f"{counted(len(rows), 'row')}", do=_do()
        )
    faults = list(_contradictions(path, placed))
    if faults:
        raise MarkError(faults[:MOST_FAULTS])
    table = pd.DataFrame([_tidy(one.rating) for one in placed], columns=COLUMNS)
    table["value"] = table["value"].astype(float)
    return Imported(path, Ratings.of(table), tuple(_notes(rows, shape)))


def _do() -> str:
    return f"Give columns {_BY_HAND}; other shapes are in docs/imported-marks.md."


def _tidy(one: Rating) -> tuple[object, ...]:
    return one.item, one.problem, one.rater, one.kind, one.run, one.value


def _placed(path: Path, rows: Sequence[Row], shape: type[Shape]) -> Iterator[_Placed]:
    """The ratings of all rows; MarkError for rows that aren't of the shape."""
    faults: list[Fault] = []
    found: list[_Placed] = []
    for row in rows:
        try:
            read = shape.model_validate(row.fields)
        except ValidationError as error:
            faults.extend(_faults(path, row, error, shape))
            if len(faults) >= MOST_FAULTS:
                break
            continue
        found.extend(_Placed(rating, row) for rating in read.ratings())
    if faults:
        raise MarkError(faults[:MOST_FAULTS])
    yield from _repeated(found) if shape is Criterion else found


def _faults(path: Path, row: Row, error: ValidationError, shape: type[Shape]) -> Iterator[Fault]:
    for one in error.errors(include_url=False):
        # a union of a number and a list says both what each of them misses; the first is enough
        steps = [
            step for step in one["loc"] if not str(step).startswith(("list[", "constrained-", "function-"))
        ]
        where = "".join(f"/{step}" for step in steps)
        what = {"extra_forbidden": "an unknown column", "missing": "a column is missing"}.get(one["type"])
        do = f"Columns are {_BY_HAND}." if what and shape is Tidy else None
        got = None if one["type"] == "missing" else shown(one["input"])
        if one["type"] in _NO_VALUE and steps[0] in _VALUES:
            yield row.fault(path, "no value of a mark", where, got=got, expected=_VALUE)
            continue
        yield row.fault(path, what or one["msg"].removeprefix("Value error, "), where, got=got, do=do)


def _repeated(found: Iterable[_Placed]) -> Iterator[_Placed]:
    """Criteria that were graded several times: each further verdict is a run, people's same label is not."""
    given: dict[tuple[str, str, str], list[float | None]] = {}
    for one in found:
        rating = one.rating
        before = given.setdefault((rating.item, rating.kind, rating.rater), [])
        if rating.kind == HUMAN and rating.value in before:
            continue
        yield _Placed(rating._replace(run=len(before)), one.row)
        before.append(rating.value)


def _contradictions(path: Path, placed: Sequence[_Placed]) -> Iterator[Fault]:
    """An item in two problems, a rater twice on an item in one run; one a row: one mistake has many."""
    told: set[tuple[int | None, str]] = set()
    for where, fault in _all_contradictions(path, placed):
        if where not in told:
            told.add(where)
            yield fault


def _all_contradictions(
    path: Path, placed: Sequence[_Placed]
) -> Iterator[tuple[tuple[int | None, str], Fault]]:
    problems: dict[str, _Placed] = {}
    raters: dict[tuple[str, str, str, int], _Placed] = {}
    for one in placed:
        rating = one.rating
        first = problems.setdefault(rating.item, one)
        if first.rating.problem != rating.problem:
            fault = one.row.fault(
                path,
                f"item {shown(rating.item)} stands in two problems",
                got=shown(rating.problem),
                expected=f"{shown(first.rating.problem)}, as {_place(first)} says",
            )
            yield one.row[:2], fault
        key = (rating.item, rating.kind, rating.rater, rating.run)
        if (before := raters.setdefault(key, one)) is not one:
            fault = one.row.fault(
                path,
                f"{shown(rating.rater)} rated item {shown(rating.item)} twice",
                expected=f"once; the first is {_place(before)}",
                do="Number repeats in the column run." if rating.tidy else None,
            )
            yield one.row[:2], fault


def _place(one: _Placed) -> str:
    return f"line {one.row.line}" if one.row.line is not None else one.row.pointer or "this row"


def _notes(rows: Sequence[Row], shape: type[Shape]) -> Iterator[str]:
    known = set(shape.model_fields)
    unread = dict.fromkeys(name for row in rows for name in row.fields if name not in known)
    if unread:
        yield f"fields that were not read: {listed(unread)}"
    if shape is Tree:
        for row in rows:
            tree = Tree.model_validate(row.fields)
            yield from _rolled(tree)


def _rolled(tree: Tree) -> Iterator[str]:
    """How the marks of a tree add up: of an inner node the weighted mean of its children."""
    score = rolled(tree.tree)
    if score is None:
        yield f"{tree.source}: the tree does not add up, for people left out leaves"
        return
    published = tree.root_score_as_published
    other = "" if published is None else f", published as {percent(published)}"
    yield f"{tree.source}: by its weights people's marks come to {percent(score)}{other}"


def rolled(node: Node) -> float | None:
    """The weighted mean of a node's children, of several people the mean; None where a leaf has no mark."""
    if not node.children:
        values = node.human if isinstance(node.human, list) else [node.human]
        given = [value for value in values if value is not None]
        return sum(given) / len(given) if given else None
    scores = [rolled(child) for child in node.children]
    total = sum(child.weight for child in node.children)
    if total == 0 or any(score is None for score in scores):
        return None
    return (
        sum(child.weight * (score or 0.0) for child, score in zip(node.children, scores, strict=True)) / total
    )
