"""From the options of ``argus run`` to who answers and what is shown; they stand above a model's file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.cli.options import price_of
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.protocol.solver import Asks, SolverSpec
    from grader.protocol.spec import ShownSpec


def given(**values: Any) -> dict[str, Any] | None:
    """What was given; None where nothing was."""
    return {name: value for name, value in values.items() if value is not None} or None


def typed_solver(model: str | None, **said: Any) -> SolverSpec:
    """Who answers. Raises ArgusError with every fault."""
    from grader.model.settings import merged, settings
    from grader.protocol.solver import SolverSpec, solver_faults

    if [model, said["cmd"], said["human"]].count(None) != 2:
        raise UsageError("one has to answer", expected="one of --model, --model-cmd and --human")
    return settings(merged(_named(model, SolverSpec), given(**said) or {}), SolverSpec, solver_faults)


def typed_reader(model: str | None, said: dict[str, Any] | None) -> dict[str, Any] | None:
    """Who reads figures, if anybody does. Raises ArgusError."""
    from grader.model.settings import merged
    from grader.protocol.solver import ReaderSpec

    if model is not None:
        return merged(_named(model, ReaderSpec), said or {})
    if said:
        raise UsageError("these options are about a reader", do="Name one by --reader MODEL.")
    return None


def typed_shown(protocols: list[str] | None, modes: list[str] | None, **said: Any) -> ShownSpec:
    """What the solver is shown. Raises UsageError with every fault."""
    from grader.model.settings import settings
    from grader.protocol.spec import ShownSpec
    from grader.protocol.turns import MODES, PROTOCOLS

    every = {"protocols": _every(protocols, PROTOCOLS), "modes": _every(modes, MODES)}
    return settings(given(**every, **said) or {}, ShownSpec)


def typed_price(text: str | None) -> dict[str, float] | None:
    """The price of a model, of ``IN,OUT``. Raises UsageError."""
    prices = price_of(text)
    return None if prices is None else {"input": prices[0], "output": prices[1]}


def _named(model: str | None, spec: type[Asks]) -> dict[str, Any]:
    """A model by its name, or the settings of a file that says more."""
    if model is None or not model.endswith(".toml"):
        return given(model=model) or {}
    from grader.model.settings import read_settings, read_table
    from grader.protocol.solver import solver_faults

    read_settings(Path(model), spec, solver_faults)  # what is wrong with it is said with its line
    return read_table(Path(model))


def _every(wanted: list[str] | None, names: Sequence[str]) -> Sequence[str] | None:
    return names if wanted and "all" in wanted else wanted
