"""What is run, by whom and under which conditions, and the header that says so."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader import __version__
from grader.errors import ProblemError, UsageError
from grader.model.keys import Redactor
from grader.model.request import Endpoint
from grader.problem.set import ProblemSet
from grader.protocol.canary import canary_faults
from grader.protocol.plan import Plan
from grader.protocol.profile import Profile
from grader.protocol.reader import Reader
from grader.protocol.scaffold import scaffolds_digest
from grader.protocol.solver import Solver
from grader.record import RunHeader
from grader.record.run_file import SCHEMA_VERSION


@dataclass(frozen=True)
class RunRequest:
    """What is run, by whom, and where it is kept."""

    problems: ProblemSet
    solver: Solver
    plan: Plan
    profile: Profile
    out: Path
    reader: Reader | None = None
    """Asked in text_reader."""
    most_side: int = 2048
    """Pixels of an image's longer side; a larger one is shrunk to it."""
    width: int = 16
    """Conversations under way at once."""

    def __post_init__(self) -> None:
        if not self.out.name:
            raise UsageError("the run needs a file", got=repr(str(self.out)), do="Name one by --out.")
        modes = {mode for _, mode in self.plan.conditions}
        if "text_reader" in modes and self.reader is None:
            raise UsageError("text_reader needs a reader", do="Name a vision model by --reader.")
        if "text_reader" in modes and self.reader is not None:
            self.reader.check_sees()
        if "multimodal" in modes and not self.solver.sees():
            raise UsageError(
                f"{self.solver.endpoint.model} sees no images, so it can't be run in multimodal",
                expected="text_only or text_reader",
                do="Say --vision if it does see them (in a sweep: vision = true).",
            )
        if faults := list(canary_faults(self.problems, self.plan.problems, granted=self.plan.grants)):
            raise ProblemError(faults)
        if self.plan.grants and self.plan.grants_nothing():
            raise UsageError(
                "oracle_scaffolded grants standard results, and none of the problems asked has one",
                file=str(self.problems.path),
                expected="a standard_result, or a rubric to derive one from",
                do="Add one, leave oracle_scaffolded out, or say --oracle-scope none.",
            )

    @property
    def journal_path(self) -> Path:
        """Where the calls of a run that is made alone are kept."""
        return self.out.with_name(self.out.name.removesuffix(".jsonl") + ".calls.jsonl")

    def header(self) -> RunHeader:
        """All that the responses depend on besides the problems."""
        asked = self.solver.endpoint
        parameters = {
            **self.solver.parameters,
            "samples": self.plan.samples,
            "images": {"most_side": self.most_side},
            **_at(asked),
        }
        if asked.model != self.solver.name:
            parameters["asked"] = asked.model
        if any(protocol == "oracle_scaffolded" for protocol, _ in self.plan.conditions):
            parameters["oracle"] = self._oracle()
        if self.reader is not None:
            parameters["reader"] = _of_reader(self.reader)
        return RunHeader(
            schema_version=SCHEMA_VERSION,
            model=self.solver.name,
            problems=os.path.relpath(self.problems.path.resolve(), self.out.resolve().parent),
            visible_hash=self.problems.visible_hash,
            prompt_profile=self.profile.label,
            parameters=parameters,
            versions={"argus": __version__},
        )

    def _oracle(self) -> dict[str, Any]:
        """What oracle_scaffolded grants; of the whole set, as more of its problems may be asked later."""
        oracle = self.plan.oracle
        said: dict[str, Any] = {"scope": oracle.scope, "session": oracle.session}
        if oracle.scope != "none":
            said["scaffolds"] = scaffolds_digest(self.problems.problems.values())
        return said


def _at(endpoint: Endpoint) -> dict[str, Any]:
    """Where an endpoint is, if not at its provider's; whatever could be a key in the URL is hidden."""
    return {} if endpoint.api_base is None else {"api_base": Redactor(os.environ).text(endpoint.api_base)}


def _of_reader(reader: Reader) -> dict[str, Any]:
    return {
        "model": reader.endpoint.model,
        "most_calls": reader.most_calls,
        "descriptions": reader.descriptions,
        **_at(reader.endpoint),
        **reader.parameters,
    }
