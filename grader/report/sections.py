"""The sections of a report, in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from grader.errors import UsageError
from grader.report.causes import causes_section
from grader.report.census import census_section
from grader.report.chain import chain_section
from grader.report.document import Levels, Options, Section
from grader.report.errata import errata_section
from grader.report.fragility import fragility_section
from grader.report.gaps import mode_gaps, protocol_gaps
from grader.report.lost import losses_section
from grader.report.reviewed import reviewed_section
from grader.report.scores import ranking_section, scores
from grader.report.tags import tags_section
from grader.report.tracks import tracks_section

Builder = Callable[[Levels, Options], Section | None]


@dataclass(frozen=True, slots=True)
class SectionKind:
    """A section by name. One that has nothing to say is left out; if it was asked for, a sentence says so."""

    key: str
    build: Builder
    needs: str = ""
    """What it can't be made without."""
    deep: bool = False
    """It reads every verdict, which takes a while: made for HTML, or when asked for."""
    corrects: bool = False
    """It shows scores or gaps as people's marks would have them."""
    named: bool = False
    """It was asked for by name."""


KINDS: tuple[SectionKind, ...] = (
    SectionKind("scores", scores),
    SectionKind("rankings", ranking_section, "two models under one condition"),
    SectionKind("gaps", protocol_gaps, "a model under two protocols", corrects=True),
    SectionKind("modes", mode_gaps, "a model under two modes", corrects=True),
    SectionKind("census", census_section),
    SectionKind("tracks", tracks_section),
    SectionKind("errata", errata_section, "verdicts that were disputed"),
    SectionKind("tags", tags_section, "a set with tags", deep=True),
    SectionKind("chain", chain_section, "problems of several subquestions", deep=True),
    SectionKind("losses", losses_section, deep=True),
    SectionKind("causes", causes_section, deep=True),
    SectionKind("fragility", fragility_section, "two scores to compare", deep=True),
    SectionKind("reviewed", reviewed_section, deep=True, corrects=True),
)
NAMES = tuple(kind.key for kind in KINDS)


def chosen(named: Sequence[str], *, deep: bool) -> tuple[SectionKind, ...]:
    """The sections of those names, in the report's order; without names all, ``deep`` ones only if wanted.

    UsageError for a name that no section has.
    """
    for name in named:
        if name not in NAMES:
            raise UsageError("no such section", got=name, expected=", ".join(NAMES))
    if named:
        return tuple(replace(kind, named=True) for kind in KINDS if kind.key in named)
    return tuple(kind for kind in KINDS if deep or not kind.deep)
