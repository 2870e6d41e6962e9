"""Archives that a scripted judge has judged in the process: calls, votes, repairs, spot check and all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.archive.call_entry import CallEntry
from grader.archive.entry import Run, VerdictEntry
from grader.archive.read import GradedAnswer
from grader.archive.store import Archive
from grader.audit.result import Audit, Measure, NotAudited
from grader.formal.task import checkers
from grader.grade import GradeRequest, grade
from grader.grade.asked import Left
from grader.grade.deciding import Deciding
from grader.grade.entries import engines
from grader.grade.judge_tasks import JudgeTasks
from grader.grade.judging import Judging
from grader.grade.plan import plan
from grader.grade.routes import Router
from grader.grade.summary import Flagged, summarise
from grader.judge.cards import LoadedCard
from grader.marks import read_marks, status_of
from grader.model.reply import Attempt, CallFailed, Reply
from grader.model.request import ModelRequest
from grader.problem.set import load_set
from grader.record import RunReader, Verdict
from tests.grade.small import line, point, write_lines
from tests.judge.scripted import WHEN, Asked, asked, body

Script = Callable[[Asked, GradedAnswer], str | Mapping[str, Any] | CallFailed]
"""What a judge says, told what it is asked and (as no judge is) whose answer it is."""


@dataclass
class Keeping:
    """Plays a script about one answer, and keeps every call as the client would."""

    archive: Archive
    run: Run
    card: LoadedCard
    script: Script
    answer: GradedAnswer

    async def ask(self, request: ModelRequest) -> Reply:
        known = self.archive.replies([request.key])
        if request.key in known:
            return Reply(request.key, known[request.key], archived=True)
        said = self.script(asked(request), self.answer)
        attempt = Attempt(WHEN, 0.0)
        if isinstance(said, CallFailed):
            attempt = replace(attempt, failure=said.failure, error=said.detail)
        else:
            raw = body(said) if isinstance(said, str) else said
            attempt = replace(attempt, raw=raw, finish_reason=raw["choices"][0]["finish_reason"])
        self.archive.put_calls([CallEntry(request, attempt, self.run.id, self.card.label, "judge")])
        if isinstance(said, CallFailed):
            raise said
        return Reply(request.key, attempt)


def problem(name: str, points: int = 2, **more: Any) -> dict[str, Any]:
    """A problem of one subquestion with flexible points of 2 marks, p1, p2, ..."""
    rubric = [point(f"p{n}", 2) | {"partial": True} for n in range(1, points + 1)]
    sub = {"sub_id": f"{name}-1", "text_open": f"Why {name}?", "full_mark": 2 * points, "rubric": rubric}
    return {"problem_id": name, "header": f"On {name}.", "subquestions": [sub | more]}


def write_problems(folder: Path, problems: Sequence[Mapping[str, Any]]) -> Path:
    """A set as a folder."""
    for one in problems:
        task = folder / "tasks" / one["problem_id"]
        task.mkdir(parents=True, exist_ok=True)
        (task / "problem.json").write_text(json.dumps(one))
    return folder


def write_answers(
    folder: Path,
    problems: Sequence[Mapping[str, Any]],
    models: Sequence[str],
    text: Callable[[str, str], str],
) -> Path:
    """A run in which each model answers each subquestion by ``text(model, sub_id)``."""
    subs = [sub["sub_id"] for one in problems for sub in one["subquestions"]]
    lines = [line(sub, text(model, sub), model) for model in models for sub in subs]
    return write_lines(folder / "run.jsonl", lines)


def judge_in_process(
    run: Path, archive: Archive, card: LoadedCard, script: Script, *, facts: bool = False
) -> None:
    """Let code decide (and find facts), then the scripted judge, then route and draw, as a grading does."""
    problems = load_set(run.parent)
    planned = plan(problems.problems, str(problems.path))
    archived = grade(GradeRequest(run, problems, workers=1), archive).run
    first = archive.grading(archived)
    assert first is not None
    grading = archive.begin_grading(archived, first.set_digest, engines(planned, card), card.label)
    if facts:
        catalogue = {
            name: [sub.sub_id for sub in one.subquestions] for name, one in problems.problems.items()
        }
        marks = read_marks((), problems.problems)
        deciding = Deciding(archive, archived, planned, marks, again=False, facts=True, progress=None)
        with checkers(1) as team:
            deciding.work(Flagged().counting(RunReader(run, catalogue)), team)
    tasks = JudgeTasks(problems, planned)

    def asker_of(answer: GradedAnswer, purpose: str) -> Keeping:
        return Keeping(archive, archived, card, script, answer)

    judging = Judging(archive, archived, grading, card, tasks, asker_of, Left())
    asyncio.run(judging.work(4))
    router = Router.of(archive, grading, card.card, {})
    summarise(archive, archived, planned, Flagged(), router)
    router.flush()


def give_marks(archive: Archive, run: Run, award: Callable[[GradedAnswer, str], float]) -> None:
    """A person's blind mark on every point of a run."""
    archive.put_verdicts(
        VerdictEntry(
            *(answer.response.digest, answer.response.problem_id, answer.answer.sub_id),
            *(point.point_hash or "", answer.answer.answer_hash),
            Verdict(point.point_id, status_of(given), "human:ann", given),
        )
        for answer in archive.graded(run)
        for point in answer.points
        for given in [award(answer, point.point_id)]
    )


def done(found: Audit | NotAudited) -> Audit:
    """An audit that could be done."""
    assert isinstance(found, Audit), found
    return found


def measure(found: Audit, name: str, of: str = "") -> Measure:
    """One of its numbers."""
    return next(one for one in found.measures if (one.name, one.of) == (name, of))
