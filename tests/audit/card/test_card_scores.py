"""Corrected scores of a card: cells mixed up, gaps that only the judge saw, refusals that end the page."""

from __future__ import annotations

import pytest

from grader.audit.card.collect import read_judge, report_card
from grader.audit.card.ground import ground
from grader.audit.card.scores import card_scores
from grader.audit.planning import planned
from grader.audit.result import Audit, NotAudited
from grader.audit.words import percent
from grader.errors import AuditError, UsageError
from grader.judge.card import SpotCheck
from grader.review.reached import reached
from tests.audit.drawn import CARD, Script, drawn_archive, right
from tests.audit.two_judges import erring

ALL = SpotCheck(confident=1, doubtful=1, formal=1)
HALF = SpotCheck(confident=0.5, doubtful=0.5, formal=0.5)


def script(**more):
    return Script(problems=24, models=("alpha", "beta"), judge=erring(0.3), **more)


@pytest.fixture(scope="module")
def half(tmp_path_factory):
    """Half of what a lenient judge and code decided is drawn and marked."""
    with drawn_archive(tmp_path_factory.mktemp("half"), script(rates=HALF)) as desk:
        desk.mark("Ann")
        yield desk


def truth(checked, cell):
    """The score of a cell had people marked all of it."""
    own = checked.points[(checked.points[["model", "protocol", "mode"]] == list(cell)).all(axis=1)]
    names = ["model", "protocol", "mode", "problem_id", "sub_id", "sample", "point_id"]
    awards = [right(_spot(row)) for row in own[names].itertuples(index=False)]
    marks = (own["points"] * awards).sum()
    return marks / own["points"].sum()


def _spot(row):
    from tests.audit.drawn import Spot

    return Spot(row.model, row.protocol, row.mode, row.problem_id, row.sub_id, row.sample, row.point_id)


def test_people_s_marks_take_a_judge_s_leniency_out_of_each_score(half):
    checked, judge = read_judge(half.archive, None)
    found = card_scores(checked, judge)
    assert isinstance(found.audit, Audit)
    assert len(found.cells) == 2
    for one in found.cells:
        true = truth(checked, one.cell)
        assert one.benchmark.low <= true <= one.benchmark.high
        assert one.benchmark.judge_only.value > true
        assert abs(one.benchmark.value - true) < one.benchmark.judge_only.value - true
    (gap,) = found.gaps
    assert (gap.kind, gap.first[0], gap.second[0]) == ("models", "alpha", "beta")
    assert gap.difference.p_adjusted == gap.difference.p  # alone in its family
    assert found.together is not None


def test_a_census_leaves_nothing_to_chance(tmp_path):
    with drawn_archive(tmp_path, Script(problems=6, judge=erring(0.3), rates=ALL)) as desk:
        desk.mark("Ann")
        checked, judge = read_judge(desk.archive, None)
        found = card_scores(checked, judge)
        for one in found.cells:
            assert one.benchmark.value == pytest.approx(truth(checked, one.cell))
            assert one.benchmark.width == pytest.approx(0)
        # where all is marked, the error rates are those of the very points: the check is people's own share
        met = [(checked.points[name] == 1).mean() for name in ("award", "human")]
        assert met[0] > met[1]
        assert isinstance(found.audit, Audit)
        (said,) = (note for note in found.audit.notes if "Rogan" in note)
        assert f"{percent(met[0])} of the points are met in full as graded, and {percent(met[1])} if" in said
        counted = ground(checked, judge)
        assert counted.labels == counted.decided == counted.marked == 12
        assert counted.waiting == 0


def test_points_are_counted_once(half):
    checked, judge = read_judge(half.archive, None)
    found = ground(checked, judge)
    assert found.by_code + found.by_judge + found.by_people + found.undecided == found.points == 144
    assert found.decided == 96
    assert sum(one.decided for one in found.strata) == found.decided
    assert found.problems == 24
    code = ground(checked, "formal")
    assert code.decided == 48
    assert [one.stratum for one in code.strata] == ["formal"]


def test_a_card_puts_the_judge_to_every_audit_or_says_why_not(half):
    found = report_card(half.archive)
    assert found.judge == CARD
    assert {one.id for one in found.results} | set(found.never) == {f"A{n}" for n in range(1, 19)}
    assert {"A6", "A7", "A8", "A9", "A10", "A11", "A16"} == set(found.never)
    assert found.of("A2") is not None


def test_without_marks_a_card_says_what_to_do(tmp_path):
    with drawn_archive(tmp_path, Script(problems=6)) as desk:
        found = report_card(desk.archive)
        assert found.scores is not None
        assert found.scores.whole is None
        refused = next(one for one in found.refused if one.id == "A3")
        assert isinstance(refused, NotAudited)
        assert "argus review" in refused.do
        with pytest.raises(AuditError, match="--error-rate"):
            planned(desk.archive, 0.04)
        assumed = planned(desk.archive, 0.2, error_rate=0.1, cells=3)
        assert assumed.judge is None
        assert assumed.whole.each is not None
        assert assumed.whole.apart == 3 * assumed.whole.each
        assert list(reached(desk.archive)) == []


def test_nobody_judged_and_nobody_knows_that_judge(tmp_path):
    with drawn_archive(tmp_path, Script(problems=2, judge=None)) as desk:
        with pytest.raises(AuditError, match="--judge formal"):
            report_card(desk.archive)
        with pytest.raises(UsageError, match="no run was graded by this judge"):
            report_card(desk.archive, "somebody")
        checked, name = read_judge(desk.archive, "formal")
        assert ground(checked, name).decided == 2


def test_people_are_numbered_unless_their_names_are_asked_for(half):
    def named(card):
        return any("Ann" in one.of for audit in card.done for one in audit.measures)

    assert not named(report_card(half.archive))
    assert named(report_card(half.archive, names=True))


def test_a_wider_interval_takes_fewer_marks(half):
    plans = [planned(half.archive, width) for width in (0.2, 0.1, 0.05)]
    needed = [one.whole.apart for one in plans]
    assert needed == sorted(map(int, filter(None, needed)))
    assert plans[0].seconds == 20
    assert plans[0].timed


def test_status_says_how_narrow_the_correction_is_at_any_look(half):
    (said,) = reached(half.archive)
    checked, _ = read_judge(half.archive, None)
    drawn = int(checked.points["drawn"].sum())
    assert said.startswith(f"spot check: {drawn} of {drawn} drawn points marked")
    assert "corrected by −" in said
