"""From a TOML file to a JudgeCard, or to all that keeps it from being one.

What looks like a key or a password is refused first, so that no message
quotes one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, time
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from grader.errors import CardError, Fault, shown
from grader.judge.card import JudgeCard
from grader.model.body import enlarges
from grader.problem.place import Place
from grader.problem.strict_json import kind_of, sound_faults

PANEL_FIELDS = {"description", "panel", "votes", "calls", "thresholds", "spot_check", "provisional"}
"""What a panel says for itself; the rest its members' cards say."""

_KEY = re.compile(
    r"""\b(?:sk|rk|gsk|xai|pplx|nvapi|ghp|hf|r8)[-_](?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{16,}
    | \bAIza[A-Za-z0-9_-]{30,} | \bAKIA[A-Z0-9]{16}\b
    | \bBearer\s+[A-Za-z0-9._~+/=-]{12,} | \beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}""",
    re.VERBOSE,
)
_LOGIN = re.compile(r"://[^/\s@'\"]+@")
_SECRET = r"(?:api|access|auth|private|secret)?[-_]?(?:key|token|sig|signature|password|passwd|pwd|secret)"
_QUERY = re.compile(rf"[?&]{_SECRET}=", re.IGNORECASE)
_SECRET_FIELD = re.compile(rf"{_SECRET}|authorization|credentials?", re.IGNORECASE)
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_AT_LINE = re.compile(r" ?\(at line (\d+), column \d+\)$")
_NO_KEYS = "Keys come from the environment: name the variable in key_env."
_OURS = {"response_format", "tools", "tool_choice"}
"""What a request says already, and ``extra_body`` may not say otherwise; nor what makes it larger."""


def read_card(path: Path) -> JudgeCard:
    """The card a file holds; CardError with every fault, each with its line."""
    text = _text(path)
    place = Place(str(path))
    refuse_secrets(text, place)
    raw = _parsed(path, text)
    card, refused = _modelled(raw, place)
    found = [*sound_faults(raw, place), *(_rules(card, place) if card else refused)]
    if found or card is None:
        raise CardError(_placed(found, text))
    return card


def refuse_secrets(text: str, place: Place) -> None:
    """CardError for every line that seems to hold a key or a password, in a comment or not."""
    faults = [replace(place, line=line).fault(what, do=_NO_KEYS) for line, what in _secrets(text)]
    if faults:
        raise CardError([replace(fault, pointer=None) for fault in faults])


def _placed(faults: list[Fault], text: str) -> list[Fault]:
    """The faults with their lines and in their order, one at each place."""
    from grader.problem.source import key_lines, line_of

    lines = key_lines(text)
    once = {fault.pointer: fault for fault in reversed(faults)}
    placed = [
        replace(fault, line=line_of(lines, where or ""), pointer=where or None)
        for where, fault in once.items()
    ]
    return sorted(placed, key=lambda fault: (fault.line or 0, fault.pointer or ""))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise CardError("is not UTF-8", file=str(path), do="Save it as UTF-8.") from error
    except OSError as error:
        raise CardError("the card can't be read", file=str(path), got=error.strerror) from error


