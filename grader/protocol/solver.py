"""Who answers the problems, and who reads figures for them: what a user says of a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

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
from grader.protocol.asker import Kind
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


_PREFIXES: Mapping[Kind, str] = {"program": "cmd:", "person": "human:"}
"""Of the names that endpoints have which are behind no API; a name only tells their requests apart."""

_OF_THE_ENDPOINT = ("price", "limits", "image_tokens")
"""What is said of an endpoint, rather than of what is asked there."""


def behind_api(name: str) -> bool:
    """Whether an endpoint of this name is behind an API; a journal holds nothing of it but the name."""
    return not name.startswith(tuple(_PREFIXES.values()))


class Asks(Closed):
    """A model behind an API, or a program that speaks JSON lines, and how it is asked."""

    _one_is_named: ClassVar[tuple[str, ...]] = ("model", "cmd")
    """The fields of which one says who is asked."""

    model: str | None = Field(default=None, min_length=1)
    """As litellm names it: ``openai/gpt-4o``."""
    cmd: str | None = Field(default=None, min_length=1)
    """A program and its arguments, in place of a model."""
    api_base: str | None = None
    """The URL of the API where it isn't the provider's own; no user, password or key in it."""
    key_env: str | None = None
    """The environment variable that holds the key, where it isn't the provider's usual one."""
    vision: bool | None = None
    """Whether it sees images; None: the client's list of models is asked."""
    parameters: Parameters = Parameters()
    price: Price | None = None
    """Where the price list of the client doesn't know the model."""
    limits: Patience = Patience()
    image_tokens: int = Field(default=50_000, ge=1)
    """No image costs more tokens than this: what a limit on the cost reserves for one."""

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        named = [name for name in self._one_is_named if getattr(self, name) is not None]
        if len(named) != 1:
            *most, last = self._one_is_named
            raise ValueError(f"exactly one of {', '.join(most)} and {last} says who is asked")
        if self.model is None and (self.api_base or self.key_env):
            raise ValueError("api_base and key_env are about a model behind an API")
        return self

    @property
    def kind(self) -> Kind:
        """What it is."""
        return "model" if self.model is not None else "program"

    @property
    def endpoint(self) -> Endpoint:
        """Where it is asked; a program's only tells requests apart."""
        if self.model is None:
            return Endpoint(f"{_PREFIXES['program']}{self.cmd}")
        return Endpoint(self.model, self.api_base, self.key_env)

    @property
    def sees(self) -> bool | None:
        """As ``vision``, but whoever is no model behind an API sees, unless it says otherwise."""
        return True if self.vision is None and self.model is None else self.vision

    def beside(self, others: Iterable[Asks]) -> Self:
        """The same, on the terms that others at its endpoint state, where it states none itself."""
        stated = {
            name: getattr(other, name)
            for other in others
            for name in _OF_THE_ENDPOINT
            if other.endpoint.identity == self.endpoint.identity and name in other.model_fields_set
        }
        own = self.model_fields_set
        return self.model_copy(update={name: value for name, value in stated.items() if name not in own})

    @property
    def terms(self) -> Terms:
        """On what terms it is asked."""
        prices = Prices((self.price.input, self.price.output), self.price.batch) if self.price else Prices()
        return Terms(RequestLimits(**self.limits.model_dump()), prices, self.image_tokens)


class SolverSpec(Asks):
    """Who answers problems: a model, a program, or a person."""

    _one_is_named: ClassVar[tuple[str, ...]] = ("model", "cmd", "human")

    human: str | None = Field(default=None, min_length=1)
    """A person's name, in place of a model."""
    name: str | None = Field(default=None, min_length=1)
    """As the run calls it; None: as it is asked."""
    parameters: SolverParameters = SolverParameters()

    @model_validator(mode="after")
    def _takes_parameters(self) -> Self:
        if self.human is not None and self.parameters != SolverParameters():
            raise ValueError("a person takes no parameters")
        return self

    @property
    def kind(self) -> Kind:
        """What it is."""
        return "person" if self.human is not None else super().kind

    @property
    def endpoint(self) -> Endpoint:
        """Where it is asked; a program's and a person's only tell requests apart."""
        return super().endpoint if self.human is None else Endpoint(f"{_PREFIXES['person']}{self.human}")

    def solver(self) -> Solver:
        """The solver that is meant."""
        sent = self.parameters.model_dump(exclude_none=True) if self.human is None else {}
        name = self.name or self.model or self.human or str(self.cmd)
        return Solver(name, self.endpoint, sent, self.terms, self.sees, self.kind, self.cmd)


def solver_faults(spec: Asks, place: Place) -> Iterator[Fault]:
    """What is wrong with a solver or a reader that is sound in itself."""
    if spec.model is not None:
        yield from model_faults(spec.model, place)
    yield from endpoint_faults(spec.api_base, spec.key_env, place)
    yield from body_faults(spec.parameters.extra_body, place)


class ReaderSpec(Asks):
    """A vision model, or a program in its place, that reads figures for a text model (text_reader)."""

    parameters: ReaderParameters = ReaderParameters()
    calls: int = Field(default=8, ge=1)
    """The most in one turn."""
    descriptions: bool = False
    """Show the authors' descriptions beside the tool."""

    def reader(self) -> Reader:
        """The reader that is meant."""
        sent = self.parameters.model_dump(exclude_none=True)
        told = (self.calls, self.descriptions)
        return Reader(self.endpoint, sent, self.terms, *told, self.sees, self.kind, self.cmd)


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
    kind: Kind = "model"
    cmd: str | None = None
    """Of a program: what starts it."""

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
