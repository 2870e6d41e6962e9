"""Measures as a table: units said, ends of intervals told apart, nothing undefined printed as a number."""

from __future__ import annotations

import pytest

from grader.audit.measure_words import measure_span, measure_value, measures_table
from grader.audit.result import Audit, Measure


@pytest.mark.parametrize(
    ("measure", "value", "span"),
    [
        (Measure("kappa", 0.8124, "correlation", low=-0.1, high=0.9), "0.812", "−0.100 to 0.900"),
        (Measure("share", 0.963, "share", low=0.9, high=0.99), "96.3 %", "90.0 to 99.0 %"),
        (Measure("leniency", 0.069, "points", low=-0.002, high=0.12), "+6.9 pp", "−0.2 to +12.0 pp"),
        (Measure("standard error by problem", 0.027, "points"), "2.7 pp", "–"),
        (Measure("error", 0.0, "share", high=0.049), "0.0 %", "at most 4.9 %"),
        (Measure("error", 1.0, "share", low=0.95), "100.0 %", "at least 95.0 %"),
        (Measure("missing", 1234, "count"), "1,234", "–"),
        (Measure("time", 12.34, "seconds"), "12.3 s", "–"),
        (Measure("kappa", None, "correlation"), "–", "–"),
    ],
)
def test_a_value_is_printed_in_its_unit(measure, value, span):
    assert (measure_value(measure), measure_span(measure)) == (value, span)


def table_of(*audits):
    made = measures_table(audits)
    return (
        [column.heading for column in made.columns],
        [[cell.text for cell in row] for row in made.rows],
        made,
    )


def test_a_column_that_says_nothing_is_left_out():
    one = Measure("kappa", 0.9, "correlation", n=480, problems=12)
    headings, rows, made = table_of(Audit("A1", "card@0123456789ab", (one,)))
    assert headings == ["measure", "value", "n", "problems"]
    assert rows == [["kappa", "0.900", "480", "12"]]
    assert made.notes == ()


def test_judges_audits_and_findings_are_named_where_they_differ():
    flagged = Measure(
        "leniency", 0.05, "points", "model x", 0.01, 0.09, 100, 20, 0.001, 0.0004, 0.03, flagged=True
    )
    headings, rows, made = table_of(
        Audit("A1", "card@0123456789ab", (Measure("kappa", 0.9, "correlation"),), level=0.9),
        Audit("A2", "other", (flagged,), level=0.9),
    )
    assert headings[:4] == ["judge", "audit", "measure", "of"]
    assert "90 % interval" in headings
    assert rows[0][:2] == ["card@01234567", "Agreement with people"]
    assert rows[1][-3:] == ["< 0.001", "3.0 pp", "yes"]
    assert len(made.notes) == 4


def test_no_audits_make_an_empty_table():
    assert measures_table([], title="Nothing").rows == ()
