"""Whose models a judge's are, so that leniency towards its own family can be told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.errors import CardError
from grader.judge.cards import load_card
from grader.judge.family import families, family

if TYPE_CHECKING:
    from grader.archive.store import Archive


def judge_families(archive: Archive | None, judge: str) -> frozenset[str]:
    """The families of the judge ``<card>@<hash>``: as its card says, else those that served it.

    Empty where neither is known: no proof of independence. A card that has been
    changed since, and so has another hash, isn't asked.
    """
    name = judge.partition("@")[0]
    try:
        card = load_card(name)
    except CardError:
        card = None
    if card is not None and card.label == judge:
        return families(card)
    served = archive.served(judge) if archive is not None else []
    names = {name for one in served for name in (one.model, one.served) if name}
    return frozenset(one for name in names for one in family(name))


def kin_of(own: frozenset[str], model: str) -> bool:
    """Whether an answering model is of one of the judge's families."""
    return bool(own & family(model))
