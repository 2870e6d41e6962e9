"""Asking the same several times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def at_sample(parameters: Mapping[str, Any], sample: int) -> dict[str, Any]:
    """The parameters of one sample: a seed moves with it, or every sample would be the same."""
    if isinstance(seed := parameters.get("seed"), int):
        return {**parameters, "seed": seed + sample}
    return dict(parameters)
