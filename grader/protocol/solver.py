"""Who answers the problems, and who reads figures for them: what a user says of a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from pydantic import Field, model_validator

from grader.errors import Fault, UsageError
from grader.model import provider
from grader.model.endpoint_faults import body_faults, endpoint_faults, model_faults
from grader.model.limits import Limits as RequestLimits
from grader.model.line import Terms
from grader.model.options import Closed, Limits, Parameters, Price
from grader.model.prices import Prices
from grader.model.request import Endpoint
from grader.problem.place import Place
from grader.protocol.reader import Reader
from grader.protocol.sampling import at_sample


class SolverParameters(Parameters):
    """What is sent with each request to a solver."""

    max_tokens: int = Field(default=16_384, ge=1)
    """Reasoning counts, so a reply needs room."""


class ReaderParameters(Parameters):
    """What is sent with each request to a reader."""

    max_tokens: int = Field(default=2_048, ge=1)


class Patience(Limits):
    """How hard a solver's endpoint is asked."""

    timeout: float = Field(default=600, gt=0, allow_inf_nan=False)
    """Seconds; a reasoning model may take minutes."""


class Asks(Closed):
    """A model behind an API, and how it is asked."""

    model: str = Field(min_length=1)
    """As litellm names it: ``openai/gpt-4o``."""
    api_base: str | None = None
    """The URL of the API where it isn't the provider's own; no user, password or key in it."""
    key_env: str | None = None
    """The environment variable that holds the key, where it isn't the provider's usual one."""
    parameters: Parameters = Parameters()
    price: Price | None = None
    """Where the price list of the client doesn't know the model."""
    limits: Patience = Patience()
    image_tokens: int = Field(default=50_000, ge=1)
    """No image costs more tokens than this: what a limit on the cost reserves for one."""

    @property
    def endpoint(self) -> Endpoint:
        """Where it is asked."""
        return Endpoint(self.model, self.api_base, self.key_env)

    @property
    def terms(self) -> Terms:
        """On what terms it is asked."""
        prices = Prices((self.price.input, self.price.output), self.price.batch) if self.price else Prices()
        return Terms(RequestLimits(**self.limits.model_dump()), prices, self.image_tokens)


class SolverSpec(Asks):
    """Who answers problems: a model, a command that speaks JSON lines, or a person."""

    model: str | None = Field(default=None, min_length=1)  # type: ignore[assignment]  # or a command, or a person
    """As litellm names it: ``openai/gpt-4o``."""
    cmd: str | None = Field(default=None, min_length=1)
    """A program and its arguments, in place of a model."""
    human: str | None = Field(default=None, min_length=1)
    """A person's name, in place of a model."""
    name: str | None = Field(default=None, min_length=1)
    """As the run calls it; None: as it is asked."""
    vision: bool | None = None
    """Whether it sees images; None: the client's list of models is asked."""
    parameters: SolverParameters = SolverParameters()

    @model_validator(mode="after")
    def _one_of(self) -> Self:
        if [self.model, self.cmd, self.human].count(None) != 2:
            raise ValueError("a solver is one of model, cmd and human")
        if self.human is not None and self.parameters != SolverParameters():
            raise ValueError("a person takes no parameters")
        if self.model is None and (self.api_base or self.key_env):
            raise ValueError("api_base and key_env are about a model behind an API")
        return self

    @property
    def endpoint(self) -> Endpoint:
        """Where it is asked; a command's and a person's only tell requests apart."""
        if self.model is not None:
            return super().endpoint
        return Endpoint(f"cmd:{self.cmd}" if self.cmd is not None else f"human:{self.human}")

    def solver(self) -> Solver:
        """The solver that is meant."""
        sent = self.parameters.model_dump(exclude_none=True) if self.human is None else {}
        # whoever isn't a model behind an API sees what it is shown, unless it says otherwise
        vision = True if self.vision is None and self.model is None else self.vision
        name = self.name or self.model or self.human or str(self.cmd)
        return Solver(name, self.endpoint, sent, self.terms, vision)


def behind_api(model: str) -> bool:
    """Whether an endpoint's model is no program and no person."""
    return not model.startswith(("cmd:", "human:"))


def solver_faults(spec: Asks, place: Place) -> Iterator[Fault]:
    """What is wrong with a solver or a reader that is sound in itself."""
    if spec.model is not None:
        yield from model_faults(spec.model, place)
    yield from endpoint_faults(spec.api_base, spec.key_env, place)
    yield from body_faults(spec.parameters.extra_body, place)


class ReaderSpec(Asks):
    """A vision model that reads figures for a text model (text_reader)."""

    parameters: ReaderParameters = ReaderParameters()
    calls: int = Field(default=8, ge=1)
    """The most in one turn."""
    descriptions: bool = False
    """Show the authors' descriptions beside the tool."""

    def reader(self) -> Reader:
        """The reader that is meant."""
        sent = self.parameters.model_dump(exclude_none=True)
        return Reader(self.endpoint, sent, self.terms, self.calls, self.descriptions)


@dataclass(frozen=True)
class Solver:
    """One model, under the name that the run gives it."""

    name: str
    endpoint: Endpoint
    parameters: Mapping[str, Any]
    """By OpenAI's names; ``max_tokens`` is always there, except for a person."""
    terms: Terms = field(default_factory=Terms)
    vision: bool | None = None
    """Whether it sees images; None: the client's list of models is asked."""

    def at(self, sample: int) -> dict[str, Any]:
        """The parameters of one sample."""
        return at_sample(self.parameters, sample)

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
