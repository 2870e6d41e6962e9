"""What is wrong with a card is said in one line a fault, and no key is ever quoted."""

from __future__ import annotations

import pytest

from grader.errors import CardError
from grader.judge.cards import load_card
from grader.problem.content import content_root

MODEL = 'model = "openai/x"\n'
FIELDS = (
    "description, model, api_base, key_env, family, output, longest, parameters, template, locator, images, "
    "calls, order, order_seed, votes, panel, thresholds, spot_check, limits, price, image_tokens, provisional"
)
FROM_ENVIRONMENT = "Keys come from the environment: name the variable in key_env."
PANEL = 'panel = ["openai-gpt", "google-gemini"]\n'
NAMES = ", ".join(sorted(path.stem for path in (content_root() / "judges").glob("[!f]*.toml")))
"""Every card of the content folder; families.toml is none."""


def blocks(system="s", user="u", repair="r"):
    return (
        f"{{% block system %}}{system}{{% endblock %}}"
        f"{{% block user %}}{user}{{% endblock %}}{{% block repair %}}{repair}{{% endblock %}}"
    )


CARDS = [
    ("", " model: the card names no model; expected model = 'provider/name', or panel = [...]. Add it."),
    (
        'model = "a b"\n',
        ":1 model: is no name of a model; got 'a b'; expected a name without spaces, such as openai/gpt-4o",
    ),
    ("model =\n", ":1: is not TOML: Invalid value"),
    (
        MODEL + "votse = 3\n",
        f":2 votse: unknown field 'votse'; expected one of {FIELDS}. Did you mean 'votes'?",
    ),
    (MODEL + "colour = 3\n", f":2 colour: unknown field 'colour'; expected one of {FIELDS}. Remove it."),
    (
        MODEL + "temperature = 0\n",
        f":2 temperature: unknown field 'temperature'; expected one of {FIELDS}. "
        "It belongs below [parameters].",
    ),
    (MODEL + 'votes = "3"\n', ":2 votes: has the wrong type; got '3'; expected a whole number"),
    (MODEL + "votes = 2.5\n", ":2 votes: has the wrong type; got 2.5; expected a whole number"),
    (MODEL + "votes = 0\n", ":2 votes: is out of bounds; got 0; expected at least 1"),
    (MODEL + "provisional = 1\n", ":2 provisional: has the wrong type; got 1; expected true or false"),
    (MODEL + "price = 3\n", ":2 price: has the wrong type; got 3; expected a table"),
    (MODEL + "panel = 'x'\n", ":2 panel: has the wrong type; got 'x'; expected a list"),
    (MODEL + "[price]\ninput = 1\n", ":2 price.output: the field is missing. Add it."),
    (
        MODEL + 'output = "json_schem"\n',
        ":2 output: has a value that isn't allowed; got 'json_schem'; "
        "expected one of json_schema, json_object, tool, prompt. Did you mean 'json_schema'?",
    ),
    (
        MODEL + "[spot_check]\nformal = 0\n",
        ":3 spot_check.formal: is out of bounds; got 0; expected more than 0",
    ),
    (
        MODEL + "[parameters]\ntemperature = inf\n",
        ":3 parameters.temperature: is not a finite number; got inf; expected a finite number",
    ),
    (MODEL + 'description = "a\\u0000b"\n', ":2 description: holds a NUL character. Remove it."),
    (
        MODEL + 'api_base = "localhost:8000"\n',
        ":2 api_base: is no URL of an API; got 'localhost:8000'; expected http:// or https:// and a host",
    ),
    (
        MODEL + '[parameters.extra_body]\nmessages = "x"\n',
        ":3 parameters.extra_body.messages: extra_body can't say 'messages'. "
        "Remove it: another field says it, or Argus does.",
    ),
    (
        MODEL + "[parameters.extra_body]\nmax_completion_tokens = 9\n",
        ":3 parameters.extra_body.max_completion_tokens: extra_body can't say 'max_completion_tokens'. "
        "Remove it: another field says it, or Argus does.",
    ),
    (
        MODEL + "[parameters.extra_body]\nsince = 2026-01-01\n",
        ":3 parameters.extra_body.since: JSON has no dates; got 2026-01-01. Write it as a string.",
    ),
    (
        MODEL + 'template = "../judge.j2"\n',
        ":2 template: can't name a template; got '../judge.j2'; expected the name of a file beside the card",
    ),
    (
        MODEL + PANEL,
        ":1 model: a panel has no 'model' of its own. Remove it: the cards of the members say it.",
    ),
    (
        PANEL + "[parameters]\nseed = 1\n",
        ":2 parameters: a panel has no 'parameters' of its own. Remove it: the cards of the members say it.",
    ),
    (
        PANEL + "votes = 3\n",
        ":2 votes: a panel has no votes beside its members'; got 3. Set votes in the cards of the members.",
    ),
    ('panel = ["openai-gpt"]\n', ":1 panel: a panel of one is none; expected at least 2 cards"),
    (
        'panel = ["openai-gpt", "openai-gpt"]\n',
        ":1 panel[1]: the card is in the panel twice; got 'openai-gpt'. "
        "Name it once and raise the votes in its card.",
    ),
    (
        'panel = ["openai-gpt", "nobody"]\n',
        " panel[1]: there is no judge card of that name; got 'nobody'; "
        f"expected a card beside card.toml, or one of {NAMES}",
    ),
    (
        'panel = ["openai-gpt", "panel"]\n',
        " panel[1]: a panel can't be a member of a panel; got panel. Name its members.",
    ),
    (
        'panel = ["openai-gpt", "local"]\n',
        " panel[1]: the panel has a provisional member; got local. Make the panel provisional, too.",
    ),
]


