"""Asking a judge about a run: who answers its requests, what may be spent, and what is left open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.archive.call_entry import Committed, Purpose, Spent, StoredCall
from grader.archive.entry import Grading, Run
from grader.archive.journal import ArchiveJournal
from grader.archive.store import Archive
from grader.errors import UsageError
from grader.grade.asked import AskerOf, Left
from grader.grade.estimate import Estimate, Estimating
from grader.grade.judge_tasks import JudgeTasks
from grader.grade.judging import Judging
from grader.grade.locating import Locating
from grader.grade.plan import Plan
from grader.judge.cards import LoadedCard
from grader.judge.family import kin
from grader.model.body import most_tokens
from grader.model.budget import Budget
from grader.model.client import Client
from grader.model.limits import Limits, Sleep
from grader.model.line import Terms
from grader.model.prices import Price, Prices
from grader.model.request import Endpoint, ModelRequest
from grader.problem.set import ProblemSet

if TYPE_CHECKING:
    from grader.model.batching import BatchAsker, BatchReport

PURPOSES: tuple[Purpose, ...] = ("locator", "judge")


@dataclass(frozen=True)
class JudgeRequest:
    """Which judge is asked, and how far asking may go."""

    card: LoadedCard
    price: tuple[float, float] | None = None
    """US dollars for a million tokens, in and out, in place of what the cards or the price list say."""
    max_cost: float | None = None
    """US dollars that the judge's calls for this run may cost in all, earlier gradings included."""
    whole_archive: bool = False
    """``max_cost`` holds for the judges' calls of all runs in the archive."""
    elsewhere: float = 0.0
    """US dollars that count against ``max_cost`` and were paid for something else."""
    dry_run: bool = False
    """Ask nobody; say what would be asked."""
    batch_out: Path | None = None
    """Ask nobody; write what would be asked as a batch."""
    batch_in: Sequence[Path] = ()
    """Take replies from the result files of batches; ask nobody else."""
    wait: Sleep = asyncio.sleep
    """How time passes between attempts."""

    def __post_init__(self) -> None:
        if self.dry_run and (self.batch_out or self.batch_in):
            raise UsageError("a dry run writes and reads no batch", do="Leave out --dry-run or the batch.")
        if self.max_cost is not None and (self.batch_out or self.batch_in):
            what = "a batch is paid for by whoever sends it, so no limit can hold here"
            raise UsageError(what, do="See what it costs by --dry-run, and leave out --max-cost.")
        if self.price is not None and len(self.terms) > 1:
            what = "one price can't be that of every judge of a panel"
            raise UsageError(what, do="Write each member's [price] into its card.")

    @property
    def terms(self) -> dict[Endpoint, Terms]:
        """On what terms each voter's endpoint is asked; of two voters at one endpoint the first says."""
        return {voter.endpoint: self._terms(voter) for voter in reversed(self.card.voters)}

    def _terms(self, voter: LoadedCard) -> Terms:
        card = voter.card
        given = (card.price.input, card.price.output) if card.price else None
        prices = Prices(self.price or given, card.price.batch if card.price else Prices().batch)
        return Terms(Limits(**card.limits.model_dump()), prices, card.image_tokens)


@dataclass
class Judged:
    """What asking came to."""

    card: LoadedCard
    kin: Mapping[str, str]
    """Models of the run that are of the judge's family, with the family."""
    spent: Spent = field(default_factory=Spent)
    """Of this card on this run, over all attempts and gradings."""
    verdicts: int = 0
    """Verdicts that are new."""
    left: Left = field(default_factory=Left)
    """Answers that stay open for now."""
    failures: list[str] = field(default_factory=list)
    """Checks on located passages that raised: bugs."""
    rest: float | None = None
    """US dollars that a limit leaves; None without one."""
    estimate: Estimate | None = None
    """Of a dry run."""
    batch: BatchReport | None = None

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        spent = self.spent
        return {
            "card": self.card.label,
            "models": sorted({str(voter.card.model) for voter in self.card.voters}),
            "provisional": self.card.card.provisional,
            "kin": dict(sorted(self.kin.items())),
            "open_answers": self.left.answers,
            "unasked": dict(sorted(self.left.unasked.items())),
            "failed": self.left.failed,
            "calls": spent.calls,
            "attempts": spent.attempts,
            "replies": spent.replies,
            "prompt_tokens": spent.prompt_tokens,
            "completion_tokens": spent.completion_tokens,
            "cost": None if spent.replies == spent.unknown_cost > 0 else round(spent.cost, 9),
            "unpriced": spent.unknown_cost,
        }


