"""Twenty people mark five thousand items while the server dies three times: each mark is there, and once."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from threading import Lock
from typing import Any
from urllib.parse import urlencode

import pytest

from grader.archive.store import open_archive
from grader.record import Status
from grader.review.security import token_hash
from tests.review.generated import POINTS, generate

PEOPLE, ITEMS = 20, 5_000
KILLS = (("arriving", 900), ("writing", 1_400), ("answering", 1_700))
"""When the server dies, and at which of the marks that it was sent since it began."""
LOOKS = 20
"""Every how many items a person opens the page too; it holds nothing of what is proved here."""


@dataclass
class Seen:
    """What the people together saw."""

    lock: Lock = field(default_factory=Lock)
    got: dict[int, str] = field(default_factory=dict)
    """Who was given an item."""
    twice: list[tuple[int, str, str]] = field(default_factory=list)
    """Items that somebody was given although somebody else had been."""
    kept: list[tuple[int, str, Status]] = field(default_factory=list)
    """Marks that the desk said it kept."""
    broken: int = 0
    """Requests that were never answered."""

    def give(self, item: int, name: str) -> None:
        """Somebody was given an item."""
        with self.lock:
            holder = self.got.setdefault(item, name)
            if holder != name:
                self.twice.append((item, holder, name))


@dataclass
class Reviewer:
    """A person who marks until nothing waits, and sends again what wasn't answered."""

    name: str
    port: int
    seen: Seen
    line: HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self.line = HTTPConnection("127.0.0.1", self.port, timeout=100)

    def work(self) -> None:
        """Mark item after item."""
        key = re.search(r'name="key" value="(\w+)"', self.ask("GET", "/")[1])
        assert key
        while (where := self.ask("POST", "/next", key=key[1])[0]) != "/done":
            item = int(where.removeprefix("/items/"))
            self.seen.give(item, self.name)
            if item % LOOKS == 0:
                assert "Point to mark" in self.ask("GET", where)[1]
            status = Status.MET if item % 3 else Status.NOT_MET
            form = f"form of item {item:06}"
            assert self.ask("POST", f"{where}/mark", key=key[1], form=form, status=status.value)[0] == where
            with self.seen.lock:
                self.seen.kept.append((item, self.name, status))
        self.line.close()

    def ask(self, method: str, path: str, **form: str) -> tuple[str, str]:
        """Where an answer leads, and its text; asked again in the same words until there is one."""
        headers = {
            "Cookie": f"argus_session={token(self.name)}",
            "Origin": f"http://127.0.0.1:{self.port}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        while True:
            try:
                self.line.request(method, path, urlencode(form) if form else None, headers)
                answer = self.line.getresponse()
                text = answer.read().decode()
            except (OSError, HTTPException):
                self.line.close()
                with self.seen.lock:
                    self.seen.broken += 1
                continue
            assert answer.status in (200, 303), (answer.status, text)
            return answer.getheader("location") or "", text


def token(name: str) -> str:
    return f"{name}-" * 10


@contextmanager
def dying_server(url: str) -> Iterator[tuple[int, list[int]]]:
    """The port of a desk that is started again each time it dies, and how its processes ended.

    The socket outlives them: who comes while none runs waits for the next.
    """
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)
    port = listening.getsockname()[1]
    ended: list[int] = []
    running: list[subprocess.Popen[bytes]] = []

    def start(moment: str, ordinal: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "tests.review.killed_server", url, f"http://127.0.0.1:{port}"]
        command += [str(listening.fileno()), moment, str(ordinal)]
        running.append(subprocess.Popen(command, pass_fds=[listening.fileno()]))
        return running[-1]

    def keep_up() -> None:
        for moment, ordinal in KILLS:
            ended.append(start(moment, ordinal).wait())
        start("never", 0)

    with ThreadPoolExecutor(1) as keeper:
        kept = keeper.submit(keep_up)
        try:
            yield port, ended
        finally:
            while not kept.done():  # the test failed too early: let none of its servers wait for a mark
                wait([kept], timeout=0.1)
                running[-1].kill()
            running[-1].kill()
            running[-1].wait()
            listening.close()


@pytest.mark.slow
def test_no_mark_is_lost_or_doubled_and_no_item_held_by_two_while_the_server_dies(archive_url, tmp_path):
    names = [f"reviewer-{n:02}" for n in range(PEOPLE)]
    seen = Seen()
    with open_archive(archive_url) as archive:
        generate(archive, tmp_path, ITEMS // POINTS)
        for name in names:
            archive.invite(name, token_hash(token(name)))
        with dying_server(archive_url) as (port, ended), ThreadPoolExecutor(PEOPLE) as pool:
            for done in [pool.submit(Reviewer(name, port, seen).work) for name in names]:
                done.result()
        assert ended == [-signal.SIGKILL] * len(KILLS)
        assert seen.broken >= len(KILLS)

        assert seen.twice == []
        kept = Counter(seen.kept)
        assert (len(kept), set(kept.values())) == (ITEMS, {1})
        marks = [one.entry for one in archive.marks()]
        assert Counter((one.item_id, one.reviewer, one.status) for one in marks) == kept
        assert {(one.state, one.holder) for one in archive.items()} == {("done", name) for name in names}

        items = {one.id: one.entry for one in archive.items()}
        meant = {
            (items[item].members[0].response_digest, items[item].point_id): (f"human:{name}", status)
            for item, name, status in kept
        }
        assert human_verdicts(archive) == [(place, *meant[place]) for place in sorted(meant)]


def human_verdicts(archive: Any) -> list[tuple[tuple[str, str], str, Status]]:
    """Every verdict of a person, by answer and point."""
    (run,) = archive.runs()
    return sorted(
        ((graded.response.digest, point.point_id), one.verdict.by, one.verdict.status)
        for graded in archive.graded(run)
        for point in graded.points
        for one in point.verdicts
    )
