"""Checks of kind inchi: is the InChI or InChIKey that an answer settles on that of the expected structure?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, Settled, raw_candidate, settle
from grader.answer.marks import marks
from grader.answer.notation import Text, normalise
from grader.formal.by_name import ByName
from grader.formal.outcome import blank, decided, undetermined, unsettled
from grader.formal.reading.contest import none_right
from grader.formal.reading.inchi_tokens import as_inchi, find_inchis
from grader.formal.reading.masked_reading import MaskedReading, states_nothing
from grader.formal.reading.name_tokens import WrittenName
from grader.formal.reading.name_words import names_near
from grader.formal.reading.smiles_tokens import TooMany, Written, find_tokens
from grader.formal.reading.surroundings import in_context
from grader.formal.registry import by
from grader.formal.structures.comparison import Comparison, Relation, best
from grader.formal.structures.equivalence import compare
from grader.formal.structures.inchi import key_blocks, read_inchi
from grader.formal.structures.inchi_comparison import compare_inchis, compare_keys, compare_written
from grader.formal.structures.names import available
from grader.formal.structures.structure import Unreadable
from grader.problem.checks import CheckModel, InchiCheck
from grader.record import Finding, Reason, Status

BY = by("inchi")
_OWN = ("inchi", "inchikey", "name")
"""What may carry the answer where the check doesn't say."""


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide an inchi check on one answer."""
    assert isinstance(check, InchiCheck)
    if not answer.text.strip():
        return blank(BY)
    try:
        expected = _expected(check.expected, check.aliases)
    except Unreadable as error:
        return undetermined(BY, Reason.NOT_COMPARABLE, f"the expected InChI can't be read: {error}")
    try:
        return _Case(check, answer, expected).finding()
    except TooMany:
        why = "the answer writes more structures than can be weighed"
        return undetermined(BY, Reason.CONFLICTING_CANDIDATES, why)


def spans(answer: Answer) -> Iterator[tuple[int, int]]:
    """The raw spans of the InChIs and keys that an answer writes; raises TooMany."""
    yield from ((start, end) for _, start, end in find_inchis(normalise(answer.text), ("inchi", "inchikey")))


@lru_cache(maxsize=1024)
def _expected(text: str, aliases: tuple[str, ...]) -> tuple[str, ...]:
    """The expected InChI or key, and the aliases that are one too; raises Unreadable."""
    own = as_inchi(text)
    if own is None:
        raise Unreadable("it is neither an InChI nor a key")
    if key_blocks(own) is None:
        read_inchi(own)
    return own, *(alias for alias in map(as_inchi, aliases) if alias is not None)


@dataclass(frozen=True)
class _Case:
    """One check on one answer."""

    check: InchiCheck
    answer: Answer
    expected: tuple[str, ...]

    def finding(self) -> Finding:
        """The finding by the expected notation, else by another accepted one; both must agree."""
        found = [one for notation in self._order if (one := self._by_notation(notation)) is not None]
        if not found and (named := self._by_name()) is not None:
            return named
        if not found:
            return unsettled(BY, self._settle([], None), "InChI or key in an accepted notation")
        certain = [one for one in found if one.award is not None]
        if len({one.status for one in certain}) > 1:
            why = " and ".join(str(one.found) for one in certain) + " come out differently"
            return undetermined(BY, Reason.CONFLICTING_CANDIDATES, why, certain[0].rejected)
        taken = certain[0] if found[0].reason is Reason.NO_CANDIDATE and certain else found[0]
        if taken.status is Status.MET and not self.check.accept and (other := self._contradicted(taken)):
            why = f"{taken.found} and {other} are different compounds"
            return undetermined(BY, Reason.CONFLICTING_CANDIDATES, why, taken.rejected)
        return taken

    def _contradicted(self, taken: Finding) -> str | None:
        """The SMILES of the answer, or the name beside its InChI, where it means another compound."""
        smiles = self._by_notation("smiles")
        if smiles is not None and smiles.status is Status.NOT_MET:
            return smiles.found
        structure = read_inchi(taken.value) if taken.value else None
        near = taken.evidence and names_near(self.answer.text, taken.evidence.start, taken.evidence.end)
        if structure is None or taken.evidence is None or not near or not available():
            return None
        return self._names.beside(taken.evidence.start, taken.evidence.end, structure)

    @cached_property
    def _order(self) -> list[str]:
        """The accepted notations, the one that is expected first."""
        accepted = self.check.accept or _OWN
        first = "inchikey" if key_blocks(self.expected[0]) else "inchi"
        return sorted(
            (one for one in accepted if one in ("inchi", "inchikey", "smiles")),
            key=lambda one: (one != first, one == "smiles"),
        )

    @cached_property
    def _text(self) -> Text:
        return normalise(self.answer.text)

    def _by_notation(self, notation: str) -> Finding | None:
        """The finding by what the answer writes in one notation; None where it writes nothing in it."""
        written = list(self._smiles() if notation == "smiles" else find_inchis(self._text, (notation,)))
        if not written:
            return None
        candidates, reading = in_context(
            self._text,
            [raw_candidate(self._text, *one) for one in written],
            self.check.asked,
            self.answer.others,
        )
        settled = self._settle(candidates, reading)
        taken = settled.candidate
        if taken is None:
            taken = none_right(settled, candidates, reading, cut=self.answer.cut, differs=self._differs)
            if taken is None:
                return unsettled(BY, settled, "structure")
        elif states_nothing(taken.value.role, taken, reading):
            rejected = (*settled.rejected, taken.rejected(f"is {taken.value.role}"))
            return unsettled(BY, replace(settled, candidate=None, rejected=rejected), "structure")
        return self._judge(taken, settled)

    def _by_name(self) -> Finding | None:
        """The finding by the compound that the answer names; None where it names none."""
        if "name" not in (self.check.accept or _OWN) or not available():
            return None
        return self._names.finding()

    @cached_property
    def _names(self) -> _Names:
        names = tuple(alias for alias in self.check.aliases if as_inchi(alias) is None)
        return _Names(BY, self.check, self.answer, (), names, self.expected)

    def _smiles(self) -> list[tuple[Written, int, int]]:
        tokens = find_tokens(self._text.raw, marks(self._text), attachments=False, labels=self.check.asked)
        return [(one.written, one.start, one.end) for one in tokens]

    def _settle(
        self, candidates: Sequence[Candidate[Written]], reading: MaskedReading | None
    ) -> Settled[Written]:
        return settle(
            self._text,
            candidates,
            same=self._same,
            asked=self.check.asked,
            others=self.answer.others,
            cut=self.answer.cut,
            reading=reading,
        )

    def _judge(self, taken: Candidate[Written], settled: Settled[Written]) -> Finding:
        written = taken.value
        outcome = self._compare(self.expected, written)
        detail = f"{written.text} against {self.check.expected}: {outcome.why}"
        unread = written.structure is None and key_blocks(written.text) is None
        if unread and outcome.relation is not Relation.SAME:
            detail = f"{written.text} can't be read: {written.why}"
            if self.check.invalid_smiles == "not_met":
                return decided(BY, False, taken, detail, written.text, settled.rejected)
        if (unread and outcome.relation is not Relation.SAME) or outcome.relation is Relation.UNSURE:
            found = undetermined(BY, Reason.NOT_COMPARABLE, detail, settled.rejected)
            return replace(found, found=written.text, evidence=taken.evidence)
        right = outcome.relation is Relation.SAME
        value = None if written.structure is None else written.text
        return decided(BY, right, taken, detail, written.text, settled.rejected, value=value)

    def _same(self, one: Written, other: Written) -> bool:
        """Whether two candidates of one notation are the same statement."""
        if one.text == other.text:
            return True
        if as_inchi(one.text) is not None:
            return self._relation((one.text,), other) is Relation.SAME
        if one.structure is None or other.structure is None:
            return False
        return compare(one.structure, other.structure, self.check).relation is Relation.SAME

    def _differs(self, written: Written) -> bool:
        return self._relation(self.expected, written) is Relation.DIFFERENT

    def _relation(self, expected: Sequence[str], written: Written) -> Relation:
        return self._compare(expected, written).relation

    def _compare(self, expected: Sequence[str], written: Written) -> Comparison:
        return best(self._compare_one(one, written) for one in expected)

    def _compare_one(self, expected: str, written: Written) -> Comparison:
        """An expected InChI or key against what an answer writes in any notation."""
        if expected == written.text:
            return Comparison(Relation.SAME, "it is written exactly so")
        inchi = written.text.startswith("InChI=")
        if not inchi and key_blocks(written.text) is None:
            if written.structure is None:
                return Comparison(Relation.UNSURE, written.why)
            return compare_written(expected, written.structure, self.check)
        if inchi and written.structure is None:
            return Comparison(Relation.UNSURE, written.why)
        if self.check.match == "first_block" or key_blocks(expected) or not inchi:
            return compare_keys(expected, written.text, self.check, self.check.match)
        return compare_inchis(expected, written.text, self.check)


@dataclass(frozen=True)
class _Names(ByName):
    """The names of an answer against InChIs: what an InChI can't hold is no reason to refuse a name."""

    inchis: tuple[str, ...] = ()

    def compare(self, written: WrittenName) -> Comparison:
        """The best outcome of a name against the expected InChIs and the aliases."""
        if written.structure is None or self._is_alias(written):
            return super().compare(written)
        found = written.structure
        return best(compare_written(one, found, self.check) for one in self.inchis)
