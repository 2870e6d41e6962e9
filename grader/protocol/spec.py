"""What a user says of a run, in options or in a sweep's file, and the request that is meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Literal

from pydantic import Field

from grader.errors import UsageError
from grader.model.options import Closed
from grader.problem.model import Problem
from grader.problem.set import ProblemSet
from grader.protocol.plan import Condition, Plan
from grader.protocol.profile import DEFAULT, load_profile
from grader.protocol.request import RunRequest
from grader.protocol.solver import ReaderSpec, SolverSpec
from grader.protocol.turns import MODES, PROTOCOLS, Oracle, ShownMode, ShownProtocol


class OracleSpec(Closed):
    """What ``oracle_scaffolded`` grants, and to whom; see ``grader.protocol.turns.Oracle``."""

    scope: Literal["previous", "all", "none"] = "previous"
    session: Literal["isolated", "shared"] = "isolated"


class ShownSpec(Closed):
    """What a solver is shown, and how."""

    protocols: tuple[ShownProtocol, ...] = Field(default=("full_problem",), min_length=1, strict=False)
    modes: tuple[ShownMode, ...] = Field(default=("text_only",), min_length=1, strict=False)
    samples: int = Field(default=1, ge=1)
    """Answers to each question under each condition."""
    oracle: OracleSpec = OracleSpec()
    profile: str = DEFAULT
    """The prompt profile: its name, or a .toml file."""
    most_side: int = Field(default=2048, ge=64)
    """Pixels of an image's longer side; a larger one is shrunk to it."""
    only: tuple[str, ...] = Field(default=(), strict=False)
    """Problem ids; empty: the whole set."""
    reader: ReaderSpec | None = None
    """Asked in text_reader."""

    def conditions(self) -> tuple[Condition, ...]:
        """Every protocol in every mode, in the order of the vocabulary."""
        wanted = product(self.protocols, self.modes)
        return tuple(sorted(set(wanted), key=lambda one: (PROTOCOLS.index(one[0]), MODES.index(one[1]))))

    def request(self, problems: ProblemSet, solver: SolverSpec, out: Path) -> RunRequest:
        """The run that is meant. Raises UsageError for what can't be run."""
        # one that nobody can ask is no part of the run
        reader = (
            self.reader.beside([solver]).reader() if self.reader and "text_reader" in self.modes else None
        )
        plan = Plan(
            chosen(problems, self.only),
            self.conditions(),
            self.samples,
            Oracle(self.oracle.scope, self.oracle.session),
            descriptions=reader is not None and reader.descriptions,
        )
        return RunRequest(
            problems=problems,
            solver=solver.solver(),
            plan=plan,
            profile=load_profile(self.profile),
            out=out,
            reader=reader,
            most_side=self.most_side,
            # a person has one conversation at a time; whoever else has others ready when one waits
            width=1 if solver.human is not None else 2 * solver.limits.concurrency,
        )


def chosen(problems: ProblemSet, only: Sequence[str]) -> list[Problem]:
    """The problems that are named, in the order of the set; all of them where none is. Raises UsageError."""
    for name in only:
        if name not in problems.problems:
            raise UsageError("no such problem in the set", got=name, expected=_near(name, problems.problems))
    return [one for name, one in problems.problems.items() if not only or name in only]


def _near(name: str, names: Iterable[str]) -> str:
    known = list(names)
    return ", ".join(difflib.get_close_matches(name, known, n=3) or known[:3])
