"""What a plan's requests would cost; nobody is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from grader.archive.audit_journal import AuditJournal
from grader.audit.asked_anew.before_judge import hear
from grader.audit.asked_anew.picking import Base
from grader.audit.asked_anew.plan import Plan
from grader.grade.asking import JudgeRequest
from grader.grade.estimate import Estimate
from grader.model.archived import Archived
from grader.model.reply import NotAsked, Reply
from grader.model.request import ModelRequest


@dataclass
class Priced:
    """What a plan's requests would take, by audit; a request that two audits share is the first one's."""

    estimates: Mapping[str, Estimate]
    """Of the requests that would be sent, by audit."""
    paid: Mapping[str, int]
    """Requests that are in the archive, by audit."""

    @property
    def calls(self) -> int:
        """Requests that would be sent first; bad replies and split votes lead to more."""
        return sum(one.calls for one in self.estimates.values())

    @property
    def most_cost(self) -> float | None:
        """US dollars for them at most; None while a price is unknown."""
        costs = [one.most_cost for one in self.estimates.values()]
        return None if None in costs else sum(cost for cost in costs if cost is not None)


def priced(planned: Plan, request: JudgeRequest) -> Priced:
    """What asking would take now; nobody is asked."""
    seen: set[str] = set()
    estimates = {
        one.design.audit: Estimate(planned.card, request.terms, _seen=seen) for one in planned.audits
    }
    paid: dict[str, set[str]] = {one.design.audit: set() for one in planned.audits}
    journal = AuditJournal(planned.answers.archive, planned.card.label)

    async def count() -> None:
        for audit in planned.audits:
            name = audit.design.audit
            for wanted in audit.wanted:
                asker = _Counting(Archived(journal), estimates[name], wanted.base, paid[name])
                await hear(planned.card, wanted.variant, asker)

    asyncio.run(count())
    return Priced(estimates, {name: len(keys) for name, keys in paid.items()})


@dataclass(frozen=True, slots=True)
class _Counting:
    """Answers from the archive, and counts what isn't there."""

    archived: Archived
    estimate: Estimate
    base: Base
    paid: set[str]

    async def ask(self, request: ModelRequest) -> Reply:
        """The archived reply; NotAsked, and counted, where there is none."""
        try:
            reply = await self.archived.ask(request)
        except NotAsked:
            self.estimate.count(request, self.base.response, "judge")
            raise
        self.paid.add(request.key)
        return reply
