"""JSON read without mercy: what two programs could read differently is an error.

A repeated key, NaN, a number beyond double precision, half a surrogate pair:
Python's reader takes each of them in silence, and another reader takes it
otherwise. Content is addressed by hashes, so it must have one reading.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.errors import Fault
from grader.problem.place import Place

MAX_DEPTH = 40
"""Real problems nest ten deep; what follows recurses, and Python's stack is finite."""

_BOM = b"\xef\xbb\xbf"


class _Object(dict[str, Any]):
    """An object that remembers which of its keys were repeated."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(key for key, _ in pairs) if len(self) < len(pairs) else {}
        self.repeated = [key for key, count in counts.items() if count > 1]


def read_object(path: Path, place: Place) -> tuple[dict[str, Any] | None, list[Fault]]:
    """The JSON object that a file holds; None, with faults, where it holds none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        return None, [place.fault("can't be read", got=error.strerror or str(error))]
    return parse_object(data, place)


def parse_object(data: bytes, place: Place) -> tuple[dict[str, Any] | None, list[Fault]]:
    """The JSON object in these bytes; None, with faults, where there is none."""
    if data.startswith(_BOM):
        return None, [place.fault("starts with a byte order mark", do="Save it as UTF-8 without BOM.")]
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=_Object)
    except UnicodeDecodeError as error:
        got = f"byte 0x{data[error.start]:02x} at offset {error.start}"
        return None, [place.fault("is not UTF-8", got=got, do="Save it as UTF-8.")]
    except json.JSONDecodeError as error:
        return None, [_syntax(error, place)]
    except (ValueError, RecursionError) as error:
        return None, [place.fault("is not usable JSON", got=str(error))]
    if not isinstance(value, dict):
        return None, [place.fault("is not a JSON object", got=kind_of(value), expected="an object")]
    return _sound(value, place)


def kind_of(value: Any) -> str:
    """What JSON calls a value, for messages."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    names = {str: "a string", bool: "a boolean", int: "a number", float: "a number", type(None): "null"}
    return names.get(type(value), type(value).__name__)


def sound_faults(value: Any, place: Place, depth: int = 0) -> Iterator[Fault]:
    """What in a parsed value has no single reading, wherever it stands."""
    if depth > MAX_DEPTH:
        yield place.fault("is nested too deeply", expected=f"at most {MAX_DEPTH} levels")
    elif isinstance(value, dict):
        for key in getattr(value, "repeated", ()):
            yield place.at(key).fault(f"the key {key!r} occurs twice", do="Keep one of them.")
        for key, member in value.items():
            yield from _text_faults(key, place)
            yield from sound_faults(member, place.at(key), depth + 1)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from sound_faults(member, place.at(index), depth + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        yield place.fault("is not a finite number", got=str(value), expected="a finite number")
    elif isinstance(value, str):
        yield from _text_faults(value, place)


def _text_faults(text: str, place: Place) -> Iterator[Fault]:
    if any("\ud800" <= character <= "\udfff" for character in text):
        yield place.fault("holds half of a surrogate pair", do="Write the character itself.")
    if "\0" in text:
        yield place.fault("holds a NUL character", do="Remove it.")


def _sound(value: dict[str, Any], place: Place) -> tuple[dict[str, Any] | None, list[Fault]]:
    faults = list(sound_faults(value, place))
    return (None if faults else value), faults


def _syntax(error: json.JSONDecodeError, place: Place) -> Fault:
    """Where the syntax breaks: by line in a file of its own, by column in a line of JSONL."""
    line = place.line or error.lineno
    what = f"is not JSON: {error.msg.removesuffix(' at')} at column {error.colno}"
    return Fault(what, place.file, line, got=_around(error))


def _around(error: json.JSONDecodeError) -> str:
    rest = error.doc[error.pos : error.pos + 20]
    return repr(rest) if rest.strip() else "the end of the text"
