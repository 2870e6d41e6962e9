"""What a mark, or a sentence about marks, gives: one part, so much an item, shares, or a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from grader.problem.rubric.clause import REACH, Clause, clauses
from grader.problem.rubric.cues import modifiers
from grader.problem.rubric.items import content, pick
from grader.problem.rubric.marks import Piece, number
from grader.problem.rubric.nodes import Table

VERBS = frozenset({"AWARD", "GIVE", "FOR", "COLON"})


@dataclass(frozen=True, slots=True)
class Share:
    """Marks for a named answer or aspect; without an amount it is what the others leave."""

    marks: float | None
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Award:
    """The marks that one mark, or one run of sentences, gives."""

    start: int
    end: int
    plain: float | None = None
    """Marks for one answer."""
    each: float | None = None
    """Marks for every item."""
    total: float | None = None
    """What the parts must come to: a check, never added."""
    items: int | None = None
    """How many items there are, or are wanted."""
    shares: tuple[Share, ...] = ()
    cap: int | None = None
    """The most items that are credited."""
    table: Table | None = None
    """Marks by the number of items met."""
    open: bool = False
    """Any of a longer list will do."""
    tail: tuple[Piece, ...] = ()
    """The words of the mark behind its amount, which may modify it."""
    flags: frozenset[str] = field(default_factory=frozenset)

    @property
    def wanted(self) -> int | None:
        """How many items the marks speak of, if they say so."""
        if self.each and self.total:
            count = self.total / self.each
            return round(count) if math.isclose(count, round(count)) else None
        return self.items


def of_marks(marks: Sequence[Piece]) -> Award:
    """The award of one mark, or of marks that stand side by side ("(1 point each) (2 points total)")."""
    first = marks[0]
    place = Award(first.start, marks[-1].end, tail=tuple(piece for mark in marks for piece in mark.tail))
    amounts = [mark.amount for mark in marks] + [piece for mark in marks for piece in _going_on(mark.tail)]
    flags = {"total"} if any(piece.total for piece in amounts) else set()
    flags |= {"discretion"} if any(piece.kind == "range" for piece in amounts) else set()
    each = next((piece for piece in amounts if piece.each), None)
    if each:
        total = next((piece.value for piece in amounts if piece is not each), None)
        flags |= {"each"} if total is None else {"each", "total"}
        rest = tuple(piece for piece in place.tail if piece not in amounts)
        return replace(
            place, each=each.value, total=total, items=each.items, tail=rest, flags=frozenset(flags)
        )
    shares = _mark_shares(first)
    if shares:
        total = first.value if _opens(first) else None
        flags |= {"total"} if total is not None else set()
        return replace(place, total=total, shares=shares, tail=(), flags=frozenset(flags))
    return replace(place, plain=first.value, flags=frozenset(flags))


def stacked(first: Piece, second: Piece) -> bool:
    """Whether two marks side by side speak of the same answers: one of them is each or total."""
    return any(mark.amount.each or mark.amount.total for mark in (first, second)) or (
        first.value == second.value and not content(second.tail)
    )


def _going_on(tail: tuple[Piece, ...]) -> list[Piece]:
    """Amounts right behind the first one: "3 points, 1 point each", "1 point each, 3 points in all"."""
    found = []
    for run in clauses(tail, "COMMA", "SEMI", "COLON"):
        body = content(run)
        if body and body[0].kind == "stated" and body[0].value and (body[0].each or body[0].total):
            found.append(body[0])
    return found


def _opens(mark: Piece) -> bool:
    """Whether the first amount of a mark is the total of the shares behind it."""
    return not (mark.tail and mark.tail[0].kind == "FOR")


def _mark_shares(mark: Piece) -> tuple[Share, ...]:
    """Shares named inside a mark: "(1 point for X and 2 points for Y)", "(3 points: 2 for X, 1 for Y)"."""
    pieces = mark.tail if _opens(mark) else mark.inner
    if _opens(mark) and any(modifiers(run, inside=True) for run in clauses(pieces, "SEMI") if _taken(run)):
        return ()
    starts = [
        at
        for at, piece in enumerate(pieces[:-1])
        if (piece.kind == "stated" or (piece.kind == "NUMBER" and number(piece)))
        and pieces[at + 1].kind == "FOR"
    ]
    if len(starts) < 2:
        return ()
    edges = [*starts, len(pieces)]
    shares = tuple(Share(_marks(pieces[a]), content(pieces[a + 2 : b])) for a, b in pairwise(edges))
    whole = math.isclose(math.fsum(share.marks or 0 for share in shares), mark.value)
    return shares if not _opens(mark) or whole else ()


def _taken(run: Sequence[Piece]) -> bool:
    return bool(Clause(run).taken())


def _marks(piece: Piece) -> float:
    return piece.value if piece.kind == "stated" else float(number(piece) or 0)


def table(pieces: Sequence[Piece]) -> Table | None:
    """A count table: "all three 2 points, two 1 point, one 0"; missing counts earn nothing."""
    entries: dict[int, float] = {}
    amounts = 0
    named: set[str] | None = None
    for run in clauses(content(pieces), "COMMA", "SEMI", "STOP"):
        entry = (
            _entry(content(run)) if not any(piece.kind == "stated" and piece.total for piece in run) else None
        )
        words = {piece.text.lower() for piece in run if piece.kind == "WORD"}
        named = words if named is None else named
        if entry is None or not words <= named:
            return None
        entries[entry[0]] = entry[1]
        amounts += any(piece.kind == "stated" for piece in run)
    if len(entries) < 2 or not amounts or max(entries.values()) <= 0:
        return None
    return tuple((count, entries.get(count, 0.0)) for count in range(max(entries), -1, -1))


def _entry(run: tuple[Piece, ...]) -> tuple[int, float] | None:
    """One row of a count table: how many are right, and what they earn."""
    named = [
        (at, float(value))
        for at, piece in enumerate(run)
        if (value := piece.value if piece.kind == "stated" else _counted(piece)) is not None
    ]
    if len(named) < 2:
        return None
    counts = [value for at, value in named if run[at].kind != "stated"]
    marks = [value for at, value in named if run[at].kind == "stated"] or [named[-1][1]]
    count = counts[0] if counts else None
    return (int(count), marks[0]) if count is not None else None


def _counted(piece: Piece) -> int | None:
    return 0 if piece.kind == "NOTHING" else number(piece)


def of_sentence(sentence: Sequence[Piece], line_end: int | None = None) -> Award | None:
    """What a sentence without a mark in brackets gives; None if it speaks of no marks."""
    pieces = [piece for piece in sentence if piece.kind != "NEWLINE"]
    amounts = [piece for piece in pieces if piece.kind == "stated" and piece.value]
    if not amounts or not _awarding(pieces, amounts):
        return None
    start, end = pieces[0].start, pieces[-1].end
    each = next((piece for piece in amounts if piece.each), None)
    each = each or _each_by_verb(pieces, amounts)
    totals = [piece for piece in amounts if piece.total]
    plain = [piece for piece in amounts if piece is not each and piece not in totals and not piece.has("CAP")]
    total = totals[0].value if totals else None
    if each is None and totals and len(plain) == 1 and _times(pieces, plain[0], totals[0]):
        each, plain = plain[0], []
    if each:
        return _itemised(pieces, each, total if totals else (plain[0].value if plain else None))
    if total is None and len(plain) > 1 and _heads(pieces, plain):
        total, plain = plain[0].value, plain[1:]
    if plain and (totals or len(plain) > 1 or total is not None):
        flags = frozenset({"total"} if total is not None else ())
        return Award(start, end, total=total, shares=_shares(pieces, plain), flags=flags)
    if plain:
        return Award(start, end, plain=plain[0].value)
    return Award(start, end, total=total, flags=frozenset({"total"}))


def _awarding(pieces: Sequence[Piece], amounts: Sequence[Piece]) -> bool:
    """Whether amounts in prose are marks: a cue beside one, several of them, or nothing behind them."""
    clause = Clause(pieces)
    if clause.some(*VERBS, "EACH", "MUST") or any(piece.each or piece.total for piece in amounts):
        return True
    last = amounts[-1]
    behind = [piece for piece in pieces if piece.start >= last.end]
    return len(amounts) > 1 or not content(behind) or behind[0].kind in ("COMMA", "SEMI")


def _each_by_verb(pieces: Sequence[Piece], amounts: Sequence[Piece]) -> Piece | None:
    """The amount of a sentence that gives it to each item: "each isomer earns", "are given for each"."""
    own = [piece for piece in amounts if not piece.has("CAP") and not piece.total]
    if len(own) != 1:
        return None
    behind = [piece for piece in pieces if piece.start >= own[0].end]
    spread = any(piece.kind == "EACH" and " " in piece.text for piece in behind[:REACH])
    return own[0] if spread or pieces[0].kind == "EACH" else None


def _times(pieces: Sequence[Piece], share: Piece, total: Piece) -> bool:
    """Whether count, share and total agree: "three indoles at 2 points, 6 points in all"."""
    counts = [value for piece in pieces if (value := number(piece))]
    return any(math.isclose(count * share.value, total.value) for count in counts)


def _heads(pieces: Sequence[Piece], plain: Sequence[Piece]) -> bool:
    """Whether the first amount is the sum of the others: "5 points: E 3 points, G 2 points"."""
    at = pieces.index(plain[0])
    behind = pieces[at + 1].kind if at + 1 < len(pieces) else ""
    alone = behind == "COMMA" and not content(pieces[:at])
    return (alone or behind in ("COLON", "DASH")) and math.isclose(
        plain[0].value, math.fsum(piece.value for piece in plain[1:])
    )


def _itemised(pieces: Sequence[Piece], each: Piece, total: float | None) -> Award:
    """So much for every item, with what the sentence says about their number."""
    clause = Clause(pieces)
    cap = None
    for at, piece in enumerate(clause.pieces):
        if piece.kind == "CAP":
            beside = [*clause.pieces[at + 1 : at + 2], *clause.pieces[max(0, at - 1) : at]]
            cap = next((value for other in beside if (value := number(other))), cap)
    limits = [piece.value for piece in clause.pieces if piece.kind == "stated" and piece.has("CAP")]
    if limits:
        cap = round(limits[0] / each.value)
    counts = [
        value
        for piece in clause.pieces
        if (value := number(piece)) and piece.kind in ("COUNT", "BOTH", "NUMBER")
    ]
    items = each.items or pick(pieces) or (counts[0] if counts and cap is None else None)
    if total == each.value:
        total = None
    flags = frozenset({"each"} | ({"total"} if total is not None else set()))
    return Award(
        pieces[0].start,
        pieces[-1].end,
        each=each.value,
        total=total,
        items=items,
        cap=cap,
        open=clause.some("ANY") or cap is not None,
        flags=flags,
    )


def _shares(pieces: Sequence[Piece], plain: Sequence[Piece]) -> tuple[Share, ...]:
    """The words that belong to each amount: those behind "for", else those before it."""
    shares: list[Share] = []
    edge = 0
    for order, piece in enumerate(plain):
        at = pieces.index(piece)
        limit = pieces.index(plain[order + 1]) if order + 1 < len(plain) else len(pieces)
        if at + 1 < limit and pieces[at + 1].kind in ("FOR", "COLON"):
            words = pieces[at + 2 : limit]
            edge = limit
        else:
            words = [word for word in pieces[edge:at] if not (word.kind == "stated" and word.total)]
            last = max((place for place, word in enumerate(words) if word.kind == "SEMI"), default=-1)
            words = words[last + 1 :]
            edge = at + 1
        shares.append(Share(piece.value, _named(words)))
    rest = content(pieces[edge:])
    if any(piece.kind == "REST" for piece in rest):
        shares.append(Share(None, _named([piece for piece in rest if piece.kind != "REST"])))
    return tuple(shares)


def _named(words: Sequence[Piece]) -> tuple[Piece, ...]:
    """A share's words without the verb that gives the marks and without the head of the list."""
    kept = list(words)
    for at, piece in enumerate(kept):
        if piece.kind == "COLON" and at < len(kept) - 1 and any(p.kind == "stated" for p in kept[:at]):
            kept = kept[at + 1 :]
            break
    while kept and kept[-1].kind in ("AWARD", "GIVE", "AND", "COMMA", "SEMI", "DASH", "COLON", "MUST", "IF"):
        kept.pop()
    return content(kept)


def bare_shares(sentence: Sequence[Piece]) -> tuple[Share, ...]:
    """Shares without the word points, where a total has just been stated: "the anion counts 3"."""
    shares = []
    for run in clauses(content(sentence), "COMMA", "SEMI", "AND"):
        body = content(run)
        if len(body) < 3 or body[-2].kind not in ("AWARD", "GIVE", "FOR") or number(body[-1]) is None:
            return ()
        shares.append(Share(float(number(body[-1]) or 0), content(body[:-2])))
    return tuple(shares)
