"""What deserves a look in a card that is right in itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from urllib.parse import urlsplit

from grader.errors import Fault, SetupError
from grader.judge.cards import LoadedCard
from grader.judge.family import families
from grader.model.prices import Prices
from grader.problem.place import Place

POINT_TOKENS = 150
"""What a verdict with its rationale and quote takes, roughly."""
FEW_POINTS = 10
"""Rubrics of more points are common."""
REASONING_TOKENS = 4096
"""A model that reasons may need more than this before it says a word."""


def lints(card: LoadedCard) -> list[Fault]:
    """Everything about a card, and the members of a panel, that may not be meant."""
    own = _panel(card) if card.members else _voter(card)
    found = [*own, *(lint for member in card.members for lint in lints(member))]
    return list(dict.fromkeys(found))


def _panel(card: LoadedCard) -> Iterator[Fault]:
    place = Place(str(card.path))
    votes = sum(member.card.votes for member in card.members)
    if votes % 2 == 0:
        do = "Add or drop a member, or a vote of one."
        yield place.at("panel").fault(
            "an even number of votes can split in half", got=f"{votes} votes", do=do
        )
    for one, other in combinations(card.members, 2):
        shared = sorted(families(one) & families(other))
        if shared:
            what = f"two members are of one family ({', '.join(shared)}) and may err together"
            yield place.at("panel").fault(what, got=f"{one.name} and {other.name}")


def _voter(card: LoadedCard) -> Iterator[Fault]:
    place = Place(str(card.path))
    yield from _votes(card, place)
    yield from _room(card, place)
    yield from _endpoint(card, place)
    if card.card.order == "rubric" and card.card.order_seed:
        yield place.at("order_seed").fault("shuffles nothing while order is 'rubric'")


def _votes(card: LoadedCard, place: Place) -> Iterator[Fault]:
    votes, temperature = card.card.votes, card.card.parameters.temperature
    if votes > 1 and votes % 2 == 0:
        what = "an even number of votes can split in half"
        yield place.at("votes").fault(what, got=str(votes), do="Make it odd.")
    here = place.at("parameters", "temperature")
    if votes == 1 and temperature:
        do = "Set it to 0, or ask for several votes."
        yield here.fault("one vote above 0 is one draw of chance", got=f"{temperature:g}", do=do)
    if votes > 1 and temperature == 0:
        do = "Raise it, or ask once."
        yield here.fault(f"{votes} votes at 0 are nearly one vote {votes} times", got="0", do=do)


def _room(card: LoadedCard, place: Place) -> Iterator[Fault]:
    here, parameters = place.at("parameters", "max_tokens"), card.card.parameters
    room = parameters.max_tokens // POINT_TOKENS
    needed = FEW_POINTS if card.card.calls == "subquestion" else 1
    if room < needed:
        what = f"has room for the verdicts on about {room} points"
        do = "Raise it, or ask point by point (calls = 'point')."
        yield here.fault(what, got=str(parameters.max_tokens), do=do)
    elif parameters.reasoning_effort is not None and parameters.max_tokens < REASONING_TOKENS:
        what = "reasoning may use it up before the first verdict"
        yield here.fault(what, got=str(parameters.max_tokens), expected=f"{REASONING_TOKENS} or more")


def _endpoint(card: LoadedCard, place: Place) -> Iterator[Fault]:
    if not families(card):
        do = "Set family, so that kinship with the answering model can be told."
        yield place.at("family").fault("nobody knows whose model it is", got=str(card.card.model), do=do)
    base = urlsplit(card.card.api_base or "https:")
    if base.scheme == "http" and base.hostname not in ("localhost", "127.0.0.1", "::1"):
        what = "keys and answers travel unencrypted"
        yield place.at("api_base").fault(what, got=str(card.card.api_base), do="Use https.")
    if card.card.price is None:
        yield from _price(card, place.at("price"))


def _price(card: LoadedCard, here: Place) -> Iterator[Fault]:
    try:
        known = Prices().price(card.endpoint)
    except SetupError as error:
        yield here.fault(f"the price was not looked up: {error.faults[0].what}", do=error.faults[0].do)
        return
    if known is None:
        what = "no price is known, so costs are unknown and --max-cost can't be kept"
        yield here.fault(what, got=str(card.card.model), do="Add [price], or give --price IN,OUT.")
