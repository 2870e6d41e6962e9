"""Case files: answers with right verdicts, and how far the formal track agrees with them.

A case is a line ``{id, kind, expected, options, answer, verdict}``; verdict is
``met``, ``not_met`` or ``undetermined``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from grader.answer.answer import Answer
from grader.errors import CaseError, Fault, shown
from grader.formal.task import CheckTask, checkers, findings
from grader.problem.checks import Check, CheckModel
from grader.record import Finding, Status

SCHEMA_VERSION = 1


class Case(BaseModel):
    """One line of a case file."""

    model_config = ConfigDict(extra="allow", frozen=True)

    id: str
    kind: str
    expected: Any
    options: dict[str, Any] = {}
    answer: str
    verdict: Literal["met", "not_met", "undetermined"]


@dataclass(slots=True)
class Count:
    """How the findings of some cases compare with their right verdicts."""

    cases: int = 0
    agree: int = 0
    wrong_met: int = 0
    """Given credit though the right verdict is not_met or undetermined."""
    wrong_not_met: int = 0
    """Refused though the right verdict is met or undetermined."""
    undetermined: int = 0
    """Left open though the right verdict is met or not_met."""

    def add(self, status: Status, right: str) -> None:
        """Count one case."""
        self.cases += 1
        if status == right:
            self.agree += 1
        elif status is Status.MET:
            self.wrong_met += 1
        elif status is Status.NOT_MET:
            self.wrong_not_met += 1
        else:
            self.undetermined += 1


@dataclass(slots=True)
class CaseReport:
    """The formal track measured on a case file."""

    total: Count = field(default_factory=Count)
    by_kind: dict[str, Count] = field(default_factory=dict)
    disagreements: list[tuple[Case, Finding]] = field(default_factory=list)

    def add(self, case: Case, finding: Finding) -> None:
        """Count one case."""
        for count in (self.total, self.by_kind.setdefault(case.kind, Count())):
            count.add(finding.status, case.verdict)
        if finding.status != case.verdict:
            self.disagreements.append((case, finding))

    def as_json(self) -> dict[str, Any]:
        """``cases, agree, wrong_met, wrong_not_met, undetermined, by_kind, disagreements``."""
        return {
            "schema_version": SCHEMA_VERSION,
            **_count_json(self.total),
            "by_kind": {kind: _count_json(count) for kind, count in sorted(self.by_kind.items())},
            "disagreements": [
                {
                    "id": case.id,
                    "kind": case.kind,
                    "verdict": case.verdict,
                    "got": finding.status,
                    "reason": finding.reason,
                    "found": finding.found,
                    "detail": finding.detail,
                }
                for case, finding in self.disagreements
            ],
        }


def _count_json(count: Count) -> dict[str, int]:
    return {name: getattr(count, name) for name in Count.__slots__}


def run_cases(path: Path, *, workers: int | None = None) -> CaseReport:
    """Put every case of a file to the formal track.

    Raises CaseError naming every line that isn't a case.
    """
    cases = list(read_cases(path))
    found: dict[int, Finding] = {}
    tasks = [CheckTask.of(check, Answer(case.answer), key) for key, (case, check) in enumerate(cases)]
    with checkers(workers) as team:
        for task, finding in chain.from_iterable(findings(team, tasks)):
            assert isinstance(task.key, int)
            found[task.key] = finding
    report = CaseReport()
    for key, (case, _) in enumerate(cases):
        report.add(case, found[key])
    return report


def read_cases(path: Path) -> Iterator[tuple[Case, CheckModel]]:
    """The cases of a file with their checks; CaseError lists every faulty line at the end."""
    adapter: TypeAdapter[CheckModel] = TypeAdapter(Check)
    faults: list[Fault] = []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise CaseError(f"can't read the cases: {why}", file=str(path)) from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = Case.model_validate_json(line)
            check = adapter.validate_python({"kind": case.kind, "expected": case.expected, **case.options})
        except ValidationError as error:
            faults.extend(_faults(path, number, error))
            continue
        yield case, check
    if faults:
        raise CaseError(faults)


def _faults(path: Path, number: int, error: ValidationError) -> Iterator[Fault]:
    for item in error.errors(include_url=False):
        pointer = "".join(f"/{part}" for part in item["loc"])
        yield Fault(item["msg"], str(path), number, pointer or None, shown(item["input"]))
