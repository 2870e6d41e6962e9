"""Sending what is doubted to people, and drawing the spot check, while a graded run is added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from grader.archive.entry import Grading, RouteEntry, SpotCheckEntry, StoredVerdict
from grader.archive.read import GradedAnswer, GradedPoint
from grader.archive.standing import Standing, standing
from grader.archive.store import Archive
from grader.judge.card import JudgeCard, SpotCheck, Thresholds
from grader.judge.routing import Doubt, doubts, is_routed
from grader.judge.spot_check import draw, stratum_of
from grader.record import Finding, Verdict, digest

AT_ONCE = 1000
"""Rows kept in one transaction."""

Place = tuple[str, str, str]
"""A response digest, a sub_id and a point_id."""


@dataclass(slots=True)
class Router:
    """What goes to triage and to the spot check of one grading."""

    archive: Archive
    grading: Grading
    thresholds: Thresholds
    rates: SpotCheck
    kin: Mapping[str, str]
    """Models of the judge's family, with the family."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Points in triage by reason; one may have several."""
    drawn: Counter[str] = field(default_factory=Counter)
    """Decisions drawn for the spot check, by stratum."""
    routed: int = 0
    """Points in triage."""
    sought: int = 0
    """Formal points about which a judge was asked where their value stands."""
    located: int = 0
    """Those that code decided on the passage it quoted."""
    _in_triage: set[Place] = field(default_factory=set)
    _ever_in_triage: set[Place] = field(default_factory=set)
    _in_sample: set[Place] = field(default_factory=set)
    _settled: list[RouteEntry] = field(default_factory=list)
    """Doubts about verdicts that people settled before they were routed."""
    _routes: list[RouteEntry] = field(default_factory=list)
    _draws: list[SpotCheckEntry] = field(default_factory=list)

    @classmethod
    def of(cls, archive: Archive, grading: Grading, card: JudgeCard | None, kin: Mapping[str, str]) -> Router:
        """By the thresholds and rates of the card, else by the default ones."""
        thresholds = card.thresholds if card else Thresholds()
        router = cls(archive, grading, thresholds, card.spot_check if card else SpotCheck(), kin)
        router._in_triage.update(_place(entry) for entry in archive.triage(grading))
        router._ever_in_triage.update(archive.doubted(grading))
        router._in_sample.update(_place(entry) for entry in archive.spot_checks(grading))
        return router

    def add(self, answer: GradedAnswer, open_points: Collection[str]) -> None:
        """Route the points of an answer; a failed call has nothing that people could look at.

        ``open_points`` are those whose outcome can still change the score: other
        undetermined ones are nobody's work.
        """
        if answer.response.error is not None:
            return
        for point in answer.points:
            if point.standing is not None and point.shape != "group":
                if point.standing.award is not None or point.point_id in open_points:
                    self._route(answer, point, point.standing)
                elif _place_of(answer, point) in self._in_triage:
                    self._routes.append(RouteEntry(*_place_of(answer, point), ()))
                self._draw(answer, point)
                self.sought += any(one.engine.located for one in point.findings)
                self.located += point.standing.located
        if len(self._routes) + len(self._draws) >= AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Keep what was gathered."""
        self.archive.put_routes(self.grading, self._settled)
        self.archive.put_routes(self.grading, self._routes)
        self.archive.put_spot_checks(self.grading, self._draws)
        self._settled, self._routes, self._draws = [], [], []

    def as_json(self) -> Iterator[tuple[str, object]]:
        """The keys that a summary has from routing; documented in docs/output.md."""
        yield "triage", {"points": self.routed, "reasons": dict(sorted(self.reasons.items()))}
        yield "spot_check", dict(sorted(self.drawn.items()))
        yield "located", {"asked": self.sought, "decided": self.located}

    def _route(self, answer: GradedAnswer, point: GradedPoint, stands: Standing) -> None:
        found = self._doubts(answer, point, _said(stands))
        place = _place_of(answer, point)
        if is_routed(found):
            self.routed += 1
            self.reasons.update(doubt.value for doubt in found)
        elif place in self._in_triage or self._settled_before(answer, point, stands):
            found = ()
        else:
            return
        self._routes.append(_entry(place, found, stands))

    def _settled_before(self, answer: GradedAnswer, point: GradedPoint, stands: Standing) -> bool:
        """Whether people settled a doubted verdict before it was routed: the strata of the spot check ask."""
        place = _place_of(answer, point)
        if stands.track != "human" or place in self._ever_in_triage or point.point_hash is None:
            return False
        machine = self._undisturbed(answer, point, point.point_hash)
        decided = _said(machine)
        found = self._doubts(answer, point, decided) if decided is not None else ()
        if is_routed(found):
            self._settled.append(_entry(place, found, machine))
        return is_routed(found)

    def _draw(self, answer: GradedAnswer, point: GradedPoint) -> None:
        """Draw from what code and judge decided, whatever people have said since: they are the check."""
        if point.point_hash is None:
            return  # today's rubric has no such point
        decided = _said(self._undisturbed(answer, point, point.point_hash))
        stratum = stratum_of(decided, self._doubts(answer, point, decided))
        place = _place_of(answer, point)
        drawn = draw(digest(place), stratum, self.rates) if stratum is not None else None
        if drawn is not None:
            self.drawn[drawn.stratum.value] += 1
        if drawn is not None or place in self._in_sample:
            entry = SpotCheckEntry(
                *place,
                point_hash=point.point_hash,
                answer_hash=answer.answer.answer_hash,
                stratum=drawn.stratum.value if drawn else None,
                probability=drawn.probability if drawn else None,
                seed=self.rates.seed,
                by=decided.by if decided else None,
            )
            self._draws.append(entry)

    def _undisturbed(self, answer: GradedAnswer, point: GradedPoint, point_hash: str) -> Standing:
        machine = [one for one in point.verdicts if not one.verdict.by.startswith("human:")]
        if point.standing is not None and len(machine) == len(point.verdicts):
            return point.standing
        return standing(
            point.findings,
            machine,
            point_hash=point_hash,
            answer_hash=answer.answer.answer_hash,
            engines=self.grading.engines,
            card=self.grading.card,
        )

    def _doubts(
        self, answer: GradedAnswer, point: GradedPoint, decided: Finding | Verdict | None
    ) -> tuple[Doubt, ...]:
        return doubts(
            decided,
            self.thresholds,
            not_located=any(one.engine.located and one.finding.award is None for one in point.findings),
            same_family=answer.response.model in self.kin,
            answer_truncated=answer.response.finish_reason == "length",
        )


def _entry(place: Place, found: Collection[Doubt], stands: Standing) -> RouteEntry:
    return RouteEntry(*place, tuple(doubt.value for doubt in found), stands.status, stands.award)


def _place_of(answer: GradedAnswer, point: GradedPoint) -> Place:
    return answer.response.digest, answer.answer.sub_id, point.point_id


def _place(entry: RouteEntry | SpotCheckEntry) -> Place:
    return entry.response_digest, entry.sub_id, entry.point_id


def _said(stands: Standing) -> Finding | Verdict | None:
    """The finding or verdict that stands and counts."""
    source = stands.source
    if source is None or not stands.counts:
        return None
    return source.verdict if isinstance(source, StoredVerdict) else source.finding


def nothing_routed() -> Iterator[tuple[str, object]]:
    """The keys of routing where nothing was routed."""
    yield "triage", {"points": 0, "reasons": {}}
    yield "spot_check", {}
    yield "located", {"asked": 0, "decided": 0}
