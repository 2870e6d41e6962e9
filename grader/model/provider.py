"""litellm, loaded when the first request is sent and set up to do one thing: send it once."""

from __future__ import annotations

import gc
import logging
import os
import warnings
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

from grader.errors import SetupError, UsageError


def load() -> None:
    """Load the client now; raises SetupError where it isn't installed."""
    _litellm()
    # what it loads during its calls warns of its own types, and of bodies that have others
    for message in (r".*`ReadOnly` qualifier", "Pydantic serializer warnings"):
        warnings.filterwarnings("ignore", message, UserWarning)
    # whoever is cancelled before the first byte is sent leaves a coroutine that another thread has made
    warnings.filterwarnings("ignore", "coroutine '.*completion.*' was never awaited", RuntimeWarning)


@cache
def _litellm() -> Any:
    """The package, quiet, without network look-ups and without meddling with requests."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS", "True")
    try:
        import litellm
    except ImportError as error:
        raise SetupError(
            "asking a model needs litellm", do="Install it: pip install 'argus-rubric[models]'."
        ) from error
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    # requests go out as they are or not at all: a dropped parameter is another request
    litellm.drop_params = False
    litellm.modify_params = False
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    # a hundred thousand objects that never go away needn't be looked at in each collection
    gc.collect()
    gc.freeze()
    return litellm


def version() -> str:
    """The client and its version, as the source of a price is named."""
    from importlib.metadata import version as installed

    return f"litellm {installed('litellm')}"


def price_entry(model: str) -> Mapping[str, Any] | None:
    """What the client's price list says of a model at its own provider."""
    prices: Mapping[str, Mapping[str, Any]] = _litellm().model_cost
    if (entry := prices.get(model)) is not None:
        return entry
    provider, _, name = model.partition("/")
    entry = prices.get(name)
    return entry if entry is not None and entry.get("litellm_provider") == provider else None


def provider_of(model: str) -> str:
    """The provider that a model's name means; raises UsageError where it means none."""
    litellm = _litellm()
    try:
        return str(litellm.get_llm_provider(model)[1])
    except litellm.BadRequestError:
        raise UsageError(
            "no provider for the model",
            got=model,
            expected="a name with its provider, as openai/gpt-4o",
            do="Name the provider before a slash; for an API of your own, openai/<model> and its api_base.",
        ) from None


def sees(model: str) -> bool | None:
    """Whether the client's list says that a model takes images; None where it doesn't know the model."""
    entry = None if model in _entered else price_entry(model)
    return None if entry is None else bool(entry.get("supports_vision"))


def missing_keys(model: str) -> list[str]:
    """The environment variables that the provider of a model needs and that aren't set."""
    provider_of(model)
    return list(_litellm().validate_environment(model)["missing_keys"])


async def send(
    body: Mapping[str, Any], *, api_base: str | None, api_key: str | None, timeout: float
) -> dict[str, Any]:
    """Send a request once; the reply's body. Raises whatever the client raises."""
    litellm = _litellm()
    _know(str(body["model"]))
    with _unlogged():
        response = await litellm.acompletion(
            **body, api_base=api_base, api_key=api_key, timeout=timeout, max_retries=0
        )
    raw: dict[str, Any] = response.model_dump(mode="json", warnings=False)
    return raw


_entered: set[str] = set()
"""Models of which the client's list knows no more than their names, from us."""


@cache
def _know(model: str) -> None:
    """Enter a model that the client's price list lacks, at no price.

    Else the client tries to price every reply and fails: a tenth of its CPU.
    What it makes of the entry isn't used, and a price of 0 is read as unknown.
    """
    if price_entry(model) is None:
        provider = model.partition("/")[0]
        _entered.add(model)
        unpriced = {"mode": "chat", "input_cost_per_token": 0.0, "output_cost_per_token": 0.0}
        _litellm().register_model({model: {"litellm_provider": provider, **unpriced}})


def _unlogged() -> AbstractContextManager[None]:
    """Spare the client's own billing and its callbacks, which outlive the call: a tenth of its CPU."""
    try:
        from litellm._internal_context import internal_sub_call
    except ImportError:  # another version; the call is right all the same
        return nullcontext()
    return internal_sub_call()


async def close() -> None:
    """Close the connections of this event loop, if any were opened."""
    if not _litellm.cache_info().currsize:
        return
    from litellm.llms.custom_httpx.async_client_cleanup import close_litellm_async_clients

    await close_litellm_async_clients()  # type: ignore[no-untyped-call]
    # a closed client must not be found again by the next event loop
    _litellm().in_memory_llm_clients_cache.flush_cache()
