"""Two judges on the same marks: sides mixed up, a difference that is none, no common marks."""

from __future__ import annotations

import json

import pytest

from grader.audit.comparison import compare
from grader.audit.comparison_page import comparison_page
from grader.audit.formats import written
from grader.errors import AuditError
from grader.judge.card import SpotCheck
from tests.audit.drawn import CARD, Script, right
from tests.audit.two_judges import OTHER, erring, two_judges

ALL = SpotCheck(confident=1, doubtful=1, formal=1)


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    script = Script(problems=30, models=("alpha", "beta"), judge=erring(0.4), rates=ALL)
    with two_judges(tmp_path_factory.mktemp("both"), script, erring(0.05)) as desk:
        desk.mark("Ann")
        yield desk


def measures(found):
    return {(one.name, one.of): one for one in found.measures}


def test_the_judge_that_errs_more_is_found_whichever_is_named_first(both):
    found, turned = compare(both.archive, "scripted", "strict"), compare(both.archive, OTHER, CARD)
    assert found.judges == (CARD, OTHER)
    assert found.says
    assert any(f"{OTHER} errs on" in said for said in found.says)
    assert set(found.says) == set(turned.says)
    one = measures(found)["wrong verdicts, difference", "first minus second"]
    other = measures(turned)["wrong verdicts, difference", "first minus second"]
    assert one.value == pytest.approx(-other.value)
    assert one.flagged


def test_errors_are_those_that_marks_show(both):
    found = compare(both.archive, "scripted", "strict")
    spots = [one for key, one in both.spots.items() if key[2] != "n"]
    for judge, share in ((CARD, 0.4), (OTHER, 0.05)):
        wrong = [erring(share)(one).award != right(one) for one in spots]
        assert measures(found)["wrong verdicts", judge].value == pytest.approx(sum(wrong) / len(wrong))
    assert found.points == found.shared == len(spots)
    # a judge that only ever gives too much is as lenient as it is wrong in marks
    lenient = measures(found)["leniency", CARD].value
    assert lenient == pytest.approx(measures(found)["error in marks", CARD].value)


def test_equal_judges_are_not_told_apart(tmp_path):
    script = Script(problems=30, judge=erring(0.2), rates=ALL)
    with two_judges(tmp_path, script, erring(0.2)) as desk:
        desk.mark("Ann")
        found = compare(desk.archive, CARD, OTHER)
    assert found.says == ()
    assert measures(found)["wrong verdicts, difference", "first minus second"].value == 0
    assert "No evidence" in written(comparison_page(found), "md")


def test_without_common_marks_nothing_is_compared(tmp_path):
    with two_judges(tmp_path, Script(problems=4), erring(0.5)) as desk:
        with pytest.raises(AuditError, match="Mark the spot check"):
            compare(desk.archive, CARD, OTHER)
        with pytest.raises(AuditError, match="another one"):
            compare(desk.archive, CARD, "scripted")


def test_a_page_puts_both_sides_beside_each_other(both):
    page = comparison_page(compare(both.archive, CARD, OTHER))
    (part,) = page.parts
    assert [column.heading for column in part.tables[0].columns][1:4] == [CARD, OTHER, "difference"]
    assert len(part.tables[0].rows) == 4
    found = json.loads(written(page, "json"))
    assert found["design"] in (CARD, OTHER)
    assert written(page, "html").count("<table") == 2
