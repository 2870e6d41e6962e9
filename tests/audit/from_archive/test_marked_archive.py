"""The audits of random marks read a graded archive as its script wrote it."""

from __future__ import annotations

import pytest

from grader.audit.from_archive.agreement import agreement
from grader.audit.from_archive.calibration import calibration
from grader.audit.from_archive.leniency import leniency
from grader.audit.from_archive.preference import preference
from grader.audit.from_archive.routing import routing
from grader.audit.result import Audit, NotAudited
from grader.judge.card import SpotCheck
from grader.stats.checked import read_checked
from tests.audit.drawn import CARD, Opinion, Script, Spot, drawn_archive, right
from tests.grade.small import point

ALL = (agreement, leniency, preference, calibration, routing)


def favouring(spot):
    """Half of what beta lacks is given to it; a tenth of all is doubted, and wrong half the time."""
    truth = right(spot)
    if spot.chance("doubt") < 0.1:
        return Opinion(truth if spot.chance("wrong") < 0.5 else 1 - truth, confidence=0.3)
    given = spot.model == "beta" and spot.chance("favour") < 0.5
    return Opinion(1.0 if given else truth, confidence=0.9)


SCRIPT = Script(
    problems=30,
    models=("alpha", "beta"),
    judge=favouring,
    rubric=lambda number: [point(f"x{place}", 1) for place in range(6)],
    full_mark=6,
    rates=SpotCheck(confident=0.7, doubtful=0.9),
    second=0.3,
)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    with drawn_archive(tmp_path_factory.mktemp("marked"), SCRIPT) as desk:
        desk.mark("ada")
        desk.mark("bob", kinds=("second",))
        checked = read_checked(desk.archive)
        yield {audit.__name__: audit(checked, CARD) for audit in ALL} | {"checked": checked}


def measured(audit, name, of=""):
    assert isinstance(audit, Audit), audit
    return next(one for one in audit.measures if (one.name, one.of) == (name, of))


def true_leniency(points, model):
    """Over all of the judge's points of a model, marked or not, as the script has them."""
    own = points[(points["by"] == f"judge:{CARD}") & (points["model"] == model)]
    places = ["model", "protocol", "mode", "problem_id", "sub_id", "sample", "point_id"]
    truth = [right(Spot(*row)) for row in own[places].itertuples(index=False)]
    return (own["points"] * (own["award"] - truth)).sum() / own["points"].sum()


def test_leniency_is_that_of_the_script(found):
    points = found["checked"].points
    beta, alpha = (measured(found["leniency"], "leniency", f"model {name}") for name in ("beta", "alpha"))
    assert beta.flagged
    for one, name in ((alpha, "alpha"), (beta, "beta")):
        assert one.low < true_leniency(points, name) < one.high
        assert one.value == pytest.approx(true_leniency(points, name), abs=0.04)


def test_the_favoured_model_is_named(found):
    one = measured(found["preference"], "leniency against others", "model alpha against model beta")
    assert one.flagged
    assert one.value < 0
    assert found["preference"].says[0].startswith("Disfavours model alpha against model beta")


def test_routing_and_confidence_are_read(found):
    doubted = measured(found["routing"], "error rate of doubted verdicts")
    assert doubted.low < 0.5 < doubted.high
    accepted = measured(found["routing"], "error rate of accepted verdicts")
    # half of what beta lacks: an eighth of all
    assert accepted.value == pytest.approx(0.125, abs=0.05)
    assert accepted.high > accepted.value
    assert measured(found["calibration"], "AUROC").value > 0.5
    assert measured(found["routing"], "time per caught error").value > 0


def test_people_who_marked_twice_are_the_ceiling(found):
    people = measured(found["agreement"], "kappa", "people among themselves, points marked twice")
    assert people.value == 1.0
    assert people.n > 50
    assert measured(found["agreement"], "kappa minus people's").flagged


def test_another_judge_is_not_audited_by_this_ones_marks(found):
    for audit in ALL:
        assert isinstance(audit(found["checked"], "another@000000000000"), NotAudited)
