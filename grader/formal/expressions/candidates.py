"""The statements of an answer that could be the expression asked for, and which of them only lead to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.answer.binding import Bound
from grader.answer.candidates import Candidate, Reading, raw_candidate
from grader.answer.marks import Rank
from grader.answer.notation import Text
from grader.answer.stance import Stance
from grader.formal.expressions.compared import SAME, Compared, unsure
from grader.formal.expressions.statements import Side, Statement, statements
from grader.formal.expressions.target import Definitions, Target
from grader.formal.expressions.tree import Node, Number, Symbol, decimals, symbols

_LEADS_IN = re.compile(
    r"(?:[:|>]|->|\b(?:is|are|be|equals?|gives?|giving|yields?|becomes?|as|by|obtain|get|expression|law|to|"
    r"of|form|follows|therefore|thus|so|hence|but|or|has|have|holds?|contains?))[ ]?"
    r"(?:simply |just |then |the |equal to |given by |written as )?[\"'“]?$",
    re.I,
)
_PROPORTIONAL = re.compile(
    r"\bproportional to (?:the )?$|\bvaries (?:as|with) $|\bscales (?:as|with) $", re.I
)
_FROM = re.compile(r"(?:[A-Z][^\s=]{0,20} \+ [^=]{0,20}->|⇌|<=>)[ ]?$")
_TO = re.compile(r"[ ]?(?:->|⇌)[ ]?[0-9]?[ ]?[A-Z][A-Za-z]*[0-9]")
"""What stands before and behind one side of a chemical equation."""
_CHANGED = re.compile(r"[^.;\n]{0,24}\b(?:squared|cubed|raised to|multiplied|divided|inverted)\b", re.I)
"""Words behind an expression that work on it."""
_CONDITION = re.compile(
    r"\b(?:where|with|because|since|if|when|for|assuming|let|here|using|at|note that|as|"
    r"(?:by |on )?(?:setting|putting|inserting|substituting|dividing|multiplying|combining|rearranging)"
    r"(?:(?!\b(?:gives?|yields?|leads?|we|one)\b)[^.;,\n]){0,60}?)[ ](?:the |both sides (?:of )?)?$",
    re.I,
)
_BRACKET = re.compile(r"[\s$*\\)]{0,6}\((?:so |since |with |where |and |as |from )?[\s$*]{0,4}")
_REACH = 40
_BETWEEN = 400


@dataclass(frozen=True, slots=True)
class Stated:
    """An expression that an answer states."""

    statement: Statement
    side: Side
    left: Node | None
    """The other side that names it, in the symbols of the check."""
    compared: Compared
    tree: Node
    overlap: int
    """How many of the expected symbols it holds."""


@dataclass(frozen=True)
class ExpressionReading(Reading):
    """The front end's reading, with left sides compared as symbols."""

    labels: frozenset[Node] = frozenset()

    def placed(self, item: Candidate[Stated]) -> Candidate[Stated]:  # type: ignore[override]
        """The candidate with its rank and its tie."""
        placed = super().placed(item)
        low, _ = self.text.plain_span(item.value.statement.start, item.end)
        stance, cue = self.discourse.stance(low, item.plain[1])
        if stance in (Stance.NEGATED, Stance.HEDGED) and low < item.plain[0]:
            # what is denied or doubted of an equation is so of its value
            placed = replace(placed, doubt=cue)
        left = item.value.left
        if left is not None and (left in self.labels or _labelled(left, self.labels)):
            return replace(placed, bound=Bound.NAMED)
        return placed


def _labelled(left: Node, labels: frozenset[Node]) -> bool:
    """Whether a left side does something to a symbol that is asked for, and to nothing else."""
    return not isinstance(left, Symbol) and any(symbols(left) == symbols(label) for label in labels)


