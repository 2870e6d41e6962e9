"""The votes of a panel as a matrix: what each of its judges said of each point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from grader.audit.from_archive.judged import graded_answers, judged
from grader.record import Vote
from grader.stats.jackknife import Floats
from grader.stats.reading import Source

NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Voting:
    """Points that a panel voted on."""

    points: pd.DataFrame
    """A row a point: response, sub_id, point_id, problem_id, ``majority`` (nan: undetermined)."""
    members: tuple[str, ...]
    """``<card>@<hash>`` of its judges, by name."""
    first: Floats
    """[points, members], awards of the first round; nan where a judge wasn't asked in it, or failed.

    Who is asked first goes by the content of a task, and further votes are only
    cast where the first differ: so the first ones are a fair sample and all of them aren't.
    """
    every: Floats
    """[points, members], the first award of each judge in any round."""


def voting(source: Source, judge: str) -> Voting:
    """The votes behind the verdicts of ``<card>@<hash>`` that stand but for human marks."""
    rows: list[tuple[str, str, str, str, float]] = []
    cast: list[tuple[Vote, ...]] = []
    for answer, grading in graded_answers(source):
        head = answer.response
        for point in answer.points:
            verdict = judged(point, answer, grading, judge)
            if verdict is not None and verdict.votes:
                award = NAN if verdict.award is None else verdict.award
                rows.append((head.digest, answer.answer.sub_id, point.point_id, head.problem_id, award))
                cast.append(verdict.votes)
    members = tuple(sorted({vote.by for votes in cast for vote in votes}))
    # voting can end after the first round and never before, so the shortest is one
    round_one = min(map(len, cast), default=0)
    points = pd.DataFrame(rows, columns=["response", "sub_id", "point_id", "problem_id", "majority"])
    return Voting(
        points,
        members,
        _matrix([votes[:round_one] for votes in cast], members),
        _matrix(cast, members),
    )


def _matrix(cast: list[tuple[Vote, ...]], members: tuple[str, ...]) -> Floats:
    places = {name: place for place, name in enumerate(members)}
    found = np.full((len(cast), len(members)), NAN)
    for row, votes in enumerate(cast):
        for vote in reversed(votes):  # so that the first of a judge stays
            found[row, places[vote.by]] = NAN if vote.award is None else vote.award
    return found
