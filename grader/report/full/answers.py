"""One answer with all that was found and said of it, ready for a page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from grader.archive.call_entry import StoredCall
from grader.archive.entry import StoredFinding, StoredVerdict
from grader.archive.errata import Erratum
from grader.archive.lines import stored_evidence
from grader.archive.read import GradedAnswer, GradedPoint
from grader.grade.summary import awards_of
from grader.model.request import ModelRequest
from grader.problem.model import Group, Point, ScoringNode, Subquestion, walk
from grader.problem.nodes import nodes
from grader.record import Response
from grader.record.flags import flags
from grader.render.answers import Highlight, answer_html, raw_html
from grader.render.drawing import compared_svg, structure_svg
from grader.render.plain import one_line
from grader.report.errata import shown_award
from grader.report.full.files import answer_anchor
from grader.report.private import Withholder
from grader.report.words import SHORT, marks
from grader.score import score_subquestion

View = dict[str, Any]
"""Values of a template."""

_DRAWN = ("smiles", "inchi", "name")
"""Check kinds whose value is one structure."""


def answer_view(
    answer: GradedAnswer,
    sub: Subquestion,
    response: Response,
    calls: Mapping[str, Sequence[StoredCall]],
    requests: Mapping[str, ModelRequest],
    errata: Sequence[Erratum],
    withhold: Withholder | None,
) -> View:
    """All of an answer; ``errata`` are of its subquestion.

    With ``withhold`` (a public report) only what rubrics don't show through.
    """
    head, span = answer.response, answer.answer
    score = score_subquestion(nodes(sub), sub.full_mark, awards_of(answer))
    text = response.text[span.start : span.end]
    highlights = list(_highlights(answer)) if withhold is None else []
    if withhold is not None:
        text = withhold(text)
    earned = marks(score.earned) if score.low == score.high else f"{marks(score.low)} to {marks(score.high)}"
    return {
        "anchor": answer_anchor(answer.answer.sub_id, answer.response.digest),
        "model": head.model,
        "condition": f"{SHORT.get(head.protocol, head.protocol)}, {head.mode}",
        "sample": head.sample,
        "run": answer.run.name,
        "line": head.line,
        "earned": earned,
        "full": marks(sub.full_mark),
        "follow": marks(score.earned_follow) if score.earned_follow != score.earned else None,
        "error": one_line(head.error) if head.error else None,
        "flags": list(flags(response)),
        "cut": span.cut,
        "rendered": answer_html(text, highlights),
        "raw": raw_html(text, highlights),
        "points": list(_points(answer, sub, calls, requests, errata, public=withhold is not None)),
    }


def request_keys(answers: Sequence[GradedAnswer]) -> list[str]:
    """The requests whose replies judges' verdicts were read from."""
    return list(
        dict.fromkeys(
            vote.request
            for answer in answers
            for point in answer.points
            for stored in point.verdicts
            for vote in stored.verdict.votes
        )
    )


def _highlights(answer: GradedAnswer) -> Iterator[Highlight]:
    """What the standing verdicts rest on, in the answer's own places."""
    span = answer.answer
    for point in answer.points:
        source = point.standing.source if point.standing else None
        evidence = stored_evidence(answer, source) if source is not None else None
        if evidence is not None and span.start <= evidence.start and evidence.end <= span.end:
            yield Highlight(evidence.start - span.start, evidence.end - span.start, point.point_id)


def _points(
    answer: GradedAnswer,
    sub: Subquestion,
    calls: Mapping[str, Sequence[StoredCall]],
    requests: Mapping[str, ModelRequest],
    errata: Sequence[Erratum],
    *,
    public: bool,
) -> Iterator[View]:
    by_id = {node.id: node for node in walk(nodes(sub)) if hasattr(node, "id")}
    places = {} if public else _places(answer, by_id)
    for point in answer.points:
        node = by_id.get(point.point_id)
        if point.standing is None or node is None:
            continue
        yield {
            "point_id": point.point_id,
            "worth": _worth(node),
            **_standing(point, node),
            "text": None if public else getattr(node, "text", ""),
            "outcomes": [] if public else list(_outcomes(answer, point, calls, requests)),
            "errata": list(_errata(answer, point, errata, public=public)),
            "drawn": _drawn(*places[point.point_id]) if point.point_id in places else None,
        }


def _worth(node: ScoringNode) -> str:
    return marks(node.points) if hasattr(node, "points") else "veto"


def _standing(point: GradedPoint, node: ScoringNode) -> View:
    standing = point.standing
    assert standing is not None
    open_ = standing.award is None or standing.provisional
    earned = ""
    if not open_ and standing.award is not None and isinstance(node, Point | Group):
        worth = standing.award * node.points
        earned = f"{marks(worth)} {'mark' if marks(worth) == '1' else 'marks'}"
    reason = "provisional" if standing.provisional else (standing.reason.value if standing.reason else "")
    return {
        "status": "undetermined" if open_ else standing.status.value,
        "reason": reason.replace("_", " ") if open_ or reason else "",
        "earned": earned,
        "track": "code" if standing.track == "formal" else (standing.track or "nobody"),
    }


