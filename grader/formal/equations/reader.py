"""From tokens to equations: sides of terms joined by plus signs around an arrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from grader.answer.notation import Text, normalise
from grader.formal.equations.balance import balanced
from grader.formal.equations.equation import Arrow, Equation, Species, Term
from grader.formal.equations.spelling import BACKWARD, EQUILIBRIUM, FORWARD, equation_spelling
from grader.formal.equations.terms import read_term
from grader.formal.equations.tokens import SPOKEN, Kind, Token, tokens
from grader.formal.formulas.tree import ATOMIC_NUMBER, Unreadable

_ARROWS = {
    SPOKEN: Arrow.FORWARD,
    FORWARD: Arrow.FORWARD,
    BACKWARD: Arrow.FORWARD,
    EQUILIBRIUM: Arrow.EQUILIBRIUM,
    "=": Arrow.EQUALS,
}
_UNREAD = Term(Fraction(1), Species("...", word=True))
"""A term that stands where no code reads one."""
_JOINED = frozenset([Kind.SPECIES, Kind.PLUS, Kind.HEAT])
_TERMS = frozenset([Kind.SPECIES, Kind.WORD, Kind.HEAT])


@dataclass(frozen=True, slots=True)
class Placed:
    """An equation at a raw span."""

    equation: Equation
    start: int
    end: int
    scheme: bool = False
    """Only an arrow between two species that don't balance: a change, not an equation."""
    chained: bool = False
    """Whether another arrow goes on from one of its sides."""


@dataclass(frozen=True, slots=True)
class _Side:
    """Terms joined by plus signs, at a plain span."""

    terms: tuple[Term, ...]
    start: int
    end: int


def read_equation(text: str, *, nuclear: bool) -> Equation:
    """The equation that a text is, but for what may follow it; raises Unreadable."""
    found = list(find_equations(normalise(text), nuclear=nuclear, strict=False))
    if not found:
        raise Unreadable("it has no arrow between two sides that can be read")
    if len(found) > 1:
        raise Unreadable("it holds several equations")
    if words := found[0].equation.words:
        raise Unreadable(f"'{words[0]}' is no formula")
    return found[0].equation


def find_equations(text: Text, *, nuclear: bool, strict: bool = True) -> Iterator[Placed]:
    """Every equation a text writes; ``strict``: only what is surely meant as one."""
    view = equation_spelling(text)
    for run in _runs(list(tokens(view.plain, nuclear=nuclear)), nuclear):
        for (left, sign, low), (right, _, _) in pairwise(run):
            placed = _placed(view, left, right, sign, low, nuclear)
            if placed is not None and (not strict or _meant(placed, nuclear)):
                yield replace(placed, chained=len(run) > 2)


def _placed(view: Text, left: _Side, right: _Side, sign: str, at: int, nuclear: bool) -> Placed | None:
    start, end = view.raw_span(left.start, right.end)
    arrow_text = view.quote(at, at + 1)
    one, two = (right.terms, left.terms) if sign == BACKWARD else (left.terms, right.terms)
    if not one or not two:
        return None
    shown = f"{_shown(one)} {_ARROWS[sign].value} {_shown(two)}"
    equation = _moved(Equation(shown, one, two, _ARROWS[sign], arrow_text))
    if not equation.left or not equation.right:
        return None
    if sign == SPOKEN and (len(equation.terms) < 3 or not balanced(equation, nuclear=nuclear)):
        return None
    scheme = len(equation.terms) == 2 and not balanced(equation, nuclear=nuclear)
    return Placed(equation, start, end, scheme)


def _shown(terms: Sequence[Term]) -> str:
    parts = []
    for term in terms:
        state = f"({term.state})" if term.state else ""
        count = "" if term.count == 1 else f"{term.count} "
        parts.append(f"{count}{term.species.text}{state}")
    return " + ".join(parts)


def _moved(equation: Equation) -> Equation:
    """Terms that are taken away on one side (``Zn - 2e-``) stand on the other."""
    left = [
        *(t for t in equation.left if t.count > 0),
        *(_positive(t) for t in equation.right if t.count < 0),
    ]
    right = [
        *(t for t in equation.right if t.count > 0),
        *(_positive(t) for t in equation.left if t.count < 0),
    ]
    return replace(equation, left=tuple(left), right=tuple(right))


def _positive(term: Term) -> Term:
    return replace(term, count=-term.count)


def _meant(placed: Placed, nuclear: bool) -> bool:
    """Whether an arrow or an equals sign between formulas makes an equation and no list, symbol or sum."""
    equation = placed.equation
    terms = equation.terms
    read = [term for term in terms if not term.species.word]
    if len(read) < len(terms):
        joined = min(len(equation.left), len(equation.right)) >= 1 and len(terms) >= 3
        return joined and len(read) >= 2 and equation.arrow is not Arrow.EQUALS
    if nuclear:
        return len(terms) >= 2 and (equation.arrow is not Arrow.EQUALS or len(terms) > 2)
    lone = (term.species.text in ATOMIC_NUMBER or len(term.species.text) == 1 for term in terms)
    if len(terms) == 2 and all(lone):
        return False
    if equation.arrow is Arrow.EQUALS:
        concentrations = all(term.species.text.startswith("[") for term in terms)
        weak = all(len(term.species.text) == 1 for term in terms)
        return not concentrations and not weak and (len(terms) > 2 or balanced(equation, nuclear=False))
    return True


