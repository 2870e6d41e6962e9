"""What comes before people, and in which order: doubt first, and chance mixed in so that nobody can tell."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from grader.archive.entry import RouteEntry, Run, SpotCheckEntry, StoredVerdict
from grader.archive.read import GradedAnswer, GradedPoint, View
from grader.archive.review_entry import Item, ItemEntry, Kind, Member
from grader.archive.store import Archive
from grader.grade.routes import Place
from grader.problem.model import Deduction, Note, Problem, ScoringNode, Veto, walk
from grader.problem.nodes import nodes
from grader.record import digest
from grader.score import largest_loss, scope_worth

AT_ONCE = 500
"""Responses read at once."""

FRAGILE = 1_000.0
"""Added to the priority of what can overturn a published difference: it comes before all else."""
OVERTURNS = "overturns_a_difference"
"""The reason of such an item."""

_LEAST_DOUBT = 0.05
"""Of a verdict whose judge was certain and that was routed all the same."""


@dataclass(frozen=True, slots=True)
class QueueRules:
    """How the queue is made."""

    second: float = 0.1
    """Share of the items that are marked twice, blindly."""
    seed: int = 0
    """Of what is drawn: with the same seed the same answers are drawn again."""
    fragile: Collection[Place] = ()
    """Points of answers whose reversal would overturn a published gap or ranking: queued, and the first."""


def fill(archive: Archive, rules: QueueRules | None = None, runs: Iterable[Run] | None = None) -> int:
    """Queue what is doubted, drawn or fragile under the last grading of each run; how many items were new.

    May be repeated: what is there stays, answers that came since join it. What
    a person has marked already, at a desk or in a file, isn't asked again.
    """
    rules = rules or QueueRules()
    queue = _Queue(archive, rules)
    for run in archive.runs() if runs is None else runs:
        view = archive.view(run)
        if view is not None:
            queue.gather(view)
    new = archive.put_items(queue.entries())
    return new + archive.put_items(_seconds(archive, rules))


def normalised(text: str) -> str:
    """An answer as it is compared with others: Unicode's composed form, white space folded."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def mixed_in(key: str, seed: int, doubted: Sequence[float]) -> float:
    """A random priority for what must not be told from doubted items: one of theirs, if there are any."""
    chance = random.Random(f"{seed} {key}")
    return chance.choice(doubted) if doubted else chance.random()


@dataclass(slots=True)
class _Group:
    """A point in equal answers."""

    kind: Kind
    problem_id: str
    sub_id: str
    point_id: str
    point_hash: str
    check_kind: str | None
    stake: float
    """Marks that the point moves."""
    drawn: bool = False
    """An answer of it is in the spot check."""
    priority: float = 0.0
    reasons: dict[str, None] = field(default_factory=dict)
    members: dict[Member, None] = field(default_factory=dict)


