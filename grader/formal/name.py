"""Checks of kind name: is the compound that an answer names the expected one?"""

from __future__ import annotations

from dataclasses import replace

from grader.answer.answer import Answer
from grader.formal.by_name import ByName, can_read_names, no_java
from grader.formal.outcome import blank, undetermined
from grader.formal.reading.name_tokens import structure_of
from grader.formal.registry import by
from grader.formal.structures.names import structures
from grader.problem.checks import CheckModel, NameCheck, SmilesCheck
from grader.record import Finding, Reason

BY = by("name")


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide a name check on one answer."""
    assert isinstance(check, NameCheck)
    if not answer.text.strip():
        return blank(BY)
    if not can_read_names():
        return no_java(BY)
    names = (check.expected, *check.aliases)
    meant = structures(names)
    if meant[0].smiles is not None and _NOTATIONS & set(check.accept):
        return _in_any_notation(check, answer, meant[0].smiles)
    expected = tuple(one for named in meant if named.smiles and (one := structure_of(named.smiles)))
    found = ByName(BY, check, answer, expected, names).finding()
    return found or undetermined(BY, Reason.NO_CANDIDATE, "the answer gives no name for this point")


_NOTATIONS = frozenset(["smiles", "inchi", "inchikey"])


def _in_any_notation(check: NameCheck, answer: Answer, smiles: str) -> Finding:
    """The finding where other notations are accepted beside names: that of a structure."""
    options = {name: getattr(check, name) for name in check.model_fields_set - {"kind", "expected"}}
    from grader.formal import smiles as structure_kind

    found = structure_kind.decide(SmilesCheck(kind="smiles", expected=smiles, **options), answer)
    return replace(found, by=BY)
