"""What a check expects as an expression, and how a statement of an answer compares with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from grader.formal.expressions.compared import DIFFERENT, SAME, Compared, Outcome, unsure
from grader.formal.expressions.equality import Equal, compare
from grader.formal.expressions.equations import Equation, equivalent
from grader.formal.expressions.left_sides import is_negative, is_rate, is_ratio, terms
from grader.formal.expressions.literals import Unreadable
from grader.formal.expressions.names import RATE_UNITS, SURE_UNITS, Vocabulary
from grader.formal.expressions.segment import Segmenter
from grader.formal.expressions.statements import Side, Statement, TooMany, statements
from grader.formal.expressions.tree import (
    Call,
    Node,
    Symbol,
    negative,
    number,
    product,
    quotient,
    renamed,
    replaced,
    substituted,
    symbols,
    walk,
)
from grader.formal.expressions.unknown import explained
from grader.problem.checks import ExpressionCheck

Definitions = Mapping[str, Node]
_TURN = product(number(2), Symbol("π"))
_PLANCK: Definitions = {"ħ": quotient(Symbol("h"), _TURN), "h": product(_TURN, Symbol("ħ"))}
"""Planck's constant and the reduced one, each by the other."""


@dataclass(frozen=True)
class Target:
    """The expected expression or equation."""

    check: ExpressionCheck
    vocabulary: Vocabulary
    value: Side
    head: Node | None
    """The left side of an expected equation."""
    proportional: bool

    @classmethod
    def of(cls, check: ExpressionCheck) -> Target:
        """Read what a check expects. Raises Unreadable."""
        aliases = {
            spelling: _name(key)
            for key, spellings in check.symbols.items()
            for one in spellings
            for spelling in _names(one)
        }
        own = frozenset(_name(key) for key in check.symbols)
        segmenter = Segmenter(Vocabulary(own, aliases), whole="*" in check.expected)
        found = _only(check.expected, segmenter)
        if found is None:
            raise Unreadable("it is no expression")
        sides = found.sides
        names = frozenset(name for side in sides for name in symbols(side.tree))
        head = sides[0].tree if len(sides) > 1 else None
        vocabulary = Vocabulary(names | own, aliases)
        return cls(check, vocabulary, sides[-1], head, found.proportional)

    @cached_property
    def segmenter(self) -> Segmenter:
        """Cuts the runs of letters of an answer."""
        return Segmenter(self.vocabulary)

    @cached_property
    def names(self) -> frozenset[str]:
        """The symbols of the expected value."""
        return symbols(self.value.tree)

    @cached_property
    def labels(self) -> frozenset[Node]:
        """Left sides under which the value is asked for."""
        found = {self.head} if self.head is not None else set()
        for label in self.check.asked:
            one = _only(label, Segmenter(self.vocabulary))
            if one is not None and len(one.sides) == 1 and not one.sides[0].rest:
                found.add(self.resolved(one.sides[0].tree))
        return frozenset(found)

    def resolved(self, node: Node) -> Node:
        """A tree in the symbols of the check."""
        return renamed(node, self.vocabulary.resolve(symbols(node)))

    def spelled(self, statement: Statement) -> Statement:
        """A statement in the symbols of the check: two names of it never come to mean one symbol."""
        names = self.vocabulary.resolve(name for side in statement.sides for name in symbols(side.tree))

        def side(one: Side) -> Side:
            other = None if one.other is None else renamed(one.other, names)
            return replace(one, tree=renamed(one.tree, names), other=other)

        return replace(statement, sides=tuple(side(one) for one in statement.sides))

    def overlap(self, node: Node) -> int:
        """How many of the expected symbols a tree holds."""
        return len(symbols(node) & (self.names | (symbols(self.head) if self.head else frozenset())))

    def compared(self, statement: Statement, side: Side, definitions: Definitions) -> Compared:
        """How a statement compares, ``side`` being the value that it gives."""
        if statement.unread or side.rest.strip():
            return unsure("a part of it can't be read")
        others = [] if statement.head else [one.tree for one in statement.sides if one is not side]
        left = others[0] if others else None
        if statement.proportional or self.proportional:
            return self._up_to_a_factor(side.tree)
        found = self._by_head(left, side, definitions)
        if (
            found is DIFFERENT
            and statement.approximate
            and any(self._compare(one) is Equal.YES for one in others)
        ):
            return unsure("it goes on to an approximation")
        return found

    def _by_head(self, left: Node | None, side: Side, definitions: Definitions) -> Compared:
        if left is None or left in self.labels:
            return self._value(side, definitions)
        if (label := self._other_side_of(left)) is not None:
            return self._equation((label, self.value.tree), (left, side.tree))
        if self.head is not None and not isinstance(left, Symbol):
            return self._equation((self.head, self.value.tree), (left, side.tree))
        if isinstance(left, Symbol):
            return self._named(left, side, definitions)
        return self._implicit(left, side, definitions)

    def _other_side_of(self, left: Node) -> Node | None:
        """The ratio or function asked for that a left side turns round: ``N1/N2`` for ``N2/N1``."""
        if symbols(left) & self.names:
            return None
        return next((one for one in self.labels if symbols(one) == symbols(left)), None)

    def _named(self, left: Symbol, side: Side, definitions: Definitions) -> Compared:
        """A value under a symbol."""
        known = self.names | (symbols(self.head) if self.head else frozenset())
        if left.name not in known:
            if self.head is not None and not isinstance(self.head, Symbol):
                return self._equation((self.head, self.value.tree), (left, side.tree))
            if left.name.startswith("d") and "/d" in left.name:
                return self._rate(left, side, definitions)
            found = self._value(side, definitions)
            if found is SAME and self._from_start(left) is False:
                return unsure("at t = 0 it is not what its left side starts from")
            return found
        if self.head is not None:
            return self._equation((self.head, self.value.tree), (left, side.tree))
        return self._solved_for(None, (left, side.tree))

    def _rate(self, left: Symbol, side: Side, definitions: Definitions) -> Compared:
        """A value under a derivative: a rate of consumption has the other sign."""
        found = self._value(side, definitions)
        if found.outcome is Outcome.DIFFERENT and self._compare(negative(side.tree)) is Equal.YES:
            if is_negative(self.value.tree) and left.name[1:].partition("/d")[0] in self.names:
                return DIFFERENT
            return unsure("it differs by the sign of a rate of consumption only")
        return found

    def _implicit(self, left: Node, side: Side, definitions: Definitions) -> Compared:
        """A value under something that is done to a symbol: ``-ΔG``, ``ln k``, ``1/v``; or an equation."""
        names = symbols(left) | symbols(side.tree)
        extra = sorted(names - self.names)
        if len(extra) == 1:
            solved = self._solved_for(Symbol(extra[0]), (left, side.tree))
            if solved.outcome is Outcome.SAME and not symbols(left) & self.names:
                return SAME
            if solved.outcome is Outcome.SAME:
                return (
                    SAME if Symbol(extra[0]) in self.labels else unsure("it is not solved for what is asked")
                )
            if is_rate(left) and self._value(side, definitions).outcome is Outcome.SAME:
                return SAME
        if self._value(side, definitions).outcome is not Outcome.DIFFERENT:
            fits = self._is_asked(left) or self._from_start(left)
            return SAME if fits else unsure("its left side is not the plain symbol")
        return DIFFERENT

    def _is_asked(self, left: Node) -> bool:
        """Whether a left side is what the value fits: a ratio or its logarithm, one where logarithms are."""
        if self.labels or not isinstance(left, Call):
            return not self.labels and is_ratio(left) and self._is_exponential()
        if left.function == "ln" and is_ratio(left.argument) and not self._is_exponential():
            return True
        if left.function == "ln" and isinstance(left.argument, Symbol) and self._is_over_heat():
            return True
        return any(
            isinstance(one, Call) and one.function == left.function in ("ln", "log10")
            for one in terms(self.value.tree)
        )

    def _from_start(self, left: Node) -> bool | None:
        """Whether the value at t = 0 is what the left side is then; None where nothing starts."""
        names = symbols(left)
        starts = {name: Symbol(f"{name}0") for name in names}
        if "t" not in self.names or not any(one.name in self.names for one in starts.values()):
            return None
        value = substituted(self.value.tree, {"t": number(0)})
        return compare(value, substituted(left, starts)) is Equal.YES

    def _is_over_heat(self) -> bool:
        """Whether the expected value is an energy over RT or kT, and so a logarithm of what has no unit."""
        value = self.value.tree

        def divides(name: str) -> bool:
            doubled = substituted(value, {name: product(number(2), Symbol(name))})
            return compare(product(number(2), doubled), value) is Equal.YES

        return (
            "T" in self.names
            and divides("T")
            and any(divides(name) for name in self.names & {"R", "k", "kB"})
        )

    def _is_exponential(self) -> bool:
        """Whether the expected value is what a logarithm would be taken of."""
        return any(isinstance(one, Call) and one.function == "exp" for one in walk(self.value.tree))

    def _solved_for(self, head: Symbol | None, equation: Equation) -> Compared:
        """An equation in one more symbol than expected, as an equation for that symbol."""
        extra = sorted((symbols(equation[0]) | symbols(equation[1])) - self.names)
        if head is None and len(extra) != 1:
            return DIFFERENT
        name = head or Symbol(extra[0])
        found = equivalent((name, self.value.tree), equation)
        if found is Equal.YES:
            return (
                SAME if head is not None or name in self.labels else unsure("it is solved for another symbol")
            )
        return DIFFERENT if found is Equal.NO else unsure("the equations can't be compared")

    def _equation(self, expected: Equation, stated: Equation) -> Compared:
        found = equivalent(expected, stated)
        if found is Equal.YES:
            return SAME
        return DIFFERENT if found is Equal.NO else unsure("the equations can't be compared")

    def _up_to_a_factor(self, tree: Node) -> Compared:
        """A proportionality: wrong in its variables, or right but without its constant."""
        ratio = quotient(self.value.tree, tree)
        varied = symbols(tree)
        moved = replaced(ratio, lambda one: Symbol(one.name + "'") if one.name in varied else one)
        concentrations = any(name.startswith("[") for name in self.names - varied)
        if concentrations or compare(ratio, moved) is not Equal.YES:
            return DIFFERENT
        return SAME if self.proportional else unsure("a proportionality names no constant")

    def _value(self, side: Side, definitions: Definitions) -> Compared:
        """An expression against the expected one, in both readings."""
        first = self._tree(side.tree, definitions)
        if first.outcome is not Outcome.DIFFERENT or side.other is None:
            return first
        if self._tree(side.other, definitions).outcome is Outcome.SAME:
            return unsure("it can be read in two ways, and only one is right")
        return first

    def _compare(self, tree: Node) -> Equal:
        return compare(self.value.tree, tree, self.check.rel_tol or 0.0)

    def _tree(self, tree: Node, definitions: Definitions) -> Compared:
        found = self._compare(tree)
        if found is Equal.YES:
            return SAME
        if found is Equal.UNKNOWN:
            return unsure("it can't be evaluated within bounds")
        if found is Equal.COARSE:
            return unsure("it agrees only within the rounding of few digits")
        unknown = symbols(tree) - self.names
        if "ħ" in unknown | self.names:
            definitions = {**_PLANCK, **definitions}
        if defined := {name: definitions[name] for name in unknown if name in definitions}:
            return self._tree(substituted(tree, defined), {})
        if unknown and unknown <= SURE_UNITS | RATE_UNITS:
            bare = substituted(tree, dict.fromkeys(unknown, number(1)))
            if self._compare(bare) is Equal.YES:
                return SAME if unknown <= SURE_UNITS else unsure("a unit may stand in it")
        return explained(self.value.tree, tree, self.check.rel_tol or 0.0)


def _only(text: str, segmenter: Segmenter) -> Statement | None:
    """The one statement of a text."""
    try:
        found = statements(text, segmenter, euler="e" not in segmenter.vocabulary.spellings)
    except TooMany:
        return None
    return found[0] if len(found) == 1 else None


def _name(key: str) -> str:
    return next(iter(_names(key)), key)


def _names(spelling: str) -> Sequence[str]:
    """The canonical names that a spelling of one symbol may be read as."""
    found = _only(spelling, Segmenter(whole=True))
    tree = found.sides[0].tree if found else None
    return (tree.name,) if isinstance(tree, Symbol) else (spelling.replace(" ", ""),)
