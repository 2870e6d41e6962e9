"""Problem sets with other rubrics: a copy of a set, or the set itself, written whole or not at all."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.errors import SetupError, UsageError
from grader.problem.layout import DATASET, PROBLEM, SOURCE, TASKS, find
from grader.problem.model import ScoringNode

Rubrics = Mapping[str, Sequence[ScoringNode]]
"""New rubrics by sub_id; other subquestions keep theirs."""


def copy_set(path: Path, target: Path, rubrics: Rubrics) -> None:
    """Write the set at ``path`` with new rubrics to the folder ``target``, which must not be there yet.

    Images, files and vocabulary come along; a ``problem.toml`` doesn't, since it
    says what the rubric was before. Raises UsageError, SetupError.
    """
    if target.exists():
        do = "Name a folder that isn't there yet."
        raise UsageError("there is something at the target already", got=str(target), do=do)
    layout = find(path)
    whole = (layout.root / TASKS).is_dir() and path.resolve() == layout.root.resolve()
    whole = whole or (layout.root / DATASET).is_file()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
            made = Path(folder) / "set"
            source = layout.root if whole else path if path.is_dir() else path.parent
            shutil.copytree(
                source,
                made if whole else made / TASKS / source.resolve().name,
                ignore=shutil.ignore_patterns(SOURCE, ".*", target.name if source in target.parents else ""),
            )
            _rewrite(made, rubrics)
            made.rename(target)
    except OSError as error:
        raise SetupError("the set can't be written", file=str(target), got=error.strerror) from error


def rewrite_set(path: Path, rubrics: Rubrics) -> None:
    """Give a set new rubrics in place. Raises UsageError where a problem is written in TOML."""
    layout = find(path)
    sources = [entry.folder / SOURCE for entry in layout.entries if entry.folder]
    if written := [file for file in sources if file.is_file()]:
        do = f"Edit {written[0]} (remove its 'draft' fields) and compile it."
        raise UsageError(f"the problem is written in {SOURCE}", got=str(written[0]), do=do)
    try:
        _rewrite(layout.root, rubrics)
    except OSError as error:
        raise SetupError("the set can't be written", file=str(path), got=error.strerror) from error


def _rewrite(root: Path, rubrics: Rubrics) -> None:
    files = sorted((root / TASKS).glob(f"*/{PROBLEM}")) if (root / TASKS).is_dir() else []
    for file in (*files, *([root / PROBLEM] if (root / PROBLEM).is_file() else [])):
        raw = json.loads(file.read_text("utf-8"))
        if _changed(raw, rubrics):
            _replace(file, json.dumps(raw, indent=1, ensure_ascii=False) + "\n")
    if (root / DATASET).is_file():
        lines = [json.loads(line) for line in (root / DATASET).read_bytes().split(b"\n") if line.strip()]
        changed = [_changed(raw, rubrics) for raw in lines]
        if any(changed):
            _replace(root / DATASET, "".join(json.dumps(raw, ensure_ascii=False) + "\n" for raw in lines))


def _changed(raw: dict[str, Any], rubrics: Rubrics) -> bool:
    """Put new rubrics into a raw problem; whether there were any."""
    touched = [sub for sub in raw["subquestions"] if sub["sub_id"] in rubrics]
    for sub in touched:
        sub["rubric"] = [
            node.model_dump(mode="json", by_alias=True, exclude_defaults=True)
            for node in rubrics[sub["sub_id"]]
        ]
    return bool(touched)


def _replace(file: Path, text: str) -> None:
    part = file.with_name(f".{file.name}.part")
    try:
        part.write_text(text, "utf-8")
        part.replace(file)
    except OSError:
        part.unlink(missing_ok=True)
        raise
