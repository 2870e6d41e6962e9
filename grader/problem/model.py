"""The problem: one closed unit of shared header and an ordered chain of subquestions.

Field names are those of the public ChemArgus release, whose files load unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from grader.problem.checks import Check


class Closed(BaseModel):
    """A frozen model that refuses fields it doesn't know."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Image(Closed):
    """An image file of the set, with the description that stands in for it in text modes."""

    file: str = Field(min_length=1)
    """Its name below the folder of images."""
    description: str = ""
    """What a reader would take from it, without the answer."""


class Follow(Closed):
    """What is right after the answer's own earlier error: either an ``expression`` or a ``reaction``."""

    model_config = ConfigDict(serialize_by_alias=True)

    sources: dict[str, str] = Field(alias="from", min_length=1)
    """Names for the values found at earlier points of the problem, and the ids of these points:
    ``point_id``, or ``sub_id/point_id`` where several points of the problem have that id."""
    expression: str | None = None
    """Arithmetic over the names; each value is in the unit of its own check, the result in the unit of
    this point's."""
    reaction: str | None = None
    """A reaction SMARTS with one product; its reactants are the structures found, in this order."""


class Point(Closed):
    """The scoring unit. With ``check`` it is formal, without it flexible."""

    id: str = Field(min_length=1)
    """Unique in the subquestion."""
    points: float = Field(gt=0, allow_inf_nan=False)
    """The marks it earns."""
    text: str
    """What earns them."""
    check: Check | None = None
    """How code decides it; without one a judge or a human does."""
    partial: bool = False
    """The award may be a fraction."""
    follow: Follow | None = None
    """What is right after the answer's own earlier error: it counts beside the strict score, never in it."""
    draft: bool = False
    """The check was proposed by a program and no chemist has accepted it: it never decides."""


class Group(Closed):
    """Members that earn together under a rule; groups nest."""

    id: str = Field(min_length=1)
    """Unique in the subquestion."""
    points: float = Field(gt=0, allow_inf_nan=False)
    """The most marks its members earn together."""
    text: str
    """What its members have in common."""
    rule: Literal["sum", "all", "any", "count"]
    """sum: members earn independently; all: everything or nothing; any: the best member;
    count: the best ``take`` members, or the number of met members through ``table``."""
    take: int | None = Field(default=None, ge=1)
    """How many members count (rule ``count``)."""
    table: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] | None = None
    """Marks by the number of met members; a count that is missing earns nothing."""
    of: tuple[GroupMember, ...] = Field(default=(), strict=False)
    """Its members: points and groups."""


class Deduction(Closed):
    """Marks taken off when its condition is met."""

    id: str = Field(min_length=1)
    """Unique in the subquestion."""
    points: float = Field(lt=0, allow_inf_nan=False)
    """The marks it takes, below zero."""
    text: str
    """The mistake that takes them."""
    scope: str | None = None
    """A node id; without it the whole subquestion."""
    each: bool = False
    """Once for every occurrence; its award is the share of ``max`` that is lost."""
    max: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """The most marks it can take."""
    check: Check | None = None
    """How code decides whether the mistake was made."""


class Veto(Closed):
    """If met, its scope earns nothing."""

    id: str = Field(min_length=1)
    """Unique in the subquestion."""
    veto: Literal[True]
    """Marks the node as a veto."""
    text: str
    """The mistake that forfeits the scope."""
    scope: str | None = None
    """A node id; without it the whole subquestion."""
    check: Check | None = None
    """How code decides whether the mistake was made."""


class Note(Closed):
    """Guidance for judges and reviewers, worth nothing."""

    note: str
    """What a marker should know."""


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
    """Unique in the whole set."""
    tags: tuple[str, ...] = Field(default=(), strict=False)
    """From the vocabulary of the set, if it has one."""
    text_open: str
    """The question as it is put."""
    text_images: tuple[Image, ...] = Field(default=(), strict=False)
    """Shown to models before the text."""
    files: tuple[str, ...] = Field(default=(), strict=False)
    """Visible input files of a file task."""
    full_mark: float = Field(gt=0, allow_inf_nan=False)
    """The marks of a full answer."""
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
    """The schema that editors hold the file against."""
    problem_id: str = Field(min_length=1)
    """Unique in the set, and the name of the task folder."""
    header: str
    """What all subquestions share."""
    header_images: tuple[Image, ...] = Field(default=(), strict=False)
    """Shown to models before the header."""
    subquestions: tuple[Subquestion, ...] = Field(min_length=1, strict=False)
    """The chain, in order."""

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


def named_points(reference: str, points: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Of a problem's points, as ``(sub_id, point_id)``, those that a ``follow`` names by ``reference``."""
    return [one for one in points if reference in (one[1], "/".join(one))]


def walk(nodes: tuple[ScoringNode, ...]) -> Iterator[ScoringNode]:
    """Every node of a rubric, groups before their members, in order."""
    for node in nodes:
        yield node
        if isinstance(node, Group):
            yield from walk(node.of)
