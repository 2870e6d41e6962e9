"""A15: replies that couldn't be read, calls that failed, points left open, and what they do to scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from grader.audit.from_archive.judged import graded_answers, judged, where
from grader.audit.from_archive.replies import CALL_FAILED, READ, Replies, replies
from grader.audit.from_archive.treatments import Treating, frame, scores
from grader.audit.result import Audit, Case, Measure, NotAudited
from grader.audit.shares import adjusted, against_the_rest, by_value, difference, share
from grader.audit.words import percent, signed
from grader.record import Verdict
from grader.stats.checked.machine import by_machine

if TYPE_CHECKING:
    from grader.archive.entry import Grading
    from grader.archive.read import GradedAnswer
    from grader.stats.checked import Checked
    from grader.stats.reading import Source

ID = "A15"
TOLERATED = 0.05
"""Share of requests without a readable reply above which, surely, a judge is said to be at fault."""
LEAST_REQUESTS, LEAST_PROBLEMS = 100, 30

OUTCOMES = {
    "truncated": "reply cut off at its token limit",
    "unparseable": "reply that can't be parsed",
    "missing_points": "reply that leaves points out",
    "out_of_range": "reply with an award out of range",
    "refusal": "refusal",
    "empty": "empty reply",
    CALL_FAILED: "call without a reply",
}
_FAILED, _OPEN = "request without a readable reply", "point left open"
_LENGTHS = ("short", "middling", "long")


def failures(checked: Checked, judge: str, *, level: float = 0.95, seed: int = 0) -> Audit | NotAudited:
    """How often asking ``judge`` (``<card>@<hash>``) came to nothing: all archived requests, no sample.

    Requests without a readable reply, by what was wrong, and points that stayed open after
    repairs and other votes; each by graded model, protocol and length of the answer (terciles),
    with intervals over problems, against each other with Holm's p. The score of each model
    with the open points left out, as zero, at their worst and at their best.
    """
    if judge == "formal":
        return NotAudited(ID, judge, "code makes no calls", "Name a judge card.")
    asked = replies(checked.source, judge)
    points, treated, cases = _points(checked.source, judge)
    if not len(points) and not asked.asked:
        card = judge.partition("@")[0]
        do = f"Grade a run with it: argus grade RUN --judge {card}."
        return NotAudited(ID, judge, "the archive holds no request to the judge", do)
    requests = _requests(asked)
    lengths = points.drop_duplicates(["response", "sub_id"])["length"]
    requests, points = (one.assign(tercile=_terciles(one["length"], lengths)) for one in (requests, points))
    tests = adjusted([*_tests(requests, _FAILED, level), *_tests(points, _OPEN, level)], level)
    measures = [
        *_overall(requests, level),
        *_groups(requests, _FAILED, level),
        share(points, _OPEN, level=level),
        *_groups(points, _OPEN, level),
        *tests,
        *_scores(treated, level),
    ]
    return Audit(
        ID,
        judge,
        tuple(measures),
        says=tuple(_says(measures, level)),
        notes=tuple(_notes(asked, points)),
        cases=cases,
        level=level,
        indicative=len(requests) < LEAST_REQUESTS or points["problem_id"].nunique() < LEAST_PROBLEMS,
    )


def _requests(asked: Replies) -> pd.DataFrame:
    columns = ["model", "protocol", "problem_id", "length", "outcome", "repair", "attempts", "failed"]
    rows = [
        (
            *(one.place.model, one.place.protocol, one.place.problem_id, one.place.length),
            *(one.outcome, one.repair, one.attempts, one.failed),
        )
        for one in asked.asked
    ]
    requests = pd.DataFrame(rows, columns=columns)
    return requests.assign(hit=requests["outcome"] != READ)


def _points(source: Source, judge: str) -> tuple[pd.DataFrame, pd.DataFrame, tuple[Case, ...]]:
    """Every point the judge was asked about, the marks of every answer by treatment, and what stayed open."""
    points, answers, cases, treating = [], [], [], Treating()
    for answer, grading in graded_answers(source):
        head, span = answer.response, answer.answer
        cell = (head.model, head.protocol, head.problem_id)
        said = {point.point_id: judged(point, answer, grading, judge) for point in answer.points}
        for name, verdict in said.items():
            if verdict is None:
                continue
            reason = None if verdict.award is not None else str(verdict.reason or "")
            points.append((*cell, head.digest, span.sub_id, span.end - span.start, reason))
            if reason is not None:
                what = f"left open ({reason}): {verdict.rationale[:200]}"
                keys = dict.fromkeys(vote.request for vote in verdict.votes)
                cases.append(Case(where(answer, name), what, tuple(keys)))
        _, sub = source.subquestions[head.problem_id, span.sub_id]
        if head.error is None:
            answers.append((*cell, treating.treated(sub, tuple(_awards(answer, grading, said)))))
    columns = ["model", "protocol", "problem_id", "response", "sub_id", "length", "reason"]
    rows = pd.DataFrame(points, columns=columns)
    return rows.assign(hit=rows["reason"].notna()), frame(answers), tuple(cases)


def _awards(
    answer: GradedAnswer, grading: Grading, said: dict[str, Verdict | None]
) -> Iterator[tuple[str, float | None, bool]]:
    for point in answer.points:
        if point.standing is not None and point.shape != "group":
            award = by_machine(point, answer, grading).award
            yield point.point_id, award, award is None and said[point.point_id] is not None


def _terciles(lengths: pd.Series, of_answers: pd.Series) -> pd.Series:
    """Short, middling or long; None throughout where answers are too much alike in length."""
    ends = np.quantile(of_answers, [1 / 3, 2 / 3]) if len(of_answers) else (0.0, 0.0)
    if ends[0] == ends[1]:
        return pd.Series([None] * len(lengths), index=lengths.index, dtype=object)
    place = (lengths > ends[0]).astype(int) + (lengths >= ends[1]).astype(int)
    return place.map(dict(enumerate(_LENGTHS)))


def _overall(requests: pd.DataFrame, level: float) -> Iterator[Measure]:
    found = share(requests, _FAILED, level=level)
    yield replace(found, flagged=found.low is not None and found.low > TOLERATED)
    for code, name in OUTCOMES.items():
        rows = requests.assign(hit=requests["outcome"] == code)
        yield share(rows, name, level=level)
        if rows["hit"].any():
            yield from _groups(rows, name, level)


def _groups(rows: pd.DataFrame, name: str, level: float) -> Iterator[Measure]:
    for column, said in (("model", "model"), ("protocol", "protocol"), ("tercile", "length")):
        known = rows[rows[column].notna()]
        yield from by_value(known, column, name, said=said, level=level)


def _tests(rows: pd.DataFrame, name: str, level: float) -> Iterator[Measure]:
    yield from against_the_rest(rows, "model", name, level=level)
    yield from against_the_rest(rows, "protocol", name, level=level)
    short, long = (rows[rows["tercile"] == one] for one in (_LENGTHS[0], _LENGTHS[-1]))
    if len(short) and len(long):
        yield difference(long, short, name, of="length long minus short", level=level)


def _scores(treated: pd.DataFrame, level: float) -> Iterator[Measure]:
    for model in sorted(treated["model"].unique()):
        yield from scores(treated[treated["model"] == model], of=f"model {model}", level=level)


def _says(measures: list[Measure], level: float) -> Iterator[str]:
    for one in measures:
        if one.flagged and one.value is not None:
            if one.unit == "share":
                yield f"{percent(one.value)} of the requests to the judge brought no readable reply."
            else:
                what = "Requests without a readable reply" if one.name == _FAILED else "Points left open"
                yield f"{what}, {one.of}: {signed(one.value)} percentage points."
    ends = {name: (low, high) for name, low, high in _extremes(measures)}
    if ends:
        name, (low, high) = max(ends.items(), key=lambda one: one[1][1] - one[1][0])
        yield (
            f"What the judge left open moves the score of {name} by up to "
            f"{100 * (high - low):.1f} percentage points: {percent(low)} to {percent(high)}."
        )


def _extremes(measures: list[Measure]) -> Iterator[tuple[str, float, float]]:
    """Of each model whose score open points can change, its score at their worst and at their best."""
    worst = {one.of: one.value for one in measures if one.name.endswith("at their worst")}
    for one in measures:
        low = worst.get(one.of) if one.name.endswith("at their best") else None
        if one.value is not None and low is not None and one.value - low > 1e-9:
            yield one.of, low, one.value


def _notes(asked: Replies, points: pd.DataFrame) -> Iterator[str]:
    yield (
        "a reply that couldn't be read is asked for once more, so fewer points stay open than replies are "
        "bad; only open points move a score"
    )
    repaired = sum(one.repair for one in asked.asked)
    tried, failed = (sum(getattr(one, name) for one in asked.asked) for name in ("attempts", "failed"))
    sent = f"{len(asked.asked)} requests, {repaired} of them repairs"
    yield f"{sent}; {failed} of {tried} attempts had no reply"
    reasons = points["reason"].dropna().value_counts()
    if len(reasons):
        said = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
        yield f"points left open: {said}"
    if asked.lost:
        yield f"{asked.lost} requests are left out: no verdict came of them, so their answers aren't known"
