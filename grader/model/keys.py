"""Keys: only from the environment, and never written anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote, quote_plus, urlsplit

from grader.errors import SetupError, UsageError
from grader.model.request import Endpoint

PLACEHOLDER = "no-key"
"""What an API of one's own gets that needs no key; never the key meant for someone else."""

HIDDEN = "[hidden]"
SHORTEST = 6
"""A shorter value is no secret, and hiding it would hide words."""

_SECRET_NAME = re.compile(r"(_KEY|_TOKEN|_SECRET|PASSWORD)\Z", re.IGNORECASE)
_PARAMETER = r"(?:[\w-]*[-_])?(?:api-?key|key|token|secret|password|passwd|pwd|sig|signature|auth)"
_KEY_PARAMETER = re.compile(_PARAMETER, re.IGNORECASE)
_KEY_IN_QUERY = re.compile(rf"(?<=[?&])({_PARAMETER}=)[^\s&\"'<>#]+", re.IGNORECASE)
_USERINFO = re.compile(r"(?<=://)[^\s/?#@\"'<>]+@")

_ELSEWHERE = ("API_BASE", "BASE_URL")
"""Ends of the variables that hold the URL of a provider's API."""

Json = TypeVar("Json")


def check_url(endpoint: Endpoint) -> None:
    """Refuse an API's URL that holds a user, a password or a key: it stands in files and messages."""
    if endpoint.api_base is not None and _holds_key(endpoint.api_base):
        raise UsageError(
            "api_base holds a user, a password or a key",
            got=_hide_in_urls(endpoint.api_base),
            do="Put the key into an environment variable and name that in key_env.",
        )


def check_environment(
    endpoint: Endpoint, environ: Mapping[str, str], provider_of: Callable[[str], str] | None = None
) -> None:
    """Refuse a variable by which the client would ask another API than the endpoint names.

    ``provider_of`` knows the provider of a model's name; without it, the name is taken at its word,
    and one that names no provider passes.
    """
    if endpoint.api_base is not None:
        return
    provider = provider_of(endpoint.model) if provider_of else endpoint.model.partition("/")[0]
    names = (f"{provider.upper()}_{end}" for end in _ELSEWHERE)
    elsewhere = next((name for name in names if environ.get(name)), None)
    if elsewhere is not None:
        raise UsageError(
            f"the environment variable {elsewhere} sends requests for {endpoint.model} to another API",
            expected="the API that the judge card names, as it is part of the card's hash",
            do=f"Write its URL into the card as api_base, and unset {elsewhere}.",
        )


def _holds_key(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise UsageError("api_base is no URL", got=_hide_in_urls(url)) from error
    names = (name for name, _ in parse_qsl(parts.query, keep_blank_values=True))
    return "@" in parts.netloc or any(map(_KEY_PARAMETER.fullmatch, names))


def key_for(endpoint: Endpoint, environ: Mapping[str, str]) -> str | None:
    """The key to send; None where litellm finds the provider's own variables by itself.

    Raises UsageError for a URL with a key in it and SetupError naming the variable that is missing.
    """
    check_url(endpoint)
    if endpoint.key_env is not None:
        if not environ.get(endpoint.key_env):
            raise _missing(endpoint, [endpoint.key_env])
        return _sendable(endpoint.key_env, environ[endpoint.key_env])
    if endpoint.api_base is not None:
        return PLACEHOLDER
    from grader.model.provider import missing_keys

    # other variables than keys (a region, a profile) have ways of their own to be found
    if missing := [name for name in missing_keys(endpoint.model) if name.endswith("_API_KEY")]:
        raise _missing(endpoint, missing)
    return None


def _sendable(name: str, key: str) -> str:
    """A key that fits into a header: a line's end copied with it would fail each request."""
    if key.isascii() and key.isprintable() and " " not in key:
        return key
    raise SetupError(
        f"the environment variable {name} holds no key",
        expected="printable ASCII without spaces or line ends",
        do=f"Set it anew: export {name}=...",
    )


def _missing(endpoint: Endpoint, names: list[str]) -> SetupError:
    return SetupError(
        f"no key for {endpoint.model}: the environment variable {' or '.join(names)} is not set",
        do=f"Set it: export {names[0]}=...",
    )


class Redactor:
    """Hides keys in whatever is kept, logged, raised or printed."""

    def __init__(self, environ: Mapping[str, str], named: Iterable[str] = ()) -> None:
        """``named``: variables that hold keys besides those whose names say so."""
        names = [name for name in environ if _SECRET_NAME.search(name)] + list(named)
        values = {environ[name] for name in names if len(environ.get(name, "")) >= SHORTEST}
        forms = {form for value in values for form in _forms(value)}
        self._forms = sorted(forms, key=len, reverse=True)

    def text(self, text: str) -> str:
        """The text without any key."""
        for form in self._forms:
            if form in text:
                text = text.replace(form, HIDDEN)
        return _hide_in_urls(text)

    def json(self, value: Json) -> Json:
        """The JSON value without any key, in a string or a name of a member."""
        return self._hidden(value)  # type: ignore[no-any-return]

    def _hidden(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(name): self._hidden(member) for name, member in value.items()}
        if isinstance(value, list | tuple):
            return [self._hidden(member) for member in value]
        return value


def _forms(value: str) -> Iterable[str]:
    """How a value may be written: itself, in JSON, in JSON within JSON, in a URL."""
    for form in (value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]):
        yield form
        yield json.dumps(form)[1:-1]
    yield quote(value)
    yield quote(value, safe="")
    yield quote_plus(value)


def _hide_in_urls(text: str) -> str:
    if "://" in text:
        text = _USERINFO.sub(f"{HIDDEN}@", text)
    if "=" in text:
        text = _KEY_IN_QUERY.sub(rf"\1{HIDDEN}", text)
    return text
