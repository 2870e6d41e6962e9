"""Statements said again in words: affirmed, denied, called by their opposite, or of something else."""

from __future__ import annotations

import pytest

from grader.answer.answer import Answer
from grader.formal.boolean import decide
from grader.problem.checks import BooleanCheck
from grader.record import Status
from tests.formal.verbatim import verbatim

MET, NOT_MET, UNDETERMINED = Status.MET, Status.NOT_MET, Status.UNDETERMINED
OPPOSITE = {MET: NOT_MET, NOT_MET: MET, UNDETERMINED: UNDETERMINED}

STATEMENTS = {
    "pyridine is more basic than pyrrole": [
        ("Pyridine is more basic than pyrrole because its lone pair is not part of the π system.", MET),
        ("Pyridine is less basic than pyrrole.", NOT_MET),
        ("Pyrrole is more basic than pyridine.", NOT_MET),
        ("Pyridine is not more basic than pyrrole.", NOT_MET),
        ("Pyridine is basic.", UNDETERMINED),
        ("Pyridine is more basic than aniline.", UNDETERMINED),
        ("If pyridine is more basic than pyrrole, its pKaH is higher.", UNDETERMINED),
        ("Is pyridine more basic than pyrrole?", UNDETERMINED),
    ],
    "HF has a higher boiling point than HCl": [
        ("HF has a higher boiling point than HCl because of hydrogen bonding.", MET),
        ("HF has a lower boiling point than HCl, since it is lighter.", NOT_MET),
        ("HCl has a higher boiling point than HF.", NOT_MET),
        ("HF does not have a higher boiling point than HCl.", NOT_MET),
        ("HF has a higher boiling point than HBr.", UNDETERMINED),
    ],
    "a catalyst shifts the equilibrium": [
        ("A catalyst does not shift the equilibrium.", NOT_MET),
        ("A catalyst shifts the equilibrium.", MET),
        ("A catalyst shifts the equilibrium only if it is consumed.", UNDETERMINED),
        ("It is not true that a catalyst shifts the equilibrium.", NOT_MET),
        ("It is a common misconception that a catalyst shifts the equilibrium.", NOT_MET),
        ("Some people believe that a catalyst shifts the equilibrium.", UNDETERMINED),
    ],
    "the dissolution of NH4NO3 in water is exothermic": [
        ("The dissolution of NH4NO3 in water is endothermic.", NOT_MET),
        ("The dissolution of NH4NO3 in water is exothermic.", MET),
        ("The dissolution of NaOH in water is exothermic.", UNDETERMINED),
        ("The solution cools down. The dissolution of NH4NO3 in water is therefore not exothermic.", NOT_MET),
    ],
    "CO2 is a polar molecule": [
        ("CO2 is a nonpolar molecule, as the dipoles cancel.", NOT_MET),
        ("CO2 is not a polar molecule.", NOT_MET),
        ("Each C=O bond is polar, but CO2 is linear, so it is nonpolar.", NOT_MET),
        ("Each C=O bond is polar.", UNDETERMINED),
    ],
    "cyclopentadienyl anion is aromatic": [
        ("Unlike cyclopentadienyl anion, cyclopentadiene is not aromatic.", UNDETERMINED),
        ("Cyclopentadiene is not aromatic.", UNDETERMINED),
        ("The cyclopentadienyl anion is aromatic: 6 π electrons.", MET),
        ("Not aromatic.", NOT_MET),
        ("Aromatic, as it has 6 π electrons.", MET),
        ("No, cyclopentadienyl anion is aromatic.", UNDETERMINED),
        ("The salt of cyclopentadienyl anion is aromatic.", UNDETERMINED),
        ("Could cyclopentadienyl anion be aromatic? It has 6 electrons.", UNDETERMINED),
    ],
    "the reaction is spontaneous at 298 K": [
        ("At 500 K, the reaction is spontaneous.", UNDETERMINED),
        ("ΔG < 0 at 500 K, so the reaction is spontaneous.", UNDETERMINED),
        ("At 298 K, the reaction is spontaneous.", MET),
        ("At 298 K the reaction is not spontaneous.", NOT_MET),
        ("ΔG = -3 kJ/mol at 298 K, so the reaction is spontaneous.", MET),
        ("The reaction is spontaneous only above 500 K.", UNDETERMINED),
        ("The reverse reaction is spontaneous at 298 K.", UNDETERMINED),
        ("It would be spontaneous at 298 K if ΔS were positive.", UNDETERMINED),
        ("The reaction is nonspontaneous at 298 K.", NOT_MET),
        ("The reaction might be spontaneous at 298 K.", UNDETERMINED),
        ("The reaction is spontaneous. Wait, I used °C. The reaction is not spontaneous.", NOT_MET),
        (
            "ΔG = ΔH - TΔS = -33 kJ/mol\n\nSince ΔG < 0, the reaction is spontaneous at 298 K."
            "\n\n**Answer: True**",
            MET,
        ),
        ("ΔG > 0\n\n**Conclusion:** The reaction is not spontaneous at 298 K.", NOT_MET),
        ("**Answer:** The reaction is spontaneous at 298 K.", MET),
        ("$\\boxed{\\text{The reaction is spontaneous at 298 K}}$", MET),
        ("The reaction is spontaneous at 298 K if the pressure is low.", UNDETERMINED),
        ("Whether the reaction is spontaneous at 298 K depends on ΔS.", UNDETERMINED),
        ("To decide if the reaction is spontaneous at 298 K, we calculate ΔG.", UNDETERMINED),
        ("We need to know whether the reaction is spontaneous at 298 K. ΔG = +3 kJ/mol.", UNDETERMINED),
        ("Claim: the reaction is spontaneous at 298 K.", UNDETERMINED),
        ("Claim: the reaction is spontaneous at 298 K.\n\nThe claim is false because ΔG > 0.", NOT_MET),
        ("Statement: \"The reaction is spontaneous at 298 K.\"\n\nFalse.", NOT_MET),
        ("The question asks whether the reaction is spontaneous at 298 K. It is not.", NOT_MET),
        ("The reaction is endergonic, so no.", NOT_MET),
        ("The reaction is exothermic and thus often spontaneous.", UNDETERMINED),
        ("It isn't spontaneous at 298 K.", NOT_MET),
        ("Nobody knows if it is spontaneous.", UNDETERMINED),
        ("Assume the reaction is spontaneous at 298 K. Then ΔG < 0.", UNDETERMINED),
        ("Suppose it is true. Then ΔG < 0.", UNDETERMINED),
    ],
    "the complex is not paramagnetic": [
        ("The complex is diamagnetic.", MET),
        ("The complex is paramagnetic.", NOT_MET),
        ("The complex is not paramagnetic.", MET),
        ("True.", MET),
    ],
    "benzene is aromatic": [
        ("Benzene is not only planar, it is aromatic.", MET),
        ("Toluene is aromatic. It is less reactive than phenol.", UNDETERMINED),
        ("Benzene resembles thiophene. Thiophene is aromatic.", UNDETERMINED),
        ("Benzene is compared with cyclohexane. Cyclohexane is not aromatic.", UNDETERMINED),
        ("Cyclohexane is not aromatic, unlike benzene.", UNDETERMINED),
        ("Benzene is indeed aromatic.", MET),
        ("Benzene is by no means aromatic.", NOT_MET),
        ("Benzene is clearly aromatic, so yes.", MET),
        ("One might think that benzene is not aromatic, but benzene is aromatic.", MET),
        ("I am not sure that benzene is aromatic.", UNDETERMINED),
        ("I don't know whether benzene is aromatic.", UNDETERMINED),
        ("Perhaps benzene is aromatic.", UNDETERMINED),
        ("No one disputes the question of benzene.", UNDETERMINED),
        ("Hence benzene is aromatic.", MET),
        ("Hydrogenated benzene is not aromatic.", UNDETERMINED),
        ("Benzene is aromatic. Benzene is not aromatic.", UNDETERMINED),
        ("Benzene is not aromatic. Correction: benzene is aromatic.", MET),
        ("Some claim that benzene is antiaromatic, but benzene is aromatic.", MET),
        ("Benzene would be antiaromatic with 8 electrons.", UNDETERMINED),
        ("The statement that benzene is aromatic is wrong.", NOT_MET),
        ("The statement that benzene is not aromatic is wrong.", UNDETERMINED),
        ("That benzene is aromatic is true.", MET),
    ],
    "the entropy of the system increases": [
        ("The entropy of the system does not increase.", NOT_MET),
        ("The entropy of the system increases because gas is formed.", MET),
        ("ΔS > 0, so the entropy of the system increases.", MET),
        ("The entropy of the surroundings increases.", UNDETERMINED),
        ("The entropy of the system increases in the first step and decreases in the second.", UNDETERMINED),
    ],
    "SN2 reactions are stereospecific": [
        ("SN2 reactions are stereospecific: inversion takes place.", MET),
        ("SN2 reactions are not stereospecific.", NOT_MET),
        ("SN1 reactions are not stereospecific.", UNDETERMINED),
    ],
    "the pH of the solution is greater than 7": [
        ("The pH of the solution is less than 7.", NOT_MET),
        ("The pH of the solution is greater than 7.", MET),
        ("The pH of the solution is not greater than 7.", NOT_MET),
        ("The pH of the solution is 7.", UNDETERMINED),
    ],
    "water is a stronger acid than methane": [
        ("Methane is a weaker acid than water.", MET),
        ("Water is a weaker acid than methane.", NOT_MET),
        ("Methane is a stronger acid than water.", NOT_MET),
        ("Water is a stronger acid than methane.", MET),
    ],
    "the compound is chiral": [
        ("The compound has a mirror plane and is therefore achiral.", NOT_MET),
        ("The molecule is achiral.", NOT_MET),
        ("It has four different substituents; hence it is chiral.", MET),
        ("C2 is chiral.", UNDETERMINED),
        ("The starting material is chiral.", UNDETERMINED),
        ("Its enantiomer is chiral.", UNDETERMINED),
        ("The compound is not achiral, so the statement is true.", MET),
        ("Achiral! There is an inversion centre.", NOT_MET),
        ("The compound is meso, i.e. achiral. False.", NOT_MET),
        ("The compound isn't necessarily chiral.", UNDETERMINED),
        ("The compound is possibly chiral.", UNDETERMINED),
        ("Chiral", MET),
        ("Chiral or achiral? It depends.", UNDETERMINED),
        ("Chiral compounds rotate light.", UNDETERMINED),
        ("I'm confident that the compound is chiral.", MET),
        ("I doubt that the compound is chiral.", UNDETERMINED),
        ("It is hard to say that the compound is chiral.", UNDETERMINED),
    ],
    "AgCl is soluble in water": [
        ("AgCl is insoluble in water (Ksp = 1.8e-10).", NOT_MET),
        ("AgCl is not soluble in water.", NOT_MET),
        ("AgCl is soluble in ammonia.", UNDETERMINED),
        ("AgCl is sparingly soluble in water.", UNDETERMINED),
        ("AgNO3 is soluble in water.", UNDETERMINED),
        ("AgCl is insoluble in hexane.", UNDETERMINED),
        ("AgCl is soluble in ammonia, but AgCl is not soluble in water.", NOT_MET),
    ],
    "the rate of an SN1 reaction depends on the nucleophile": [
        ("The rate of an SN1 reaction does not depend on the nucleophile.", NOT_MET),
        ("The rate of an SN1 reaction depends on the nucleophile.", MET),
        ("The rate of an SN2 reaction depends on the nucleophile.", UNDETERMINED),
        ("The rate of an SN1 reaction depends on the leaving group.", UNDETERMINED),
    ],
    "NaCl conducts electricity in the solid state": [
        ("NaCl does not conduct electricity in the solid state.", NOT_MET),
        ("NaCl conducts electricity in the molten state.", UNDETERMINED),
        ("NaCl conducts electricity.", UNDETERMINED),
    ],
    "all Lewis acids are Brønsted acids": [
        ("Not all Lewis acids are Brønsted acids, e.g. BF3; the statement is false.", NOT_MET),
        ("All Brønsted acids are Lewis acids.", UNDETERMINED),
        ("False: BF3 has no proton.", NOT_MET),
    ],
}  # fmt: skip
CASES = [(statement, *case) for statement, cases in STATEMENTS.items() for case in cases]


@pytest.mark.parametrize(("statement", "text", "right"), CASES)
def test_only_the_statement_itself_affirmed_or_denied_decides(
    statement: str, text: str, right: Status
) -> None:
    for expected, status in ((True, right), (False, OPPOSITE[right])):
        check = BooleanCheck(kind="boolean", expected=expected, statement=statement)
        assert verbatim(decide(check, Answer(text)), text).status is status
