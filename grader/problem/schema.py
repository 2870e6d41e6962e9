"""The published JSON Schemas, generated from the models.

Run ``python -m grader.problem.schema`` after a model has changed; a test
fails while a schema in ``schemas/`` lags behind.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import BaseModel

from grader.problem import checks, model, signoff
from grader.problem.content import content_root
from grader.record import run_file

_PUBLISHED = {"schema_": "$schema", "sources": "from"}
"""Fields that Python can't or needn't call as files do."""

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def problem_schema() -> dict[str, Any]:
    """The closed schema of a problem.json."""
    return _schema(model.Problem, (model, checks))


def run_header_schema() -> dict[str, Any]:
    """The schema of a run.jsonl's optional first line."""
    return _schema(run_file.RunHeader, (run_file,))


def response_schema() -> dict[str, Any]:
    """The schema of every other line of a run.jsonl."""
    return _schema(run_file.ResponseLine, (run_file,))


def signoff_schema() -> dict[str, Any]:
    """The schema of a line of a set's signoff.jsonl."""
    return _schema(signoff.SignoffLine, (signoff,))


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "problem.schema.json": problem_schema,
    "run-header.schema.json": run_header_schema,
    "response.schema.json": response_schema,
    "signoff.schema.json": signoff_schema,
}
"""What is published, by file name."""


@cache
def published(name: str) -> dict[str, Any]:
    """A schema as it is shipped."""
    text = (content_root() / "schemas" / name).read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def rendered(name: str) -> str:
    """The text of a schema file, the same on every machine."""
    return json.dumps(SCHEMAS[name](), indent=2, ensure_ascii=False) + "\n"


def write_schemas(folder: Path) -> None:
    """Write every schema into a folder."""
    for name in SCHEMAS:
        (folder / name).write_text(rendered(name), "utf-8")


def drift(folder: Path) -> list[str]:
    """The names of schema files in a folder that are missing or lag behind the models."""
    return [name for name in SCHEMAS if not _is(folder / name, rendered(name))]


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text("utf-8") == text


def _schema(root: type[BaseModel], modules: tuple[ModuleType, ...]) -> dict[str, Any]:
    raw = root.model_json_schema()
    notes = {name: found for module in modules for name, found in _field_notes(module)}
    parts = raw.pop("$defs", {})
    for name, part in {**parts, root.__name__: raw}.items():
        _describe(part, name, notes)
    return {"$schema": DRAFT, **_plain(raw), "$defs": _plain(dict(sorted(parts.items())))}


def _describe(part: dict[str, Any], owner: str, notes: dict[str, dict[str, str]]) -> None:
    """Give the fields of an object schema the docstrings that stand below them in the source."""
    owners = [base.__name__ for base in _lineage(owner)] or [owner]
    for name, field in part.get("properties", {}).items():
        field.pop("title", None)
        texts = [notes[base][name] for base in owners if name in notes.get(base, {})]
        if texts:
            field["description"] = texts[0]


def _lineage(name: str) -> list[type]:
    found = getattr(model, name, None) or getattr(checks, name, None)
    return list(inspect.getmro(found)) if inspect.isclass(found) else []


def _field_notes(module: ModuleType) -> Iterator[tuple[str, dict[str, str]]]:
    """Class by class, the docstring below each annotated field.

    Pydantic can collect these at class creation, but then every start of the
    program would pay for parsing its own source.
    """
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef):
            yield node.name, dict(_notes_of(node))


def _notes_of(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(node.body, node.body[1:], strict=False):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            yield _PUBLISHED.get(field.target.id, field.target.id), " ".join(str(below.value.value).split())


def _plain(value: Any) -> Any:
    """Without OpenAPI's ``discriminator``, which is no keyword of JSON Schema, and without null defaults."""
    if isinstance(value, dict):
        kept = {key: member for key, member in value.items() if not _is_noise(key, member)}
        return {key: _plain(member) for key, member in kept.items()}
    return [_plain(member) for member in value] if isinstance(value, list) else value


def _is_noise(key: str, member: Any) -> bool:
    return (key == "discriminator" and isinstance(member, dict)) or (key == "default" and member is None)


def main(arguments: list[str]) -> int:
    """Write the schemas; with ``--check`` only say which lag behind the models (exit 1)."""
    folder = content_root() / "schemas"
    if arguments != ["--check"]:
        write_schemas(folder)
        return 0
    behind = drift(folder)
    if behind:
        sys.stderr.write(f"behind the models: {', '.join(behind)}; run make fix\n")
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
