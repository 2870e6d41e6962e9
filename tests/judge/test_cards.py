"""What names a judge: its hash covers all that can change a verdict and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from grader.judge import cards
from grader.judge.card import JudgeCard, LocatorOptions
from grader.judge.cards import card_hash, card_names, list_cards, load_card
from grader.model.options import Parameters

TEMPLATES = {"judge.j2": "judge", "locator.j2": "locator", "other.j2": "other"}
BASE: dict[str, Any] = {
    "model": "openai/x",
    "order": "seeded",
    "locator": {},
    "parameters": {"temperature": 0.5, "seed": 1, "extra_body": {"top_k": 5}},
}

CHANGED: dict[str, tuple[Any, bool]] = {
    "description": ("another", False),
    "model": ("openai/y", True),
    "api_base": ("http://127.0.0.1:8000/v1", True),
    "key_env": ("OTHER_KEY", False),
    "family": ("mine", False),
    "output": ("tool", True),
    "longest": (200, True),
    "parameters": ({}, True),
    "template": ("other.j2", True),
    "locator": (None, True),
    "images": ("images", True),
    "calls": ("point", True),
    "order": ("rubric", True),
    "order_seed": (7, True),
    "votes": (3, True),
    "thresholds": ({"confidence": 0.5}, False),
    "spot_check": ({"seed": 7}, False),
    "limits": ({"attempts": 2}, False),
    "price": ({"input": 1, "output": 2}, False),
    "image_tokens": (7, False),
    "provisional": (True, False),
}
"""For every field but ``panel`` another value, and whether it makes another judge."""
PARAMETERS = {
    "max_tokens": 7,
    "temperature": 0.7,
    "top_p": 0.7,
    "seed": 7,
    "reasoning_effort": "low",
    "extra_body": {"top_k": 7},
}
LOCATOR = {"template": "other.j2", "reasons": ["conflicting_candidates"], "max_tokens": 7}


def hashed(**fields):
    return card_hash(JudgeCard.model_validate({**BASE, **fields}), TEMPLATES)


def test_every_field_is_decided_about():
    assert {*CHANGED, "panel"} == set(JudgeCard.model_fields)
    assert set(PARAMETERS) == set(Parameters.model_fields)
    assert set(LOCATOR) == set(LocatorOptions.model_fields)


@pytest.mark.parametrize(("field", "value", "changes"), [(field, *rest) for field, rest in CHANGED.items()])
def test_the_hash_covers_what_can_change_a_verdict_and_nothing_else(field, value, changes):
    assert (hashed(**{field: value}) != hashed()) is changes


@pytest.mark.parametrize(
    ("table", "field", "value"),
    [
        *[("parameters", field, value) for field, value in PARAMETERS.items()],
        *[("locator", field, value) for field, value in LOCATOR.items()],
    ],
)
def test_the_hash_covers_every_parameter(table, field, value):
    assert hashed(**{table: {**BASE[table], field: value}}) != hashed()


def test_the_hash_covers_the_text_of_templates_and_not_their_names():
    card = JudgeCard.model_validate(BASE)
    renamed = JudgeCard.model_validate({**BASE, "template": "other.j2"})
    assert card_hash(renamed, {**TEMPLATES, "other.j2": "judge"}) == hashed()
    for name in ("judge.j2", "locator.j2"):
        assert card_hash(card, {**TEMPLATES, name: "edited"}) != hashed()


def test_a_seed_that_shuffles_nothing_makes_no_other_judge():
    assert hashed(order="rubric", order_seed=7) == hashed(order="rubric")


def test_a_change_of_the_rules_in_code_makes_other_judges(monkeypatch):
    before = hashed()
    monkeypatch.setattr(cards, "JUDGE_VERSION", cards.JUDGE_VERSION + 1)
    assert hashed() != before


def test_a_default_written_out_changes_nothing():
    assert hashed(votes=1, images="descriptions") == hashed()


def test_a_panel_is_its_members(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.toml").write_text(f'model = "openai/{name}"\n')

    def panel(text):
        (tmp_path / "panel.toml").write_text(text)
        return load_card(str(tmp_path / "panel.toml"))

    pair = panel('panel = ["a", "b"]\n')
    assert [voter.name for voter in pair.voters] == ["a", "b"]
    assert panel('panel = ["a", "c"]\n').hash != pair.hash
    assert panel('panel = ["a", "b"]\ncalls = "point"\n').hash != pair.hash
    assert panel('panel = ["a", "b"]\n[thresholds]\nconfidence = 0.1\n').hash == pair.hash
    (tmp_path / "b.toml").write_text('model = "openai/b"\nvotes = 3\n')
    assert panel('panel = ["a", "b"]\n').hash != pair.hash


def test_a_judge_is_named_by_its_card_and_the_hash(tmp_path):
    (tmp_path / "strict.toml").write_text('model = "openai/x"\n')
    card = load_card(str(tmp_path / "strict.toml"))
    assert card.label == f"strict@{card.hash[:12]}"
    assert card.by == f"judge:{card.label}"
    assert card.voters == (card,)
    assert card.endpoint.identity == ("openai/x", None)
    assert card.locating is None


def test_a_panel_locates_by_the_first_member_that_does(tmp_path):
    for name, more in (("a", ""), ("b", "[locator]\n"), ("c", "[locator]\n")):
        (tmp_path / f"{name}.toml").write_text(f'model = "openai/{name}"\n{more}')
    (tmp_path / "panel.toml").write_text('panel = ["a", "b", "c"]\n')
    locating = load_card(str(tmp_path / "panel.toml")).locating
    assert locating is not None
    assert locating.name == "b"


def test_a_template_beside_the_card_goes_before_the_shipped_one(tmp_path):
    (tmp_path / "a.toml").write_text('model = "openai/x"\n')
    shipped = load_card(str(tmp_path / "a.toml"))
    text = shipped.templates["judge.j2"].replace("chemistry", "physics")
    (tmp_path / "judge.j2").write_text(text)
    own = load_card(str(tmp_path / "a.toml"))
    assert own.templates["judge.j2"] == text
    assert own.hash != shipped.hash


def test_the_shipped_cards_load_and_claim_no_quality():
    shipped = {card.name: card for card in list_cards()}
    assert list(shipped) == card_names()
    assert "families" not in shipped
    for name, card in shipped.items():
        assert card.card.provisional is (name == "local")
        assert name == "local" or "Not audited yet" in card.card.description
