"""The part of a problem that a model may see, as a type of its own.

Nothing private has a field here, so no code that works on a VisibleProblem can
show a rubric, a private image or a standard result by mistake.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from grader.problem.model import Image, Problem


@dataclass(frozen=True, slots=True)
class Figure:
    """An image under its neutral name: file names can tell which figures hold the answers."""

    name: str
    """``Figure 2``: numbered through the problem, so that it is the same under every protocol."""
    description: str
    """What its author says a reader takes from it."""
    file: str
    """Its name in the set, to fetch its bytes by; no model sees it."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """An input file under its neutral name."""

    name: str
    """``File 2``: numbered through the problem."""
    file: str
    """Its name in the set, to fetch its bytes by; no model sees it."""


@dataclass(frozen=True, slots=True)
class VisibleSubquestion:
    """What a model may see of one subquestion."""

    sub_id: str
    """For the record; no model sees it."""
    text: str
    figures: tuple[Figure, ...]
    files: tuple[Attachment, ...]


@dataclass(frozen=True, slots=True)
class VisibleProblem:
    """What a model may see of a problem."""

    problem_id: str
    """For the record; no model sees it."""
    header: str
    figures: tuple[Figure, ...]
    subquestions: tuple[VisibleSubquestion, ...]

    @property
    def every_figure(self) -> tuple[Figure, ...]:
        """Those of the header and of each subquestion, in order."""
        return (*self.figures, *(figure for sub in self.subquestions for figure in sub.figures))


def visible(problem: Problem) -> VisibleProblem:
    """The visible part of a problem, its images and files named in the order of their fields."""
    figures, files = count(1), count(1)

    def named(images: Iterable[Image]) -> tuple[Figure, ...]:
        return tuple(Figure(f"Figure {next(figures)}", image.description, image.file) for image in images)

    def attached(names: Iterable[str]) -> tuple[Attachment, ...]:
        return tuple(Attachment(f"File {next(files)}", name) for name in names)

    header = named(problem.header_images)
    subs = tuple(
        VisibleSubquestion(sub.sub_id, sub.text_open, named(sub.text_images), attached(sub.files))
        for sub in problem.subquestions
    )
    return VisibleProblem(problem.problem_id, problem.header, header, subs)
