"""A report before it is printed: sections of texts, tables and figures, and the same numbers as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import pandas as pd

from grader.render.tables import DataTable

if TYPE_CHECKING:
    from grader.archive.errata import Erratum
    from grader.report.figure_svg import Figure
    from grader.stats.checked import Checked
    from grader.stats.reading import Source
    from grader.stats.rubrics import Rubrics

SCHEMA_VERSION = 1

Row = dict[str, Any]


class Levels(Protocol):
    """A graded archive as frames, one a level: ``grader.stats.frames.Frames``, or a few made by hand."""

    @property
    def cells(self) -> pd.DataFrame:
        """One row a model under a protocol and mode."""

    @property
    def problems(self) -> pd.DataFrame:
        """One row a problem of a cell."""

    @property
    def subquestions(self) -> pd.DataFrame:
        """One row a subquestion of a cell."""

    @property
    def answers(self) -> pd.DataFrame:
        """One row an answer of a sample."""

    @property
    def points(self) -> pd.DataFrame:
        """One row a node of an answer's rubric."""

    @property
    def items(self) -> pd.DataFrame:
        """One row a subquestion of the set."""

    @property
    def nodes(self) -> pd.DataFrame:
        """One row a node of the set's rubrics."""

    @property
    def runs(self) -> pd.DataFrame:
        """One row a run."""

    @property
    def lost(self) -> pd.DataFrame:
        """The frame of points with the marks that each lost."""

    @property
    def rubrics(self) -> Rubrics:
        """What answers are scored by."""

    @property
    def errata(self) -> Sequence[Erratum]:
        """What was disputed, and what came of it."""

    @property
    def spot_checked(self) -> bool:
        """Whether people marked anything of a spot check."""

    @property
    def checked(self) -> Checked | None:
        """The points beside people's marks; None where there is no marked spot check."""

    @property
    def source(self) -> Source:
        """The runs and rubrics that the frames are of."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a report is made."""

    level: float = 0.95
    """Of intervals; tests are at 1 - level."""
    seed: int = 0
    paper_names: bool = False
    """Gaps by the names of the paper's section 3.3."""
    public: bool = False
    """Rubrics, standard results and what judges saw and said are left out."""
    pages: bool = False
    """It stands beside a page a problem, which its tables may lead to."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report."""

    key: str
    title: str
    tables: tuple[DataTable, ...] = ()
    text: tuple[str, ...] = ()
    """Paragraphs before the tables."""
    says: tuple[str, ...] = ()
    """Sentences for the summary at the top."""
    draw: Callable[[], Iterable[Figure]] = tuple
    """Makes its figures, which only pages show."""
    data: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    """Its JSON form: rows by name, numbers unrounded; documented in docs/output.md."""
    more: Callable[[], Mapping[str, Sequence[Row]]] = dict
    """The same of what takes a while to write, and is made for JSON alone."""


@dataclass(frozen=True, slots=True)
class Report:
    """A report ready to be printed in any format."""

    title: str
    runs: tuple[Row, ...]
    options: Options
    summary: tuple[str, ...]
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    """What holds for every table: whose verdicts count, what is provisional."""
    checks: tuple[Row, ...] = ()
    """Thresholds that were asked for, and whether they hold."""

    def as_json(self) -> Row:
        """Documented in docs/output.md."""
        return {
            "schema_version": SCHEMA_VERSION,
            "title": self.title,
            "runs": list(self.runs),
            "level": self.options.level,
            "seed": self.options.seed,
            "gap_names": "paper" if self.options.paper_names else "argus",
            "public": self.options.public,
            "summary": list(self.summary),
            "notes": list(self.notes),
            "sections": {
                section.key: {
                    "title": section.title,
                    "says": list(section.says),
                    **section.data,
                    **section.more(),
                }
                for section in self.sections
            },
            "checks": list(self.checks),
        }
