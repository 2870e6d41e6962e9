"""Checks of kind formula: is the formula that an answer settles on the expected one?"""

from __future__ import annotations

from dataclasses import replace

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, candidate, settle
from grader.answer.marks import Rank, marks
from grader.answer.notation import Text, normalise
from grader.formal.comparison import Comparison, Relation
from grader.formal.formula_match import Depth, compare_readings
from grader.formal.formula_tokens import TooMany, Written, find_formulas
from grader.formal.formula_tree import Formula, Unreadable, read_formula
from grader.formal.outcome import blank, decided, undetermined, unsettled
from grader.formal.roles import Role
from grader.formal.surroundings import Covering, MaskedReading, in_context, states_nothing
from grader.problem.checks import CheckModel, FormulaCheck
from grader.record import Finding, Reason, Rejected

VERSION = 1
BY = f"formal:formula@{VERSION}"


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide a formula check on one answer."""
    assert isinstance(check, FormulaCheck)
    if not answer.text.strip():
        return blank(BY)
    try:
        expected = [read_formula(normalise(text).plain.strip()) for text in (check.expected, *check.aliases)]
    except Unreadable as error:
        return undetermined(BY, Reason.NOT_COMPARABLE, f"the expected formula can't be read: {error}")
    if check.accept and "formula" not in check.accept:
        return undetermined(
            BY, Reason.UNSUPPORTED, "the check accepts no formula, and code reads no other notation yet"
        )
    text = normalise(answer.text)
    try:
        candidates, reading = _read(text, check, answer)
    except TooMany:
        return undetermined(
            BY, Reason.CONFLICTING_CANDIDATES, "the answer writes more formulas than can be weighed"
        )

    def same(a: Written, b: Written) -> bool:
        return a.text == b.text or _compare(a.readings, b.readings, check).relation == Relation.SAME

    settled = settle(
        text, candidates, same=same, asked=check.asked, others=answer.others, cut=answer.cut, reading=reading
    )
    if settled.candidate is None:
        return unsettled(BY, settled, "formula")
    if states_nothing(settled.candidate.value.role, settled.candidate, reading):
        why = f"is {settled.candidate.value.role}"
        rejected = (*settled.rejected, settled.candidate.rejected(why))
        return undetermined(BY, Reason.NO_CANDIDATE, "the answer states no formula for this point", rejected)
    return _finding(check, expected, settled.candidate, settled.rejected)


def depth_of(check: FormulaCheck) -> Depth:
    """How deep a check compares: bonding where it says so or its formula has square brackets."""
    return check.compare or ("structure" if "[" in check.expected else "composition")


def _compare(a: tuple[Formula, ...], b: tuple[Formula, ...], check: FormulaCheck) -> Comparison:
    return compare_readings(a, b, depth_of(check), charge=check.charge == "exact")


def _read(text: Text, check: FormulaCheck, answer: Answer) -> tuple[list[Candidate[Written]], MaskedReading]:
    """The formulas an answer writes, and its cues read with the formulas masked out."""

    covering = Covering(marks(text))

    def rank_of(start: int, end: int) -> Rank:
        return covering.rank(text.raw, *text.raw_span(start, end))

    tokens = find_formulas(text.plain, rank_of)
    labels = {label.strip() for label in (*check.asked, *answer.others)}
    tokens = [token for token in tokens if token.written.text not in labels]
    candidates = [
        candidate(text, token.written, token.start, token.end, aside=token.written.role is not Role.STATED)
        for token in tokens
    ]
    others = (*answer.others, *_counterparts(check.asked))
    return in_context(text, candidates, check.asked, others)


def _counterparts(asked: tuple[str, ...]) -> tuple[str, ...]:
    """The other kinds of formula that an answer states beside the kind asked for."""
    kinds = ("empirical", "molecular", "structural", "simplest")
    own = {kind for kind in kinds for label in asked if kind in label.lower()}
    return tuple(f"{kind} formula" for kind in kinds if kind not in own) if own else ()


def _finding(
    check: FormulaCheck,
    expected: list[tuple[Formula, ...]],
    taken: Candidate[Written],
    rejected: tuple[Rejected, ...],
) -> Finding:
    written = taken.value
    outcomes = [_compare(readings, written.readings, check) for readings in expected]
    outcome = min(outcomes, key=lambda one: (one.relation != Relation.SAME, one.relation != Relation.UNSURE))
    detail = f"{written.text} against {check.expected}: {outcome.why}"
    if outcome.relation == Relation.UNSURE:
        found = undetermined(BY, Reason.NOT_COMPARABLE, detail, rejected)
        return replace(found, found=written.text, evidence=taken.evidence)
    return decided(BY, outcome.relation == Relation.SAME, taken, detail, written.text, rejected)
