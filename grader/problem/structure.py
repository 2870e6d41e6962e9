"""Whether a raw problem has the structure of the published schema, said in words.

``jsonschema`` decides. Where the schema allows one of several shapes, only the
shape that the value is meant to have is tried, so that a message is about the
mistake and not about all the things the value isn't.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any, get_args

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from grader.errors import Fault, shown
from grader.problem.checks import Check
from grader.problem.model import node_shape
from grader.problem.place import Place
from grader.problem.schema import published
from grader.problem.strict_json import kind_of

SHAPE = "shape"
"""Our own keyword of an error: the value has none of the shapes allowed here."""


def structure_faults(raw: Any, place: Place, part: str | None = None) -> list[Fault]:
    """Every structural mistake of a raw problem, in the order of the document.

    ``part`` names a definition of the schema (``"Subquestion"``) to hold the value against instead.
    """
    errors = _validator(part).iter_errors(raw)
    return [_said(error, place) for error in sorted(errors, key=lambda error: _order(raw, error))]


@cache
def _validator(part: str | None) -> Validator:
    schema = published("problem.schema.json")
    keywords = {
        "oneOf": _meant_shape,
        "anyOf": _meant_type,
        "required": _required,
        "additionalProperties": _no_others,
    }
    chosen = schema if part is None else {"$ref": f"#/$defs/{part}", "$defs": schema["$defs"]}
    strict: Validator = extend(Draft202012Validator, keywords)(chosen)  # type: ignore[no-untyped-call]
    return strict


def _order(raw: Any, error: ValidationError) -> list[int]:
    """Where the fault stands in the document, as a list of positions."""
    positions, here = [], raw
    for part in error.absolute_path:
        if isinstance(here, Mapping):
            positions.append(list(here).index(part) if part in here else len(here))
            here = here.get(part)
        else:
            positions.append(int(part))
            here = here[part]
    return positions


# Keywords that choose what to try


def _meant_shape(
    validator: Any, branches: list[dict[str, Any]], instance: Any, schema: Any
) -> Iterator[ValidationError]:
    options = {_branch_name(branch): branch for branch in branches}
    meant = _kind_model(instance) if "SmilesCheck" in options else _node_model(instance)
    if meant in options:
        yield from validator.descend(instance, options[meant])
    else:
        yield ValidationError(_no_shape(instance, options), validator=SHAPE)


def _meant_type(
    validator: Any, branches: list[dict[str, Any]], instance: Any, schema: Any
) -> Iterator[ValidationError]:
    others = [branch for branch in branches if branch.get("type") != "null"]
    if len(others) < len(branches) and instance is None:
        return
    if len(others) == 1:
        yield from validator.descend(instance, others[0])
    elif not any(validator.evolve(schema=branch).is_valid(instance) for branch in others):
        names = [branch["type"] for branch in others]
        yield ValidationError("", validator="type", validator_value=names)


def _required(validator: Any, names: list[str], instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    known = list(schema["properties"])
    misspelt = {nearest(name, known) for name in instance if name not in known}
    for name in names:
        if name not in instance and name not in misspelt:
            yield ValidationError(name)


def _no_others(validator: Any, rest: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    known = schema.get("properties", {})
    for name in instance:
        if name in known:
            continue
        if rest is False:
            yield ValidationError(name, path=[name], instance=list(known))
        else:
            yield from validator.descend(instance[name], rest, path=name)


def _branch_name(branch: dict[str, Any]) -> str:
    return str(branch.get("$ref", "line")).rpartition("/")[2]


@cache
def _kinds() -> dict[str, str]:
    models = get_args(get_args(Check)[0])
    return {get_args(model.model_fields["kind"].annotation)[0]: model.__name__ for model in models}


def _kind_model(instance: Any) -> str | None:
    kind = instance.get("kind") if isinstance(instance, Mapping) else None
    return _kinds().get(kind) if isinstance(kind, str) else None


def _node_model(instance: Any) -> str | None:
    shape = node_shape(instance)
    return shape if shape in (None, "line") else str(shape).capitalize()


def _no_shape(instance: Any, options: Mapping[str, Any]) -> str:
    if "SmilesCheck" not in options:
        return "group" if "line" not in options else "rubric"
    return "kind" if isinstance(instance, Mapping) and "kind" in instance else "check"


# What is said


def _said(error: ValidationError, place: Place) -> Fault:
    here = place.at(*error.absolute_path)
    said: Callable[[ValidationError, Place], Fault] = _WORDS.get(str(error.validator), _plainly)
    return said(error, here)


def _say_missing(error: ValidationError, here: Place) -> Fault:
    needed = ", ".join(_list(error.validator_value))
    return here.fault(
        f"the field {error.message!r} is missing", expected=f"the fields {needed}", do="Add it."
    )


def _say_unknown(error: ValidationError, here: Place) -> Fault:
    name, known = error.message, _list(error.instance)
    near = nearest(name, known)
    do = f"Did you mean {near!r}?" if near else "Remove it."
    return here.fault(f"unknown field {name!r}", expected="one of " + ", ".join(known), do=do)


def _say_shape(error: ValidationError, here: Place) -> Fault:
    instance: Any = error.instance
    if error.message == "kind":
        kind = instance["kind"]
        near = nearest(str(kind), list(_kinds()))
        do = f"Did you mean {near!r}?" if near else None
        expected = "one of " + ", ".join(_kinds())
        return here.at("kind").fault("unknown kind of check", got=shown(kind), expected=expected, do=do)
    if error.message == "check":
        expected = "an object with 'kind', 'expected' and options"
        return here.fault("is not a check", got=shown(instance), expected=expected)
    if error.message == "group":
        got = node_shape(instance) or kind_of(instance)
        return here.fault("can't be a member of a group", got=got, expected="a point or a group")
    expected = "a line of text, or an object such as a point"
    return here.fault("is no rubric item", got=kind_of(instance), expected=expected)


def _say_type(error: ValidationError, here: Place) -> Fault:
    names = [_TYPES.get(name, str(name)) for name in dict.fromkeys(_list(error.validator_value))]
    return here.fault("has the wrong type", got=_short(error.instance), expected=" or ".join(names))


def _say_choice(error: ValidationError, here: Place) -> Fault:
    allowed = _list(error.validator_value)
    near = nearest(str(error.instance), [str(value) for value in allowed])
    expected = ("one of " if len(allowed) > 1 else "") + ", ".join(json.dumps(value) for value in allowed)
    do = f"Did you mean {near!r}?" if near else None
    return here.fault("has a value that isn't allowed", got=shown(error.instance), expected=expected, do=do)


def _say_empty(error: ValidationError, here: Place) -> Fault:
    noun = "character" if error.validator == "minLength" else "item"
    least = error.validator_value
    what = "is too short" if error.instance else "is empty"
    return here.fault(what, expected=f"at least {least} {noun}{'s' if least != 1 else ''}")


def _say_bound(error: ValidationError, here: Place) -> Fault:
    words = {"exclusiveMinimum": "more than", "minimum": "at least", "exclusiveMaximum": "less than"}
    expected = f"{words.get(str(error.validator), 'at most')} {error.validator_value}"
    return here.fault("is out of bounds", got=str(error.instance), expected=expected)


def _plainly(error: ValidationError, here: Place) -> Fault:
    return here.fault(error.message)


_TYPES = {
    "object": "an object",
    "array": "a list",
    "string": "a string",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
}
_WORDS: dict[str, Callable[[ValidationError, Place], Fault]] = {
    "required": _say_missing,
    "additionalProperties": _say_unknown,
    SHAPE: _say_shape,
    "type": _say_type,
    "enum": _say_choice,
    "const": _say_choice,
    "minLength": _say_empty,
    "minItems": _say_empty,
    "minProperties": _say_empty,
    "exclusiveMinimum": _say_bound,
    "minimum": _say_bound,
    "exclusiveMaximum": _say_bound,
    "maximum": _say_bound,
}


def nearest(name: str, known: list[str]) -> str | None:
    """The known name that a misspelt one probably means."""
    found = get_close_matches(name.lower(), [other.lower() for other in known], n=1, cutoff=0.7)
    return next((other for other in known if found and other.lower() == found[0]), None)


def _short(value: Any) -> str:
    return kind_of(value) if isinstance(value, dict | list) or value is None else shown(value)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