def ask(
    request: JudgeRequest,
    archive: Archive,
    run: Run,
    grading: Grading,
    problems: ProblemSet,
    planned: Plan,
    *,
    again: bool = False,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Judged:
    """Let a card judge the open points of a run. Raises ArgusError; what was paid for is kept."""
    card = request.card
    judged = Judged(card, _kin(card, archive.models(run)))
    asking = _Asking(request, archive, run, problems)
    tasks = JudgeTasks(problems, planned)
    width = 2 * sum(voter.card.limits.concurrency for voter in card.voters)

    async def work() -> None:
        async with AsyncExitStack() as stack:
            place = (archive, run, grading)
            asker_of = await asking.askers(stack)
            if card.locating is not None:
                locating = Locating(*place, card.locating, tasks, asker_of, judged.left, again)
                await locating.work(width, workers)
                judged.failures = locating.failures
            judging = Judging(*place, card, tasks, asker_of, judged.left, again, progress)
            await judging.work(width)
            judged.verdicts = judging.verdicts

    asyncio.run(work())
    judged.estimate, judged.batch, judged.rest = asking.estimate, asking.batch, asking.rest
    judged.spent = archive.spent(run).card(card.label)
    return judged


def _kin(card: LoadedCard, models: Sequence[str]) -> dict[str, str]:
    found = {model: kin(card, model) for model in models}
    return {model: family for model, family in found.items() if family is not None}


class _Asking:
    """Makes the askers of one grading."""

    def __init__(self, request: JudgeRequest, archive: Archive, run: Run, problems: ProblemSet) -> None:
        self._request = request
        self._archive = archive
        self._run = run
        self._problems = problems
        self.estimate: Estimate | None = None
        self.batch: BatchReport | None = None
        self._budget: Budget | None = None

    @property
    def rest(self) -> float | None:
        """What is left of the limit."""
        return None if self._budget is None else self._budget.limit - self._budget.spent

    async def askers(self, stack: AsyncExitStack) -> AskerOf:
        """Who is asked about an answer, for each purpose; what has to be closed goes on the stack."""
        journal = ArchiveJournal(self._archive, self._run, self._request.card.label)
        journals = {purpose: journal.beside(self._request.card.label, purpose) for purpose in PURPOSES}
        request = self._request
        if request.dry_run:
            self.estimate = Estimate(request.card, request.terms)
            estimating = Estimating(journal, self.estimate)
            return estimating.asker
        if request.batch_out or request.batch_in:
            batch = stack.enter_context(self._batch())
            self.batch = batch.report
            return lambda asked, purpose: batch.asker(journals[purpose])
        client = await stack.enter_async_context(self._client(journal))
        clients = {purpose: client.keeping(journals[purpose]) for purpose in PURPOSES}
        return lambda asked, purpose: clients[purpose]

    def _batch(self) -> BatchAsker:
        from grader.model.batching import BatchAsker, batch_items

        asked = self._request
        # a file asks one endpoint: of a panel it is named after the first card that asks there
        names = {voter.endpoint: voter.name for voter in reversed(asked.card.voters)}
        items = batch_items(asked.batch_in)
        return BatchAsker(asked.terms, names, self._image, items, asked.batch_out, self._archive.replies)

    def _limited(self) -> Budget | None:
        asked = self._request
        if asked.max_cost is None:
            return None
        runs = self._archive.runs() if asked.whole_archive else [self._run]
        spent = sum(committed(self._archive, run, asked.terms) for run in runs)
        self._budget = Budget(asked.max_cost, spent + asked.elsewhere)
        return self._budget

    def _client(self, journal: ArchiveJournal) -> Client:
        asked = self._request
        return Client(asked.terms, journal, budget=self._limited(), images=self._image, sleep=asked.wait)

    def _image(self, digest: str) -> tuple[str, bytes]:
        stored = self._archive.image(digest)
        return stored.media_type, stored.data


def committed(archive: Archive, run: Run, terms: Mapping[Endpoint, Terms]) -> float:
    """US dollars that the calls made for a run count as: what they cost, or the most they can have cost."""
    return counted(archive, archive.committed(run), terms)


def counted(archive: Archive, known: Committed, terms: Mapping[Endpoint, Terms]) -> float:
    """US dollars that calls count as: what they cost, or the most they can have cost."""
    unpriced = sum(_most(call, archive.request(call.key), terms) for call in known.unpriced)
    return known.cost + known.reserved + unpriced


def _most(call: StoredCall, request: ModelRequest, terms: Mapping[Endpoint, Terms]) -> float:
    """What a call of unknown cost can have cost: at its own price, else at the dearest known."""
    prices = _prices_of(request.endpoint, terms)
    if not prices:
        what = f"calls to {request.endpoint.model} of unknown price were made, so no limit can be kept"
        raise UsageError(what, do="Give its price with --price, or leave out the limit.")
    usage = call.attempt.usage
    most = most_tokens(request, max((of.image_tokens for of in terms.values()), default=Terms().image_tokens))
    tokens = (usage.prompt or most[0], usage.completion or most[1])
    return max(price.of(*tokens) for price in prices)


def _prices_of(endpoint: Endpoint, terms: Mapping[Endpoint, Terms]) -> list[Price]:
    own = [of.prices.price(one) for one, of in terms.items() if one.identity == endpoint.identity]
    known = [price for price in own or [Prices().price(endpoint)] if price is not None]
    return known or [price for one, of in terms.items() if (price := of.prices.price(one)) is not None]
