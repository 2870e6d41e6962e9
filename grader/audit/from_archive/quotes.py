"""What a judge quoted for each of its verdicts, as it wrote it, and whether the response says so.

A verdict keeps its quote in the answer's own characters, so how it was written
is read from the archived reply again. Without the reply what was kept is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from grader.archive.entry import Grading
from grader.archive.read import GradedAnswer
from grader.audit.from_archive.judged import graded_answers, judged
from grader.grade.plan import PlannedSubquestion
from grader.grade.terms import counting_terms
from grader.judge.evidence import locate
from grader.judge.flags import Flag
from grader.judge.quoting import prove
from grader.judge.reply import ReplyError, parse
from grader.judge.shield import shield
from grader.model.reply import Attempt
from grader.record import Evidence, Response, Verdict, Vote
from grader.stats.reading import Source

Kind = Literal["exact", "folded", "absent", "none"]
"""Verbatim; verbatim but for typography (NFC, white space, dashes, quotation marks, what a judge puts around
a quote); not in what the judge was shown; no quote, or one that says nothing."""

AT_ONCE = 100
"""Answers read together."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A standing verdict of a judge and what it rests on."""

    model: str
    protocol: str
    problem_id: str
    sub_id: str
    point_id: str
    response: str
    """Its digest."""
    status: str
    award: float
    kind: Kind
    quote: str
    """As the judge wrote it; as it was kept where the reply isn't archived."""
    request: str | None
    """The key of the request whose reply it was read from; None: read from what was kept."""
    misplaced: bool
    """The offsets that were kept don't hold the quote that was kept."""
    elsewhere: bool
    """It stands outside of the part of the response that answers the subquestion."""


def quotes(source: Source, judge: str) -> Iterator[Quoted]:
    """Every decided verdict of a judge (``<card>@<hash>``) that stands but for human marks."""
    answers = graded_answers(source)
    while some := list(islice(answers, AT_ONCE)):
        given = [(one, list(_given(one, grading, judge))) for one, grading in some]
        given = [(one, verdicts) for one, verdicts in given if verdicts]
        responses = source.archive.responses(one.response.digest for one, _ in given)
        keys = {vote.request for _, said in given for _, verdict in said for vote in _spokesmen(verdict)}
        replies = source.archive.replies(sorted(keys))
        for one, verdicts in given:
            _, sub = source.subquestions[one.response.problem_id, one.answer.sub_id]
            yield from _quoted(one, sub, responses[one.response.digest], verdicts, replies)


def _given(answer: GradedAnswer, grading: Grading, judge: str) -> Iterator[tuple[str, Verdict]]:
    for point in answer.points:
        verdict = judged(point, answer, grading, judge)
        if verdict is not None and verdict.award is not None:
            yield point.point_id, verdict


def _spokesmen(verdict: Verdict) -> list[Vote]:
    """The vote whose quote a verdict keeps: the most confident with its award, the earliest of equals."""
    same = [one for one in verdict.votes if (one.status, one.award) == (verdict.status, verdict.award)]
    return [max(same, key=lambda one: one.confidence or 0.0)] if same else []


def _quoted(
    answer: GradedAnswer,
    sub: PlannedSubquestion,
    response: Response,
    verdicts: Sequence[tuple[str, Verdict]],
    replies: Mapping[str, Attempt],
) -> Iterator[Quoted]:
    worth = {name: terms.marks for name, terms in counting_terms(sub.nodes, sub.full_mark).items()}
    asked: dict[str, dict[str, float]] = {}
    for point_id, verdict in verdicts:
        for vote in _spokesmen(verdict):
            asked.setdefault(vote.request, {})[point_id] = worth[point_id]
    said = {
        key: _said(replies[key], points, response.text) for key, points in asked.items() if key in replies
    }
    withheld = shield(response.text).passages
    for point_id, verdict in verdicts:
        key = next((vote.request for vote in _spokesmen(verdict)), None)
        written = said.get(key or "", {}).get(point_id)
        kept = verdict.evidence
        if written is None:
            key, quote, kind = None, kept.quote if kept else "", _of_kept(verdict, response.text)
        else:
            quote, kind = written, _kind(written, response.text, withheld)
        assert verdict.award is not None
        head = answer.response
        yield Quoted(
            *(head.model, head.protocol, head.problem_id, answer.answer.sub_id, point_id, head.digest),
            *(verdict.status.value, verdict.award, kind, quote, key),
            misplaced=kept is not None and response.text[kept.start : kept.end] != kept.quote,
            elsewhere=kept is not None and not _within(kept, answer),
        )


def _said(attempt: Attempt, points: Mapping[str, float], text: str) -> dict[str, str]:
    """The quotes of a reply by point; points that can't be read from it are left out."""
    asked = [{"id": name, "max": marks} for name, marks in points.items()]
    assert attempt.raw is not None
    try:
        return {name: one.evidence for name, one in parse(attempt.raw, asked, text).items()}
    except ReplyError:
        if len(points) == 1:
            return {}
    alone = [_said(attempt, {name: marks}, text) for name, marks in points.items()]
    return {name: quote for one in alone for name, quote in one.items()}


def _kind(quote: str, text: str, withheld: Sequence[tuple[int, int]]) -> Kind:
    proof = prove(quote, text, withheld)
    if proof is Flag.EVIDENCE_MISSING:
        return "none"
    if not isinstance(proof, Evidence):
        return "absent"
    return "exact" if quote.strip() == proof.quote else "folded"


def _of_kept(verdict: Verdict, text: str) -> Kind:
    if verdict.evidence is None:
        lost = {Flag.EVIDENCE_ABSENT.value, Flag.EVIDENCE_WITHHELD.value}
        return "absent" if lost.intersection(map(str, verdict.flags)) else "none"
    found = locate(verdict.evidence.quote, text)
    if found is None:
        return "absent"
    return "exact" if found.exact else "folded"


def _within(kept: Evidence, answer: GradedAnswer) -> bool:
    return answer.answer.start <= kept.start and kept.end <= answer.answer.end
