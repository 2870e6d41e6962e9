"""The pairs of A7 and A8: answers rewritten so that the verdict must stay, or must change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from grader.answer.answer import Answer
from grader.audit.asked_anew.facts_anew import Rewriting, tasks_of
from grader.audit.asked_anew.picking import Answers, Base
from grader.audit.asked_anew.suite import Invariance, Sensitivity
from grader.audit.asked_anew.variants import BASE, Variant, repeat_of
from grader.audit.metamorphic.pair import Pair
from grader.audit.metamorphic.registry import KINDS
from grader.audit.metamorphic.task import PairTask, pairs_of_many
from grader.problem.model import Point
from grader.record import digest

CHUNK = 16
"""Answers whose pairs are made together."""
NO_KIND = "points to which no transform applies"

_LAWS = {"A7": "invariant", "A8": "sensitive"}


class _Tested(NamedTuple):
    base: Base
    point_id: str


class Made(NamedTuple):
    """A pair about one point of an answer."""

    base: Base
    point_id: str
    pair: Pair


@dataclass
class Rewritten:
    """What A7 or A8 asks, answer by answer, and what it can't be made of."""

    variants: list[tuple[Base, list[Variant]]] = field(default_factory=list)
    unfit: Counter[str] = field(default_factory=Counter)
    pairs: int = 0


def kinds_of(audit: str) -> list[str]:
    """The kinds of transforms of an audit."""
    return [name for name, kind in KINDS.items() if kind.law == _LAWS[audit]]


def rewritten(
    section: Invariance | Sensitivity, answers: Answers, seed: int, *, workers: int | None = None
) -> Rewritten:
    """As many pairs as the suite wants: one a point first, of the kinds that are rare so far.

    Only where the points of all answers don't suffice, a point gets a second kind, a third, ...
    """
    chosen, spare = _Chosen(section.pairs), list[Made]()
    found = Rewritten()
    for several in _by_point(section, answers, seed, found.unfit, workers):
        spare += chosen.take(several)
        if chosen.full:
            break
    for one in spare:
        if chosen.full:
            break
        chosen.add(one)
    found.pairs = len(chosen.made)
    found.variants = _variants(section, answers, chosen.made, workers)
    return found


@dataclass
class _Chosen:
    """Pairs that are taken, and how often each kind was."""

    wanted: int
    made: list[Made] = field(default_factory=list)
    taken: Counter[str] = field(default_factory=Counter)

    @property
    def full(self) -> bool:
        """There are as many as are wanted."""
        return len(self.made) >= self.wanted

    def add(self, one: Made) -> None:
        """Take a pair."""
        self.made.append(one)
        self.taken[one.pair.kind] += 1

    def take(self, several: Sequence[Made]) -> list[Made]:
        """Take the pair whose kind is rarest so far; the others."""
        if not several or self.full:
            return list(several)
        rarest = min(several, key=lambda one: (self.taken[one.pair.kind], _lot(one)))
        self.add(rarest)
        return [one for one in several if one is not rarest]


def _lot(one: Made) -> str:
    return digest([one.base.place.response_digest, one.base.place.sub_id, one.point_id, one.pair.kind])


def _by_point(
    section: Invariance | Sensitivity,
    answers: Answers,
    seed: int,
    unfit: Counter[str],
    workers: int | None,
) -> Iterator[list[Made]]:
    """The pairs of every point that may be tested, answer by answer; counts those that have none."""
    kinds = section.kinds or tuple(kinds_of(section.audit))
    bases = iter(answers)
    while some := list(islice(bases, CHUNK)):
        tasks = [task for base in some for task in _tasks(section, answers, base, kinds, seed, unfit)]
        for task, made in pairs_of_many(tasks, workers=workers):
            assert isinstance(task.key, _Tested)
            pairs = [Made(*task.key, one) for one in made if isinstance(one, Pair)]
            if not pairs:
                unfit[NO_KIND] += 1
            yield pairs


def _tasks(
    section: Invariance | Sensitivity,
    answers: Answers,
    base: Base,
    kinds: tuple[str, ...],
    seed: int,
    unfit: Counter[str],
) -> Iterator[PairTask]:
    assert base.graded is not None
    span = base.graded.answer
    text = base.response.text[span.start : span.end]
    for planned in answers.tasks.sheet(span.sub_id).criteria:
        if not isinstance(planned.node, Point):
            continue
        if isinstance(section, Sensitivity) and (why := _why_not_earned(base, planned.node.id)):
            unfit[why] += 1
            continue
        answer = Answer(text, planned.others, span.cut)
        yield PairTask(answer, planned.node, kinds, seed, key=_Tested(base, planned.node.id))


def _why_not_earned(base: Base, point_id: str) -> str:
    """Why a wrong answer to a point could lose nothing; empty where it could."""
    given = base.given.get(point_id)
    if given is None or given.award is None:
        return "points not judged by this card: whether they are earned isn't known"
    return "" if given.award == 1 else "points that aren't earned as the answer is"


def _variants(
    section: Invariance | Sensitivity, answers: Answers, made: Sequence[Made], workers: int | None
) -> list[tuple[Base, list[Variant]]]:
    """What is asked, answer by answer: the answer, for A7 the answer again, and its rewritings."""
    tasks = tasks_of(answers, [Rewriting(one.base, one.pair.after) for one in made], workers=workers)
    found: dict[int, tuple[Base, list[Variant]]] = {}
    for one, task in zip(made, tasks, strict=True):
        base = one.base
        assert base.graded is not None
        if id(base) not in found:
            plain = [Variant(BASE, base.task)]
            if isinstance(section, Invariance):
                plain.append(repeat_of(base.task, 1))
            found[id(base)] = base, plain
        about = {
            "kind": one.pair.kind,
            "point": one.point_id,
            "what": one.pair.what,
            "span": [base.graded.answer.start + place for place in one.pair.span],
        }
        found[id(base)][1].append(Variant(f"{one.pair.kind} {one.point_id}", task, about=about))
    return list(found.values())
