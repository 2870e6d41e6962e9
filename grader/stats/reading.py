"""Runs of an archive under their last gradings, and the sets they were graded on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from grader.archive.entry import Grading, Run
from grader.archive.read import GradedAnswer
from grader.archive.store import Archive
from grader.errors import UsageError
from grader.grade.plan import Plan, PlannedSubquestion, plan
from grader.problem.model import Problem


@dataclass(frozen=True, slots=True)
class GradedRun:
    """A run and what it was graded under last."""

    run: Run
    grading: Grading
    elsewhere: tuple[int, ...]
    """Runs graded later that hold some of its responses: these are counted there."""


class Source:
    """Some runs of an archive that can be looked at together. Reads; writes nothing."""

    def __init__(self, archive: Archive, named: Sequence[str] = ()) -> None:
        self.archive = archive
        self.runs = _graded(archive, _runs(archive, named))

    @cached_property
    def problems(self) -> Mapping[str, Problem]:
        """The problems of all the runs' sets as they were graded, by id and in their order."""
        found: dict[str, tuple[str, Problem]] = {}
        for digest in dict.fromkeys(one.grading.set_digest for one in self.runs):
            for entry in self.archive.set_problems(digest):
                known = found.get(entry.problem_id)
                if known is None:
                    found[entry.problem_id] = (entry.hash, Problem.model_validate(dict(entry.content)))
                elif known[0] != entry.hash:
                    raise UsageError(
                        "the runs were graded by different versions of a problem, so they can't be compared",
                        file=self.archive.name,
                        got=entry.problem_id,
                        do="Grade them again with one set, or name the runs that belong together.",
                    )
        return {problem_id: problem for problem_id, (_, problem) in sorted(found.items())}

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

    def answers(self, graded: GradedRun) -> Iterator[GradedAnswer]:
        """The answers of a run that aren't counted under another one."""
        return self.archive.graded(graded.run, elsewhere=graded.elsewhere)


def _runs(archive: Archive, named: Sequence[str]) -> list[Run]:
    if not named:
        return archive.runs()
    found = {run.id: run for name in named for run in archive.runs(name)}
    return [found[one] for one in sorted(found)]


def _graded(archive: Archive, runs: Sequence[Run]) -> list[GradedRun]:
    last = {run.id: grading for run in runs if (grading := archive.grading(run)) is not None}
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
