"""What each kind makes of answers, and what the guards refuse: right pairs by hand."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from grader.answer.answer import Answer
from grader.audit.metamorphic.names import REAGENTS
from grader.audit.metamorphic.pair import NotApplicable, Pair
from grader.audit.metamorphic.pairs import pairs_of
from grader.audit.metamorphic.registry import KINDS
from grader.audit.metamorphic.task import PairTask, pairs_of_many
from grader.errors import AuditError
from grader.formal import registry
from grader.formal.structures import names, opsin
from grader.formal.structures.names import structures
from grader.formal.structures.reagents import formulas
from grader.formal.structures.structure import read_structure
from grader.problem.checks import Check, CheckModel
from grader.problem.model import Point

_CHECK: TypeAdapter[CheckModel] = TypeAdapter(Check)


def check(kind: str, expected: object, **options: Any) -> CheckModel:
    return _CHECK.validate_python({"kind": kind, "expected": expected, **options})


def flexible(text: str) -> Point:
    return Point(id="1", points=2, text=text)


def one(kind: str, answer: str, point: Point | CheckModel, seed: int = 0) -> Pair | NotApplicable:
    (made,) = pairs_of(answer, point, [kind], seed)
    assert made.kind == kind
    assert made.law == KINDS[kind].law
    return made


def after(kind: str, answer: str, point: Point | CheckModel, seed: int = 0) -> str:
    made = one(kind, answer, point, seed)
    assert isinstance(made, Pair), made
    assert made.before == answer != made.after
    assert made.span[0] < made.span[1] <= len(answer)
    return made.after


def why(kind: str, answer: str, point: Point | CheckModel) -> str:
    made = one(kind, answer, point)
    assert isinstance(made, NotApplicable), made
    return made.why


HEAT = check("quantity", -57.3, unit="kJ/mol")


# What each kind makes


@pytest.mark.parametrize(
    ("kind", "answer", "point", "expected"),
    [
        ("unit_rescaled", "ΔH = -5.73 kJ", check("quantity", -5.73, unit="kJ"), {"ΔH = -5.73 × 10³ J"}),
        ("unit_rescaled", "It weighs 0.250 g.", check("quantity", 0.25, unit="g"), {
            "It weighs 2.50e2 mg.", "It weighs 250 mg.", "It weighs 2.50 x 10^-4 kg."}),
        ("power_respelled", "K = 1.8e-5", check("quantity", 1.8e-5), {"K = 1.8 x 10^-5", "K = 1.8 × 10⁻⁵"}),
        ("power_respelled", r"$K = 1.8 \times 10^{4}\ \mathrm{s^{-1}}$",
         check("quantity", 1.8e4, unit="1/s"), None),
        ("term_order", "2 H2 + O2 -> 2 H2O", check("equation", "2 H2 + O2 -> 2 H2O"), {"O2 + 2 H2 -> 2 H2O"}),
        ("arrow_reversed", r"\ce{2 H2 + O2 -> 2 H2O}", check("equation", "2 H2 + O2 -> 2 H2O"),
         {r"\ce{2 H2O -> 2 H2 + O2}"}),
        ("coefficient_changed", "N2 + 3 H2 -> 2 NH3", check("equation", "N2 + 3 H2 -> 2 NH3"),
         {"2 N2 + 3 H2 -> 2 NH3", "N2 + 4 H2 -> 2 NH3", "N2 + 3 H2 -> 3 NH3"}),
        ("enthalpy_sign", "ΔH = −57.3 kJ/mol", HEAT, {"ΔH = 57.3 kJ/mol"}),
        ("enthalpy_sign", "The enthalpy is 57.3 kJ/mol.", check("quantity", 57.3, unit="kJ/mol"),
         {"The enthalpy is -57.3 kJ/mol."}),
        ("tenfold", "pH = 3.40", check("quantity", 3.4), {"pH = 34.0", "pH = 0.340"}),
        ("unit_only", "The volume is 25.0 mL.", check("quantity", 25.0, unit="mL"),
         {"The volume is 25.0 L."}),
        ("oxidation_state_changed", "Fe(III)", check("oxidation_state", 3), {"Fe(II)", "Fe(IV)"}),
        ("oxidation_state_changed", "Mn is in the +7 state.", check("oxidation_state", 7),
         {"Mn is in the +6 state.", "Mn is in the +8 state."}),
        ("latex_formula", "It is H2SO4.", check("formula", "H2SO4"), {r"It is $\mathrm{H_{2}SO_{4}}$."}),
        ("latex_symbols", "ΔH = −57.3 kJ mol⁻¹", HEAT, {r"$\Delta H$ = −57.3 kJ mol$^{-1}$"}),
        ("charge_changed", "The ion is Fe^2+.", check("formula", "Fe^2+"),
         {"The ion is Fe^3+.", "The ion is Fe^2-.", "The ion is Fe."}),
        ("name_for_formula", "Use LiAlH4.", flexible("Reagent: LiAlH4"), {"Use lithium aluminium hydride."}),
        ("formula_for_name", "Use potassium permanganate.", flexible("Oxidant: KMnO4"), {"Use KMnO4."}),
        ("steps_swapped", "1. Add HNO3.\n2. Add SOCl2.", flexible("HNO3 first, then SOCl2"),
         {"1. Add SOCl2.\n2. Add HNO3."}),
    ],
)  # fmt: skip
def test_a_kind_makes_what_its_title_says(
    kind: str, answer: str, point: Point | CheckModel, expected: set[str] | None
) -> None:
    made = {after(kind, answer, point, seed) for seed in range(6)}
    if expected is not None:
        assert made <= expected, made
    if isinstance(point, CheckModel):
        awards = {registry.decide(point, Answer(text)).award for text in made}
        assert awards == ({1.0} if KINDS[kind].law == "invariant" else {0.0})


@pytest.mark.parametrize("name", ["(2E)-but-2-enal", "2-chlorobutane", "(R)-lactic acid", "pentan-2-ol"])
def test_names_are_edited_where_opsin_proves_another_compound(name: str) -> None:
    if not names.available():
        pytest.skip("Java is not installed")
    point = flexible(f"Product: {name}")
    pairs = [p for p in pairs_of(f"The product is {name}.", point) if isinstance(p, Pair)]
    assert any(p.law == "sensitive" for p in pairs)
    own = read_structure(str(structures([name])[0].smiles))
    for pair in (p for p in pairs if p.law == "sensitive"):
        text = pair.after.removeprefix("The product is ").removesuffix(".")
        other = structures([text])[0].smiles
        assert other is not None
        assert read_structure(other).text != own.text


@pytest.mark.parametrize(("formula", "name"), REAGENTS.items())
def test_a_reagents_name_and_formula_mean_the_same(formula: str, name: str) -> None:
    from rdkit import Chem

    named = structures([name])[0].smiles
    if named is None and not names.available():
        pytest.skip("Java is not installed")
    assert named is not None
    assert Chem.CanonSmiles(named) == Chem.CanonSmiles(formulas()[formula])


# Guards


@pytest.mark.parametrize(
    ("kind", "answer", "point", "reason"),
    [
        # the law must hold under the check's options
        ("stereocentre_inverted", "`C[C@H](O)F`",
         check("smiles", "C[C@H](O)F", stereo="ignore"), "let the"),
        ("charge_changed", "Fe^2+", check("formula", "Fe^2+", charge="ignore"), "leaves charges aside"),
        ("enthalpy_sign", "ΔH = 57.3 kJ/mol",
         check("quantity", 57.3, unit="kJ/mol", sign="either"), "the sign"),
        ("inchi_for_smiles", "`CCCO`", check("smiles", "CCCO"), "accepts no inchi"),
        # code must decide before
        ("tenfold", "ΔH = -1.0 kJ/mol", HEAT, "doesn't earn the point"),
        ("tenfold", "I don't know.", HEAT, "decides nothing"),
        # the point must depend on the passage
        ("random_smiles", "From `CCC=O` we get `CCCO`.", flexible("Product: `CCCCN`"), "doesn't name it"),
        ("tenfold", "It takes 12.5 s.", flexible("The rate law is first order"), "doesn't name it"),
        ("element_replaced", "AgI precipitates.", flexible("AgI has a far smaller Ksp"), "in passing"),
        ("steps_swapped", "1. Add HNO3.\n2. Add SOCl2.", flexible("Uses HNO3 and SOCl2"), "gives no order"),
        ("steps_swapped", "1. Add HNO3.\n2. Add SOCl2.",
         flexible("SOCl2 first, then HNO3"), "gives no order"),
        ("steps_swapped", "1. Alkene\n2. Ester", check("set", ["alkene", "ester"]), "reads no steps"),
        ("tenfold", "1° < 2°", check("sequence", ["primary", "secondary"]), "reads no quantity"),
        ("charge_changed", "N2 + 3 H2 -> 2 NH3", check("equation", "N2 + 3 H2 -> 2 NH3"), "reads no formula"),
        # one wrong passage must not contradict the rest
        ("enthalpy_sign", "ΔH = -57.3 kJ/mol, exothermic.", HEAT, "in words too"),
        ("tenfold", "ΔH = -57.3 kJ/mol, that is -57300 J/mol.", HEAT, "in other words"),
        ("stereocentre_inverted", "(R)-lactic acid, `C[C@@H](O)C(=O)O`",
         flexible("Product: `C[C@@H](O)C(=O)O`"), "in other words"),
        # what can't be done
        ("kekule_form", "`CCCO`", flexible("Product: `CCCO`"), "isn't aromatic"),
        ("unit_rescaled", "pH = 3.4", check("quantity", 3.4), "no unit"),
        ("arrow_reversed", "N2 + 3 H2 <=> 2 NH3", check("equation", "N2 + 3 H2 <=> 2 NH3"), "no direction"),
        ("name_for_formula", "2 NaOH + H2SO4 -> Na2SO4 + 2 H2O",
         flexible("Base: NaOH"), "part of an equation"),
        ("formula_for_name", "It is methanal.", flexible("Product: methanal"), "no reagent"),
        ("term_order", "A gas forms.", flexible("2 H2 + O2 -> 2 H2O"), "writes no equation"),
    ],
)  # fmt: skip
def test_a_pair_whose_guard_fails_is_dropped_with_the_reason(
    kind: str, answer: str, point: Point | CheckModel, reason: str
) -> None:
    if "name" in kind and not names.available():
        pytest.skip("Java is not installed")
    assert reason in why(kind, answer, point)


def test_a_random_smiles_that_equals_the_answers_is_drawn_again() -> None:
    point = flexible("Product: `CCO`")
    made = {after("random_smiles", "The product is `CCO`.", point, seed) for seed in range(20)}
    assert made == {f"The product is `{one}`." for one in ("OCC", "C(C)O", "C(O)C")}


def test_the_same_structure_elsewhere_is_made_wrong_alike() -> None:
    answer = "First `CCCO`; so the product is `CCCO`."
    made = after("methylene_added", answer, flexible("Product: `CCCO`"))
    one, two = re.findall(r"`(.*?)`", made)
    assert one == two != "CCCO"


def test_a_draft_check_decides_nothing() -> None:
    wrong = {"kind": "quantity", "expected": 1.0, "unit": "s"}
    fields = {"id": "1", "points": 1, "text": "ΔH = -57.3 kJ/mol", "check": wrong}
    point = Point.model_validate({**fields, "draft": True})
    assert isinstance(one("tenfold", "ΔH = -57.3 kJ/mol", point), Pair)
    assert "decides" in why("tenfold", "It is warm.", Point.model_validate(fields))


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(AuditError, match="unknown kind"):
        pairs_of("x", flexible("y"), ["random_smile"])


def test_a_pair_is_frozen() -> None:
    made = one("tenfold", "ΔH = -57.3 kJ/mol", HEAT)
    with pytest.raises(FrozenInstanceError):
        made.kind = "other"  # type: ignore[misc]


def test_without_java_names_are_not_applicable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opsin, "java", lambda: None)
    monkeypatch.setattr(names, "_KNOWN", {})
    from grader.audit.metamorphic import entities

    entities.entities.cache_clear()
    point = flexible("Reagent: LiAlH4")
    assert "Java" in why("name_for_formula", "Use LiAlH4.", point)
    assert "writes no name" in why("smiles_for_name", "It is 2-chlorobutane.", flexible("2-chlorobutane"))
    entities.entities.cache_clear()


# Laws


ANSWERS: tuple[tuple[str, Point | CheckModel], ...] = (
    ("The product is `C[C@H](O)/C=C/c1ccccc1`.", flexible("Product: `C[C@H](O)/C=C/c1ccccc1` (2 points)")),
    ("ΔH = −57.3 kJ/mol", HEAT),
    ("2H₂ + O₂ → 2H₂O", check("equation", "2 H2 + O2 -> 2 H2O")),
    ("1. Add HNO3.\n2. Add SOCl2.", flexible("HNO3 first, then SOCl2")),
)


@given(st.sampled_from(ANSWERS), st.integers(0, 2**40), st.permutations(list(KINDS)))
@settings(max_examples=12)
def test_equal_seeds_make_equal_pairs_whatever_else_is_asked(
    given: tuple[str, Point | CheckModel], seed: int, order: list[str]
) -> None:
    answer, point = given
    some = order[:9]
    made = pairs_of(answer, point, some, seed)
    assert [one.kind for one in made] == some
    assert made == pairs_of(answer, point, some, seed)
    alone = [pairs_of(answer, point, [kind], seed)[0] for kind in some[:3]]
    assert alone == made[:3]


@given(st.text(max_size=80), st.text(max_size=60), st.integers(0, 9))
@settings(max_examples=25)
def test_any_text_is_answered_by_pairs_or_reasons(answer: str, text: str, seed: int) -> None:
    for made in pairs_of(answer, Point(id="1", points=1, text=text), seed=seed):
        assert isinstance(made, Pair) or made.why
        if isinstance(made, Pair):
            assert made.after != made.before == answer


@pytest.mark.slow
def test_many_answers_are_worked_on_in_other_processes_in_their_order() -> None:
    tasks = [
        PairTask(Answer(answer), point, ("tenfold", "random_smiles"), 3, key=number)
        for number, (answer, point) in enumerate(ANSWERS * 2)
    ]
    found = list(pairs_of_many(tasks, workers=1))
    assert [task.key for task, _ in found] == list(range(len(tasks)))
    for task, made in found:
        assert made == pairs_of(task.answer, task.point, task.kinds, task.seed)
