"""What each page and each form of the desk does. No web server in sight: visits in, replies out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from grader.archive.opened import now
from grader.archive.review_entry import FINAL, Item, Wanted
from grader.archive.review_marks import NotYours, standing
from grader.archive.store import Archive
from grader.errors import MarkError
from grader.review.desk import desk
from grader.review.filters import Catalogue, Choice
from grader.review.help import KEYS
from grader.review.marking import Given, given_of, mark_of, undoing, verdicts_of
from grader.review.pages import page
from grader.review.room import CHOICE, LAST, SAID, Visit, room_of
from grader.review.subject import Outdated, Subjects

_MOST_ITEMS = 2**31


@dataclass(frozen=True, slots=True)
class Reply:
    """A page, or where to go; with cookies to set (None: to delete)."""

    html: str = ""
    goto: str = ""
    status: int = 200
    cookies: dict[str, str | None] = field(default_factory=dict)


def _goto(where: str, said: str = "", **cookies: str | None) -> Reply:
    return Reply(goto=where, cookies={**cookies, **({SAID: said} if said else {})})


class Handlers:
    """The pages and forms over an archive."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._subjects = Subjects(archive)
        self._catalogue = Catalogue(archive)

    # Pages

    def queue(self, visit: Visit) -> Reply:
        """How far everything is, and what to work on."""
        progress, choices = self._archive.progress(), self._catalogue.choices()
        filters = [
            ("run", "Run", list(choices.runs.items())),
            ("tag", "Tag", [(tag, tag) for tag in choices.tags]),
            ("reason", "Reason", _named(choices.reasons)),
            ("check", "Decided by", _named(choices.checks)),
        ]
        people = [
            (name, count, seconds / count if count else 0.0)
            for name, (count, seconds) in sorted(progress.by_reviewer.items())
        ]
        return self._page(
            visit,
            "queue.html",
            "Queue",
            waiting=progress.items.get("open", 0),
            filters=filters,
            choice=asdict(visit.choice),
            people=people,
            last=visit.last,
        )

    def item(self, visit: Visit, item_id: int) -> Reply:
        """The desk: an item that the person holds or has marked."""
        item = self._mine(visit, item_id)
        if item.state == "open":
            item = self._archive.renew(item.id, visit.reviewer.name) or item
        return self._desk(visit, item, Given())

    def help(self, visit: Visit) -> Reply:
        """Keys, and how marks count."""
        return self._page(visit, "help.html", "Keys and help", table=KEYS)

    def done(self, visit: Visit) -> Reply:
        """There is nothing to claim."""
        lines = [
            "Nothing waits for you: all is marked, held by others, skipped by you, or for others to mark."
        ]
        if visit.choice != Choice():
            lines.append("Only a part of the queue is chosen: the filters may leave something out.")
        return self._message(visit, "Nothing waits for you", lines, back=True)

    def stopped(self, visit: Visit, status: int, title: str, lines: list[str]) -> Reply:
        """What went wrong, and the way on."""
        return self._message(visit, title, lines, status=status, next=True)

    # Forms

    def filter(self, visit: Visit) -> Reply:
        """Choose what to work on."""
        chosen = Choice(*(visit.sent(name) for name in Choice.__slots__))
        return _goto("/", "filtered", **{CHOICE: chosen.written() or None})

    def next(self, visit: Visit, *, adjudications: bool = False) -> Reply:
        """Claim the next item; one that nothing graded today is about any more is passed over."""
        name = visit.reviewer.name
        wanted = Wanted(adjudications=adjudications)
        if visit.choice != Choice():
            wanted = self._catalogue.choices().wanted(visit.choice, adjudications=adjudications)
        while (item := self._archive.claim(name, wanted)) is not None:
            try:
                self._subjects.of(item)
            except Outdated:
                self._archive.skip(item.id, name)
                continue
            return _goto(f"/items/{item.id}")
        return _goto("/done")

    def adjudicate(self, visit: Visit) -> Reply:
        """Claim something in which others differ."""
        if not visit.reviewer.adjudicates:
            raise NotYours("you were not invited to settle differences", do="Mark the next item instead.")
        reply = self.next(visit, adjudications=True)
        return reply if reply.goto != "/done" else _goto("/", "settled")

    def mark(self, visit: Visit, item_id: int) -> Reply:
        """Keep a mark; what can't be one is said beside the form, with all that was entered."""
        item, name = self._mine(visit, item_id), visit.reviewer.name
        given = Given(**{one: visit.sent(one) for one in Given.__slots__})
        subject = self._subjects.of(item)
        marks = self._archive.marks_of([item.id]).get(item.id, [])
        seen = any(one.entry.reviewer == name for one in marks)
        try:
            entry = mark_of(given, subject, name, seen=seen, now=now())
        except MarkError as error:
            return self._desk(visit, item, given, str(error.faults[0]))
        self._archive.mark(entry, verdicts_of(self._archive, item, entry))
        return _goto(f"/items/{item.id}", "marked", **{LAST: str(item.id)})

    def undo(self, visit: Visit, item_id: int) -> Reply:
        """Take the person's mark back, and give them the item again."""
        item, name = self._mine(visit, item_id), visit.reviewer.name
        mine = standing(self._archive.marks_of([item.id]).get(item.id, [])).get(name)
        if mine is not None:
            self._archive.undo(*undoing(item, mine, visit.sent("form")))
        return _goto(f"/items/{item.id}", "undone", **{LAST: None})

    def skip(self, visit: Visit, item_id: int) -> Reply:
        """Leave an item to others, and take the next."""
        item = self._mine(visit, item_id)
        if item.state == "open":
            self._archive.skip(item.id, visit.reviewer.name)
        return self._onward(visit, item, "skipped")

    def split(self, visit: Visit, item_id: int) -> Reply:
        """Make an item of each answer, and take the next."""
        item = self._mine(visit, item_id)
        self._archive.split(item.id)
        return self._onward(visit, item, "split")

    def release(self, visit: Visit, item_id: int) -> Reply:
        """Give an item back."""
        self._archive.release(self._mine(visit, item_id).id, visit.reviewer.name)
        return _goto("/", "released")

    def come_back(self, visit: Visit) -> Reply:
        """Show the person again what they skipped."""
        self._archive.come_back(visit.reviewer.name)
        return _goto("/", "back")

    # Parts

    def _mine(self, visit: Visit, item_id: int) -> Item:
        """An item that the person holds or has marked; NotYours for any other, and where there is none."""
        name = visit.reviewer.name
        try:
            # no database has room for a greater one
            item = self._archive.item(item_id) if item_id < _MOST_ITEMS else None
        except KeyError:
            item = None
        allowed = item is not None and (visit.reviewer.adjudicates or item.entry.kind not in FINAL)
        if item is None or not allowed or item.holder != name or item.state == "withdrawn":
            raise NotYours("this item isn't with you", do="Take the next one.")
        return item

    def _onward(self, visit: Visit, item: Item, said: str) -> Reply:
        reply = self.next(visit, adjudications=item.entry.kind in FINAL)
        return Reply(goto=reply.goto, cookies={SAID: said})

    def _desk(self, visit: Visit, item: Item, given: Given, error: str = "") -> Reply:
        subject = self._subjects.of(item)
        shown = desk(self._archive, subject, visit.reviewer.name)
        if shown.seen is not None and shown.seen.mine is not None and not error:
            given = given_of(shown.seen.mine.entry, subject)
        return self._page(
            visit,
            "desk.html",
            "Settle a difference" if shown.settles else "Mark an answer",
            status=422 if error else 200,
            desk=shown,
            given=given,
            error=error,
            last=visit.last if visit.last != item.id else None,
        )

    def _message(
        self,
        visit: Visit,
        title: str,
        lines: list[str],
        *,
        status: int = 200,
        back: bool = False,
        next: bool = False,
    ) -> Reply:
        link = ("/", "To the queue")
        return self._page(
            visit, "message.html", title, status=status, lines=lines, back=back, next=next, link=link
        )

    def _page(self, visit: Visit, template: str, title: str, *, status: int = 200, **values: Any) -> Reply:
        room = room_of(visit, self._archive.progress())
        html = page(template, title=title, room=room, said=visit.said, **values)
        return Reply(html, status=status, cookies={SAID: None} if visit.said else {})


def _named(values: Iterable[str]) -> list[tuple[str, str]]:
    return [(one, one.replace("_", " ")) for one in values]
