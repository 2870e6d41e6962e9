"""What a reply says of the criteria it was asked about, and what has to be asked again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.judge.replies.body import said
from grader.judge.reply import ReplyError, ReplyVerdict, parse
from grader.judge.task import Criterion


@dataclass(frozen=True, slots=True)
class Reading:
    """One reply, read."""

    said: Mapping[str, ReplyVerdict]
    """What may count, by criterion."""
    trouble: str = ""
    """What is wrong with the rest, for the judge and for people; empty where nothing is."""
    words: str = ""
    """What the judge wrote, where something is wrong with it; empty where it refused or wrote nothing."""


def read(reply: str | Mapping[str, Any], criteria: Sequence[Criterion], answer: str) -> Reading:
    """Read a reply; never fails, and never makes up what the reply doesn't say.

    An error in one criterion costs that criterion alone; an error in the whole
    reply costs all of them.
    """
    left = list(criteria)
    verdicts: Mapping[str, ReplyVerdict] = {}
    troubles: list[str] = []
    silent = False
    while left and not verdicts:
        try:
            verdicts = parse(reply, [_point(criterion) for criterion in left], answer)
        except ReplyError as error:
            troubles.append(str(error))
            silent = error.code in ("refusal", "empty")
            left = _unhurt(left, error)
    forbidden = [one for one in left if verdicts[one.id].verdict == "partial" and not one.partial]
    troubles += [_no_part_of(criterion) for criterion in forbidden]
    allowed = {one.id: verdicts[one.id] for one in left if one not in forbidden}
    return Reading(allowed, "; ".join(troubles), "" if silent or not troubles else _words(reply))


def _words(reply: str | Mapping[str, Any]) -> str:
    heard = said(reply)
    calls = [call if isinstance(call, str) else json.dumps(call, ensure_ascii=False) for call in heard.calls]
    return "\n".join([*heard.texts, *calls])


def _point(criterion: Criterion) -> dict[str, object]:
    return {"id": criterion.id, "max": criterion.marks}


def _unhurt(criteria: Sequence[Criterion], error: ReplyError) -> list[Criterion]:
    """The criteria that the error doesn't touch, where it says which it touches."""
    hurt = error.missing if error.point is None else (*error.missing, error.point)
    unhurt = [criterion for criterion in criteria if criterion.id not in hurt]
    # An error that names none of the criteria would be met again and again.
    return unhurt if len(unhurt) < len(criteria) else []


def _no_part_of(criterion: Criterion) -> str:
    return f"{criterion.id} is met ({criterion.marks:g}) or not_met (0); there is no partial award for it"
