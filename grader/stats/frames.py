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

from grader.archive.errata import Erratum
from grader.archive.store import Archive
from grader.score import DIGITS
from grader.stats.checked import Checked, checked_of, is_checked
from grader.stats.columns import (
    CELL,
    CELLS,
    COUNTED,
    ITEMS,
    MARKS,
    NODES,
    PROBLEMS,
    RUNS,
    SETS,
    SUBQUESTIONS,
    TRACKS,
)
from grader.stats.details import Details, details
from grader.stats.losses import losses
from grader.stats.point_rows import node_row
from grader.stats.reading import Source
from grader.stats.rubrics import Rubrics
from grader.stats.together import Together, read_together
from grader.stats.totals import Totals, sets_of

LEVELS = ("cells", "problems", "subquestions", "answers", "points", "items", "nodes", "runs", "sets")
"""The frames there are."""


class Frames:
    """The frames of some runs; each is made when it is first looked at."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._whole = self._corrects = False

    def expect(self, *, whole: bool, corrects: bool) -> None:
        """Say before they are made whether answers and points will be looked at, and corrected scores.

        Then what rests on every verdict is read together, in one reading of the archive.
        """
        self._whole, self._corrects = whole, corrects

    @classmethod
    def of(cls, archive: Archive, runs: Sequence[str] = ()) -> Frames:
        """The frames of the runs of these names (all by default), under their last gradings.

        A response that several of the runs hold is counted once, under the run
        graded last. Raises UsageError for an unknown run and for an archive without
        graded runs; the frames raise it for runs that were graded by different
        versions of a problem.
        """
        return cls(Source(archive, runs))

    @cached_property
    def cells(self) -> pd.DataFrame:
        """One row a cell."""
        added = _added(self.problems.assign(problems=1), CELL, ["problems", "subquestions", "answers"])
        scores = [score for one in self._totals for score in one["scores"]]
        counted = pd.DataFrame([_counted(score) for score in scores], columns=[*CELL, *COUNTED])
        counted = counted.groupby(CELL, as_index=False).sum()
        cells = added.merge(counted, on=CELL, how="left", validate="one_to_one")
        sets = sets_of(self.source, self._totals)
        sizes = [self.source.size(sets[cell]) for cell in zip(*(cells[name] for name in CELL), strict=True)]
        cells["missing"] = pd.Series(sizes, dtype="int64") - cells["subquestions"]
        cells["state"] = ["partial" if missing else "complete" for missing in cells["missing"]]
        return cells[CELLS]

    @cached_property
    def problems(self) -> pd.DataFrame:
        """One row a problem of a cell."""
        subs = self.subquestions.assign(subquestions=1)
        return _added(subs, [*CELL, "problem_id"], ["subquestions", "answers"])[PROBLEMS]

    @cached_property
    def subquestions(self) -> pd.DataFrame:
        """One row a subquestion of a cell, its samples added up."""
        frame = _subquestions([row for one in self._totals for row in one["subquestions"]])
        frame = frame.take(self.source.order(frame))
        places = self.source.subquestions
        frame["position"] = [places[one][0] for one in zip(frame["problem_id"], frame["sub_id"], strict=True)]
        return _added(frame, [*CELL, "problem_id", "sub_id", "position"], ["answers"])[SUBQUESTIONS]

    @cached_property
    def answers(self) -> pd.DataFrame:
        """One row an answer of a sample to a subquestion."""
        return self._details.answers

    @cached_property
    def points(self) -> pd.DataFrame:
        """One row a scoring node in an answer of a sample."""
        return self._details.points

    @cached_property
    def lost(self) -> pd.DataFrame:
        """The frame of points with the marks that each lost: see ``grader.stats.losses``."""
        return losses(self.points, self.rubrics)

    @cached_property
    def items(self) -> pd.DataFrame:
        """One row a subquestion of the sets."""
        return pd.DataFrame(list(self._items()), columns=ITEMS)

    @cached_property
    def nodes(self) -> pd.DataFrame:
        """One row a scoring node of the sets' rubrics."""
        return pd.DataFrame(list(self._nodes()), columns=NODES)

    @cached_property
    def rubrics(self) -> Rubrics:
        """The nodes and the mark of each subquestion, for what must be scored anew."""
        return {key: sub for key, (_, sub) in self.source.subquestions.items()}

    @cached_property
    def errata(self) -> list[Erratum]:
        """What was disputed of the answers, and what came of it."""
        return list(self.source.errata())

    @cached_property
    def spot_checked(self) -> bool:
        """Whether people marked anything of a spot check: else no score can be corrected."""
        return is_checked(self.source)

    @cached_property
    def checked(self) -> Checked | None:
        """The points beside people's marks; None where no score can be corrected: reading takes a while."""
        if not self.spot_checked:
            return None
        return (self._read.checked if self._corrects else None) or checked_of(self.source)

    @cached_property
    def runs(self) -> pd.DataFrame:
        """One row a run: its set, the judge whose verdicts count, and whether that one is provisional."""
        return pd.DataFrame(list(self._runs()), columns=RUNS)

    @cached_property
    def sets(self) -> pd.DataFrame:
        """One row a set that a run was graded on."""
        source, names = self.source, self.source.archive.set_names()
        rows = [
            (digest, names[digest], len(entries), source.size(frozenset([digest])))
            for digest, entries in source.members.items()
        ]
        return pd.DataFrame(rows, columns=SETS)

    @cached_property
    def _read(self) -> Together:
        """What is read together; ``checked`` only where people marked something."""
        corrects = self._corrects and self.spot_checked
        return read_together(self.source, details=self._whole, checked=corrects)

    @cached_property
    def _totals(self) -> Sequence[Totals]:
        return self._read.totals

    @cached_property
    def _details(self) -> Details:
        return (self._read.details if self._whole else None) or details(self.source)

    def _items(self) -> Iterator[tuple[Any, ...]]:
        for problem_id, problem in self.source.problems.items():
            for position, sub in enumerate(problem.subquestions):
                images = len(problem.header_images) + len(sub.text_images)
                yield (problem_id, sub.sub_id, position, sub.full_mark, tuple(sub.tags), images)

    def _nodes(self) -> Iterator[tuple[Any, ...]]:
        for (problem_id, sub_id), (_, sub) in self.source.subquestions.items():
            for place, point in enumerate(sub.points):
                yield (problem_id, sub_id, *node_row(point, place), point.node.text)

    def _runs(self) -> Iterator[tuple[Any, ...]]:
        for graded, one in zip(self.source.runs, self._totals, strict=True):
            run, grading = graded.run, graded.grading
            provisional = bool((one["judge"] or {}).get("provisional"))
            yield (run.name, run.digest, grading.set_digest, grading.card, provisional, run.created)


def _added(frame: pd.DataFrame, keys: Sequence[str], counts: Sequence[str]) -> pd.DataFrame:
    """Counts and marks added up over rows of the same keys, in the order these come first."""
    added = frame.groupby(list(keys), sort=False, as_index=False)[[*counts, *MARKS]].sum()
    return added.round(dict.fromkeys(MARKS, DIGITS))


def _subquestions(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """The subquestions of summaries, all in marks."""
    names = {name: name for name in (*CELL, "problem_id", "sub_id", "answers")}
    names |= {name: name for name in ("earned", "full_mark", "earned_follow")}
    names |= {"low": "low_marks", "high": "high_marks"}
    columns = {name: [row[key] for row in rows] for name, key in names.items()}
    decided = [row["by_track"] for row in rows]
    return pd.DataFrame({**columns, **{one: [marks.get(one, 0.0) for marks in decided] for one in TRACKS}})


def _counted(score: Mapping[str, Any]) -> dict[str, Any]:
    """How many responses a cell has, and how many are no plain answer."""
    counts = {"responses": score["responses"], "failed": score["failed"], **score["flags"]}
    return {**{name: score[name] for name in CELL}, **counts}
