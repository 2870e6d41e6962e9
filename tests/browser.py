"""Debian's Chromium, to look at pages as readers do: narrow, wide, light, dark, on paper, and as axe does."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

Scheme = Literal["light", "dark"]
PROGRAM = Path("/usr/bin/chromium")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seen:
    """A page as it was shown.

    ``violations`` are axe's, one line an element; ``overflow`` is how many
    pixels the page is wider than its window; ``requests`` are the addresses it
    asked for, and ``errors`` what the console said, a refusal of its policy
    among it.
    """

    violations: tuple[str, ...]
    overflow: int
    requests: tuple[str, ...]
    errors: tuple[str, ...]


class Browser:
    """A headless Chromium. Playwright's loop has a thread of its own, away from the loops of other tests."""

    def __init__(self, chromium: Any, run: Callable[[Callable[[], Any]], Any]) -> None:
        self._chromium = chromium
        self._run = run

    def look(self, page: Path, width: int = 1280, scheme: Scheme = "light", shot: Path | None = None) -> Seen:
        """Open a file, run axe over it, note what it asked for; ``shot`` keeps a picture of all of it."""
        seen: Seen = self._run(lambda: self._look(page, width, scheme, shot))
        return seen

    def pdf(self, page: Path, out: Path) -> int:
        """Print a file on A4; how many pages it took."""
        return int(self._run(lambda: self._print(page, out)))

    def ask(self, page: Path, script: str, width: int = 1280) -> Any:
        """What a script finds in an open file."""
        return self._run(lambda: self._ask(page, script, width))

    def use(self, work: Callable[[Any], T], width: int = 1280, scheme: Scheme = "light") -> T:
        """What ``work`` makes of a tab of its own, which has no cookies yet."""
        made: T = self._run(lambda: self._use(work, width, scheme))
        return made

    def _use(self, work: Callable[[Any], T], width: int, scheme: Scheme) -> T:
        context = self._chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        try:
            return work(context.new_page())
        finally:
            context.close()

    def _look(self, page: Path, width: int, scheme: Scheme, shot: Path | None) -> Seen:
        with self._opened(page, width, scheme) as (tab, requests, errors):
            found = tuple(violations(tab))
            overflow = tab.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            if shot is not None:
                tab.screenshot(path=shot, full_page=True)
            return Seen(found, max(0, overflow), tuple(requests), tuple(errors))

    def _print(self, page: Path, out: Path) -> int:
        with self._opened(page, 1280, "dark") as (tab, _, _):
            tab.pdf(path=out, format="A4", print_background=True, prefer_css_page_size=True)
        return len(re.findall(rb"/Type\s*/Page\b", out.read_bytes()))

    def _ask(self, page: Path, script: str, width: int) -> Any:
        with self._opened(page, width, "light") as (tab, _, _):
            return tab.evaluate(script)

    @contextmanager
    def _opened(self, page: Path, width: int, scheme: Scheme) -> Iterator[tuple[Any, list[str], list[str]]]:
        tab = self._chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        requests: list[str] = []
        errors: list[str] = []
        tab.on("request", lambda request: requests.append(request.url))
        tab.on("console", lambda message: errors.append(message.text))
        tab.on("pageerror", lambda error: errors.append(str(error)))
        try:
            tab.goto(page.resolve().as_uri())
            yield tab, requests, errors
        finally:
            tab.close()


def violations(tab: Any) -> list[str]:
    """What axe finds on an open page, one line an element."""
    from axe_playwright_python.sync_playwright import Axe

    return list(_told(Axe().run(tab).response))


def _told(response: dict[str, Any]) -> Iterator[str]:
    for violation in response["violations"]:
        for node in violation["nodes"]:
            yield f"{violation['id']}: {violation['help']}: {node['html'][:200]}"


def program() -> Path | None:
    """Chromium, where it is installed."""
    return PROGRAM if PROGRAM.exists() and shutil.which(PROGRAM) else None


@contextmanager
def opened(chromium: Path) -> Iterator[Browser]:
    """A running browser, for as long as the block takes."""
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="browser") as thread:

        def run(work: Callable[[], T]) -> T:
            return thread.submit(work).result()

        playwright = run(_started)
        try:
            # as root, which containers run as, Chromium has no sandbox
            launched = run(
                lambda: playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            )
            yield Browser(launched, run)
            run(launched.close)
        finally:
            run(playwright.stop)


def _started() -> Any:
    from playwright.sync_api import sync_playwright

    return sync_playwright().start()
