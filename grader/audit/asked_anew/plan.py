"""What a suite would ask a judge, before anything is sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from grader.archive.audit_entry import Anchor, AnswerPlace, DesignEntry
from grader.archive.store import Archive
from grader.audit.asked_anew.formal_points import formal_points
from grader.audit.asked_anew.picking import Answers, Base
from grader.audit.asked_anew.rewriting import rewritten
from grader.audit.asked_anew.suite import (
    Drift,
    Formal,
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
from grader.judge.cards import LoadedCard


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
        """What its size counts: pairs, points, else answers."""
        match self.section:
            case Invariance() | Sensitivity():
                return sum("kind" in one.variant.about for one in self.wanted)
            case Drift() | Formal():
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
    sections = _sections(suite, only)
    _check(sections, answers)
    audits = [_planned(suite, section, card, answers, again, workers) for section in sections]
    return Plan(suite, card, answers, audits)


def _sections(suite: Suite, only: Sequence[str]) -> list[Section]:
    for name in only:
        if name not in suite.designs:
            what, known = "the suite doesn't make this audit", ", ".join(suite.designs)
            raise AuditError(what, file=str(suite.path), got=name, expected=known)
    return [section for section in suite.file.sections if not only or section.audit in only]


def _check(sections: Sequence[Section], answers: Answers) -> None:
    if answers.places:
        return
    formal = any(isinstance(one, Formal) for one in sections)
    if formal and answers.checked:
        return
    raise AuditError(
        "nothing can be asked anew: no answer of these runs has a point that a judge "
        + ("or code decides" if formal else "decides"),
        file=answers.archive.name,
        got=", ".join(run.name for run in answers.runs),
        do="Name a run over problems with flexible points"
        + (", or with points that have checks." if formal else "."),
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
    elif isinstance(section, Formal):
        found = formal_points(section, answers)
        planned.unfit, planned.short = found.unfit, max(0, section.points - found.points)
        planned.wanted = [Wanted(base, variant) for base, variant in found.variants]
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
