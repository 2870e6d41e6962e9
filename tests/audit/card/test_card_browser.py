"""A report card as readers see it: narrow and wide, light and dark, on paper, and as axe does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.audit.card.page import card_page
from grader.audit.formats import written
from tests.audit.made_card import GROUND, card
from tests.browser import Browser, Scheme

LONG = "a-model-whose-name-nobody-could-ever-have-meant-to-be-shown-in-a-table-of-a-phone"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = card(provisional=True, ground=replace(GROUND, runs=(LONG,)), judge=f"{LONG}@0123456789ab")
    file = tmp_path_factory.mktemp("card") / "card.html"
    html = written(card_page(made), "html").replace("<details", "<details open")  # what is folded fits, too
    file.write_text(html, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("width", "scheme"), [(390, "light"), pytest.param(1280, "dark", marks=pytest.mark.slow)]
)
def test_a_card_fits_its_window_loads_nothing_and_is_accessible(
    browser: Browser, page: Path, width: int, scheme: Scheme
) -> None:
    seen = browser.look(page, width, scheme)
    assert seen.violations == ()
    assert seen.overflow == 0
    assert [one for one in seen.requests if not one.startswith(("file:", "data:"))] == []
    assert seen.errors == ()


def test_a_card_can_be_printed(browser: Browser, page: Path, tmp_path: Path) -> None:
    assert browser.pdf(page, tmp_path / "card.pdf") >= 1


def test_that_it_is_a_demonstration_is_seen_without_scrolling(browser: Browser, page: Path) -> None:
    script = "document.querySelector('.warning').getBoundingClientRect().bottom < window.innerHeight"
    assert browser.ask(page, script, 390) is True
