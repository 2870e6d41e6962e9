"""Asking where an answer states a value. The judge quotes or says there is nothing; code decides on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from grader.judge.cards import LoadedCard
from grader.judge.flags import Flag
from grader.judge.passage import quoted
from grader.judge.prompt import locator_request
from grader.judge.quoting import prove
from grader.judge.reply import ReplyError
from grader.judge.shield import shield
from grader.judge.task import LocatorTask
from grader.model.reply import Asker
from grader.model.request import ModelRequest
from grader.record import Evidence

LONGEST = 300
"""Characters of the longest passage that still says where a value is stated."""


@dataclass(frozen=True, slots=True)
class Located:
    """A passage of the answer, which the judge was shown and quoted verbatim."""

    start: int
    end: int
    """Code points of the answer: ``answer[start:end]``."""
    request: str
    """The key of the request whose reply quoted it."""


class Nowhere(StrEnum):
    """Why no passage was located."""

    NOTHING = "nothing"
    """The judge says that the answer doesn't state the value, or quotes words that say nothing."""
    NOT_VERBATIM = "not_verbatim"
    """The quote isn't in the answer."""
    WITHHELD = "withheld"
    """The quote is from a passage that the judge wasn't shown."""
    TOO_LONG = "too_long"
    UNREADABLE = "unreadable"
    """Neither the reply nor the one to the same request asked again could be read."""

    @property
    def said(self) -> str:
        """The reason in words, for people: the detail of a finding."""
        return _SAID[self]


_SAID = {
    Nowhere.NOTHING: "the judge finds no passage of the answer that states a value for this point",
    Nowhere.NOT_VERBATIM: "what the judge quotes as stating the value is not in the answer",
    Nowhere.WITHHELD: "what the judge quotes as stating the value is in a passage aimed at the grader",
    Nowhere.TOO_LONG: f"what the judge quotes is longer than {LONGEST} characters and singles out no value",
    Nowhere.UNREADABLE: "the judge's reply on where the value is stated can't be read, nor can a second one",
}


async def search(card: LoadedCard, task: LocatorTask, asker: Asker) -> Located | Nowhere:
    """The passage of ``task.answer`` that the judge quotes as stating the value, or why there is none.

    One request, and the same once more if its reply can't be read. Raises
    CallFailed and NotAsked, as the asker does.
    """
    request = locator_request(card, task)
    for attempt in (request, _again(request)):
        reply = await asker.ask(attempt)
        try:
            return _located(quoted(reply.raw, task.answer), task.answer, attempt.key)
        except ReplyError:
            continue
    return Nowhere.UNREADABLE


def _again(request: ModelRequest) -> ModelRequest:
    """The same question as another request; with another seed, or the reply would be the same."""
    parameters = dict(request.parameters)
    if "seed" in parameters:
        parameters["seed"] += 1
    return replace(request, parameters=parameters, vote=request.vote + 1)


def _located(quote: str, answer: str, key: str) -> Located | Nowhere:
    proof = prove(quote, answer, shield(answer).passages)
    if not isinstance(proof, Evidence):
        return _NOT_PROVED[proof]
    if proof.end - proof.start > LONGEST:
        return Nowhere.TOO_LONG
    return Located(proof.start, proof.end, key)


_NOT_PROVED = {
    Flag.EVIDENCE_MISSING: Nowhere.NOTHING,
    Flag.EVIDENCE_ABSENT: Nowhere.NOT_VERBATIM,
    Flag.EVIDENCE_WITHHELD: Nowhere.WITHHELD,
}
