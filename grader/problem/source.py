"""Problems written by hand: ``problem.toml``, compiled to ``problem.json``.

TOML's literal strings (in single quotes) take SMILES and LaTeX as they are,
where JSON would have every backslash doubled.
"""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from string import Template
from typing import Any

from grader.errors import Fault, ProblemError, SetupError, UsageError
from grader.problem.follow_rules import follow_faults
from grader.problem.layout import PROBLEM, SOURCE, TASKS, first_difference
from grader.problem.parse import parse
from grader.problem.place import Place, pointer
from grader.problem.rules import rubric_faults
from grader.problem.strict_json import sound_faults

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_AT_LINE = re.compile(r" ?\(at line (\d+), column \d+\)$")
_HEADER = re.compile(r"\s*(\[\[?)(?P<key>[^\[\]]+)\]\]?\s*(#.*)?")


def new_problem(folder: Path, problem_id: str) -> Path:
    """Start a problem in the set at ``folder``; the path of the commented ``problem.toml``.

    Raises UsageError for an id that can't name a folder or is taken.
    """
    if not _ID.fullmatch(problem_id):
        expected = "letters, digits, '.', '_' and '-', a letter or digit first"
        raise UsageError("the id can't name a problem", got=repr(problem_id), expected=expected)
    task = folder / TASKS / problem_id
    if task.exists():
        raise UsageError("there is already a problem of that id", got=str(task), do="Choose another id.")
    try:
        (task / "images").mkdir(parents=True)
    except OSError as error:
        raise SetupError("the folder can't be made", file=str(task), got=error.strerror) from error
    try:
        _write(task / SOURCE, _SKELETON.substitute(id=problem_id))
    except BaseException:
        shutil.rmtree(task)  # an empty folder would take the id
        raise
    return task / SOURCE


def compile_source(path: Path) -> Path:
    """Compile a ``problem.toml``, or the one in a task folder; the path of the ``problem.json``.

    Raises ProblemError with every fault, each with its line in the TOML file.
    Images are left to the check of the set.
    """
    source = path / SOURCE if path.is_dir() else path
    text = _text(source)
    raw = _parsed(source, text)
    place = Place(str(source))
    faults = list(sound_faults(raw, place))
    found = parse(raw, place, thorough=True)
    faults += found.faults
    for index, sub in found.subquestions:
        faults += rubric_faults(sub, place.at("subquestions", index))
    if found.problem is not None:
        faults += follow_faults(found.subquestions, place)
    if faults:
        lines = key_lines(text)
        raise ProblemError([replace(fault, line=line_of(lines, fault.pointer or "")) for fault in faults])
    target = source.with_name(PROBLEM)
    _write(target, json.dumps(raw, indent=1, ensure_ascii=False) + "\n")
    return target


def stale(source: Path, raw: Mapping[str, Any]) -> list[Fault]:
    """Whether a ``problem.toml`` says something else than the compiled ``raw`` beside it."""
    try:
        written = _parsed(source, _text(source))
    except ProblemError as error:
        return list(error.faults)
    compiled = {key: value for key, value in raw.items() if key != "$schema" or key in written}
    parts = first_difference(written, compiled)
    if parts is None:
        return []
    do = f"Compile it: argus problems compile {source.parent}"
    what = f"{SOURCE} and {PROBLEM} differ"
    return [Fault(what, str(source.with_name(PROBLEM)), None, pointer(*parts), expected=str(source), do=do)]


def _text(source: Path) -> str:
    try:
        return source.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise ProblemError("is not UTF-8", file=str(source), do="Save it as UTF-8.") from error
    except OSError as error:
        raise ProblemError("can't be read", file=str(source), got=error.strerror) from error


