"""What people are to look at is what was last said, under each grading for itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.archive.entry import RouteEntry, SpotCheckEntry, response_digest
from grader.record import Status
from tests.archive.judged import DOUBT, DRAW
from tests.archive.sample import ENGINES, REASON_NODE, REPLIES, SET, grade

DIGESTS = [response_digest(one.response) for one in REPLIES]


@pytest.fixture
def grading(archive):
    return archive.begin_grading(grade(archive), SET.digest, ENGINES)


def doubt(line, *reasons):
    return RouteEntry(DIGESTS[line - 2], "kin-1", "reason", reasons, Status.PARTIAL, 0.5)


def draw(line, stratum="confident"):
    place = (DIGESTS[line - 2], "kin-1", "reason")
    return SpotCheckEntry(*place, REASON_NODE.point_hash, "a", stratum, 0.05, 2**62, "formal:quantity@1")


def test_a_point_nobody_doubts_leaves_no_row(archive, grading):
    assert archive.put_routes(grading, [doubt(2), doubt(3, "split")]) == 1
    assert archive.put_spot_checks(grading, [draw(2, None), draw(3)]) == 1
    assert (archive.counts()["triage"], archive.counts()["spot_checks"]) == (1, 1)


def test_what_is_said_again_is_there_once_and_what_differs_holds(archive, grading):
    first, second, none = doubt(2, "split"), doubt(2, "low_confidence", "split"), doubt(2)
    news = [archive.put_routes(grading, [one]) for one in (first, first, second, none, none, first)]
    assert news == [1, 0, 1, 1, 0, 1]
    assert list(archive.triage(grading)) == [first]
    archive.put_routes(grading, [none])
    assert list(archive.triage(grading)) == []


def test_a_draw_whose_stratum_changed_is_replaced_or_withdrawn(archive, grading):
    withdrawn = replace(draw(2, None), seed=1, by="judge:x@1")
    news = [
        archive.put_spot_checks(grading, [one])
        for one in (draw(2), draw(2, "doubtful"), withdrawn, draw(2, None))
    ]
    assert news == [1, 1, 1, 0]
    assert list(archive.spot_checks(grading)) == []
    archive.put_spot_checks(grading, [draw(2)])
    assert list(archive.spot_checks(grading)) == [draw(2)]


@pytest.mark.parametrize("portion", [1, 2, 200])
def test_both_are_read_in_the_order_of_the_run(archive, grading, portion, monkeypatch):
    monkeypatch.setattr("grader.archive.routes.PORTION", portion)
    doubts = [doubt(line, "split") for line in (2, 3, 4)]
    archive.put_routes(grading, [*doubts[::-1], doubt(3), doubts[1], replace(doubts[0], point_id="rate")])
    expected = [replace(doubts[0], point_id="rate"), *doubts]
    assert list(archive.triage(grading)) == expected
    archive.put_spot_checks(grading, [draw(line) for line in (4, 2)])
    assert list(archive.spot_checks(grading)) == [draw(2), draw(4)]


def test_each_grading_has_its_own(archive, grading):
    other = archive.begin_grading(archive.runs()[0], SET.digest, ENGINES, card="euler@1")
    archive.put_routes(grading, [DOUBT])
    archive.put_spot_checks(other, [DRAW])
    assert (list(archive.triage(grading)), list(archive.triage(other))) == ([DOUBT], [])
    assert (list(archive.spot_checks(grading)), list(archive.spot_checks(other))) == ([], [DRAW])
    assert archive.put_routes(other, [DOUBT]) == 1
