"""What is wrong with an endpoint that a file or an option names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, time
from typing import Any
from urllib.parse import urlsplit

from grader.errors import Fault, shown
from grader.model.body import enlarges
from grader.model.settings import NO_KEYS, SECRET_FIELD
from grader.problem.place import Place

_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
_OURS = {"response_format", "tools", "tool_choice"}
"""What a request says already, and ``extra_body`` may not say otherwise; nor what makes it larger."""


def endpoint_faults(api_base: str | None, key_env: str | None, place: Place) -> Iterator[Fault]:
    """Of the URL of an API, and of the variable that holds its key."""
    if api_base is not None and not _is_url(api_base):
        expected = "http:// or https:// and a host"
        yield place.at("api_base").fault("is no URL of an API", got=shown(api_base), expected=expected)
    if key_env is not None and not _VARIABLE.fullmatch(key_env):  # it may be a key: not shown
        expected = "a name such as OPENAI_API_KEY"
        do = "Put the key into a variable of the environment and name the variable."
        yield place.at("key_env").fault("is no name of an environment variable", expected=expected, do=do)


def model_faults(model: str, place: Place) -> Iterator[Fault]:
    """Of the name of a model."""
    if not model.strip() or re.search(r"\s", model):
        expected = "a name without spaces, such as openai/gpt-4o"
        yield place.at("model").fault("is no name of a model", got=shown(model), expected=expected)


def body_faults(extra_body: Mapping[str, Any] | None, place: Place) -> Iterator[Fault]:
    """Of what a request holds besides."""
    here = place.at("parameters", "extra_body")
    for where, name, value in _walk(extra_body or {}):
        if SECRET_FIELD.fullmatch(name):
            yield here.at(*where).fault("a key has no place in a file", do=NO_KEYS)
        elif (len(where) == 1 and name in _OURS) or enlarges(name, top=len(where) == 1):
            do = "Remove it: another field says it, or Argus does."
            yield here.at(*where).fault(f"extra_body can't say {name!r}", do=do)
        elif isinstance(value, date | time):
            yield here.at(*where).fault("JSON has no dates", got=str(value), do="Write it as a string.")


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _walk(value: Any, above: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str, Any]]:
    """Every member of a value, however deep: its path, the name of the field it belongs to, itself."""
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, member in members:
        name = str(key) if isinstance(key, str) else ""
        yield (*above, key), name, member
        yield from _walk(member, (*above, key))
