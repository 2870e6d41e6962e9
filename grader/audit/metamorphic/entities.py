"""What a text writes that a transform can rewrite: structures, formulas, equations, quantities and more.

The readers are those of the formal track. Each entity has keys: two that share
one are the same chemical object, in whatever notation either is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Literal

from grader.answer.answer import Answer
from grader.answer.candidates import Reading
from grader.answer.marks import marks
from grader.answer.notation import Text, normalise
from grader.audit.metamorphic.measured import closed, measured_of
from grader.formal.equations.reader import find_equations
from grader.formal.formulas.tree import Formula, Unreadable, read_formula
from grader.formal.oxidation.states import states
from grader.formal.reading import formula_candidates, formula_tokens, name_words, smiles_tokens
from grader.formal.reading.name_tokens import name_candidates
from grader.formal.species.owner import Owners
from grader.formal.structures.reagents import formulas as reagent_formulas
from grader.formal.structures.structure import Structure, read_structure
from grader.formal.values.arithmetic import TooMany
from grader.formal.values.statements import Stated, statements
from grader.formal.variants.equations import identity
from grader.problem.checks import FormulaCheck

Sort = Literal["structure", "name", "formula", "equation", "quantity", "oxidation state", "steps"]
Key = tuple[object, ...]

_CROWDED = (smiles_tokens.TooMany, formula_tokens.TooMany, name_words.TooMany, TooMany)
_ANY_FORMULA = FormulaCheck(kind="formula", expected="H2O")
"""The formula reader wants a check; what it expects changes nothing of what is read."""


@dataclass(frozen=True, slots=True)
class Entity:
    """One chemical object as a text writes it at ``text[start:end]``."""

    sort: Sort
    start: int
    end: int
    text: str
    value: Any
    """A Structure (structure, name), Formula, Equation, Measured, State, or the spans of two steps."""
    keys: frozenset[Key]

    @property
    def span(self) -> tuple[int, int]:
        """Code points of the text it was read from."""
        return self.start, self.end


@lru_cache(maxsize=256)
def entities(raw: str, sort: Sort) -> tuple[Entity, ...]:
    """The entities of one sort in a text, in order; none where it writes more than can be weighed."""
    try:
        return tuple(_READERS[sort](_text(raw)))
    except _CROWDED:
        return ()


@lru_cache(maxsize=16)
def _text(raw: str) -> Text:
    return normalise(raw)


def overlaps(one: tuple[int, int], two: tuple[int, int]) -> bool:
    """Whether two spans share a character."""
    return one[0] < two[1] and two[0] < one[1]


def canonical(structure: Structure) -> str:
    """The canonical isomeric SMILES."""
    from rdkit import Chem

    return str(Chem.MolToSmiles(structure.mol))


def _structures(text: Text) -> Iterator[Entity]:
    for token in smiles_tokens.find_tokens(text.raw, marks(text), attachments=False):
        structure = token.written.structure
        if structure is not None:
            keys = frozenset([("structure", canonical(structure))])
            yield Entity("structure", token.start, token.end, token.written.text, structure, keys)


def _names(text: Text) -> Iterator[Entity]:
    for item in name_candidates(text, simple=True):
        structure = item.value.structure
        if structure is not None and item.quote not in reagent_formulas():
            keys = frozenset([("structure", canonical(structure))])
            yield Entity("name", item.start, item.end, item.quote, structure, keys)


def _formulas(text: Text) -> Iterator[Entity]:
    structures = [one.span for one in _structures(text)]
    found, _ = formula_candidates.read(text, _ANY_FORMULA, Answer(text.raw))
    for item in found:
        if not any(overlaps((item.start, item.end), span) for span in structures):
            reading = item.value.readings[0]
            end = closed(text.raw, item.start, item.end)
            quote = text.raw[item.start : end]
            yield Entity("formula", item.start, end, quote, reading, formula_keys(reading))


def formula_keys(formula: Formula) -> frozenset[Key]:
    """Composition and charge; of a common reagent the structure too."""
    own: Key = ("formula", frozenset(formula.composition.items()), formula.charge)
    smiles = _reagents().get(own)
    return frozenset([own, ("structure", smiles)] if smiles else [own])


@cache
def _reagents() -> dict[Key, str]:
    """Canonical SMILES of common reagents by composition and charge, where one formula has one compound."""
    found: dict[Key, set[str]] = {}
    for text, smiles in reagent_formulas().items():
        try:
            readings = read_formula(text)
        except Unreadable:
            continue
        key: Key = ("formula", frozenset(readings[0].composition.items()), readings[0].charge)
        found.setdefault(key, set()).add(canonical(read_structure(smiles)))
    return {key: one for key, (one, *others) in ((k, tuple(v)) for k, v in found.items()) if not others}


def _equations(text: Text) -> Iterator[Entity]:
    for one in find_equations(text, nuclear=False):
        if not (one.scheme or one.chained or one.equation.words):
            end = closed(text.raw, one.start, one.end)
            keys = frozenset([("equation", identity(one.equation))])
            yield Entity("equation", one.start, end, text.raw[one.start : end], one.equation, keys)


def _is_value(stated: Stated) -> bool:
    return stated.form == "value"


def _quantities(text: Text) -> Iterator[Entity]:
    reading = Reading(text)
    taken = [*(one.span for one in _structures(text)), *(one.span for one in _states(text))]
    for item in statements(text, reading.binder, _is_value):
        if not _is_value(item.value) or item.doubt or item.value.unread:
            continue
        if any(overlaps((item.start, item.end), span) for span in taken):
            continue
        measured = measured_of(text, item)
        if measured is not None:
            end = closed(text.raw, item.start, item.end)
            factors = tuple(sorted(measured.factors))
            keys = frozenset([("quantity", item.value.value, factors)])
            yield Entity("quantity", item.start, end, text.raw[item.start : end], measured, keys)


_STEP = re.compile(
    r"^[ \t>*_]*(?:step[ ])?\(?(?P<number>[0-9]{1,2})[.):][*_ \t]*(?P<body>\S[^\n]*?)[ \t]*$", re.I | re.M
)
"""A numbered line."""


def _steps(text: Text) -> Iterator[Entity]:
    """Neighbours in a numbered list, from the body of the first to the end of the second."""
    for one, two in pairwise(_STEP.finditer(text.raw)):
        if int(two["number"]) == int(one["number"]) + 1 and one["body"] != two["body"]:
            start, end = one.start("body"), two.end("body")
            spans = one.span("body"), two.span("body")
            keys: frozenset[Key] = frozenset([("steps", start)])
            yield Entity("steps", start, end, text.raw[start:end], spans, keys)


def _states(text: Text) -> Iterator[Entity]:
    taken = [one.span for one in _structures(text)]
    for one in states(text.plain, list(Owners.of(text.plain).found)):
        start, end = text.raw_span(one.start, one.end)
        if one.aside or one.charge or one.rough or one.value.denominator != 1:
            continue
        if any(overlaps((start, end), span) for span in taken):
            continue
        keys = frozenset([("oxidation state", one.element, one.value), ("oxidation state", None, one.value)])
        yield Entity("oxidation state", start, end, text.raw[start:end], one, keys)


_READERS: dict[Sort, Callable[[Text], Iterator[Entity]]] = {
    "structure": _structures,
    "name": _names,
    "formula": _formulas,
    "equation": _equations,
    "quantity": _quantities,
    "oxidation state": _states,
    "steps": _steps,
}
