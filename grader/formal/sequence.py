"""Checks of kind sequence: does an answer put the items in the expected order?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from grader.answer.answer import Answer
from grader.answer.binding import Bound
from grader.answer.candidates import Candidate, Settled, settle
from grader.answer.marks import Rank
from grader.answer.notation import Text
from grader.formal.lists.anchors import Anchor, Items
from grader.formal.lists.chains import chains, merged
from grader.formal.lists.deciding import decide_listed, spans_of
from grader.formal.lists.direction import Direction, extreme, property_in, read_order, way_in
from grader.formal.lists.extremes import by_extremes
from grader.formal.lists.links import places
from grader.formal.lists.reading import (
    ListReading,
    found_runs,
    heading_of,
    is_alone,
    listed,
)
from grader.formal.lists.runs import Member, Run
from grader.formal.outcome import decided, undetermined, unsettled
from grader.formal.registry import by
from grader.formal.structures.comparison import Relation
from grader.problem.checks import CheckModel, SequenceCheck
from grader.record import Finding, Reason, Rejected

BY = by("sequence")

V = TypeVar("V")

_ORDERED = re.compile(
    r"\b(?:order|rank\w*|sequence|series|trend|first|then|follow\w*|arrang\w+|priorit\w+|steps?|as follows|"
    r"answer)\b",
    re.I,
)
_ANNOUNCED = re.compile(r"\b(?:increasing|decreasing|ascending|descending)\b[^.;\n<>]{0,40}$", re.I)
_FROM_TO = re.compile(
    r"\b(?:most|least|[a-z]{2,12}est)\b[^.;:\n]{0,30}\s(?:to|through)\s(?:the\s)?(?:most|least|[a-z]{2,12}est)\b",
    re.I,
)
"""Two ends between which an order runs."""
_ENDS_AND_MIDDLE = 3
"""How many items the most, the least and the one between put in order."""
_AFTER = re.compile(
    r"\W{0,3}\s?(?:\((?P<said>[^()\n]{0,80})\)|\s(?:in|by|with) (?P<order>[^.;,\n]{0,60})|,\s(?P<from>from "
    r"[^.;\n]{0,60}))"
)
_ONE_VALUE = re.compile(r"^[^\d,;]{0,24}[=≈~:\s]\s?[-+]?\d[^,;]{0,20}$")
_OWN_CLAUSE = re.compile(
    r"[.;\n]|,\s(?:so|hence|thus|therefore|and|but)\b|\b(?:so|hence|thus|therefore)\b|[<>]"
)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A list turned so that it runs as the expected order does."""

    run: Run
    groups: tuple[tuple[Member, ...], ...]
    """Its members in order, ties together."""
    of: Direction
    turned: bool
    """Whether it was written the other way round."""
    certain: bool
    """Whether the answer says which way it runs."""
    doubt: str = ""


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide a sequence check on one answer."""
    assert isinstance(check, SequenceCheck)

    def finding(text: Text, items: Items) -> Finding:
        return _Case(check, answer, text, items).finding()

    return decide_listed(BY, check, answer, finding)


def spans(check: SequenceCheck, answer: Answer) -> list[tuple[int, int]]:
    """The raw spans of the orders that an answer writes. Raises TooMany."""
    return spans_of(check, answer, 2)


@dataclass(frozen=True)
class _OrderReading(ListReading):
    """A reading in which an order by another property is somebody else's value."""

    others_by_property: tuple[int, ...] = ()

    def placed(self, item: Candidate[V]) -> Candidate[V]:
        """The candidate, tied away where it ranks by another property."""
        item = super().placed(item)
        return (
            replace(item, bound=Bound.OTHER, label="another property")
            if item.plain[0] in self.others_by_property
            else item
        )


