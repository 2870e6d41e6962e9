"""Checks of kind smiles: is the structure that an answer settles on the expected one?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, Reading, Settled, raw_candidate, settle
from grader.answer.marks import marks
from grader.answer.notation import Text, normalise
from grader.formal.by_name import ByName
from grader.formal.outcome import blank, decided, stated, undetermined, unsettled
from grader.formal.reading.contest import none_right
from grader.formal.reading.inchi_tokens import find_inchis
from grader.formal.reading.masked_reading import MaskedReading, states_nothing
from grader.formal.reading.name_words import names_near
from grader.formal.reading.roles import Role
from grader.formal.reading.smiles_tokens import (
    TooMany,
    Written,
    bare_is_meant,
    bare_token,
    find_tokens,
    is_smiles,
)
from grader.formal.reading.surroundings import in_context
from grader.formal.registry import by
from grader.formal.structures.comparison import Comparison, Relation
from grader.formal.structures.equivalence import compare
from grader.formal.structures.inchi_comparison import compare_structure
from grader.formal.structures.names import available
from grader.formal.structures.profile import profile
from grader.formal.structures.quick import quick
from grader.formal.structures.structure import Structure, Unreadable, read_structure
from grader.formal.structures.trivial_names import NAMES, stated_names
from grader.problem.checks import CheckModel, SmilesCheck, StructureModel
from grader.record import Evidence, Finding, Reason, Rejected, Status

_ATOM = re.compile(r"\[[^\[\]]+\]")
BY = by("smiles")


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide a smiles check on one answer."""
    assert isinstance(check, SmilesCheck)
    return _at_once(check, answer) or _at_length(check, answer)


def _at_once(check: SmilesCheck, answer: Answer) -> Finding | None:
    """The finding on an answer that is one SMILES, where a quick comparison settles it."""
    if not answer.cut or check.aliases or (check.accept and "smiles" not in check.accept):
        return None
    span = bare_token(answer.text, attachments="*" in check.expected, labels=check.asked)
    if span is None:
        return None
    text = answer.text[slice(*span)]
    outcome, read = quick(check.expected, text, check), profile(text)
    if outcome is None or read is None or not bare_is_meant(text, read.mol.GetNumAtoms()):
        return None
    detail = f"{text} against {check.expected}: {outcome.why}"
    return stated(BY, outcome.relation is Relation.SAME, Evidence(text, *span), detail, text, value=text)


def _at_length(check: SmilesCheck, answer: Answer) -> Finding:
    """The finding on an answer in prose."""
    if not answer.text.strip():
        return blank(BY)
    try:
        expected = _expected(check.expected, check.aliases)
    except Unreadable as error:
        return undetermined(BY, Reason.NOT_COMPARABLE, f"the expected SMILES can't be read: {error}")
    if check.accept and not {"smiles", "inchi", "inchikey", "name"} & set(check.accept):
        why = "the check accepts none of the notations that code reads"
        return undetermined(BY, Reason.UNSUPPORTED, why)
    return _Case(check, answer, expected).finding()


@lru_cache(maxsize=1024)
def _expected(smiles: str, aliases: tuple[str, ...]) -> tuple[Structure, ...]:
    """The expected structure, and those of the aliases that are SMILES too elaborate to be a name."""
    further = (read_structure(alias) for alias in aliases if is_smiles(alias))
    return read_structure(smiles), *further


