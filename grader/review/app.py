"""The desk as a web application: addresses, sessions, errors. What pages do is in ``handlers``."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from importlib.resources import files
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from grader.archive.review_entry import Reviewer
from grader.archive.review_marks import NotYours
from grader.archive.store import Archive
from grader.errors import ArgusError
from grader.review.handlers import Handlers, Reply
from grader.review.pages import page
from grader.review.room import SESSION, Forged, Visit, visit_of
from grader.review.security import Address, Guard, token_hash
from grader.review.subject import Outdated

if TYPE_CHECKING:
    from starlette.types import ExceptionHandler

_STATIC = {
    "style.css": ("grader.render", "templates/style.css"),
    "desk.css": ("grader.review", "static/desk.css"),
    "desk.js": ("grader.review", "static/desk.js"),
    "htmx.min.js": ("grader.review", "static/htmx.min.js"),
}
"""All there is to load, by the name in its address."""
_TYPES = {".css": "text/css", ".js": "text/javascript"}
_IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_DIGEST = re.compile(r"[0-9a-f]{64}")
_MOST_FIELDS = 20
_SESSION_SECONDS = 30 * 24 * 3600

Endpoint = Callable[[Request], Awaitable[Response]]


def make_app(archive: Archive, address: Address) -> Starlette:
    """The desk over an archive, for people who open it at that address."""
    return _Desk(archive, address).app()


class _Desk:
    def __init__(self, archive: Archive, address: Address) -> None:
        self._archive = archive
        self._address = address
        self._do = Handlers(archive)

    def app(self) -> Starlette:
        """The desk's pages and forms, behind its security."""
        do = self._do
        plain = {"": do.queue, "help": do.help, "done": do.done}
        forms = {
            "filters": do.filter,
            "next": do.next,
            "adjudicate": do.adjudicate,
            "come-back": do.come_back,
        }
        on_item = {
            "mark": do.mark,
            "undo": do.undo,
            "skip": do.skip,
            "split": do.split,
            "release": do.release,
        }
        item = "/items/{item:int}"
        routes = [Route(f"/{name}", self._endpoint(handler)) for name, handler in plain.items()]
        routes += [Route(f"/{name}", self._endpoint(one), methods=["POST"]) for name, one in forms.items()]
        routes += [Route(f"/{name}", _back_to("/")) for name in forms]
        routes += [Route(item, self._endpoint(do.item))]
        routes += [Route(f"{item}/{n}", self._endpoint(one), methods=["POST"]) for n, one in on_item.items()]
        routes += [Route(f"{item}/{name}", _back_to("/items/{item}")) for name in on_item]
        routes += [
            Route("/enter", self._enter),
            Route("/welcome", self._welcome),
            Route("/leave", self._leave, methods=["POST"]),
            Route("/images/{digest}", self._image),
            Route("/static/{name}", _static),
        ]
        errors: dict[int | type[Exception], ExceptionHandler] = {
            ArgusError: self._argus_error,  # type: ignore[dict-item]
            HTTPException: self._http_error,  # type: ignore[dict-item]
        }
        guard = Middleware(Guard, address=self._address)
        return Starlette(routes=routes, middleware=[guard], exception_handlers=errors)

    def _endpoint(self, handler: Callable[..., Reply]) -> Endpoint:
        """A handler of visits as an endpoint for who is signed in."""

        async def endpoint(request: Request) -> Response:
            reviewer = await run_in_threadpool(self._reviewer, request)
            if reviewer is None:
                return self._signed_out()
            visit = visit_of(request, reviewer, await _form(request))
            reply = await run_in_threadpool(handler, visit, *request.path_params.values())
            return self._response(reply)

        return endpoint

    def _reviewer(self, request: Request) -> Reviewer | None:
        token = request.cookies.get(SESSION, "")
        return self._archive.reviewer(token_hash(token)) if token else None

    def _response(self, reply: Reply) -> Response:
        response: Response
        if reply.goto:
            response = RedirectResponse(reply.goto, status_code=303)
        else:
            response = HTMLResponse(reply.html, status_code=reply.status)
        for name, value in reply.cookies.items():
            self._set_cookie(response, name, value)
        return response

    def _set_cookie(self, response: Response, name: str, value: str | None, lasts: int | None = None) -> None:
        """Set a cookie that no script and no other site sees; None deletes it."""
        lasts = 0 if value is None else lasts
        response.set_cookie(
            name, value or "", max_age=lasts, httponly=True, samesite="strict", secure=self._address.secure
        )

    # Coming and going

    async def _enter(self, request: Request) -> Response:
        """A link that was given to somebody: its token goes into a cookie and leaves the address."""
        token = request.query_params.get("token", "")
        if await run_in_threadpool(self._archive.reviewer, token_hash(token)) is None:
            return self._signed_out()
        response = RedirectResponse("/welcome", status_code=303)
        self._set_cookie(response, SESSION, token, _SESSION_SECONDS)
        return response

    async def _welcome(self, _request: Request) -> Response:
        """Browsers send strict cookies only from pages of ours, so a link from elsewhere passes by here."""
        lines = ["You are signed in on this device."]
        html = _message("Welcome", lines, link=("/", "To the queue"))
        return HTMLResponse(html, headers={"refresh": "0; url=/"})

    async def _leave(self, request: Request) -> Response:
        reviewer = await run_in_threadpool(self._reviewer, request)
        if reviewer is None:
            return self._signed_out()
        visit_of(request, reviewer, await _form(request))
        await run_in_threadpool(self._archive.let_go, reviewer.name)
        response = HTMLResponse(_message("Signed out", ["Your link signs you in again."]))
        self._set_cookie(response, SESSION, None)
        return response

    def _signed_out(self) -> Response:
        lines = [
            "Open the desk by the link that you were given. If it signs you in no more, ask for another one."
        ]
        return HTMLResponse(_message("You are not signed in", lines), status_code=401)

    # Files

    async def _image(self, request: Request) -> Response:
        """An image of a problem, by the digest of what is archived; no name ever reaches a file system."""
        if await run_in_threadpool(self._reviewer, request) is None:
            return self._signed_out()
        digest = request.path_params["digest"]
        try:
            if not _DIGEST.fullmatch(digest):
                raise KeyError(digest)
            image = await run_in_threadpool(self._archive.image, digest)
        except KeyError:
            raise HTTPException(404) from None
        if image.media_type not in _IMAGES:
            raise HTTPException(404)
        return Response(image.data, media_type=image.media_type)

    # Errors

    async def _argus_error(self, request: Request, error: ArgusError) -> Response:
        titles: dict[type[ArgusError], tuple[int, str]] = {
            NotYours: (409, "Not with you"),
            Outdated: (410, "Changed since"),
            Forged: (403, "Not from here"),
        }
        status, title = titles.get(type(error), (400, "That can't be done"))
        return await self._stopped(request, status, title, [str(fault) for fault in error.faults])

    async def _http_error(self, request: Request, error: HTTPException) -> Response:
        lines = ["There is no such page."] if error.status_code in (404, 405) else [error.detail]
        return await self._stopped(request, error.status_code, "Nothing here", lines)

    async def _stopped(self, request: Request, status: int, title: str, lines: list[str]) -> Response:
        reviewer = await run_in_threadpool(self._reviewer, request)
        if reviewer is None:
            return HTMLResponse(_message(title, lines), status_code=status)
        visit = Visit(reviewer, request.cookies[SESSION])
        return self._response(await run_in_threadpool(self._do.stopped, visit, status, title, lines))


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form; none of them is a file, and of several of a name the first counts."""
    if request.method != "POST":
        return {}
    form = await request.form(max_files=0, max_fields=_MOST_FIELDS)
    return {name: value for name, value in reversed(form.multi_items()) if isinstance(value, str)}


def _back_to(where: str) -> Endpoint:
    """A form's address that was opened like a page."""

    async def endpoint(request: Request) -> Response:
        return RedirectResponse(where.format(**request.path_params), status_code=303)

    return endpoint


async def _static(request: Request) -> Response:
    place = _STATIC.get(request.path_params["name"])
    if place is None:
        raise HTTPException(404)
    package, path = place
    data = files(package).joinpath(path).read_bytes()
    return Response(data, media_type=_TYPES[PurePosixPath(path).suffix])


def _message(title: str, lines: list[str], link: tuple[str, str] | None = None) -> str:
    """A page for who is not signed in."""
    return page("message.html", title=title, room=None, lines=lines, next=False, back=False, link=link)
