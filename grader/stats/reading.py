"""Runs of an archive under their last gradings, and the sets they were graded on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from grader.archive.entry import Grading, ProblemEntry, Run
from grader.archive.errata import Erratum
from grader.archive.read import GradedAnswer
from grader.archive.store import Archive
from grader.errors import UsageError
from grader.grade.plan import Plan, PlannedSubquestion, plan
from grader.problem.model import Problem
from grader.record import Response
from grader.record.values import MODES, PROTOCOLS

Cell = tuple[str, str, str]
"""Model, protocol, mode."""

_PROTOCOLS: Mapping[str, int] = {name: place for place, name in enumerate(PROTOCOLS)}
_MODES: Mapping[str, int] = {name: place for place, name in enumerate(MODES)}


@dataclass(frozen=True, slots=True)
class GradedRun:
    """A run and what it was graded under last."""

    run: Run
    grading: Grading
    elsewhere: tuple[int, ...]
    """Runs graded later that hold some of its responses: these are counted there."""


class Source:
    """Some runs of an archive that can be looked at together. Reads; writes nothing."""

    def __init__(self, archive: Archive, named: Sequence[str] = (), card: str | None = None) -> None:
        """``card``: the runs that this judge card (``name`` or ``name@hash``) graded, as it did last."""
        self.archive = archive
        self.runs = _graded(archive, _runs(archive, named), card)

    @cached_property
    def members(self) -> Mapping[str, Sequence[ProblemEntry]]:
        """The problems of each set, by its digest."""
        digests = dict.fromkeys(one.grading.set_digest for one in self.runs)
        return {digest: self.archive.set_problems(digest) for digest in digests}

    @cached_property
    def problems(self) -> Mapping[str, Problem]:
        """The problems of all the runs' sets as they were graded, by id and in their order.

        UsageError where runs were graded by different versions of one.
        """
        entries: dict[str, ProblemEntry] = {}
        for one in (entry for several in self.members.values() for entry in several):
            if entries.setdefault(one.problem_id, one).hash != one.hash:
                raise self._mixed(one.problem_id)
        return {name: Problem.model_validate(dict(entries[name].content)) for name in sorted(entries)}

    @cached_property
    def plan(self) -> Plan:
        """What the problems ask of grading."""
        return plan(self.problems, self.archive.name)

    @cached_property
    def subquestions(self) -> Mapping[tuple[str, str], tuple[int, PlannedSubquestion]]:
        """Each subquestion and its place in its problem, by problem and id, in the set's order."""
        return {
            (problem_id, sub.sub_id): (position, sub)
            for problem_id, subs in self.plan.subquestions.items()
            for position, sub in enumerate(subs)
        }

    def size(self, sets: frozenset[str]) -> int:
        """How many subquestions some sets hold together."""
        problem_ids = {entry.problem_id for digest in sets for entry in self.members[digest]}
        return sum(len(self.plan.subquestions[one]) for one in problem_ids)

    def order(self, frame: pd.DataFrame) -> npt.NDArray[np.intp]:
        """What sorts a frame: model; protocol and mode as they are always listed; the set's order; sample."""
        places = self._places
        where = [places[one] for one in zip(frame["problem_id"], frame["sub_id"], strict=True)]
        keys: list[npt.ArrayLike] = [frame["sample"].to_numpy()] if "sample" in frame else []
        keys += [where, frame["mode"].map(_MODES).to_numpy(), frame["protocol"].map(_PROTOCOLS).to_numpy()]
        return np.lexsort([*map(np.asarray, keys), pd.factorize(frame["model"], sort=True)[0]])

    @cached_property
    def _places(self) -> Mapping[tuple[str, str], int]:
        return {one: place for place, one in enumerate(self.subquestions)}

    def answers(self, graded: GradedRun) -> Iterator[GradedAnswer]:
        """The answers of a run that aren't counted under another one, without what is said in words."""
        return self.archive.graded(graded.run, under=graded.grading, elsewhere=graded.elsewhere, texts=False)

    def responses(self, graded: GradedRun) -> Iterator[tuple[int, Response]]:
        """The responses of a run that aren't counted under another one, with their lines."""
        return self.archive.responses_of(graded.run, graded.elsewhere)

    def errata(self) -> Iterator[Erratum]:
        """The disputes about responses that the runs hold, the oldest first."""
        runs = {graded.run.id for graded in self.runs}
        for one in self.archive.errata():
            digests = (member.response_digest for member in one.item.entry.members)
            if any(not runs.isdisjoint(self.archive.runs_of(digest)) for digest in digests):
                yield one

    def _mixed(self, problem_id: str) -> UsageError:
        names = (
            one.run.name
            for digest, entries in self.members.items()
            if problem_id in {entry.problem_id for entry in entries}
            for one in self.runs
            if one.grading.set_digest == digest
        )
        return UsageError(
            "the runs were graded by different versions of a problem, so they can't be compared",
            file=self.archive.name,
            got=f"{problem_id}, in runs {', '.join(names)}",
            do="Grade them again with one set, or name the runs that belong together.",
        )


def _runs(archive: Archive, named: Sequence[str]) -> list[Run]:
    if not named:
        return archive.runs()
    found = {run.id: run for name in named for run in archive.runs(name)}
    return [found[one] for one in sorted(found)]


def _graded(archive: Archive, runs: Sequence[Run], card: str | None) -> list[GradedRun]:
    last = {run.id: grading for run in runs if (grading := archive.grading(run, card)) is not None}
    if not last and card is not None:
        known = dict.fromkeys(one.card for run in runs if (one := archive.grading(run)) and one.card)
        raise UsageError(
            "no run was graded by this judge", file=archive.name, got=card, expected=", ".join(known) or None
        )
    if not last:
        raise UsageError(
            "the archive holds no graded run" if not runs else "none of the runs has been graded",
            file=archive.name,
            do="Grade one first: argus grade RUN.jsonl.",
        )
    shared = archive.shared_responses(list(last))
    return [
        GradedRun(
            run,
            last[run.id],
            tuple(other for other in sorted(shared.get(run.id, ())) if last[other].id > last[run.id].id),
        )
        for run in runs
        if run.id in last
    ]
