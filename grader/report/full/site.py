"""The folder: ``index.html``, and ``problems/<problem>.html`` for each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.archive.store import Archive
from grader.errors import SetupError
from grader.report.full.files import file_name
from grader.report.full.problem import problem_page
from grader.report.making import MadeReport
from grader.report.page import report_page


def write_site(archive: Archive, made: MadeReport, folder: Path) -> int:
    """Write the pages one after another; how many problems there are. SetupError if they can't be written."""
    source, public = made.frames.source, made.report.options.public
    problem_ids = list(dict.fromkeys(made.frames.subquestions["problem_id"]))
    pages = folder / "problems"
    try:
        pages.mkdir(parents=True, exist_ok=True)
        for place, problem_id in enumerate(problem_ids):
            problem = source.problems[problem_id]
            links = [("Report", "../index.html"), *_beside(problem_ids, place)]
            text = problem_page(archive, source.runs, problem, links, made.frames.errata, public=public)
            (pages / file_name(problem_id)).write_text(text, encoding="utf-8")
        index = report_page(
            made.report, made.frames, {one: f"problems/{file_name(one)}" for one in problem_ids}
        )
        (folder / "index.html").write_text(index, encoding="utf-8")
    except OSError as error:
        raise SetupError("the pages can't be written", file=str(folder), got=error.strerror) from error
    return len(problem_ids)


def _beside(problem_ids: Sequence[str], place: int) -> list[tuple[str, str]]:
    links = []
    if place:
        links.append((f"Before: {problem_ids[place - 1]}", file_name(problem_ids[place - 1])))
    if place + 1 < len(problem_ids):
        links.append((f"Next: {problem_ids[place + 1]}", file_name(problem_ids[place + 1])))
    return links
