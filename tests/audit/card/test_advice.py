"""Advice: a licence for a coefficient, a fault without consequence, a rule that no page lists."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.audit.card.advice import RULES, advice
from grader.audit.from_archive.formal_track import ERRORS
from grader.audit.from_archive.pairs import KAPPA, PEOPLE
from grader.audit.from_archive.risk import ACCEPTED
from grader.audit.from_archive.stated import AUROC
from grader.audit.result import AUDITS, NotAudited
from tests.audit.made_card import GROUND, LENIENCY, ROUTING, SCORES, audit, card, corrected, measure

DOCS = Path(__file__).parents[3] / "docs" / "audits.md"
GRANT = "spot_checks"
FLAGGED = {
    "A13": "preference",
    "A9": "injection",
    "A7": "structures",
    "A8": "structures",
    "A6": "unstable",
    "A10": "surface",
    "A11": "surface",
    "A12": "evidence",
    "A15": "failures",
    "A16": "drift",
    "A18": "code",
}


def rules(made):
    return [one.rule for one in advice(made)]


def says(made, rule):
    return [one.says for one in advice(made) if one.rule == rule]


def test_every_rule_is_in_the_documentation_and_the_other_way_round():
    rows = [line for line in DOCS.read_text().splitlines() if line.startswith("| `")]
    told = [tuple(cell.strip() for cell in row.strip("|").split(" | ")) for row in rows]
    assert told == [(f"`{one.key}`", one.rests_on, one.when, one.says) for one in RULES]


def test_agreement_alone_grants_nothing():
    perfect = audit("A1", measure(KAPPA, 1.0, unit="correlation", low=1.0, high=1.0))
    assert GRANT not in rules(card(perfect))


@pytest.mark.parametrize("name", FLAGGED)
def test_a_fault_is_advised_upon_and_its_absence_is_not(name):
    fault = measure("what it measures", 0.2, of="model alpha", flagged=True)
    assert FLAGGED[name] in rules(card(audit(name, fault)))
    assert "model alpha" in says(card(audit("A9", fault)), "injection")[0]
    cleared = rules(card(audit(name, replace(fault, flagged=False))))
    assert FLAGGED[name] not in set(cleared) - ({"injection"} if name != "A9" else set())


def test_what_was_never_tested_for_injection_grades_no_untrusted_answers():
    assert says(card(), "injection") == ["Not audited for injection: don't grade untrusted answers."]
    refused = NotAudited("A9", "careful", "no answer has credit to gain", "Grade more.")
    assert says(card(refused), "injection") == says(card(), "injection")


@pytest.mark.parametrize(("high", "per_cent"), [(0.02, "5 %"), (0.04, "10 %"), (0.15, "20 %"), (0.2, None)])
def test_spot_checks_follow_the_upper_end_of_accepted_errors(high, per_cent):
    errors = audit("A5", measure(ACCEPTED, 0.01, high=high))
    (said,) = says(card(LENIENCY, errors), GRANT)
    assert (f"{per_cent} spot checks" in said) if per_cent else said.startswith("Let people mark all")


@pytest.mark.parametrize(
    "without",
    [
        {"results": (ROUTING,)},
        {"results": (LENIENCY,)},
        {"results": (LENIENCY, replace(ROUTING, indicative=True))},
        {"results": (replace(LENIENCY, indicative=True), ROUTING)},
        {"scores": replace(SCORES, whole=None)},
        {"ground": replace(GROUND, labels=99)},
        {"ground": replace(GROUND, label_problems=29)},
        {"provisional": True},
    ],
)
def test_nothing_is_granted_while_what_it_rests_on_is_missing(without):
    assert GRANT in rules(card())
    assert GRANT not in rules(card(**without))


def test_a_lenient_judge_is_granted_nothing_and_its_scores_are_to_be_corrected():
    lenient = audit("A2", measure("leniency", 0.069, unit="points", low=0.03, high=0.1, flagged=True))
    made = card(lenient, ROUTING)
    assert GRANT not in rules(made)
    assert says(made, "biased") == [
        "Report corrected scores, not scores as graded: it is too lenient (+6.9 points)."
    ]


def test_leniency_in_a_part_keeps_the_judge_out_of_that_part():
    part = measure("leniency", -0.1, of="point type smiles", unit="points", flagged=True)
    assert says(card(audit("A2", part)), "parts") == [
        "Not for point type smiles without people's marks: there it is too strict (−10.0 points)."
    ]


def test_a_weak_judge_buys_nothing():
    weak = replace(SCORES, whole=corrected(0.5, 0.04, saved=1.05))
    assert "weak" in rules(card(scores=weak))
    assert "weak" not in rules(card())


def test_few_disagreements_are_not_few_errors():
    few = replace(SCORES, whole=corrected(0.5, 0.04, widened=True, few_bound=0.05))
    assert "Up to 5.0 % of the points may be wrong" in says(card(scores=few), "few")[0]


def test_confidence_that_may_be_chance_routes_nothing():
    chance = audit("A4", measure(AUROC, 0.6, unit="number", low=0.45, high=0.75))
    assert "confidence" in rules(card(chance))
    sharp = audit("A4", measure(AUROC, 0.8, unit="number", low=0.7, high=0.9))
    assert "confidence" not in rules(card(sharp))


def test_people_who_disagree_send_authors_to_the_rubric():
    apart = audit("A1", measure(KAPPA, 0.3, of=PEOPLE, unit="correlation", low=0.1, high=0.5))
    assert "people" in rules(card(apart))
    agree = audit("A1", measure(KAPPA, 0.9, of=PEOPLE, unit="correlation", low=0.8, high=0.95))
    assert "people" not in rules(card(agree))


def test_code_is_granted_spot_checks_by_its_own_error_rate():
    errors = audit("A1", measure(ERRORS, 0.0, high=0.019), measure(ERRORS, 0.1, of="kind name", flagged=True))
    made = card(errors, LENIENCY, judge="formal")
    assert "Use with 5 % spot checks" in says(made, GRANT)[0]
    assert says(made, "kinds") == ["Let people mark kind name until it is mended: code is wrong in 10.0 %."]
    assert "injection" not in rules(made)


def test_what_was_not_audited_is_named_one_by_one():
    (said,) = says(card(), "untested")
    assert all(f"{name} " in said for name in AUDITS if name not in ("A2", "A3", "A5", "A8"))
    assert "A2 " not in said
