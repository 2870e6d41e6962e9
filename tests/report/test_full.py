"""Pages hold all there is of an answer, link to each other, and in public hold nothing that is private."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pandas as pd
import pytest

from grader.archive.store import open_archive
from grader.grade import GradeRequest, grade
from grader.problem.set import load_set
from grader.report.document import Options
from grader.report.export import export_frames
from grader.report.formats import written
from grader.report.full.site import write_site
from grader.report.making import ReportRequest, make_report
from grader.report.sections import NAMES
from grader.stats.frames import LEVELS
from tests.grade.small import line, point, write_lines, write_set
from tests.report.planted import TOKEN, planted_archive

FORMATS = ("terminal", "markdown", "latex", "html", "json")


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    with planted_archive(tmp_path_factory.mktemp("planted")) as opened:
        yield opened


@pytest.fixture(scope="module")
def site(archive, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    request = ReportRequest(deep=True, options=Options(pages=True))
    assert write_site(archive, make_report(archive, request), folder) == 1
    return folder


@pytest.fixture(scope="module")
def public(archive, tmp_path_factory):
    folder = tmp_path_factory.mktemp("public")
    made = make_report(archive, ReportRequest(deep=True, options=Options(public=True, pages=True)))
    write_site(archive, made, folder)
    return folder


class Links(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.hrefs, self.tags = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.tags.append(tag)
        self.ids += [named["id"]] if "id" in named else []
        self.hrefs += [named["href"]] if tag == "a" and "href" in named else []


def pages(folder):
    return {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.html"))}


def page_of(folder):
    (page,) = (folder / "problems").glob("*.html")
    return page.read_text(encoding="utf-8")


def test_every_link_leads_to_a_place_in_the_folder(site):
    found = {path: Links(text) for path, text in pages(site).items()}
    assert len(found) == 2
    for path, links in found.items():
        assert len(links.ids) == len(set(links.ids)), path
        assert links.hrefs
        for href in links.hrefs:
            file, _, place = href.partition("#")
            target = (path.parent / file).resolve() if file else path.resolve()
            assert target in {one.resolve() for one in found}, href
            assert not place or place in found[next(one for one in found if one.resolve() == target)].ids, (
                href
            )


def test_a_page_runs_nothing_and_loads_nothing(site):
    for path, text in pages(site).items():
        assert not {"script", "iframe", "link", "object"} & set(Links(text).tags), path
        assert "http://" not in re.sub(r'xmlns(:\w+)?="http://[^"]*"', "", text).replace(
            "http://127.0.0.1", ""
        )


def test_what_an_answer_writes_is_shown_and_never_run(site):
    text = page_of(site)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "<strong>CC=O</strong>" in text  # rendered
    assert "**CC=O**" in text  # and as written


def test_a_page_goes_down_to_evidence_request_and_reply(site):
    text = unescape(page_of(site))
    for told in (
        "zqpointqz: ethanal",  # the rubric
        "formal:smiles@",
        "human:Ada",
        "zqreasonqz",
        "zqrationaleqz of m",  # the judge's words
        '"role": "user"',  # what it was asked
        '"choices"',  # what it replied
        "answer</text>",  # structures side by side
        "zqresultqz",
    ):
        assert told in text, told
    assert "<mark>" in text


def test_structures_that_two_points_compare_are_drawn_at_the_one_that_was_not_met(tmp_path):
    checks = {"bonds": {"stereo": "ignore"}, "centre": {}}
    rubric = [
        point(name, 1, kind="smiles", expected="C[C@H](O)CC", **options) for name, options in checks.items()
    ]
    sub = {"sub_id": "q-1", "text_open": "Which?", "full_mark": 2, "rubric": rubric}
    folder = write_set(tmp_path / "set", {"problem_id": "q", "header": "h", "subquestions": [sub]})
    answers = {"other": "`C[C@@H](O)CC`", "right": "`C[C@H](O)CC`"}
    run = write_lines(folder / "run.jsonl", [line("q-1", text, name) for name, text in answers.items()])
    with open_archive(str(tmp_path / "argus.db")) as opened:
        grade(GradeRequest(run, load_set(folder), workers=1), opened)
        write_site(opened, make_report(opened, ReportRequest()), tmp_path / "site")
    page = page_of(tmp_path / "site")
    found = re.findall(r"<b>(bonds|centre)</b> \[1\]\s+<span|(structures compared)", page)
    shown = [name or "drawn" for name, _ in found]
    assert shown == ["bonds", "centre", "drawn", "bonds", "drawn", "centre"]


def test_pages_are_the_same_each_time(archive, site, tmp_path):
    request = ReportRequest(deep=True, options=Options(pages=True))
    write_site(archive, make_report(archive, request), tmp_path)
    assert list(pages(tmp_path).values()) == list(pages(site).values())


# In public


def test_the_tokens_are_in_what_is_not_public(site):
    assert len(set(TOKEN.findall(page_of(site)))) > 10


def test_no_private_word_is_on_a_public_page(public):
    for path, text in pages(public).items():
        assert not TOKEN.findall(unescape(text)), path
        assert "by code" in text or path.name == "index.html"


def test_a_public_page_shows_questions_answers_and_marks(public):
    text = unescape(page_of(public))
    assert "Ethanol is oxidised." in text
    assert "It is ethanal." in text
    assert "[withheld]" in text
    assert text.count("data:image/png") == 1  # the visible one


@pytest.mark.parametrize("form", FORMATS)
def test_no_private_word_is_in_a_public_report(archive, form):
    request = ReportRequest(sections=NAMES, deep=True, options=Options(public=True))
    made = make_report(archive, request)
    assert not TOKEN.findall(unescape(written(made.report, form, made.frames)))


def test_no_private_word_is_in_public_frames(archive, tmp_path):
    frames = make_report(archive, ReportRequest()).frames
    export_frames(frames, tmp_path / "all")
    export_frames(frames, tmp_path / "public", public=True)
    assert len(set(TOKEN.findall((tmp_path / "all" / "nodes.csv").read_text()))) == 7
    written_files = sorted((tmp_path / "public").iterdir())
    assert len(written_files) == 3 * len(LEVELS)
    for path in written_files:
        text = pd.read_parquet(path).to_csv() if path.suffix == ".parquet" else path.read_text()
        assert not TOKEN.findall(text), path
