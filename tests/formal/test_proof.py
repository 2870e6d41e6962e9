"""Proofs show what a check grants and refuses, and what was accepted is proved again when the set changes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from grader.errors import UsageError
from grader.formal.cases import run_cases
from grader.formal.proof import accept_proofs, prove_set
from grader.problem.set import load_set
from grader.record import Status
from grader.render.proofs import proof_page
from tests.grade.small import point, write_set
from tests.render.html_reader import read

HOSTILE = "<script>alert('a')</script>"


def problem(**check):
    sub = {"sub_id": "q-1", "text_open": "?", "full_mark": 1, "rubric": [point("r", 1, **check)]}
    return {"problem_id": "q", "header": "h", "subquestions": [sub]}


ENERGY = problem(kind="quantity", expected=58.0, unit="kJ/mol", rel_tol=0.03, asked=["Ea"])
ALCOHOL = problem(kind="smiles", expected="C[C@H](O)CC")


def test_every_equivalent_earns_the_point_and_no_near_miss_does(tmp_path):
    report = prove_set(write_set(tmp_path, ALCOHOL), workers=1)
    (proof,) = report.proofs
    assert proof.of("equivalent")
    assert any("inverted" in trial.how for trial in proof.of("near_miss"))
    assert report.disagreements == 0
    assert proof_page(report).count("<svg") > len(proof.of("near_miss"))


def test_an_option_that_waives_stereo_moves_the_mirror_image_to_the_other_side(tmp_path):
    waived = problem(kind="smiles", expected="C[C@H](O)CC", stereo="ignore")
    (proof,) = prove_set(write_set(tmp_path, waived), workers=1).proofs
    assert not any("inverted" in trial.how for trial in proof.of("near_miss"))


def test_accepted_proofs_are_the_sets_own_case_file_and_are_kept_once(tmp_path):
    folder = write_set(tmp_path, ENERGY)
    before = load_set(folder).whole
    report = prove_set(folder, workers=1)
    file = accept_proofs(report)
    kept = file.read_text()
    again = prove_set(folder, workers=1)
    assert len(again.proofs[0].of("accepted")) == len(kept.splitlines()) == len(report.proofs[0].trials)
    assert again.disagreements == 0
    assert accept_proofs(again).read_text() == kept
    assert run_cases(file, workers=1).total.agree == len(kept.splitlines())
    assert load_set(folder).whole == before


def test_a_changed_check_makes_what_was_accepted_stale_instead_of_proving_something_else(tmp_path):
    folder = write_set(tmp_path, ENERGY)
    accept_proofs(prove_set(folder, workers=1))
    changed = json.loads(json.dumps(ENERGY))
    changed["subquestions"][0]["rubric"][0]["check"]["expected"] = 85.0
    report = prove_set(write_set(tmp_path, changed), workers=1)
    assert report.stale
    assert not report.proofs[0].of("accepted")


def test_a_wrong_verdict_is_never_kept_as_a_right_one(tmp_path):
    folder = write_set(tmp_path, ENERGY)
    file = accept_proofs(prove_set(folder, workers=1))
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines[0]["verdict"] = "met" if lines[0]["verdict"] == "not_met" else "not_met"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    report = prove_set(folder, workers=1)
    assert report.disagreements == 1
    with pytest.raises(UsageError) as error:
        accept_proofs(report)
    assert "r" in str(error.value)


UNREADABLE: dict[str, dict[str, Any]] = {
    "formula": {"expected": "Zz9("},
    "equation": {"expected": "A -> "},
    "expression": {"expected": "((("},
    "electron_configuration": {"expected": "zz"},
    "quantity": {"expected": 1.0, "unit": "furlongs_per_glass"},
}


def test_an_expected_value_that_cant_be_read_is_said_and_the_other_points_are_proved(tmp_path):
    rubric = [point(kind, 1, kind=kind, **check) for kind, check in UNREADABLE.items()]
    sub = {
        "sub_id": "q-1",
        "text_open": "?",
        "full_mark": 6,
        "rubric": [*rubric, point("n", 1, kind="integer", expected=3)],
    }
    folder = write_set(tmp_path, {"problem_id": "q", "header": "h", "subquestions": [sub]})
    report = prove_set(folder, workers=1)
    *broken, sound = report.proofs
    assert all(proof.unread and not proof.trials for proof in broken)
    assert sound.trials
    assert not report.disagreements
    assert not report.sound


def test_a_point_without_a_check_is_named(tmp_path):
    with pytest.raises(UsageError):
        prove_set(write_set(tmp_path, ENERGY), ["nowhere"])


def test_the_page_escapes_whatever_a_set_says_and_needs_no_network(tmp_path):
    hostile = problem(kind="label", expected="tetrahedral", asked=[HOSTILE], label_kind="geometry")
    hostile["subquestions"][0]["rubric"][0]["text"] = HOSTILE
    page = proof_page(prove_set(write_set(tmp_path, hostile), workers=1))
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page
    found = read(page)
    assert not {"script", "link", "iframe", "object", "embed", "base", "form"} & set(found.tags)
    leads = {"src", "srcset", "href", "xlink:href", "data", "poster", "action", "background", "ping"}
    # the one link skips to the content of the page itself
    assert [one for one in found.attributes if one[1] in leads] == [("a", "href", "#main")]
    assert ("main", "id", "main") in found.attributes
    assert not re.search(r"@import|url\(", page)


@pytest.mark.slow
def test_every_trial_of_the_demo_comes_out_as_it_must():
    report = prove_set(Path(__file__).parents[2] / "problems" / "demo")
    kinds = {proof.check.kind for proof in report.proofs}
    assert {"smiles", "formula", "equation", "quantity", "integer", "label"} <= kinds
    for proof in report.proofs:
        assert proof.of("equivalent"), proof.point_id
        assert proof.of("near_miss"), proof.point_id
        for trial in proof.trials:
            assert trial.agrees, (proof.point_id, trial.answer, trial.finding.detail)
            assert trial.finding.status in (Status.MET, Status.NOT_MET)
