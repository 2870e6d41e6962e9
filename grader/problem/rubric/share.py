"""Which answer a named share of marks is for: by label, by kind, else by position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.problem.rubric.award import Award, Share
from grader.problem.rubric.draft import Entry, Header, Source, bare
from grader.problem.rubric.items import Answer, answer, valued
from grader.problem.rubric.marks import Piece
from grader.problem.rubric.nodes import NativeNode, Span

_ORDINALS = {"former": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "latter": -1}
_KINDS = {
    "anion": ("-]", "^-", "-}"),
    "cation": ("+]", "^+", "+}"),
    "fluoride": ("F",),
    "chloride": ("Cl",),
    "bromide": ("Br",),
    "iodide": ("I",),
}
"""What a word for a kind of species shows in its notation."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An answer and the line it stands on."""

    source: Source
    answer: Answer


def labels_of(pieces: Sequence[Piece]) -> tuple[str, ...]:
    """The labels that a header names: "S, T and W", "A to D"; an article is no label."""
    found: list[str] = []
    words = list(pieces)
    for at, piece in enumerate(words):
        if not _is_label(words, at):
            continue
        if found and at > 1 and words[at - 1].kind in ("DASH", "TO"):
            found.extend(_between(found[-1], piece.text))
        found.append(piece.text)
    return tuple(dict.fromkeys(found))


def _is_label(words: Sequence[Piece], at: int) -> bool:
    piece = words[at]
    if piece.kind != "WORD" or not piece.text[0].isupper() or len(piece.text) > 4:
        return False
    if not (len(piece.text) == 1 or any(not char.isalpha() for char in piece.text)):
        return False
    follows = words[at + 1] if at + 1 < len(words) else None
    article = (
        piece.text == "A" and follows is not None and follows.kind == "WORD" and follows.text[0].islower()
    )
    return not article


def _between(first: str, last: str) -> list[str]:
    """The single letters between two labels."""
    if len(first) == len(last) == 1 and ord(first) < ord(last) <= ord(first) + 12:
        return [chr(code) for code in range(ord(first) + 1, ord(last))]
    return []


def shared(
    source: Source, span: Span, award: Award, found: Sequence[Answer], names: tuple[str, ...]
) -> list[Entry]:
    """The parts of named shares: each with its own answer, else with one of those found beside."""
    if all(valued(share.pieces) for share in award.shares) or (not found and _named_here(award)):
        return list(_alone(source, award))
    placed = [Placed(source, each) for each in found]
    parts = assign(award, placed, source.index)
    if parts:
        return list(parts)
    return [Header(source, span, award, names, tuple(_alone(source, award)))]


def _named_here(award: Award) -> bool:
    return any(valued(share.pieces) for share in award.shares)


def _alone(source: Source, award: Award) -> list[NativeNode]:
    """The shares as parts by aspect, with the words that name them."""
    left = (award.total or 0) - sum(share.marks or 0 for share in award.shares)
    return [
        source.part(
            marks,
            bare(source, share.pieces),
            (share.pieces[0].start, share.pieces[-1].end) if share.pieces else (award.start, award.start),
        )
        for share in award.shares
        if (marks := share.marks if share.marks is not None else left) > 0
    ]


def assign(award: Award, found: Sequence[Placed], at: int) -> list[NativeNode]:
    """Parts for the answers that the shares name; empty where shares and answers don't fit.

    What the shares leave of a stated total goes to the one answer that none of
    them names, if there is just one.
    """
    owners: dict[int, float | None] = {}
    for share in award.shares:
        match = _match(share, found, set(owners))
        if match is not None:
            owners[match] = share.marks
    unmatched = len(award.shares) - len(owners)
    free = [place for place in range(len(found)) if place not in owners]
    if unmatched:
        if len(award.shares) not in (len(found), len(found) - 1) or owners:
            return []
        owners = dict(zip(range(len(award.shares)), (share.marks for share in award.shares), strict=True))
        free = list(range(len(award.shares), len(found)))
    left = (award.total or 0) - sum(marks or 0 for marks in owners.values())
    if len(free) == 1 and left > 0:
        owners[free[0]] = left
    shares = [(found[place], left if owners[place] is None else owners[place]) for place in sorted(owners)]
    return [
        item.source.part(marks, item.answer, (item.answer.start, item.answer.end), at=at)
        for item, marks in shares
        if marks and marks > 0
    ]


def _match(share: Share, found: Sequence[Placed], taken: set[int]) -> int | None:
    """The answer that a share names, by label, ordinal or kind."""
    words = [piece.text for piece in share.pieces if piece.kind in ("WORD", "FIRST", "LAST")]
    for place, item in enumerate(found):
        if place not in taken and item.answer.label and item.answer.label in words:
            return place
    for word in (word.lower() for word in words):
        ordinal = _ordinal(word, len(found))
        candidates = [ordinal] if ordinal is not None else _of_kind(word, found)
        if len(candidates) == 1 and candidates[0] not in taken:
            return candidates[0]
    return None


def _of_kind(word: str, found: Sequence[Placed]) -> list[int]:
    """The answers that show the kind of species that a word names."""
    signs = _KINDS.get(word, ())
    texts = [item.source.text[item.answer.start : item.answer.end] for item in found]
    return [place for place, text in enumerate(texts) if any(sign in text for sign in signs)]


def _ordinal(word: str, count: int) -> int | None:
    place = {"first": 0, "last": -1, **_ORDINALS}.get(word)
    if place is None or not -count <= place < count:
        return None
    return place % count


def whole(source: Source, pieces: Sequence[Piece]) -> Placed | None:
    """All of a text as one answer."""
    found = answer(source.text, pieces)
    return Placed(source, found) if found else None
