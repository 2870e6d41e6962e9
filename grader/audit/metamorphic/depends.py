"""Whether the point under test depends on what a transform rewrites.

Where the point has a check, code says which passage of the answer it decides
by. Where it has none, the rubric's text must hold the same chemical object; a
wrong one must be the only one of its sort there, or the one that the text
gives as right: a reagent named in passing earns nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from grader.answer.notation import normalise
from grader.audit.metamorphic.entities import Entity, Key, Sort, canonical, entities, formula_keys, overlaps
from grader.audit.metamorphic.formulas import same_state
from grader.audit.metamorphic.pair import Law
from grader.audit.metamorphic.quantities import same_quantity
from grader.formal.equations.reader import read_equation
from grader.formal.formulas.tree import Unreadable as UnreadableFormula
from grader.formal.formulas.tree import read_formula
from grader.formal.quoted.checks import quoted_checks
from grader.formal.structures.structure import Unreadable, read_structure
from grader.formal.values.target import half_last_digit
from grader.formal.variants.equations import identity
from grader.problem.checks import (
    CheckModel,
    EquationCheck,
    FormulaCheck,
    QuantityCheck,
    SequenceCheck,
    SetCheck,
    SmilesCheck,
)
from grader.record import Finding

_STRUCTURAL: tuple[Sort, ...] = ("structure", "name", "formula")
_COMPOUND: tuple[Sort, ...] = ("structure", "name")
_READ: dict[str, tuple[Sort, ...]] = {
    **dict.fromkeys(("smiles", "inchi", "name", "reaction"), _COMPOUND),
    "formula": _STRUCTURAL,
    **dict.fromkeys(("quantity", "integer", "expression"), ("quantity",)),
    "equation": ("equation",),
    "oxidation_state": ("oxidation state",),
}
"""What the kinds of checks decide by; of other kinds nothing that is rewritten here, but for lists."""
_MEMBERS: dict[str, tuple[Sort, ...]] = {
    **dict.fromkeys(("smiles", "name"), _COMPOUND),
    "formula": ("formula",),
    **dict.fromkeys(("locant", "integer", "quantity"), ("quantity",)),
}
"""What lists decide by, by their items; of labels nothing."""
_ORDER = re.compile(
    r"\b(?:order|sequence|steps?|first|then|followed by|before|after(?:wards)?|subsequent\w*|next)\b|→|->",
    re.I,
)
_ROUNDED = 0.01
"""How far a quantity of an answer may be from that of the rubric and be the same: 1 %, as in checks."""


def why_apart(
    entity: Entity, law: Law, raw: str, text: str, check: CheckModel | None, found: Finding | None
) -> str:
    """Why a point doesn't depend on an entity of the answer ``raw``; empty where it does.

    ``text`` and ``check`` are the point's, ``found`` what code found by the check.
    """
    if check is not None:
        if entity.sort not in _sorts(check, law):
            return f"the point's check reads no {entity.sort}"
        if found is None or found.evidence is None:
            return "code finds no passage that decides the point"
        at = found.evidence
        touched = overlaps(entity.span, (at.start, at.end))
        return "" if touched else "the point is decided by another passage"
    if entity.sort == "steps":
        return "" if _ordered(entity, raw, text) else "the rubric gives no order of these steps"
    same = [one for one in _alike(text, entity.sort) if _same(entity, one)]
    if not same:
        return "the rubric doesn't name it"
    if law == "sensitive" and not _given(entity, text):
        if not _sole(entity, text):
            return "the rubric names others of its sort, and doesn't give this one as the answer"
        if not any(_is_result(one, text) for one in same):
            return "the rubric names it in passing"
    return ""


def _sorts(check: CheckModel, law: Law) -> tuple[Sort, ...]:
    """What a check decides by: what it doesn't read, no rewriting can touch."""
    if isinstance(check, SetCheck | SequenceCheck):
        members = _MEMBERS.get(check.items, ())
        return (*members, "steps") if isinstance(check, SequenceCheck) else members
    if isinstance(check, EquationCheck) and law == "invariant":
        return ("equation", "formula")  # a formula of a term; beside the arrow one doesn't count
    return _READ.get(check.kind, ())


def checks_of(sorts: Sequence[Sort], law: Law) -> list[str]:
    """The kinds of checks whose points can depend on entities of some sorts."""
    found = [kind for kind, read in _READ.items() if set(read) & set(sorts)]
    if law == "invariant" and "formula" in sorts and "equation" not in found:
        found.append("equation")
    members = {sort for read in _MEMBERS.values() for sort in read}
    found += ["set"] if members & set(sorts) else []
    return found + (["sequence"] if (members | {"steps"}) & set(sorts) else [])


