"""When each rule of advice speaks, and what it says of a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from grader.audit.from_archive.formal_track import ERRORS
from grader.audit.from_archive.pairs import KAPPA, PEOPLE
from grader.audit.from_archive.risk import ACCEPTED
from grader.audit.from_archive.stated import AUROC, CHANCE
from grader.audit.result import AUDITS, Audit, Measure
from grader.audit.words import number, percent
from grader.render.words import listed

if TYPE_CHECKING:
    from grader.audit.card.card import ReportCard

SAVES_NOTHING = 1.1
"""Marks saved, as a factor, below which a judge is said to buy nothing."""
SPOT_CHECKS = ((0.02, 5), (0.05, 10), (0.15, 20))
"""The upper end of the error rate of accepted verdicts, and the per cent of them to check up to there."""
LEAST_LABELS = 100
LEAST_PROBLEMS = 30
PEOPLE_AGREE = 0.6
"""Two people's kappa whose interval lies below this says that the rubric can be read in several ways."""
OF_CODE = frozenset({"A1", "A2", "A3", "A7", "A8", "A13", "A17"})
"""The audits that the formal track can be put to: the others are of calls, confidence and quotes."""


def provisional(card: ReportCard) -> Iterator[str]:
    """A demonstration is used for nothing."""
    if card.provisional:
        yield "A demonstration, not a judge: use its verdicts for nothing. They count nowhere."


def unmarked(card: ReportCard) -> Iterator[str]:
    """Without random marks nothing is known."""
    if card.scores is None or card.scores.whole is None:
        yield (
            "Don't publish its scores by themselves: its verdicts have not been compared with people's on a "
            "random sample."
        )


def spot_checks(card: ReportCard) -> Iterator[str]:
    """The only rule that grants something."""
    of_code = card.judge == "formal"
    one = _named(card, "A1", ERRORS) if of_code else _named(card, "A5", ACCEPTED)
    if one is None or one.high is None or card.provisional or not _grounded(card, "A1" if of_code else "A5"):
        return
    whose = "what code decides" if of_code else "the verdicts that nobody looks at"
    per_cent = next((rate for most, rate in SPOT_CHECKS if one.high <= most), None)
    if per_cent is None:
        yield f"Let people mark all that it decides: up to {percent(one.high)} of {whose} may be wrong."
    else:
        yield (
            f"Use with {per_cent} % spot checks, and report corrected scores: at most {percent(one.high)} of "
            f"{whose} are wrong."
        )


def _grounded(card: ReportCard, errors: str) -> bool:
    """Whether what the grant rests on was done on enough marks, and found no fault."""
    needed = [card.of("A2"), card.of(errors)]
    if any(one is None or one.indicative for one in needed):
        return False
    if card.scores is None or card.scores.whole is None:
        return False
    enough = card.ground.labels >= LEAST_LABELS and card.ground.label_problems >= LEAST_PROBLEMS
    return enough and not any(one.flagged for one in _whole(card, "A2"))


def kinds(card: ReportCard) -> Iterator[str]:
    """Check kinds of code that people contradict."""
    if card.judge == "formal":
        for one in _flagged(card, "A1"):
            if one.of and one.value is not None:
                yield f"Let people mark {one.of} until it is mended: code is wrong in {percent(one.value)}."


def weak(card: ReportCard) -> Iterator[str]:
    """A judge that saves no marks."""
    scores = card.scores
    whole = scores.whole if scores else None
    if scores and whole is not None and whole.saved is not None and whole.saved < SAVES_NOTHING:
        if isinstance(scores.audit, Audit) and scores.audit.indicative:
            yield "So far it saves no marks, by too few marks or problems to be sure of that."
        else:
            yield "A weak judge buys nothing: people's marks alone are as good."


def few(card: ReportCard) -> Iterator[str]:
    """Few disagreements were seen, which isn't few errors."""
    whole = card.scores.whole if card.scores else None
    if whole is not None and (whole.widened or whole.few_bound is not None):
        bound = ""
        if whole.few_bound is not None:
            bound = f" Up to {percent(whole.few_bound)} of the points may be wrong all the same."
        yield f"Mark more before calling it good: few disagreements were seen among few marks.{bound}"


def biased(card: ReportCard) -> Iterator[str]:
    """Leniency or strictness of the whole."""
    one = _named(card, "A2", "leniency")
    if one is not None and one.flagged and one.value is not None:
        way = "lenient" if one.value > 0 else "strict"
        yield f"Report corrected scores, not scores as graded: it is too {way} ({number(one.value, one)})."


