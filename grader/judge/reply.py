"""A judge's reply, read strictly: every asked point has its verdict, or there are no verdicts.

One rule decides what is taken: where two readings are possible, neither is.
A refused reply costs a repair request, a misread one a wrong mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from grader.judge.replies.body import Said, said
from grader.judge.replies.entries import Asked, asked_about, fields
from grader.judge.replies.fields import text_of, verdict_of
from grader.judge.replies.provider_error import no_reply, stated
from grader.judge.replies.quotation import settle
from grader.judge.replies.replied import ReplyError, ReplyVerdict
from grader.judge.replies.statements import Source, Spoken, Statement, of_call, of_text, spoken, statements

__all__ = ["ReplyError", "ReplyVerdict", "parse"]

_REFUSAL = re.compile(
    r"\b(?:can['’]?t|cannot|can not|won['’]t|will not|unable to|not able to|not comfortable)\s"
    r"(?:\w+\s){0,2}?(?:assist|help|comply|grad(?:e|ing)|evaluat|judg|provide|fulfil|continue|engage|proceed"
    r"|do (?:this|that))"
    r"|\bI(?:['’]m| am) sorry, but\b|\bI (?:must |have to )?(?:decline|refuse)\b"
    r"|tut mir leid|je ne peux pas|lo siento|无法|抱歉|申し訳",
    re.I,
)


@dataclass(slots=True)
class _Heard:
    """What a reply comes to before anything is made of it."""

    statements: list[Statement] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    prose: str = ""
    unclosed: ReplyError | None = None


def parse(
    reply: str | Mapping[str, Any], points: Iterable[Mapping[str, Any]], answer: str | None = None
) -> dict[str, ReplyVerdict]:
    """The verdict on each of the asked points, in their order.

    ``reply`` is a judge's text, or the body in which its provider sent it;
    ``points`` have an ``id`` and a ``max`` in marks. ``answer`` settles how
    quotations are read whose backslashes may be escapes or LaTeX. A partial
    verdict is taken for any point: what the rubric allows is the caller's to
    check. Raises ReplyError and nothing else, whatever the reply.
    """
    asked = asked_about(tuple((str(point["id"]), float(point["max"])) for point in points))
    channels = said(reply)
    if isinstance(reply, Mapping) and not any(map(asked.match, reply)) and (error := no_reply(reply)):
        raise error
    if channels.refusals:
        raise ReplyError("refusal", f"the judge refused: {channels.refusals[0][:200]}")
    heard = _heard(channels, asked)
    if channels.blocked:
        raise ReplyError("refusal", "the reply was broken off or withheld for its content")
    if not heard.statements:
        raise _nothing(channels, heard, asked)
    _cover(heard, asked)
    about: dict[str, Statement] = {point: [] for point in asked.worth}
    for statement in heard.statements:
        for each in statement:
            about[each.entry.point].append(each)
    return {point: _agreed(said, asked.worth[point], answer) for point, said in about.items()}


def _heard(channels: Said, asked: Asked) -> _Heard:
    heard = _Heard()
    for text in channels.texts:
        sources, found = of_text(text, asked)
        heard.sources += sources
        heard.prose += found.prose
        heard.unclosed = heard.unclosed or found.unclosed
        heard.statements += statements(sources)
    called = [source for call in channels.calls for source in of_call(call, asked)]
    heard.sources += called
    if calls := spoken(called):
        heard.statements.append(calls)
    return heard


def _cover(heard: _Heard, asked: Asked) -> None:
    """See that one statement speaks of every asked point."""
    missing = [_missing(statement, asked) for statement in heard.statements]
    if all(missing):
        if heard.unclosed:
            raise heard.unclosed
        if len(missing) > 1:
            # Which of them is the judge's own, and which one it quotes, nobody can tell.
            raise ReplyError("unparseable", "there are several documents, and none covers every point")
        raise _missing_points(missing[0])


def _missing(statement: Statement, asked: Asked) -> list[str]:
    there = {each.entry.point for each in statement}
    return [point for point in asked.worth if point not in there]


def _missing_points(missing: list[str]) -> ReplyError:
    return ReplyError("missing_points", f"there is no verdict on {', '.join(missing)}", missing)


def _agreed(about: Statement, worth: float, answer: str | None) -> ReplyVerdict:
    """The one verdict on a point; of equal ones the least confident stands."""
    spoken, verdict = about[0], verdict_of(about[0].entry, worth)
    for another in about[1:]:
        other = verdict_of(another.entry, worth)
        if (other.verdict, other.points) != (verdict.verdict, verdict.points):
            raise ReplyError("unparseable", f"{spoken.entry.point} has verdicts that contradict each other")
        if (other.confidence or 0) < (verdict.confidence or 0):
            spoken, verdict = another, other
    if answer is None or not spoken.escaped:
        return verdict
    return replace(verdict, evidence=_quoted(verdict.evidence, spoken, answer))


def _quoted(evidence: str, spoken: Spoken, answer: str) -> str:
    """The evidence as the answer has it, where its backslashes leave a choice."""

    def literal() -> str | None:
        said = spoken.literal()
        return None if said is None else text_of(fields(said).get("evidence", ()), " … ")

    return settle(evidence, literal, answer)


def _told(heard: _Heard) -> ReplyError | None:
    """The provider's error that a reply is the text of, if it is."""
    documents = [source.document for source in heard.sources]
    whole = len(documents) == 1 and documents[0].source == heard.prose
    body = documents[0].value if whole else None
    return stated(body) if isinstance(body, Mapping) else None


def _nothing(channels: Said, heard: _Heard, asked: Asked) -> ReplyError:
    """Why a reply without any verdict has none."""
    if heard.unclosed:
        return heard.unclosed
    if error := _told(heard):
        return error
    if any(source.shaped for source in heard.sources):
        return _missing_points(list(asked.worth))
    if not heard.prose and not heard.sources:
        why = "was cut off before it said anything" if channels.cut else "says nothing"
        return ReplyError("empty", f"the reply {why}; reasoning doesn't count")
    if _REFUSAL.search(heard.prose[:600]):
        return ReplyError("refusal", f"the judge refused: {heard.prose[:200]}")
    if channels.cut:
        return ReplyError("truncated", "the reply reached its token limit before any verdict")
    return ReplyError("unparseable", f"there is no JSON with verdicts in it: {heard.prose[:60]!r}")
