"""Between the values of ``entry`` and the rows of the tables."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import Any

from sqlalchemy import RowMapping

from grader.archive.entry import (
    AnswerSpan,
    Engine,
    FindingEntry,
    FollowedEntry,
    Received,
    StoredFinding,
    StoredFollowed,
    StoredVerdict,
    VerdictEntry,
    response_digest,
)
from grader.record import Evidence, Finding, Followed, Reason, Rejected, Response, Status, Verdict, Vote

Row = dict[str, Any]

FINDING_VALUE = (
    *("status", "award", "reason", "found", "quote", "span_start", "span_end"),
    *("confidence", "flags", "rejected", "detail", "value"),
)
"""The columns of a finding that tell whether it came out differently."""

FOLLOWED_VALUE = (*FINDING_VALUE, "expected")
"""The same of what was found to follow."""

VERDICT_VALUE = (
    *("status", "award", "award_follow", "reason", "rationale", "found", "quote", "span_start", "span_end"),
    *("confidence", "flags", "provisional", "adjudicated", "votes"),
)
"""The columns of a verdict that tell whether its marker changed it."""


_RESPONSE = tuple(one.name for one in fields(Response))


def response_row(response: Response) -> Row:
    """A row of ``responses``."""
    return {
        "digest": response_digest(response),
        "model": response.model,
        "problem_id": response.problem_id,
        "sub_id": response.sub_id,
        "protocol": response.protocol,
        "mode": response.mode,
        "sample": response.sample,
        "text": response.text,
        "finish_reason": response.finish_reason,
        "error": response.error,
        "meta": dict(response.meta) or None,
    }


def response_of(row: RowMapping) -> Response:
    """The response of a row that holds one of ``responses``."""
    values = {name: row[name] for name in _RESPONSE}
    return Response(**{**values, "meta": values["meta"] or {}})


def answer_rows(received: Received, digest: str) -> list[Row]:
    """Rows of ``answers``, without their revision."""
    return [
        {
            "response_digest": digest,
            "sub_id": answer.sub_id,
            "span_start": answer.start,
            "span_end": answer.end,
            "answer_hash": answer.answer_hash,
            "cut": answer.cut,
        }
        for answer in received.answers
    ]


def answer_of(row: RowMapping) -> AnswerSpan:
    """The answer of a row of ``answers``."""
    return AnswerSpan(row["sub_id"], row["span_start"], row["span_end"], row["answer_hash"], row["cut"])


def finding_row(entry: FindingEntry, created: datetime) -> Row:
    """A row of ``findings``, without its revision."""
    return {
        "point_hash": entry.point_hash,
        "answer_hash": entry.answer_hash,
        "engine": entry.engine,
        **_found_row(entry.finding),
        "created": created,
    }


def followed_row(entry: FollowedEntry, created: datetime) -> Row:
    """A row of ``followed``, without its revision."""
    return {
        "point_hash": entry.point_hash,
        "answer_hash": entry.answer_hash,
        "engine": entry.engine,
        "basis": entry.basis,
        "sources": dict(entry.sources),
        "expected": list(entry.finding.expected),
        **_found_row(entry.finding),
        "created": created,
    }


def _found_row(finding: Finding) -> Row:
    return {
        "status": finding.status.value,
        "award": finding.award,
        "reason": finding.reason.value if finding.reason else None,
        "found": finding.found,
        **_evidence_row(finding.evidence),
        "confidence": finding.confidence,
        "flags": list(finding.flags) or None,
        "rejected": [[r.quote, r.start, r.end, r.why] for r in finding.rejected] or None,
        "detail": finding.detail,
        "value": finding.value,
    }


def stored_finding(row: RowMapping, engine: Engine) -> StoredFinding:
    """The finding of a row of ``findings``."""
    finding = Finding(**_found(row, engine))
    return StoredFinding(row["id"], row["point_hash"], row["answer_hash"], engine, finding)


def stored_followed(row: RowMapping, engine: Engine) -> StoredFollowed:
    """What was found to follow, of a row of ``followed``."""
    finding = Followed(**_found(row, engine), expected=tuple(row["expected"]))
    return StoredFollowed(row["id"], engine, row["basis"], finding)


def _found(row: RowMapping, engine: Engine) -> Row:
    return {
        "status": Status(row["status"]),
        "by": engine.by,
        "detail": row["detail"] or "",
        "reason": Reason(row["reason"]) if row["reason"] else None,
        "found": row["found"],
        "evidence": _evidence_of(row),
        "confidence": row["confidence"],
        "flags": tuple(row["flags"] or ()),
        "rejected": tuple(Rejected(*one) for one in row["rejected"] or ()),
        "value": row["value"],
    }


def verdict_row(entry: VerdictEntry, created: datetime) -> Row:
    """A row of ``verdicts``, without its revision."""
    verdict = entry.verdict
    return {
        "response_digest": entry.response_digest,
        "problem_id": entry.problem_id,
        "sub_id": entry.sub_id,
        "point_id": verdict.point_id,
        "point_hash": entry.point_hash,
        "answer_hash": entry.answer_hash,
        "track": verdict.by.partition(":")[0],
        "by": verdict.by,
        "status": verdict.status.value,
        "award": verdict.award,
        "award_follow": verdict.award_follow,
        "reason": verdict.reason.value if verdict.reason else None,
        "rationale": verdict.rationale,
        "found": verdict.found,
        **_evidence_row(verdict.evidence),
        "confidence": verdict.confidence,
        "flags": list(verdict.flags) or None,
        "provisional": verdict.provisional,
        "adjudicated": verdict.adjudicated,
        "source": entry.source,
        "created": created,
        "votes": [vote_row(vote) for vote in verdict.votes] or None,
    }


def stored_verdict(row: RowMapping) -> StoredVerdict:
    """The verdict of a row of ``verdicts``."""
    verdict = Verdict(
        point_id=row["point_id"],
        status=Status(row["status"]),
        by=row["by"],
        award=row["award"],
        award_follow=row["award_follow"],
        reason=Reason(row["reason"]) if row["reason"] else None,
        rationale=row["rationale"] or "",
        found=row["found"],
        evidence=_evidence_of(row),
        confidence=row["confidence"],
        flags=tuple(row["flags"] or ()),
        provisional=row["provisional"],
        adjudicated=row["adjudicated"],
        votes=tuple(_vote_of(vote) for vote in row["votes"] or ()),
    )
    place = (row["id"], row["response_digest"], row["sub_id"], row["point_hash"], row["answer_hash"])
    return StoredVerdict(*place, verdict, row["source"], row["created"])


def vote_row(vote: Vote) -> Row:
    """A vote as JSON."""
    return {
        "by": vote.by,
        "vote": vote.vote,
        "request": vote.request,
        "status": vote.status.value,
        "award": vote.award,
        "confidence": vote.confidence,
        "reason": vote.reason.value if vote.reason else None,
    }


def _vote_of(row: Row) -> Vote:
    reason = Reason(row["reason"]) if row["reason"] else None
    return Vote(**{**row, "status": Status(row["status"]), "reason": reason})


def _evidence_row(evidence: Evidence | None) -> Row:
    if evidence is None:
        return {"quote": None, "span_start": None, "span_end": None}
    return {"quote": evidence.quote, "span_start": evidence.start, "span_end": evidence.end}


def _evidence_of(row: RowMapping) -> Evidence | None:
    if row["quote"] is None:
        return None
    return Evidence(row["quote"], row["span_start"], row["span_end"])
