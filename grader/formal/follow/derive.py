"""The checks that stand in a check's place once an answer's own earlier values are taken as right."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from grader.problem.checks import (
    CheckModel,
    InchiCheck,
    IntegerCheck,
    NameCheck,
    QuantityCheck,
    SmilesCheck,
)
from grader.problem.model import Follow


class NothingFollows(ValueError):
    """No value or structure follows; the message says why."""


def derived(follow: Follow, check: CheckModel, values: Mapping[str, str]) -> list[CheckModel]:
    """``check`` with what follows from ``values`` as its expected value; one of several must be met.

    ``values`` are numbers or structures by their name in ``follow``, as findings
    hold them. There is one check for each product of a reaction, and one for a
    number. Raises NothingFollows.
    """
    if follow.expression is not None:
        return [_of_number(check, _number(follow.expression, values))]
    from grader.formal.follow.reaction import products

    assert follow.reaction is not None
    found = products(follow.reaction, [values[name] for name in follow.sources])
    if len(found) > 1 and (right := _expected_among(check, found)):
        found = [right]  # from right structures nothing else may follow
    return [_of_structure(check, smiles) for smiles in found]


def _number(expression: str, values: Mapping[str, str]) -> float:
    from grader.problem.arithmetic import NoValue, Unreadable, read_expression

    try:
        return read_expression(expression).value({name: float(value) for name, value in values.items()})
    except (Unreadable, NoValue) as error:
        raise NothingFollows(f"the expression has no value: {error}") from error


def _of_number(check: CheckModel, value: float) -> CheckModel:
    if isinstance(check, IntegerCheck):
        if abs(value - round(value)) > 1e-9 * max(1.0, abs(value)):
            raise NothingFollows(f"{value:.6g} is no whole number")
        return check.model_copy(update={"expected": round(value)})
    assert isinstance(check, QuantityCheck)
    update: dict[str, float] = {"expected": value}
    if check.rel_tol is None and check.abs_tol is None:
        update |= _default_tolerance(check.expected, value)
    return check.model_copy(update=update)


def _default_tolerance(expected: float, value: float) -> dict[str, float]:
    """What an expected value without tolerance is given, for a value of as many figures (two at least).

    1 %, or half a unit of the last figure; by itself a computed value would count as exact.
    """
    if value == 0:
        return {}
    figures = max(2, len(repr(abs(expected)).partition("e")[0].replace(".", "").strip("0")))
    last = math.floor(math.log10(abs(value))) - figures + 1
    return {"rel_tol": 0.01, "abs_tol": 0.5 * 10.0**last}


def _of_structure(check: CheckModel, smiles: str) -> CheckModel:
    # further spellings are those of the strict structure
    if isinstance(check, SmilesCheck):
        return check.model_copy(update={"expected": smiles, "aliases": ()})
    if isinstance(check, InchiCheck):
        return check.model_copy(update={"expected": _inchi(check, smiles), "aliases": ()})
    assert isinstance(check, NameCheck)
    options = check.model_dump(exclude={"kind", "expected", "aliases"})
    return SmilesCheck(kind="smiles", expected=smiles, **{**options, "accept": check.accept or ("name",)})


def _inchi(check: InchiCheck, smiles: str) -> str:
    from rdkit import Chem

    mol = Chem.MolFromSmiles(smiles)
    text = Chem.MolToInchi(mol) if check.expected.startswith("InChI=") else Chem.MolToInchiKey(mol)
    if not text:
        raise NothingFollows(f"{smiles} has no InChI")
    return str(text)


def _expected_among(check: CheckModel, found: Sequence[str]) -> str | None:
    """The product that is the expected structure, if there is one."""
    if not isinstance(check, SmilesCheck):
        return None
    from grader.formal.structures.comparison import Relation
    from grader.formal.structures.equivalence import compare
    from grader.formal.structures.structure import read_structure

    expected = read_structure(check.expected)
    same = (one for one in found if compare(expected, read_structure(one), check).relation is Relation.SAME)
    return next(same, None)
