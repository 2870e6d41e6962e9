"""Tasks for judges as the archive keeps them, so that what was asked can be asked again of replies alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from grader.judge.task import Criterion, JudgeFigure, JudgeTask
from grader.record import digest

_LISTS = ("before", "lines", "guidance", "facts")


def task_json(task: JudgeTask) -> dict[str, Any]:
    """A task as JSON."""
    return asdict(task)


def task_digest(task: JudgeTask) -> str:
    """The address of a task."""
    return digest(task_json(task))


def task_of(kept: Mapping[str, Any]) -> JudgeTask:
    """The task that the archive keeps."""
    return JudgeTask(
        header=kept["header"],
        question=kept["question"],
        answer=kept["answer"],
        criteria=tuple(_criterion(one) for one in kept["criteria"]),
        part=kept["part"],
        figures=tuple(JudgeFigure(**one) for one in kept["figures"]),
        rubric_figures=tuple(JudgeFigure(**one) for one in kept["rubric_figures"]),
        **{name: tuple(kept[name]) for name in _LISTS},
    )


def _criterion(kept: Mapping[str, Any]) -> Criterion:
    return Criterion(**{**kept, "terms": tuple(kept["terms"]), "facts": tuple(kept["facts"])})
