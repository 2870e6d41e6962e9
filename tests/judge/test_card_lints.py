"""What deserves a look in a card, and what doesn't."""

from __future__ import annotations

import pytest

from grader.judge.card_lints import lints
from grader.judge.cards import load_card

PRICE = "[price]\ninput = 1\noutput = 2\n"


def found(folder, text, name="card"):
    (folder / f"{name}.toml").write_text(text)
    return {lint.pointer: lint.what for lint in lints(load_card(str(folder / f"{name}.toml")))}


@pytest.mark.parametrize(
    ("settings", "pointer", "what"),
    [
        ("", None, ""),
        ("votes = 3\n", None, ""),
        ("votes = 4\n", "/votes", "an even number of votes can split in half"),
        ("[parameters]\ntemperature = 0\n", None, ""),
        (
            "[parameters]\ntemperature = 0.7\n",
            "/parameters/temperature",
            "one vote above 0 is one draw of chance",
        ),
        ("votes = 3\n[parameters]\ntemperature = 0.7\n", None, ""),
        (
            "votes = 3\n[parameters]\ntemperature = 0\n",
            "/parameters/temperature",
            "3 votes at 0 are nearly one vote 3 times",
        ),
        (
            "[parameters]\nmax_tokens = 900\n",
            "/parameters/max_tokens",
            "has room for the verdicts on about 6 points",
        ),
        ('calls = "point"\n[parameters]\nmax_tokens = 900\n', None, ""),
        (
            '[parameters]\nmax_tokens = 2000\nreasoning_effort = "high"\n',
            "/parameters/max_tokens",
            "reasoning may use it up before the first verdict",
        ),
        ('api_base = "http://127.0.0.1:8000/v1"\n', None, ""),
        ('api_base = "https://judge.example/v1"\n', None, ""),
        ('api_base = "http://judge.example/v1"\n', "/api_base", "keys and answers travel unencrypted"),
        ("order_seed = 3\n", "/order_seed", "shuffles nothing while order is 'rubric'"),
    ],
)
def test_a_card_has_the_lint_it_deserves_and_no_other(tmp_path, settings, pointer, what):
    lint = {pointer: what} if pointer else {}
    assert found(tmp_path, f'model = "openai/gpt-4o"\n{settings}{PRICE}') == lint


def test_an_unknown_family_deserves_a_look_until_the_card_says_it(tmp_path):
    model = 'model = "azure/my-deployment"\n'
    assert set(found(tmp_path, model + PRICE)) == {"/family"}
    assert found(tmp_path, f'{model}family = "openai"\n{PRICE}') == {}


def test_a_panel_has_its_own_lints_and_those_of_its_members_once(tmp_path):
    for name, model in (("a", "gpt-4o"), ("b", "o3"), ("c", "unheard-of-7b")):
        (tmp_path / f"{name}.toml").write_text(f'model = "hosted_vllm/{model}"\n{PRICE}')
    three = found(tmp_path, 'panel = ["a", "b", "c"]\n', "three")
    assert three == {
        "/panel": "two members are of one family (openai) and may err together",
        "/family": "nobody knows whose model it is",
    }
    assert "in half" in found(tmp_path, 'panel = ["a", "c"]\n', "two")["/panel"]
