"""Checks of kind name: is the compound that an answer names the expected one?"""

from __future__ import annotations

from dataclasses import replace

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate
from grader.answer.notation import normalise
from grader.formal.by_name import ByName
from grader.formal.outcome import blank, undetermined
from grader.formal.reading.name_tokens import WrittenName, phrases_of, structure_of
from grader.formal.reading.roles import Role
from grader.formal.registry import by
from grader.formal.structures.names import NO_JAVA, available, structures
from grader.problem.checks import CheckModel, NameCheck, SmilesCheck
from grader.record import Finding, Reason

BY = by("name")


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide a name check on one answer."""
    assert isinstance(check, NameCheck)
    if not answer.text.strip():
        return blank(BY)
    if not available():
        return undetermined(BY, Reason.UNSUPPORTED, NO_JAVA)
    # one question to OPSIN for all that follows
    structures([check.expected, *check.aliases, *phrases_of(normalise(answer.text))])
    (meant,) = structures([check.expected])
    if meant.smiles is not None and _NOTATIONS & set(check.accept):
        return _in_any_notation(check, answer, meant.smiles)
    found = _by_name(check, answer).finding()
    return found or undetermined(BY, Reason.NO_CANDIDATE, "the answer gives no name for this point")


def read(check: NameCheck, answer: Answer) -> list[Candidate[WrittenName]]:
    """The names that an answer states as what something is."""
    return [one for one in _by_name(check, answer).candidates[0] if one.value.role is Role.STATED]


def _by_name(check: NameCheck, answer: Answer) -> ByName:
    names = (check.expected, *check.aliases)
    meant = (structure_of(named.smiles) for named in structures(names) if named.smiles)
    return ByName(BY, check, answer, tuple(one for one in meant if one), names)


_NOTATIONS = frozenset(["smiles", "inchi", "inchikey"])


def _in_any_notation(check: NameCheck, answer: Answer, smiles: str) -> Finding:
    """The finding where other notations are accepted beside names: that of a structure."""
    from grader.formal import smiles as structure_kind

    options = {name: getattr(check, name) for name in check.model_fields_set - {"kind", "expected"}}
    found = structure_kind.decide(SmilesCheck(kind="smiles", expected=smiles, **options), answer)
    return replace(found, by=BY)
