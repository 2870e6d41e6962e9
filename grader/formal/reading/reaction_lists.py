"""Reactions written as lists: "Reactants: ..., Products: ..."."""

from __future__ import annotations

import re

from grader.formal.reading.components import Side, read_side
from grader.formal.structures.reaction import Reaction, Step

_HEAD = re.compile(
    r"^[\s*_#>|`\-\u2022]{0,12}(?:\d{1,2}[.)]\s{0,2})?[*_]{0,2}(?:(?:the|main|major|organic|starting|overall)\s)?"
    r"(?P<what>reactants?|starting materials?|materials?|substrates?|educts?|reagents?|"
    r"catalysts?|conditions?|solvents?|agents?|by-?products?|side products?|products?)"
    r"(?:\s\([^()\n]{0,30}\))?[*_]{0,2}\s{0,2}(?:[:=|\u2014]|\s-\s)[*_]{0,2}(?P<rest>[^\n]*)$",
    re.I | re.M,
)
_ITEM = re.compile(r"\n[ \t]*(?:[-*\u2022]|\d{1,2}[.)])[ \t]+[^\n]+")


def read_lists(raw: str, *, names: bool) -> tuple[Reaction, int, int] | None:
    """The reaction that labelled lists of a text write, with its raw span; None where none is complete."""
    sides: dict[str, Side] = {}
    for head in _HEAD.finditer(raw):
        kind = _kind(head["what"].lower())
        side = _read(raw, head, names=names)
        if kind in sides and kind != "agents":
            return None
        sides[kind] = side
    entering, leaving = sides.get("reactants"), sides.get("products")
    if entering is None or leaving is None or not (entering.components and leaving.components):
        return None
    if not (entering.certain or leaving.certain):
        return None
    agents, lesser = sides.get("agents", Side()), sides.get("byproducts", Side())
    step = Step(
        tuple(entering.components),
        tuple(agents.components),
        (*leaving.components, *lesser.components),
        (*entering.unread, *agents.unread),
        (*leaving.unread, *lesser.unread),
    )
    start, end = min(entering.start, leaving.start), max(entering.end, leaving.end)
    return Reaction(raw[start:end], (step,)), start, end


def _kind(what: str) -> str:
    if what.startswith(("by", "side")):
        return "byproducts"
    if what.startswith("product"):
        return "products"
    return "agents" if what.startswith(("catal", "condi", "solv", "agent")) else "reactants"


def _read(raw: str, head: re.Match[str], *, names: bool) -> Side:
    """The components on the line of a head, or on the list items below it."""
    if head["rest"].strip(" *_`|"):
        return read_side(raw, head.start("rest"), head.end("rest"), outer="", names=names)
    whole = Side()
    at = head.end()
    while (item := _ITEM.match(raw, at)) is not None:
        one = read_side(raw, item.start() + 1, item.end(), outer="", names=names)
        if one.components:
            whole.add(one.components, one.start, one.end)
            whole.certain = whole.certain or one.certain
        whole.unread += one.unread
        at = item.end()
    return whole