def _parsed(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        what = f"is not TOML: {_AT_LINE.sub('', str(error))}"
        raise CardError(what, file=str(path), line=int(at.group(1)) if at else None) from error


def _secrets(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if _KEY.search(line):
            yield number, "something here looks like a key"
        elif _LOGIN.search(line):
            yield number, "a URL here holds a user or a password"
        elif _QUERY.search(line):
            yield number, "a URL here holds a key"


# What the model refuses


def _modelled(raw: Mapping[str, Any], place: Place) -> tuple[JudgeCard | None, list[Fault]]:
    try:
        return JudgeCard.model_validate(raw), []
    except ValidationError as error:
        return None, [_said(found, place) for found in error.errors(include_url=False)]


def _said(error: ErrorDetails, place: Place) -> Fault:
    here = place.at(*error["loc"])
    kind, context, got = error["type"], error.get("ctx", {}), error["input"]
    if kind == "extra_forbidden":
        return _say_unknown(error["loc"], here)
    if kind == "missing":
        return here.fault("the field is missing", do="Add it.")
    if kind == "literal_error":
        return _say_choice(str(context["expected"]), got, here)
    if kind in _TYPES:
        return here.fault("has the wrong type", got=_short(got), expected=_TYPES[kind])
    if kind in _BOUNDS:
        word, limit = _BOUNDS[kind]
        return here.fault("is out of bounds", got=shown(got), expected=f"{word} {context[limit]:g}")
    return here.fault(error["msg"], got=_short(got))


def _say_unknown(loc: tuple[int | str, ...], here: Place) -> Fault:
    name = str(loc[-1])
    known = list(_fields(loc[:-1]))
    expected = "one of " + ", ".join(known)
    return here.fault(f"unknown field {name!r}", expected=expected, do=_what_was_meant(name, known))


def _what_was_meant(name: str, known: list[str]) -> str:
    if _SECRET_FIELD.fullmatch(name):
        return _NO_KEYS
    table = next((table for table in _tables() if name in _fields((table,))), None)
    if table:
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


def _tables() -> list[str]:
    return [name for name in JudgeCard.model_fields if _fields((name,))]


def _fields(loc: tuple[int | str, ...]) -> Mapping[str, Any]:
    """The fields of the table at this place of a card."""
    if not loc:
        return JudgeCard.model_fields
    annotation = JudgeCard.model_fields[str(loc[0])].annotation
    for option in (annotation, *get_args(annotation)):
        if isinstance(option, type) and issubclass(option, BaseModel):
            return option.model_fields
    return {}


def _short(value: Any) -> str:
    return kind_of(value) if isinstance(value, dict | list) else shown(value)


# What a sound model may still get wrong


def _rules(card: JudgeCard, place: Place) -> list[Fault]:
    faults = [*_panel_rules(card, place)] if card.panel else [*_model_rules(card, place)]
    return [*faults, *_endpoint_rules(card, place), *_template_rules(card, place), *_body_rules(card, place)]


def _panel_rules(card: JudgeCard, place: Place) -> Iterator[Fault]:
    for name in JudgeCard.model_fields:
        if name in card.model_fields_set - PANEL_FIELDS:
            do = "Remove it: the cards of the members say it."
            yield place.at(name).fault(f"a panel has no {name!r} of its own", do=do)
    if len(card.panel) == 1:
        yield place.at("panel").fault("a panel of one is none", expected="at least 2 cards")
    if card.votes != 1:
        do = "Set votes in the cards of the members."
        yield place.at("votes").fault("a panel has no votes beside its members'", got=str(card.votes), do=do)
    for index, name in enumerate(card.panel):
        if name in card.panel[:index]:
            do = "Name it once and raise the votes in its card."
            yield place.at("panel", index).fault("the card is in the panel twice", got=shown(name), do=do)


def _model_rules(card: JudgeCard, place: Place) -> Iterator[Fault]:
    if card.model is None:
        what, expected = "the card names no model", "model = 'provider/name', or panel = [...]"
        yield place.at("model").fault(what, expected=expected, do="Add it.")
    elif not card.model.strip() or re.search(r"\s", card.model):
        expected = "a name without spaces, such as openai/gpt-4o"
        yield place.at("model").fault("is no name of a model", got=shown(card.model), expected=expected)


def _endpoint_rules(card: JudgeCard, place: Place) -> Iterator[Fault]:
    if card.api_base is not None and not _is_url(card.api_base):
        expected = "http:// or https:// and a host"
        yield place.at("api_base").fault("is no URL of an API", got=shown(card.api_base), expected=expected)
    if card.key_env is not None and not _VARIABLE.fullmatch(card.key_env):  # it may be a key: not shown
        expected = "a name such as OPENAI_API_KEY"
        do = "Put the key into a variable of the environment and name the variable."
        yield place.at("key_env").fault("is no name of an environment variable", expected=expected, do=do)


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _template_rules(card: JudgeCard, place: Place) -> Iterator[Fault]:
    named: dict[tuple[str, ...], str] = {("template",): card.template}
    if card.locator is not None:
        named["locator", "template"] = card.locator.template
    for where, name in named.items():
        if not _FILE_NAME.fullmatch(name):
            expected = "the name of a file beside the card"
            yield place.at(*where).fault("can't name a template", got=shown(name), expected=expected)


def _body_rules(card: JudgeCard, place: Place) -> Iterator[Fault]:
    here = place.at("parameters", "extra_body")
    for where, name, value in _walk(card.parameters.extra_body or {}):
        if _SECRET_FIELD.fullmatch(name):
            yield here.at(*where).fault("a key has no place in a card", do=_NO_KEYS)
        elif (len(where) == 1 and name in _OURS) or enlarges(name, top=len(where) == 1):
            do = "Remove it: the card says it elsewhere, or Argus does."
            yield here.at(*where).fault(f"extra_body can't say {name!r}", do=do)
        elif isinstance(value, date | time):
            yield here.at(*where).fault("JSON has no dates", got=str(value), do="Write it as a string.")


def _walk(value: Any, above: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str, Any]]:
    """Every member of a value, however deep: its path, the name of the field it belongs to, itself."""
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, member in members:
        name = str(key) if isinstance(key, str) else ""
        yield (*above, key), name, member
        yield from _walk(member, (*above, key))