def parts(card: ReportCard) -> Iterator[str]:
    """Leniency or strictness where only a part of the points is."""
    for one in _flagged(card, "A2"):
        if one.of and one.value is not None and one.name == "leniency":
            way = "lenient" if one.value > 0 else "strict"
            size = number(one.value, one)
            yield f"Not for {one.of} without people's marks: there it is too {way} ({size})."


def preference(card: ReportCard) -> Iterator[str]:
    """Unequal treatment of models."""
    if found := _flagged(card, "A13"):
        yield f"Don't compare models by its scores as graded: it treats them unequally{_whose(found)}."


def injection(card: ReportCard) -> Iterator[str]:
    """Untested is as bad as yielding."""
    if card.judge == "formal":
        return
    if card.of("A9") is None:
        yield "Not audited for injection: don't grade untrusted answers."
    elif found := _flagged(card, "A9"):
        yield f"Don't grade untrusted answers: text that speaks to the grader gains credit{_whose(found)}."


def structures(card: ReportCard) -> Iterator[str]:
    """What code is for."""
    for audit, what in (
        ("A7", "it changes its verdict when the same is written otherwise"),
        ("A8", "it overlooks that an answer was made wrong"),
    ):
        if found := _flagged(card, audit):
            yield f"Not for structures, numbers and equations that code can decide: {what}{_whose(found)}."


def unstable(card: ReportCard) -> Iterator[str]:
    """Another verdict on the same request."""
    if _flagged(card, "A6"):
        yield "Let it vote several times: asked again, it doesn't say the same."


def surface(card: ReportCard) -> Iterator[str]:
    """Length, order, company."""
    if _flagged(card, "A10"):
        yield "Don't compare models that write at different length: words without content move its marks."
    if _flagged(card, "A11"):
        yield "Shuffle the points, or ask for one at a time: their order or company moves its verdicts."


def confidence(card: ReportCard) -> Iterator[str]:
    """A confidence that tells nothing."""
    one = _named(card, "A4", AUROC)
    if one is not None and one.low is not None and one.low <= CHANCE:
        yield "Don't route by its confidence: it may tell right from wrong no better than chance."


def evidence(card: ReportCard) -> Iterator[str]:
    """Credits that rest on nothing."""
    if _flagged(card, "A12"):
        yield "Send credits without a quote of the answer to people: too many have none."


def failures(card: ReportCard) -> Iterator[str]:
    """Calls that fail often, or unequally."""
    if _flagged(card, "A15"):
        yield (
            "Print scores with failures left out, as zero and between bounds: too many calls fail, or not "
            "alike for all."
        )


def drift(card: ReportCard) -> Iterator[str]:
    """A judge that is another one now."""
    if _flagged(card, "A16"):
        yield "Don't compare with what it graded before: it has changed. Grade both again, and mark anew."


def people(card: ReportCard) -> Iterator[str]:
    """People who don't agree with each other."""
    for one in _measures(card, "A1"):
        if (one.name, one.of) == (KAPPA, PEOPLE) and one.high is not None and one.high < PEOPLE_AGREE:
            yield "Mend the rubric first: people don't agree with each other, and no judge can with them."


def code(card: ReportCard) -> Iterator[str]:
    """Code and judge on the same points."""
    if found := _flagged(card, "A18"):
        whose = _whose(found)
        yield f"Look at the conflicts of code and judge{whose}: in each of them one of the two is wrong."


def untested(card: ReportCard) -> Iterator[str]:
    """What nobody has looked at."""
    wanted = [one for one in AUDITS if card.judge != "formal" or one in OF_CODE]
    missing = [f"{one} {AUDITS[one].lower()}" for one in wanted if card.of(one) is None]
    if missing:
        yield f"Nothing is known of what was not audited: {', '.join(missing)}."


def _flagged(card: ReportCard, audit: str) -> list[Measure]:
    return [one for one in _measures(card, audit) if one.flagged]


def _named(card: ReportCard, audit: str, name: str) -> Measure | None:
    """The measure of that name of the whole."""
    return next((one for one in _whole(card, audit) if one.name == name), None)


def _whole(card: ReportCard, audit: str) -> list[Measure]:
    """The measures that are of no part."""
    return [one for one in _measures(card, audit) if not one.of]


def _measures(card: ReportCard, audit: str) -> tuple[Measure, ...]:
    found = card.of(audit)
    return found.measures if found else ()


def _whose(found: Iterable[Measure]) -> str:
    names = list(dict.fromkeys(one.of for one in found if one.of))
    return f" ({listed(names)})" if names else ""
