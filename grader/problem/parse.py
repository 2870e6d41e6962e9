"""From a raw object to a Problem, or to all that keeps it from being one."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from grader.errors import Fault, shown
from grader.problem.model import Problem, Subquestion
from grader.problem.place import Place


@dataclass(frozen=True, slots=True)
class Parsed:
    """What could be made of a raw problem."""

    problem: Problem | None
    subquestions: tuple[tuple[int, Subquestion], ...]
    """Those that could be read, with their index: rules apply to them even where the problem is broken."""
    faults: tuple[Fault, ...]


def parse(raw: Mapping[str, Any], place: Place, *, thorough: bool) -> Parsed:
    """Read a raw problem.

    The schema and the models accept the same documents (a test holds them
    together). ``thorough`` asks the schema in any case; otherwise it is asked
    only after the models refused, for its better messages: a grading needn't
    pay for it.
    """
    problem, refused = _modelled(Problem, raw)
    if problem is not None and not thorough:
        return Parsed(problem, tuple(enumerate(problem.subquestions)), ())
    from grader.problem.structure import structure_faults

    faults = structure_faults(raw, place)
    if not faults and problem is not None:
        return Parsed(problem, tuple(enumerate(problem.subquestions)), ())
    if not faults and refused is not None:
        faults = _model_faults(refused, raw, place)
    return Parsed(None, _readable(raw, place), tuple(faults))


def _modelled(model: type[Any], raw: Any) -> tuple[Any, ValidationError | None]:
    try:
        return model.model_validate(raw), None
    except ValidationError as error:
        return None, error


def _readable(raw: Mapping[str, Any], place: Place) -> tuple[tuple[int, Subquestion], ...]:
    """The subquestions that can be read once fields that nobody meant are left out."""
    subs = raw.get("subquestions")
    if not isinstance(subs, list):
        return ()
    pruned = [(index, _modelled(Subquestion, _pruned(sub))[0]) for index, sub in enumerate(subs)]
    return tuple((index, sub) for index, sub in pruned if sub is not None)


def _pruned(sub: Any) -> Any:
    """A copy without unknown fields; one that misspells a known field stays, and makes the reading fail."""
    from grader.problem.structure import structure_faults

    sub = deepcopy(sub)
    for fault in structure_faults(sub, Place(""), "Subquestion"):
        if fault.what.startswith("unknown field") and fault.do == "Remove it.":
            _remove(sub, fault.pointer or "")
    return sub


def _remove(value: Any, pointer: str) -> None:
    *path, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for part in path:
        value = value[int(part)] if isinstance(value, list) else value[part]
    del value[last]


def _model_faults(error: ValidationError, raw: Any, place: Place) -> list[Fault]:
    return [_model_fault(found["loc"], found["msg"], found["input"], raw, place) for found in error.errors()]


def _model_fault(loc: tuple[int | str, ...], message: str, got: Any, raw: Any, place: Place) -> Fault:
    here: Any = raw
    for part in loc:
        # Beside keys and indices, a location names the branches of unions taken on the way.
        known = (
            part in here if isinstance(here, Mapping) else isinstance(here, list) and isinstance(part, int)
        )
        if known:
            here, place = here[part], place.at(part)
    what = message.removeprefix("Value error, ")
    return place.fault(what, got=None if isinstance(got, BaseModel | Mapping | list) else shown(got))
