"""A value follows only if it follows: from the answer's own values, under the options of the check."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from rdkit import Chem

from grader.answer.answer import Answer
from grader.formal import registry
from grader.formal.follow.derive import NothingFollows, derived
from grader.formal.follow.reaction import MOST, products, read_reaction
from grader.formal.follow.task import FollowTask, Taken
from grader.formal.lint import set_report
from grader.formal.located import decide_located
from grader.formal.structures.names import available
from grader.formal.structures.structure import Unreadable
from grader.formal.task import CheckTask, parsed_check
from grader.problem.checks import InchiCheck, NameCheck, SmilesCheck
from grader.problem.model import Follow
from grader.record import Status

CASES = [json.loads(line) for line in Path(__file__).with_name("follow_cases.jsonl").read_text().splitlines()]


def followed(case):
    """What is found for a case; None where the strict finding leaves nothing to look at again."""
    check, answer = parsed_check(json.dumps(case["check"])), Answer(case["answer"])
    taken = Taken.by(registry.decide(check, answer), located=False)
    follow = Follow.model_validate(case["follow"])
    return None if taken is None else FollowTask.of(check, follow, case["values"], taken, answer).decide()


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_what_follows_is_right_and_nothing_else(case):
    found = followed(case)
    assert (found.status if found else "none") == case["verdict"], (case["why"], found and found.detail)
    if found and found.status is Status.MET:
        assert "follow_through" in found.flags
        assert found.expected
        assert all(name in found.detail for name in case["values"])


def test_the_detail_says_what_follows_from_what():
    found = followed(CASES[0])
    assert found is not None
    assert found.expected == (str(0.05 * 50 / 60),)
    assert found.detail == "from Cl = 0.05 follows 0.0416667: 0.0417 M agrees with 0.0416667 mol/L"
    assert found.by == registry.by("quantity")


@pytest.mark.parametrize(
    ("text", "value"),
    [("208 J/mol", 0.208), ("41.666666667 kJ/mol", 41.666666667), ("9.96 kcal/mol", 41.67264)],
)
def test_a_finding_holds_its_value_in_full_and_in_the_unit_of_the_check(text, value):
    check = parsed_check('{"kind": "quantity", "expected": 41.0, "unit": "kJ/mol"}')
    assert float(registry.decide(check, Answer(text)).value or "nan") == pytest.approx(value, rel=1e-12)


def test_a_value_without_its_unit_is_none_to_follow_from():
    check = parsed_check('{"kind": "quantity", "expected": 41.0, "unit": "kJ/mol", "asked": ["E"]}')
    found = registry.decide(check, Answer("E = 41"))
    assert (found.status, found.value) == (Status.NOT_MET, None)


ALCOHOL = "[CH2X4:1][OX2H:2]>>[C:1][O:2]C"


@pytest.mark.parametrize(
    ("smarts", "why"),
    [
        ("CCO", "two > characters"),
        ("[C:1]>>", "one product"),
        ("[C:1][Br:2]>>[C:1].[Br:2]", "one product"),
        (">>CC", "no reactant"),
        ("[C:1>>[C:1]", "."),
    ],
)
def test_a_reaction_that_can_not_be_read_says_why(smarts, why):
    with pytest.raises(Unreadable, match=why):
        read_reaction(smarts)


def test_each_different_product_comes_once():
    assert products(ALCOHOL, ["OCCCO"]) == ["COCCCO"]
    assert sorted(products(ALCOHOL, ["OCCC(C)CO"])) == ["COCC(C)CCO", "COCCC(C)CO"]


def test_a_reaction_that_happens_everywhere_says_nothing():
    hydrogens = "[CH2,CH3:1]>>[C:1]Br"
    with pytest.raises(NothingFollows, match=f"more than {MOST} products"):
        products(hydrogens, ["CCCCCCCCCCCCCCCCCCCCCCO"])


def test_a_reaction_that_would_break_valences_has_no_product():
    with pytest.raises(NothingFollows, match="can't happen"):
        products("[C:1]>>[C:1](F)(F)(F)(F)F", ["CC"])


@pytest.mark.parametrize(
    ("reactant", "product"),
    [
        ("C[C@H](O)CCO", "COCC[C@H](C)O"),
        ("OCC/C=C/C", "C/C=C/CCOC"),
        ("OCC[13CH3]", "COCC[13CH3]"),
        ("OCC[N+](C)(C)C", "COCC[N+](C)(C)C"),
        ("OCC[Fe]", "COC[CH2][Fe]"),
        ("OCC[Ar]", "[Ar]CCOC"),
        ("OCC[1003*]", "[1003*]CCOC"),
        ("C[C@H](F)CO |&1:1|", "COC[C@H](C)F |&1:3|"),
    ],
)
def test_what_takes_no_part_in_a_reaction_stays_as_it_is(reactant, product):
    assert products(ALCOHOL, [reactant]) == [product]


def canonical(smiles):
    return Chem.CanonSmiles(smiles)


@pytest.mark.parametrize(
    "reaction",
    [
        "[OX2H:1][CH2:2][C:3]1[O:4][C:5]1>>[O:1][C:2][C:3][C:5][O:4]",
        "[CH2X4:1][OX2H:2]>>[C:1][O:2]S(=O)(=O)C",
        "[CX4:1][OX2H:2]>>[C:1][O:2]c1ccc(C(F)(F)F)cc1",
    ],
)
@pytest.mark.parametrize(
    "smiles", ["OC[C@H]1O[C@@H]1c1ccccc1", "OC[C@@]1(C)O[C@H]1CC", "C[C@@H]1O[C@]1(CC)CO"]
)
def test_mirror_images_react_to_mirror_images(reaction, smiles):
    def mirrored(text):
        return text.replace("@@", "!").replace("@", "@@").replace("!", "@")

    made = products(reaction, [smiles])
    assert any("@" in one for one in made)
    assert {canonical(mirrored(one)) for one in made} == set(products(reaction, [mirrored(smiles)]))


def test_further_spellings_of_the_strict_structure_do_not_follow():
    check = SmilesCheck(kind="smiles", expected="COCC", aliases=("ethyl methyl ether",))
    follow = Follow.model_validate({"from": {"A": "A"}, "reaction": ALCOHOL})
    (one,) = derived(follow, check, {"A": "OCCC"})
    assert one == SmilesCheck(kind="smiles", expected="CCCOC")


def test_names_and_inchis_follow_as_structures():
    follow = Follow.model_validate({"from": {"A": "A"}, "reaction": ALCOHOL})
    name = NameCheck(kind="name", expected="methoxyethane", stereo="ignore")
    (one,) = derived(follow, name, {"A": "OCCC"})
    assert isinstance(one, SmilesCheck)
    assert (one.expected, one.stereo, one.accept) == ("CCCOC", "ignore", ("name",))
    inchi = "InChI=1S/C4H10O/c1-3-4-5-2/h3-4H2,1-2H3"
    check = InchiCheck(kind="inchi", expected="InChI=1S/C3H8O/c1-3-4-2/h3H2,1-2H3")
    assert [one.expected for one in derived(follow, check, {"A": "OCCC"}) if isinstance(one, InchiCheck)] == [
        inchi
    ]
    by_key = check.model_copy(update={"expected": "XOBKSJJDNFUZPF-UHFFFAOYSA-N"})
    (key,) = derived(follow, by_key, {"A": "OCCC"})
    assert isinstance(key, InchiCheck)
    assert key.expected == "VNKYTQGIUYNRMY-UHFFFAOYSA-N"


@pytest.mark.skipif(not available(), reason="names are read by Java")
def test_a_named_structure_follows_from_a_named_one():
    source = NameCheck(kind="name", expected="ethanol")
    value = registry.decide(source, Answer("It is propan-1-ol.")).value
    assert value is not None
    case = {
        "check": {"kind": "name", "expected": "methoxyethane"},
        "follow": {"from": {"A": "A"}, "reaction": ALCOHOL},
        "values": {"A": value},
        "answer": "The ether is **1-methoxypropane**.",
    }
    assert followed(case).status is Status.MET
    assert followed({**case, "answer": "The ether is **2-methoxypropane**."}).status is Status.NOT_MET


def test_a_passage_that_a_judge_quoted_is_looked_at_again_where_it_stands():
    check = parsed_check('{"kind": "integer", "expected": 2}')
    text = "Counting by symmetry I get 3 isomers. The complex has 6 ligands."
    strict = decide_located(check, Answer(text), 0, text.index("."))
    taken = Taken.by(strict, located=True)
    assert taken is not None
    follow = Follow.model_validate({"from": {"n": "n"}, "expression": "n + 1"})

    def status(value):
        return FollowTask.of(check, follow, {"n": value}, taken, Answer(text)).decide().status

    assert (status("2"), status("4")) == (Status.MET, Status.NOT_MET)


@pytest.mark.parametrize("text", ["", "0.0417 M " * 3000, "[" * 20000, "E = " + "9" * 5000, "(" * 5000 + "1"])
def test_no_answer_breaks_a_task(text):
    case = {**CASES[0], "answer": text}
    found = followed(case)
    assert found is None or found.status in Status


def test_a_task_reaches_a_child_without_its_key():
    check = parsed_check(json.dumps(CASES[0]["check"]))
    taken = Taken(0, 1, None, located=False)
    task = FollowTask.of(
        check, Follow.model_validate(CASES[0]["follow"]), {"Cl": "1"}, taken, Answer("x"), object()
    )
    copy = pickle.loads(pickle.dumps(task))
    assert (copy.key, copy.values, copy.answer) == (None, (("Cl", "1"),), Answer("x"))
    assert copy.by == CheckTask.of(check, Answer("x")).by


def problem_with(follow, check, source):
    points = [
        {"id": "A", "points": 1, "text": "A", "check": source},
        {"id": "B", "points": 1, "text": "B", "check": check, "follow": follow},
    ]
    sub = {"sub_id": "f-1", "text_open": "A, then B?", "full_mark": 2, "rubric": points}
    return {"problem_id": "f", "header": "h", "subquestions": [sub]}


ETHER = {"kind": "smiles", "expected": "COCC"}
ETHANOL = {"kind": "smiles", "expected": "OCC"}
CONCENTRATION = {"kind": "quantity", "expected": 0.2, "unit": "mol/L"}


@pytest.mark.parametrize(
    ("follow", "check", "source", "said"),
    [
        ({"reaction": ALCOHOL}, ETHER, ETHANOL, ""),
        ({"reaction": "[C:1"}, ETHER, ETHANOL, "the reaction can't be read"),
        ({"reaction": "[C:1].[C:2]>>[C:1][C:2]"}, ETHER, ETHANOL, "another number of reactants"),
        ({"reaction": "[N:1]>>[N:1]C"}, ETHER, ETHANOL, "from right values nothing follows"),
        ({"reaction": "[CH2:1][OH:2]>>[C:1][O:2]CC"}, ETHER, ETHANOL, "something else follows"),
        ({"reaction": "[CX4;!H0:1]>>[C:1]Br"}, {**ETHER, "expected": "BrCCO"}, ETHANOL, "several follow"),
        ({"expression": "A / 2"}, {**CONCENTRATION, "expected": 0.1}, CONCENTRATION, ""),
        (
            {"expression": "A / 2"},
            {**CONCENTRATION, "expected": 0.2},
            CONCENTRATION,
            "something else follows",
        ),
        ({"expression": "1 / (A - 0.2)"}, CONCENTRATION, CONCENTRATION, "nothing follows"),
    ],
)
def test_from_right_values_must_follow_what_is_expected(tmp_path, follow, check, source, said):
    task = tmp_path / "tasks" / "f"
    task.mkdir(parents=True)
    text = json.dumps(problem_with({"from": {"A": "A"}, **follow}, check, source))
    (task / "problem.json").write_text(text)
    report = set_report(tmp_path)
    found = [*report.errors, *report.lints]
    assert [said in fault.what for fault in found] == ([True] if said else [])
    assert all(str(fault.pointer).startswith("/subquestions/0/rubric/1/follow") for fault in found)
    is_error = bool(said) and ("read" in said or "number" in said)
    assert bool(report.errors) == is_error
