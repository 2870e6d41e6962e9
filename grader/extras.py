"""Extras: packages that only some commands need."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

from grader.errors import SetupError


def require(what: str, extra: str, needed: Mapping[str, str]) -> None:
    """SetupError where a package of an extra is missing; to be called before any is imported.

    ``what`` needs them, in the plural; ``needed``: packages by the modules that are looked for.
    """
    missing = [name for module, name in needed.items() if find_spec(module) is None]
    if missing:
        raise SetupError(
            f"{what} packages that are not installed",
            got=f"no {', '.join(missing)}",
            do=f"Install them: pip install 'argus-rubric[{extra}]'.",
        )
