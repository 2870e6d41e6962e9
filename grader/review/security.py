"""Who may ask the desk for what: links, forms, hosts, sizes, and what browsers are told to refuse.

Every request passes the ``Guard``, whatever it is for. A page is made for one
address: a request that names another host, or a form that comes from another
page, is refused before anything looks at it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 64 * 1024
"""Of a form: two texts of 4,000 characters, however they are encoded."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
"""No script and no style but ours; ``connect-src`` is what parts of pages are fetched by."""

_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
_SAFE = ("GET", "HEAD")


def new_token() -> str:
    """What opens a person's desk: 256 random bits."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What the archive keeps of a token; long random tokens need no slow hash."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def form_key(token: str) -> str:
    """What a form must carry: only a page of the same session can know it, and it outlives a restart."""
    return hmac.new(token.encode("utf-8", "surrogatepass"), b"argus review form", hashlib.sha256).hexdigest()


def is_form_key(given: str, token: str) -> bool:
    """Whether a form came from a page of the session."""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), form_key(token).encode())


def new_nonce() -> str:
    """The number of a form: sent twice, it counts once."""
    return secrets.token_urlsafe(18)


@dataclass(frozen=True, slots=True)
class Address:
    """Where people open the desk, ``http://127.0.0.1:8765``."""

    origin: str

    @property
    def hosts(self) -> frozenset[str]:
        """What the Host header may say."""
        return frozenset(urlsplit(one).netloc for one in self.origins)

    @property
    def origins(self) -> frozenset[str]:
        """Where forms may come from; this machine has several names for itself."""
        parts = urlsplit(self.origin)
        if parts.hostname not in LOOPBACK:
            return frozenset({self.origin})
        port = "" if parts.port is None else f":{parts.port}"
        return frozenset(f"{parts.scheme}://{name}{port}" for name in ("127.0.0.1", "localhost", "[::1]"))

    @property
    def secure(self) -> bool:
        """Whether cookies are to travel encrypted only."""
        return self.origin.startswith("https://")


LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class Guard:
    """Stands before the application; ASGI middleware."""

    def __init__(self, app: ASGIApp, address: Address) -> None:
        self._app = app
        self._hosts, self._origins = address.hosts, address.origins
        self._extra = _HEADERS
        if address.secure:
            self._extra += ((b"strict-transport-security", b"max-age=31536000"),)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on and add the headers to what comes back."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                named = {name for name, _ in self._extra}
                own = [one for one in message.get("headers", []) if one[0].lower() not in named]
                message = {**message, "headers": [*own, *self._extra]}
            await send(message)

        refused = self._refused(scope)
        body = _Body(receive)
        if refused is None and scope["method"] not in _SAFE and not await body.read():
            refused = 413, "The form is too large."
        if refused is None:
            await self._app(scope, body.replayed, sending)
        else:
            await _refuse(sending, *refused)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the reason, if the request is to be refused unread."""
        headers = _single(scope)
        if headers is None or headers.get("host") not in self._hosts:
            return 421, "This is not the desk that the request is for."
        if scope["method"] in _SAFE:
            return None
        if scope["method"] != "POST":
            return 405, "There is nothing that this method does."
        if not self._is_ours(headers):
            return 403, "The form doesn't come from a page of this desk."
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/x-www-form-urlencoded":
            return 415, "This is no form."
        return None

    def _is_ours(self, headers: Mapping[str, str]) -> bool:
        """Whether a form comes from a page of this desk; one that doesn't say doesn't."""
        if headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return False
        if "origin" in headers:
            return headers["origin"] in self._origins
        referrer = urlsplit(headers.get("referer", ""))
        return f"{referrer.scheme}://{referrer.netloc}" in self._origins


_ONCE = frozenset({"host", "origin", "referer", "content-type", "content-length", "sec-fetch-site"})


def _single(scope: Scope) -> dict[str, str] | None:
    """The headers; None if one that is decided by is there twice, since others might read the other one."""
    headers: dict[str, str] = {}
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1").lower()
        if name in _ONCE and name in headers:
            return None
        headers[name] = value.decode("latin-1")
    return headers


class _Body:
    """The body of a request, read up to its limit before the application sees any of it."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._read: bytes | None = None

    async def read(self) -> bool:
        """Read all of it; False if there is more than a form may have."""
        read = bytearray()
        more = True
        while more:
            message = await self._receive()
            if message["type"] != "http.request":
                break
            read += message.get("body", b"")
            more = message.get("more_body", False)
            if len(read) > MOST_BYTES:
                return False
        self._read = bytes(read)
        return True

    async def replayed(self) -> Message:
        """What the application receives."""
        if self._read is None:
            return await self._receive()
        body, self._read = self._read, None
        return {"type": "http.request", "body": body, "more_body": False}


async def _refuse(send: Send, status: int, why: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{why}\n".encode()})
