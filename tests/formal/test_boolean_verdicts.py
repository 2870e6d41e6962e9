"""Verdicts in words: turns, reported opinions, tick boxes, phrases that deny."""

from __future__ import annotations

import pytest

from grader.answer.answer import Answer
from grader.formal.boolean import decide
from grader.problem.checks import BooleanCheck
from grader.record import Reason, Status
from tests.formal.verbatim import verbatim

MET, NOT_MET, UNDETERMINED = Status.MET, Status.NOT_MET, Status.UNDETERMINED
OPPOSITE = {MET: NOT_MET, NOT_MET: MET, UNDETERMINED: UNDETERMINED}


def status(text: str, expected: bool, asked: tuple[str, ...] = ()) -> Status:
    check = BooleanCheck(kind="boolean", expected=expected, asked=asked)
    return verbatim(decide(check, Answer(text)), text).status


VERDICTS = [
    ("True. Hmm, let me re-check: ΔS is negative. So it's false.", NOT_MET),
    ("No... wait, I forgot the spectator ions. Yes.", MET),
    ("**No**\n\nCorrection: Yes, since Ksp is exceeded.", MET),
    ("I'd say true.", MET),
    ("My verdict: false.", NOT_MET),
    ("Verdict: incorrect", NOT_MET),
    ("I think the statement is true, because Le Chatelier's principle applies.", MET),
    ("The claim does not hold, because the ring is not planar.", NOT_MET),
    ("The statement holds.", MET),
    ("I agree with the claim.", MET),
    ("I can't agree: the rate is independent of [OH-].", NOT_MET),
    ("I strongly disagree.", NOT_MET),
    ("Quite the opposite is true: entropy decreases.", NOT_MET),
    ("This statement is anything but true.", NOT_MET),
    ("It's a myth that the statement is true.", NOT_MET),
    ("Most students would answer 'true', but the statement is false.", NOT_MET),
    ("Many textbooks say it is true, but it isn't.", NOT_MET),
    ("Many textbooks say it is true.", UNDETERMINED),
    ("One might be tempted to answer yes.", UNDETERMINED),
    ("The obvious answer is yes.", UNDETERMINED),
    ("The obvious answer would be no, but the correct answer is yes.", MET),
    ("- [ ] Yes\n- [x] No", NOT_MET),
    ("☒ True ☐ False", MET),
    ("~~No~~ Yes", MET),
    ("~~No~~", UNDETERMINED),
    ("True, not false.", MET),
    ("If it were true, water would boil at 25 °C; it is therefore false.", NOT_MET),
    ("If it were true, water would boil at 25 °C.", UNDETERMINED),
    ("Would it be true for an ideal gas? Yes. But here it's a real gas, so no.", NOT_MET),
    ("Is it true?", UNDETERMINED),
    ("True or false?", UNDETERMINED),
    ("Yes, you can see that ΔG is negative, so the statement is true.", MET),
    ("It is true in the gas phase but false in water.", UNDETERMINED),
    ("Sometimes true.", UNDETERMINED),
    ("The statement is not entirely true.", UNDETERMINED),
    ("The statement is false. It is true that ΔH < 0.", NOT_MET),
    ("Final answer: **False**\n\nReason: no lone pair is available.", NOT_MET),
    ("Answer: yes ✔", MET),
    ("✗ False", UNDETERMINED),
    ("That can't be right.", NOT_MET),
    ("The answer is true, the answer is false.", UNDETERMINED),
    ("Yes; I was going to say no at first, but ΔG is negative.", MET),
    ("No - at first sight yes.", NOT_MET),
    ("Yes. (A classmate said no.)", MET),
    ("The answer is not yes.", NOT_MET),
    ("It's not that it is false: it is true.", MET),
    ("Right answer: yes", MET),
    ("The true/false question cannot be answered.", UNDETERMINED),
    ("The correct option is yes or no.", UNDETERMINED),
    ("Final answer: true. (My first answer was false.)", MET),
    ("Initially I answered true. However, this is false.", NOT_MET),
    ("Not false.", MET),
    ("I would not say that this is true; it is false.", NOT_MET),
    ("Nothing is true here without data.", UNDETERMINED),
    ("The statement isn't correct; the correct statement would be that K depends on T.", NOT_MET),
    ("Statement: 'Noble gases never react.' Verdict: False, XeF2 exists.", NOT_MET),
    ("'Yes' and 'no' are both defensible.", UNDETERMINED),
    ("**False.** While it is true that HCl is a strong acid, HF is weak.", NOT_MET),
    ("**True** - it's false to say that the rate is independent of T.", MET),
    ("My answer: no. I am certain this is false.", NOT_MET),
    ("It's true.", MET),
    ("Well, yes.", MET),
    ("Absolutely not.", NOT_MET),
    ("Of course.", MET),
    ("Yes\n\nNo catalyst is needed.", MET),
    ("1. ΔH < 0\n2. ΔS > 0\n\nTrue", MET),
    ("> True", MET),
    ("### Answer\n\n**False**", NOT_MET),
    ("Answer (true/false): false", NOT_MET),
    ("TRUE because the ring is planar", MET),
    ("The right answer depends on the solvent.", UNDETERMINED),
    ("This is a yes/no question.", UNDETERMINED),
    ("Therefore the statement is **not** true.", NOT_MET),
    ("The statement \"K changes with pressure\" is false.", NOT_MET),
    ("True\n\n(Not false, since T is constant.)", MET),
    ("I'd go with false.", NOT_MET),
    ("My initial answer was true, but it's false.", NOT_MET),
    ("The claim is only true for ideal gases; for this real gas it is false.", NOT_MET),
    ("You might think this is false, but it's true.", MET),
    ("No, that's not right.", NOT_MET),
    ("Correct.", MET),
    ("This is incorrect; it should read 'endothermic'.", NOT_MET),
    ("✅ True", MET),
    ("(True)", MET),
    ("True/False: True", MET),
]  # fmt: skip


@pytest.mark.parametrize(("text", "right"), VERDICTS)
def test_the_last_verdict_that_the_answer_means_counts(text: str, right: Status) -> None:
    assert status(text, True) is right
    assert status(text, False) is OPPOSITE[right]


ITEMS = [
    ("(a) False (b) True (c) False", "(b)", True, MET),
    ("(a) False (b) True (c) False", "(c)", True, NOT_MET),
    ("a) True\nb) False\nc) True", "b", True, NOT_MET),
    ("1. True\n2. False\n3. True", "2", True, NOT_MET),
    ("1. True\n2. False\n3. True", "3", True, MET),
]  # fmt: skip


@pytest.mark.parametrize(("text", "label", "expected", "right"), ITEMS)
def test_of_several_statements_the_asked_one_counts(
    text: str, label: str, expected: bool, right: Status
) -> None:
    assert status(text, expected, (label,)) is right


def test_an_endless_yes_and_no_is_not_weighed() -> None:
    check = BooleanCheck(kind="boolean", expected=True, statement="the molecule is chiral")
    finding = decide(check, Answer("no yes " * 15_000))
    assert finding.reason is Reason.CONFLICTING_CANDIDATES
