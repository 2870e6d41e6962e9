"""What judging the sample leaves in the archive: calls, a verdict of three votes, doubts, draws."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from grader.archive.call_entry import CallEntry, Purpose, Reservation
from grader.archive.entry import RouteEntry, Run, SpotCheckEntry
from grader.archive.store import Archive
from grader.model.reply import Attempt, FailureKind, Usage
from grader.model.request import Endpoint, ModelRequest
from grader.record import Evidence, Reason, Status, Vote
from tests.archive.sample import ENGINES, REASON_NODE, SET, answer_hash, mark

CARD = "gauss@0123456789ab"
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
ENDPOINT = Endpoint("openai/gauss-1", "http://127.0.0.1:8000/v1", "GAUSS_KEY")
SYSTEM = {"role": "system", "content": "Judge by the rubric alone."}
SCHEMA = {"response_format": {"type": "json_schema", "json_schema": {"name": "verdicts", "schema": {}}}}


def asked(question: str = "k = 0.0462 s⁻¹, first order", vote: int = 0, **more: Any) -> ModelRequest:
    """A request about an answer."""
    figure = {"type": "image_url", "image_url": {"url": "image:0a1b"}}
    user = {"role": "user", "content": [{"type": "text", "text": question}, figure]}
    parameters = {"max_tokens": 4096, "temperature": 0.0}
    values: dict[str, Any] = {"messages": (SYSTEM, user), "parameters": parameters, "output": SCHEMA, **more}
    return ModelRequest(ENDPOINT, vote=vote, **values)


def replied(second: int = 0, text: str = '{"verdicts": []}', **more: Any) -> Attempt:
    """An attempt that was replied to."""
    raw = {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}
    values: dict[str, Any] = {
        "status": 200,
        "raw": raw,
        "served_model": "gauss-1-2026-11-01",
        "finish_reason": "stop",
        "usage": Usage(900, 120, 40),
        "cost": 0.0125,
        "cost_source": "given",
        **more,
    }
    return Attempt(NOON + timedelta(seconds=second), 1.5, **values)


def failed(second: int = 0, failure: FailureKind = "rate_limit", **more: Any) -> Attempt:
    """An attempt that failed."""
    return Attempt(NOON + timedelta(seconds=second), 0.25, failure, "too many requests", 429, **more)


def call(
    request: ModelRequest,
    attempt: Attempt,
    run: Run | None = None,
    card: str | None = CARD,
    purpose: Purpose = "judge",
) -> CallEntry:
    """A call on its way into the archive."""
    return CallEntry(request, attempt, run.id if run else None, card, purpose)


def set_aside(run: Run, request: ModelRequest, second: int = 0, most: float = 0.25) -> Reservation:
    """What is set aside for the try that starts in that second."""
    return Reservation(run.id, request.key, NOON + timedelta(seconds=second), most)


REQUESTS = [asked(vote=vote) for vote in range(3)]
VOTES = (
    Vote(CARD, 0, REQUESTS[0].key, Status.MET, 1.0, 0.9),
    Vote(CARD, 1, REQUESTS[1].key, Status.MET, 1.0, 0.8),
    Vote(CARD, 2, REQUESTS[2].key, Status.UNDETERMINED, reason=Reason.CANNOT_ASSESS),
)
VERDICT = mark(
    2,
    "kin-1",
    REASON_NODE,
    1.0,
    by=f"judge:{CARD}",
    rationale="The answer says so.",
    evidence=Evidence("first order", 16, 27),
    confidence=0.85,
    votes=VOTES,
)
PLACE = (VERDICT.response_digest, "kin-1", "reason")
DOUBT = RouteEntry(*PLACE, ("low_confidence", "split"), Status.MET, 1.0)
DRAW = SpotCheckEntry(
    *PLACE, REASON_NODE.point_hash, answer_hash(2, "kin-1"), "doubtful", 0.1, 7, VERDICT.verdict.by
)


def judge(archive: Archive, run: Run) -> None:
    """Select the card and write what it costs and says; one try never came back."""
    archive.put_reservations([set_aside(run, one, 2) for one in REQUESTS[1:]])
    archive.put_reservations([set_aside(run, REQUESTS[0], 3)])
    archive.put_calls([call(REQUESTS[0], failed(0), run), call(REQUESTS[0], replied(1), run)])
    archive.put_calls([call(one, replied(2), run) for one in REQUESTS[1:]])
    grading = archive.begin_grading(run, SET.digest, ENGINES, card=CARD)
    archive.put_verdicts([VERDICT])
    archive.put_routes(grading, [DOUBT])
    archive.put_spot_checks(grading, [DRAW])
