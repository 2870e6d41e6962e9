"""Deciding a point by the chemical name that an answer gives, for every kind that compares structures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from grader.answer.answer import Answer
from grader.answer.binding import Bound
from grader.answer.candidates import Candidate, Settled, settle
from grader.answer.marks import Rank
from grader.answer.notation import Text, normalise
from grader.formal.outcome import decided, undetermined, unsettled
from grader.formal.reading.contest import none_right
from grader.formal.reading.masked_reading import MaskedReading, states_nothing
from grader.formal.reading.name_tokens import WrittenName, is_inorganic, name_candidates
from grader.formal.reading.name_words import TooMany
from grader.formal.reading.roles import Role
from grader.formal.reading.surroundings import in_context
from grader.formal.structures.comparison import Comparison, Relation, best
from grader.formal.structures.configuration import flat_key
from grader.formal.structures.name_comparison import compare_name, contradicts
from grader.formal.structures.name_spelling import spelled
from grader.formal.structures.structure import Structure
from grader.problem.checks import StructureModel
from grader.record import Finding, Reason


@dataclass(frozen=True)
class ByName:
    """One check on the names of one answer.

    ``expected`` are the right structures; ``aliases`` are further right names, also ones that
    nobody can read. ``by`` signs the findings.
    """

    by: str
    check: StructureModel
    answer: Answer
    expected: tuple[Structure, ...]
    aliases: tuple[str, ...] = ()

    def presented(self) -> Finding | None:
        """The finding by a name that the text presents as the result; None where none is."""
        taken = self._taken
        if taken is None or (taken.rank < Rank.OBTAINED and taken.bound < Bound.NAMED):
            return None
        return self.finding()

    @property
    def concluded(self) -> Structure | None:
        """The structure of the name that the text gives as its conclusion; None where it gives none."""
        taken = self._taken
        return taken.value.structure if taken is not None and taken.rank >= Rank.PRESENTED else None

    @property
    def _taken(self) -> Candidate[WrittenName] | None:
        """The name that the text settles on, if it does."""
        try:
            return self._settle(*self.candidates).candidate
        except TooMany:
            return None

    def finding(self) -> Finding | None:
        """The finding by a name; None where the answer gives none."""
        try:
            candidates, reading = self.candidates
        except TooMany:
            why = "the answer writes more names than can be weighed"
            return undetermined(self.by, Reason.CONFLICTING_CANDIDATES, why)
        if not candidates:
            return None
        settled = self._specified(self._settle(candidates, reading), candidates, reading)
        taken = settled.candidate
        if taken is None:
            taken = none_right(settled, candidates, reading, cut=self.answer.cut, differs=self._differs)
            if taken is None:
                return unsettled(self.by, settled, "name")
        elif states_nothing(taken.value.role, taken, reading):
            rejected = (*settled.rejected, taken.rejected(f"is {taken.value.role}"))
            return unsettled(self.by, replace(settled, candidate=None, rejected=rejected), "name")
        return self._judge(taken, settled)

    @cached_property
    def text(self) -> Text:
        """The answer, normalised."""
        return normalise(self.answer.text)

    @cached_property
    def candidates(self) -> tuple[list[Candidate[WrittenName]], MaskedReading]:
        """The names of the answer with their roles, and its cues with the names masked."""
        simple = all(is_inorganic(one) for one in self.expected)
        found = name_candidates(self.text, self.aliases, simple=simple)
        for _ in range(2):  # a name may be explained by an abbreviation that is explained itself
            found = [one for one in found if not self._is_explained(one, found)]
        return in_context(self.text, found, self.check.asked, self.answer.others)

    def _shares(self, item: Candidate[WrittenName]) -> bool:
        """Whether a name lends its end to another before it."""
        start = item.plain[0]
        return _SUSPENDED.search(self.text.plain, max(0, start - 40), start) is not None

    def _is_explained(self, item: Candidate[WrittenName], found: Sequence[Candidate[WrittenName]]) -> bool:
        """Whether a name that nobody can read has one beside it that says what it means."""
        if item.value.structure is not None or item.value.named.ambiguous or self._is_alias(item.value):
            return False
        end = item.plain[1]
        near = (one.plain[0] for one in found if one.value.structure and 0 < one.plain[0] - end < 30)
        gaps = (self.text.plain[end:start] for start in near)
        return any(gap.strip(" ,") and _APPOSED.fullmatch(gap) for gap in gaps)

    def _settle(
        self, candidates: Sequence[Candidate[WrittenName]], reading: MaskedReading
    ) -> Settled[WrittenName]:
        return settle(
            self.text,
            candidates,
            same=self._same,
            asked=self.check.asked,
            others=self.answer.others,
            cut=self.answer.cut,
            reading=reading,
        )

    def _specified(
        self,
        settled: Settled[WrittenName],
        candidates: Sequence[Candidate[WrittenName]],
        reading: MaskedReading,
    ) -> Settled[WrittenName]:
        """Names that say more than the one settled on decide, if they agree: 2-butene, (E)-but-2-ene."""
        general = [settled.candidate] if settled.candidate else list(settled.rivals)
        if not general or (settled.candidate and self.compare(settled.candidate.value).relation == "same"):
            return settled
        least = min(general, key=lambda one: (one.value.structure is not None, _marked(one.value)))
        fuller = [one for one in candidates if _says_more(one.value, least.value)]
        explained = {one.start for one in fuller}
        others = [
            one for one in general if one.start not in explained and not self._same(one.value, least.value)
        ]
        if not fuller or others:
            return settled
        again = self._settle(fuller, reading)
        return again if again.candidate is not None else settled

    def _same(self, a: WrittenName, b: WrittenName) -> bool:
        if spelled(a.text) == spelled(b.text):
            return True
        if a.structure is None or b.structure is None:
            return self._is_alias(a) and self._is_alias(b)
        return compare_name(a.structure, b.text, b.structure, self.check).relation is Relation.SAME

    def _is_alias(self, written: WrittenName) -> bool:
        name, names = spelled(written.text), [spelled(alias) for alias in self.aliases]
        unread = written.structure is None and not written.named.ambiguous
        return name in names or (unread and _loose(name) in map(_loose, names))

    def compare(self, written: WrittenName) -> Comparison:
        """The best outcome of a name against the expected structures and the aliases."""
        if self._is_alias(written):
            return Comparison(Relation.SAME, "it is an accepted name")
        if written.structure is None:
            return Comparison(Relation.UNSURE, written.named.why)
        if not self.expected:
            return Comparison(Relation.UNSURE, "nobody can read the expected name")
        found = written.structure
        return best(compare_name(one, written.named.name, found, self.check) for one in self.expected)

    def beside(self, start: int, end: int, structure: Structure) -> str | None:
        """A name right beside a structure in another notation (a raw span) that means another compound."""
        low, high = self.text.plain_span(start, end)
        try:
            candidates, _ = self.candidates
        except TooMany:
            return None
        for item in candidates:
            name, meant = item.value.named.name, item.value.structure
            if meant and self._notes(item, low, high) and contradicts(structure, name, meant):
                return item.quote
        return None

    def _notes(self, item: Candidate[WrittenName], low: int, high: int) -> bool:
        """Whether a name stands beside a plain span as another notation of the same."""
        plain, (start, end) = self.text.plain, item.plain
        if item.value.role is not Role.STATED or _IN_PASSING.search(plain, max(0, start - 40), start):
            return False
        if end <= low:
            return _NOTED.fullmatch(plain, end, low) is not None
        return _NOTED_AFTER.fullmatch(plain, high, start) is not None

    def _apposed(self, taken: Candidate[WrittenName]) -> Candidate[WrittenName] | None:
        """A name right beside the one taken, as another name of it, that means another compound."""
        candidates, _ = self.candidates
        for one, two in pairwise(sorted(candidates, key=lambda item: item.start)):
            gap = self.text.plain[one.plain[1] : two.plain[0]]
            if taken.start not in (one.start, two.start) or not _APPOSED.fullmatch(gap) or gap in (" ", ", "):
                continue
            a, b = one.value, two.value
            if a.structure and b.structure and contradicts(a.structure, b.named.name, b.structure):
                return two if taken.start == one.start else one
        return None

    def _differs(self, written: WrittenName) -> bool:
        return self.compare(written).relation is Relation.DIFFERENT

    def _judge(self, taken: Candidate[WrittenName], settled: Settled[WrittenName]) -> Finding:
        written = taken.value
        outcome = self.compare(written)
        detail = f"the name {written.text}: {outcome.why}"
        if outcome.relation is not Relation.UNSURE:
            right = outcome.relation is Relation.SAME
            if right and self._shares(taken):
                why = f"'{written.text}' shares its end with another name, and both are said"
                return undetermined(self.by, Reason.CONFLICTING_CANDIDATES, why, settled.rejected)
            if right and (other := self._apposed(taken)):
                why = f"'{written.text}' and '{other.quote}' beside it are different compounds"
                return undetermined(self.by, Reason.CONFLICTING_CANDIDATES, why, settled.rejected)
            value = written.named.smiles
            return decided(self.by, right, taken, detail, written.text, settled.rejected, value=value)
        if written.named.ambiguous and self.check.ambiguous_names == "not_met":
            return decided(self.by, False, taken, detail, written.text, settled.rejected)
        reason = written.named.reason if written.structure is None else Reason.NOT_COMPARABLE
        found = undetermined(self.by, reason, detail, settled.rejected)
        return replace(found, found=written.text, evidence=taken.evidence)


_SUSPENDED = re.compile(
    r"(?:^|[\s(])(?:[\w,'′()+-]{1,12}-,?\s){1,3}(?:(?:and|or|und|as well as)\s|/\s?)?(?:/\s?)?$", re.I
)
"""The beginning of another name that ends like the one behind it: "o-, m- or", "(R)- and"."""
_APPOSED = re.compile(
    r"['*\"_]{0,3},?\s\(?(?:i\.e\.,? |that is,? |also (?:known as|called) |a\.?k\.?a\.? |=\s?)?['*\"_]{0,3}$"
)
"""What stands between a compound's name and another name of it."""
_NOTED = re.compile(
    r"[\s'*`\"_.,;:(\[$=|]{1,12}(?:(?:its |the |with |in |as |whose |and |canonical |isomeric )?"
    r"(?:SMILES|structure|string|notation)(?: string| notation| code)?(?: is)?[\s'*`\"_.,;:(\[$=|]{1,12})?"
)
"""What stands between a name and the structure it is given with."""
_IN_PASSING = re.compile(
    r"(?<!structure )(?<!SMILES )(?<!string )\b(?:of|from|with|on|to|using|via|by|[a-z]{3,}ing)\s(?:the\s)?"
    r"['*\"_]{0,3}$"
)
"""What makes a name that of another compound: "made from"."""
_NOTED_AFTER = re.compile(
    r"[\s'*`\"_,;)\]$|]{0,6}[(,=|][\s'*`\"_]{0,6}(?:i\.e\.,? |that is,? |namely )?['*`\"_]{0,3}"
)


def _loose(name: str) -> str:
    """A name without the case of its words; that of single letters (N, n, D, d) means something."""
    return re.sub("[A-Za-z]{3,}", lambda word: word[0].lower(), name)


def _marked(written: WrittenName) -> int:
    smiles = written.named.smiles or ""
    return smiles.count("@") + smiles.count("/") + smiles.count("\\")


def _says_more(one: WrittenName, than: WrittenName) -> bool:
    """Whether a name says what a more general one leaves open: the configuration, or the isomer."""
    if one.structure is None:
        return False
    if than.structure is None:
        return than.named.ambiguous and spelled(than.text).lower() in spelled(one.text).lower()
    return _marked(one) > _marked(than) == 0 and flat_key(one.structure.mol) == flat_key(than.structure.mol)
