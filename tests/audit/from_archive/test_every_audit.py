"""Audits without calls on odd archives: nothing raises, nothing is made up, equal seeds give equal bytes."""

from __future__ import annotations

import math

import pytest

from grader.audit.from_archive.conflicts import conflicts
from grader.audit.from_archive.evidence import evidence
from grader.audit.from_archive.failures import failures
from grader.audit.from_archive.formal_track import formal_track
from grader.audit.from_archive.panel import panel
from grader.audit.from_archive.people import people
from grader.audit.result import AUDITS, Audit
from grader.stats.checked import read_checked
from tests.audit.drawn import CARD, Opinion, Script, drawn_archive, right
from tests.grade.small import point

EVERY = (evidence, failures, people, conflicts, panel, formal_track)


def odd(spot):
    """A judge that leaves points open, quotes and misquotes, and gives parts."""
    chance = spot.chance("odd")
    if chance < 0.2:
        return Opinion(None)
    quote = "Reasons" if chance < 0.6 else ""
    return Opinion(0.5 if spot.point_id == "a" and chance > 0.9 else right(spot), quote=quote)


def rubric(number):
    return [
        point("n", 1, kind="integer", expected=number, asked=["N"]),
        {"id": "g", "points": 2, "text": "either", "rule": "any", "of": [point("a", 2), point("b", 1)]},
        {"id": "less", "points": -1, "text": "units are missing"},
        {"id": "gone", "veto": True, "text": "copied"},
        point("c", 1) | {"partial": True},
    ]


SCRIPTS = {
    "one problem": Script(problems=1, judge=odd),
    "deductions and vetoes": Script(problems=4, models=("x", "y"), judge=odd, rubric=rubric),
    "several protocols": Script(
        problems=3, protocols=("sequential_carry", "oracle_scaffolded"), samples=2, judge=odd
    ),
    "a demo judge": Script(problems=2, judge=odd, provisional=True),
    "nobody judged": Script(problems=2, judge=None, card=None),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_audit_has_a_result_or_says_why_not(tmp_path, name):
    with drawn_archive(tmp_path, SCRIPTS[name]) as desk:
        desk.mark("ada")
        checked = read_checked(desk.archive)
        for audit in EVERY:
            for judge in (CARD, "formal", "another@000000000000"):
                found = audit(checked, judge)
                assert found == audit(checked, judge)
                assert found.id in AUDITS
                if not isinstance(found, Audit):
                    assert found.why
                    assert found.do.endswith((".", ")")) or "argus" in found.do
                    continue
                for one in found.measures:
                    numbers = (one.value, one.low, one.high, one.p, one.detectable)
                    assert not any(number is not None and math.isnan(number) for number in numbers), one
                    if one.unit == "share" and one.value is not None:
                        assert (
                            (one.low or 0.0) - 1e-9
                            <= one.value
                            <= (1.0 if one.high is None else one.high) + 1e-9
                        )
                        assert 0 <= one.value <= 1
                assert found.indicative or audit in (evidence,)
