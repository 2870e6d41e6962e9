"""Who answers the problems: a model behind an API, a command, or a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.errors import UsageError
from grader.model import provider
from grader.model.line import Terms
from grader.model.request import Endpoint


@dataclass(frozen=True)
class Solver:
    """One model, under the name that the run gives it."""

    name: str
    endpoint: Endpoint
    parameters: Mapping[str, Any]
    """By OpenAI's names; ``max_tokens`` is always there."""
    terms: Terms = field(default_factory=Terms)
    vision: bool | None = None
    """Whether it sees images; None: the client's list of models is asked."""

    def at(self, sample: int) -> dict[str, Any]:
        """The parameters of one sample: a seed moves with it, or every sample would be the same."""
        if sample and isinstance(seed := self.parameters.get("seed"), int):
            return {**self.parameters, "seed": seed + sample}
        return dict(self.parameters)

    def sees(self) -> bool:
        """Whether it may be shown images. Raises UsageError where nobody knows."""
        known = provider.sees(self.endpoint.model) if self.vision is None else self.vision
        if known is None:
            raise UsageError(
                f"nobody knows whether {self.endpoint.model} sees images",
                expected="a statement, as the list of models lacks it",
                do="Say --vision or --no-vision (in a sweep: vision = true or false).",
            )
        return known