@dataclass(frozen=True)
class _Case:
    """One check on one answer."""

    check: SequenceCheck
    answer: Answer
    text: Text
    items: Items

    @cached_property
    def _order(self) -> Direction:
        return read_order(self.check.order)

    @cached_property
    def _reading(self) -> ListReading:
        return ListReading(self.text, self.check.asked, self.answer.others)

    def finding(self) -> Finding:
        """The finding by the order that the answer settles on."""
        runs = found_runs(self.text, self.items, self._reading, parallel=False)
        found = [part for run in runs for part in chains(run) if len(part.members) > 1]
        if not any(self._complete(run) for run in found) and (whole := merged(found, self._alike)):
            found = [whole]
        if len(self.items.expected) == _ENDS_AND_MIDDLE and not any(self._complete(run) for run in found):
            placed = by_extremes(self.text.plain, self.items.anchors(self.text), self._reading.discourse)
            found = [placed] if placed else found
        candidates = [self._ranked(one) for one in listed(self.text, found, self._reading)]
        candidates = self._chains_first([one for one in candidates if self._is_order(one)])
        settled = self._settle(candidates)
        if settled.candidate is None:
            return unsettled(BY, settled, "order")
        return self._judge(settled.candidate, settled.rejected)

    def _ranked(self, item: Candidate[Run]) -> Candidate[Ranking]:
        run = item.value
        said = self._direction(run)
        turned = said.relative(self._order)
        groups = _groups(run)
        doubt = item.doubt or self._contradiction(run, said)
        if turned == -1:
            groups = groups[::-1]
        if turned is None:
            said = replace(said, of=f"?{said.of}")
        ranking = Ranking(run, groups, said, turned == -1, said.way != 0)
        return Candidate(
            ranking, item.start, item.end, item.quote, item.plain, item.lead, item.aside, doubt=doubt
        )

    def _is_order(self, item: Candidate[Ranking]) -> bool:
        """Whether a list is meant as an order: a chain, a numbered or marked list, or one announced so."""
        run = item.value.run
        chained = any(link != "," for link in run.links) or places(run.notes[:-1])
        if chained or run.layout != "prose" or item.value.certain:
            return True
        if (
            is_alone(self.text, item, noted=bool(run.notes[0]))
            or self._reading.placed(item).rank >= Rank.LINE
        ):
            return True
        before, _ = self._reading.discourse.around(run.start, run.end)
        return _ORDERED.search(before) is not None

    def _chains_first(self, candidates: list[Candidate[Ranking]]) -> list[Candidate[Ranking]]:
        """Lists as asides where an inequality of the same items stands."""
        chains = [one for one in candidates if _signed(one.value.run) and self._complete(one.value.run)]
        if not chains:
            return candidates
        return [one if _signed(one.value.run) else replace(one, aside=True) for one in candidates]

    # -- direction --------------------------------------------------------------------------------------

    def _direction(self, run: Run) -> Direction:
        """Which way a list runs by its signs or by what is said of it, and by which property."""
        before, after = self._around(run)
        signs = {link for link in run.links if link in "<>"}
        of = run.of or property_in(after) or property_in(before, last=True)
        if signs:
            return Direction((1 if signs == {"<"} else -1) if len(signs) == 1 else 0, of)
        way = _by_notes(run) or _by_key(before) or way_in(after) or way_in(before)
        return Direction(way, of or property_in(" ".join(run.notes[:1])))

    def _around(self, run: Run) -> tuple[str, str]:
        """What is said of a list right before it, in its clause or heading, and right behind it."""
        before, after = self._reading.discourse.around(run.start, run.end)
        if run.layout in ("lines", "table", "plain lines") or not before.strip(" *-"):
            before = heading_of(self.text.plain, run.start) + " " + before
        if run.layout == "table":
            before = run.title + " " + before
        cuts = [match.end() for match in _OWN_CLAUSE.finditer(before.rstrip(" :.\n"))]
        own = before[cuts[-1] :] if cuts and _signed(run) else before
        match = _AFTER.match(after)
        said = (match["said"] or match["order"] or match["from"] or "") if match else ""
        return own, "" if match and match["said"] and _is_note(said, run) else said

    def _contradiction(self, run: Run, said: Direction) -> str:
        """Why a list may run otherwise than it seems: by its signs, or by words that can't be read."""
        signs = {link for link in run.links if link in "<>"}
        if len(signs) > 1:
            return "its signs point both ways"
        before, after = self._around(run)
        spanned = None if signs or said.way else _FROM_TO.search(before) or _FROM_TO.search(after)
        if spanned and spanned[0].lower() not in (self.check.order or "").lower():
            return "which way it runs can't be read"
        announced = way_in(before) if _ANNOUNCED.search(before) else 0
        return "its signs run against its words" if signs and announced and announced != said.way else ""

    # -- comparison -------------------------------------------------------------------------------------

    def _settle(self, candidates: Sequence[Candidate[Ranking]]) -> Settled[Ranking]:
        others = tuple(one.plain[0] for one in candidates if one.value.of.of.startswith("?"))
        return settle(
            self.text,
            candidates,
            same=self._same,
            asked=self.check.asked,
            others=self.answer.others,
            cut=self.answer.cut,
            fits=lambda ranking: self._complete(ranking.run),
            reading=_OrderReading(self.text, self.check.asked, self.answer.others, others),
        )

    def _complete(self, run: Run) -> bool:
        """Whether every expected item is in a list."""
        anchors = run.anchors
        return all(
            any(self.items.compare(one, two.value) is not Relation.DIFFERENT for two in anchors)
            for one in self.items.expected
        )

    def _same(self, one: Ranking, two: Ranking) -> bool:
        if len(one.groups) != len(two.groups):
            return False
        return all(
            len(a) == len(b) and all(any(self._alike(x, y) for y in b) for x in a)
            for a, b in zip(one.groups, two.groups, strict=True)
        )

    def _alike(self, one: Member, two: Member) -> bool:
        if isinstance(one, Anchor) and isinstance(two, Anchor):
            return self.items.compare(one.value, two.value) is Relation.SAME
        return one == two

    def _relation(self, groups: Sequence[Sequence[Member]]) -> Relation:
        """How an order relates to the expected one, item by item."""
        if len(groups) != len(self.items.expected) or any(len(group) > 1 for group in groups):
            return Relation.DIFFERENT
        relations = [
            self.items.compare(expected, group[0].value)
            if isinstance(group[0], Anchor)
            else (Relation.DIFFERENT if self.items.closed else Relation.UNSURE)
            for expected, group in zip(self.items.expected, groups, strict=True)
        ]
        if Relation.DIFFERENT in relations:
            return Relation.DIFFERENT
        return Relation.UNSURE if Relation.UNSURE in relations else Relation.SAME

    def _judge(self, taken: Candidate[Ranking], rejected: tuple[Rejected, ...]) -> Finding:
        ranking = taken.value
        relation = self._relation(ranking.groups)
        shown = ", ".join(" = ".join(self._shown(one) for one in group) for group in ranking.groups)
        detail = f"{shown} against {', '.join(map(str, self.check.expected))}"
        if relation is Relation.DIFFERENT and self._may_run_back(ranking):
            relation, detail = Relation.UNSURE, f"{detail}: which way it runs is not said"
        if relation is Relation.DIFFERENT and self._told_apart(ranking):
            relation, detail = Relation.UNSURE, f"{detail}: the answer places other items elsewhere"
        if relation is Relation.UNSURE:
            found = undetermined(BY, Reason.NOT_COMPARABLE, detail, rejected)
            return replace(found, found=shown, evidence=taken.evidence)
        return decided(BY, relation is Relation.SAME, taken, detail, shown, rejected)

    def _told_apart(self, ranking: Ranking) -> bool:
        """Whether a list only lacks items that the rest of the answer names, and puts its own in order."""
        places = [
            [place for place, item in enumerate(self.items.expected) if self._is(item, one)]
            for group in ranking.groups
            for one in group
        ]
        order = [place[0] for place in places if place]
        if len(order) < len(places) or order != sorted(set(order)) or len(order) == len(self.items.expected):
            return False
        beside = [one for one in self.items.anchors(self.text) if one not in ranking.run.members]
        return any(
            self._is(item, one)
            for place, item in enumerate(self.items.expected)
            if place not in order
            for one in beside
        )

    def _is(self, expected: object, member: Member) -> bool:
        return (
            isinstance(member, Anchor)
            and self.items.compare(expected, member.value) is not Relation.DIFFERENT
        )

    def _may_run_back(self, ranking: Ranking) -> bool:
        """Whether an order could be the expected one read the other way, and nothing says which is meant."""
        if self._relation(ranking.groups[::-1]) is Relation.DIFFERENT:
            return False
        if not self._order.way:
            return ranking.turned
        return ranking.run.layout in ("lines", "table") and not ranking.certain

    def _shown(self, member: Member) -> str:
        return self.text.plain[member.start : member.end] if isinstance(member, Anchor) else member.text


def _signed(run: Run) -> bool:
    return any(link in "<>" for link in run.links)


def _is_note(said: str, run: Run) -> bool:
    """Whether a bracket behind a list only speaks of the last item: it gives its value, or each has one."""
    return _ONE_VALUE.search(said) is not None or all(run.notes[:-1])


def _groups(run: Run) -> tuple[tuple[Member, ...], ...]:
    """The members of a list, those joined by an equals sign together."""
    groups: list[tuple[Member, ...]] = [(run.members[0],)]
    for link, member in zip(run.links, run.members[1:], strict=True):
        if link == "=":
            groups[-1] = (*groups[-1], member)
        else:
            groups.append((member,))
    return tuple(groups)


def _by_key(before: str) -> int:
    """Which way a list runs whose first item is headed by its rank: "least acidic: A; ..."."""
    key = before.rstrip(" *\n")
    return -extreme(key[-40:]) if key.endswith(":") and not _ORDERED.search(key) else 0


def _by_notes(run: Run) -> int:
    """Which way a list runs by what is said of its first and its last member."""
    first, last = extreme(run.notes[0]), extreme(run.notes[-1])
    ways = {way for way in (-first, last) if way}
    return ways.pop() if len(ways) == 1 else 0
