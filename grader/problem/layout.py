"""Where the problems of a set lie.

A set is a folder with ``tasks/<problem_id>/problem.json``, or with one problem
a line in ``dataset.jsonl``, or with both, which must then agree. Images lie in
``tasks/<problem_id>/images/`` or in one ``images/`` for the whole set; files of
file tasks likewise in ``files/``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.errors import Fault, ProblemError, shown
from grader.problem.place import Place
from grader.problem.strict_json import parse_object, read_object

DATASET, PROBLEM, SOURCE, TASKS = "dataset.jsonl", "problem.json", "problem.toml", "tasks"


@dataclass(frozen=True, slots=True)
class Entry:
    """One problem as it was found, before anything is known about it."""

    place: Place
    raw: dict[str, Any]
    folder: Path | None
    """The task folder it was read from; None for a line of dataset.jsonl."""

    @property
    def problem_id(self) -> str | None:
        """Its id, if it has a usable one."""
        found = self.raw.get("problem_id")
        return found if isinstance(found, str) and found else None


@dataclass(frozen=True, slots=True)
class Layout:
    """A set as it lies on the disk."""

    path: Path
    """As the user named it."""
    root: Path
    """The folder of the set: nothing it refers to may lie outside."""
    entries: tuple[Entry, ...]
    faults: tuple[Fault, ...] = ()

    def places_of(self, problem_id: str, kind: str) -> tuple[Path, ...]:
        """The folders where the ``images`` or ``files`` of a problem may lie, best first."""
        own = [entry.folder for entry in self.entries if entry.problem_id == problem_id and entry.folder]
        return tuple(dict.fromkeys([*(folder / kind for folder in own), *self._shared(problem_id, kind)]))

    def _shared(self, problem_id: str, kind: str) -> tuple[Path, ...]:
        # An id is still unchecked here: one with a slash must not lead out of the set.
        task = self.root / TASKS / problem_id if Path(problem_id).name == problem_id else None
        return (*([task / kind] if task else []), self.root / kind)


def find(path: Path) -> Layout:
    """What lies at a path that the user named as a problem set; ProblemError if no set does."""
    if path.is_file() and path.name == DATASET:
        return _whole(path, path.parent)
    if path.is_file():
        return _single(path, path)
    if not path.is_dir():
        raise ProblemError("no such file or folder", file=str(path), do="Name a problem set.")
    try:
        if (path / PROBLEM).is_file() or (path / SOURCE).is_file():
            return _single(path, path / PROBLEM)
        if (path / DATASET).is_file() or (path / TASKS).is_dir():
            return _whole(path, path)
        raise _no_set(path)
    except PermissionError as error:
        file = str(error.filename or path)
        raise ProblemError("may not be read", file=file, do="Ask for the right to read it.") from None


def _no_set(path: Path) -> ProblemError:
    below = sorted(child for child in path.iterdir() if child.is_dir())
    sets = [child for child in below if (child / DATASET).is_file() or (child / TASKS).is_dir()]
    if sets:
        names = " or ".join(str(child) for child in sets)
        what = "the folder holds problem sets but is none itself"
        return ProblemError(what, file=str(path), do=f"Name one of them: {names}.")
    if any((child / PROBLEM).is_file() for child in below):
        do = f"Name the set, {path.absolute().parent}, or one of the task folders."
        return ProblemError("the folder is the inside of a problem set", file=str(path), do=do)
    expected = f"{TASKS}/<problem_id>/{PROBLEM}, {DATASET}, or a single {PROBLEM}"
    return ProblemError("there is no problem set here", file=str(path), expected=expected)


def _single(path: Path, file: Path) -> Layout:
    folder = file.parent
    inside = folder.absolute().parent
    root = inside.parent if inside.name == TASKS else folder
    entries, faults = _read_tasks([file])
    return Layout(path, root, tuple(entries), tuple(faults))


def _whole(path: Path, root: Path) -> Layout:
    tasks, faults = _read_tasks(_task_files(root))
    for entry in tasks:
        faults += _name_faults(entry)
    if not (root / DATASET).is_file():
        faults += _bare_folders(root)
        if not tasks and not faults:
            faults.append(Fault("the set holds no problems", file=str(path)))
        return Layout(path, root, tuple(tasks), tuple(faults))
    lines, line_faults = _read_lines(root / DATASET)
    if not tasks:
        if not lines and not line_faults:
            faults.append(Fault("the set holds no problems", file=str(root / DATASET)))
        return Layout(path, root, tuple(lines), (*faults, *line_faults))
    differences = list(_differences(tasks, lines, root)) if not (faults or line_faults) else []
    return Layout(path, root, _ordered(tasks, lines), (*faults, *line_faults, *differences))


def _ordered(tasks: list[Entry], lines: list[Entry]) -> tuple[Entry, ...]:
    """The task entries in the order of dataset.jsonl, others after them."""
    order = {entry.problem_id: index for index, entry in enumerate(lines)}
    return tuple(sorted(tasks, key=lambda entry: order.get(entry.problem_id, len(order))))


def _task_folders(root: Path) -> list[Path]:
    tasks = root / TASKS
    found = sorted(tasks.iterdir()) if tasks.is_dir() else []
    return [folder for folder in found if folder.is_dir() and not folder.name.startswith(".")]


def _task_files(root: Path) -> list[Path]:
    return [folder / PROBLEM for folder in _task_folders(root) if not _is_bare(folder)]


def _is_bare(folder: Path) -> bool:
    return not ((folder / PROBLEM).exists() or (folder / SOURCE).exists())


def _bare_folders(root: Path) -> list[Fault]:
    """Task folders without a problem; beside a dataset.jsonl they may hold just images."""
    what, expected = "the task folder holds no problem", f"{PROBLEM} or {SOURCE}"
    return [
        Fault(what, file=str(folder), expected=expected) for folder in _task_folders(root) if _is_bare(folder)
    ]


def _read_tasks(files: list[Path]) -> tuple[list[Entry], list[Fault]]:
    entries, faults = [], []
    for file in files:
        place = Place(str(file))
        if file.with_name(SOURCE).is_file() and not file.is_file():
            do = f"Compile it: argus problems compile {file.parent}"
            faults.append(Fault(f"{SOURCE} is not compiled yet", file=str(file.with_name(SOURCE)), do=do))
            continue
        raw, found = read_object(file, place)
        faults += found
        if raw is not None:
            entries.append(Entry(place, raw, file.parent))
    return entries, faults


def _name_faults(entry: Entry) -> Iterator[Fault]:
    if entry.folder is not None and entry.problem_id not in (None, entry.folder.name):
        yield entry.place.at("problem_id").fault(
            "the folder of a task bears another name",
            got=repr(entry.problem_id),
            expected=repr(entry.folder.name),
            do="Rename the folder or the problem.",
        )


def _read_lines(file: Path) -> tuple[list[Entry], list[Fault]]:
    entries, faults = [], []
    try:
        data = file.read_bytes()
    except OSError as error:
        return [], [Fault("can't be read", file=str(file), got=error.strerror)]
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        place = Place(str(file), number)
        raw, found = parse_object(line, place)
        faults += found
        if raw is not None:
            entries.append(Entry(place, raw, None))
    return entries, faults


# The two forms of a set must agree


def _differences(tasks: list[Entry], lines: list[Entry], root: Path) -> Iterator[Fault]:
    by_id = {entry.problem_id: entry for entry in lines}
    for task in tasks:
        line = by_id.pop(task.problem_id, None)
        if line is None:
            what = f"{DATASET} has no line for this problem"
            yield task.place.fault(what, expected=str(root / DATASET), do="Add the line or remove the task.")
        else:
            yield from _difference(task, line)
    for line in by_id.values():
        folder = root / TASKS / str(line.problem_id)
        yield line.place.fault("the problem has no task folder", expected=str(folder / PROBLEM))


def _difference(task: Entry, line: Entry) -> Iterator[Fault]:
    """The first place where the two forms of a problem part."""
    bare = [{key: value for key, value in entry.raw.items() if key != "$schema"} for entry in (task, line)]
    parts = first_difference(*bare)
    if parts is None:
        return
    here, there = (_value_at(raw, parts) for raw in bare)
    yield task.place.at(*parts).fault(
        f"differs from {line.place.file}:{line.place.line}",
        got=here,
        expected=f"the same in both; there it is {there}",
        do="Correct one of them: they are one set.",
    )


def first_difference(one: Any, other: Any) -> tuple[str | int, ...] | None:
    """The path to the first difference between two JSON values; None if they are equal."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys: list[Any] = [*one, *(key for key in other if key not in one)]
    elif isinstance(one, list) and isinstance(other, list):
        keys = list(range(max(len(one), len(other))))
    else:
        return None if one == other and isinstance(one, bool) == isinstance(other, bool) else ()
    for key in keys:
        if not (_has(one, key) and _has(other, key)):
            return (key,)
        below = first_difference(one[key], other[key])
        if below is not None:
            return (key, *below)
    return None


def _has(value: Any, key: Any) -> bool:
    return key in value if isinstance(value, dict) else key < len(value)


def _value_at(value: Any, parts: tuple[str | int, ...]) -> str:
    for part in parts:
        if not _has(value, part):
            return "absent"
        value = value[part]
    return shown(value)
