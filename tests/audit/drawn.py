"""A graded archive whose code, judge, spot check and reviewers are scripted.

``drawn_archive(folder, Script(...))`` keeps a run with what the script says
code found and the judge awarded, draws the spot check as grading does and queues
it; ``Desk.mark`` has people mark it through the review desk's own functions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

from grader.archive.entry import AnswerSpan, FindingEntry, Grading, Received, Run, VerdictEntry
from grader.archive.read import GradedAnswer
from grader.archive.review_entry import Item, Member
from grader.archive.store import Archive, open_archive
from grader.grade.entries import engine_of, engines, set_entry
from grader.grade.plan import Plan, plan
from grader.grade.routes import Router
from grader.grade.summary import Flagged, summarise
from grader.judge.card import SpotCheck, Thresholds
from grader.marks import status_of
from grader.problem.set import load_set
from grader.record import Evidence, Finding, Reason, Response, Verdict, digest
from grader.review.marking import Given, mark_of, undoing, verdicts_of
from grader.review.queue import QueueRules, fill
from grader.review.subject import Subjects
from tests.grade.small import point, write_set

CARD = "scripted@0123456789ab"
START = datetime(2030, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Spot:
    """A point of an answer, as scripts see it."""

    model: str
    protocol: str
    mode: str
    problem_id: str
    sub_id: str
    sample: int
    point_id: str
    award: float | None = None
    """The machine's."""

    def chance(self, salt: str = "") -> float:
        """A number in [0, 1) that only depends on the names, the same in every run."""
        names = (self.model, self.protocol, self.mode, self.problem_id, self.sub_id, str(self.sample))
        named = "/".join((salt, *names, self.point_id))
        return int(hashlib.sha256(named.encode()).hexdigest()[:12], 16) / 16**12


@dataclass(frozen=True)
class Opinion:
    """What a scripted judge says of a point."""

    award: float | None
    confidence: float | None = 0.9
    flags: tuple[str, ...] = ()
    quote: str = ""


Judge = Callable[[Spot], Opinion]
Truth = Callable[[Spot], float | None]


def right(spot: Spot) -> float:
    """The true award of most scripts: half of the answers earn a point."""
    return float(spot.chance("truth") < 0.5)


def always_right(spot: Spot) -> Opinion:
    """A judge that is never wrong."""
    return Opinion(right(spot))


def rubric(number: int) -> list[dict[str, Any]]:
    """Four marks: one by code, two in part, one flexible."""
    return [
        point("n", 1, kind="integer", expected=number, asked=["N"]),
        point("a", 2) | {"partial": True},
        point("b", 1),
    ]


@dataclass(frozen=True)
class Script:
    """What is to be graded, by whom, and how much of it is drawn."""

    problems: int = 6
    models: Sequence[str] = ("alpha",)
    protocols: Sequence[str] = ("sequential_carry",)
    modes: Sequence[str] = ("text_only",)
    samples: int = 1
    judge: Judge | None = always_right
    """None: nobody judges."""
    rubric: Callable[[int], list[dict[str, Any]]] = rubric
    full_mark: float = 4
    found: Truth = right
    """What code finds of formal points; None: nothing that it can decide by."""
    rates: SpotCheck = field(default_factory=lambda: SpotCheck(confident=0.5, doubtful=0.5, formal=0.5))
    provisional: bool = False
    card: str | None = CARD
    second: float = 0.0
    """Share of the items that are marked twice."""


