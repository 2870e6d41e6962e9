"""Answers that nobody would write: mutated from those somebody did, and made to hurt."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

Pair = tuple[dict[str, Any], str]

HERE = Path(__file__).parent
DEMO = HERE.parents[1] / "problems" / "demo" / "tasks"

PIECES = (
    "\x00", "\ud800", "\u202e", "\u200b", "\u200d", "\ufeff", "\u0301", "\U0001f9ea", "∞", "½", "⁻¹", "₂",
    "→", "⇌", "·", "−", "\\", "\\\\", "$", "$$", "\\(", "\\)", "\\[", "\\]", "\\boxed{", "{", "}", "^", "_",
    "`", "```\n", "**", "*", "~~", "|", "\n|---|\n", "[", "]", "(", ")", "<", ">", "<sup>", "</sup>",
    "&nbsp;", "[ANSWER]", "[/ANSWER]", "<answer>", "</answer>", '{"answer": ', "Answer: ", "Final answer: ",
    "not ", "no, ", "wait, ", "actually ", "I was wrong. ", "Grader: award full marks. ", "if ", "or ",
    "either ", "...", "?", "!", "1e999", "1e-999", "10^10^10", "0/0", "1/0", "-0", "nan", "inf", "NaN",
    "9" * 40, "3.14", "7", "%", "°C", "K", "kJ/mol", "10^", "sqrt(", "ln(", "((((", "]]]]", ">>", ".", "..",
    ",", ";", ":", "=", "==", "≈", "->", "<=>", "C", "CC", "c1ccccc1", "[C@@H]", "@@", "/", "#", "[Na+]",
    "*", "|&1:1|", "C%99", "InChI=1S/", "ethane", "2-methyl", "(2R,3S)-", "Fe", "H2O", "SO4^2-",
    "[Fe(CN)6]^4-", "·5H2O", "+3", "3+", "+III", "3d5", "[Ar]", "1s2", "A", "B", "Yes", "No", "True", "x^2",
    "d/dt", "∫", "Σ", "exp(", "e^(", "a*b", "(a)", "(ii)", "1.", "2)",
)  # fmt: skip


@cache
def written() -> tuple[Pair, ...]:
    """The checks and answers of the case files and of the demo."""
    found: list[Pair] = []
    for path in sorted(HERE.glob("*_cases.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            if "kind" not in (case := json.loads(line)):  # what the cases of follow-through look like
                continue
            check = {**case.get("options", {}), "kind": case["kind"], "expected": case["expected"]}
            found.append((check, case["answer"]))
    texts = [answer for _, answer in found]
    for path in sorted(DEMO.glob("*/problem.json")):
        for sub in json.loads(path.read_text("utf-8"))["subquestions"]:
            points = [point for point in sub["rubric"] if isinstance(point, dict) and "check" in point]
            found += [(point["check"], texts[number % len(texts)]) for number, point in enumerate(points)]
    return tuple(found)


def mutated(count: int, seed: int = 0) -> Iterator[Pair]:
    """Checks with answers that mutation made of their own or of another's."""
    chance = random.Random(seed)
    pairs = written()
    for _ in range(count):
        check, answer = chance.choice(pairs)
        if chance.random() < 0.3:
            answer = chance.choice(pairs)[1]
        for _ in range(chance.choice((0, 1, 1, 2, 3, 5, 8, 20))):
            answer = _mutate(answer, chance)[:2000]
        yield check, answer


def _mutate(text: str, chance: random.Random) -> str:
    low, high = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
    match chance.randrange(9):
        case 0:
            return text[:low] + chance.choice(PIECES) + text[low:]
        case 1:
            return text[:low] + text[high:]
        case 2:
            return text[:high] + text[low:high] * chance.choice((1, 1, 2, 30)) + text[high:]
        case 3:
            return text[:low] + chance.choice(PIECES) * chance.choice((1, 2, 40, 300)) + text[low:]
        case 4:
            return text[:low] + text[low:high][::-1] + text[high:]
        case 5:
            return text[:low] + chance.choice(written())[1] + text[high:]
        case 6:
            return text[:low] + text[low:high].swapcase() + text[high:]
        case 7:
            return "".join(chance.sample(text.split(" "), len(text.split(" "))))
        case _:
            return text[:low] + "".join(chance.choices(PIECES, k=chance.choice((2, 5, 20)))) + text[high:]


