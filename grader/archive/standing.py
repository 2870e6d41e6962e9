"""Which verdict stands for a point of an answer. Pure: no database, no clock.

The order: adjudicated human mark, human mark, formal finding, verdict of the
selected judge card. Only what was given to today's point and today's answer
counts. A finding that code made itself goes before one on a passage that a
judge quoted, and one that only serves the judge as a fact never counts.
Whoever could not decide (an undetermined finding, mark or verdict)
yields to whoever could; an adjudication is final either way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.archive.entry import StoredFinding, StoredVerdict
from grader.record import Reason, Status, Verdict


@dataclass(frozen=True, slots=True)
class Standing:
    """What holds for a point of an answer today."""

    status: Status
    award: float | None = None
    award_follow: float | None = None
    reason: Reason | None = None
    source: StoredFinding | StoredVerdict | None = None
    """The finding or verdict that stands; None where none does (unjudged, failed call, marks that differ)."""
    stale: tuple[StoredVerdict, ...] = ()
    """Human marks given to an earlier point or answer and not renewed since: to be marked again."""

    @property
    def by(self) -> str | None:
        """``formal:<kind>@<version>``, ``judge:<card>@<hash>`` or ``human:<name>``."""
        match self.source:
            case StoredFinding(finding=finding):
                return finding.by
            case StoredVerdict(verdict=verdict):
                return verdict.by
        return None

    @property
    def track(self) -> str | None:
        """``formal``, ``judge`` or ``human``; None where nothing stands."""
        return self.by.partition(":")[0] if self.by else None

    @property
    def located(self) -> bool:
        """Code decided it on a passage that a judge quoted."""
        return isinstance(self.source, StoredFinding) and self.source.engine.located

    @property
    def counts(self) -> bool:
        """It counts in scores: a provisional verdict is shown and counts nowhere."""
        return not self.provisional

    @property
    def provisional(self) -> bool:
        """The judge that gave it is not to be relied on yet."""
        return isinstance(self.source, StoredVerdict) and self.source.verdict.provisional


def standing(
    findings: Iterable[StoredFinding],
    verdicts: Sequence[StoredVerdict],
    *,
    point_hash: str,
    answer_hash: str,
    engines: frozenset[str] | None = None,
    card: str | None = None,
    failed: bool = False,
) -> Standing:
    """What holds for one point of one answer.

    ``findings`` and ``verdicts`` are all there are for the point, in the order
    they were given; ``engines`` are the keys of today's engines (None: any).
    ``card`` is the selected judge card, as ``name`` or ``name@hash``; without
    one no judge counts. ``failed``: the call failed, so there is no answer
    that anything could be said about.
    """
    if failed:
        return Standing(Status.UNDETERMINED, reason=Reason.CALL_FAILED)
    finding = of_code(findings, point_hash, answer_hash, engines)
    if not verdicts:
        return _of_finding(finding, ())
    current_verdicts = [v for v in verdicts if v.point_hash == point_hash and v.answer_hash == answer_hash]
    humans = [v for v in current_verdicts if v.verdict.by.startswith("human:")]
    stale = _stale(verdicts, humans)
    human = _of_humans(humans, stale) if humans else None
    if human is not None and human.status is not Status.UNDETERMINED:
        return human
    if human is not None and (human.source is None or _adjudicated(human)):
        return human
    if finding is not None and _decided(finding):
        return _of_finding(finding, stale)
    judge = _of_judge(current_verdicts, card, stale)
    if judge is not None and judge.status is not Status.UNDETERMINED:
        return judge
    return human or judge or _of_finding(finding, stale)


def of_code(
    findings: Iterable[StoredFinding], point_hash: str, answer_hash: str, engines: frozenset[str] | None
) -> StoredFinding | None:
    """What code found for a point of an answer, whatever people or judges say of it.

    The last direct finding; where that is undetermined, the last located one if it is decided.
    """
    direct = located = None
    for one in findings:
        if one.engine.fact or (one.point_hash, one.answer_hash) != (point_hash, answer_hash):
            continue
        if engines is not None and one.engine.key not in engines:
            continue
        if one.engine.located:
            located = one
        else:
            direct = one
    if located is not None and _decided(located) and not (direct is not None and _decided(direct)):
        return located
    return direct


def _decided(finding: StoredFinding) -> bool:
    return finding.finding.award is not None


def _adjudicated(one: Standing) -> bool:
    return isinstance(one.source, StoredVerdict) and one.source.verdict.adjudicated


def _of_finding(finding: StoredFinding | None, stale: tuple[StoredVerdict, ...]) -> Standing:
    if finding is None:
        return Standing(Status.UNDETERMINED, reason=Reason.UNJUDGED, stale=stale)
    found = finding.finding
    return Standing(found.status, found.award, finding.award_follow, found.reason, finding, stale)


def _of_verdict(given: StoredVerdict, stale: tuple[StoredVerdict, ...]) -> Standing:
    verdict = given.verdict
    return Standing(verdict.status, verdict.award, _follow(verdict), verdict.reason, given, stale)


def _of_humans(marks: Sequence[StoredVerdict], stale: tuple[StoredVerdict, ...]) -> Standing | None:
    """An adjudication, else the mark all people agree on, else marks_disagree; None without marks.

    Whoever says ``unjudged`` has taken back what they said before.
    """
    by_person = {mark.verdict.by: mark for mark in marks}
    undone = {by for by, mark in by_person.items() if mark.verdict.reason is Reason.UNJUDGED}
    adjudicated = [mark for mark in marks if mark.verdict.adjudicated and mark.verdict.by not in undone]
    if adjudicated:
        return _of_verdict(adjudicated[-1], stale)
    latest = [mark for by, mark in by_person.items() if by not in undone]
    deciding = [mark for mark in latest if mark.verdict.status is not Status.UNDETERMINED]
    if len({_said(mark) for mark in deciding}) > 1:
        return Standing(Status.UNDETERMINED, reason=Reason.MARKS_DISAGREE, stale=stale)
    standing_marks = deciding or latest
    if not standing_marks:
        return None
    return _of_verdict(max(standing_marks, key=lambda mark: mark.id), stale)


def _said(mark: StoredVerdict) -> tuple[float | None, float | None]:
    return (mark.verdict.award, _follow(mark.verdict))


def _follow(verdict: Verdict) -> float | None:
    """A marker who says nothing about following errors awards the same with and without."""
    return verdict.award if verdict.award_follow is None else verdict.award_follow


def _of_judge(
    verdicts: Sequence[StoredVerdict], card: str | None, stale: tuple[StoredVerdict, ...]
) -> Standing | None:
    if card is None:
        return None
    chosen = f"judge:{card}"
    given = [v for v in verdicts if v.verdict.by == chosen or v.verdict.by.startswith(f"{chosen}@")]
    return _of_verdict(given[-1], stale) if given else None


def _stale(verdicts: Sequence[StoredVerdict], current: Sequence[StoredVerdict]) -> tuple[StoredVerdict, ...]:
    """The last mark of each person who has marked, but not today's point and answer."""
    latest = {v.verdict.by: v for v in verdicts if v.verdict.by.startswith("human:")}
    if not latest:
        return ()
    renewed = {mark.verdict.by for mark in current}
    return tuple(mark for by, mark in latest.items() if by not in renewed)