def _outcomes(
    answer: GradedAnswer,
    point: GradedPoint,
    calls: Mapping[str, Sequence[StoredCall]],
    requests: Mapping[str, ModelRequest],
) -> Iterator[View]:
    outcomes: list[StoredFinding | StoredVerdict] = [*point.findings, *point.verdicts]
    for stored in outcomes:
        said = stored.finding if isinstance(stored, StoredFinding) else stored.verdict
        evidence = stored_evidence(answer, stored)
        standing = point.standing
        yield {
            "by": said.by,
            "fact": isinstance(stored, StoredFinding) and stored.engine.fact,
            "status": said.status.value,
            "reason": (said.reason.value if said.reason else "").replace("_", " "),
            "stands": standing is not None and standing.counts and standing.source is stored,
            "why": stored.finding.detail if isinstance(stored, StoredFinding) else stored.verdict.rationale,
            "quote": evidence.quote if evidence else None,
            "found": said.found,
            "confidence": said.confidence if isinstance(stored, StoredVerdict) else None,
            "flags": list(said.flags),
            "rejected": list(stored.finding.rejected) if isinstance(stored, StoredFinding) else [],
            "follows": _follows(stored),
            "votes": list(_votes(stored, calls, requests)),
        }


def _errata(
    answer: GradedAnswer, point: GradedPoint, errata: Sequence[Erratum], *, public: bool
) -> Iterator[View]:
    """The disputes about a point of the answer."""
    for one in errata:
        entry = one.item.entry
        digests = {member.response_digest for member in entry.members}
        if entry.point_id == point.point_id and answer.response.digest in digests:
            after = one.after
            yield {
                "before": shown_award(one.before, public=public),
                "outcome": one.outcome,
                "after": shown_award(after, public=public) if after else None,
                "reason": None if public else one.contest.reason,
                "why": after.why if after and not public else None,
            }


def _follows(stored: StoredFinding | StoredVerdict) -> View | None:
    """What follows from the answer's own earlier values."""
    followed = stored.followed if isinstance(stored, StoredFinding) else None
    if followed is None:
        return None
    return {
        "status": followed.finding.status.value,
        "detail": followed.finding.detail,
        "sources": [f"{one.name}: {one.value} at {one.sub_id}/{one.point_id}" for one in followed.sources],
    }


def _votes(
    stored: StoredFinding | StoredVerdict,
    calls: Mapping[str, Sequence[StoredCall]],
    requests: Mapping[str, ModelRequest],
) -> Iterator[View]:
    if not isinstance(stored, StoredVerdict):
        return
    for vote in stored.verdict.votes:
        request = requests.get(vote.request)
        tries = calls.get(vote.request, ())
        yield {
            "by": vote.by,
            "vote": vote.vote,
            "status": vote.status.value,
            "confidence": vote.confidence,
            "request": Markup("") if request is None else _as_json(request.body()),
            "replies": [_as_json(one.attempt.raw) for one in tries if one.attempt.raw is not None],
            "failures": [one_line(one.attempt.error or "") for one in tries if one.attempt.failure],
        }


def _as_json(value: Any) -> Markup:
    return raw_html(json.dumps(value, ensure_ascii=False, indent=1))


def _places(answer: GradedAnswer, by_id: Mapping[str, ScoringNode]) -> dict[str, tuple[str, str]]:
    """The structures taken and expected, by the point where they are drawn.

    What several points compare is drawn once: at the first that wasn't met in full, or else at the first.
    """
    pairs = [(point, pair) for point in answer.points if (pair := _pair(point, by_id.get(point.point_id)))]
    pairs.sort(key=lambda one: one[0].standing is not None and one[0].standing.award == 1)
    places: dict[tuple[str, str], str] = {}
    for point, pair in pairs:
        places.setdefault(pair, point.point_id)
    return {point_id: pair for pair, point_id in places.items()}


def _pair(point: GradedPoint, node: ScoringNode | None) -> tuple[str, str] | None:
    """The structure that code took, empty where it took none, and the expected one."""
    check = getattr(node, "check", None)
    if point.standing is None or check is None or check.kind not in _DRAWN:
        return None
    direct = [one.finding for one in point.findings if not one.engine.fact]
    found = next((one.value or one.found for one in reversed(direct) if one.value or one.found), None)
    return found or "", check.expected


def _drawn(found: str, expected: str) -> View | None:
    """Both side by side; the expected one alone where there is no other."""
    compared = compared_svg(found, expected) if found else None
    alone = None if compared else structure_svg(expected)
    return {"compared": compared, "expected": alone} if compared or alone else None