def _alike(text: str, sort: Sort) -> Iterator[Entity]:
    """What a rubric's text writes that an entity of that sort can be."""
    for other in _STRUCTURAL if sort in _STRUCTURAL else (sort,):
        yield from entities(text, other)


def _same(entity: Entity, other: Entity) -> bool:
    if entity.sort == "quantity":
        return bool(same_quantity(entity, other, _tolerance(other)))
    if entity.sort == "oxidation state":
        return same_state(entity, other)
    return bool(entity.keys & other.keys)


def _tolerance(one: Entity) -> float:
    """Relative: 1 %, or half a unit of the last digit where that is more."""
    value = float(one.value.value)
    return max(_ROUNDED, half_last_digit(value) / abs(value)) if value else 0.0


_RESULT = re.compile(
    r"(?:\b(?:is|are|be|forms?|gives?|giv(?:en|ing)|yields?|affords?|products?|obtained|identif\w+|names?|draws?|"
    r"uses?|using|choos\w+|reagents?|reductant|oxidant|catalyst|base|acid|answer|structure|compound|equation)"
    r"|[:=≈→]|->)[\s\W]*(?:(?:the|an?|as|of|is|about)\s+)*[\s\W]*$",
    re.I,
)
"""What a rubric writes before what it wants."""


def _is_result(one: Entity, text: str) -> bool:
    """Whether an entity of a rubric stands where what is wanted stands, or is all that the text says."""
    if one.sort == "equation" or _RESULT.search(text, max(0, one.start - 40), one.start):
        return True
    rest = re.sub(r"\W*\b(?:points?|marks?|[0-9])\b\W*", " ", text[: one.start] + text[one.end :])
    return not rest.strip(" .,;:()[]`*$\"'")


def _sole(entity: Entity, text: str) -> bool:
    """Whether a rubric's text writes nothing else that the entity could be taken for."""
    if entity.sort == "quantity":
        if not entity.value.factors:
            return False  # any bare number of the text could be another value
        others = (one for one in entities(text, "quantity") if not _same(entity, one))
        return all(same_quantity(entity, one, 0.0) is None for one in others)
    return all(_same(entity, one) for one in _alike(text, entity.sort))


def _given(entity: Entity, text: str) -> bool:
    """Whether a rubric's text gives the entity as right, in the one place of its kind that it has."""
    given = _quoted(text)
    if entity.sort == "quantity":
        values = [one for one in given if isinstance(one, QuantityCheck)]
        return len(values) == 1 and _is_value(entity, values[0])
    keys = [key for key in map(_keys, given) if key]
    return len(keys) == 1 and bool(entity.keys & keys[0])


@lru_cache(maxsize=1024)
def _quoted(text: str) -> tuple[CheckModel, ...]:
    return tuple(one.check for one in quoted_checks(text))


def _is_value(entity: Entity, check: QuantityCheck) -> bool:
    """Whether a quantity lies within the check that the rubric's text is read to."""
    written = f"{check.expected!r} {check.unit or ''}".strip()
    return any(_same(entity, one) for one in entities(f"Value: {written}", "quantity"))


def _keys(check: CheckModel) -> frozenset[Key]:
    try:
        match check:
            case SmilesCheck():
                return frozenset([("structure", canonical(read_structure(check.expected)))])
            case FormulaCheck():
                return formula_keys(read_formula(normalise(check.expected).plain.strip())[0])
            case EquationCheck():
                return frozenset([("equation", identity(read_equation(check.expected, nuclear=False)))])
    except (Unreadable, UnreadableFormula):
        return frozenset()
    return frozenset()


def _ordered(entity: Entity, raw: str, text: str) -> bool:
    """Whether a rubric's text speaks of an order, and writes what both steps hold in this one."""
    if not _ORDER.search(text):
        return False
    first, second = (_places(raw, span, text) for span in entity.value)
    return bool(first and second) and max(first) < min(second)


def _places(raw: str, span: tuple[int, int], text: str) -> list[int]:
    """Where a rubric's text writes what stands within a span of the answer."""
    keys: set[Key] = set()
    for sort in _STRUCTURAL:
        for one in entities(raw, sort):
            keys |= one.keys if overlaps(one.span, span) else set()
    return [one.start for sort in _STRUCTURAL for one in entities(text, sort) if one.keys & keys]
