"""Checks of kind equation: is the equation that an answer settles on the expected one?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, Settled, raw_candidate, settle
from grader.answer.marks import EXPLICIT, Rank
from grader.answer.notation import Text, normalise
from grader.formal.equations.balance import balanced
from grader.formal.equations.compare import compare_equations
from grader.formal.equations.equation import Equation
from grader.formal.equations.nuclear import compare_nuclear
from grader.formal.equations.options import chosen
from grader.formal.equations.places import EquationReading, Place, counterparts, labels, places
from grader.formal.equations.reader import Placed, find_equations, read_equation
from grader.formal.equations.rivals import PARTS, are_rivals, completes, is_sum, turns_basic
from grader.formal.formulas.tree import Unreadable
from grader.formal.outcome import blank, decided, undetermined, unsettled
from grader.formal.reading.roles import MASK
from grader.formal.registry import by
from grader.formal.structures.comparison import Comparison, Relation
from grader.problem.checks import CheckModel, EquationCheck
from grader.record import Finding, Reason, Rejected

BY = by("equation")
_NEAR = 20
"""How many equations away a draft may stand from what it is a draft of."""
MOST = 200
"""An answer with more equations than this isn't weighed."""


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide an equation check on one answer."""
    assert isinstance(check, EquationCheck)
    if not answer.text.strip():
        return blank(BY)
    try:
        expected = read_equation(check.expected, nuclear=check.nuclear)
    except Unreadable as error:
        return undetermined(BY, Reason.NOT_COMPARABLE, f"the expected equation can't be read: {error}")
    text = normalise(answer.text)
    found = list(find_equations(text, nuclear=check.nuclear))
    if len(found) > MOST:
        why = "the answer writes more equations than can be weighed"
        return undetermined(BY, Reason.CONFLICTING_CANDIDATES, why)
    return _Case(check, answer, text, expected, tuple(found)).finding()


@dataclass(frozen=True)
class _Case:
    """One check on one answer."""

    check: EquationCheck
    answer: Answer
    text: Text
    expected: Equation
    found: tuple[Placed, ...]

    @cached_property
    def _written(self) -> list[Candidate[Equation]]:
        """Every equation as a candidate; a mere arrow between two species is an aside."""
        made = (raw_candidate(self.text, one.equation, one.start, one.end) for one in self.found)
        return [
            replace(item, aside=one.scheme, doubt=self._doubt(item, one))
            for item, one in zip(made, self.found, strict=True)
        ]

    def _doubt(self, item: Candidate[Equation], placed: Placed) -> str:
        """Why an equation isn't firm: "does not run as" before it, another product after it."""
        if placed.chained:
            return "is part of a chain of arrows"
        low, high = item.plain
        if _DENIED.search(self.text.plain, max(0, low - 80), low):
            return "denied"
        return "leaves a product open" if _OR.match(self.text.plain, high) else ""

    @cached_property
    def _masked(self) -> str:
        plain = list(self.text.plain)
        for item in self._written:
            low, high = item.plain
            plain[low:high] = MASK * (high - low)
        return "".join(plain)

    @cached_property
    def _called(self) -> dict[int, frozenset[Place]]:
        called = places(self._masked, [item.plain for item in self._written])
        last = next((item for item in reversed(self._written) if not item.aside), None)
        if last is not None and is_sum(
            last.value, [item.value for item in self._written if item is not last]
        ):
            called[last.plain[0]] |= {Place.OVERALL}
        return called

    @cached_property
    def _reading(self) -> EquationReading:
        asked = labels(self.check.asked)
        others = tuple(
            label for label in (*self.answer.others, *counterparts(self.check.asked)) if label not in asked
        )
        masked = replace(self.text, plain=self._masked)
        return EquationReading(masked, asked, others, self._wanted, self._called)

    @cached_property
    def _wanted(self) -> frozenset[Place]:
        """What the expected equation would be called where nothing else is asked for."""
        if self.check.asked or self.expected.electrons:
            return frozenset()
        own = Place.NET_IONIC if self.expected.ionic else Place.MOLECULAR
        return frozenset([Place.OVERALL, Place.BALANCED, own])

    def finding(self) -> Finding:
        """The finding."""
        if (option := self._option()) is not None:
            return self._judge(option, ())
        kept, drafts = self._without_drafts()
        settled = self._settle(kept)
        settled = replace(settled, rejected=(*settled.rejected, *drafts))
        stated = _stated(settled, kept)
        if not self.expected.electrons and {item.value.electrons for item in stated} == {"left", "right"}:
            nothing = "the answer states half-equations and not what they add up to"
            return undetermined(BY, Reason.NO_CANDIDATE, nothing, settled.rejected)
        if (listed := self._listed(stated)) is not None:
            return self._judge(listed, settled.rejected)
        if settled.candidate is not None:
            return self._judge_beside(settled.candidate, stated, settled.rejected)
        if self.answer.cut and settled.rivals and all(self._differs(item.value) for item in stated):
            return self._judge(settled.rivals[-1], settled.rejected)
        return unsettled(BY, settled, "equation")

    def _option(self) -> Candidate[Equation] | None:
        """The equation of a list that the answer chooses by its letter, unless it states another apart."""
        if any(_LETTERED.fullmatch(label.strip()) for label in self.check.asked):
            return None
        written = [item for item in self._written if self._counts(item)]
        at = chosen(self._masked, [item.plain for item in written])
        if at is None or not self.answer.cut:
            return None
        apart = written[-1]
        explicit = self._rank(apart) >= EXPLICIT and not self._same(apart.value, written[at].value)
        return None if explicit else written[at]

    def _without_drafts(self) -> tuple[list[Candidate[Equation]], list[Rejected]]:
        """The equations without those that the answer balances, completes or turns round elsewhere."""
        drafts = [item for item in self._written if self._is_draft(item)]
        if len(drafts) == len(self._written):
            return drafts, []
        kept = [item for item in self._written if item not in drafts]
        return kept, [item.rejected("is balanced, completed or turned round elsewhere") for item in drafts]

    def _is_draft(self, item: Candidate[Equation]) -> bool:
        at = self._written.index(item)
        near = self._written[max(0, at - _NEAR) : at + _NEAR]
        others = [other for other in near if other is not item and self._counts(other)]
        if self._rank(item) >= EXPLICIT or not others:
            return False
        called = self._called[item.plain[0]]
        if Place.REVERSE in called:
            return True
        if Place.UNBALANCED in called and not balanced(item.value, nuclear=self.check.nuclear):
            return True
        if any(self._turned_basic(item, other) for other in others):
            return True
        return any(
            completes(other.value, item.value, self.check, later=other.start > item.start) for other in others
        )

    def _counts(self, item: Candidate[Equation]) -> bool:
        return not (item.doubt or self._reading.inert.touches(item.start, item.end))

    def _turned_basic(self, draft: Candidate[Equation], later: Candidate[Equation]) -> bool:
        """Whether the answer adds hydroxide to both sides of an equation to come to a later one."""
        if self.check.nuclear or later.start < draft.start or not turns_basic(draft.value, later.value):
            return False
        return _ADDED.search(self._masked, draft.plain[1], later.plain[0]) is not None

    def _rank(self, item: Candidate[Equation]) -> Rank:
        return self._reading.placed(item).rank

    def _settle(self, candidates: Sequence[Candidate[Equation]]) -> Settled[Equation]:
        final = [item for item in candidates if self._rank(item) >= EXPLICIT]
        fits = self._fits if all(self._fits(item.value) for item in final) else None
        return settle(
            self.text, candidates, same=self._same, cut=self.answer.cut, fits=fits, reading=self._reading
        )

    def _fits(self, found: Equation) -> bool:
        """Whether an equation is a half-equation, an ionic or a molecular one as the expected one is."""
        if self.check.nuclear or found.words:
            return True
        if self.expected.electrons or found.electrons:
            return self.expected.electrons == found.electrons
        return self.expected.ionic == found.ionic

    def _listed(self, stated: Sequence[Candidate[Equation]]) -> Candidate[Equation] | None:
        """The right equation among several that stand beside one another as steps or parts."""
        right = [item for item in stated if self._is_right(item.value)]
        others = [item for item in stated if not self._is_right(item.value)]
        if not right or not others or not self._side_by_side(right[-1], others):
            return None
        top = max(self._rank(item) for item in others)
        return right[-1] if top < EXPLICIT or self._rank(right[-1]) >= top else None

    def _side_by_side(self, item: Candidate[Equation], others: Sequence[Candidate[Equation]]) -> bool:
        called = [self._called[one.plain[0]] for one in (item, *others)]
        parts = all(one & PARTS and Place.OPTION not in one for one in called)
        return parts and not any(are_rivals(item.value, one.value) for one in others)

    def _judge_beside(
        self,
        taken: Candidate[Equation],
        stated: Sequence[Candidate[Equation]],
        rejected: tuple[Rejected, ...],
    ) -> Finding:
        """The finding on an equation that others stand beside: none of them may say otherwise as clearly."""
        right, rank = self._is_right(taken.value), self._rank(taken)
        for other in stated:
            if self._is_right(other.value) is right or rank >= EXPLICIT:
                continue
            if not right or self._rank(other) > rank:
                why = f"the answer states '{taken.quote}' and '{other.quote}'"
                return undetermined(BY, Reason.CONFLICTING_CANDIDATES, why, rejected)
        return self._judge(taken, rejected)

    def _judge(self, taken: Candidate[Equation], rejected: tuple[Rejected, ...]) -> Finding:
        outcome = self._outcome(taken.value)
        if outcome.relation is Relation.DIFFERENT and self._counted_apart(taken.value):
            outcome = Comparison(Relation.UNSURE, "its coefficients are told apart from it")
        if outcome.relation is Relation.DIFFERENT and self._conditions_apart(taken.value):
            outcome = Comparison(Relation.UNSURE, "its conditions are told apart from it")
        detail = f"{taken.value.text} against {self.check.expected}: {outcome.why}"
        if outcome.relation is Relation.UNSURE:
            found = undetermined(BY, Reason.NOT_COMPARABLE, detail, rejected)
            return replace(found, found=taken.value.text, evidence=taken.evidence)
        right = outcome.relation is Relation.SAME
        return decided(BY, right, taken, detail, taken.value.text, rejected)

    def _counted_apart(self, found: Equation) -> bool:
        """Whether the answer names the coefficients of an unbalanced equation in a list: "4, 3, 2"."""
        if balanced(found, nuclear=self.check.nuclear):
            return False
        return _COEFFICIENTS.search(self._masked) is not None

    def _conditions_apart(self, found: Equation) -> bool:
        """Whether only the agents are missing over the arrow and the answer speaks of them elsewhere."""
        if self.check.agents != "required" or _CONDITIONS.search(self._masked) is None:
            return False
        loose = self.check.model_copy(update={"agents": "ignored"})
        return compare_equations(self.expected, found, loose).relation is Relation.SAME

    def _is_right(self, found: Equation) -> bool:
        return self._outcome(found).relation is Relation.SAME

    def _same(self, one: Equation, two: Equation) -> bool:
        if one.text == two.text:
            return True
        return not (one.words or two.words) and self._compare(one, two).relation is Relation.SAME

    def _compare(self, one: Equation, two: Equation) -> Comparison:
        if self.check.nuclear:
            return compare_nuclear(one, two, self.check)
        return compare_equations(one, two, self.check)

    def _outcome(self, found: Equation) -> Comparison:
        return self._compare(self.expected, found)

    def _differs(self, found: Equation) -> bool:
        return self._outcome(found).relation is Relation.DIFFERENT


