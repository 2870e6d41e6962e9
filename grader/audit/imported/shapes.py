"""The shapes in which other people's marks come, and the ratings that a row of each holds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from grader.stats.agreement.ratings import HUMAN, JUDGE

Kind = Literal["human", "judge", "adjudicated"]


class Rating(NamedTuple):
    """One rating of one item."""

    item: str
    problem: str
    rater: str
    kind: str
    run: int
    value: float | None
    """None: asked for, and not given."""
    tidy: bool = False
    """It is a row of its own."""


def _named(value: Any) -> Any:
    """Names may be whole numbers."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _number(value: Any) -> Any:
    """Met and not met as numbers; numbers as texts stay what they are, but in CSV all is text."""
    return float(value) if isinstance(value, bool) else value


Name = Annotated[str, BeforeValidator(_named), Field(min_length=1)]
Value = Annotated[float, BeforeValidator(_number), Field(ge=0, le=1, allow_inf_nan=False)] | None
Runs = list[Value] | Value
"""A judge's value, or one a run."""


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Tidy(BaseModel):
    """A row a rating."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    item: Name
    problem: Name
    rater: Name
    kind: Kind
    value: Value
    """From 0 to 1; empty: asked for, and not given."""
    run: Annotated[int, Field(ge=0)] | None = None
    """Which of several times that the rater rated the item; empty is 0."""

    def ratings(self) -> Iterator[Rating]:
        """The rating."""
        run = self.run or 0
        yield Rating(self.item, self.problem, self.rater, self.kind, run, self.value, tidy=True)


class Answered(_Shape):
    """A row an answer: people's values, and every judge's, one a run."""

    problem: Name
    id: Name
    human: Annotated[list[Value], Field(min_length=1)]
    judges: dict[str, Runs]

    def ratings(self) -> Iterator[Rating]:
        """Of all."""
        for place, value in enumerate(self.human):
            name = f"person {place + 1}"
            yield Rating(self.id, self.problem, name, HUMAN, 0, value)
        yield from _judged(self.id, self.problem, self.judges)


class Explained(_Shape):
    """A row an answer with a rubric of several points: each rater's value of each point."""

    problem: Name
    id: Name
    human1: Annotated[list[Value], Field(min_length=1)]
    human2: list[Value] | None = None
    human3: list[Value] | None = None
    judges: dict[str, list[Value]]
    runs_of: str | None = None
    """Whose repeats ``runs`` are; they are calls of their own, so they count as a rater of their own."""
    runs: list[list[Value]] = Field(default_factory=list)

    @model_validator(mode="after")
    def _one_value_a_point(self) -> Explained:
        points = len(self.human1)
        lists = [self.human2, self.human3, *self.judges.values(), *self.runs]
        if any(values is not None and len(values) != points for values in lists):
            raise ValueError(f"every rater gives a value for each of the {points} points")
        if self.runs and self.runs_of is None:
            raise ValueError("runs_of says whose repeats the runs are")
        return self

    def ratings(self) -> Iterator[Rating]:
        """Of all, an item a point."""
        people = [("human1", self.human1), ("human2", self.human2), ("human3", self.human3)]
        given = [(name, HUMAN, 0, values) for name, values in people if values is not None]
        given += [(name, JUDGE, 0, values) for name, values in self.judges.items()]
        given += [(f"{self.runs_of} (repeats)", JUDGE, run, values) for run, values in enumerate(self.runs)]
        for name, kind, run, values in given:
            for place, value in enumerate(values):
                item = f"{self.id}#{place + 1}"
                yield Rating(item, self.problem, name, kind, run, value)


class Criterion(_Shape):
    """A row a rubric criterion of a completion, as the meta-evaluation of HealthBench has them."""

    rubric: str
    binary_labels: Annotated[list[Annotated[bool, Field(strict=True)] | None], Field(min_length=1)]
    """Physicians' verdicts."""
    anonymized_physician_ids: list[Name]
    prompt_id: Name | None = None
    completion_id: Name | None = None
    prompt: Any = None
    completion: str | None = None
    criteria_met: Annotated[bool, Field(strict=True)] | None = None
    """The grader's verdict; null: it gave none."""
    grader: Name = "grader"
    judges: dict[str, Runs] = Field(default_factory=dict)
    """Verdicts of several graders."""

    @model_validator(mode="after")
    def _fits(self) -> Criterion:
        if len(self.binary_labels) != len(self.anonymized_physician_ids):
            raise ValueError("binary_labels and anonymized_physician_ids are of the same physicians")
        if self.completion_id is None and self.completion is None:
            raise ValueError("completion_id or completion says what was graded")
        if self.prompt_id is None and self.prompt is None:
            raise ValueError("prompt_id or prompt says what was answered")
        return self

    def ratings(self) -> Iterator[Rating]:
        """Of physicians and graders; the prompt is the problem."""
        problem = self.prompt_id or _short(json.dumps(self.prompt, sort_keys=True))
        item = f"{self.completion_id or _short(f'{problem} {self.completion}')}/{_short(self.rubric)}"
        for place, label in enumerate(self.binary_labels):
            name, value = self.anonymized_physician_ids[place], None if label is None else float(label)
            yield Rating(item, problem, name, HUMAN, 0, value)
        if "criteria_met" in self.model_fields_set:
            met = None if self.criteria_met is None else float(self.criteria_met)
            yield Rating(item, problem, self.grader, JUDGE, 0, met)
        yield from _judged(item, problem, self.judges)


class Node(_Shape):
    """A node of a weighted rubric tree; leaves carry people's and judges' values."""

    id: Name
    weight: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1.0
    children: list[Node] = Field(default_factory=list)
    human: Runs = None
    judges: dict[str, Runs] = Field(default_factory=dict)

    def leaves(self) -> Iterator[Node]:
        """In order."""
        if not self.children:
            yield self
        for child in self.children:
            yield from child.leaves()


class Tree(_Shape):
    """A rubric tree: one problem, an item a leaf."""

    tree: Node
    source: Name = "tree"
    root_score_as_published: float | None = None

    def ratings(self) -> Iterator[Rating]:
        """Of all leaves."""
        for leaf in self.tree.leaves():
            people = leaf.human if isinstance(leaf.human, list) else [leaf.human]
            for place, value in enumerate(people):
                name = f"person {place + 1}"
                yield Rating(leaf.id, self.source, name, HUMAN, 0, value)
            yield from _judged(leaf.id, self.source, leaf.judges)


Shape = Tidy | Answered | Explained | Criterion | Tree
SHAPES: dict[str, type[Shape]] = {
    "value": Tidy,
    "rater": Tidy,
    "binary_labels": Criterion,
    "human1": Explained,
    "tree": Tree,
    "human": Answered,
}
"""By a field that only rows of that shape have."""


def shape_of(fields: dict[str, Any]) -> type[Shape] | None:
    """The shape of a row, by its fields; None: of none."""
    return next((shape for name, shape in SHAPES.items() if name in fields), None)


def _judged(item: str, problem: str, judges: dict[str, Runs]) -> Iterator[Rating]:
    for name, given in judges.items():
        for run, value in enumerate(given if isinstance(given, list) else [given]):
            yield Rating(item, problem, name, JUDGE, run, value)


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
