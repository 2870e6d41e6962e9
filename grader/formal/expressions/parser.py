"""Tokens to trees: a precedence parser that knows where chemists leave out signs and brackets.

What a slash divides by is open in running text: ``Ea/RT``, ``3/2 R``,
``Ea/R (1/T1 - 1/T2)``. Each such place has a usual reading and another one;
``read`` gives both, so that whoever compares can see whether it matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.formal.expressions.cursor import Cursor
from grader.formal.expressions.literals import Unreadable, derivative, is_differential, literal
from grader.formal.expressions.names import FUNCTIONS
from grader.formal.expressions.slashes import Factor, alike, divided_by, is_order
from grader.formal.expressions.token import Token
from grader.formal.expressions.tree import (
    HALF,
    ONE,
    Call,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Symbol,
    negative,
    number,
    product,
    quotient,
)

MOST_TOKENS = 300
"""Longer expressions aren't read."""
_DEEPEST = 30
_CLOSERS = {"(": ")", "[": "]", "{": "}", "sup": "sup"}


@dataclass(frozen=True, slots=True)
class Read:
    """An expression in its usual reading, and in the other one where it has two."""

    tree: Node
    other: Node | None
    end: int
    """How many tokens it takes."""


def read(tokens: Sequence[Token], euler: bool = True) -> Read:
    """The longest expression that a run of tokens starts with; ``euler``: e is the base of exp.

    Raises Unreadable.
    """
    if len(tokens) > MOST_TOKENS:
        raise Unreadable("it is too long")
    usual = _Parser(tokens, euler, other=False)
    tree = usual.sum()
    try:
        unusual = _Parser(tokens, euler, other=True)
        other = unusual.sum()
    except Unreadable:
        return Read(tree, None, usual.at)
    different = other != tree and unusual.at == usual.at
    return Read(tree, other if different else None, usual.at)


