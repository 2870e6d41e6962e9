"""Finding the reactions of an answer: reaction SMILES, structures around arrows, labelled lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from grader.answer.notation import Text
from grader.formal.reading.reaction_lines import read_lines
from grader.formal.reading.reaction_lists import read_lists
from grader.formal.reading.roles import Role
from grader.formal.reading.smiles_tokens import MAX_TOKENS, TooMany
from grader.formal.structures.reaction import MAX_CHARACTERS, Reaction, read_reaction
from grader.formal.structures.structure import Unreadable

_SIGN = r"[A-Za-z0-9@+\-\u2212\u2013\u207a\u207b\[\]()=#/\\%.*:~'\u200b\u2060]"
_RUN = re.compile(rf"(?:&gt;|>|<(?=-)|{_SIGN}){{4,{MAX_CHARACTERS}}}")
_TAG = re.compile(r"</?[A-Za-z_]{1,20}>")
_EXTENSION = re.compile(r"[ \t]{1,3}\|(?:[&oaf]\d{0,3}:|\$|w[UD]?:|[(rctmH])[^|\s]{0,1000}\|")
_ARROW = re.compile(r"(?<![->\s])>[^>\s]*>(?![>\s])|(?<=[\])A-Za-z0-9])>>(?!>)")
_BESIDE = re.compile(
    r"\b(?:side|competing|competitive|minor|unwanted|undesired) (?:reaction|pathway|process)"
    r"(?: is| would be|[,:])?[\s`*\"'(]{0,4}$",
    re.I,
)
_WRAPPING = ".,;:'\"*_`"


@dataclass(frozen=True, slots=True)
class WrittenReaction:
    """A reaction as an answer writes it; ``reaction`` is None where it can't be read, ``why`` says so."""

    text: str
    reaction: Reaction | None
    why: str = ""
    role: Role = Role.STATED


def find_reactions(
    text: Text, *, names: bool, attachments: bool = False
) -> list[tuple[WrittenReaction, int, int]]:
    """Every reaction of an answer with its raw span, in order; raises TooMany.

    ``names``: names may stand for components too. ``attachments``: attachment
    points are expected, so that a star at an end is one and not emphasis. Lists of reactants and
    products count where no reaction is written with an arrow.
    """
    found = []
    for one in _tokens(text.raw, attachments):
        found.append(one)
        if len(found) > MAX_TOKENS:
            raise TooMany
    taken = [(start, end) for _, start, end in found]
    for reaction, start, end in read_lines(text.raw, taken, names=names):
        found.append((WrittenReaction(text.raw[start:end], reaction), start, end))
        if len(found) > MAX_TOKENS:
            raise TooMany
    if not found and (listed := read_lists(text.raw, names=names)) is not None:
        reaction, start, end = listed
        found.append((WrittenReaction(text.raw[start:end], reaction), start, end))
    return sorted(found, key=lambda one: one[1])


def _tokens(raw: str, attachments: bool) -> Iterator[tuple[WrittenReaction, int, int]]:
    """The reaction SMILES of a text."""
    if ">" not in raw and "&gt;" not in raw:
        return
    wrapping = _WRAPPING.replace("*", "") if attachments else _WRAPPING
    for run in _RUN.finditer(_TAG.sub(lambda tag: " " * len(tag[0]), raw)):
        start, end = _trimmed(raw, *run.span(), wrapping)
        smiles = raw[start:end].replace("&gt;", ">")
        if not _ARROW.search(smiles):
            continue
        extension = _EXTENSION.match(raw, end)
        if extension:
            end = extension.end()
        beside = _BESIDE.search(raw, max(0, start - 60), start)
        yield replace(_read(raw[start:end]), role=Role.CONTEXT if beside else Role.STATED), start, end


def _read(text: str) -> WrittenReaction:
    try:
        return WrittenReaction(text, read_reaction(text.replace("&gt;", ">")))
    except Unreadable as error:
        return WrittenReaction(text, None, str(error))


def _trimmed(raw: str, start: int, end: int, wrapping: str) -> tuple[int, int]:
    """A run without the punctuation, type and brackets around it, and without a label glued to it."""
    before = None
    while before != (start, end) and start < end:
        before = (start, end)
        inside = raw[start:end]
        if inside[-1] in wrapping and not inside.endswith("*]"):
            end -= 1
        elif inside[0] in wrapping + ")=->":
            start += 1
        elif inside[-1] in ")]" and inside.count("(" if inside[-1] == ")" else "[") < inside.count(
            inside[-1]
        ):
            end -= 1
        elif inside[0] == "(" and inside.count("(") > inside.count(")"):
            start += 1
    head = re.match(r"[A-Za-z]{2,20}:(?=[A-Z\[c])", raw[start:end])
    return (start + head.end(), end) if head else (start, end)
