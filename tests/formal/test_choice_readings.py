"""How answers present options: in comparisons, lists of verdicts, tables, tick boxes, by text, by value."""

from __future__ import annotations

from typing import Any

import pytest

from grader.answer.answer import Answer
from grader.formal.choice import decide
from grader.problem.checks import ChoiceCheck
from grader.record import Status
from tests.formal.verbatim import verbatim

MET, NOT_MET, UNDETERMINED = Status.MET, Status.NOT_MET, Status.UNDETERMINED

LETTERS: dict[str, Any] = {"choices": ("A", "B", "C", "D")}
LETTERS_CASES = [
    ("Unlike A and B, D is chiral.", "D", "A"),
    ("As opposed to C, option A obeys Markovnikov's rule.", "A", "C"),
    ("A, which violates the octet rule, is not correct; D is.", "D", "A"),
    ("Most students choose A, however the correct answer is C.", "C", "A"),
    ("Most students choose A.", None, "A"),
    ("The tempting answer is A.", None, "A"),
    ("It is tempting to pick A, but only D has a plane of symmetry.", "D", "A"),
    ("A typical mistake is to choose C.", None, "C"),
    ("The answer is A, right? No. It is C.", "C", "A"),
    ("Final answer: C (I originally chose A).", "C", "A"),
    ("I initially picked A. After checking the stereochemistry, I choose C.", "C", "A"),
    ("Answer: B\n\nEDIT: C", "C", "B"),
    ("- [ ] A\n- [x] B\n- [ ] C\n- [ ] D", "B", "A"),
    ("☐ A ☐ B ☐ C ☑ D", "D", "A"),
    ("A) 2.0\nB) 3.0\nC) 4.0\nD) 5.0", None, "A"),
    ("- A: true\n- B: false\n- C: false\n- D: false", "A", "B"),
    ("- A: true\n- B: true\n- C: false\n- D: true", None, "C"),
    ("Sulfur (S) and carbon (C) form CS2. Answer: D", "D", "C"),
    ("Carbon (C) is tetravalent.", None, "C"),
    ("Answer: not A, C.", "C", "A"),
    ("Not A, B, C.", None, "A"),
    ("Only option D is chiral.", "D", "A"),
    (
        "Option C accounts for the mass spectrum but does not explain the IR band; B "
        "explains both.",
        "B", "C",
    ),
    ("B seems attractive, but the correct choice is A.", "A", "B"),
    ("B or possibly A", None, "B"),
    ("C isn't the answer, because it is achiral. So it's B.", "B", "C"),
    ("The naive answer is D. But hyperconjugation favours B, so the answer is B.", "B", "D"),
    ("A and B are both wrong.", None, "A"),
    ("I'd exclude A and C.", None, "B"),
    (
        "It cannot be A (wrong charge) nor B (wrong mass), leaving C or D; D has the "
        "wrong parity, so C.",
        "C", "D",
    ),
    ("Between B and C, C is the better nucleophile, so C.", "C", "B"),
    ("My first choice was B, but C is correct.", "C", "B"),
    ("B is a distractor; the answer is C.", "C", "B"),
    ("C. B is a common mistake.", "C", "B"),
    ("The answer is C and not B.", "C", "B"),
    ("Although B looks right, the answer is D.", "D", "B"),
    ("Answer: **C**. B would be right for a weak base.", "C", "B"),
    ("B would be correct if the alkene were Z; as it is E, C.", "C", "B"),
    ("Would it be B?", None, "B"),
    ("The textbook says B.", None, "B"),
    ("I choose C; my friend chose B.", "C", "B"),
    ("A > B > C > D in acidity. Hence A.", "A", "D"),
    ("I rank them D < C < B < A; the strongest acid is A.", "A", "D"),
    ("A > B > C > D", None, "A"),
    ("A: no, B: no, C: yes, D: no", "C", "A"),
    ("A ❌ B ❌ C ✅ D ❌", "C", "A"),
    ("(A) False\n(B) False\n(C) True\n(D) False", "C", "A"),
    ("A. false\nB. false\nC. false\nD. true", "D", "A"),
    ("A. true\nB. true\nC. false\nD. true", None, "C"),
    (
        "The answer is C.\n\nWhy not the others?\nA: wrong charge.\nB: wrong mass.\nD: wrong "
        "parity.",
        "C", "D",
    ),
    (
        "Option A: incorrect, no H-bond.\nOption B: correct, as it can donate.\nOption C: "
        "incorrect.\nOption D: incorrect.\n\nB",
        "B", "A",
    ),
    (
        "Looking at each:\n\n- **A**: has no stereocentre.\n- **B**: is meso.\n- **C**: has "
        "one stereocentre.\n- **D**: is planar.\n\nThe only chiral compound is **C**.",
        "C", "B",
    ),
    (
        "Step 1: compare A and B. B is bigger.\nStep 2: compare B and D. D is "
        "bigger.\n\nFinal answer: D",
        "D", "B",
    ),
    ("Options A and D are isomers. The correct answer is (D).", "D", "A"),
    ("Options A and D are isomers.", None, "A"),
    ("The answer is either A or D. Since the base is bulky, it is D.", "D", "A"),
    ("I was going to say A. But D.", "D", "A"),
    ("not A; not B; not C. D", "D", "A"),
    ("A – no\nB – no\nC – yes\nD – no", "C", "A"),
    ("We can eliminate A, B and D, which leaves C.", "C", "A"),
    ("Eliminate A and B.", None, "A"),
    ("Answer: C (A is the kinetic product)", "C", "A"),
    ("The best choice is D, since A and B decompose.", "D", "A"),
    ("**Answer: D.** A and B decompose, whereas C is unreactive.", "D", "A"),
    ("B) is incorrect. The correct answer: A)", "A", "B"),
    ("D\n\nExplanation: A and C are enantiomers, so neither can be the answer. B is too small.", "D", "A"),
    ("Choice: **B**", "B", "A"),
    ("The major product corresponds to structure C.", "C", "A"),
    ("The right answer must be B as opposed to D.", "B", "D"),
    ("Let me think about D first. D is wrong since it has 5 bonds. The answer is B.", "B", "D"),
    ("The answer: B. Edit: I misread; the answer is C.", "C", "B"),
    ("B was my answer before I noticed the error.", None, "B"),
    ("Your answer B is wrong, it should be D.", "D", "B"),
    ("A is correct, B is incorrect, C is incorrect, D is incorrect.", "A", "B"),
]  # fmt: skip

