"""One answer before a judge, as a grading would have it: in an archive that is thrown away."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from grader.archive.call_entry import Spent, StoredCall
from grader.archive.read import GradedPoint
from grader.archive.store import open_archive
from grader.errors import UsageError, shown
from grader.grade.asking import JudgeRequest
from grader.grade.pipeline import GradeRequest, grade
from grader.model.request import ModelRequest
from grader.problem.set import ProblemSet


@dataclass(frozen=True)
class Trial:
    """What a judge made of one answer."""

    card: str
    """``<name>@<hash>``."""
    sub_id: str
    points: tuple[GradedPoint, ...]
    calls: tuple[tuple[ModelRequest, StoredCall], ...]
    """Every attempt, in its order."""
    spent: Spent
    failures: tuple[str, ...]
    """Checks that raised: bugs."""

    @property
    def open(self) -> list[str]:
        """The points that stay undetermined."""
        return [
            one.point_id for one in self.points if one.standing is not None and one.standing.award is None
        ]

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        return {
            "card": self.card,
            "sub_id": self.sub_id,
            "points": [_point(point) for point in self.points],
            "undetermined": self.open,
            "calls": [_call(request, call) for request, call in self.calls],
            "prompt_tokens": self.spent.prompt_tokens,
            "completion_tokens": self.spent.completion_tokens,
            "cost": self.spent.cost if self.spent.replies > self.spent.unknown_cost else None,
            "unpriced": self.spent.unknown_cost,
        }


def trial(judge: JudgeRequest, problems: ProblemSet, sub_id: str, text: str) -> Trial:
    """Grade one answer to one subquestion: code decides, the judge is asked, nothing is kept.

    Raises UsageError for a subquestion that the set doesn't have, and what a grading raises.
    """
    if sub_id not in problems.owners:
        known = _some(list(problems.owners))
        raise UsageError("the set has no such subquestion", got=shown(sub_id), expected=known)
    with tempfile.TemporaryDirectory(prefix="argus-") as folder:
        run = Path(folder) / "answer.jsonl"
        run.write_text(json.dumps({"model": "answer", "sub_id": sub_id, "text": text}) + "\n", "utf-8")
        with open_archive(f"sqlite:///{folder}/archive.db") as archive:
            result = grade(GradeRequest(run=run, problems=problems, judge=judge, workers=1), archive)
            (graded,) = archive.graded(result.run)
            calls = [(archive.request(call.key), call) for call in archive.calls(result.run)]
            spent = archive.spent(result.run).total
    return Trial(judge.card.label, sub_id, graded.points, tuple(calls), spent, tuple(result.failures))


def _some(names: Sequence[str], most: int = 10) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} others" if len(names) > most else "")


def _point(point: GradedPoint) -> dict[str, Any]:
    standing = point.standing
    return {
        "point_id": point.point_id,
        "status": standing and standing.status,
        "award": standing and standing.award,
        "reason": standing and standing.reason,
        "by": standing and standing.by,
        "verdicts": [asdict(stored.verdict) for stored in point.verdicts],
    }


def _call(request: ModelRequest, call: StoredCall) -> dict[str, Any]:
    attempt = call.attempt
    return {
        "purpose": call.purpose,
        "request": request.body(),
        "vote": request.vote,
        "failure": attempt.failure,
        "error": attempt.error,
        "reply": attempt.raw,
        "finish_reason": attempt.finish_reason,
        "usage": asdict(attempt.usage),
        "cost": attempt.cost,
        "latency": attempt.latency,
    }
