"""On what terms a run was made: what has to be the same to go on with it, and what may be added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grader.errors import UsageError, shown
from grader.record.run_file import RunHeader

_ADDED = ("oracle", "reader")
"""Parameters of some conditions only: a run that hasn't had these yet may get them."""


def check_terms(there: RunHeader, wanted: RunHeader, path: Path) -> None:
    """Raises UsageError, naming the fields, where a run that is there was made on other terms."""
    mine, theirs = _terms(wanted, there), _terms(there, wanted)
    different = sorted(name for name in {*mine, *theirs} if mine.get(name) != theirs.get(name))
    if different:
        name = different[0]
        raise UsageError(
            f"the run was made on other terms: {', '.join(different)}",
            file=str(path),
            got=f"{name} = {_said(mine.get(name))}",
            expected=_said(theirs.get(name)),
            do="Give the same options to go on with it, or another file by --out to begin anew.",
        )


def joined(there: RunHeader, wanted: RunHeader) -> RunHeader:
    """The header of a run that goes on: as it was, with what is added to it."""
    parameters = {**wanted.parameters, **there.parameters}
    samples = [one.parameters["samples"] for one in (there, wanted) if "samples" in one.parameters]
    if samples:
        parameters["samples"] = max(samples)
    return there.model_copy(update={"parameters": parameters})


def _said(value: Any) -> str:
    return "nothing" if value is None else shown(value)


def _terms(header: RunHeader, other: RunHeader) -> dict[str, Any]:
    """What has to be the same; versions may move, and so may the folders, and there may be more samples."""
    terms = header.model_dump(
        mode="json", exclude={"versions", "schema_version", "problems"}, exclude_none=True
    )
    free = {"samples"} | {name for name in _ADDED if name not in other.parameters}
    terms["parameters"] = {name: one for name, one in terms["parameters"].items() if name not in free}
    return dict(_flat(terms))


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield above + name, value
