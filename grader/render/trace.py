"""From a problem to the marks of one answer, told from the archive alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from textwrap import indent, shorten

from grader.archive.entry import StoredFinding, StoredVerdict
from grader.archive.errata import Erratum, Said
from grader.archive.lines import stored_evidence
from grader.archive.read import GradedAnswer, GradedPoint
from grader.archive.store import Archive
from grader.errors import UsageError
from grader.grade.summary import awards_of
from grader.problem.model import Group, Point, Problem, ScoringNode, Subquestion, walk
from grader.problem.nodes import nodes
from grader.render.plain import plain
from grader.score import score_subquestion


def list_answers(answers: Iterable[GradedAnswer]) -> str:
    """The answers that fit, one a line, with the options that single each out."""
    lines = ["Several answers fit; narrow them down:"]
    for answer in answers:
        response = answer.response
        lines.append(
            f"  --run {answer.run.digest[:12]} --model {response.model} --protocol {response.protocol}"
            f" --mode {response.mode} --sample {response.sample}   ({answer.run.name}, line {response.line})"
        )
    return plain("\n".join(lines))


def trace_answer(archive: Archive, answer: GradedAnswer, point_id: str | None = None) -> str:
    """Problem, answer span, findings and marks, standing verdicts and score of one answer.

    ``point_id`` narrows the points shown; UsageError if the subquestion has none of that id.
    """
    assert answer.problem_hash is not None
    problem = Problem.model_validate(archive.problem(answer.problem_hash).content)
    sub = problem.subquestion(answer.answer.sub_id)
    if point_id is not None and point_id not in {point.point_id for point in answer.points}:
        known = ", ".join(point.point_id for point in answer.points)
        raise UsageError("the subquestion has no such point", got=point_id, expected=known)
    text = archive.response(answer.response.digest).text
    parts = (
        _heading(answer, problem, sub),
        _answer(answer, text),
        _points(answer, sub, point_id, archive.errata(answer.response.digest)),
        _score(answer, sub),
    )
    return plain("\n".join(chain.from_iterable(parts)))


def _heading(answer: GradedAnswer, problem: Problem, sub: Subquestion) -> Iterator[str]:
    response = answer.response
    yield f"problem    {problem.problem_id}  (content {(answer.problem_hash or '')[:12]})"
    yield f"question   {sub.sub_id}, {sub.full_mark:g} marks: {shorten(sub.text_open, 300, placeholder=' …')}"
    yield (
        f"response   {response.model}, {response.protocol}, {response.mode}, sample {response.sample}"
        f"  (run {answer.run.name} {answer.run.digest[:12]}, line {response.line}, {response.digest[:12]})"
    )


def _answer(answer: GradedAnswer, text: str) -> Iterator[str]:
    span = answer.answer
    if answer.response.error is not None:
        yield f"answer     none: the call failed ({answer.response.error})"
        return
    whole = (span.start, span.end) == (0, len(text))
    shared = ", not cut: the whole response stands for it" if whole else ", beside another subquestion's"
    yield f"answer     {span.start}-{span.end} of {len(text)} characters{'' if span.cut else shared}"
    yield indent(text[span.start : span.end], "  | ")


def _points(
    answer: GradedAnswer, sub: Subquestion, only: str | None, errata: Sequence[Erratum]
) -> Iterator[str]:
    by_id = {node.id: node for node in walk(nodes(sub)) if hasattr(node, "id")}
    for point in answer.points:
        if only not in (None, point.point_id):
            continue
        yield ""
        yield _point_line(point, by_id.get(point.point_id))
        outcomes: Sequence[StoredFinding | StoredVerdict] = [*point.findings, *point.verdicts]
        for stored in outcomes:
            yield from _outcome(answer, point, stored)
        for erratum in errata:
            entry = erratum.item.entry
            if (entry.sub_id, entry.point_id) == (sub.sub_id, point.point_id):
                yield from _erratum(erratum)
        yield f"  stands   {_standing(point, by_id.get(point.point_id))}"


def _point_line(point: GradedPoint, node: ScoringNode | None) -> str:
    if node is None:
        return f"{point.point_id}  (not in today's rubric)"
    marks = f"{node.points:g}" if hasattr(node, "points") else "veto"
    return f"{point.point_id}  [{marks}] {shorten(getattr(node, 'text', ''), 120, placeholder=' …')}"


def _outcome(
    answer: GradedAnswer, point: GradedPoint, stored: StoredFinding | StoredVerdict
) -> Iterator[str]:
    said = stored.finding if isinstance(stored, StoredFinding) else stored.verdict
    kind = _kind(stored)
    why = said.detail if isinstance(stored, StoredFinding) else stored.verdict.rationale  # type: ignore[union-attr]
    reason = f" ({said.reason})" if said.reason else ""
    standing = point.standing
    stands = standing is not None and standing.counts and standing.source is stored
    if kind == "fact":
        yield f"  fact     {said.by}, told to judges"
    else:
        yield f"  {kind}  {said.by}: {said.status}{reason}{'' if stands else ', does not stand'}"
    if why:
        yield f"           {why}"
    evidence = stored_evidence(answer, stored)
    if evidence is not None:
        yield f"           at {evidence.start}-{evidence.end}: {evidence.quote!r}"
    if said.flags:
        yield f"           flags: {', '.join(said.flags)}"
    yield from _votes(stored)
    for candidate in said.rejected if isinstance(stored, StoredFinding) else ():  # type: ignore[union-attr]
        yield f"           left {candidate.quote!r}: {candidate.why}"
    yield from _followed(stored)


def _erratum(erratum: Erratum) -> Iterator[str]:
    """What was disputed, why, and what came of it."""
    contest, before, after = erratum.contest, erratum.before, erratum.after
    by = f" by {contest.by}" if contest.by else ""
    yield f"  disputed {contest.disputed}{_said(before)}{by}: {contest.reason}"
    if after is None:
        yield "           open: nobody has marked it again yet"
        return
    yield f"           {erratum.outcome}{_said(after)}"
    if after.why:
        yield f"           {after.why}"


def _said(said: Said | None) -> str:
    return f" ({said.status}, {said.by})" if said else ""


def _kind(stored: StoredFinding | StoredVerdict) -> str:
    if isinstance(stored, StoredVerdict):
        return "verdict"
    return "fact" if stored.engine.fact else "finding"


def _votes(stored: StoredFinding | StoredVerdict) -> Iterator[str]:
    """A judge's replies, by the keys of their requests, and how sure it was."""
    if not isinstance(stored, StoredVerdict):
        if stored.engine.located:
            yield f"           on a passage quoted by judge {stored.engine.versions['locator']}"
        return
    verdict = stored.verdict
    if verdict.votes:
        sure = "not stated" if verdict.confidence is None else f"{verdict.confidence:.2f}"
        yield f"           confidence {sure}{', provisional' if verdict.provisional else ''}"
    for vote in verdict.votes:
        reason = f" ({vote.reason})" if vote.reason else ""
        sure = "" if vote.confidence is None else f", {vote.confidence:.2f}"
        said = f"{vote.status}{reason}{sure}"
        yield f"           vote {vote.by} {vote.vote}: {said}, request {vote.request[:12]}"


