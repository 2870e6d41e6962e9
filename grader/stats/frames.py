"""A graded archive as tidy pandas frames, one a level; docs/frames.md says what each column holds.

A *cell* is a model under a protocol and a mode. Cells, problems and
subquestions come from the summaries that gradings left, where these hold, and
so take a moment; answers and points are read from what stands, verdict by verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import pandas as pd

from grader.archive.store import Archive
from grader.grade.summary import Flagged, awards_of, summarise
from grader.problem.model import Veto
from grader.record.flags import FLAGS
from grader.record.values import MODES, PROTOCOLS
from grader.score import SubquestionScore, score_subquestion
from grader.stats.point_rows import point_rows
from grader.stats.reading import GradedRun, Source

Row = dict[str, Any]

CELL = ["model", "protocol", "mode"]
TRACKS = ["formal", "located", "judge", "human"]
MARKS = ["earned", "full_mark", "low", "high", "earned_follow", *TRACKS]
"""In marks, added up over what a row stands for."""
COUNTED = ["responses", "failed", *FLAGS]
SUBQUESTIONS = [*CELL, "problem_id", "sub_id", "position", "answers", *MARKS]
PROBLEMS = [*CELL, "problem_id", "subquestions", "answers", *MARKS]
CELLS = [*CELL, "state", "problems", "subquestions", "missing", "answers", *MARKS, *COUNTED]
ANSWER = [*CELL, "problem_id", "sub_id", "position", "sample", "run", "response"]
ANSWERS = [*ANSWER, "cut", "error", *MARKS]
ITEMS = ["problem_id", "sub_id", "position", "full_mark", "tags", "visible_images"]
NODES = ["problem_id", "sub_id", "point_id", "place", "shape", "kind", "points", "text"]


class Frames:
    """The frames of some runs; each is made when it is first looked at."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @classmethod
    def of(cls, archive: Archive, runs: Sequence[str] = ()) -> Frames:
        """The frames of the runs of these names (all by default), under their last gradings.

        Raises UsageError for an unknown run, for an archive without graded runs,
        and for runs that were graded by different versions of a problem.
        """
        return cls(Source(archive, runs))

    @cached_property
    def subquestions(self) -> pd.DataFrame:
        """One row a subquestion of a cell, its samples added up."""
        rows = [row for graded in self.source.runs for row in self._summary(graded)["subquestions"]]
        frame = pd.DataFrame([_summed(row, self._position(row)) for row in rows], columns=SUBQUESTIONS)
        keys = [*CELL, "problem_id", "sub_id", "position"]
        return self._sorted(frame.groupby(keys, sort=False, as_index=False).sum()[SUBQUESTIONS])

    @cached_property
    def problems(self) -> pd.DataFrame:
        """One row a problem of a cell."""
        subs = self.subquestions.assign(subquestions=1)
        keys = [*CELL, "problem_id"]
        added = subs.groupby(keys, sort=False, as_index=False)[["subquestions", "answers", *MARKS]].sum()
        return added[PROBLEMS]

    @cached_property
    def cells(self) -> pd.DataFrame:
        """One row a cell."""
        problems = self.problems.assign(problems=1)
        added = problems.groupby(CELL, sort=False, as_index=False)[
            ["problems", "subquestions", "answers", *MARKS]
        ].sum()
        scores = [score for graded in self.source.runs for score in self._summary(graded)["scores"]]
        flagged = pd.DataFrame([_counted(score) for score in scores], columns=[*CELL, *COUNTED])
        flagged = flagged.groupby(CELL, as_index=False).sum()
        cells = added.merge(flagged, on=CELL, how="left", validate="one_to_one")
        cells["missing"] = self.source.plan.size - cells["subquestions"]
        cells["state"] = cells["missing"].map(lambda missing: "partial" if missing else "complete")
        return cells[CELLS]

    @cached_property
    def answers(self) -> pd.DataFrame:
        """One row an answer of a sample to a subquestion."""
        return self._details[0]

    @cached_property
    def points(self) -> pd.DataFrame:
        """One row a scoring node in an answer of a sample."""
        return self._details[1]

    @cached_property
    def items(self) -> pd.DataFrame:
        """One row a subquestion of the sets."""
        return pd.DataFrame(list(self._items()), columns=ITEMS)

    @cached_property
    def nodes(self) -> pd.DataFrame:
        """One row a scoring node of the sets' rubrics."""
        return pd.DataFrame(list(self._nodes()), columns=NODES)

    @cached_property
    def runs(self) -> pd.DataFrame:
        """One row a run: name, digest, the judge whose verdicts count, and whether it is provisional."""
        rows = []
        for graded in self.source.runs:
            judge = self._summary(graded).get("judge") or {}
            rows.append(
                {
                    "run": graded.run.name,
                    "digest": graded.run.digest,
                    "set": graded.grading.set_digest,
                    "card": graded.grading.card,
                    "provisional": bool(judge.get("provisional")),
                    "created": graded.run.created,
                }
            )
        return pd.DataFrame(rows, columns=["run", "digest", "set", "card", "provisional", "created"])

    @cached_property
    def _summaries(self) -> dict[int, Mapping[str, Any]]:
        return {}

    def _summary(self, graded: GradedRun) -> Mapping[str, Any]:
        """What a run came to: what its grading left, or added up anew where that no longer holds."""
        if graded.run.id not in self._summaries:
            self._summaries[graded.run.id] = self._held(graded) or self._anew(graded)
        return self._summaries[graded.run.id]

    def _held(self, graded: GradedRun) -> Mapping[str, Any] | None:
        held = None if graded.elsewhere else self.source.archive.summary(graded.grading)
        # a summary of an older Argus has its ends as rounded shares only
        return held if held and all("low_marks" in row for row in held["subquestions"]) else None

    def _anew(self, graded: GradedRun) -> Mapping[str, Any]:
        archive = self.source.archive
        earlier = archive.summary(graded.grading, earlier=True) or {"scores": [], "judge": None}
        summed = summarise(
            archive, graded.run, self.source.plan, Flagged(), elsewhere=graded.elsewhere
        ).as_json(self.source.plan)
        counted = {_cell(score): _counted(score) for score in earlier["scores"]}
        scores = [{**score, **counted.get(_cell(score), {})} for score in summed["scores"]]
        return {**summed, "scores": scores, "judge": earlier["judge"]}

    def _position(self, row: Mapping[str, Any]) -> int:
        return self.source.subquestions[row["problem_id"], row["sub_id"]][0]

    @cached_property
    def _details(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        answers: list[Row] = []
        points: dict[str, list[Any]] = {}
        for graded in self.source.runs:
            for answer in self.source.answers(graded):
                position, sub = self.source.subquestions[answer.response.problem_id, answer.answer.sub_id]
                score = score_subquestion(sub.nodes, sub.full_mark, awards_of(answer))
                head = answer.response
                place = (head.model, head.protocol, head.mode, head.problem_id, sub.sub_id, position)
                where = (*place, head.sample, graded.run.name, head.digest)
                more = {"cut": answer.answer.cut, "error": head.error is not None}
                answers.append({**dict(zip(ANSWER, where, strict=True)), **more, **_marks(score)})
                for row in point_rows(answer, sub, graded.grading):
                    for name, value in zip((*ANSWER, *row), (*where, *row.values()), strict=True):
                        points.setdefault(name, []).append(value)
        return self._resampled(pd.DataFrame(answers, columns=ANSWERS)), self._resampled(pd.DataFrame(points))

    def _resampled(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The samples of a cell counted through where several runs hold some."""
        keys = [*CELL, "problem_id", "sub_id"]
        together = frame[[*keys, "run", "sample"]].drop_duplicates()
        together["counted"] = together.groupby(keys, sort=False).cumcount()
        frame = frame.merge(together, on=[*keys, "run", "sample"], how="left", validate="many_to_one")
        frame["sample"] = frame.pop("counted")
        return self._sorted(frame)

    def _sorted(self, frame: pd.DataFrame) -> pd.DataFrame:
        order = {problem_id: index for index, problem_id in enumerate(self.source.problems)}
        ranks = {
            "protocol": {name: index for index, name in enumerate(PROTOCOLS)},
            "mode": {name: index for index, name in enumerate(MODES)},
            "problem_id": order,
        }
        names = [*CELL, "problem_id", "position", *(one for one in ("sample", "place") if one in frame)]

        def in_order(column: Any) -> Any:
            return column.map(ranks[str(column.name)]) if column.name in ranks else column

        return frame.sort_values(
            names,
            key=in_order,
            kind="stable",
            ignore_index=True,
        )

    def _items(self) -> Iterator[tuple[Any, ...]]:
        for problem_id, problem in self.source.problems.items():
            for position, sub in enumerate(problem.subquestions):
                images = len(problem.header_images) + len(sub.text_images)
                yield (problem_id, sub.sub_id, position, sub.full_mark, tuple(sub.tags), images)

    def _nodes(self) -> Iterator[tuple[Any, ...]]:
        for (problem_id, sub_id), (_, sub) in self.source.subquestions.items():
            for place, point in enumerate(sub.points):
                node = point.node
                kind = point.check.kind if point.check is not None else None
                points = None if isinstance(node, Veto) else node.points
                yield (problem_id, sub_id, node.id, place, point.shape, kind, points, node.text)


def _summed(row: Mapping[str, Any], position: int) -> Row:
    """A subquestion of a summary, all in marks."""
    full, tracks = row["full_mark"], row["by_track"]
    marks = {"earned": row["earned"], "full_mark": full, "earned_follow": row["earned_follow"]}
    ends = {"low": row["low_marks"], "high": row["high_marks"]}
    names = {name: row[name] for name in (*CELL, "problem_id", "sub_id", "answers")}
    return {**names, "position": position, **marks, **ends, **{one: tracks.get(one, 0.0) for one in TRACKS}}


def _marks(score: SubquestionScore) -> Row:
    decided = dict[str, float](score.by_track.items())
    tracks = {one: decided.get(one, 0.0) for one in TRACKS}
    return {**{name: getattr(score, name) for name in MARKS if name not in TRACKS}, **tracks}


def _cell(score: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(score[name] for name in CELL)


def _counted(score: Mapping[str, Any]) -> Row:
    """How many responses a cell has, and how many are no plain answer."""
    flags: Row = {flag: score.get("flags", {}).get(flag, 0) for flag in FLAGS}
    counts = {"responses": score.get("responses", 0), "failed": score.get("failed", 0)}
    return {**{name: score[name] for name in CELL}, **counts, **flags}