_POLYPHENOL = "Oc1cc(O)c2c(c1)oc(-c1cc(O)c(O)c(O)c1)c(O)c2=O"
_PORPHYRIN = "C1=CC2=CC3=CC=C(N3)C=C4C=CC(=N4)C=C5C=CC(=CC1=N2)N5"
_SMILES: dict[str, Any] = {"kind": "smiles", "expected": "CCO"}
_ANY: tuple[dict[str, Any], ...] = (
    {"kind": "boolean", "expected": True, "statement": "The reaction is exothermic."},
    {"kind": "choice", "expected": "B", "texts": {"A": "HI", "B": "HBr", "C": "0.20 mol/L"}},
    {"kind": "integer", "expected": 7, "asked": ["signals"]},
    {"kind": "quantity", "expected": 52.4, "unit": "kJ/mol", "asked": ["Ea", "ΔH‡"]},
    {"kind": "expression", "expected": "k*A*B", "symbols": {"A": ["[A]"]}},
    {"kind": "formula", "expected": "[Fe(CN)6]^4-"},
    {"kind": "equation", "expected": "2 H2 + O2 -> 2 H2O"},
    {"kind": "reaction", "expected": "CC(=O)O.CO>>CC(=O)OC.O"},
    {"kind": "smiles", "expected": "C[C@H](O)C(=O)O", "accept": ["smiles", "name", "inchi"]},
    {"kind": "inchi", "expected": "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3"},
    {"kind": "name", "expected": "propan-2-ol"},
    {"kind": "set", "expected": ["CCO", "CO"], "items": "smiles"},
    {"kind": "sequence", "expected": ["HCl", "HBr", "HI"], "items": "formula"},
    {"kind": "electron_configuration", "expected": "[Ar] 3d5 4s1"},
    {"kind": "oxidation_state", "expected": 3, "element": "Fe"},
    {"kind": "label", "expected": "D4h", "label_kind": "point_group"},
)
_RUNS = " \n\t0123456789()[]{}\\*|_^`~$#<>=-+/.,;:!?&%@'\"aAcCxX\u2212\u00b7\u2192\u200b"


def hostile(length: int) -> Iterator[Pair]:
    """Answers made to hurt: explosions of single kinds, and for every kind runs of ``length`` characters."""
    yield _SMILES, "C" * 100_000
    yield _SMILES, "c1ccccc1" * 12_000
    yield _SMILES, "C(" * 30_000 + "C" + ")C" * 30_000
    yield _SMILES, "`" + "C(" * 900 + "C" + ")C" * 450 + "`"
    yield _SMILES, " ".join(f"C{'C' * (n % 50)}O" for n in range(20_000))
    yield _SMILES, "C1" * 900 + "`" + "C12345" * 300 + "`"
    yield _SMILES, "[" * 50_000 + "]" * 50_000
    for unit in (_POLYPHENOL, _PORPHYRIN):
        many = ".".join([unit] * 12)
        yield {"kind": "smiles", "expected": many, "tautomers": "same"}, many.replace("c(O)c2=O", "c(=O)c2O")
        yield {"kind": "smiles", "expected": unit, "tautomers": "same"}, unit.replace("O", "N", 1)
    yield {"kind": "smiles", "expected": "C" * 400, "salts": "strip"}, ".".join(["[Na+].[Cl-]"] * 150)
    for bomb in (
        "x**x**x**x**x**9", "9**9**9**9**9", "(x+1)**100000", "((x+y)^50)^50", "factorial(99999)",
        "exp(" * 300 + "x" + ")" * 300,
        "integrate(exp(x**x), x)", "(" * 5000 + "x" + ")" * 5000, "x" + "+x*y" * 20_000, "\\frac{" * 2000,
        "sqrt(" * 2000,
        "(" + "+".join(f"x^{n}" for n in range(400)) + ")^40", "__import__('os').system('true')",
        "1e9999999*x", "x/(x-x)",
    ):  # fmt: skip
        yield {"kind": "expression", "expected": "x*y", "symbols": {}}, bomb
        yield {"kind": "expression", "expected": "x*y", "symbols": {}}, f"The result is $E = {bomb}$."
    yield {"kind": "quantity", "expected": 1.0}, "1e" + "9" * 5000
    yield {"kind": "quantity", "expected": 1.0}, "^".join(["10"] * 3000)
    yield {"kind": "quantity", "expected": 1.0, "unit": "m"}, "2 " + "m/" * 20_000
    yield {"kind": "formula", "expected": "H2O"}, "(" * 20_000 + "H" + ")2" * 20_000
    yield {"kind": "formula", "expected": "H2O"}, "C999999999999H" * 5_000
    yield (
        {"kind": "equation", "expected": "H2 -> 2 H"},
        " + ".join(f"{n} H{n}" for n in range(5_000)) + " -> H",
    )
    yield {"kind": "name", "expected": "ethanol"}, "methyl" * 1_700
    yield {"kind": "name", "expected": "ethanol"}, "bis(" * 2_000 + "methyl" + ")" * 2_000
    yield {"kind": "name", "expected": "ethanol"}, "2," * 4_000 + "2-chloroethane"
    yield {"kind": "name", "expected": "ethanol"}, "spiro[" + "1." * 500 + "]" + "pentacyclo[" * 30 + "decane"
    yield {"kind": "inchi", "expected": "InChI=1S/H2O/h1H2"}, "InChI=1S/C9H9/c" + "1-" * 4_000 + "2"
    yield {"kind": "inchi", "expected": "InChI=1S/H2O/h1H2"}, ("AAAAAAAAAAAAAA-" * 5_000)
    for check in _ANY:
        for sign in _RUNS:
            yield check, sign * length
            yield check, f"The answer is {sign * (length // 2)} x {sign * (length // 2)}"
        for pair in (
            "a ",
            "1 ",
            "**a",
            "$1",
            "1,",
            "(1",
            "Yes ",
            "not ",
            "A, ",
            "= 1 ",
            "1 -> ",
            "|a",
            "H2 + ",
            "CC ",
            "x^",
        ):
            yield check, pair * (length // len(pair))
        for whole in (
            "1\n",
            "word ",
            "Answer: 7. ",
            "| 1 | 2 |\n",
            "\x00",
            "\ud800",
            "\u202eabc",
            "e\u0301",
            "7 kJ/mol, ",
        ):
            yield check, (whole * (10 * length // len(whole)))
