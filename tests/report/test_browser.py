"""Pages of a report as readers see them: narrow and wide, light and dark, on paper, and as axe does."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.report.document import Options
from grader.report.full.site import write_site
from grader.report.making import ReportRequest, make_report
from tests.browser import Browser, Scheme
from tests.report.planted import planted_archive


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    request = ReportRequest(deep=True, options=Options(pages=True))
    with planted_archive(tmp_path_factory.mktemp("planted")) as archive:
        write_site(archive, make_report(archive, request), folder)
    return folder


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


@pytest.mark.parametrize(
    ("width", "scheme"), [(390, "light"), pytest.param(1280, "dark", marks=pytest.mark.slow)]
)
def test_a_page_fits_its_window_loads_nothing_and_is_accessible(
    browser: Browser, site: Path, width: int, scheme: Scheme
) -> None:
    for page in pages(site):
        _open_all(page)
        seen = browser.look(page, width, scheme)
        assert seen.violations == ()
        assert seen.overflow == 0
        assert [one for one in seen.requests if not one.startswith(("file:", "data:"))] == []
        assert seen.errors == ()


def test_a_page_can_be_printed(browser: Browser, site: Path, tmp_path: Path) -> None:
    for page in pages(site):
        assert browser.pdf(page, tmp_path / "page.pdf") >= 1


def test_a_link_to_an_answer_opens_it(browser: Browser, site: Path) -> None:
    (page,) = (site / "problems").iterdir()
    text = page.read_text().replace("<details open", "<details")
    page.write_text(text)
    script = """async () => {
        const link = document.querySelector('#answers a[href^="#"]');
        link.click();
        await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
        return document.getElementById(link.hash.slice(1)).closest('details').open;
    }"""
    assert browser.ask(page, script) is True


def _open_all(page: Path) -> None:
    """What is folded away must fit, too."""
    page.write_text(page.read_text().replace("<details", "<details open").replace("open open", "open"))
