"""The variants of a check's expected value, whatever its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NamedTuple, cast

from grader.formal.variants.variant import Variant
from grader.problem.checks import CheckModel


class Generator(NamedTuple):
    """Where the variants of a kind are made."""

    module: str
    equivalents: str
    near_misses: str


def _own(module: str, suffix: str) -> Generator:
    return Generator(f"grader.formal.variants.{module}", f"equivalent_{suffix}", f"near_{suffix}")


GENERATORS: dict[str, Generator] = {
    "smiles": _own("structures", "structures"),
    "inchi": _own("structures", "inchis"),
    "name": _own("names", "names"),
    "reaction": _own("reactions", "reactions"),
    "quantity": _own("numbers", "quantities"),
    "integer": _own("numbers", "integers"),
    "choice": _own("choices", "choices"),
    "boolean": _own("choices", "booleans"),
    **dict.fromkeys(
        ("set", "sequence"), Generator("grader.formal.variants.lists", "equivalents", "near_misses")
    ),
    "label": Generator("grader.formal.variants.terms", "equivalents", "near_misses"),
    "equation": _own("equations", "equations"),
    "expression": _own("expressions", "expressions"),
    "electron_configuration": _own("configurations", "configurations"),
    "oxidation_state": _own("oxidation", "states"),
    "formula": _own("formulas", "formulas"),
}


def equivalents(check: CheckModel, seed: int = 0) -> Iterator[Variant]:
    """Answers that state the expected value in another way; none where the kind has no generator."""
    return _made(check, seed, lambda one: one.equivalents)


def near_misses(check: CheckModel, seed: int = 0) -> Iterator[Variant]:
    """Answers close to the expected value that are wrong; none where the kind has no generator."""
    return _made(check, seed, lambda one: one.near_misses)


def _made(check: CheckModel, seed: int, which: Callable[[Generator], str]) -> Iterator[Variant]:
    generator = GENERATORS.get(check.kind)
    if generator is None:
        return iter(())
    make = getattr(import_module(generator.module), which(generator))
    return cast(Callable[[Any, int], Iterator[Variant]], make)(check, seed)
