"""A graded archive whose queue has something of each kind, and people who sit at its desk."""

from __future__ import annotations

import re
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from html import unescape
from pathlib import Path
from threading import Thread
from typing import Any

import uvicorn
from PIL import Image
from starlette.testclient import TestClient

from grader.archive.review_entry import Item, ItemEntry, Kind, Member
from grader.archive.store import Archive, open_archive
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set
from grader.review.app import make_app
from grader.review.queue import QueueRules, fill
from grader.review.security import Address, token_hash
from tests.grade.small import line, write_lines, write_set

ADDRESS = Address("http://127.0.0.1:8765")
MODEL = "giveaway-model"
ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>"

PROBLEM: dict[str, Any] = {
    "problem_id": "desk",
    "header": f"Cyclohexene, $C_6H_{{10}}$, is oxidised. {ATTACK}",
    "header_images": [{"file": "scheme.png", "description": f"The scheme. {ATTACK}"}],
    "subquestions": [
        {
            "sub_id": "desk-1",
            "tags": ["2.4"],
            "text_open": f"Draw the product and say why it forms. {ATTACK}",
            "full_mark": 5,
            "rubric": [
                {
                    "id": "product",
                    "points": 2,
                    "text": "The epoxide.",
                    "check": {"kind": "smiles", "expected": "C1CCC2OC2C1"},
                },
                {"id": "why", "points": 3, "text": f"A peracid transfers oxygen. {ATTACK}", "partial": True},
                {"id": "units", "points": -1, "text": "Units are missing."},
                {"note": "Accept any wording."},
            ],
            "rubric_images": [{"file": "private.png", "description": "The mechanism."}],
        }
    ],
}
ANSWERS = (
    "The product is **SMILES:** `C1CCC2OC2C1`.\r\nA peracid gives its oxygen.",
    "The product is **SMILES:** `C1CCC2OC2C1`.\r\nA peracid gives its oxygen.",
    f"The product is **SMILES:** `OC1CCCCC1O`. {ATTACK} A \x07 rings and \u202eturns. \U0001d54f marks it.",
)
CHECKS = {"product": "smiles"}
RIGHT, OTHER = ANSWERS[0], ANSWERS[2]


def grade_desk(folder: Path, url: str | None = None) -> Path:
    """The archive of a graded run, at ``url`` or ``argus.db``, its queue filled, nothing to mark twice."""
    write_set(folder, PROBLEM)
    images = folder / "tasks" / "desk" / "images"
    images.mkdir(exist_ok=True)
    for name, colour in (("scheme.png", "navy"), ("private.png", "teal")):
        Image.new("RGB", (240, 90), colour).save(images / name)
    lines = [line("desk-1", text, f"{MODEL}-{number}") for number, text in enumerate(ANSWERS)]
    run = write_lines(folder / f"{MODEL}.jsonl", lines)
    with open_archive(url or str(folder / "argus.db")) as archive:
        grade(GradeRequest(run, load_set(folder), workers=1), archive)
        fill(archive, QueueRules(second=0.0))
    return folder / "argus.db"


@dataclass
class Person:
    """Somebody at the desk, by plain forms."""

    name: str
    client: TestClient
    token: str
    page: str = ""
    status: int = 0
    url: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str) -> Person:
        """Open a page."""
        return self._took(self.client.get(path))

    def post(self, path: str, **fields: str) -> Person:
        """Send a form as the last page would, and follow to where it leads."""
        sent = {"key": self.hidden("key"), "form": self.hidden("form")} | fields
        return self._took(self.client.post(path, data=sent, headers={"origin": ADDRESS.origin}))

    def next(self) -> Person:
        """Take the next item."""
        return self.post("/next")

    @property
    def item(self) -> int:
        """The item whose page is open."""
        found = re.search(r"/items/(\d+)", self.url)
        assert found, self.url
        return int(found[1])

    def mark(self, status: str = "", **fields: str) -> Person:
        """Mark the item whose page is open."""
        form = re.search(r'class="mark".*?name="form" value="([^"]+)"', self.page, re.S)
        assert form, self.page
        return self.post(f"/items/{self.item}/mark", **{"status": status, "form": form[1]} | fields)

    def hidden(self, name: str) -> str:
        """The value of a hidden field; empty where there is none."""
        found = re.search(rf'name="{name}" value="([^"]*)"', self.page)
        return unescape(found[1]) if found else ""

    def _took(self, response: Any) -> Person:
        self.page, self.status, self.url = response.text, response.status_code, response.url.path
        self.headers = dict(response.headers)
        return self


@dataclass
class Office:
    """An archive and its desk."""

    archive: Archive
    app: Any

    def person(self, name: str, *, adjudicates: bool = False) -> Person:
        """Invite somebody and sign them in."""
        token = f"token-of-{name}-{'x' * 20}"
        self.archive.invite(name, token_hash(token), adjudicates=adjudicates)
        client = TestClient(self.app, base_url=ADDRESS.origin)
        return Person(name, client, token).get(f"/enter?token={token}").get("/")

    def items(self, point_id: str, kind: Kind = "triage") -> list[Item]:
        """The open items about a point."""
        items = self.archive.items("open")
        return [one for one in items if (one.entry.point_id, one.entry.kind) == (point_id, kind)]

    def put(self, point_id: str, kind: Kind, text: str, **more: Any) -> None:
        """Queue a point of all answers that have that text, before all else."""
        (run,) = self.archive.runs()
        for graded in self.archive.graded(run):
            point = next(one for one in graded.points if one.point_id == point_id)
            if self.archive.response(graded.response.digest).text == text:
                member = Member(graded.response.digest, graded.answer.answer_hash)
                place = ("desk", "desk-1", point_id, point.point_hash or "")
                key = f"{kind} {point_id} {member.response_digest}"
                entry = ItemEntry(key, key, kind, *place, (member,), 1e6, check_kind=CHECKS.get(point_id))
                self.archive.put_items([replace(entry, **more)])

    def stands(self, point_id: str) -> list[tuple[str, float | None, str | None]]:
        """Status, award and author of what stands for a point, answer by answer."""
        (run,) = self.archive.runs()
        return [
            (str(point.standing.status), point.standing.award, point.standing.by)
            for graded in self.archive.graded(run)
            for point in graded.points
            if point.point_id == point_id and point.standing
        ]


@contextmanager
def served(archive: Archive) -> Iterator[str]:
    """The desk on a port of its own; its address."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    address = Address(f"http://127.0.0.1:{listening.getsockname()[1]}")
    config = uvicorn.Config(make_app(archive, address), access_log=False, log_level="error")
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield address.origin
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@contextmanager
def office(graded: Path, folder: Path, rules: QueueRules | None = None) -> Iterator[Office]:
    """A desk over a copy of a graded archive, its queue filled again by other ``rules``."""
    copy = shutil.copy(graded, folder / "argus.db")
    with open_archive(str(copy)) as archive:
        if rules is not None:
            fill(archive, rules)
        yield Office(archive, make_app(archive, ADDRESS))