def find(text: Text, target: Target) -> list[Candidate[Stated]]:
    """The candidates of an answer. Raises TooMany."""
    known = target.segmenter.vocabulary.spellings
    found = [
        _bare(target.spelled(one), target)
        for one in statements(text.raw, target.segmenter, euler="e" not in known)
    ]
    definitions = _definitions(found, target)
    stated = [
        (text, one, side)
        for one in found
        if (side := _value_side(one, target)) is not None and _is_statement(text, one, side, target)
    ]
    values = [_stated(text, one, side, target, definitions) for text, one, side in stated]
    return _without_steps(text, values, target)


def _definitions(found: Sequence[Statement], target: Target) -> Definitions:
    """What an answer says of symbols that the check doesn't know."""
    table: dict[str, Node | None] = {}
    for one in found:
        left = one.sides[0].tree
        if len(one.sides) < 2 or not isinstance(left, Symbol) or one.proportional or one.unread:
            continue
        name, tree = left.name, one.sides[1].tree
        if name in target.names or name in symbols(tree) or any(side.rest for side in one.sides[:2]):
            continue
        table[name] = None if name in table and table[name] != tree else tree
    return {name: tree for name, tree in table.items() if tree is not None}


def _bare(statement: Statement, target: Target) -> Statement:
    """An expression whose value is worked out, without its value: ``(3/2) R = 12.47 J/(mol K)``."""
    first, *rest = statement.sides
    numeric = rest and all(not target.overlap(side.tree) and _measured(side) for side in rest)
    if numeric and not statement.head and target.overlap(first.tree) and not isinstance(first.tree, Symbol):
        return replace(statement, sides=(first,))
    return statement


def _measured(side: Side) -> bool:
    """Whether a side is a number, perhaps with a unit."""
    return bool(decimals(side.tree)) or isinstance(side.tree, Number)


def _value_side(statement: Statement, target: Target) -> Side | None:
    """The side that gives the value: the last in the expected symbols, without numbers put in for them."""
    sides = statement.sides
    if len(sides) > 1 and not statement.head:
        last = sides[-1]
        swapped = isinstance(last.tree, Symbol) and last.tree.name not in target.names and len(sides) == 2
        rights = (
            sides[:1]
            if swapped and target.overlap(sides[0].tree) and not isinstance(sides[0].tree, Symbol)
            else sides[1:]
        )
    else:
        rights = sides
    most = max(target.overlap(side.tree) for side in rights)
    fitting = [side for side in rights if symbols(side.tree) or not target.names]
    while (
        len(fitting) > 1
        and target.overlap(fitting[-1].tree) < most
        and (decimals(fitting[-1].tree) or not target.overlap(fitting[-1].tree))
    ):
        fitting.pop()
    if fitting:
        return fitting[-1]
    return rights[0] if len(sides) > 1 and target.overlap(sides[0].tree) and not statement.head else None


def _is_statement(text: Text, statement: Statement, side: Side, target: Target) -> bool:
    """Whether a statement says what something is; an expression alone needs a cue."""
    if len(statement.sides) > 1 or statement.head:
        return True
    before, after = _around(text, statement.sides[0])
    if isinstance(side.tree, Number | Symbol) and not isinstance(target.value.tree, Number | Symbol):
        return False
    if _FROM.search(before) or _TO.match(after):
        return False
    return (
        _LEADS_IN.search(before) is not None
        or _PROPORTIONAL.search(before) is not None
        or _is_marked(text, side)
    )


def _is_marked(text: Text, side: Side) -> bool:
    item: Candidate[None] = raw_candidate(text, None, side.start, side.end)
    return Reading(text).placed(item).rank > Rank.CONCLUDED or Reading(text).placed(item).rank is Rank.LINE


def _around(text: Text, side: Side) -> tuple[str, str]:
    start, end = text.plain_span(side.start, side.end)
    return text.plain[max(0, start - _REACH) : start], text.plain[end : end + _REACH]