FLUORIDES: dict[str, Any] = {
    "texts": {"A": "LiF", "B": "NaF", "C": "KF", "D": "CsF"},
    "choices": ("A", "B", "C", "D"),
}
FLUORIDES_CASES = [
    ("Lattice energy decreases in the order LiF > NaF > KF > CsF, so the largest is LiF (A).", "A", "D"),
    ("LiF > NaF > KF > CsF\n\n**A) LiF**", "A", "D"),
    ("**A. LiF**", "A", "D"),
    ("B) LiF", None, "A"),
    ("LiF (B)", None, "A"),
    ("LiF has a larger lattice energy than CsF.", "A", "D"),
    ("Compared to CsF (D), LiF (A) has the smaller ions.", "A", "D"),
]  # fmt: skip

ENERGIES: dict[str, Any] = {
    "texts": {"A": "1.5 kJ/mol", "B": "15 kJ/mol", "C": "150 kJ/mol", "D": "1500 kJ/mol"},
    "choices": ("A", "B", "C", "D"),
}
ENERGIES_CASES = [
    ("150000 J/mol", "C", "B"),
    ("Ea = 15.0 kJ/mol", "B", "C"),
    ("16 kJ/mol", None, "B"),
    ("15 kJ", None, "B"),
]  # fmt: skip

SEVERAL: dict[str, Any] = {"multiple": True, "choices": ("A", "B", "C", "D")}
SEVERAL_CASES = [
    ("A ✓\nB ✗\nC ✓\nD ✗", "A,C", "B,D"),
    ("A: yes\nB: no\nC: yes\nD: no", "A,C", "A"),
    ("1. A is correct.\n2. B is incorrect.\n3. C is correct.\n4. D is incorrect.", "A,C", "A,B"),
    ("All but B.", "A,C,D", "B"),
    ("All except B are wrong.", "B", "A,C,D"),
    ("All of the above.", "A,B,C,D", "A,B"),
    ("None of these statements is wrong.", "A,B,C,D", "A"),
    ("Not all of them are correct.", None, "A,B,C,D"),
    ("All of them react with water.", None, "A,B,C,D"),
    ("| | verdict |\n|---|---|\n| A | true |\n| B | false |\n| C | true |\n| D | false |", "A,C", "B,D"),
    ("A is true. B is false. C is true. D is false. Wait, D is also true, so A, C and D.", "A,C,D", "A,C"),
    ("A and C are true, B and D are false.", "A,C", "B,D"),
    (
        "Statement A is false because K is constant. Statement B is true. Statement C is "
        "false. Statement D is true.",
        "B,D", "A,C",
    ),
    ("A and D only", "A,D", "A"),
    ("A, D (B and C are wrong)", "A,D", "B,C"),
    ("All except D are correct.", "A,B,C", "D"),
    ("A and B are right. Actually, B is wrong; A and C are right.", "A,C", "A,B"),
    ("A, B and maybe C", None, "A,B"),
    ("[x] A\n[ ] B\n[x] C\n[ ] D", "A,C", "B,D"),
    ("Only A.", "A", "A,B"),
    ("True statements: A, C.", "A,C", "B"),
    ("The correct ones are A, B and D; C is not.", "A,B,D", "C"),
    ("A, B, and D are correct. C is wrong because it needs heat.", "A,B,D", "A,C"),
    ("A — true; B — false; C — true; D — false", "A,C", "B,D"),
    ("- A (true)\n- B (false)\n- C (true)\n- D (false)", "A,C", "B,D"),
    ("A: T\nB: F\nC: T\nD: F", "A,C", "B,D"),
    ("All of the statements are correct except C.", "A,B,D", "C"),
    ("All statements are correct, except for C.", "A,B,D", "C"),
    ("Everything but C.", "A,B,D", "C"),
    ("All except possibly C.", None, "A,B,D"),
    ("A and C. Not B. Not D.", "A,C", "B,D"),
    ("Select A and C (D would be tempting).", "A,C", "A,D"),
    ("A and C are similar; B and D are similar.", None, "A,C"),
]  # fmt: skip

