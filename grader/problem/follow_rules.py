"""Rules of follow-through: what a point follows from exists, comes earlier and has a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.errors import Fault
from grader.problem.checks import CheckModel
from grader.problem.model import Follow, Group, Point, ScoringNode, Subquestion, named_points
from grader.problem.nodes import nodes
from grader.problem.place import Place
from grader.problem.rules import placed_nodes

NUMBERS = frozenset({"quantity", "integer"})
"""Kinds whose findings hold a number: an expression leads from them to one of them."""
STRUCTURES = frozenset({"smiles", "inchi", "name"})
"""Kinds whose findings hold a structure: a reaction leads from them to one of them."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]{0,29}")


@dataclass(frozen=True, slots=True)
class PlacedFollow:
    """A ``follow`` without broken rules and where it stands, for lints that know chemistry."""

    place: Place
    follow: Follow
    check: CheckModel
    sources: Mapping[str, CheckModel]
    """The checks of its sources, by their names in it."""


def follow_faults(subs: Iterable[tuple[int, Subquestion]], place: Place) -> Iterator[Fault]:
    """Every broken rule of follow-through in a problem at ``place``, whose subquestions are all given."""
    for rules in _rules(subs, place):
        yield from rules.faults()


def placed_follows(subs: Iterable[tuple[int, Subquestion]], place: Place) -> Iterator[PlacedFollow]:
    """Every ``follow`` of a problem that breaks no rule."""
    for rules in _rules(subs, place):
        check = rules.point.check
        if check is not None and next(rules.faults(), None) is None:
            yield PlacedFollow(rules.here, rules.follow, check, rules.checks())


def _rules(subs: Iterable[tuple[int, Subquestion]], place: Place) -> Iterator[_Rules]:
    subs = list(subs)
    following = [
        (sub.sub_id, node, node.follow, here.at("follow"))
        for index, sub in subs
        for here, node in placed_nodes(sub, place.at("subquestions", index))
        if isinstance(node, Point) and node.follow is not None
    ]
    order = [found for _, sub in subs for found in _found(sub)] if following else []
    for sub_id, node, follow, here in following:
        yield _Rules(sub_id, node, follow, order, here)


@dataclass(frozen=True, slots=True)
class _Found:
    """A point of the problem, and the ``any`` groups it is an alternative of."""

    sub_id: str
    point: Point
    alternatives: tuple[str, ...]

    @property
    def id(self) -> tuple[str, str]:
        return (self.sub_id, self.point.id)


def _found(sub: Subquestion) -> Iterator[_Found]:
    def below(rubric: Iterable[ScoringNode], alternatives: tuple[str, ...]) -> Iterator[_Found]:
        for node in rubric:
            if isinstance(node, Point):
                yield _Found(sub.sub_id, node, alternatives)
            elif isinstance(node, Group):
                yield from below(node.of, (*alternatives, node.id) if node.rule == "any" else alternatives)

    return below(nodes(sub), ())


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules of one ``follow``."""

    sub_id: str
    point: Point
    follow: Follow
    order: Sequence[_Found]
    """All points of the problem, in order."""
    here: Place

    def faults(self) -> Iterator[Fault]:
        if (self.follow.expression is None) == (self.follow.reaction is None):
            got = "neither" if self.follow.expression is None else "both"
            what = "what follows needs either 'expression' or 'reaction'"
            yield self.here.fault(what, got=got, expected="one of them")
            return
        yield from self._own_faults()
        for name, reference in self.follow.sources.items():
            yield from self._source_faults(reference, self.here.at("from", name))
        if self.follow.expression is not None:
            yield from self._expression_faults(self.follow.expression)

    def checks(self) -> dict[str, CheckModel]:
        """The checks of the sources, where all rules hold."""
        named = {name: self._named(reference)[0] for name, reference in self.follow.sources.items()}
        return {name: one.point.check for name, one in named.items() if one.point.check is not None}

    def _named(self, reference: str) -> list[_Found]:
        names = named_points(reference, (one.id for one in self.order))
        return [one for one in self.order if one.id in names]

    @property
    def _kinds(self) -> frozenset[str]:
        return STRUCTURES if self.follow.expression is None else NUMBERS

    def _own_faults(self) -> Iterator[Fault]:
        check = self.point.check
        if check is None:
            do = "Give the point a check, or leave 'follow' out: a marker says what follows."
            yield self.here.fault("a flexible point can't follow by code", do=do)
        elif check.kind not in self._kinds:
            yield self.here.fault(
                "a check of this kind can't follow so", got=check.kind, expected=_either(self._kinds)
            )

    def _source_faults(self, reference: str, here: Place) -> Iterator[Fault]:
        found = self._named(reference)
        if not found:
            yield here.fault("names no point of this problem", got=repr(reference))
        elif len(found) > 1:
            listed = ", ".join("/".join(one.id) for one in found)
            yield here.fault("names several points", got=repr(reference), expected=f"one of {listed}")
        else:
            yield from self._kind_faults(found[0], here)

    def _kind_faults(self, source: _Found, here: Place) -> Iterator[Fault]:
        own = next(one for one in self.order if one.id == (self.sub_id, self.point.id))
        check = source.point.check
        if self.order.index(source) >= self.order.index(own):
            yield here.fault("names a point that doesn't come before this one", got=repr(source.point.id))
        elif set(source.alternatives) & set(own.alternatives):
            what = "names an alternative of this point, which can't follow from it"
            yield here.fault(what, got=repr(source.point.id))
        elif check is None:
            yield here.fault("names a flexible point, which has no value", got=repr(source.point.id))
        elif source.point.draft:
            do = "Accept its check first."
            yield here.fault("names a draft, which never decides", got=repr(source.point.id), do=do)
        elif check.kind not in self._kinds:
            got = f"{source.point.id!r}, {check.kind}"
            yield here.fault("names a point of another kind of value", got=got, expected=_either(self._kinds))

    def _expression_faults(self, text: str) -> Iterator[Fault]:
        from grader.problem.arithmetic import FUNCTIONS, Unreadable, read_expression

        names = self.follow.sources
        for name in names:
            if not _NAME.fullmatch(name) or name in FUNCTIONS:
                expected = "a letter, then letters, digits and '_'; no function of the arithmetic"
                here = self.here.at("from", name)
                yield here.fault("can't name a value", got=repr(name), expected=expected)
        here = self.here.at("expression")
        try:
            used = read_expression(text).names
        except Unreadable as error:
            yield here.fault(f"the expression can't be read: {error}", got=repr(text))
            return
        for name in sorted(used - names.keys()):
            yield here.fault("names no value of 'from'", got=repr(name), expected=", ".join(names))
        for name in names.keys() - used:
            do = "Leave it out: the point follows only where all its values are found."
            yield self.here.at("from", name).fault("the expression doesn't use it", got=repr(name), do=do)


def _either(kinds: Iterable[str]) -> str:
    return " or ".join(sorted(kinds))
