"""A request of a person who is signed in, and what every page of theirs shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from grader.archive.review_entry import Progress, Reviewer
from grader.errors import ArgusError
from grader.review.filters import Choice
from grader.review.security import form_key, is_form_key, new_nonce

if TYPE_CHECKING:
    from starlette.requests import Request

SESSION = "argus_session"
CHOICE = "argus_filters"
LAST = "argus_last"
SAID = "argus_said"

SAID_TEXTS = {
    "marked": "Your mark is kept.",
    "undone": "Your mark is taken back.",
    "skipped": "Skipped.",
    "split": "Split: each answer is an item now.",
    "released": "The item is given back.",
    "back": "What you skipped comes to you again.",
    "filtered": "The filters are set.",
    "settled": "There is no difference to settle.",
}
"""What the page after an action says; only these are ever said, whatever a cookie holds."""


class Forged(ArgusError):
    """A form that no page of this session holds."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A request of somebody who is signed in."""

    reviewer: Reviewer
    token: str
    form: Mapping[str, str] = field(default_factory=dict)
    choice: Choice = field(default_factory=Choice)
    last: int | None = None
    """The item they marked last."""
    said: str = ""
    """What the last action came to."""

    def sent(self, name: str) -> str:
        """A field of the form; empty where it wasn't sent."""
        return self.form.get(name, "")


@dataclass(frozen=True, slots=True)
class Room:
    """What every page shows to who is signed in."""

    reviewer: Reviewer
    key: str
    """What its forms carry."""
    done: int
    all: int
    marked: int

    def nonce(self) -> str:
        """A number for another form."""
        return new_nonce()


def visit_of(request: Request, reviewer: Reviewer, form: Mapping[str, str]) -> Visit:
    """A request as its handler sees it; Forged where a form isn't from a page of the session."""
    cookies = request.cookies
    token = cookies[SESSION]
    if request.method == "POST" and not is_form_key(form.get("key", ""), token):
        raise Forged("the form doesn't come from a page of yours", do="Open the page again.")
    last = cookies.get(LAST, "")
    return Visit(
        reviewer=reviewer,
        token=token,
        form=form,
        choice=Choice.read(cookies.get(CHOICE, "")),
        last=int(last) if last.isascii() and last.isdigit() and len(last) < 10 else None,
        said=SAID_TEXTS.get(cookies.get(SAID, ""), ""),
    )


def room_of(visit: Visit, progress: Progress) -> Room:
    """The frame of a page."""
    done = progress.items.get("done", 0)
    everything = done + progress.items.get("open", 0)
    marked = progress.by_reviewer.get(visit.reviewer.name, (0, 0.0))[0]
    return Room(visit.reviewer, form_key(visit.token), done, everything, marked)
