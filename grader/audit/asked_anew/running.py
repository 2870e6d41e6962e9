"""Asking what a plan holds: every call archived, nothing paid twice, limits kept, gone on when killed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from grader.archive.audit_entry import AskedEntry
from grader.archive.audit_journal import AuditJournal
from grader.archive.store import Archive
from grader.audit.asked_anew.before_judge import Heard, hear
from grader.audit.asked_anew.plan import Plan, PlannedAudit, Wanted
from grader.audit.asked_anew.tasks import task_digest, task_json
from grader.grade.asking import JudgeRequest, counted
from grader.grade.spread import spread
from grader.model.budget import Budget
from grader.model.client import Client
from grader.model.line import Terms
from grader.model.request import Endpoint


@dataclass
class AuditRun:
    """What asking came to."""

    asked: Counter[str] = field(default_factory=Counter)
    """Variants that have an outcome now and had none before, by audit."""
    open: Counter[str] = field(default_factory=Counter)
    """Variants that are left without one, by audit."""
    unasked: Counter[str] = field(default_factory=Counter)
    """Variants a request was needed for that was not sent, by why."""
    failures: Counter[str] = field(default_factory=Counter)
    """What calls failed of, as often as it was said."""
    replies: int = 0
    """Replies that were paid for now."""
    cost: float = 0.0
    """US dollars that the card's audits cost in this archive over all times, as far as prices are known."""
    rest: float | None = None
    """US dollars that a limit leaves; None without one."""

    @property
    def whole(self) -> bool:
        """Nothing is left open."""
        return not self.open

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/audits.md."""
        return {
            "asked": dict(sorted(self.asked.items())),
            "open": dict(sorted(self.open.items())),
            "unasked": dict(sorted(self.unasked.items())),
            "failures": dict(self.failures.most_common()),
            "replies": self.replies,
            "cost": round(self.cost, 9),
        }


def run(
    planned: Plan,
    request: JudgeRequest,
    *,
    concurrency: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> AuditRun:
    """Ask a judge everything that a plan holds and the archive doesn't. What was paid for is kept.

    ``request`` is about the plan's card; its limit holds for all audits of the
    card in this archive. Raises ArgusError; ArchiveBusy where somebody else
    audits the card.
    """
    archive = planned.answers.archive
    with archive.only_auditor(planned.card.label):
        asking = _Asking(planned, request, terms_of(request, concurrency), progress)
        asyncio.run(asking.work())
    return asking.run


def terms_of(request: JudgeRequest, concurrency: int | None) -> dict[Endpoint, Terms]:
    """On what terms each voter's endpoint is asked, with as many requests in flight as are allowed here."""
    if concurrency is None:
        return request.terms
    return {
        endpoint: replace(terms, limits=replace(terms.limits, concurrency=concurrency))
        for endpoint, terms in request.terms.items()
    }


class _Asking:
    """One run of a suite."""

    def __init__(
        self,
        planned: Plan,
        request: JudgeRequest,
        terms: Mapping[Endpoint, Terms],
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.run = AuditRun()
        self._plan = planned
        self._request = request
        self._terms = terms
        self._archive: Archive = planned.answers.archive
        self._progress = progress
        self._left = [(audit, one) for audit in planned.audits for one in audit.open]
        self._done = 0
        self._client: Client | None = None

    async def work(self) -> None:
        """Ask about every variant that is open, several at a time."""
        for audit in self._plan.audits:
            self._begin(audit)
        budget = self._limited()
        journal = AuditJournal(self._archive, self._plan.card.label)
        wait = self._request.wait
        client = Client(self._terms, journal, budget=budget, images=self._image, sleep=wait)
        width = 2 * sum(terms.limits.concurrency for terms in self._terms.values())
        async with client:
            self._client = client
            await spread(iter(self._left), self._ask, self._keep, width)
        self.run.replies = journal.replies
        self.run.cost = self._archive.audits_committed(self._plan.card.label).cost
        if budget is not None:
            self.run.rest = budget.limit - budget.spent

    def _begin(self, audit: PlannedAudit) -> None:
        """Keep the design, and freeze the anchors of drift before anybody is asked about them."""
        self._archive.put_design(audit.design)
        if audit.anchors and not self._archive.anchors(audit.design.hash):
            tasks = {task_digest(one.base.task): task_json(one.base.task) for one in audit.wanted}
            self._archive.put_anchors(audit.design.hash, audit.anchors, tasks)

    async def _ask(self, one: tuple[PlannedAudit, Wanted]) -> tuple[PlannedAudit, Wanted, Heard]:
        audit, wanted = one
        assert self._client is not None
        heard = await hear(self._plan.card, wanted.variant, self._client)
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, len(self._left))
        name = audit.design.audit
        if heard.whole:
            self.run.asked[name] += 1
        else:
            self.run.open[name] += 1
        if heard.unasked is not None:
            self.run.unasked[heard.unasked.why] += 1
        if heard.failed is not None:
            self.run.failures[heard.failed] += 1
        return audit, wanted, heard

    async def _keep(self, results: Sequence[tuple[PlannedAudit, Wanted, Heard]]) -> None:
        """Keep outcomes that nothing can change any more: a failed call is asked again another time."""
        whole = [one for one in results if one[2].whole]
        tasks = {task_digest(wanted.variant.task): wanted.variant.task for _, wanted, _ in whole}
        if whole:
            kept = {name: task_json(task) for name, task in tasks.items()}
            await asyncio.to_thread(self._archive.put_asked, list(self._entries(whole)), kept)

    def _entries(self, whole: Sequence[tuple[PlannedAudit, Wanted, Heard]]) -> Iterator[AskedEntry]:
        for audit, wanted, heard in whole:
            variant = wanted.variant
            yield AskedEntry(
                audit.design.hash,
                self._plan.card.label,
                wanted.base.place,
                variant.name,
                task_digest(variant.task),
                heard.outcome,
                heard.keys,
                variant.repeat,
                variant.calls,
                variant.about,
            )

    def _limited(self) -> Budget | None:
        limit = self._request.max_cost
        return None if limit is None else Budget(limit, self._counted() + self._request.elsewhere)

    def _counted(self) -> float:
        known = self._archive.audits_committed(self._plan.card.label)
        return counted(self._archive, known, self._terms)

    def _image(self, digest: str) -> tuple[str, bytes]:
        stored = self._archive.image(digest)
        return stored.media_type, stored.data