class _Parser(Cursor):
    depth = 0

    def sum(self) -> Node:
        """Terms with plus and minus between them."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise Unreadable("it is nested too deeply")
        terms = [self._signed()]
        while self._is("op", "+") or self._is("op", "-"):
            before = self.at
            sign = self.tokens[before].text
            self.at += 1
            try:
                term = self._signed()
            except Unreadable:
                self.at = before
                break
            terms.append(term if sign == "+" else negative(term))
        self.depth -= 1
        return terms[0] if len(terms) == 1 else Sum(tuple(terms))

    def _signed(self) -> Node:
        minus = False
        while self._is("op", "+") or self._is("op", "-"):
            minus ^= self.tokens[self.at].text == "-"
            self.at += 1
        term = self._term()
        return negative(term) if minus else term

    def _term(self) -> Node:
        """Products and quotients."""
        above: list[Node] = [factor.node for factor in self._chain()]
        below: list[Node] = []
        divided = False
        while self._is("op", "*") or self._is("op", "/"):
            before = self.at
            sign = self.tokens[before]
            self.at += 1
            try:
                minus = self._is("op", "-")
                self.at += minus
                chain = self._chain()
            except Unreadable:
                self.at = before
                break
            if minus:
                above.append(number(-1))
            if sign.text == "*":
                target = below if divided and self.other else above
                target.extend(factor.node for factor in chain)
                continue
            divided = True
            if self.other and [factor.node for factor in chain] == [ONE] and self._adds():
                below.append(self._lost_bracket())
                continue
            cut = divided_by(chain, above, below, sign, other=self.other)
            if is_differential(above, [factor.node for factor in chain[:cut]]):
                above[-2:] = [derivative(above[-1], chain[cut - 1].node)]
            else:
                below.append(product(*(factor.node for factor in chain[:cut])))
            above.extend(factor.node for factor in chain[cut:])
        top = product(*above)
        return quotient(top, product(*below)) if below else top

    def _adds(self) -> bool:
        return self._is("op", "+") or self._is("op", "-")

    def _lost_bracket(self) -> Node:
        """The sum that ``x/1 + y`` divides by if its brackets are lost: nobody divides by one."""
        terms: list[Node] = [ONE]
        while self._adds():
            sign = self.tokens[self.at].text
            self.at += 1
            term = product(*(factor.node for factor in self._chain()))
            terms.append(term if sign == "+" else negative(term))
        return Sum(tuple(terms))

    def _chain(self) -> list[Factor]:
        """Factors side by side without a sign."""
        chain = [self._power()]
        while self._starts():
            if self._is("number") and not self._is_scaling():
                break
            before = self.at
            try:
                chain.append(self._power())
            except Unreadable:
                self.at = before
                break
        return chain

    def _is_scaling(self) -> bool:
        """Whether a power of a number stands apart, as a factor does: ``A 10^(-x)``."""
        return self.tokens[self.at].spaced and self._is("op", "^", ahead=1)

    def _power(self) -> Factor:
        token = self._peek()
        if token is None:
            raise Unreadable("it ends too early")
        bracketed = token.kind == "open"
        base = self._atom()
        while self._is("op", "^"):
            self.at += 1
            base = self._raised(base)
        return Factor(base, token.spaced, bracketed)

    def _raised(self, base: Node) -> Node:
        if self._is("open"):
            exponent = self._group()
        elif base == Symbol("e") and self.euler:
            exponent = self._exponent_of_e()
        else:
            exponent = self._exponent(base)
        # e squared is the charge of the electron
        whole = isinstance(exponent, Number) and exponent.value > 1 and exponent.value.denominator == 1
        if base == Symbol("e") and self.euler and not whole:
            return Call("exp", exponent)
        return Power(base, exponent)

    def _exponent_of_e(self) -> Node:
        """An exponent of e without brackets: it takes what is divided and multiplied, ``e^-Ea/RT``."""
        minus = self._is("op", "-")
        self.at += minus
        exponent = self._power().node if self.other else self._term()
        return negative(exponent) if minus else exponent

    def _exponent(self, base: Node) -> Node:
        """A signed number or symbol; a half where nothing else makes sense: ``[A]^1/2`` but not ``v^2/2``."""
        minus = self._is("op", "-") or self._is("op", "+")
        sign = self.tokens[self.at].text if minus else ""
        self.at += minus
        exponent = self._atom()
        if self._is("op", "^"):
            self.at += 1
            exponent = self._raised(exponent)
        slash = self._peek()
        fraction = (
            slash is not None and slash.text == "/" and not slash.spaced and self._is("number", ahead=1)
        )
        below = self._peek(1)
        order = below is not None and is_order(base, exponent, below.text)
        if isinstance(exponent, Number) and fraction and order != self.other:
            self.at += 1
            divisor = self._atom()
            assert isinstance(divisor, Number)
            if not divisor.value:
                raise Unreadable("it divides by zero")
            exponent = Number(exponent.value / divisor.value)
        return negative(exponent) if sign == "-" else exponent

    def _group(self) -> Node:
        """What stands between a bracket and its end."""
        opened = self.tokens[self.at].text
        self.at += 1
        inside = self.sum()
        if not self._is("close", _CLOSERS[opened]):
            raise Unreadable("a bracket is left open")
        self.at += 1
        return inside

    def _atom(self) -> Node:
        token = self._peek()
        if token is None:
            raise Unreadable("it ends too early")
        match token.kind:
            case "number":
                self.at += 1
                return literal(token.text)
            case "symbol":
                self.at += 1
                return Symbol(token.text)
            case "open":
                return self._group()
            case "fraction":
                return self._fraction()
            case "root":
                return self._root()
            case "function":
                return self._call()
            case _:
                raise Unreadable(f"'{token.text}' has no place in it")

    def _fraction(self) -> Node:
        self.at += 1
        above, below = self._atom(), self._atom()
        factors = list(above.factors) if isinstance(above, Product) else [above]
        divisors = list(below.factors) if isinstance(below, Product) else [below]
        if is_differential(factors, divisors):
            return product(*factors[:-2], derivative(factors[-1], divisors[1]))
        return quotient(above, below)

    def _root(self) -> Node:
        degree = int(self.tokens[self.at].text or 2)
        self.at += 1
        inside = self._group() if self._is("open") else self._under_root()
        return Power(inside, HALF if degree == 2 else Number(Fraction(1, max(degree, 1))))

    def _under_root(self) -> Node:
        """What a root without brackets covers: what touches it; else its first factor or a quotient."""
        first = self._power().node
        if not self.other:
            return product(first, *self._touching())
        before = self.at
        covered = product(first, *self._touching())
        if self._is("op", "/"):
            self.at += 1
            return quotient(covered, self._power().node)
        self.at = before
        return first

    def _touching(self) -> list[Node]:
        """The factors that follow without a space."""
        found = []
        while (token := self._peek()) and self._starts() and not token.spaced and token.kind != "number":
            found.append(self._power().node)
        return found

    def _call(self) -> Node:
        name = self.tokens[self.at].text
        self.at += 1
        power = None
        if self._is("op", "^"):
            self.at += 1
            power = self._group() if self._is("open") else self._exponent(ONE)
        argument = self._argument(FUNCTIONS[name])
        called = Power(argument, HALF) if name == "sqrt" else Call(FUNCTIONS[name], argument)
        return called if power is None else Power(called, power)

    def _argument(self, function: str) -> Node:
        """The argument of a function, in brackets or as the factors that follow it."""
        if self._is("open"):
            return self._group()
        if function == "exp":
            minus = self._is("op", "-")
            self.at += minus
            term = self._power().node if self.other else self._term()
            return negative(term) if minus else term
        factors = self._arguments()
        argument = product(*factors)
        if self._is("op", "/") and (alike(factors, self._peek(1)) != self.other):
            self.at += 1
            return quotient(argument, product(*self._arguments()))
        return argument

    def _arguments(self) -> list[Node]:
        """Factors of an argument without brackets; a number stands alone."""
        factors = [self._power().node]
        while not isinstance(factors[0], Number) and self._starts() and not self._is("number"):
            if self._is("function") or (self._is("open") and self.tokens[self.at].spaced):
                break
            factors.append(self._power().node)
        return factors
