"""The desk in a process of its own, which ends without a word at one of its marks.

python -m tests.review.killed_server ARCHIVE ORIGIN SOCKET MOMENT ORDINAL
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from typing import Any

import uvicorn
from sqlalchemy import event

from grader.archive.store import Archive, open_archive
from grader.review.app import make_app
from grader.review.security import Address

MOMENTS = ("arriving", "writing", "answering")
"""Before anything was done, right before a commit, and when all was done but before it was said."""


class Killing:
    """Ends the process at the mark of that number; ASGI middleware."""

    def __init__(self, app: Any, archive: Archive, moment: str, ordinal: int) -> None:
        self._app, self._moment, self._left = app, moment, ordinal
        self._armed = False
        event.listen(archive.database, "commit", self._committing)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, or never."""
        ends = False
        if scope["type"] == "http" and scope["path"].endswith("/mark"):
            self._left -= 1
            ends = self._left == 0
        if ends and self._moment == "arriving":
            _end()
        self._armed = self._armed or (ends and self._moment == "writing")

        async def sending(message: Any) -> None:
            if ends and self._moment == "answering":
                _end()
            await send(message)

        await self._app(scope, receive, sending)

    def _committing(self, _connection: Any) -> None:
        if self._armed:
            _end()


def _end() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Serve on a socket that was handed down."""
    url, origin, descriptor, moment, ordinal = sys.argv[1:]
    listening = socket.socket(fileno=int(descriptor))
    with open_archive(url, create=False) as archive:
        app = Killing(make_app(archive, Address(origin)), archive, moment, int(ordinal))
        config = uvicorn.Config(app, access_log=False, log_level="error")
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