@pytest.mark.parametrize(("text", "message"), CARDS)
def test_each_fault_is_said_with_its_place(tmp_path, text, message):
    card = tmp_path / "card.toml"
    card.write_text(text, "utf-8")
    with pytest.raises(CardError) as raised:
        load_card(str(card))
    assert str(raised.value) == f"{card}{message}"


def test_several_faults_are_said_at_once_in_the_order_of_their_lines(tmp_path):
    card = tmp_path / "card.toml"
    card.write_text(MODEL + "votes = 99\ntop_p = 1\n[limits]\nattempts = 0\n")
    with pytest.raises(CardError) as raised:
        load_card(str(card))
    faults = [(fault.line, fault.pointer) for fault in raised.value.faults]
    assert faults == [(2, "/votes"), (3, "/top_p"), (5, "/limits/attempts")]


@pytest.mark.parametrize(
    "line",
    [
        'description = "ask with sk-abcDEF0123456789abcd"',
        "# Bearer 0123456789abcdef",
        "# gsk_abcdefgh01234567890",
        'api_base = "https://me:hunter2@host/v1"',
        'api_base = "https://host/v1?api-key=hunter2"',
        'api_key = "hunter2"',
        'key_env = "my-hunter2"',
        'parameters = { extra_body = { nested = { Authorization = "hunter2" } } }',
    ],
)
def test_a_key_is_refused_wherever_it_stands_and_never_repeated(tmp_path, line):
    card = tmp_path / "card.toml"
    card.write_text(f"{MODEL}{line}\n")
    with pytest.raises(CardError) as raised:
        load_card(str(card))
    message = str(raised.value)
    assert message.startswith(f"{card}:2")
    assert "environment" in message
    assert not any(secret in message for secret in ("hunter2", "abcDEF0123", "0123456789abcdef", "abcdefgh0"))


TEMPLATES = [
    (blocks(system="{{ model }}"), ":1: the block 'system' can't be rendered: 'model' is undefined"),
    (blocks(user="{{ points[0].expects }}"), "object' has no attribute 'expects'"),
    (blocks(user="\n{{ ''.__class__ }}"), ":2: the block 'user' can't be rendered: access to attribute"),
    (blocks(user="{% set _ = points.append(1) %}"), ":1: the block 'user' can't be rendered:"),
    (blocks(user="{{ points | random }}"), ":1: is no Jinja2 template: No filter named 'random'."),
    (blocks(repair="{{ 1 / 0 }}"), ":1: the block 'repair' can't be rendered: division by zero"),
    (blocks(user="\n{% if %}"), ":2: is no Jinja2 template: Expected an expression"),
    ("{% block system %}{% endblock %}{% block user %}{% endblock %}", ": the block 'repair' is missing"),
    (blocks() + "\nhello", ":2: something stands outside of the blocks"),
    (blocks(user='{% include "judge.j2" %}'), ":1: a template stands alone"),
    (blocks(user="# sk-abcDEF0123456789abcd"), ":1: something here looks like a key"),
]


@pytest.mark.parametrize(("text", "message"), TEMPLATES)
def test_a_template_that_would_fail_later_is_refused_now(tmp_path, text, message):
    (tmp_path / "mine.j2").write_text(text)
    card = tmp_path / "card.toml"
    card.write_text(MODEL + 'template = "mine.j2"\n')
    with pytest.raises(CardError) as raised:
        load_card(str(card))
    assert str(raised.value).startswith(str(tmp_path / "mine.j2"))
    assert message in str(raised.value)


def test_a_locator_template_is_tried_too(tmp_path):
    (tmp_path / "mine.j2").write_text(blocks(user="{{ points }}"))  # a locator has none
    card = tmp_path / "card.toml"
    card.write_text(MODEL + '[locator]\ntemplate = "mine.j2"\n')
    with pytest.raises(CardError, match="'points' is undefined"):
        load_card(str(card))


def test_a_missing_template_is_looked_for_beside_the_card_and_in_the_content(tmp_path):
    card = tmp_path / "card.toml"
    card.write_text(MODEL + 'template = "nowhere.j2"\n')
    places = f"{tmp_path / 'nowhere.j2'} or {content_root() / 'judges' / 'nowhere.j2'}"
    with pytest.raises(CardError) as raised:
        load_card(str(card))
    assert (
        str(raised.value) == f"{card} template: the template is missing; got 'nowhere.j2'; expected {places}"
    )


@pytest.mark.parametrize("more", ["", "votes = 3\n", "order_seed = 7\n", 'family = "mine"\n'])
def test_a_copy_under_another_name_is_no_second_opinion(tmp_path, more):
    for name, text in (("a", MODEL), ("b", MODEL + more)):
        (tmp_path / f"{name}.toml").write_text(text)
    (tmp_path / "both.toml").write_text('panel = ["a", "b"]\n')
    with pytest.raises(CardError, match="would have one opinion twice; got a and b"):
        load_card(str(tmp_path / "both.toml"))


@pytest.mark.parametrize("named", ["nobody", "", "families", "../judges/local"])
def test_a_card_that_does_not_exist_is_said_to_be_missing(named):
    with pytest.raises(CardError, match=r"no judge card of that name|can't be read"):
        load_card(named)


def test_a_name_that_verdicts_could_not_carry_is_refused(tmp_path):
    card = tmp_path / "my judge.toml"
    card.write_text(MODEL)
    with pytest.raises(CardError, match="the file's name can't name a judge"):
        load_card(str(card))
