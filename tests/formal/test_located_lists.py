"""Terms, lists and orders in quoted passages are decided no further than the answer as a whole says."""

from __future__ import annotations

import pytest

from grader.answer.answer import Answer
from grader.formal.located import decide_located
from grader.problem.checks import CheckModel, LabelCheck, SequenceCheck, SetCheck
from grader.record import Status

GROUP = LabelCheck(kind="label", label_kind="point_group", expected="D3h")
OXYGEN = LabelCheck(kind="label", label_kind="magnetism", expected="paramagnetic", subject="O2")
IONS = SetCheck(kind="set", items="formula", expected=("Na^+", "Cl^-"))
ACIDS = SequenceCheck(
    kind="sequence", items="formula", expected=("HF", "HCl", "HBr", "HI"), order="increasing acidity"
)


@pytest.mark.parametrize(
    ("check", "text", "quote", "status"),
    [
        (
            GROUP,
            "BF3 is planar. Its point group is D3h. NH3 has another one.",
            "point group is D3h",
            Status.MET,
        ),
        (GROUP, "BF3 is planar. Its point group is D3d.", "point group is D3d", Status.NOT_MET),
        (GROUP, "Its point group is not D3h.", "D3h", Status.UNDETERMINED),
        (GROUP, "It may be D3h.", "D3h", Status.UNDETERMINED),
        (OXYGEN, "N2 is paramagnetic.", "paramagnetic", Status.UNDETERMINED),
        (OXYGEN, "O2 is paramagnetic.", "O2 is paramagnetic", Status.MET),
        (IONS, "The ions are Cl- and Na+. Then silver is added.", "Cl- and Na+", Status.MET),
        (IONS, "The ions are Cl- and K+.", "The ions are Cl- and K+", Status.NOT_MET),
        (ACIDS, "Acidity: HF < HCl < HBr < HI.", "HF < HCl < HBr < HI", Status.MET),
        (ACIDS, "Bond strength: HF < HCl < HBr < HI.", "HF < HCl < HBr < HI", Status.UNDETERMINED),
        (ACIDS, "Acidity: HI < HCl < HBr < HF.", "HI < HCl < HBr < HF", Status.NOT_MET),
    ],
)
def test_a_quoted_passage_is_bound_by_its_answer(check: CheckModel, text: str, quote: str, status: Status):
    start = text.index(quote)
    found = decide_located(check, Answer(text), start, start + len(quote))
    assert found.status is status, found
    assert found.evidence is None or text[found.evidence.start : found.evidence.end] == found.evidence.quote
