"""One check on one answer, as a person tries it out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import chain
from typing import Any

from pydantic import TypeAdapter, ValidationError

from grader.answer.answer import Answer
from grader.errors import Fault, UsageError, shown
from grader.formal.task import CheckTask, checkers, findings
from grader.problem.checks import KINDS, Check, CheckModel
from grader.record import Finding

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
    raise UsageError([_fault(item) for item in failure.errors(include_url=False)])


def _fault(item: Any) -> Fault:
    name = "/".join(str(part) for part in item["loc"][1:])
    return Fault(item["msg"], pointer=name or None, got=shown(item["input"]))


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def decide_one(check: CheckModel, text: str) -> Finding:
    """The finding of one check on one answer, under the limits of every check."""
    with checkers(1) as workers:
        ((_, finding),) = chain.from_iterable(findings(workers, [CheckTask.of(check, Answer(text))]))
    return finding
