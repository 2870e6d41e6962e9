"""The report as one page: what it says first, then sections, then every problem down to the subquestion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from grader.render.page import page
from grader.render.tables import Cell, Column, DataTable, to_html
from grader.render.words import counted
from grader.report.cells import lines
from grader.report.document import Levels, Report, Section
from grader.report.full.files import anchor
from grader.report.words import NONE, Conditions, percent, short_id, span, whole

PROBLEMS = "problems"


def report_page(report: Report, levels: Levels, links: Mapping[str, str] | None = None) -> str:
    """The page, with nothing to load; ``links``: from problems to their own pages, where there are any."""
    sections = [_section(section) for section in report.sections]
    problems = list(_problems(levels, links or {})) if report.sections else []
    navigation = [(section["title"], f"#{section['key']}") for section in sections]
    if problems:
        navigation.append(("Problems", f"#{PROBLEMS}"))
    return page(
        "report.html",
        title=report.title,
        links=navigation,
        summary=report.summary,
        runs=report.runs,
        checks=report.checks,
        sections=sections,
        problems=problems,
        problems_key=PROBLEMS,
        public=report.options.public,
    )


def _section(section: Section) -> dict[str, Any]:
    return {
        "key": f"section-{section.key}",
        "title": section.title,
        "text": section.text,
        "tables": [to_html(table) for table in section.tables],
        "figures": list(section.draw()),
    }


def _problems(levels: Levels, links: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """A table a problem: rows are cells, columns its subquestions."""
    conditions = Conditions.of(levels.subquestions)
    totals = dict(iter(levels.problems.groupby("problem_id", sort=False)))
    for number, (problem_id, rows) in enumerate(levels.subquestions.groupby("problem_id", sort=False)):
        total = totals[problem_id]
        earned, full = float(total["earned"].sum()), float(total["full_mark"].sum())
        yield {
            "id": problem_id,
            "anchor": anchor("problem", number),
            "href": links.get(str(problem_id)),
            "table": to_html(_problem_table(number, str(problem_id), rows, total, conditions)),
            "size": counted(rows["sub_id"].nunique(), "subquestion"),
            "mean": percent(earned / full if full else None),
        }


def _problem_table(
    number: int, problem_id: str, rows: pd.DataFrame, total: pd.DataFrame, conditions: Conditions
) -> DataTable:
    subs = list(rows.sort_values("position", kind="stable")["sub_id"].unique())
    found: dict[tuple[str, str, str], dict[str, str]] = {}
    for one in lines(rows):
        found.setdefault((one.model, one.protocol, one.mode), {})[one.sub_id] = _share(one)
    whole_problem = {(one.model, one.protocol, one.mode): _share(one) for one in lines(total)}
    order = {pair: place for place, pair in enumerate(conditions.pairs)}
    names = sorted(found, key=lambda name: (name[0], order[name[1:]]))
    filled = [
        (
            Cell(_cell_name(name, conditions)),
            *(Cell(found[name].get(sub_id, NONE)) for sub_id in subs),
            Cell(whole_problem.get(name, NONE)),
        )
        for name in names
    ]
    columns = [Column("model"), *(Column(short_id(problem_id, str(sub_id)), numeric=True) for sub_id in subs)]
    columns.append(Column("all", numeric=True))
    title = f"{problem_id}, % of the full marks"
    return DataTable(f"problem-{number}-scores", title, tuple(columns), tuple(filled))


def _cell_name(name: tuple[str, str, str], conditions: Conditions) -> str:
    model, protocol, mode = name
    return f"{model}, {conditions.label(protocol, mode)}" if conditions.varying else model


def _share(one: Any) -> str:
    """Earned by full marks, or its bounds while points are open."""
    if not one.full_mark:
        return NONE
    low, high = one.low / one.full_mark, one.high / one.full_mark
    return percent(one.earned / one.full_mark) if whole(low, high) else span(low, high)
