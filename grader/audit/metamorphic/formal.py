"""A7 and A8 of the formal track itself: code's verdicts before and after, with no calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from grader.audit.metamorphic.answers import FormalAnswer, graded_answers
from grader.audit.metamorphic.audits import invariance, sensitivity
from grader.audit.metamorphic.pair import Law, NotApplicable, Outcome
from grader.audit.metamorphic.registry import KINDS
from grader.audit.metamorphic.task import CodePair, PairTask, judged_many
from grader.audit.result import Audit, Measure, NotAudited
from grader.stats.checked import Checked

FORMAL = "formal"
"""What audits call the judge that is code."""


def formal_invariance(
    checked: Checked, judge: str = FORMAL, *, level: float = 0.95, seed: int = 0
) -> Audit | NotAudited:
    """A7 of code, on the answers of the archive to points with checks: see ``code_invariance``."""
    return code_invariance(graded_answers(checked.source), level=level, seed=seed)


def formal_sensitivity(
    checked: Checked, judge: str = FORMAL, *, level: float = 0.95, seed: int = 0
) -> Audit | NotAudited:
    """A8 of code, on the answers of the archive to points with checks: see ``code_sensitivity``."""
    return code_sensitivity(graded_answers(checked.source), level=level, seed=seed)


def code_invariance(
    answers: Iterable[FormalAnswer], *, level: float = 0.95, seed: int = 0, workers: int | None = None
) -> Audit | NotAudited:
    """A7 of code: rewritings under which its verdict changed. Code flips by no chance, so each one counts."""
    return _audited("invariant", answers, level, seed, workers)


def code_sensitivity(
    answers: Iterable[FormalAnswer], *, level: float = 0.95, seed: int = 0, workers: int | None = None
) -> Audit | NotAudited:
    """A8 of code: answers that still earned the point with one thing wrong; each one counts."""
    return _audited("sensitive", answers, level, seed, workers)


def _audited(
    law: Law, answers: Iterable[FormalAnswer], level: float, seed: int, workers: int | None
) -> Audit | NotAudited:
    kinds = tuple(name for name, kind in KINDS.items() if kind.law == law)
    tasks = (PairTask(one.answer, one.check, kinds, seed, False, one) for one in answers)
    outcomes: list[Outcome] = []
    left = Counter[str]()
    for task, made in judged_many(tasks, workers=workers):
        assert isinstance(task.key, FormalAnswer)
        for one in made:
            if isinstance(one, NotApplicable):
                left[one.kind] += 1
            else:
                outcomes.append(_outcome(task.key, one))
    audit = (invariance if law == "invariant" else sensitivity)(outcomes, FORMAL, level)
    if isinstance(audit, NotAudited):
        return replace(audit, do="Give points with checks, and answers that code decides.")
    return _deterministic(audit, left)


def _outcome(of: FormalAnswer, one: CodePair) -> Outcome:
    """Code's awards before and after; asking code again changes nothing."""
    return Outcome(one.pair, of.problem_id, of.where, one.before, one.before, one.after, of.points)


def _deterministic(audit: Audit, left: Counter[str]) -> Audit:
    """An audit of a judge without chance: any violation is a fault, and needs no test."""
    measures = tuple(_certain(one) for one in audit.measures)
    count = len(audit.cases)
    pairs = next(one.n for one in audit.measures)
    verb = (
        "changed under a rewriting that says the same" if audit.id == "A7" else "stayed with one thing wrong"
    )
    says = f"{count} of {pairs} verdicts of code {verb}."
    notes = [
        f"Not applicable: {sum(left.values())} ({', '.join(f'{k} {n}' for k, n in sorted(left.items()))})."
    ]
    return replace(audit, measures=measures, says=(says,), notes=(*notes, *audit.notes))


def _certain(one: Measure) -> Measure:
    tested = one.name in ("rise of the flip rate", "miss rate")
    flagged = tested and bool(one.value)
    return replace(one, p=None, p_adjusted=None, flagged=flagged)
