"""The desk in Chromium: by keyboard alone, with and without its script, narrow and wide, light and dark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from grader.record import Evidence, Status
from grader.review.queue import QueueRules
from grader.review.security import token_hash
from tests.browser import violations
from tests.review.desking import ATTACK, OTHER, RIGHT, office, served

TOKEN = "t" * 43


@pytest.fixture
def address(desk):
    desk.archive.invite("Ada", token_hash(TOKEN), adjudicates=True)
    with served(desk.archive) as origin:
        yield origin


def signed_in(tab: Any, address: str, token: str = TOKEN) -> list[str]:
    """Open the desk by a link; what the console says from then on."""
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("dialog", lambda dialog: said.append(f"a script ran: {dialog.message}"))
    tab.goto(f"{address}/enter?token={token}")
    tab.wait_for_url(f"{address}/")
    return said


def press(tab: Any, *keys: str) -> None:
    for key in keys:
        tab.keyboard.press(key)


def says(tab: Any, text: str) -> None:
    """Wait until the live region says it."""
    tab.wait_for_function("text => document.getElementById('said').textContent === text", arg=text)


def point(tab: Any) -> str:
    return str(tab.inner_text(".rubric .current b"))


@pytest.mark.slow
def test_items_are_marked_by_keyboard_alone(desk, address, browser):
    def work(tab: Any) -> None:
        said = signed_in(tab, address)
        press(tab, "Enter")
        tab.wait_for_url("**/items/*")
        assert point(tab) == "why"
        # evidence, word by word; a reason in which every key is only a letter; the rubric is wrong
        press(tab, "e", "ArrowRight", "ArrowLeft", "Shift+ArrowRight", "Shift+ArrowRight", "Enter")
        says(tab, "The evidence is taken.")
        press(tab, "r")
        tab.keyboard.type("menu, spqr?")
        press(tab, "Escape", "w", "m")
        says(tab, "Your mark is kept.")
        assert "unjudged" in tab.inner_text("#stood + .told")
        # the next one in part, which is undone and given in full
        press(tab, "Enter")
        tab.wait_for_function("() => !document.getElementById('yours')")
        press(tab, "p")
        tab.keyboard.type("0.5" if point(tab) == "why" else "-0.5")
        press(tab, "Enter")
        says(tab, "Your mark is kept.")
        press(tab, "u")
        says(tab, "Your mark is taken back.")
        press(tab, "n")
        says(tab, "Your mark is kept.")
        # skipping, help and the way back; keys of the browser stay its own
        press(tab, "Enter")
        tab.wait_for_function("() => !document.getElementById('yours')")
        skipped = tab.url
        press(tab, "Control+m", "Alt+n", "s")
        says(tab, "Skipped.")
        assert tab.url != skipped
        press(tab, "?")
        tab.wait_for_selector(".keys")
        press(tab, "l")
        tab.wait_for_selector("#people")
        assert said == []

    browser.use(work)
    marks = [one.entry for one in desk.archive.marks()]
    assert [(one.status, one.undoes is None, one.after_seen) for one in marks] == [
        (Status.MET, True, False),
        (Status.PARTIAL, True, False),
        (Status.UNDETERMINED, False, False),
        (Status.NOT_MET, True, True),
    ]
    first = marks[0]
    assert first.evidence == (Evidence("The product is", 0, 14),)
    assert (first.reason, first.says, first.seconds < 60) == ("menu, spqr?", "rubric_wrong", True)


def test_the_page_shows_the_raw_text_and_back_with_one_key(desk, address, browser):
    def work(tab: Any) -> None:
        signed_in(tab, address)
        press(tab, "Enter")
        tab.wait_for_url("**/items/*")
        seen = []
        for _ in range(3):
            seen.append((tab.is_visible(".views .rendered"), tab.is_visible("#raw")))
            press(tab, "t")
        assert seen == [(True, False), (False, True), (True, False)]

    browser.use(work)


@pytest.mark.slow
def test_without_script_every_form_still_works(desk, address, browser):
    def work(tab: Any) -> None:
        context = tab.context.browser.new_context(java_script_enabled=False)
        page = context.new_page()
        signed_in(page, address)
        page.get_by_role("button", name="Mark the next item").click()
        page.get_by_label("Evidence").fill("A peracid gives")
        page.get_by_role("button", name=re.compile("^Met")).click()
        assert page.inner_text("#said") == "Your mark is kept."
        page.get_by_role("button", name="Undo").click()
        assert page.inner_text("#said") == "Your mark is taken back."
        context.close()

    browser.use(work)
    start = RIGHT.index("A peracid")
    assert next(desk.archive.marks()).entry.evidence == (Evidence("A peracid gives", start, start + 15),)


@pytest.mark.slow
def test_what_is_selected_with_the_mouse_is_taken_with_one_key(desk, address, browser):
    """Written-out characters and what is said to screen readers shift no place."""
    desk.put("why", "dispute", OTHER)

    def work(tab: Any) -> None:
        signed_in(tab, address)
        press(tab, "a")
        tab.wait_for_url("**/items/*")
        press(tab, "t")
        tab.evaluate(
            """() => {
                const last = [...document.querySelector("#raw pre").childNodes].at(-1);
                const range = document.createRange();
                range.setStart(last, last.data.indexOf("turns"));
                range.setEnd(last, last.data.indexOf("marks"));
                getSelection().addRange(range);
            }"""
        )
        press(tab, "e", "m")
        says(tab, "Your mark is kept.")

    browser.use(work)
    start = OTHER.index("turns")
    quote = OTHER[start : OTHER.index("marks")]
    assert next(desk.archive.marks()).entry.evidence == (Evidence(quote, start, start + len(quote)),)


@pytest.fixture
def differing(graded, tmp_path):
    """A desk at which two people differ about the first item, and Cy is to settle it."""
    with office(graded, tmp_path, QueueRules(second=1.0)) as desk, served(desk.archive) as origin:
        ada, bo = desk.person("Ada"), desk.person("Bo")
        ada.next().mark("met", quote="A peracid gives", reason=f"Clear to me. {ATTACK}")
        bo.next()
        while "<b>why</b> [3]" not in bo.page or "2 identical" not in bo.page:
            bo.post(f"/items/{bo.item}/skip")
        bo.mark("not_met", reason="It isn't said why.")
        desk.archive.invite("Cy", token_hash(TOKEN), adjudicates=True)
        desk.put("product", "spot_check", OTHER)
        yield origin


def every_page(tab: Any, address: str) -> Iterator[str]:
    """Every page of the desk, one after the other, by its name."""
    tab.goto(f"{address}/help")
    yield "signed out"
    signed_in(tab, address)
    yield "queue"
    press(tab, "a")
    tab.wait_for_url("**/items/*")
    yield "adjudication"
    press(tab, "t", "e")
    yield "selecting"
    press(tab, "Escape", "e")
    tab.fill("#quote", "not in the answer")
    press(tab, "Escape", "m")
    tab.wait_for_selector(".error")
    yield "refused"
    tab.fill("#quote", "")
    press(tab, "Escape", "n")
    says(tab, "Your mark is kept.")
    yield "settled"
    press(tab, "Enter")
    says(tab, "There is no difference to settle.")
    press(tab, "Enter")
    tab.wait_for_selector(".rubric")
    yield "blind"
    press(tab, "n")
    says(tab, "Your mark is kept.")
    yield "seen"
    for name in ("help", "done", "items/99", "nowhere"):
        tab.goto(f"{address}/{name}")
        yield name
    press(tab, "l")
    tab.wait_for_selector("#people")
    yield "queue with people"


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (390, "dark"), (640, "light"), (1280, "dark")])
def test_every_page_is_accessible_and_fits(differing, browser, width, scheme):
    """640 pixels are what 200 % zoom leaves of 1280."""

    def work(tab: Any) -> None:
        for name in every_page(tab, differing):
            assert violations(tab) == [], name
            over = "document.documentElement.scrollWidth - window.innerWidth"
            assert tab.evaluate(over) <= 0, name
            headings = tab.evaluate("document.querySelectorAll('h1').length")
            assert headings == 1, name

    browser.use(work, width, scheme)
