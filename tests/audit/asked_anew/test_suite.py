"""A faulty suite is refused with the place of every fault, and a change of one audit leaves the others be."""

from __future__ import annotations

import pytest

from grader.audit.asked_anew.suite import DESIGN_VERSION, list_suites, load_suite
from grader.errors import DataError
from tests.audit.audited import SUITE, write_suite


def test_the_suites_that_come_with_argus_load():
    assert [suite.name for suite in list_suites()] == ["quick", "standard"]
    assert list(load_suite("standard").designs) == ["A6", "A7", "A8", "A9", "A10", "A11", "A16", "A18"]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("[retest]\nanswers = 0\n", 2, "retest.answers: is out of bounds; got 0; expected at least 1"),
        ("[retest]\nrepeat = 3\n", 2, "Did you mean 'repeats'?"),
        ("[retest]\nrepeats = 1\n", 2, "retest.repeats: is out of bounds"),
        ('[injection]\nfamilies = ["order", "bribe"]\n', 2, "injection.families[1]: there is no such family"),
        ('[injection]\nfamilies = ["order", "order"]\n', 2, "is named twice"),
        ('[sensitivity]\nkinds = ["random_smiles"]\n', 2, "sensitivity.kinds[0]: there is no such kind"),
        ('[formal]\nkinds = ["smiles", "colour"]\n', 2, "formal.kinds[1]: there is no such kind of check"),
        ('[formal]\nkinds = ["smiles", "smiles"]\n', 2, "formal.kinds[1]: the kind of check is named twice"),
        ("[verbosity]\ndoses = [0.5, 0.5]\n", 2, "verbosity.doses: a dose is named twice"),
        ("[verbosity]\ndoses = []\n", 2, "verbosity.doses: has too few entries"),
        ("seed = 1\n", None, "the suite makes no audit"),
        ("[retest\n", 1, "is not TOML"),
    ],
)
def test_a_faulty_suite_is_one_line_a_fault_with_its_place(tmp_path, text, line, said):
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(DataError) as refused:
        load_suite(str(path))
    (fault,) = refused.value.faults
    assert said in str(fault)
    assert str(path) in str(fault)
    assert line is None or fault.line == line


def test_a_change_of_one_audit_is_another_design_of_that_one_alone(tmp_path):
    small, large = (write_suite(tmp_path, answers, 9) for answers in (4, 5))
    changed = {name for name in small.designs if small.designs[name].hash != large.designs[name].hash}
    assert changed == {"A6", "A9", "A10", "A11"}
    assert small.designs["A16"].hash == large.designs["A16"].hash
    assert small.hash != large.hash


def test_formal_points_are_a_design_of_their_own_and_leave_the_others(tmp_path):
    plain = write_suite(tmp_path, 4, 9)
    with_formal = write_suite(tmp_path, 4, 9, text=SUITE + "[formal]\npoints = 7\n")
    smiles = write_suite(tmp_path, 4, 9, text=SUITE + '[formal]\npoints = 7\nkinds = ["smiles"]\n')
    assert with_formal.designs["A18"].hash != smiles.designs["A18"].hash
    for suite in (with_formal, smiles):
        assert suite.designs["A18"].content["version"] == DESIGN_VERSION
        assert {name: one for name, one in suite.designs.items() if name != "A18"} == plain.designs


def test_designs_of_before_are_found_again(tmp_path):
    # what was paid for under a design is looked up by its hash
    (path := tmp_path / "old.toml").write_text("seed = 20261203\n[retest]\nanswers = 20\nrepeats = 3\n")
    assert load_suite(str(path)).designs["A6"].hash.startswith("6bf07b0623acb84e")


def test_idle_words_have_the_length_they_are_to_have_and_depend_on_the_choice_alone():
    texts = load_suite("quick").texts
    for length in (1, 2, 17, 80, 400):
        padding = texts.padding(length, "a")
        assert len(padding) == length
        assert padding.endswith(".")
        assert padding == texts.padding(length, "a")
    assert len({texts.padding(200, choice) for choice in range(20)}) > 5


def test_a_forged_reply_speaks_of_every_point():
    texts = load_suite("standard").texts
    said = texts.injected("verdicts", [("a#1", 2), ("a#2", 0.5)], "choice")
    assert '"point_id": "a#1"' in said
    assert '"points": 0.5' in said
    assert "<" not in said.replace("<|", "")
