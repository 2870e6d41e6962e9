"""What a set's authors can show for its problems: expert reviews, probing models, pilot students.

``signoff.jsonl`` beside the problems has one line for each; ``[gate]`` in
``gate.toml`` says how much is wanted. docs/gate.md is about both.
"""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    RootModel,
    ValidationError,
    model_validator,
)

from grader.errors import Fault, ProblemError, shown
from grader.problem.layout import find
from grader.problem.place import Place
from grader.problem.set import ProblemSet
from grader.problem.strict_json import parse_object

SIGNOFF, GATE = "signoff.jsonl", "gate.toml"
_GATES = ("review", "probe", "pilot")

Name = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


def _written(value: object) -> object:
    """A date is written out: a number would be taken for seconds since 1970."""
    if not isinstance(value, str):
        raise ValueError("a date is written as 2026-12-02")
    return value


Day = Annotated[datetime.date, BeforeValidator(_written), Field(strict=False)]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Review(_Line):
    """An expert's word on one problem as it was then."""

    gate: Literal["review"]
    problem_id: Name
    content: Annotated[str, Field(pattern="^[0-9a-f]{12,64}$")]
    """The content hash of the problem that was reviewed, or its first 12 digits or more."""
    reviewer: Name
    date: Day
    decision: Literal["accept", "revise", "reject"]
    role: str | None = None
    """As what: expert, author, second reader."""
    notes: str | None = None


class Probe(_Line):
    """A run of models that should find the problems hard."""

    gate: Literal["probe"]
    run: Name
    """Its name in the archive, how its digest begins, or its file, relative to the set."""
    model: Name | None = None
    """Only this model of the run."""
    notes: str | None = None


class Pilot(_Line):
    """A run of students."""

    gate: Literal["pilot"]
    run: Name
    """Its name in the archive, how its digest begins, or its file, relative to the set."""
    model: Name | None = None
    """Only this student of the run."""
    notes: str | None = None


class SignoffLine(RootModel[Annotated[Review | Probe | Pilot, Field(discriminator="gate")]]):
    """One line of signoff.jsonl."""


class GateRules(BaseModel):
    """How much a problem needs to pass; a count of 0 asks nothing of a gate. The defaults are ours."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    reviews: int = Field(default=2, ge=0)
    """Reviewers who accept the problem as it is."""
    probes: int = Field(default=1, ge=0)
    """Models that were tried on it."""
    probe_score: Share = 0.5
    """What each of them earns at most of its marks, under whatever condition it does best."""
    pilots: int = Field(default=3, ge=0)
    """Students who answered it."""
    pilot_low: Share = 0.1
    """What students earn of its marks in the mean, at least."""
    pilot_high: Share = 0.95
    """And at most."""
    pilot_minutes: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """Minutes that students need in the mean, at most; None: nobody looks at the time."""

    @model_validator(mode="after")
    def _in_order(self) -> GateRules:
        if self.pilot_low > self.pilot_high:
            raise ValueError("pilot_low is above pilot_high")
        return self


@dataclass(frozen=True)
class Signoff:
    """All lines of a set's signoff.jsonl, in their order."""

    root: Path
    """The folder of the set."""
    reviews: tuple[Review, ...] = ()
    probes: tuple[Probe, ...] = ()
    pilots: tuple[Pilot, ...] = ()
    rules: GateRules = field(default_factory=GateRules)


def read_signoff(problems: ProblemSet, changes: dict[str, Any] | None = None) -> Signoff:
    """What is written down for a set, and its rules; ``changes`` stand above those of gate.toml.

    A set without either file has no lines and our defaults. Raises ProblemError
    with every fault of both.
    """
    root = find(problems.path).root
    faults: list[Fault] = []
    lines = list(_lines(root / SIGNOFF, problems, faults))
    rules = _rules(root / GATE, changes or {}, faults)
    if faults or rules is None:
        raise ProblemError(faults)
    return Signoff(
        root,
        tuple(one for one in lines if isinstance(one, Review)),
        tuple(one for one in lines if isinstance(one, Probe)),
        tuple(one for one in lines if isinstance(one, Pilot)),
        rules,
    )


def _lines(file: Path, problems: ProblemSet, faults: list[Fault]) -> Iterator[Review | Probe | Pilot]:
    for number, raw in enumerate(_bytes(file, faults).split(b"\n"), start=1):
        place = Place(str(file), number)
        if not raw.strip():
            continue
        value, found = parse_object(raw, place)
        faults += found
        try:
            line = SignoffLine.model_validate(value).root if value is not None else None
        except ValidationError as error:
            faults += _faults(error, place)
            continue
        if isinstance(line, Review) and line.problem_id not in problems.problems:
            known = ", ".join(problems.problems)
            what = "the set has no such problem"
            faults.append(place.at("problem_id").fault(what, got=shown(line.problem_id), expected=known))
        elif line is not None:
            yield line


def _bytes(file: Path, faults: list[Fault]) -> bytes:
    try:
        return file.read_bytes() if file.exists() else b""
    except OSError as error:
        faults.append(Fault("can't be read", file=str(file), got=error.strerror))
        return b""


def _rules(file: Path, changes: dict[str, Any], faults: list[Fault]) -> GateRules | None:
    try:
        table = tomllib.loads(_bytes(file, faults).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        faults.append(Fault("is not TOML", file=str(file), got=str(error)))
        return None
    own = table.pop("gate", {})
    if table or not isinstance(own, dict):
        got = ", ".join(table) or "gate without a table"
        faults.append(Fault("holds something else than [gate]", file=str(file), got=got, expected="[gate]"))
        return None
    place = Place(str(file) if own else "options").at("gate")
    try:
        return GateRules.model_validate(own | changes)
    except ValidationError as error:
        faults += _faults(error, place)
        return None


def _faults(error: ValidationError, place: Place) -> Iterator[Fault]:
    for found in error.errors():
        # beside fields, a location names the branch of the union that was taken
        parts = [part for part in found["loc"] if part not in _GATES]
        if found["type"] == "union_tag_invalid":
            gate = shown(found["input"].get("gate"))
            yield place.at("gate").fault("no such gate", got=gate, expected=", ".join(_GATES))
        elif found["type"] == "extra_forbidden":
            yield place.at(*parts).fault("unknown field", do="Remove it, or correct its name.")
        else:
            got = None if isinstance(found["input"], dict) else shown(found["input"])
            yield place.at(*parts).fault(found["msg"].removeprefix("Value error, "), got=got)