@dataclass(frozen=True, slots=True)
class _Case:
    """One check on one answer."""

    check: SmilesCheck
    answer: Answer
    expected: tuple[Structure, ...]

    def finding(self) -> Finding:
        """The finding by SMILES, else by an accepted name."""
        text = normalise(self.answer.text)
        if self.check.accept and "smiles" not in self.check.accept:
            return self._by_inchi(text) or self._by_name(text) or self._nothing(text)
        try:
            candidates, reading = read(text, self.check, self.answer)
        except TooMany:
            why = "the answer writes more structures than can be weighed"
            return undetermined(BY, Reason.CONFLICTING_CANDIDATES, why)
        settled = self._settle(text, candidates, reading)
        if settled.candidate is None:
            wrong = none_right(settled, candidates, reading, cut=self.answer.cut, differs=self._differs)
            if wrong is not None and self._by_name(text) is None:
                return self._judge(wrong, settled.rejected)
            if (named := self._named(settled)) is not None:
                return self._judge(named, settled.rejected)
            other = None if candidates else self._by_inchi(text) or self._by_name(text)
            return other or unsettled(BY, settled, "structure")
        if states_nothing(settled.candidate.value.role, settled.candidate, reading):
            why = f"is {settled.candidate.value.role}"
            rejected = (*settled.rejected, settled.candidate.rejected(why))
            nothing = "the answer states no structure for this point"
            other = self._names.presented() if self._names else None
            return other or undetermined(BY, Reason.NO_CANDIDATE, nothing, rejected)
        found = self._judge(settled.candidate, settled.rejected)
        other = self._by_inchi(text, self.check.accept or ("inchi",))
        if other is not None and self._opposes(found, other):
            why = f"{found.found} and the InChI of the answer come out differently"
            return undetermined(BY, Reason.CONFLICTING_CANDIDATES, why, found.rejected)
        if found.status is Status.MET and (name := self._contradicted(settled.candidate)):
            why = f"{found.found} and the name '{name}' beside it are different compounds"
            return undetermined(BY, Reason.CONFLICTING_CANDIDATES, why, found.rejected)
        return found

    def _opposes(self, found: Finding, other: Finding) -> bool:
        """Whether an InChI beside a SMILES leaves it open; where none may answer, only a wrong one does."""
        if self.check.accept:
            return other.status is not found.status
        return found.status is Status.MET and other.status is Status.NOT_MET

    def _contradicted(self, taken: Candidate[Written]) -> str | None:
        """The name beside the structure taken, where it means another compound."""
        structure = taken.value.structure
        named = self._names
        if structure is None or named is None or not names_near(self.answer.text, taken.start, taken.end):
            return None
        return named.beside(taken.start, taken.end, structure)

    def _named(self, settled: Settled[Written]) -> Candidate[Written] | None:
        """The one of several rival structures that the answer names in conclusion: "hence mesityl oxide"."""
        rivals = [one for one in settled.rivals if one.value.structure is not None and not one.doubt]
        concluded = self._names.concluded if rivals and self._names else None
        if concluded is None:
            return None
        alike = Sameness(self.check).alike
        return next((one for one in rivals[::-1] if alike(one.value.structure, concluded)), None)

    @property
    def _names(self) -> ByName | None:
        """The names of the answer, where they may carry it and can be read."""
        if not available() or (self.check.accept and "name" not in self.check.accept):
            return None
        aliases = tuple(alias for alias in self.check.aliases if not is_smiles(alias))
        return ByName(BY, self.check, self.answer, self.expected, aliases)

    def _settle(
        self, text: Text, candidates: list[Candidate[Written]], reading: Reading | None = None
    ) -> Settled[Written]:
        return settle(
            text,
            candidates,
            same=Sameness(self.check),
            asked=self.check.asked,
            others=self.answer.others,
            cut=self.answer.cut,
            reading=reading,
        )

    def _nothing(self, text: Text) -> Finding:
        return unsettled(BY, self._settle(text, []), "structure in an accepted notation")

    def _by_inchi(self, text: Text, notations: Sequence[str] | None = None) -> Finding | None:
        """The finding by an InChI or a key, where the check accepts them, or by one of given notations."""
        found = find_inchis(text, self.check.accept if notations is None else notations)
        written = [raw_candidate(text, *one) for one in found]
        if not written:
            return None
        candidates, reading = in_context(text, written, self.check.asked, self.answer.others)
        settled = self._settle(text, candidates, reading)
        if settled.candidate is None:
            return unsettled(BY, settled, "structure")
        taken = settled.candidate
        if states_nothing(taken.value.role, taken, reading):
            return unsettled(BY, replace(settled, candidate=None), "structure")
        outcome = min(
            (compare_structure(one, taken.value.text, self.check) for one in self.expected),
            key=lambda one: (one.relation != Relation.SAME, one.relation != Relation.UNSURE),
        )
        detail = f"{taken.quote} against {self.check.expected}: {outcome.why}"
        if outcome.relation is Relation.UNSURE:
            return _open(detail, taken, settled.rejected)
        right = outcome.relation is Relation.SAME
        value = taken.quote if taken.quote.startswith("InChI=") else None  # a key holds no structure
        return decided(BY, right, taken, detail, taken.quote, settled.rejected, value=value)

    def _by_name(self, text: Text) -> Finding | None:
        """The finding by a name; where only aliases count, or without Java, it can only be met."""
        if (read := self._names) is not None:
            return read.finding()
        names = {name: self.check.expected for name in self.check.aliases if not is_smiles(name)}
        if not self.check.accept or "name" in self.check.accept:
            names = {**NAMES, **names}
        named = [
            raw_candidate(text, Written(smiles, read_structure(smiles)), start, end)
            for smiles, start, end in stated_names(text.raw, names)
        ]
        settled = self._settle(text, named)
        if settled.candidate is None:
            return None
        taken = settled.candidate
        outcome = self._compare(taken.value)
        detail = f"the name {taken.quote} against {self.check.expected}: {outcome.why}"
        if outcome.relation == Relation.SAME:
            return decided(BY, True, taken, detail, taken.quote, settled.rejected, value=taken.value.text)
        return undetermined(BY, Reason.UNSUPPORTED, f"{detail}; names alone decide nothing", settled.rejected)

    def _compare(self, written: Written) -> Comparison:
        """The best outcome against the expected structure and its aliases."""
        assert written.structure is not None
        outcomes = [compare(one, written.structure, self.check) for one in self.expected]
        return min(outcomes, key=lambda one: (one.relation != Relation.SAME, one.relation != Relation.UNSURE))

    def _differs(self, written: Written) -> bool:
        return written.structure is not None and self._compare(written).relation is Relation.DIFFERENT

    def _judge(self, taken: Candidate[Written], rejected: tuple[Rejected, ...]) -> Finding:
        written = taken.value
        if written.structure is None:
            detail = f"{written.text} can't be read: {written.why}"
            if self.check.invalid_smiles == "not_met":
                return decided(BY, False, taken, detail, written.text, rejected)
            return _open(detail, taken, rejected)
        outcome = self._compare(written)
        detail = f"{written.text} against {self.check.expected}: {outcome.why}"
        if outcome.relation == Relation.UNSURE:
            if not written.structure.sound and self.check.invalid_smiles == "not_met":
                return decided(BY, False, taken, detail, written.text, rejected)
            return _open(detail, taken, rejected)
        right = outcome.relation == Relation.SAME
        return decided(BY, right, taken, detail, written.text, rejected, value=written.text)


def _open(detail: str, taken: Candidate[Written], rejected: tuple[Rejected, ...]) -> Finding:
    found = undetermined(BY, Reason.NOT_COMPARABLE, detail, rejected)
    return replace(found, found=taken.value.text, evidence=taken.evidence)


def read(text: Text, check: SmilesCheck, answer: Answer) -> tuple[list[Candidate[Written]], MaskedReading]:
    """The structures an answer writes, and its cues read with the structures masked out.

    A structure is full of signs that mean something else in prose: equals
    signs, brackets, letters that are labels.
    """
    atom = _ATOM.fullmatch(check.expected) is not None
    tokens = find_tokens(
        text.raw, marks(text), attachments="*" in check.expected, atom=atom, labels=check.asked
    )
    candidates = [
        replace(
            raw_candidate(text, token.written, token.start, token.end),
            aside=token.written.role is not Role.STATED,
        )
        for token in tokens
    ]
    return in_context(text, candidates, check.asked, answer.others)


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
            self._known[key] = self.alike(a.structure, b.structure)
        return self._known[key]

    def alike(self, a: Structure | None, b: Structure | None) -> bool:
        """Whether two structures are one under the options of the check."""
        return a is not None and b is not None and compare(a, b, self._options).relation == Relation.SAME