DIGITS: dict[str, Any] = {"choices": ("1", "2", "3")}
DIGITS_CASES = [
    ("Isomer 3 is the most stable.", "3", "1"),
    ("Structure 1 obeys the octet rule whereas structure 3 does not, so 1 is best: answer 1.", "1", "3"),
]  # fmt: skip

ROMAN: dict[str, Any] = {"choices": ("I", "II", "III", "IV")}
ROMAN_CASES = [
    ("Compound II undergoes SN2 fastest, followed by compound I.", "II", "I"),
    ("II", "II", "I"),
    ("The answer is IV.", "IV", "I"),
    ("I think it depends on the solvent.", None, "I"),
    ("I think the answer is III.", "III", "I"),
]  # fmt: skip

LIQUIDS: dict[str, Any] = {
    "texts": {"A": "ethanol", "B": "dimethyl ether", "C": "propane", "D": "acetic acid"},
    "choices": ("A", "B", "C", "D"),
}
LIQUIDS_CASES = [
    ("Acetic acid forms dimers, so its boiling point is higher than that of ethanol.", "D", "A"),
    ("acetic acid > ethanol > dimethyl ether > propane, so D", "D", "C"),
    ("D (acetic acid)", "D", "A"),
    ("A (acetic acid)", None, "A"),
    ("The answer is acetic acid (D), not ethanol (A).", "D", "A"),
    ("I would pick ethanol over propane.", "A", "C"),
    ("Neither propane nor ethanol: acetic acid.", "D", "A"),
    ("- ethanol: no\n- dimethyl ether: no\n- propane: no\n- acetic acid: yes\n\nSo D.", "D", "A"),
    ("**D**\n\nA: ethanol has one H-bond.\nB: dimethyl ether has none.", "D", "A"),
]  # fmt: skip

NUMBERS: dict[str, Any] = {"texts": {"A": "1", "B": "2", "C": "3", "D": "4"}, "choices": ("A", "B", "C", "D")}
NUMBERS_CASES = [
    ("There are 2 C atoms in 3 molecules", None, "A"),
    ("The bond order is 3 (C).", "C", "B"),
]  # fmt: skip

MASSES: dict[str, Any] = {
    "texts": {"A": "0.5 g", "B": "5 g", "C": "50 g", "D": "500 g"},
    "choices": ("A", "B", "C", "D"),
}
MASSES_CASES = [
    ("m = 5000 mg", "B", "A"),
    ("m = n M = 0.05 mol × 100 g/mol = 5.0 g", "B", "C"),
    ("5", None, "B"),
]  # fmt: skip

CASES = [
    *((LETTERS, *case) for case in LETTERS_CASES),
    *((FLUORIDES, *case) for case in FLUORIDES_CASES),
    *((ENERGIES, *case) for case in ENERGIES_CASES),
    *((SEVERAL, *case) for case in SEVERAL_CASES),
    *((DIGITS, *case) for case in DIGITS_CASES),
    *((ROMAN, *case) for case in ROMAN_CASES),
    *((LIQUIDS, *case) for case in LIQUIDS_CASES),
    *((NUMBERS, *case) for case in NUMBERS_CASES),
    *((MASSES, *case) for case in MASSES_CASES),
]


@pytest.mark.parametrize(("options", "text", "chosen", "other"), CASES)
def test_the_options_that_the_answer_means_are_chosen(
    options: dict[str, Any], text: str, chosen: str | None, other: str
) -> None:
    """``chosen`` is met and ``other`` is not; where nothing is chosen, ``other`` stays undetermined."""
    rights = {other: UNDETERMINED} if chosen is None else {chosen: MET, other: NOT_MET}
    for expected, right in rights.items():
        check = ChoiceCheck(kind="choice", expected=expected, **options)
        assert verbatim(decide(check, Answer(text)), text).status is right
