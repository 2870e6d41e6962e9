"""Checks of kind formula: is the formula that an answer settles on the expected one?"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, Reading, Settled, raw_candidate, settle
from grader.answer.notation import Text, normalise
from grader.formal.formulas.match import Depth, compare_readings, is_multiple
from grader.formal.formulas.tree import Formula, Unreadable, read_formula
from grader.formal.outcome import blank, decided, undetermined, unsettled
from grader.formal.reading.contest import none_right
from grader.formal.reading.formula_candidates import read
from grader.formal.reading.formula_tokens import TooMany, Written
from grader.formal.reading.masked_reading import states_nothing
from grader.formal.registry import by
from grader.formal.structures.comparison import Comparison, Relation
from grader.formal.structures.trivial_names import stated_names
from grader.problem.checks import CheckModel, FormulaCheck
from grader.record import Finding, Reason, Rejected, Status

BY = by("formula")


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide a formula check on one answer."""
    assert isinstance(check, FormulaCheck)
    if not answer.text.strip():
        return blank(BY)
    try:
        expected = _expected(check)
    except Unreadable as error:
        return undetermined(BY, Reason.NOT_COMPARABLE, f"the expected formula can't be read: {error}")
    if check.accept and not {"formula", "name", "smiles"} & set(check.accept):
        return undetermined(
            BY, Reason.UNSUPPORTED, "the check accepts neither a formula nor a notation that gives one"
        )
    try:
        return _Case(check, answer, normalise(answer.text), expected).finding()
    except TooMany:
        return undetermined(
            BY, Reason.CONFLICTING_CANDIDATES, "the answer writes more formulas than can be weighed"
        )


def _expected(check: FormulaCheck) -> tuple[tuple[Formula, ...], ...]:
    """The expected formula in its readings, and those of the aliases that are formulas."""
    aliases = (readings for alias in check.aliases if (readings := _alias(alias)))
    return read_formula(normalise(check.expected).plain.strip()), *aliases


def _alias(text: str) -> tuple[Formula, ...]:
    """The readings of an alias, none where it is a name."""
    try:
        return read_formula(normalise(text).plain.strip())
    except Unreadable:
        return ()


@dataclass(frozen=True, slots=True)
class _Case:
    """One check on one answer."""

    check: FormulaCheck
    answer: Answer
    text: Text
    expected: tuple[tuple[Formula, ...], ...]

    def finding(self) -> Finding:
        """The finding by formula, and by an alias that is a name."""
        candidates, reading = read(self.text, self.check, self.answer)
        candidates = self._without_steps(candidates)
        settled = self._settle(candidates, reading)
        named = self._by_name()
        if settled.candidate is None:
            wrong = none_right(settled, candidates, reading, cut=self.answer.cut, differs=self._differs)
            if wrong is not None and named is None:
                return self._judge(wrong, settled.rejected)
            return named if named and not candidates else unsettled(BY, settled, "formula")
        if states_nothing(settled.candidate.value.role, settled.candidate, reading):
            why = f"is {settled.candidate.value.role}"
            rejected = (*settled.rejected, settled.candidate.rejected(why))
            nothing = "the answer states no formula for this point"
            return undetermined(BY, Reason.NO_CANDIDATE, nothing, rejected)
        found = self._judge(settled.candidate, settled.rejected)
        if named is not None and found.status is Status.NOT_MET:
            why = f"the answer states {named.found} and {found.found}"
            return undetermined(BY, Reason.CONFLICTING_CANDIDATES, why, found.rejected)
        return found

    def _without_steps(self, candidates: list[Candidate[Written]]) -> list[Candidate[Written]]:
        """The candidates, those that the answer multiplies to come to a later one as circumstances."""
        return [
            replace(item, aside=True)
            if any(self._multiplied(item, later) for later in candidates[at + 1 : at + 1 + _NEXT])
            else item
            for at, item in enumerate(candidates)
        ]

    def _multiplied(self, item: Candidate[Written], later: Candidate[Written]) -> bool:
        one, two = item.value.readings[0], later.value.readings[0]
        if one.charge or two.charge or not is_multiple(two.composition, one.composition):
            return False
        return _SCALED.search(self.text.plain, item.plain[1], later.plain[0]) is not None

    def _settle(
        self, candidates: list[Candidate[Written]], reading: Reading | None = None
    ) -> Settled[Written]:
        return settle(
            self.text,
            candidates,
            same=self._same,
            asked=self.check.asked,
            others=self.answer.others,
            cut=self.answer.cut,
            reading=reading,
        )

    def _same(self, a: Written, b: Written) -> bool:
        return a.text == b.text or _compare(a.readings, b.readings, self.check).relation == Relation.SAME

    def _by_name(self) -> Finding | None:
        """A point met by an alias that is no formula, compared as text."""
        names = {alias: alias for alias in self.check.aliases if not _alias(alias)}
        found = [
            raw_candidate(self.text, Written(name, self.expected[0]), start, end)
            for name, start, end in stated_names(self.text.raw, names, by_itself=True)
        ]
        taken = self._settle(found).candidate
        if taken is None:
            return None
        return decided(BY, True, taken, f"{taken.quote} is an accepted name", taken.quote)

    def _outcome(self, written: Written) -> Comparison:
        """The best outcome against the expected formula and its aliases."""
        outcomes = [_compare(readings, written.readings, self.check) for readings in self.expected]
        return min(outcomes, key=lambda one: (one.relation != Relation.SAME, one.relation != Relation.UNSURE))

    def _differs(self, written: Written) -> bool:
        return self._outcome(written).relation is Relation.DIFFERENT

    def _judge(self, taken: Candidate[Written], rejected: tuple[Rejected, ...]) -> Finding:
        written = taken.value
        outcome = self._outcome(written)
        detail = f"{written.text} against {self.check.expected}: {outcome.why}"
        if outcome.relation == Relation.UNSURE:
            found = undetermined(BY, Reason.NOT_COMPARABLE, detail, rejected)
            return replace(found, found=written.text, evidence=taken.evidence)
        right = outcome.relation == Relation.SAME
        return decided(BY, right, taken, detail, written.text, rejected)


_NEXT = 5
"""How many formulas after a simplest one may be its multiple."""
_SCALED = re.compile(
    r"\b(?:factor|multipl\w{1,6}|times|(?:molar|molecular|formula) mass|(?:M_?r?|n)\s?[=≈])|[×x·*]\s?[2-9]\b",
    re.I,
)


def depth_of(check: FormulaCheck) -> Depth:
    """How deep a check compares: bonding where it says so or its formula has square brackets."""
    return check.compare or ("structure" if "[" in check.expected else "composition")


def _compare(a: tuple[Formula, ...], b: tuple[Formula, ...], check: FormulaCheck) -> Comparison:
    return compare_readings(a, b, depth_of(check), charge=check.charge == "exact")