def _followed(stored: StoredFinding | StoredVerdict) -> Iterator[str]:
    """What follows from the answer's own earlier values, and where these were found."""
    followed = stored.followed if isinstance(stored, StoredFinding) else None
    if followed is None:
        return
    yield f"  follows  {followed.finding.by}: {followed.finding.status}"
    yield f"           {followed.finding.detail}"
    for source in followed.sources:
        yield f"           {source.name}: {source.value} at {source.sub_id}/{source.point_id}"


def _standing(point: GradedPoint, node: ScoringNode | None) -> str:
    standing = point.standing
    if standing is None:
        return "nothing: not in today's rubric"
    if standing.provisional:
        return f"undetermined: the provisional verdict of {standing.by} counts nowhere"
    if standing.award is None:
        return f"undetermined ({standing.reason})"
    parts = [standing.status, f"by {standing.by}"]
    if isinstance(node, Point | Group):
        parts.insert(1, f"{standing.award * node.points:g} of {node.points:g} marks")
        if standing.award_follow not in (None, standing.award):
            parts.insert(2, f"{standing.award_follow * node.points:g} with follow-through")
    return ", ".join(parts)


def _score(answer: GradedAnswer, sub: Subquestion) -> Iterator[str]:
    score = score_subquestion(nodes(sub), sub.full_mark, awards_of(answer))
    bounds = (
        "" if score.low == score.high else f", between {score.low:g} and {score.high:g} once all is decided"
    )
    yield ""
    follow = "" if score.earned_follow == score.earned else f", {score.earned_follow:g} with follow-through"
    yield f"score      {score.earned:g} of {score.full_mark:g}{bounds}{follow}"
    if score.open_points:
        yield f"open       {', '.join(score.open_points)}"
