"""The formulas an answer writes, SMILES read as SMILES and not as formulas of carbon and oxygen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rdkit.Chem import rdMolDescriptors

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, candidate, raw_candidate
from grader.answer.marks import Rank, marks
from grader.answer.notation import Text
from grader.formal.formulas.tree import Formula, Unreadable, read_formula
from grader.formal.reading import smiles_tokens
from grader.formal.reading.formula_tokens import Written, find_formulas
from grader.formal.reading.masked_reading import MaskedReading
from grader.formal.reading.roles import Role
from grader.formal.reading.surroundings import Covering, in_context
from grader.formal.structures.structure import Structure
from grader.problem.checks import FormulaCheck

_CHARGED = re.compile(r"(?P<sign>[+-])(?P<digits>[0-9]*)$")
_KINDS = ("empirical", "molecular", "structural", "simplest")
_KINDS_OF_FORMULA = frozenset(f"{kind} formula" for kind in _KINDS)
_SMILES = re.compile(r"\bSMILES\b[^\n]{0,20}?[\s:=)`$\"'(*_]{0,8}$")


def read(text: Text, check: FormulaCheck, answer: Answer) -> tuple[list[Candidate[Written]], MaskedReading]:
    """The formulas an answer writes, and its cues read with the formulas masked out. Raises TooMany."""
    covering = Covering(marks(text))

    def rank_of(start: int, end: int) -> Rank:
        return covering.rank(text.raw, *text.raw_span(start, end))

    tokens = find_formulas(text.plain, rank_of)
    labels = {label.strip() for label in (*check.asked, *answer.others)}
    written = [
        candidate(text, token.written, token.start, token.end, aside=token.written.role is not Role.STATED)
        for token in tokens
        if token.written.text not in labels
    ]
    written = [item for item in written if not _SMILES.search(text.raw, max(0, item.start - 40), item.start)]
    if "smiles" in check.accept:
        carried = list(_carried(text))
        written = [item for item in written if not any(_overlap(item, one) for one in carried)]
        written = sorted([*written, *carried], key=lambda item: item.start)
    if "name" in check.accept and not written:
        written = list(_named(text))
    short = tuple(label.split()[0] for label in check.asked if label.lower() in _KINDS_OF_FORMULA)
    others = (*answer.others, *_counterparts(check.asked))
    return in_context(text, written, (*check.asked, *short), others)


def _overlap(one: Candidate[Written], two: Candidate[Written]) -> bool:
    return one.start < two.end and two.start < one.end


def _carried(text: Text) -> Iterator[Candidate[Written]]:
    """SMILES that can be nothing else or are called so, as the formula of their composition."""
    for token in smiles_tokens.find_tokens(text.raw, marks(text), attachments=False):
        structure = token.written.structure
        named = _SMILES.search(text.raw, max(0, token.start - 40), token.start)
        if structure is None or not (named or smiles_tokens.is_smiles(token.written.text)):
            continue
        try:
            readings = _composed(structure)
        except Unreadable:
            continue
        yield raw_candidate(
            text, Written(token.written.text, readings, token.written.role), token.start, token.end
        )


def _named(text: Text) -> Iterator[Candidate[Written]]:
    """Names of compounds, as the formula of what they mean."""
    from grader.formal.reading.name_tokens import name_candidates

    for item in name_candidates(text, simple=True):
        if item.value.structure is None:
            continue
        try:
            readings = _composed(item.value.structure)
        except Unreadable:
            continue
        yield replace(item, value=Written(item.quote, readings, item.value.role))  # type: ignore[misc,arg-type]


def _composed(structure: Structure) -> tuple[Formula, ...]:
    """The composition of a structure as a formula; raises Unreadable."""
    composition = rdMolDescriptors.CalcMolFormula(structure.mol, True, False)
    composition = re.sub(r"\[(\d+)([A-Z][a-z]?)\]", r"^\1\2", composition)
    return read_formula(_CHARGED.sub(r"^\g<digits>\g<sign>", composition))


def _counterparts(asked: tuple[str, ...]) -> tuple[str, ...]:
    """The other kinds of formula that an answer states beside the kind asked for."""
    own = {kind for kind in _KINDS for label in asked if kind in label.lower()}
    theirs = [kind for kind in _KINDS if kind not in own] if own else []
    return (*(f"{kind} formula" for kind in theirs), *theirs)
