"""The archive as lines of JSON: what ``argus verdicts`` and ``argus triage`` print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grader.archive.entry import RouteEntry, Run, SpotCheckEntry, StoredFinding, StoredFollowed, StoredVerdict
from grader.archive.read import Filters, GradedAnswer, GradedPoint
from grader.archive.rows import vote_row
from grader.record import Evidence, Finding, Verdict

Line = dict[str, Any]

SCHEMA_VERSION = 1
"""Of a line."""


def lines_of(graded: GradedAnswer, filters: Filters) -> Iterator[Line]:
    """A line for each finding and verdict of an answer, as far as the filters let it through."""
    for point in graded.points:
        outcomes: list[StoredFinding | StoredVerdict] = [*point.findings, *point.verdicts]
        for stored in outcomes:
            line = _line(graded, point, stored)
            if filters.status in (None, line["status"]) and _by(line["by"], filters.by):
                yield line


def _by(by: str, wanted: str | None) -> bool:
    return wanted is None or by == wanted or by.startswith((f"{wanted}:", f"{wanted}@"))


def _line(graded: GradedAnswer, point: GradedPoint, stored: StoredFinding | StoredVerdict) -> Line:
    response = graded.response
    return {
        "schema_version": SCHEMA_VERSION,
        "id": id_of(stored),
        "run": graded.run.name,
        "run_digest": graded.run.digest,
        "model": response.model,
        "protocol": response.protocol,
        "mode": response.mode,
        "sample": response.sample,
        "problem_id": response.problem_id,
        "sub_id": graded.answer.sub_id,
        "point_id": point.point_id,
        **_outcome(stored.finding if isinstance(stored, StoredFinding) else stored.verdict),
        **_follow(stored),
        **_evidence(graded, stored),
        **_judged(stored),
        "standing": point.standing is not None and point.standing.counts and point.standing.source is stored,
    }


def id_of(stored: StoredFinding | StoredVerdict) -> str:
    """How a finding or a verdict is named to whoever disputes it; a finding holds for all equal answers."""
    return f"{'finding' if isinstance(stored, StoredFinding) else 'verdict'}-{stored.id}"


def _outcome(said: Finding | Verdict) -> Line:
    return {
        "by": said.by,
        "status": said.status.value,
        "reason": said.reason.value if said.reason else None,
        "award": said.award,
        "found": said.found,
        "confidence": said.confidence,
        "flags": list(said.flags),
    }


def _judged(stored: StoredFinding | StoredVerdict) -> Line:
    """What a judge has to do with it: its words and votes, or the passage it quoted."""
    if isinstance(stored, StoredFinding):
        engine = {"located": stored.engine.located, "fact": stored.engine.fact}
        return {"rationale": None, "provisional": False, "votes": [], "requests": [], **engine}
    verdict = stored.verdict
    return {
        "rationale": verdict.rationale or None,
        "provisional": verdict.provisional,
        "votes": [vote_row(vote) for vote in verdict.votes],
        "requests": list(dict.fromkeys(vote.request for vote in verdict.votes)),
        "located": False,
        "fact": False,
    }


def _follow(stored: StoredFinding | StoredVerdict) -> Line:
    """The award with follow-through, the same as without where nobody says; and from what it follows."""
    if isinstance(stored, StoredFinding):
        return {"award_follow": stored.award_follow, "follow": _followed(stored.followed)}
    award, award_follow = stored.verdict.award, stored.verdict.award_follow
    return {"award_follow": award if award_follow is None else award_follow, "follow": None}


def _followed(followed: StoredFollowed | None) -> Line | None:
    if followed is None:
        return None
    found = followed.finding
    return {
        "from": [
            {"name": one.name, "sub_id": one.sub_id, "point_id": one.point_id, "value": one.value}
            for one in followed.sources
        ],
        "expected": list(found.expected),
        "status": found.status.value,
        "reason": found.reason.value if found.reason else None,
        "by": found.by,
        "detail": found.detail,
    }


def _evidence(graded: GradedAnswer, stored: StoredFinding | StoredVerdict) -> Line:
    evidence = stored_evidence(graded, stored)
    if evidence is None:
        return {"quote": None, "start": None, "end": None}
    return {"quote": evidence.quote, "start": evidence.start, "end": evidence.end}


def stored_evidence(graded: GradedAnswer, stored: StoredFinding | StoredVerdict) -> Evidence | None:
    """The evidence, counted from the start of the response.

    A finding counts from the start of its answer, because responses share it.
    """
    if isinstance(stored, StoredVerdict):
        return stored.verdict.evidence
    evidence = stored.finding.evidence
    if evidence is None:
        return None
    cuts = (graded.answer, *reversed(graded.earlier))
    start = next(cut.start for cut in cuts if cut.answer_hash == stored.answer_hash)
    return Evidence(evidence.quote, evidence.start + start, evidence.end + start)


def doubted_line(run: Run, entry: RouteEntry) -> Line:
    """A point in triage, as ``argus triage`` prints it: without model and protocol: people mark blindly."""
    return {
        **_place(run, entry),
        "reasons": list(entry.reasons),
        "status": entry.status.value if entry.status else None,
        "award": entry.award,
    }


def drawn_line(run: Run, entry: SpotCheckEntry) -> Line:
    """A decision in the spot check, as ``argus triage --spot-check`` prints it."""
    return {
        **_place(run, entry),
        "stratum": entry.stratum,
        "probability": entry.probability,
        "seed": entry.seed,
        "by": entry.by,
    }


def _place(run: Run, entry: RouteEntry | SpotCheckEntry) -> Line:
    return {
        "schema_version": SCHEMA_VERSION,
        "run": run.name,
        "run_digest": run.digest,
        "response_digest": entry.response_digest,
        "sub_id": entry.sub_id,
        "point_id": entry.point_id,
    }
