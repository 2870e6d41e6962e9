"""Where the desk is opened, what must hold before it is opened to others, and the server itself."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from grader.errors import SetupError, UsageError, shown
from grader.review.security import LOOPBACK, Address

if TYPE_CHECKING:
    from grader.archive.store import Archive

PORT = 8765


@dataclass(frozen=True, slots=True)
class Serving:
    """How the desk is served."""

    host: str = "127.0.0.1"
    """What the server listens on; beyond this machine only with TLS, or behind a proxy that has it."""
    port: int = PORT
    address: str | None = None
    """What people open, if it isn't host and port: ``https://review.example.org``."""
    tls_cert: Path | None = None
    tls_key: Path | None = None
    behind_proxy: bool = False


def address_of(serving: Serving) -> Address:
    """What people open; UsageError where the desk would be open to others without encryption."""
    if (serving.tls_cert is None) != (serving.tls_key is None):
        raise UsageError("TLS needs a certificate and its key", do="Give both --tls-cert and --tls-key.")
    tls = serving.tls_cert is not None
    local = serving.host in LOOPBACK
    if not local and not tls and not serving.behind_proxy:
        raise UsageError(
            "the desk is not opened to other machines without encryption",
            got=f"--host {shown(serving.host)}",
            do="Give --tls-cert and --tls-key, or --behind-proxy if a proxy with TLS stands before it.",
        )
    if serving.address is None and (serving.behind_proxy or _is_wildcard(serving.host)):
        raise UsageError(
            "the address that people open isn't known", do="Give it: --address https://review.example.org."
        )
    name = f"[{serving.host}]" if ":" in serving.host else serving.host
    origin = serving.address or f"{'https' if tls else 'http'}://{name}:{serving.port}"
    return parse_address(origin, must_encrypt=not local or tls or serving.behind_proxy)


def parse_address(text: str, *, must_encrypt: bool = False) -> Address:
    """An address as people open it, without a path; UsageError for anything else."""
    text = text.rstrip("/")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _no_address(text) from None
    bare = f"{parts.scheme}://{parts.netloc}"
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or bare != text:
        raise _no_address(text)
    if parts.scheme == "http" and (must_encrypt or parts.hostname not in LOOPBACK):
        raise UsageError(
            "people would open the desk without encryption", got=shown(text), expected="https://"
        )
    usual = {"http": 80, "https": 443}[parts.scheme]
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return Address(f"{parts.scheme}://{host}" + ("" if port in (None, usual) else f":{port}"))


def open_desk(archive: Archive, serving: Serving, address: Address) -> Callable[[], None]:
    """Take the port, and give what serves the desk until it is interrupted.

    SetupError where the port or the certificate can't be had.
    """
    import uvicorn

    from grader.review.app import make_app

    config = uvicorn.Config(
        make_app(archive, address),
        # tokens stand in addresses: no request is written down
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=5,
        ssl_certfile=serving.tls_cert,
        ssl_keyfile=serving.tls_key,
    )
    try:
        config.load()
    except OSError as error:
        got = error.strerror or str(error)
        raise SetupError("the certificate can't be used", file=str(serving.tls_cert), got=got) from error
    listening = _listening(serving)
    return lambda: uvicorn.Server(config).run(sockets=[listening])


def _listening(serving: Serving) -> socket.socket:
    try:
        family, *_, place = socket.getaddrinfo(serving.host, serving.port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(place[:2], family=family)
    except OSError as error:
        raise SetupError(
            "the desk can't be opened there",
            got=f"{serving.host}:{serving.port}: {error.strerror}",
            do="Give another --port or --host.",
        ) from error


def _is_wildcard(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return host == ""


def _no_address(text: str) -> UsageError:
    return UsageError("no address", got=shown(text), expected="such as https://review.example.org")
