"""Rows of a file of other people's marks: CSV, JSON, JSON lines or Parquet, each row with its place."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from grader.errors import Fault, MarkError, SetupError, shown

SUFFIXES = (".csv", ".json", ".jsonl", ".parquet")
_BEYOND = "beyond the headings"


class Row(NamedTuple):
    """One row, and where it stands."""

    line: int | None
    """1-based, where the file has lines."""
    pointer: str
    """Of the row within its file or line, a JSON pointer; empty: the whole of it."""
    fields: dict[str, Any]

    def fault(self, path: Path, what: str, field: str = "", **more: str | None) -> Fault:
        """What is wrong with a field of it."""
        return Fault(what, str(path), self.line, f"{self.pointer}{field}" or None, **more)


def rows_of(path: Path) -> list[Row]:
    """The rows; MarkError with every one that is none."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise MarkError(
            "unknown kind of table", file=str(path), got=shown(suffix), expected=", ".join(SUFFIXES)
        )
    faults: list[Fault] = []
    if suffix == ".parquet":
        return list(_parquet(path))
    text = _text(path)
    if suffix == ".csv":
        rows = list(_csv(path, text, faults))
    else:
        rows = list(_json(path, text) if suffix == ".json" else _lines(path, text, faults))
    if faults:
        raise MarkError(faults)
    return rows


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise MarkError("the table can't be read", file=str(path), got=error.strerror) from None
    except UnicodeDecodeError as error:
        raise MarkError("the table is not UTF-8", file=str(path), got=f"byte {error.start + 1}") from None


def _csv(path: Path, text: str, faults: list[Fault]) -> Iterator[Row]:
    reader = csv.DictReader(text.splitlines(keepends=True), restkey=_BEYOND, strict=True)
    headings = reader.fieldnames or []
    if twice := {name for name in headings if headings.count(name) > 1}:
        raise MarkError("a heading stands twice", file=str(path), line=1, got=shown(min(twice)))
    try:
        for fields in reader:
            row = Row(reader.line_num, "", {name: _typed(value) for name, value in fields.items()})
            if _BEYOND in fields or None in fields.values():
                cells = sum(value is not None for value in fields.values())
                cells += len(fields.get(_BEYOND, ())) - (_BEYOND in fields)
                faults.append(
                    row.fault(
                        path,
                        "a row with another number of cells than headings",
                        got=str(cells),
                        expected=str(len(headings)),
                    )
                )
            yield row
    except csv.Error as error:
        begins = reader.line_num + 1
        raise MarkError("the table is not CSV", file=str(path), line=begins, got=str(error)) from None


def _typed(cell: Any) -> Any:
    """A cell as what it says: nothing, a truth, else its text."""
    if not isinstance(cell, str):
        return cell
    text = cell.strip()
    return {"": None, "true": True, "false": False}.get(text.lower(), text)


def _lines(path: Path, text: str, faults: list[Fault]) -> Iterator[Row]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError) as error:
            said = error.msg if isinstance(error, json.JSONDecodeError) else "too deep"
            faults.append(Fault("a line that is not JSON", str(path), number, got=said))
            continue
        if isinstance(fields, dict):
            yield Row(number, "", fields)
        else:
            faults.append(Fault("a line that is no object", str(path), number, got=shown(fields)))


def _json(path: Path, text: str) -> Iterator[Row]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise MarkError("the table is not JSON", file=str(path), line=error.lineno, got=error.msg) from None
    except (ValueError, RecursionError):
        raise MarkError("the table is not JSON", file=str(path), got="too deep") from None
    if isinstance(found, dict):
        yield Row(None, "", found)
        return
    if not isinstance(found, list):
        raise MarkError(
            "the table holds no rows", file=str(path), got=shown(found), expected="a list of them"
        )
    for number, fields in enumerate(found):
        if not isinstance(fields, dict):
            raise MarkError(
                "a row that is no object", file=str(path), pointer=f"/{number}", got=shown(fields)
            )
        yield Row(None, f"/{number}", fields)


def _parquet(path: Path) -> Iterator[Row]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import read_table
    except ImportError:
        raise SetupError(
            "Parquet can't be read", got="no pyarrow", do="Install it: pip install 'argus-rubric[audit]'."
        ) from None
    try:
        with path.open("rb") as file:
            found = read_table(file).to_pylist()
    except OSError as error:
        raise MarkError("the table can't be read", file=str(path), got=error.strerror or str(error)) from None
    except ArrowException as error:
        raise MarkError("the table is not Parquet", file=str(path), got=str(error).split("\n")[0]) from None
    for number, fields in enumerate(found):
        gone = (name for name, value in fields.items() if value != value)  # a gap in a column of numbers
        yield Row(None, f"/{number}", fields | dict.fromkeys(gone))
