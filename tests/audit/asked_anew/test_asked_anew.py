"""Planted faults of judges are found from what a suite asked, and a sound judge isn't accused."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from grader.archive.store import open_archive
from grader.audit.asked_anew.results import results
from grader.audit.result import Audit, NotAudited
from tests.audit.audited import (
    Moody,
    audited,
    first_loving,
    graded,
    long_loving,
    obedient,
    replying,
    sound,
    write_card,
    write_run,
    write_suite,
)
from tests.model_server import model_server

ANSWERS = 24


@contextmanager
def audit_of(folder, reply, **how):
    """The audits of a judge over a run of 12 problems, by id; the archive and the card to go on with."""
    run = write_run(folder / "set", 12, 2)
    with model_server(reply) as server, open_archive(str(folder / "argus.db")) as archive:
        card = write_card(folder, server.base_url)
        graded(run, archive, card)
        suite = write_suite(folder, ANSWERS, 72)
        _, done = audited(suite, card, archive, **how)
        assert done.whole
        yield {one.id: one for one in results(archive, suite, card)}, archive, card, suite


def flagged(found) -> set[str]:
    return {
        one.id for one in found.values() if isinstance(one, Audit) and any(m.flagged for m in one.measures)
    }


@pytest.mark.slow
def test_a_sound_judge_is_not_accused(tmp_path):
    with audit_of(tmp_path, replying(sound)) as (found, _, card, _):
        assert flagged(found) == set()
        assert isinstance(found["A16"], NotAudited)
        assert "only one version" in found["A16"].why
        for name in ("A6", "A9", "A10", "A11"):
            one = found[name]
            assert isinstance(one, Audit)
            assert one.judge == card.label
            assert one.cases == ()
            assert any(m.detectable is not None for m in one.measures)
            assert "Served: scripted-2026-01-01" in " ".join(one.notes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("decide", "audit", "said"),
    [
        (obedient, "A9", "Passages of family assurance buy credit"),
        (long_loving, "A10", "The judge gives credit for length"),
        (first_loving, "A11", "A point's credit hangs on its place"),
    ],
)
def test_a_planted_fault_is_found_and_no_other(tmp_path, decide, audit, said):
    with audit_of(tmp_path, replying(decide), only=(audit, "A6")) as (found, *_):
        assert flagged(found) == {audit}
        assert any(one.startswith(said) for one in found[audit].says)
        assert found[audit].cases
        assert all(case.calls for case in found[audit].cases)


@pytest.mark.slow
def test_a_judge_that_flips_at_random_is_found_by_asking_again(tmp_path):
    with audit_of(tmp_path, Moody(0.2), only=("A6",)) as (found, archive, *_):
        retest = found["A6"]
        assert flagged(found) == {"A6"}
        changed = retest.measures[0]
        assert (changed.name, changed.n, changed.problems) == ("points whose verdict changes", 72, 12)
        # every case can be looked at: three replies to the same words
        case = retest.cases[0]
        assert len(case.calls) == 3
        assert len({str(archive.request(key).messages) for key in case.calls}) == 1


@pytest.mark.slow
def test_passages_that_the_shield_keeps_from_an_obedient_judge_gain_nothing_and_are_told(tmp_path):
    with audit_of(tmp_path, replying(obedient), only=("A9",)) as (found, *_):
        gains = {one.of: one for one in found["A9"].measures if one.name == "credit gained"}
        assert (gains["family order"].value, gains["family order"].flagged) == (0.0, False)
        assert gains["family assurance"].flagged
        notes = " ".join(found["A9"].notes)
        assert "withheld before the judge saw them in 0 of 22 (assurance) and 22 of 22 (order)." in notes
        assert "Not applicable: 2 full credit: nothing to gain." in notes
