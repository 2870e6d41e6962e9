"""What ``benchmarks/formal.py`` puts to the checks, and the bare library call beside each."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

Pair = tuple[dict[str, Any], str]
Bare = Callable[[Sequence[Pair]], object]


@dataclass(frozen=True)
class Row:
    """A kind of check and answer, the bare call beside it, and the ratio that it must keep to."""

    name: str
    kind: str
    against: str
    pairs: Callable[[int], Iterator[Pair]]
    bare: Callable[[], Bare]
    limit: float | None = None


def each(one: Callable[[dict[str, Any], str], object]) -> Bare:
    """The bare call, pair by pair."""
    return lambda pairs: [one(check, answer) for check, answer in pairs]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FIRST = _words("C CC CCC O CO F Cl Br N CN OC(=O) CC(=O) FC(F)(F) CS(=O)(=O) [O-][N+](=O) N#C")
GROUPS = _words("C CC C(C)C O OC F Cl Br N NC C#N C(=O)O C(N)=O C(F)(F)F S(C)(=O)=O C=O CO")
TAILS = ("[C@H](O)C(=O)N", "CC(=O)N", "OCC(=O)N", "S(=O)(=O)N", "[C@@H](C)N", "C(=O)N", "/C=C/C(=O)N")
ENDS = ("C2CCOCC2", "C2CC2", "CC(C)C", "Cc2ccncc2")


def molecules(count: int) -> Iterator[tuple[str, str]]:
    """Distinct molecules of about 20 heavy atoms, each with an isomer."""
    parts = [part for part in product(FIRST, GROUPS, GROUPS, TAILS, ENDS) if part[1] != part[2]]
    for first, one, two, tail, end in random.Random(1).sample(parts, count):
        yield f"{first}c1cc({one})c({two})cc1{tail}{end}", f"{first}c1cc({two})c({one})cc1{tail}{end}"


def structures(count: int) -> Iterator[Pair]:
    """Half of the answers are right and written otherwise; of the others every tenth is an isomer."""
    from rdkit import Chem

    chance = random.Random(2)
    last = ""
    for number, (text, isomer) in enumerate(molecules(count)):
        mol = Chem.MolFromSmiles(isomer if number % 20 == 1 else last if number % 2 else text)
        order = list(range(mol.GetNumAtoms()))
        chance.shuffle(order)
        yield (
            {"kind": "smiles", "expected": text},
            Chem.MolToSmiles(Chem.RenumberAtoms(mol, order), canonical=False),
        )
        last = text


def structures_in_prose(count: int) -> Iterator[Pair]:
    """The same in a sentence."""
    for check, answer in structures(count):
        yield check, f"The aldehyde is reduced first, so the product is `{answer}`."


def rdkit_call() -> Bare:
    """Parse and write both structures."""
    from rdkit import Chem

    def one(check: dict[str, Any], answer: str) -> object:
        text = answer.split("`")[1] if "`" in answer else answer
        return [Chem.MolToSmiles(Chem.MolFromSmiles(each)) for each in (check["expected"], text)]

    return each(one)


def inchis(count: int) -> Iterator[Pair]:
    """InChIs, every second one of another molecule."""
    from rdkit import Chem, RDLogger

    RDLogger.DisableLog("rdApp.*")
    written = [Chem.MolToInchi(Chem.MolFromSmiles(text)) for text, _ in molecules(count)]
    for number, text in enumerate(written):
        yield {"kind": "inchi", "expected": text}, written[number - number % 2]


def inchi_call() -> Bare:
    """Read both and make their keys."""
    from rdkit import Chem

    def one(check: dict[str, Any], answer: str) -> object:
        return [Chem.MolToInchiKey(Chem.MolFromInchi(each)) for each in (check["expected"], answer)]

    return each(one)


def reactions(count: int) -> Iterator[Pair]:
    """Esterifications."""
    for check, answer in structures(count):
        acid, alcohol = "CC(=O)O", check["expected"]
        yield {"kind": "reaction", "expected": f"{acid}.{alcohol}>>CCO"}, f"{acid}.{answer}>>CCO"


def reaction_call() -> Bare:
    """Parse and write every component of both."""
    from rdkit import Chem

    def one(check: dict[str, Any], answer: str) -> object:
        parts = re.split(r"\.|>>", check["expected"]) + re.split(r"\.|>>", answer)
        return [Chem.MolToSmiles(Chem.MolFromSmiles(part)) for part in parts]

    return each(one)


PREFIXES = _words("methyl ethyl propyl fluoro chloro bromo iodo hydroxy amino methoxy ethoxy nitro")
STEMS = _words("octane nonane decane undecane dodecane tridecane tetradecane pentadecane hexadecane")


def names(count: int) -> Iterator[Pair]:
    """Systematic names, every second one of another compound."""
    made = [
        f"{i}-{a}-{j}-{b}{stem}"
        for a, b, stem, i, j in product(PREFIXES, PREFIXES, STEMS, range(2, 6), range(3, 8))
        if a < b and i < j
    ]
    written = random.Random(3).sample(made, count)
    for number, name in enumerate(written):
        yield {"kind": "name", "expected": name}, written[number - number % 2]


def opsin_call() -> Bare:
    """One OPSIN over all names."""
    import py2opsin

    return lambda pairs: py2opsin.py2opsin(
        [name for check, answer in pairs for name in (check["expected"], answer)]
    )


def quantities(count: int) -> Iterator[Pair]:
    """Values in units, half of them right, some in another unit."""
    chance = random.Random(4)
    units = [
        ("kJ/mol", "kJ/mol", 1.0),
        ("kJ/mol", "J/mol", 1e3),
        ("mol/L", "mmol/L", 1e3),
        ("kPa", "bar", 0.01),
    ]
    for number in range(count):
        unit, written, factor = units[number % 4]
        value = round(chance.uniform(1, 900), 2) + number * 1e-3
        said = value if number % 3 else value * 1.2
        yield {"kind": "quantity", "expected": value, "unit": unit}, f"{said * factor:.6g} {written}"


def quantities_in_prose(count: int) -> Iterator[Pair]:
    """The same in a sentence."""
    for check, answer in quantities(count):
        yield check, f"The value that results from the slope is therefore {answer}."


def pint_call() -> Bare:
    """Read the number and its unit and convert it."""
    import pint

    units: Any = pint.UnitRegistry()
    units.Quantity("1 J/mol").to("kJ/mol")

    def one(check: dict[str, Any], answer: str) -> object:
        return units.Quantity(" ".join(answer.rstrip(".").split()[-2:])).to(check["unit"])

    return each(one)


def expressions(count: int) -> Iterator[Pair]:
    """Rearranged polynomials in two symbols."""
    for number in range(1, count + 1):
        expected = f"{number}*a*(b + {number % 7 + 1})/2"
        answer = f"{number}*a*b/2 + {number * (number % 7 + 1 + number % 2)}*a/2"
        yield {"kind": "expression", "expected": expected, "symbols": {"a": [], "b": []}}, answer


def sympy_call() -> Bare:
    """Simplify the difference."""
    import sympy

    names = {name: sympy.Symbol(name) for name in "ab"}

    def one(check: dict[str, Any], answer: str) -> object:
        return sympy.simplify(sympy.sympify(f"({check['expected']}) - ({answer})", locals=names))

    return each(one)


def regex_call(pattern: str) -> Callable[[], Bare]:
    """Search the answer and take what was found."""
    search = re.compile(pattern, re.I).search

    def bare(pairs: Sequence[Pair]) -> object:
        return [
            found and found.group() == check["expected"]
            for check, answer in pairs
            if (found := search(answer))
        ]

    return lambda: bare


SHAPES = (
    "{}", "{}.", " {}", "{}\n", "**{}**", "**{}**.", "\\boxed{{{}}}", "$\\boxed{{{}}}$", "Answer: {}",
    "**Answer:** {}", "Final answer: {}", "**Final answer:** {}", "The answer is {}.", "answer: {}.",
    "The final answer is {}.", "Answer: **{}**", "the answer is {}", "The correct answer is {}",
)  # fmt: skip


def shaped(check: dict[str, Any], values: Sequence[str]) -> Callable[[int], Iterator[Pair]]:
    """Every value in every shape, as often as asked for; spaces at the end make them distinct."""

    def pairs(count: int) -> Iterator[Pair]:
        every = [shape.format(value) for value in values for shape in SHAPES]
        for number in range(count):
            yield check, every[number % len(every)] + " " * (number // len(every))

    return pairs


def formulas(count: int) -> Iterator[Pair]:
    """Formulas with subscripts, every third one right."""
    for number in range(1, count + 1):
        yield (
            {"kind": "formula", "expected": f"C{number}H{2 * number}O2"},
            f"C{number}H{2 * number - number % 3}O2",
        )


def equations(count: int) -> Iterator[Pair]:
    """Combustions, scaled, and every third one unbalanced."""
    for n in range(1, count + 1):
        expected = f"2 C{n}H{2 * n + 2} + {3 * n + 1} O2 -> {2 * n} CO2 + {2 * n + 2} H2O"
        answer = f"C{n}H{2 * n + 2} + {3 * n + 1}/2 O2 -> {n} CO2 + {n + 1 + (n % 3 == 0)} H2O"
        yield {"kind": "equation", "expected": expected}, answer


def orders(count: int) -> Iterator[Pair]:
    """Orders of four compounds."""
    for number in range(count):
        names = [f"A{number}", f"B{number}", f"C{number}", f"D{number}"]
        turned = names if number % 2 else names[::-1]
        yield {"kind": "sequence", "expected": names}, " > ".join(turned)


def sets(count: int) -> Iterator[Pair]:
    """Sets of three numbers."""
    for number in range(count):
        expected = [str(number), str(number + 1), str(number + 5)]
        yield {"kind": "set", "expected": expected, "items": "integer"}, ", ".join(reversed(expected))


ELEMENT = r"[A-Z][a-z]?[0-9]*"
VERDICT = r"\b(?:yes|no|true|false)\b"
COUNT = {"kind": "integer", "expected": 7}
STATEMENT = {"kind": "boolean", "expected": True}
QUESTION = {"kind": "choice", "expected": "B"}
NUMBERS = [str(number) for number in range(400)]
VERDICTS = ["Yes", "No", "True", "False", "yes", "no", "true", "false"]
ROWS = (
    Row("structures", "smiles", "RDKit reads and writes both", structures, rdkit_call, 2.0),
    Row("structures in a sentence", "smiles", "the same", structures_in_prose, rdkit_call),
    Row("InChIs", "inchi", "RDKit reads, keys of both", inchis, inchi_call, 2.0),
    Row("names", "name", "one OPSIN over both", names, opsin_call),
    Row("reactions", "reaction", "RDKit reads and writes all", reactions, reaction_call),
    Row("quantities", "quantity", "pint reads and converts", quantities, pint_call, 3.0),
    Row("quantities in a sentence", "quantity", "the same", quantities_in_prose, pint_call, 3.0),
    Row("expressions", "expression", "sympy simplifies", expressions, sympy_call),
    Row("numbers", "integer", "a regex", shaped(COUNT, NUMBERS), regex_call(r"-?[0-9]+"), 25.0),
    Row("true or false", "boolean", "a regex", shaped(STATEMENT, VERDICTS), regex_call(VERDICT), 25.0),
    Row("options", "choice", "a regex", shaped(QUESTION, "ABCDE"), regex_call(r"\b[A-E]\b"), 25.0),
    Row("formulas", "formula", "a regex", formulas, regex_call(ELEMENT)),
    Row("equations", "equation", "a regex", equations, regex_call(ELEMENT)),
    Row("orders", "sequence", "a regex", orders, regex_call(r"\w+ > \w+")),
    Row("sets", "set", "a regex", sets, regex_call(r"[0-9]+")),
)