@dataclass
class Desk:
    """A graded archive and the people at its desk."""

    archive: Archive
    run: Run
    spots: dict[tuple[str, str, str], Spot]
    """By digest of the response, sub_id and point_id."""
    script: Script
    clock: datetime = START
    forms: int = 0

    def queue(self) -> int:
        """Queue what is doubted and drawn; how many items were new."""
        return fill(self.archive, QueueRules(second=self.script.second))

    def spot(self, item: Item, member: Member | None = None) -> Spot:
        """What an item is about: its first answer, or that of a member."""
        member = member or item.entry.members[0]
        return self.spots[member.response_digest, item.entry.sub_id, item.entry.point_id]

    def drawn(self, item: Item) -> bool:
        """Whether an answer of the item is in the spot check."""
        grading = self.archive.grading(self.run)
        assert grading is not None
        places = {
            (one.response_digest, one.sub_id, one.point_id) for one in self.archive.spot_checks(grading)
        }
        entry = item.entry
        return any((one.response_digest, entry.sub_id, entry.point_id) in places for one in entry.members)

    def mark(
        self,
        person: str,
        award: Truth = right,
        *,
        kinds: Collection[str] = ("spot_check", "triage"),
        only: Callable[[Item], bool] = lambda item: True,
        most: int | None = None,
        seen: bool = False,
        seconds: float = 20.0,
    ) -> int:
        """A person marks the open items of these kinds by their script; how many."""
        self.archive.invite(person, f"token of {person}", adjudicates=True)
        subjects, marked = Subjects(self.archive), 0
        items = [one for one in self.archive.items("open") if one.entry.kind in kinds and only(one)]
        for item in items[:most]:
            if person not in item.entry.barred:
                self.mark_item(item, person, award(self.spot(item)), subjects, seen=seen, seconds=seconds)
                marked += 1
        return marked

    def mark_item(
        self,
        item: Item,
        person: str,
        award: float | None,
        subjects: Subjects | None = None,
        *,
        seen: bool = False,
        seconds: float = 20.0,
    ) -> None:
        """One mark, as the desk's form sends it; a second one by the same person stands in its place."""
        subject = (subjects or Subjects(self.archive)).of(item)
        self.clock += timedelta(minutes=1)
        status = "cannot_assess" if award is None else {1.0: "met", 0.0: "not_met"}.get(award, "partial")
        marks = "" if status != "partial" else f"{(award or 0.0) * sum(subject.scale.limits):g}"
        given = Given(status=status, marks=marks, seconds=f"{seconds}", form=self._form())
        mark = mark_of(given, subject, person, seen=seen, now=self.clock)
        self.archive.mark(mark, verdicts_of(self.archive, item, mark), at=self.clock)

    def undo(self, item: Item) -> None:
        """Who marked an item takes it back."""
        last = self.archive.marks_of([item.id])[item.id][-1]
        self.archive.undo(*undoing(item, last, self._form()))

    def regrade(self) -> None:
        """Add the run up again, which draws and routes again."""
        _add_up(self.archive, self.run, self.script, _planned_of(self.archive))

    def grade_by(self, card: str, judge: Judge) -> None:
        """Another judge grades the run."""
        last, planned = grading_of(self), _planned_of(self.archive)
        self.script = replace(self.script, card=card, judge=judge)
        self.archive.begin_grading(self.run, last.set_digest, engines(planned), card)
        decided = [
            one
            for answer in self.archive.graded(self.run)
            for one in _decided(answer, self.script, planned)
            if isinstance(one, VerdictEntry)
        ]
        self.archive.put_verdicts(decided)
        self.regrade()

    def _form(self) -> str:
        self.forms += 1
        return f"form number {self.forms:08}"


_PLANS: dict[str, Plan] = {}


def _planned_of(archive: Archive) -> Plan:
    return _PLANS[archive.name]


@contextmanager
def drawn_archive(folder: Path, script: Script | None = None, url: str | None = None) -> Iterator[Desk]:
    """A graded archive with a scripted judge's verdicts, its spot check drawn and queued."""
    script = script or Script()
    responses = list(_written(folder, script))
    problems = load_set(folder)
    planned = plan(problems.problems, "set")
    with open_archive(url or f"sqlite:///{folder / 'argus.db'}") as archive:
        set_digest = archive.put_set(set_entry(problems, planned))
        run = archive.put_run(digest(str(script.models)), "run", {"schema_version": 1})
        archive.begin_grading(run, set_digest, engines(planned), script.card if script.judge else None)
        archive.put_responses(run, responses)
        decided = [one for answer in archive.graded(run) for one in _decided(answer, script, planned)]
        archive.put_findings(one for one in decided if isinstance(one, FindingEntry))
        archive.put_verdicts(one for one in decided if isinstance(one, VerdictEntry))
        _PLANS[archive.name] = planned
        _add_up(archive, run, script, planned)
        desk = Desk(archive, run, dict(_spots(archive, run)), script)
        desk.queue()
        yield desk
        del _PLANS[archive.name]


