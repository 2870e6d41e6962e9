"""What is written over or under an arrow: reagents, catalysts, heat."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.answer.notation import normalise
from grader.formal.equations.equation import Equation
from grader.formal.formulas.match import shown
from grader.formal.formulas.tree import Unreadable, read_formula
from grader.formal.structures.comparison import Comparison, Relation

_SHAFT = re.compile(
    r"\\x?[A-Za-z]*(?:arrows?|harpoons|overset|underset|stackrel)(?![a-z])|[-=<>→⇌⟶⇒—–]{1,10}|[\[\]{}()^_|]"
)
_WRAPPER = re.compile(r"\\(?:text|ce|mathrm|rm)(?![a-z])")
_SUBSCRIPT = re.compile(r"_\{?([0-9]{1,2})\}?")
_CHARGE = re.compile(r"(?<=[A-Za-z0-9)\]])(?:\^\{?|(?=\+(?:[\s,;)\]}-]|$)))([0-9]?[+-])\}?")
_RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_SEPARATOR = re.compile(r"[,;/+\n]|\s{2,}|\band\b")
_HEATING = re.compile(r"Δ|heat(?:ing|ed)?|warm(?:ing)?|reflux", re.I)


def agents(arrow: str) -> frozenset[str]:
    """The agents in the raw text of an arrow, formulas by composition."""
    return frozenset(_named(arrow))


def _named(arrow: str) -> Iterator[str]:
    bare = _SUBSCRIPT.sub(r"\1", _WRAPPER.sub("", normalise(arrow).plain if "\\" not in arrow else arrow))
    bare = _SHAFT.sub("  ", _CHARGE.sub(lambda match: match[1].translate(_RAISED), bare))
    for piece in _SEPARATOR.split(bare):
        if not (name := normalise(piece).plain.strip(" .$").strip("\\")):
            continue
        try:
            yield shown(read_formula(name)[0].composition)
        except Unreadable:
            yield "heat" if _HEATING.fullmatch(name) else name.lower()


def compare_agents(expected: Equation, found: Equation) -> Comparison | None:
    """The outcome where the arrow of an equation doesn't say what the expected one says; else None."""
    wanted, given = agents(expected.arrow_text), agents(found.arrow_text)
    if wanted <= given:
        return None
    missing = ", ".join(sorted(wanted - given))
    formulas = all(name[:1].isupper() or name[:1] == "^" for name in given)
    relation = Relation.DIFFERENT if formulas else Relation.UNSURE
    return Comparison(relation, f"its arrow doesn't say {missing}")