_Run = list[tuple[_Side, str, int]]


def _runs(found: list[Token], nuclear: bool) -> Iterator[_Run]:
    """Chains of sides; each with the arrow that follows it and where that stands."""
    at = 0
    while at < len(found):
        run, at = _run(found, at, nuclear)
        yield from (part for part in _spoken_apart(run) if len(part) > 1)


def _spoken_apart(run: _Run) -> Iterator[_Run]:
    """A run cut where "gives" introduces an equation with an arrow of its own."""
    if all(sign in (SPOKEN, "") for _, sign, _ in run):
        yield run
        return
    part: _Run = []
    for side in run:
        part.append(side)
        if side[1] == SPOKEN:
            yield part if len(part) > 1 else []
            part = []
    yield part


def _run(found: list[Token], at: int, nuclear: bool) -> tuple[_Run, int]:
    run: _Run = []
    while True:
        side, after = _side(found, at, nuclear)
        if side is None:
            return run, max(after, at + 1)
        arrow = _past_line(found, after, Kind.ARROW)
        if arrow is None or (run and arrow > after):
            run.append((side, "", side.end))
            return run, max(after, at + 1)
        run.append((side, found[arrow].text, found[arrow].start))
        at = arrow + 1
        if at < len(found) and found[at].kind is Kind.LINE:
            at += 1


def _past_line(found: list[Token], at: int, kind: Kind) -> int | None:
    """The index of a token of a kind here, or after one line break."""
    for index in (at, at + 1):
        if index >= len(found):
            return None
        if found[index].kind is kind:
            return index
        if found[index].kind is not Kind.LINE:
            return None
    return None


def _side(found: list[Token], at: int, nuclear: bool) -> tuple[_Side | None, int]:
    """The terms from a token on, and the index after them."""
    if at >= len(found) or found[at].kind not in _TERMS:
        return None, at
    terms: list[Term] = [_UNREAD] if _continues(found, at) else []
    start, sign = found[at].start, 1
    while True:
        token, at = _worded(found, at)
        following = found[at + 1] if at + 1 < len(found) else None
        token, split = _unglued(token, following)
        end = token.end
        if token.kind is not Kind.HEAT:
            terms.append(read_term(token, sign, nuclear=nuclear))
        if split:
            at, sign = at + 1, 1
            continue
        joint = _joint(found, at + 1)
        if joint is None:
            joint = _spoken(found, at + 1)
        if joint is None:
            more = at + 1 < len(found) and found[at + 1].kind is Kind.PLUS
            return _Side((*terms, *([_UNREAD] if more else [])), start, end), at + 1
        sign = -1 if found[joint].kind is Kind.MINUS else 1
        at = joint + 1
        if at < len(found) and found[at].kind is Kind.LINE:
            at += 1


def _continues(found: list[Token], at: int) -> bool:
    """Whether a plus sign that joins nothing stands before a token, and is no bullet."""
    return at > 1 and found[at - 1].kind is Kind.PLUS and found[at - 2].kind is not Kind.LINE


def _spoken(found: list[Token], at: int) -> int | None:
    """The index of an "and" that joins the last term of an equation, not two equations."""
    if at + 1 >= len(found) or found[at].text != "and" or found[at + 1].kind is not Kind.SPECIES:
        return None
    after = at + 1
    while after < len(found) and found[after].kind in _JOINED:
        after += 1
    return None if after < len(found) and found[after].kind is Kind.ARROW else at


def _worded(found: list[Token], at: int) -> tuple[Token, int]:
    """The token here; words that follow one another are one name, of which the last index is given."""
    token = found[at]
    while token.kind is Kind.WORD and at + 1 < len(found) and found[at + 1].kind is Kind.WORD:
        at += 1
        token = replace(token, text=f"{token.text} {found[at].text}", end=found[at].end)
    return token, at


def _unglued(token: Token, following: Token | None) -> tuple[Token, bool]:
    """``H2+ O2``: a plus sign that touches its term joins it to the next, where nothing else does."""
    touching = token.kind is Kind.SPECIES and token.text.endswith("+") and not token.state
    if touching and following is not None and following.kind is Kind.SPECIES:
        return replace(token, text=token.text[:-1].rstrip("^")), True
    return token, False


def _joint(found: list[Token], at: int) -> int | None:
    """The index of the plus sign that continues a side, if one does and a term follows it."""
    plus = _past_line(found, at, Kind.PLUS)
    if plus is None:
        plus = at if at < len(found) and found[at].kind is Kind.MINUS else None
    if plus is None:
        return None
    after = plus + 1 + (plus + 1 < len(found) and found[plus + 1].kind is Kind.LINE)
    if after >= len(found) or found[after].kind not in _TERMS:
        return None
    electrons = found[after].text.startswith("e")
    return plus if found[plus].kind is Kind.PLUS or electrons else None
