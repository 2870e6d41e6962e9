"""From a TOML file, or from options, to a model of settings, or to all that keeps it from being one.

What looks like a key or a password is refused first, so that no message
quotes one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from grader.errors import DataError, Fault, UsageError, shown
from grader.problem.place import Place
from grader.problem.strict_json import kind_of, sound_faults

Model = TypeVar("Model", bound=BaseModel)
Rules = Callable[[Any, Place], Iterable[Fault]]
"""What a model that is sound in itself may still get wrong."""

NO_KEYS = "Keys come from the environment: name the variable in key_env."

_KEY = re.compile(
    r"""\b(?:sk|rk|gsk|xai|pplx|nvapi|ghp|hf|r8)[-_](?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{16,}
    | \bAIza[A-Za-z0-9_-]{30,} | \bAKIA[A-Z0-9]{16}\b
    | \bBearer\s+[A-Za-z0-9._~+/=-]{12,} | \beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}""",
    re.VERBOSE,
)
_LOGIN = re.compile(r"://[^/\s@'\"]+@")
_SECRET = r"(?:api|access|auth|private|secret)?[-_]?(?:key|token|sig|signature|password|passwd|pwd|secret)"
_QUERY = re.compile(rf"[?&]{_SECRET}=", re.IGNORECASE)
SECRET_FIELD = re.compile(rf"{_SECRET}|authorization|credentials?", re.IGNORECASE)
_AT_LINE = re.compile(r" ?\(at line (\d+), column \d+\)$")


def read_settings(
    path: Path, model: type[Model], rules: Rules = lambda found, place: (), error: type[DataError] = DataError
) -> Model:
    """The settings a file holds; raises ``error`` with every fault, each with its line."""
    text = _text(path, error)
    place = Place(str(path))
    refuse_secrets(text, place, error)
    raw = _parsed(path, text, error)
    found, refused = _modelled(raw, model, place)
    faults = [*sound_faults(raw, place), *(rules(found, place) if found is not None else refused)]
    if faults or found is None:
        raise error(placed(faults, text))
    return found


def read_table(path: Path, error: type[DataError] = DataError) -> dict[str, Any]:
    """The raw table a file holds, for options to stand above; raises ``error`` for what looks like a key."""
    text = _text(path, error)
    refuse_secrets(text, Place(str(path)), error)
    return _parsed(path, text, error)


def merged(table: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """A table with another one above it: where both hold a field the one above counts; tables are joined."""
    found = dict(table)
    for name, value in above.items():
        below = found.get(name)
        both = isinstance(below, Mapping) and isinstance(value, Mapping)
        found[name] = merged(below, value) if both else value  # type: ignore[arg-type]  # both are
    return found


def settings(raw: Mapping[str, Any], model: type[Model], rules: Rules = lambda found, place: ()) -> Model:
    """The settings that options stand for; raises UsageError with every fault."""
    place = Place("options")
    found, refused = _modelled(raw, model, place)
    faults = list(rules(found, place)) if found is not None else refused
    if faults or found is None:
        raise UsageError([replace(fault, file=None) for fault in faults])
    return found


def refuse_secrets(text: str, place: Place, error: type[DataError] = DataError) -> None:
    """``error`` for every line that seems to hold a key or a password, in a comment or not."""
    faults = [replace(place, line=line).fault(what, do=NO_KEYS) for line, what in _secrets(text)]
    if faults:
        raise error([replace(fault, pointer=None) for fault in faults])


def placed(faults: Iterable[Fault], text: str) -> list[Fault]:
    """Faults of a file with their lines and in their order, one at each place."""
    from grader.problem.source import key_lines, line_of

    lines = key_lines(text)
    once = {fault.pointer: fault for fault in reversed(list(faults))}
    placed = [
        replace(fault, line=line_of(lines, where or ""), pointer=where or None)
        for where, fault in once.items()
    ]
    return sorted(placed, key=lambda fault: (fault.line or 0, fault.pointer or ""))


def _text(path: Path, wrong: type[DataError]) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise wrong("is not UTF-8", file=str(path), do="Save it as UTF-8.") from error
    except OSError as error:
        raise wrong("the file can't be read", file=str(path), got=error.strerror) from error


def _parsed(path: Path, text: str, wrong: type[DataError]) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        what = f"is not TOML: {_AT_LINE.sub('', str(error))}"
        raise wrong(what, file=str(path), line=int(at.group(1)) if at else None) from error


def _secrets(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if _KEY.search(line):
            yield number, "something here looks like a key"
        elif _LOGIN.search(line):
            yield number, "a URL here holds a user or a password"
        elif _QUERY.search(line):
            yield number, "a URL here holds a key"


# What the model refuses


def _modelled(raw: Mapping[str, Any], model: type[Model], place: Place) -> tuple[Model | None, list[Fault]]:
    try:
        return model.model_validate(raw), []
    except ValidationError as error:
        return None, [_said(found, model, place) for found in _own(error.errors(include_url=False))]


def _own(errors: Sequence[ErrorDetails]) -> Iterator[ErrorDetails]:
    """Without lists that are called too short because something in them is wrong."""
    for error in errors:
        if error["type"] != "too_short" or not any(_below(other["loc"], error["loc"]) for other in errors):
            yield error


def _below(loc: tuple[int | str, ...], above: tuple[int | str, ...]) -> bool:
    return len(loc) > len(above) and loc[: len(above)] == above


def _said(error: ErrorDetails, model: type[BaseModel], place: Place) -> Fault:
    here = place.at(*error["loc"])
    kind, context, got = error["type"], error.get("ctx", {}), error["input"]
    if kind == "extra_forbidden":
        return _say_unknown(error["loc"], model, here)
    if kind == "missing":
        return here.fault("the field is missing", do="Add it.")
    if kind == "literal_error":
        return _say_choice(str(context["expected"]), got, here)
    if kind == "string_too_short":
        return here.fault("is empty", expected="a text")
    if kind == "too_short":
        return here.fault("has too few entries", expected=f"at least {context['min_length']}")
    if kind in _TYPES:
        return here.fault("has the wrong type", got=_short(got), expected=_TYPES[kind])
    if kind in _BOUNDS:
        word, limit = _BOUNDS[kind]
        return here.fault("is out of bounds", got=shown(got), expected=f"{word} {context[limit]:g}")
    # of what is wrong with a whole table, its kind says nothing
    own = None if isinstance(got, dict) else _short(got)
    return here.fault(error["msg"].removeprefix("Value error, "), got=own)


def _say_unknown(loc: tuple[int | str, ...], model: type[BaseModel], here: Place) -> Fault:
    name = str(loc[-1])
    known = list(_fields(model, loc[:-1]))
    expected = "one of " + ", ".join(known)
    return here.fault(f"unknown field {name!r}", expected=expected, do=_what_was_meant(name, known, model))


def _what_was_meant(name: str, known: list[str], model: type[BaseModel]) -> str:
    if SECRET_FIELD.fullmatch(name):
        return NO_KEYS
    tables = (table for table in model.model_fields if name in _fields(model, (table,)))
    if table := next(tables, None):
        return f"It belongs below [{table}]."
    near = _nearest(name, known)
    return f"Did you mean {near!r}?" if near else "Remove it."


def _say_choice(allowed: str, got: Any, here: Place) -> Fault:
    words = re.findall(r"'([^']+)'", allowed)
    near = _nearest(got, words) if isinstance(got, str) else None
    do = f"Did you mean {near!r}?" if near else None
    expected = "one of " + ", ".join(words)
    return here.fault("has a value that isn't allowed", got=_short(got), expected=expected, do=do)


def _nearest(name: str, known: list[str]) -> str | None:
    from grader.problem.structure import nearest

    return nearest(name, known)


_TYPES = {
    "string_type": "a string",
    "string_unicode": "a string of UTF-8",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "finite_number": "a finite number",
}
_BOUNDS = {
    "greater_than": ("more than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}


def _fields(model: type[BaseModel], loc: tuple[int | str, ...]) -> Mapping[str, Any]:
    """The fields of the table at this place of a file; empty where there is none."""
    for name in loc:
        if isinstance(name, int):
            continue
        field = model.model_fields.get(name)
        inner = next(_models(field.annotation), None) if field else None
        if inner is None:
            return {}
        model = inner
    return model.model_fields


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models that an annotation allows, as themselves, in a list or beside None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for option in get_args(annotation):
        yield from _models(option)


def _short(value: Any) -> str:
    return kind_of(value) if isinstance(value, dict | list) else shown(value)