def _stated(
    text: Text, statement: Statement, side: Side, target: Target, definitions: Definitions
) -> Candidate[Stated]:
    before, _ = _around(text, statement.sides[0])
    _, after = _around(text, side)
    if len(statement.sides) == 1 and _PROPORTIONAL.search(before):
        statement = replace(statement, proportional=True)
    others = [one for one in statement.sides if one is not side]
    left = others[0].tree if others and not statement.head else None
    compared = target.compared(statement, side, definitions)
    if compared is SAME and _CHANGED.match(after):
        compared = unsure("what follows in words may change it")
    overlap = target.overlap(side.tree) or (
        target.overlap(left) if left is not None and not isinstance(left, Symbol) else 0
    )
    value = Stated(statement, side, left, compared, side.tree, overlap)
    aside = _CONDITION.search(before) is not None
    return replace(raw_candidate(text, value, side.start, side.end), aside=aside)


def _without_steps(text: Text, found: list[Candidate[Stated]], target: Target) -> list[Candidate[Stated]]:
    """Set aside what only leads to the result: definitions, conditions, general forms."""
    values = [item.value for item in found if item.value.overlap]
    explicit = any(_explicit(value, target) and not _of_known(value, target) for value in values)
    heads = [_head(item.value) for item in found]
    names = [symbols(item.value.tree) for item in found]
    kept = []
    for index, item in enumerate(found):
        left = item.value.left
        step = item.aside or (left not in target.labels and _is_gloss(text, index, found))
        if left is not None and left not in target.labels:
            name = left.name if isinstance(left, Symbol) else None
            step |= name is not None and _leads_on(name, index, heads, names)
            step |= _of_known(item.value, target)
            step |= explicit and not _explicit(item.value, target) and not _labelled(left, target.labels)
        unknown = names[index] - target.names
        step |= bool(unknown) and any(
            heads[later] == heads[index] and unknown - names[later] and found[later].value.overlap
            for later in range(index + 1, len(found))
            if _is_later_form(text, item, found[later])
        )
        kept.append(replace(item, aside=step))
    return kept


def _is_gloss(text: Text, index: int, found: Sequence[Candidate[Stated]]) -> bool:
    """Whether a statement stands in brackets right behind another one: ``CV = 3nR/2 (U = 3nRT/2)``."""
    if not index or found[index].value.left is None:
        return False
    between = text.raw[found[index - 1].end : found[index].value.statement.start]
    return _BRACKET.fullmatch(between) is not None


_LATER_FORM = re.compile(
    r"(?:\b(?:so|thus|hence|therefore|then|since|because|as|which|giv|yield|becom|simplif|reduc|substitut|insert|"
    r"sett?ing|plug|rearrang|solv|cancel|combin|neglect|approximat|final|result|answer|where|here|express|integrat|evaluat)"
    r"|[=-]>|⇒|→|\\(?:to|[Rr]ightarrow|implies|therefore)|\n|∴)",
    re.I,
)
_RIVAL = re.compile(
    r"\b(?:or|over|than|versus|vs\.?|against|(?:the|one) (?:other|second)|whereas(?! here)|"
    r"while(?! here))\b[^=\n]{0,20}$",
    re.I,
)


def _is_later_form(text: Text, one: Candidate[Stated], two: Candidate[Stated]) -> bool:
    """Whether the text comes from one statement to another, and doesn't set the two against each other."""
    between = text.raw[one.end : two.value.statement.start][-_BETWEEN:]
    return _LATER_FORM.search(between) is not None and _RIVAL.search(between) is None


def _leads_on(name: str, at: int, heads: Sequence[object], names: Sequence[frozenset[str]]) -> bool:
    """Whether a symbol is used later, or in an earlier value of what is stated again later."""
    return any(
        name in held and (index > at or heads[index] in heads[at + 1 :])
        for index, held in enumerate(names)
        if index != at
    )


def _explicit(stated: Stated, target: Target) -> bool:
    """Whether a value stands under a name of its own."""
    return stated.left is None or isinstance(stated.left, Symbol) or stated.left in target.labels


def _of_known(stated: Stated, target: Target) -> bool:
    """Whether a value is one of a symbol that the expected expression itself holds."""
    left = stated.left
    return isinstance(left, Symbol) and left.name in target.names and target.head is None


def _head(stated: Stated) -> object:
    return stated.left if stated.left is not None else stated.statement.head.casefold()
