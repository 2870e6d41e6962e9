"""Checks of kind smiles: is the structure that an answer settles on the expected one?"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, Reading, raw_candidate, settle
from grader.answer.marks import marks
from grader.answer.notation import Text, normalise
from grader.formal.comparison import Comparison, Relation
from grader.formal.equivalence import compare
from grader.formal.outcome import blank, decided, undetermined, unsettled
from grader.formal.smiles_tokens import TooMany, Written, find_tokens
from grader.formal.structure import Structure, Unreadable, read_structure
from grader.formal.surroundings import MASK, Role, states_nothing, with_unasked
from grader.formal.trivial_names import stated_names
from grader.problem.checks import CheckModel, SmilesCheck, StructureModel
from grader.record import Finding, Reason, Rejected

VERSION = 1
BY = f"formal:smiles@{VERSION}"


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide a smiles check on one answer."""
    assert isinstance(check, SmilesCheck)
    if not answer.text.strip():
        return blank(BY)
    try:
        expected = _expected(check.expected)
    except Unreadable as error:
        return undetermined(BY, Reason.NOT_COMPARABLE, f"the expected SMILES can't be read: {error}")
    if check.accept and "smiles" not in check.accept:
        return undetermined(
            BY, Reason.UNSUPPORTED, "the check accepts no SMILES, and code reads no other notation yet"
        )
    text = normalise(answer.text)
    try:
        candidates, reading = read(text, check, answer, attachments="*" in check.expected)
    except TooMany:
        return undetermined(
            BY, Reason.CONFLICTING_CANDIDATES, "the answer writes more structures than can be weighed"
        )
    settled = settle(
        text,
        candidates,
        same=Sameness(check),
        asked=check.asked,
        others=answer.others,
        cut=answer.cut,
        reading=reading,
    )
    if settled.candidate is None:
        by_name = _by_name(text, check, expected, answer) if not candidates else None
        return by_name or unsettled(BY, settled, "structure")
    if states_nothing(settled.candidate.value.role, settled.candidate):
        why = f"is only {settled.candidate.value.role}"
        rejected = (*settled.rejected, settled.candidate.rejected(why))
        return undetermined(
            BY, Reason.NO_CANDIDATE, "the answer states no structure for this point", rejected
        )
    return _finding(check, expected, settled.candidate, settled.rejected)


def _by_name(text: Text, check: SmilesCheck, expected: Structure, answer: Answer) -> Finding | None:
    """A point met by a trivial name that the check accepts; a name can't show that an answer is wrong."""
    if "name" not in check.accept:
        return None
    named = [
        raw_candidate(text, Written(smiles, read_structure(smiles)), start, end)
        for smiles, start, end in stated_names(text.raw)
    ]
    settled = settle(
        text, named, same=Sameness(check), asked=check.asked, others=answer.others, cut=answer.cut
    )
    if settled.candidate is None or settled.candidate.value.structure is None:
        return None
    taken = settled.candidate
    outcome = compare(expected, read_structure(taken.value.text), check)
    detail = f"the name {taken.quote} against {check.expected}: {outcome.why}"
    if outcome.relation == Relation.SAME:
        return decided(BY, True, taken, detail, taken.quote, settled.rejected)
    return undetermined(BY, Reason.UNSUPPORTED, f"{detail}; names alone decide nothing", settled.rejected)


@lru_cache(maxsize=1024)
def _expected(smiles: str) -> Structure:
    return read_structure(smiles)


def read(
    text: Text, check: StructureModel, answer: Answer, *, attachments: bool
) -> tuple[list[Candidate[Written]], Reading]:
    """The structures an answer writes, and its cues read with the structures masked out.

    A structure is full of signs that mean something else in prose: equals
    signs, brackets, letters that are labels.
    """
    tokens = find_tokens(text.raw, marks(text), attachments=attachments)
    candidates = [
        replace(
            raw_candidate(text, token.written, token.start, token.end),
            aside=token.written.role is not Role.STATED,
        )
        for token in tokens
    ]
    plain = list(text.plain)
    for item in candidates:
        low, high = item.plain
        plain[low:high] = MASK * (high - low)
    masked = "".join(plain)
    others = with_unasked(masked, check.asked, answer.others)
    return candidates, Reading(replace(text, plain=masked), check.asked, others)


class Sameness:
    """Whether two structures of one answer are the same statement, each pair compared once."""

    def __init__(self, options: StructureModel) -> None:
        self._options = options
        self._known: dict[tuple[str, str], bool] = {}

    def __call__(self, a: Written, b: Written) -> bool:
        """Compare under the options of the check; unreadable ones are alike only as text."""
        if a.text == b.text:
            return True
        key = (a.text, b.text)
        if key not in self._known:
            both = a.structure is not None and b.structure is not None
            self._known[key] = both and _compare(a, b, self._options).relation == Relation.SAME
        return self._known[key]


def _compare(a: Written, b: Written, options: StructureModel) -> Comparison:
    assert a.structure is not None
    assert b.structure is not None
    return compare(a.structure, b.structure, options)


def _finding(
    check: SmilesCheck, expected: Structure, taken: Candidate[Written], rejected: tuple[Rejected, ...]
) -> Finding:
    written = taken.value
    if written.text in check.aliases:
        return decided(BY, True, taken, f"{written.text} is an accepted spelling", written.text, rejected)
    if written.structure is None:
        if check.invalid_smiles == "not_met":
            return decided(
                BY, False, taken, f"{written.text} is no structure: {written.why}", written.text, rejected
            )
        detail = f"{written.text} can't be read: {written.why}"
        return _open(detail, taken, rejected)
    outcome = compare(expected, written.structure, check)
    detail = f"{written.text} against {check.expected}: {outcome.why}"
    if outcome.relation == Relation.UNSURE:
        return _open(detail, taken, rejected)
    return decided(BY, outcome.relation == Relation.SAME, taken, detail, written.text, rejected)


def _open(detail: str, taken: Candidate[Written], rejected: tuple[Rejected, ...]) -> Finding:
    found = undetermined(BY, Reason.NOT_COMPARABLE, detail, rejected)
    return replace(found, found=taken.value.text, evidence=taken.evidence)