def _written(folder: Path, script: Script) -> Iterator[Received]:
    """Write the set; the responses of a run over it."""
    numbers = range(1, script.problems + 1)
    for number in numbers:
        sub: dict[str, Any] = {"sub_id": f"p{number:03}-1", "tags": [f"t{number % 3}"], "text_open": "Why?"}
        sub |= {"full_mark": script.full_mark, "rubric": script.rubric(number)}
        write_set(folder, {"problem_id": f"p{number:03}", "header": "Count.", "subquestions": [sub]})
    cells = product(script.models, script.protocols, script.modes)
    places = product(cells, numbers, range(script.samples))
    for line, ((model, protocol, mode), number, sample) in enumerate(places, 2):
        problem_id, sub_id = f"p{number:03}", f"p{number:03}-1"
        text = _text(Spot(model, protocol, mode, problem_id, sub_id, sample, ""))
        response = Response(model, problem_id, sub_id, protocol, mode, sample, text)  # type: ignore[arg-type]
        yield Received(line, response, [AnswerSpan(sub_id, 0, len(text), digest(text), True)])


def _spots(archive: Archive, run: Run) -> Iterator[tuple[tuple[str, str, str], Spot]]:
    for answer in archive.graded(run):
        for one in answer.points:
            award = one.standing.award if one.standing else None
            yield _place(answer, one.point_id), _spot(answer, one.point_id, award)


def _spot(answer: GradedAnswer, point_id: str, award: float | None = None) -> Spot:
    head = answer.response
    cell = (head.model, head.protocol, head.mode)
    return Spot(*cell, head.problem_id, answer.answer.sub_id, head.sample, point_id, award)


def _place(answer: GradedAnswer, point_id: str) -> tuple[str, str, str]:
    return answer.response.digest, answer.answer.sub_id, point_id


def _decided(answer: GradedAnswer, script: Script, planned: Plan) -> Iterator[FindingEntry | VerdictEntry]:
    """What code finds of an answer, and what the judge awards where code has no say."""
    (sub,) = planned.answered(answer.response.problem_id, answer.answer.sub_id)
    for one in sub.points:
        spot = _spot(answer, one.node.id)
        if one.check is not None:
            award, engine = script.found(spot), engine_of(one.check.kind)
            reason = Reason.NO_CANDIDATE if award is None else None
            finding = Finding(status_of(award), engine.by, "as the script says", reason)
            yield FindingEntry(one.point_hash, answer.answer.answer_hash, engine.key, finding)
        elif script.judge is not None and one.shape != "group":
            yield _verdict(answer, spot, one.point_hash, script.judge(spot), script)


def _verdict(
    answer: GradedAnswer, spot: Spot, point_hash: str, opinion: Opinion, script: Script
) -> VerdictEntry:
    start = _text(spot).find(opinion.quote) if opinion.quote else -1
    verdict = Verdict(
        point_id=spot.point_id,
        status=status_of(opinion.award),
        by=f"judge:{script.card}",
        award=opinion.award,
        reason=Reason.CANNOT_ASSESS if opinion.award is None else None,
        rationale="as the script says",
        evidence=Evidence(opinion.quote, start, start + len(opinion.quote)) if start >= 0 else None,
        confidence=opinion.confidence,
        flags=opinion.flags,
        provisional=script.provisional,
    )
    head = answer.response
    place = (head.digest, head.problem_id, answer.answer.sub_id, point_hash, answer.answer.answer_hash)
    return VerdictEntry(*place, verdict)


def _text(spot: Spot) -> str:
    """An answer, another one for each of its kind."""
    chance = replace(spot, point_id="", award=None).chance("text")
    return f"N = {int(spot.problem_id[1:])}, for reason {chance:.12f}."


def _add_up(archive: Archive, run: Run, script: Script, planned: Plan) -> None:
    """Route, draw and sum up, as a grading ends."""
    grading = archive.grading(run)
    assert grading is not None
    flagged = Flagged()
    for _ in flagged.counting(archive.responses_of(run)):
        pass
    router = Router.of(archive, grading, None, {})
    router.thresholds, router.rates = Thresholds(), script.rates
    state = archive.state()
    summary = summarise(archive, run, planned, flagged, router)
    router.flush()
    judge = None if script.judge is None else {"card": script.card, "provisional": script.provisional}
    whole = {**summary.as_json(planned), "judge": judge, **dict(router.as_json())}
    archive.put_summary(grading, state, json.loads(json.dumps(whole)))


def grading_of(desk: Desk) -> Grading:
    """Under what the run was graded last."""
    found = desk.archive.grading(desk.run)
    assert found is not None
    return found
