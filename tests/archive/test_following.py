"""What follows is kept with what it rests on, and stands only as long as that is so."""

from __future__ import annotations

from dataclasses import replace

from grader.archive.entry import FindingEntry
from grader.archive.read import Filters
from grader.record import Evidence, Status
from tests.archive.followed import (
    CARRIED,
    DILUTION,
    EARLIER,
    FOLLOWS,
    LATER,
    SET,
    WRONG,
    begin,
    diluted,
    entry,
    follow,
)
from tests.archive.sample import QUANTITY, SMILES


def award_follow(archive, run):
    standing = diluted(archive, run).standing
    assert standing is not None
    return standing.award_follow


def test_what_follows_stands_beside_the_strict_award_with_its_sources(archive):
    point = diluted(archive, follow(archive))
    assert point.standing is not None
    assert (point.standing.status, point.standing.award, point.standing.award_follow) == (
        Status.NOT_MET,
        0,
        1,
    )
    (strict,) = point.findings
    assert strict.finding == CARRIED
    assert strict.followed is not None
    assert strict.followed.finding == FOLLOWS
    (source,) = strict.followed.sources
    assert (source.name, source.sub_id, source.point_id, source.value) == ("c", "dil-1", "stock", "0.3")
    assert source.finding.finding == WRONG


def test_it_is_kept_once_however_often_it_is_found(archive):
    run = begin(archive)
    found = entry(archive, run)
    assert [archive.put_followed([found]) for _ in range(2)] == [1, 0]
    assert archive.put_followed([found], again=True) == 0
    other = replace(found, finding=replace(FOLLOWS, status=Status.NOT_MET, flags=()))
    before = archive.state()
    assert archive.put_followed([other], again=True) == 1
    assert archive.state() != before  # a finished summary no longer holds
    assert award_follow(archive, run) == 0
    assert archive.counts()["followed"] == 2


def test_a_source_that_comes_out_differently_leaves_nothing_that_follows(archive):
    run = follow(archive)
    again = replace(WRONG, value="0.4", found="0.40 M")
    place = (DILUTION.nodes[0].point_hash, EARLIER.answers[0].answer_hash, QUANTITY.key)
    archive.put_findings([FindingEntry(*place, again)], again=True)
    point = diluted(archive, run)
    assert [one.value for one in point.sources] == ["0.4"]
    assert point.findings[0].followed is None
    assert point.findings[0].award_follow == 0
    assert archive.counts()["followed"] == 1


def test_a_strict_finding_that_takes_another_candidate_follows_anew(archive):
    run = follow(archive)
    moved = replace(CARRIED, evidence=Evidence("0.030", 0, 5))
    place = (DILUTION.nodes[1].point_hash, LATER.answers[0].answer_hash, QUANTITY.key)
    archive.put_findings([FindingEntry(*place, moved)], again=True)
    assert [one.followed is None for one in diluted(archive, run).findings] == [False, True]
    assert award_follow(archive, run) == 0


def test_under_other_engines_nothing_follows(archive):
    run = follow(archive)
    archive.begin_grading(run, SET.digest, [QUANTITY, SMILES])
    assert diluted(archive, run).findings[0].followed is None


def test_one_subquestion_alone_is_read_with_the_sources_in_another(archive):
    run = follow(archive)
    (one,) = archive.graded(run, Filters(sub_id="dil-2", point_id="diluted"))
    assert [source.point_id for source in one.points[0].sources] == ["stock"]
    (line,) = archive.lines(Filters(sub_id="dil-2"))
    assert line["follow"]["from"] == [{"name": "c", "sub_id": "dil-1", "point_id": "stock", "value": "0.3"}]
    assert (line["award"], line["award_follow"]) == (0, 1)
