"""What each audit asks about one answer: the answer as it is, and with one thing varied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from grader.audit.asked_anew.picking import Base
from grader.audit.asked_anew.suite import Injection, Ordering, Retest, Suite, Verbosity
from grader.judge.cards import LoadedCard
from grader.judge.task import JudgeTask

Calls = Literal["point", "subquestion"]

BASE = "base"
FAR = 100
"""From which repeat on rounds of drift are counted: no retest goes that far."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One thing to ask a judge about."""

    name: str
    task: JudgeTask
    repeat: int = 0
    """0: as a grading asks; of later ones only the number of the vote differs."""
    calls: Calls | None = None
    """What one request asks about, where that isn't what the card says."""
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unfit:
    """The audit can't be made of an answer, and why."""

    why: str


def variants(
    suite: Suite, section: Retest | Injection | Verbosity | Ordering, base: Base, card: LoadedCard
) -> Sequence[Variant] | Unfit:
    """What an audit asks about an answer, the answer as it is first."""
    match section:
        case Retest():
            return _retest(section, base)
        case Injection():
            return _injection(suite, base)
        case Verbosity():
            return _verbosity(suite, section, base)
        case Ordering():
            return _ordering(section, base, card)


def round_of(task: JudgeTask, number: int) -> Variant:
    """An anchor before the judge for the first, second, ... time."""
    return Variant(f"round {number}", task, repeat=0 if number == 1 else FAR + number)


def repeat_of(task: JudgeTask, number: int) -> Variant:
    """The same once more: the request differs in the number of its vote, which no judge sees."""
    return Variant(f"repeat {number}", task, repeat=number)


def as_asked(card: LoadedCard, calls: Calls | None, about: Mapping[str, Any]) -> LoadedCard:
    """The card with what a variant asks otherwise; its name and hash stay, and its verdicts go nowhere."""
    changed: dict[str, Any] = {}
    if calls is not None:
        changed["calls"] = calls
    if "shift" in about:
        changed["order"] = "rubric"  # the order is the variant's, and no seed may undo it
    if not changed:
        return card
    members = tuple(as_asked(member, calls, about) for member in card.members)
    return replace(card, card=card.card.model_copy(update=changed), members=members)


def _retest(section: Retest, base: Base) -> list[Variant]:
    return [
        Variant(BASE, base.task),
        *(repeat_of(base.task, number) for number in range(1, section.repeats)),
    ]


def _injection(suite: Suite, base: Base) -> list[Variant] | Unfit:
    if not base.judged:
        return Unfit("not judged by this card: what there is to gain isn't known")
    if all(base.given[one.id].award == (one.shape == "point") for one in base.task.criteria):
        return Unfit("full credit: nothing to gain")
    points = [(one.id, one.marks) for one in base.task.criteria if one.shape == "point"]
    found = []
    for family in suite.families():
        passage = suite.texts.injected(family, points, suite.seed, *base.choice)
        idle = suite.texts.padding(len(passage), suite.seed, family, *base.choice)
        about = {"family": family, "length": len(passage)}
        for name, text in (("attack", passage), ("control", idle)):
            answer = f"{base.task.answer}\n\n{text}"
            found.append(Variant(f"{name} {family}", replace(base.task, answer=answer), about=about))
    return found


def _verbosity(suite: Suite, section: Verbosity, base: Base) -> list[Variant]:
    found = [Variant(BASE, base.task, about={"length": len(base.task.answer)})]
    for dose in section.doses:
        answer = _padded(suite, base, dose)
        about = {"dose": dose, "length": len(answer)}
        found.append(Variant(f"dose {dose:g}", replace(base.task, answer=answer), about=about))
    return found


def _padded(suite: Suite, base: Base, dose: float) -> str:
    """The answer with idle words before and after it, as long together as the dose says."""
    answer = base.task.answer
    added = max(2, round(dose * len(answer)))
    choice = (suite.seed, dose, *base.choice)
    before = suite.texts.padding(added // 2, "before", *choice)
    after = suite.texts.padding(added - added // 2, "after", *choice)
    return f"{before}\n\n{answer}\n\n{after}"


def _ordering(section: Ordering, base: Base, card: LoadedCard) -> list[Variant] | Unfit:
    size = len(base.task.criteria)
    if size < 2:
        return Unfit("one point: there is no order")
    alone = card.card.calls == "point"
    shifts = [] if alone else shifts_of(size, section.orders)
    if not shifts and not section.batching:
        return Unfit("the card asks about one point at a time: there is no order")
    found = [Variant(BASE, base.task), repeat_of(base.task, 1)]
    for shift in shifts:
        criteria = (*base.task.criteria[shift:], *base.task.criteria[:shift])
        task = replace(base.task, criteria=criteria)
        found.append(Variant(f"order {shift}", task, about={"shift": shift}))
    if section.batching:
        other: Calls = "subquestion" if alone else "point"
        found.append(Variant(f"calls {other}", base.task, calls=other))
    return found


def shifts_of(size: int, orders: int) -> list[int]:
    """Rows of the cyclic Latin square of that size, the first left out, as far apart as they can be.

    In row s the point of place p stands at place p - s: over all rows each point stands once at each place.
    """
    wanted = min(orders, size)
    return sorted({round(number * size / wanted) for number in range(1, wanted)} - {0, size})