_OR = re.compile(r"\s{0,2}[,(]?\s?(?:or|and/or|/)\s{0,2}[0-9]{0,2}\s?\[?[A-Z][A-Za-z]?[0-9A-Z(^+\]-]")
_DENIED = re.compile(
    r"\b(?:does|do|did|is|are|was|can|will)(?:n't|[ ]?not)\b"
    r"(?:(?!\b(?:but|so|hence|thus|balanced)\b)[^.,;:\n]){0,50}$"
)
_LETTERED = re.compile(
    r"(?:(?:part|equation|step|reaction)\s)?\(?(?:[A-Za-z]|[ivx]{1,4}|[0-9]{1,2})[.)]?", re.I
)
_ADDED = re.compile(r"\b(?:add(?:ing|ed|s)?|neutrali[sz]\w{1,5}|(?:both|each) sides?)\b", re.I)
_COEFFICIENTS = re.compile(
    r"\b(?:coefficients?|balanced?|stoichiometry)\b[^.\n]{0,40}?[0-9]{1,2}(?:\s?[,:]\s?[0-9]{1,2})+", re.I
)
_CONDITIONS = re.compile(
    r"\b(?:catal\w{1,8}|in the presence of|conditions?|reagents?|solvent|heat(?:ed|ing)?|warm(?:ed|ing)?)\b",
    re.I,
)
_LESS_CLEAR = "another candidate is stated more clearly"
"""How ``settle`` rejects what nothing else speaks against."""


def _stated(settled: Settled[Equation], kept: Sequence[Candidate[Equation]]) -> list[Candidate[Equation]]:
    """The equations that the answer states for this point, the one taken among them."""
    passed = {one.start for one in settled.rejected if one.why == _LESS_CLEAR}
    taken = (settled.candidate,) if settled.candidate else settled.rivals
    starts = passed | {one.start for one in taken}
    return [item for item in kept if item.start in starts and not item.aside]
