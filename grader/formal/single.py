"""A check as a person tries it out: in words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from grader.errors import UsageError, shown
from grader.formal.checking import fault
from grader.problem.checks import KINDS, Check, CheckModel

_CHECK: TypeAdapter[CheckModel] = TypeAdapter(Check)


def check_of(kind: str, expected: str, options: Mapping[str, str]) -> CheckModel:
    """The check that a person means by words.

    An expected value is text for most kinds and JSON for the others, and so
    are options: the reading that fits is taken. Raises UsageError.
    """
    if kind not in KINDS:
        raise UsageError(f"unknown kind {shown(kind)}", expected=", ".join(KINDS))
    reserved = sorted({"kind", "expected"} & options.keys())
    if reserved:
        raise UsageError(f"{reserved[0]!r} is no option", do="It is given by its place.")
    failure: ValidationError | None = None
    for right in (expected, _value(expected)):
        for read in (options, {name: _value(value) for name, value in options.items()}):
            try:
                return _CHECK.validate_python({**read, "kind": kind, "expected": right})
            except ValidationError as error:
                failure = error
    assert failure is not None
    raise UsageError([fault(item) for item in failure.errors(include_url=False)])


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
