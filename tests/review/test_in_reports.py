"""What a report's differences hang on is marked first; marks and disputes come back into the report."""

from __future__ import annotations

import json

import pytest

from grader.archive.lines import id_of
from grader.archive.store import Archive, open_archive
from grader.errors import DataError
from grader.grade import GradeRequest, grade
from grader.grade.asking import JudgeRequest
from grader.problem.set import load_set
from grader.report.document import Options, Section
from grader.report.full.site import write_site
from grader.report.making import ReportRequest, make_report
from grader.review.disputes import dispute
from grader.review.filters import Catalogue, Choice
from grader.review.fragile import fragile_places
from grader.review.queue import FRAGILE, OVERTURNS, QueueRules, fill
from tests.cli.conftest import argus  # noqa: F401  # the command, typed
from tests.grade.judged import at_once, write_card
from tests.grade.small import line, point, write_lines, write_set
from tests.model_server import model_server
from tests.review.desking import office
from tests.scripted_judge import judge_reply

PROBLEM = {
    "problem_id": "ice",
    "header": "Ice floats on water.",
    "subquestions": [
        {"sub_id": f"ice-{n}", "text_open": "Why?", "full_mark": 2, "rubric": [point(f"why-{n}", 2)]}
        for n in (1, 2)
    ],
}
AHEAD, BEHIND = "An open lattice.", "It is cold."


def judged(body):
    """A judge that is sure, and gives no reason to doubt it."""
    right = AHEAD in str(body["messages"])
    evidence = AHEAD if right else ""
    said = {"verdict": "met" if right else "not_met", "evidence": evidence, "confidence": 0.99}
    return judge_reply(body, lambda asked, _: said)


@pytest.fixture(scope="module")
def hanging(tmp_path_factory):
    """The archive of two models whose difference hangs on one verdict of a confident judge."""
    folder = tmp_path_factory.mktemp("hanging")
    write_set(folder, PROBLEM)
    answers = {"ahead": (AHEAD, f"{AHEAD} So."), "behind": (BEHIND, f"{AHEAD} Yes.")}
    lines = [
        line(f"ice-{n}", text, model) for model, texts in answers.items() for n, text in enumerate(texts, 1)
    ]
    run = write_lines(folder / "run.jsonl", lines)
    with open_archive(str(folder / "argus.db")) as archive, model_server(judged) as server:
        judge = JudgeRequest(write_card(folder, server.base_url), wait=at_once)
        grade(GradeRequest(run, load_set(folder), judge=judge, workers=1), archive)
    return folder / "argus.db"


@pytest.fixture
def written(hanging, tmp_path, argus):  # noqa: F811
    """What `argus report` writes of it."""
    words = ("--section", "fragility", "--format", "json", "--out", "report.json")
    assert argus("report", "--archive", hanging, *words).code == 0
    return tmp_path / "report.json"


@pytest.mark.slow
def test_what_a_published_difference_hangs_on_comes_first_however_sure_the_judge_was(
    hanging, written, tmp_path
):
    (turned,) = json.loads(written.read_text())["sections"]["fragility"]["reversals"]
    with office(hanging, tmp_path) as desk:
        fill(desk.archive, QueueRules(second=0.0))
        before = {one.entry.key for one in desk.archive.items()}
        places = fragile_places(desk.archive, written)
        assert places == {(turned["response"], turned["sub_id"], turned["point_id"])}
        fill(desk.archive, QueueRules(second=0.0, fragile=places))
        first = desk.archive.claim("Ada")
        assert first is not None
        assert first.entry.members[0].response_digest == turned["response"]
        assert (first.entry.point_id, first.entry.priority > FRAGILE) == (turned["point_id"], True)
        assert first.entry.reasons[-1] == OVERTURNS
        # asked once, whether it was queued before or not
        others = [one for one in desk.archive.items() if one.id != first.id]
        assert not [one for one in others if one.entry.alike == first.entry.alike]
        assert {one.entry.key for one in others} <= before
        wanted = Catalogue(desk.archive).choices().wanted(Choice(reason=OVERTURNS), adjudications=False)
        again = desk.archive.claim("Ada", wanted)
        assert again is not None
        assert again.id == first.id


def test_a_report_without_that_list_or_of_another_archive_is_refused(hanging, written, tmp_path):
    with office(hanging, tmp_path) as desk:
        for text in ("", "[]", '{"sections": {"fragility": {"differences": []}}}'):
            other = tmp_path / "other.json"
            other.write_text(text)
            with pytest.raises(DataError, match="no report as JSON"):
                fragile_places(desk.archive, other)
        other.write_text(written.read_text().replace('"response": "', '"response": "0'))
        with pytest.raises(DataError, match="none of the report's responses"):
            fragile_places(desk.archive, other)
        with pytest.raises(DataError, match="can't read the report"):
            fragile_places(desk.archive, tmp_path)


def test_marks_are_in_the_reviewed_score_and_disputes_are_errata(hanging, written, tmp_path):
    with office(hanging, tmp_path) as desk:
        fill(desk.archive, QueueRules(second=0.0, fragile=fragile_places(desk.archive, written)))
        report = make_report(desk.archive, ReportRequest(sections=("reviewed", "errata")))
        assert [one.key for one in report.report.sections] == ["reviewed"]  # nothing is disputed
        desk.person("Ada").next().mark("not_met", reason="Why is it open?")
        (section,) = make_report(desk.archive, ReportRequest(sections=("reviewed",))).report.sections
        scores = {
            one["model"]: (one["as_graded"][0], one["reviewed"][0], one["overridden"])
            for one in section.data["cells"]
        }
        assert sorted(scores.values()) == [(0.5, 0.5, 0), (1.0, 0.5, 1)]
        mark = next(
            one
            for answer in desk.archive.search()
            for given in answer.points
            for one in given.verdicts
            if one.verdict.by == "human:Ada"
        )
        dispute(desk.archive, id_of(mark), "It says so.", "Dee")
        assert errata_of(desk.archive).says == ("1 verdict was disputed: 1 open.",)
        desk.person("Cy", adjudicates=True).post("/adjudicate").mark("met", reason="It does.")
        told(desk.archive, tmp_path)


def errata_of(archive: Archive, **options: bool) -> Section:
    made = make_report(archive, ReportRequest(sections=("errata",), options=Options(**options)))
    (section,) = made.report.sections
    return section


def told(archive, folder):
    """The erratum in the section, in the pages, and without names and words in public ones."""
    section = errata_of(archive)
    assert section.says == ("1 verdict was disputed: 1 overturned.",)
    cells = [cell.text for cell in section.tables[0].rows[0]]
    assert cells[2:] == ["1", "not met, by human:Ada", "overturned", "met, by human:Cy", "It says so."]
    (row,) = errata_of(archive, public=True).data["disputes"]
    assert (row["before"], row["after"]) == (
        {"status": "not_met", "award": 0.0},
        {"status": "met", "award": 1.0},
    )
    for public, words in ((False, ("human:Ada", "It says so.", "It does.")), (True, ("a person",))):
        made = make_report(archive, ReportRequest(options=Options(public=public)))
        assert write_site(archive, made, folder / str(public)) == 1
        page = (folder / str(public) / "problems" / "ice.html").read_text()
        assert [page.count(one) > 0 for one in ("Disputed", "Overturned", *words)] == [True] * (
            2 + len(words)
        )
        index = (folder / str(public) / "index.html").read_text()
        assert "1 verdict was disputed: 1 overturned." in index
        if public:
            assert not [one for one in ("Ada", "Cy", "Dee", "It does", "It says") if one in page + index]
