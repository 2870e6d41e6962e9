"""One variant before a judge: the requests of grading, told apart from them by nothing a judge sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from grader.archive.audit_entry import Said
from grader.audit.asked_anew.variants import Variant, as_asked
from grader.judge.cards import LoadedCard
from grader.judge.session import judge
from grader.model.reply import Asker, NotAsked, Reply
from grader.model.request import ModelRequest
from grader.record import Reason

STRIDE = 1000
"""What a repeat adds to the numbers of the votes: more than any card or panel casts."""


@dataclass(slots=True)
class Repeated:
    """Asks for a repeat: the same request as another vote, so that the archive doesn't answer for it."""

    asker: Asker
    repeat: int
    keys: dict[str, None] = field(default_factory=dict)
    """Of the requests that were asked, in their order."""

    async def ask(self, request: ModelRequest) -> Reply:
        """The reply; raises CallFailed or NotAsked."""
        if self.repeat:
            request = replace(request, vote=request.vote + STRIDE * self.repeat)
        self.keys[request.key] = None
        return await self.asker.ask(request)


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of a variant."""

    outcome: Mapping[str, Said]
    """By point; without those a request is still needed for."""
    keys: tuple[str, ...]
    """Of the requests, in their order."""
    unasked: NotAsked | None
    """The first request that was not sent."""
    failed: str | None
    """What a call failed of, where one did."""

    @property
    def whole(self) -> bool:
        """Every point was asked about and replied to, readably or not."""
        return self.unasked is None and self.failed is None


async def hear(card: LoadedCard, variant: Variant, asker: Asker) -> Heard:
    """Ask a judge about a variant."""
    repeated = Repeated(asker, variant.repeat)
    judgement = await judge(as_asked(card, variant.calls, variant.about), variant.task, repeated)
    failures = (one for one in judgement.verdicts.values() if one.reason is Reason.CALL_FAILED)
    return Heard(
        {
            point: Said(one.status, one.award, one.reason, one.confidence)
            for point, one in judgement.verdicts.items()
        },
        tuple(repeated.keys),
        judgement.unasked,
        next((one.rationale or "a call failed" for one in failures), None),
    )
