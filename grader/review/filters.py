"""Which part of the queue a person works on: what there is to choose from, and what was chosen."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import asdict, dataclass, field
from urllib.parse import parse_qsl, urlencode

from grader.archive.entry import Run
from grader.archive.review_entry import Wanted
from grader.archive.store import Archive
from grader.judge.routing import Doubt
from grader.problem.model import Problem, walk
from grader.problem.nodes import nodes
from grader.review.queue import OVERTURNS

FLEXIBLE = "flexible"
"""What no code decides."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen; empty: everything."""

    run: str = ""
    tag: str = ""
    reason: str = ""
    check: str = ""

    @classmethod
    def read(cls, text: str) -> Choice:
        """From a cookie or a form; what it can't be is left out."""
        given = dict(parse_qsl(text))
        return cls(**{name: given[name] for name in cls.__slots__ if name in given})

    def written(self) -> str:
        """As a cookie."""
        return urlencode({name: value for name, value in asdict(self).items() if value})


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to choose from."""

    runs: Mapping[str, str]
    """By id; named by digest and day, since the name of a run may say the model's."""
    tags: Mapping[str, Set[tuple[str, str]]]
    """The subquestions that have a tag."""
    reasons: tuple[str, ...]
    checks: tuple[str, ...]

    def wanted(self, choice: Choice, *, adjudications: bool) -> Wanted:
        """What is to be claimed; what there isn't to choose is no filter."""
        return Wanted(
            run_id=int(choice.run) if choice.run in self.runs else None,
            subs=self.tags.get(choice.tag),
            reason=choice.reason if choice.reason in self.reasons else None,
            check_kind=choice.check if choice.check in self.checks else None,
            adjudications=adjudications,
        )


@dataclass(slots=True)
class Catalogue:
    """Reads what there is to choose from; each problem set once."""

    archive: Archive
    _sets: dict[str, list[Problem]] = field(default_factory=dict)

    def choices(self) -> Choices:
        """What there is to choose from now."""
        runs: dict[str, str] = {}
        tags: dict[str, set[tuple[str, str]]] = {}
        checks: set[str] = set()
        for run in self.archive.runs():
            runs[str(run.id)] = f"{run.digest[:12]}, {run.created:%d %B %Y}"
            for problem in self._problems(run):
                _gather(problem, tags, checks)
        ordered = {name: tags[name] for name in sorted(tags)}
        reasons = (*(one.value for one in Doubt), OVERTURNS)
        return Choices(runs, ordered, reasons, (*sorted(checks), FLEXIBLE))

    def _problems(self, run: Run) -> list[Problem]:
        grading = self.archive.grading(run)
        if grading is None:
            return []
        if grading.set_digest not in self._sets:
            entries = self.archive.set_problems(grading.set_digest)
            self._sets[grading.set_digest] = [Problem.model_validate(one.content) for one in entries]
        return self._sets[grading.set_digest]


def _gather(problem: Problem, tags: dict[str, set[tuple[str, str]]], checks: set[str]) -> None:
    for sub in problem.subquestions:
        for tag in sub.tags:
            tags.setdefault(tag, set()).add((problem.problem_id, sub.sub_id))
        kinds = (getattr(node, "check", None) for node in walk(nodes(sub)))
        checks |= {check.kind for check in kinds if check is not None}
