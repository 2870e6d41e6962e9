"""From an answer and a point to pairs of answers whose verdicts must agree, or must not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from grader.answer.answer import Answer
from grader.audit.metamorphic.depends import why_apart
from grader.audit.metamorphic.entities import Entity, Sort, entities, overlaps
from grader.audit.metamorphic.kind import Edit, Kind, Place, Unfit
from grader.audit.metamorphic.measured import numbers_in_words
from grader.audit.metamorphic.options import why_exempt
from grader.audit.metamorphic.pair import NotApplicable, Pair
from grader.audit.metamorphic.quantities import same_quantity
from grader.audit.metamorphic.registry import KINDS
from grader.errors import AuditError, shown
from grader.formal import registry
from grader.problem.checks import CheckModel
from grader.problem.model import Point
from grader.record import Finding, Status

_STRUCTURAL: tuple[Sort, ...] = ("structure", "name", "formula")
_LITTLE = ("the answer writes no ", "check reads no ", "the rubric doesn't name it", "another passage")
"""Reasons that tell little, the least telling first."""
_NEXT_TO_NOTHING = 1e-3
"""Quantities closer than this, relatively, are one quantity said twice."""


def pairs_of(
    answer: str | Answer,
    point: Point | CheckModel,
    kinds: Sequence[str] = tuple(KINDS),
    seed: int = 0,
    *,
    code_agrees: bool = True,
) -> list[Pair | NotApplicable]:
    """One pair, or why there is none, for each kind in the given order; equal seed, equal pairs.

    ``code_agrees``: where the point has a check, code must give the verdict
    that the law says, before and after; False to audit code itself. Nothing
    supervises what answers make of the chemistry libraries here: see ``pairs_of_many``.
    Raises AuditError for an unknown kind.
    """
    for name in kinds:
        if name not in KINDS:
            raise AuditError("unknown kind of transform", got=shown(name), expected=", ".join(KINDS))
    maker = _Maker.of(answer, point, code_agrees)
    return [maker.made(KINDS[name], seed) for name in kinds]


@dataclass(frozen=True)
class _Maker:
    """One answer and one point."""

    answer: Answer
    text: str
    check: CheckModel | None
    found: Finding | None
    code_agrees: bool

    @classmethod
    def of(cls, answer: str | Answer, point: Point | CheckModel, code_agrees: bool) -> _Maker:
        whole = answer if isinstance(answer, Answer) else Answer(answer)
        text, check = (point.text, point.check) if isinstance(point, Point) else ("", point)
        if isinstance(point, Point) and point.draft:
            check = None  # a draft never decides
        found = registry.decide(check, whole) if check is not None else None
        return cls(whole, text, check, found, code_agrees)

    def made(self, kind: Kind, seed: int) -> Pair | NotApplicable:
        """The first pair whose guards all hold, places and edits in the order of the lot."""
        chance = Random(f"{seed} {kind.name} {self.answer.text}")
        why = self._why_no_verdict(kind)
        if why:
            return NotApplicable(kind.name, kind.law, why)
        reasons: list[str] = []
        for sort in kind.sorts:
            written = entities(self.answer.text, sort)
            if not written:
                reasons.append(f"the answer writes no {sort}")
            for entity in chance.sample(written, len(written)):
                try:
                    return next(self._pairs(kind, Place(self.answer.text, entity, chance)))
                except Unfit as unfit:
                    reasons.append(str(unfit))
        return NotApplicable(kind.name, kind.law, _telling(reasons))

    def _why_no_verdict(self, kind: Kind) -> str:
        """Why code's verdict on the answer as it is leaves nothing to compare; empty where it doesn't."""
        if self.found is None:
            return ""
        if self.found.award is None:
            return "code decides nothing on the answer"
        if kind.law == "sensitive" and self.found.status is not Status.MET:
            return "the answer doesn't earn the point as it is"
        return ""

    def _pairs(self, kind: Kind, place: Place) -> Iterator[Pair]:
        """The pairs of one entity, each with all guards asserted; raises Unfit where there is none."""
        raw, entity = place.raw, place.entity
        if why := why_apart(entity, kind.law, raw, self.text, self.check, self.found):
            raise Unfit(why)
        if kind.law == "sensitive" and (why := _why_contradicted(raw, entity)):
            raise Unfit(why)
        last = "no edit passes its guards"
        for edit in kind.edits(place):
            try:
                yield self._proved(kind, entity, edit)
            except Unfit as unfit:
                last = str(unfit)
        raise Unfit(last)

    def _proved(self, kind: Kind, entity: Entity, edit: Edit) -> Pair:
        raw = self.answer.text
        if self.check is not None and (why := why_exempt(self.check, kind, entity, edit)):
            raise Unfit(why)
        spans = [edit.span] if edit.span else _occurrences(raw, entity)
        after = _replaced(raw, spans, edit.text)
        if after == raw:
            raise Unfit("the text doesn't change")
        if self.check is not None and self.found is not None and self.code_agrees:
            expected = self.found.status if kind.law == "invariant" else Status.NOT_MET
            status = registry.decide(self.check, replace(self.answer, text=after)).status
            if status is not expected:
                raise Unfit(f"code says {status} after it and not {expected}")
        return Pair(kind.name, kind.law, raw, after, spans[0], edit.what)


def _telling(reasons: Sequence[str]) -> str:
    """The reason of the place that came furthest: what isn't written tells least, what isn't asked little."""
    return min(reasons, key=lambda one: next((-at for at, why in enumerate(_LITTLE) if why in one), -9))


def _occurrences(raw: str, entity: Entity) -> list[tuple[int, int]]:
    """Where the answer writes the entity in the same letters, itself included, in order."""
    same = (one for one in entities(raw, entity.sort) if one.text == entity.text and one.keys & entity.keys)
    return sorted({entity.span, *(one.span for one in same)})


def _replaced(raw: str, spans: Sequence[tuple[int, int]], text: str) -> str:
    for start, end in reversed(spans):
        raw = raw[:start] + text + raw[end:]
    return raw


def _why_contradicted(raw: str, entity: Entity) -> str:
    """Why an answer would contradict itself with one wrong passage; empty where it wouldn't."""
    if entity.sort == "steps":
        return ""
    own = _occurrences(raw, entity)
    if entity.sort == "quantity" and float(entity.value.value) in numbers_in_words(raw):
        return "the answer states the same in words too"
    if entity.sort in _STRUCTURAL and "InChI" in raw:
        return "the answer gives an InChI too"
    for sort in _STRUCTURAL if entity.sort in _STRUCTURAL else (entity.sort,):
        for one in entities(raw, sort):
            if not any(overlaps(one.span, span) for span in own) and _restates(entity, one):
                return "the answer states the same in other words too"
    return ""


def _restates(entity: Entity, other: Entity) -> bool:
    if entity.sort == "quantity":
        return bool(same_quantity(entity, other, _NEXT_TO_NOTHING))
    return bool(entity.keys & other.keys)
