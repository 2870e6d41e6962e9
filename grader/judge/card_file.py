"""From a TOML file to a JudgeCard, or to all that keeps it from being one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from grader.errors import CardError, Fault, shown
from grader.judge.card import JudgeCard
from grader.model.endpoint_faults import body_faults, endpoint_faults, model_faults
from grader.model.settings import read_settings
from grader.problem.place import Place

PANEL_FIELDS = {"description", "panel", "votes", "calls", "thresholds", "spot_check", "provisional"}
"""What a panel says for itself; the rest its members' cards say."""

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def read_card(path: Path) -> JudgeCard:
    """The card a file holds; CardError with every fault, each with its line."""
    return read_settings(path, JudgeCard, _rules, CardError)


def _rules(card: JudgeCard, place: Place) -> Iterator[Fault]:
    yield from _panel_rules(card, place) if card.panel else _model_rules(card, place)
    yield from endpoint_faults(card.api_base, card.key_env, place)
    yield from _template_rules(card, place)
    yield from body_faults(card.parameters.extra_body, place)


def _panel_rules(card: JudgeCard, place: Place) -> Iterator[Fault]:
    for name in JudgeCard.model_fields:
        if name in card.model_fields_set - PANEL_FIELDS:
            do = "Remove it: the cards of the members say it."
            yield place.at(name).fault(f"a panel has no {name!r} of its own", do=do)
    if len(card.panel) == 1:
        yield place.at("panel").fault("a panel of one is none", expected="at least 2 cards")
    if card.votes != 1:
        do = "Set votes in the cards of the members."
        yield place.at("votes").fault("a panel has no votes beside its members'", got=str(card.votes), do=do)
    for index, name in enumerate(card.panel):
        if name in card.panel[:index]:
            do = "Name it once and raise the votes in its card."
            yield place.at("panel", index).fault("the card is in the panel twice", got=shown(name), do=do)


def _model_rules(card: JudgeCard, place: Place) -> Iterator[Fault]:
    if card.model is None:
        what, expected = "the card names no model", "model = 'provider/name', or panel = [...]"
        yield place.at("model").fault(what, expected=expected, do="Add it.")
    else:
        yield from model_faults(card.model, place)


def _template_rules(card: JudgeCard, place: Place) -> Iterator[Fault]:
    named: dict[tuple[str, ...], str] = {("template",): card.template}
    if card.locator is not None:
        named["locator", "template"] = card.locator.template
    for where, name in named.items():
        if not _FILE_NAME.fullmatch(name):
            expected = "the name of a file beside the card"
            yield place.at(*where).fault("can't name a template", got=shown(name), expected=expected)
