"""Whatever a problem.json holds, checking it ends in a report; loading refuses what the report refuses."""

from __future__ import annotations

import copy
import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from grader.errors import Fault, ProblemError
from grader.problem.checks import KINDS
from grader.problem.set import check_set, load_set
from tests.problem.valid_set import ValidSet, problem

Path_ = tuple[str | int, ...]


def places(value: Any, above: Path_ = ()) -> list[Path_]:
    """Every place in a JSON value, as keys and indices."""
    children: Any = ()
    if isinstance(value, dict):
        children = value.items()
    elif isinstance(value, list):
        children = enumerate(value)
    return [above, *(place for key, child in children for place in places(child, (*above, key)))]


def changed(raw: Any, place: Path_, value: Any, how: str) -> Any:
    """A copy of a JSON value with one place set, dropped, or joined by another field."""
    raw = copy.deepcopy(raw)
    *path, last = place
    owner: Any = raw
    for key in path:
        owner = owner[key]
    if how == "drop":
        del owner[last]
    elif how == "add" and isinstance(owner, dict):
        owner["x"] = value
    else:
        owner[last] = value
    return raw


VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(-3, 3).filter(lambda value: not value.is_integer()),
    st.text("ab /~.#", max_size=3),
    st.sampled_from([[], {}, {"note": "n"}, {"id": "a", "points": 1, "text": "t"}, ["x"], "smiles", "r1"]),
    st.sampled_from(
        [{"kind": kind, "expected": value} for kind in KINDS for value in ("B", 2, ["x", "y"], True)]
    ),
)
CHANGES = st.tuples(st.sampled_from(places(problem())[1:]), VALUES, st.sampled_from(["set", "drop", "add"]))


@given(st.lists(CHANGES, min_size=1, max_size=3))
def test_any_document_is_reported_on(changes: list[tuple[Path_, Any, str]]) -> None:
    raw = problem()
    for change in changes:
        try:
            raw = changed(raw, *change)
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change removed the place
    with tempfile.TemporaryDirectory() as folder:
        valid = ValidSet(Path(folder))
        valid.problems[0] = raw
        path = valid.write()
        report = check_set(path)
        json.dumps(report.as_json())
        assert _refused(path) == report.errors


def _refused(path: Path) -> tuple[Fault, ...]:
    try:
        load_set(path)
    except ProblemError as error:
        return error.faults
    return ()