def _parsed(source: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        line = int(at.group(1)) if at else None
        what = f"is not TOML: {_AT_LINE.sub('', str(error))}"
        do = "Write SMILES and LaTeX in single quotes: '...'." if "scape" in str(error) else None
        raise ProblemError(what, file=str(source), line=line, do=do) from error


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_text(text, "utf-8")
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise SetupError("the file can't be written", file=str(path), got=error.strerror) from error


# Lines


def key_lines(text: str) -> dict[str, int]:
    """The line of each table and key of a TOML text that is known to be valid, by JSON pointer."""
    lines: dict[str, int] = {}
    arrays: dict[str, int] = {}
    table = ""
    for number, statement in _statements(text):
        header = _HEADER.fullmatch(statement.strip())
        if header:
            table = _table(_keys(f"{header['key']} = 0"), header[1] == "[[", arrays)
            lines.setdefault(table, number)
        else:
            for keys in _leaves(tomllib.loads(statement)):
                for depth in range(1, len(keys) + 1):  # an inline table has its line, too
                    lines.setdefault(table + pointer(*keys[:depth]), number)
    return lines


def line_of(lines: Mapping[str, int], where: str) -> int | None:
    """The line of the nearest enclosing key or table of a pointer."""
    while where and where not in lines:
        where = where.rpartition("/")[0]
    return lines.get(where)


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Headers and assignments with the line they start on; an assignment may span lines."""
    chunk, start = "", 0
    for number, line in enumerate(text.splitlines(), start=1):
        if not chunk and (not line.strip() or line.lstrip().startswith("#")):
            continue
        start = start if chunk else number
        chunk = f"{chunk}{line}\n"
        if _HEADER.fullmatch(chunk.strip()) or _is_whole(chunk):
            yield start, chunk
            chunk = ""


def _is_whole(chunk: str) -> bool:
    try:
        tomllib.loads(chunk)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _table(keys: tuple[str, ...], is_array: bool, arrays: dict[str, int]) -> str:
    """The pointer of a table; ``arrays`` holds the last index of each array of tables."""
    where = ""
    for position, key in enumerate(keys):
        where += pointer(key)
        if is_array and position == len(keys) - 1:
            arrays[where] = arrays.get(where, -1) + 1
        if where in arrays:
            where += pointer(arrays[where])
    return where


def _keys(assignment: str) -> tuple[str, ...]:
    return next(_leaves(tomllib.loads(assignment)))


def _leaves(table: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in table.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*above, key))
        else:
            yield (*above, key)


_SKELETON = Template(
    r"""# One problem. `argus problems check` says what is wrong with it.
# Single quotes keep everything as it is written, so SMILES and LaTeX need no escaping;
# three of them ('''...''') also keep line breaks.

problem_id = '$id'

# What all subquestions share. Models see it.
header = '''
Background that every subquestion needs.
'''

# A figure of the header lies in images/. The description stands in for it in
# text_only: say what a reader would take from the figure, without the answer.
# [[header_images]]
# file = '$id-header-1.png'
# description = 'Plot of ln(A/A0) against t: a straight line from (0, 0) to (300 s, -0.57).'

[[subquestions]]
sub_id = '$id-1'
tags = []                  # from tags.toml, if the set has one
text_open = '''
Write a SMILES of ethanol and say why it mixes with water.
'''
full_mark = 2
# Private. Given to the model for the next subquestion under oracle_scaffolded.
standard_result = 'ethanol, CCO; it mixes with water by hydrogen bonds'

# [[subquestions.text_images]]      # shown to models, before the text
# [[subquestions.rubric_images]]    # shown to judges and reviewers only

# The rubric: points that add up to full_mark. With a check, code decides the point;
# without one, a judge or a human does.
[[subquestions.rubric]]
id = '$id-1-r1'
points = 1
text = 'Ethanol'
check = { kind = 'smiles', expected = 'CCO', asked = ['ethanol'] }

[[subquestions.rubric]]
id = '$id-1-r2'
points = 1
text = 'Its OH group gives and takes hydrogen bonds with water'

# Other nodes a rubric may hold:
#   a number with a unit   check = { kind = 'quantity', expected = 58.0, unit = 'kJ/mol', rel_tol = 0.03 }
#   what follows from an own error   follow = { from = { k = '$id-1-r1' }, expression = '0.693/k' }
#   alternatives           rule = 'any', of = [{ id = 'a', points = 1, text = '...' }, { id = 'b', ... }]
#   a deduction            points = -1
#   a veto                 veto = true
#   guidance               note = '...'
# Native lines also do, in place of these tables: rubric = ["Ethanol: 'CCO' (1 point)", '...']

# The next subquestion starts with another [[subquestions]].
"""
)
