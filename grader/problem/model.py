"""The problem: one closed unit of shared header and an ordered chain of subquestions.

Field names are those of the public ChemArgus release, whose files load unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from grader.problem.checks import Check


class Closed(BaseModel):
    """A frozen model that refuses fields it doesn't know."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Image(Closed):
    """An image file of the set, with the description that stands in for it in text modes."""

    file: str = Field(min_length=1)
    description: str = ""


class Point(Closed):
    """The scoring unit. With ``check`` it is formal, without it flexible."""

    id: str = Field(min_length=1)
    points: float = Field(gt=0, strict=False, allow_inf_nan=False)
    text: str
    check: Check | None = None
    partial: bool = False
    """The award may be a fraction."""
    follow: str | None = None
    """An expression over earlier values: the value that is right after the answer's own earlier error."""
    draft: bool = False
    """The check was proposed by a program and no chemist has accepted it: it never decides."""


class Group(Closed):
    """Members that earn together under a rule; groups nest."""

    id: str = Field(min_length=1)
    points: float = Field(gt=0, strict=False, allow_inf_nan=False)
    text: str
    rule: Literal["sum", "all", "any", "count"]
    """sum: members earn independently; all: everything or nothing; any: the best member;
    count: the best ``take`` members, or the number of met members through ``table``."""
    take: int | None = Field(default=None, ge=1)
    table: dict[str, float] | None = Field(default=None, strict=False)
    of: tuple[GroupMember, ...] = Field(default=(), strict=False)


class Deduction(Closed):
    """Marks taken off when its condition is met."""

    id: str = Field(min_length=1)
    points: float = Field(lt=0, strict=False, allow_inf_nan=False)
    text: str
    scope: str | None = None
    """A node id; without it the whole subquestion."""
    each: bool = False
    """Once for every occurrence; its award is the share of ``max`` that is lost."""
    max: float | None = Field(default=None, gt=0, strict=False)
    """The most marks it can take."""
    check: Check | None = None


class Veto(Closed):
    """If met, its scope earns nothing."""

    id: str = Field(min_length=1)
    veto: Literal[True]
    text: str
    scope: str | None = None
    """A node id; without it the whole subquestion."""
    check: Check | None = None


class Note(Closed):
    """Guidance for judges and reviewers, worth nothing."""

    note: str


def node_shape(value: Any) -> str | None:
    """Which kind of rubric node a raw value is meant to be, by the field that marks it."""
    if isinstance(value, str):
        return "line"
    if isinstance(value, BaseModel):
        return type(value).__name__.lower()
    if not isinstance(value, Mapping):
        return None
    if "note" in value:
        return "note"
    if "veto" in value:
        return "veto"
    if "rule" in value or "of" in value:
        return "group"
    points = value.get("points")
    if isinstance(points, int | float) and points < 0:
        return "deduction"
    return "point"


GroupMember = Annotated[
    Annotated[Point, Tag("point")] | Annotated[Group, Tag("group")], Discriminator(node_shape)
]
Node = Annotated[
    Annotated[Point, Tag("point")]
    | Annotated[Group, Tag("group")]
    | Annotated[Deduction, Tag("deduction")]
    | Annotated[Veto, Tag("veto")]
    | Annotated[Note, Tag("note")],
    Discriminator(node_shape),
]
RubricItem = Annotated[
    Annotated[str, Tag("line")]
    | Annotated[Point, Tag("point")]
    | Annotated[Group, Tag("group")]
    | Annotated[Deduction, Tag("deduction")]
    | Annotated[Veto, Tag("veto")]
    | Annotated[Note, Tag("note")],
    Discriminator(node_shape),
]


class Subquestion(Closed):
    """One link of the chain."""

    sub_id: str = Field(min_length=1)
    tags: tuple[str, ...] = Field(default=(), strict=False)
    text_open: str
    text_images: tuple[Image, ...] = Field(default=(), strict=False)
    files: tuple[str, ...] = Field(default=(), strict=False)
    """Visible input files of a file task."""
    full_mark: float = Field(gt=0, strict=False, allow_inf_nan=False)
    rubric: tuple[RubricItem, ...] | None = Field(default=None, strict=False)
    """Native lines and typed nodes side by side; absent in a set that is published without rubrics."""
    rubric_images: tuple[Image, ...] = Field(default=(), strict=False)
    """Private: no model ever sees them."""
    rubric_files: tuple[str, ...] = Field(default=(), strict=False)
    """Private gold files of a file task."""
    standard_result: str | None = None
    """Private: the scaffold that oracle_scaffolded grants to the next subquestion."""


class Problem(Closed):
    """One problem: header, images and subquestions in order."""

    schema_: str | None = Field(default=None, alias="$schema")
    problem_id: str = Field(min_length=1)
    header: str
    header_images: tuple[Image, ...] = Field(default=(), strict=False)
    subquestions: tuple[Subquestion, ...] = Field(min_length=1, strict=False)

    @property
    def gradable(self) -> bool:
        """Whether every subquestion has a rubric."""
        return all(sub.rubric is not None for sub in self.subquestions)

    def subquestion(self, sub_id: str) -> Subquestion:
        """The subquestion of that id; KeyError if there is none."""
        for sub in self.subquestions:
            if sub.sub_id == sub_id:
                return sub
        raise KeyError(sub_id)


ScoringNode = Point | Group | Deduction | Veto | Note


def walk(nodes: tuple[ScoringNode, ...]) -> Iterator[ScoringNode]:
    """Every node of a rubric, groups before their members, in order."""
    for node in nodes:
        yield node
        if isinstance(node, Group):
            yield from walk(node.of)