class _Queue:
    """Items in the making, by what they are about."""

    def __init__(self, archive: Archive, rules: QueueRules) -> None:
        self._archive = archive
        self._rules = rules
        self._groups: dict[str, _Group] = {}
        self._problems: dict[str, Problem] = {}

    def gather(self, view: View) -> None:
        """Add the doubted, drawn and fragile points of a run."""
        reasons = {_place(one): one.reasons for one in self._archive.triage(view.grading)}
        drawn = {_place(one) for one in self._archive.spot_checks(view.grading)}
        wanted = {*reasons, *drawn, *self._rules.fragile}
        for answer, text in self._answers(view, sorted({place[0] for place in wanted})):
            for point in answer.points:
                place = (answer.response.digest, answer.answer.sub_id, point.point_id)
                if place in wanted and not _marked(point):
                    kind: Kind = "spot_check" if place in drawn and place not in reasons else "triage"
                    group = self._add(kind, answer, point, normalised(text), reasons.get(place, ()))
                    group.drawn = group.drawn or place in drawn

    def entries(self) -> Iterator[ItemEntry]:
        """The items; what was drawn at random takes priorities that doubted ones have.

        In the order of their doubts those marked so far would be no random sample
        of the drawn ones, and whoever stops early would take the judge for worse than it is.
        """
        doubted = sorted(group.priority for group in self._groups.values() if not group.drawn)
        for key, group in sorted(self._groups.items()):
            priority = group.priority
            if group.drawn and OVERTURNS not in group.reasons:
                priority = mixed_in(key, self._rules.seed, doubted)
            yield ItemEntry(
                *(key, key, group.kind, group.problem_id, group.sub_id, group.point_id, group.point_hash),
                members=tuple(group.members),
                priority=priority,
                reasons=tuple(group.reasons),
                check_kind=group.check_kind,
            )

    def _answers(self, view: View, digests: Sequence[str]) -> Iterator[tuple[GradedAnswer, str]]:
        """The answers of some responses of a run, and their texts."""
        for start in range(0, len(digests), AT_ONCE):
            some = digests[start : start + AT_ONCE]
            responses = self._archive.responses(some)
            for answer in self._archive.graded_of(view, some):
                yield answer, responses[answer.response.digest].text[answer.answer.start : answer.answer.end]

    def _add(
        self, kind: Kind, answer: GradedAnswer, point: GradedPoint, text: str, reasons: Iterable[str]
    ) -> _Group:
        key = digest([kind, point.point_hash, text])
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = self._group(kind, answer, point)
        group.members[Member(answer.response.digest, answer.answer.answer_hash)] = None
        group.reasons.update(dict.fromkeys(reasons))
        group.priority += group.stake * _doubt(point)
        if (answer.response.digest, answer.answer.sub_id, point.point_id) in self._rules.fragile:
            group.reasons[OVERTURNS] = None
            group.priority += FRAGILE
        return group

    def _group(self, kind: Kind, answer: GradedAnswer, point: GradedPoint) -> _Group:
        problem = self._problem(answer.problem_hash or "")
        sub = next(one for one in problem.subquestions if one.sub_id == answer.answer.sub_id)
        rubric = nodes(sub)
        node = next(one for one in walk(rubric) if not isinstance(one, Note) and one.id == point.point_id)
        check = getattr(node, "check", None)
        place = (answer.response.problem_id, sub.sub_id, point.point_id, point.point_hash or "")
        return _Group(kind, *place, check.kind if check else None, _stake(node, rubric, sub.full_mark))

    def _problem(self, problem_hash: str) -> Problem:
        if problem_hash not in self._problems:
            content = self._archive.problem(problem_hash).content
            self._problems[problem_hash] = Problem.model_validate(content)
        return self._problems[problem_hash]


def _stake(node: ScoringNode, rubric: tuple[ScoringNode, ...], full_mark: float) -> float:
    """The marks that hang on a node."""
    if isinstance(node, Deduction):
        return largest_loss(node, scope_worth(node, rubric, full_mark))
    if isinstance(node, Veto):
        return scope_worth(node, rubric, full_mark)
    return 0.0 if isinstance(node, Note) else node.points


def _doubt(point: GradedPoint) -> float:
    """1 where nobody could decide, else what the judge's confidence leaves."""
    stands = point.standing
    if stands is None or stands.award is None or not stands.counts:
        return 1.0
    if not isinstance(stands.source, StoredVerdict):
        return _LEAST_DOUBT
    return max(_LEAST_DOUBT, 1.0 - (stands.source.verdict.confidence or 0.0))


def _marked(point: GradedPoint) -> bool:
    """Whether a person has said what the point is worth, so that nobody need be asked."""
    stands = point.standing
    if stands is None or point.point_hash is None:
        return True  # today's rubric has no such point
    return stands.track == "human" and stands.award is not None


def _place(entry: RouteEntry | SpotCheckEntry) -> Place:
    return entry.response_digest, entry.sub_id, entry.point_id


def _seconds(archive: Archive, rules: QueueRules) -> Iterator[ItemEntry]:
    """A second, blind marking of a share of the items, drawn by what they are about."""
    for item in archive.items("open", "done"):
        if item.entry.kind in ("triage", "spot_check") and _twice(item, rules):
            yield _second(item)


def _twice(item: Item, rules: QueueRules) -> bool:
    return random.Random(f"second {rules.seed} {item.entry.key}").random() < rules.second


def _second(item: Item) -> ItemEntry:
    entry = item.entry
    key = digest(["second", entry.key])
    return ItemEntry(
        *(key, key, "second", entry.problem_id, entry.sub_id, entry.point_id, entry.point_hash),
        members=entry.members,
        priority=entry.priority,
        check_kind=entry.check_kind,
        parent=item.id,
        barred=(item.holder,) if item.state == "done" and item.holder else (),
    )
