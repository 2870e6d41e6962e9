"""What a judge may be used for, in plain words, by rules that each name the measure they rest on.

No agreement coefficient is a licence, so no rule grants anything for one: the only rule that grants
something (``spot_checks``) needs leniency, a corrected score and the error rate of accepted verdicts, all
done with enough marks and none of them at fault. docs/audits.md lists the rules; a test holds it to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.audit.card import advice_rules as rules
from grader.audit.from_archive.stated import CHANCE

if TYPE_CHECKING:
    from grader.audit.card.card import ReportCard

Find = Callable[["ReportCard"], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Rule:
    """When something is advised, and what it rests on."""

    key: str
    rests_on: str
    """Audits and measures."""
    when: str
    says: str
    """What is advised, in short."""
    find: Find


@dataclass(frozen=True, slots=True)
class Advice:
    """One sentence of advice."""

    rule: str
    says: str
    rests_on: str


def advice(card: ReportCard) -> tuple[Advice, ...]:
    """What the rules say of a card: faults first, what it may be used for after them."""
    return tuple(Advice(rule.key, said, rule.rests_on) for rule in RULES for said in rule.find(card))


RULES: tuple[Rule, ...] = (
    Rule(
        "provisional",
        "what the judge's card says of itself",
        "the judge is a demonstration",
        "use it for nothing",
        rules.provisional,
    ),
    Rule(
        "unmarked",
        "A3: corrected scores",
        "no corrected score can be given",
        "don't publish its scores by themselves",
        rules.unmarked,
    ),
    Rule(
        "weak",
        "A3: marks saved",
        f"the judge saves less than a factor of {rules.SAVES_NOTHING:g} in marks",
        "a weak judge buys nothing: marks alone are as good",
        rules.weak,
    ),
    Rule(
        "few",
        "A3: disagreements",
        "fewer than 10 labels of one probability disagree, so that the interval was widened, or none does",
        "mark more before calling it good",
        rules.few,
    ),
    Rule(
        "biased",
        "A2: leniency of the whole",
        "leniency differs from none",
        "report corrected scores, not scores as graded",
        rules.biased,
    ),
    Rule(
        "parts",
        "A2: leniency by part, Holm's p",
        "leniency in a part (point type, model, mode, protocol, tag) differs from none",
        "not for that part without people's marks",
        rules.parts,
    ),
    Rule(
        "kinds",
        "A1 of code: error rate by check kind, Holm's p",
        "people contradict a kind of check too often",
        "let people mark that kind until it is mended",
        rules.kinds,
    ),
    Rule(
        "preference",
        "A13: leniency by graded model, Holm's p",
        "it treats models unequally",
        "don't compare models by scores as graded",
        rules.preference,
    ),
    Rule(
        "injection",
        "A9: credit gained over idle words",
        "it gains a family of injections credit, or was never tested",
        "don't grade untrusted answers",
        rules.injection,
    ),
    Rule(
        "structures",
        "A7: flips over plain repeats; A8: misses",
        "a kind of rewriting changes verdicts, or a kind of mistake goes unnoticed",
        "not for structures, numbers and equations that code can decide",
        rules.structures,
    ),
    Rule(
        "unstable",
        "A6: verdicts that differ when asked again",
        "verdicts differ too often",
        "let it vote several times",
        rules.unstable,
    ),
    Rule(
        "surface",
        "A10: credit by added length; A11: flips by order and batching",
        "length, order or company moves verdicts",
        "don't compare models of different length; shuffle points or ask for one at a time",
        rules.surface,
    ),
    Rule(
        "confidence",
        "A4: AUROC of confidence",
        f"the interval of the AUROC reaches down to {CHANCE:g}",
        "don't route by its confidence",
        rules.confidence,
    ),
    Rule(
        "evidence",
        "A12: credits without evidence",
        "surely more than 5 % of credits rest on no quote, or models differ in it",
        "send credits without a quote to people",
        rules.evidence,
    ),
    Rule(
        "failures",
        "A15: requests without a readable reply, points left open",
        "surely more than 5 % fail, or models, protocols or lengths differ in it",
        "print scores under every treatment of failures",
        rules.failures,
    ),
    Rule(
        "drift",
        "A16: changed verdicts on frozen answers",
        "verdicts changed between versions",
        "don't compare with what it graded before",
        rules.drift,
    ),
    Rule(
        "people",
        "A1: kappa of people with each other",
        f"its interval lies below {rules.PEOPLE_AGREE:g}",
        "mend the rubric first",
        rules.people,
    ),
    Rule(
        "code",
        "A18: conflicts of code and judge, of the whole and by check kind; by model, Holm's p",
        "surely more than 5 % of points conflict, or of a kind of check, or models differ in it",
        "look at the conflicts: one of the two is wrong",
        rules.code,
    ),
    Rule(
        "spot_checks",
        "A5: upper end of the error rate of accepted verdicts (of code A1's error rate); A2, A3",
        f"A2, A3 and A5 (of code A1) are done on at least {rules.LEAST_LABELS} labels of "
        f"{rules.LEAST_PROBLEMS} problems, and A2 finds no leniency of the whole; the error rate is at most "
        "2, 5 or 15 %, or more",
        "5, 10 or 20 % spot checks and corrected scores, or people mark everything",
        rules.spot_checks,
    ),
    Rule(
        "untested",
        "audits not done",
        "any audit could not be done or was never attempted",
        "nothing is known of it",
        rules.untested,
    ),
)
"""In the order in which a card prints them."""
