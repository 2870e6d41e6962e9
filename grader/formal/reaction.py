"""Checks of kind reaction: is the reaction that an answer settles on the expected one?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, Settled, raw_candidate, settle
from grader.answer.notation import normalise
from grader.formal.outcome import blank, decided, undetermined, unsettled
from grader.formal.reading.contest import none_right
from grader.formal.reading.masked_reading import MaskedReading
from grader.formal.reading.reaction_tokens import WrittenReaction, find_reactions
from grader.formal.reading.smiles_tokens import TooMany
from grader.formal.reading.surroundings import in_context, is_unreal
from grader.formal.registry import by
from grader.formal.structures.comparison import Comparison, Relation, best
from grader.formal.structures.reaction import Reaction, read_reaction
from grader.formal.structures.reaction_comparison import compare_reactions
from grader.formal.structures.structure import Unreadable
from grader.problem.checks import CheckModel, ReactionCheck
from grader.record import Finding, Reason, Rejected

BY = by("reaction")


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide a reaction check on one answer."""
    assert isinstance(check, ReactionCheck)
    if not answer.text.strip():
        return blank(BY)
    try:
        expected = _expected(check.expected, check.aliases)
    except Unreadable as error:
        return undetermined(BY, Reason.NOT_COMPARABLE, f"the expected reaction can't be read: {error}")
    try:
        return _Case(check, answer, expected).finding()
    except TooMany:
        why = "the answer writes more reactions than can be weighed"
        return undetermined(BY, Reason.CONFLICTING_CANDIDATES, why)


def spans(answer: Answer) -> Iterator[tuple[int, int]]:
    """The raw spans of the reactions that an answer writes; raises TooMany."""
    found = find_reactions(normalise(answer.text), names=False)
    yield from ((start, end) for _, start, end in found)


@lru_cache(maxsize=1024)
def _expected(text: str, aliases: tuple[str, ...]) -> tuple[Reaction, ...]:
    """The expected reaction and its aliases; raises Unreadable."""
    return read_reaction(text), *(read_reaction(alias) for alias in aliases if ">" in alias)


@dataclass(frozen=True, slots=True)
class _Case:
    """One check on one answer."""

    check: ReactionCheck
    answer: Answer
    expected: tuple[Reaction, ...]

    def finding(self) -> Finding:
        """The finding on the reaction that the answer settles on."""
        text = normalise(self.answer.text)
        names = not self.check.accept or "name" in self.check.accept
        candidates, reading = in_context(
            text,
            [
                raw_candidate(text, written, start, end)
                for written, start, end in find_reactions(
                    text, names=names, attachments="*" in self.check.expected
                )
                if not is_unreal(text.raw[max(0, start - 80) : start])
            ],
            self.check.asked,
            self.answer.others,
        )
        settled = settle(
            text,
            candidates,
            same=self._same,
            asked=self.check.asked,
            others=self.answer.others,
            cut=self.answer.cut,
            reading=reading,
        )
        return self._judge(settled, candidates, reading)

    def _judge(
        self,
        settled: Settled[WrittenReaction],
        candidates: Sequence[Candidate[WrittenReaction]],
        reading: MaskedReading,
    ) -> Finding:
        taken = settled.candidate
        if taken is None:
            taken = none_right(settled, candidates, reading, cut=self.answer.cut, differs=self._differs)
        if taken is None:
            return unsettled(BY, settled, "reaction")
        written = taken.value
        if written.reaction is None:
            return self._unread(taken, settled.rejected)
        outcome = self._compare(written.reaction)
        detail = f"{written.text} against {self.check.expected}: {outcome.why}"
        if outcome.relation is Relation.UNSURE:
            return _open(detail, taken, settled.rejected)
        right = outcome.relation is Relation.SAME
        return decided(BY, right, taken, detail, written.text, settled.rejected, value=written.text)

    def _unread(self, taken: Candidate[WrittenReaction], rejected: tuple[Rejected, ...]) -> Finding:
        detail = f"{taken.value.text} can't be read: {taken.value.why}"
        if self.check.invalid_smiles == "not_met":
            return decided(BY, False, taken, detail, taken.value.text, rejected)
        return _open(detail, taken, rejected)

    def _compare(self, found: Reaction) -> Comparison:
        return best(compare_reactions(one, found, self.check) for one in self.expected)

    def _differs(self, written: WrittenReaction) -> bool:
        return written.reaction is not None and self._compare(written.reaction).relation is Relation.DIFFERENT

    def _same(self, one: WrittenReaction, other: WrittenReaction) -> bool:
        """Whether two reactions of one answer are the same statement."""
        if one.text == other.text:
            return True
        if one.reaction is None or other.reaction is None:
            return False
        return compare_reactions(one.reaction, other.reaction, self.check).relation is Relation.SAME


def _open(detail: str, taken: Candidate[WrittenReaction], rejected: tuple[Rejected, ...]) -> Finding:
    found = undetermined(BY, Reason.NOT_COMPARABLE, detail, rejected)
    return replace(found, found=taken.value.text, evidence=taken.evidence)
