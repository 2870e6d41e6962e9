"""What a suite would ask a judge, and what that costs, before anything is sent."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from grader.archive.audit_entry import Anchor, AnswerPlace, DesignEntry
from grader.archive.audit_journal import AuditJournal
from grader.archive.store import Archive
from grader.audit.asked_anew.before_judge import hear
from grader.audit.asked_anew.picking import Answers, Base
from grader.audit.asked_anew.rewriting import rewritten
from grader.audit.asked_anew.suite import (
    Drift,
    Injection,
    Invariance,
    Ordering,
    Retest,
    Section,
    Sensitivity,
    Suite,
    Verbosity,
)
from grader.audit.asked_anew.tasks import task_digest, task_of
from grader.audit.asked_anew.variants import Unfit, Variant, round_of, variants
from grader.errors import AuditError
from grader.grade.asking import JudgeRequest
from grader.grade.estimate import Estimate
from grader.judge.cards import LoadedCard
from grader.model.archived import Archived
from grader.model.reply import NotAsked, Reply
from grader.model.request import ModelRequest


@dataclass(frozen=True, slots=True)
class Wanted:
    """One variant of one answer that an audit asks about."""

    base: Base
    variant: Variant


@dataclass
class PlannedAudit:
    """One audit with all that it asks."""

    design: DesignEntry
    section: Section
    wanted: list[Wanted] = field(default_factory=list)
    unfit: Counter[str] = field(default_factory=Counter)
    """How many answers it can't be made of, by why."""
    short: int = 0
    """Answers, pairs or points that the archive lacks of the number that was asked for."""
    anchors: list[Anchor] = field(default_factory=list)
    """Of drift: the set to be frozen, or frozen."""
    known: frozenset[tuple[AnswerPlace, str]] = frozenset()
    """Variants whose outcome is in the archive."""

    @property
    def answers(self) -> int:
        """How many answers are varied."""
        return len({one.base.place for one in self.wanted})

    @property
    def problems(self) -> int:
        """To how many problems."""
        return len({one.base.place.problem_id for one in self.wanted})

    @property
    def size(self) -> int:
        """What its size counts: pairs, points of drift, else answers."""
        match self.section:
            case Invariance() | Sensitivity():
                return sum("kind" in one.variant.about for one in self.wanted)
            case Drift():
                return sum(len(one.variant.task.criteria) for one in self.wanted)
            case _:
                return self.answers

    @property
    def open(self) -> Iterator[Wanted]:
        """What has no outcome yet."""
        return (one for one in self.wanted if (one.base.place, one.variant.name) not in self.known)


@dataclass
class Plan:
    """What a suite asks of a judge about some runs."""

    suite: Suite
    card: LoadedCard
    answers: Answers
    audits: list[PlannedAudit]


def plan(
    suite: Suite,
    card: LoadedCard,
    archive: Archive,
    named: Sequence[str] = (),
    only: Sequence[str] = (),
    *,
    again: bool = False,
    workers: int | None = None,
) -> Plan:
    """Choose the answers and vary them; nobody is asked.

    ``only``: the ids of some audits. ``again``: the anchors of drift are asked
    about once more, though this card was asked before. AuditError where no
    audit can be made, UsageError where no run is graded.
    """
    answers = Answers(archive, card, named, suite.seed)
    _check(suite, only, answers)
    audits = [
        _planned(suite, section, card, answers, again, workers)
        for section in suite.file.sections
        if not only or section.audit in only
    ]
    return Plan(suite, card, answers, audits)


def _check(suite: Suite, only: Sequence[str], answers: Answers) -> None:
    for name in only:
        if name not in suite.designs:
            what, known = "the suite doesn't make this audit", ", ".join(suite.designs)
            raise AuditError(what, file=str(suite.path), got=name, expected=known)
    if not answers.places:
        raise AuditError(
            "nothing can be asked anew: no answer of these runs has a point that a judge decides",
            file=answers.archive.name,
            got=", ".join(run.name for run in answers.runs),
            do="Name a run over problems with flexible points.",
        )


def _planned(
    suite: Suite, section: Section, card: LoadedCard, answers: Answers, again: bool, workers: int | None
) -> PlannedAudit:
    design = suite.designs[section.audit]
    planned = PlannedAudit(design, section)
    if isinstance(section, Drift):
        _plan_drift(planned, section, card, answers, again)
    elif isinstance(section, Invariance | Sensitivity):
        made = rewritten(section, answers, suite.seed, workers=workers)
        planned.unfit, planned.short = made.unfit, section.pairs - made.pairs
        planned.wanted = [Wanted(base, variant) for base, several in made.variants for variant in several]
    else:
        _plan_answers(planned, section, suite, card, answers)
    if planned.wanted and planned.unfit:
        planned.wanted[0] = _noting(planned.wanted[0], planned.unfit)
    there = answers.archive.asked(design.hash, card.label)
    planned.known = frozenset((one.place, one.variant) for one in there)
    return planned


def _noting(first: Wanted, unfit: Counter[str]) -> Wanted:
    """The first variant with what the audit can't be made of: it is to be told beside the numbers."""
    about = {**first.variant.about, "unfit": dict(sorted(unfit.items()))}
    return Wanted(first.base, replace(first.variant, about=about))


def _plan_answers(
    planned: PlannedAudit,
    section: Retest | Injection | Verbosity | Ordering,
    suite: Suite,
    card: LoadedCard,
    answers: Answers,
) -> None:
    missing = section.answers
    for base in answers:
        if not missing:
            break
        found = variants(suite, section, base, card)
        if isinstance(found, Unfit):
            planned.unfit[found.why] += 1
        else:
            planned.wanted += [Wanted(base, variant) for variant in found]
            missing -= 1
    planned.short = missing


def _plan_drift(
    planned: PlannedAudit, section: Drift, card: LoadedCard, answers: Answers, again: bool
) -> None:
    """The frozen anchors, or those to be frozen, in the round that is to be asked."""
    archive, design = answers.archive, planned.design.hash
    planned.anchors = archive.anchors(design)
    if not planned.anchors:
        missing = section.points
        for base in answers:
            if missing <= 0:
                break
            planned.anchors.append(Anchor(base.place, task_digest(base.task)))
            planned.wanted.append(Wanted(base, round_of(base.task, 1)))
            missing -= len(base.task.criteria)
        planned.short = max(0, missing)
        return
    number = _round(archive, design, card, len(planned.anchors), again)
    for anchor in planned.anchors:
        task = task_of(archive.audit_task(anchor.task))
        planned.wanted.append(Wanted(answers.anchored(anchor.place, task), round_of(task, number)))


def _round(archive: Archive, design: str, card: LoadedCard, anchors: int, again: bool) -> int:
    """The round that is begun and not whole; else the last one, or ``again`` the next."""
    rounds = Counter(one.variant for one in archive.asked(design, card.label))
    if not rounds:
        return 1
    last = max(int(name.removeprefix("round ")) for name in rounds)
    return last + 1 if again and rounds[f"round {last}"] >= anchors else last


# What it costs


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
