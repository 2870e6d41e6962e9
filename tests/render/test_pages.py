"""A page with every part is readable by everybody, at every width, in the dark and on paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import Browser, Scheme
from tests.render.demo_page import write


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("page"))


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (390, "dark"),
        (1280, "light"),
        pytest.param(390, "light", marks=pytest.mark.slow),
        pytest.param(1280, "dark", marks=pytest.mark.slow),
    ],
)
def test_nobody_is_shut_out_and_nothing_is_loaded(
    browser: Browser, demo: Path, width: int, scheme: Scheme
) -> None:
    seen = browser.look(demo, width, scheme)
    assert seen.violations == ()
    assert seen.overflow == 0
    assert seen.requests == (demo.as_uri(),)
    assert seen.errors == ()


def test_it_prints_on_several_sheets_without_cutting_off_columns(
    browser: Browser, demo: Path, tmp_path: Path
) -> None:
    out = tmp_path / "demo.pdf"
    assert browser.pdf(demo, out) >= 2
    assert out.stat().st_size > 10_000
