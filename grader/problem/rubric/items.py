"""Answers inside the text of a line: labels, items of a list, alternatives, counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from grader.problem.rubric.clause import Clause, clauses
from grader.problem.rubric.marks import ANSWERS, SEPARATORS, Piece, number

LABEL_WORDS = 5
"""A label before a colon is no longer than this."""
TERM_WORDS = 3
"""A term that "or" may part from another term is no longer than this."""
_VERBS = frozenset(
    {"is", "are", "was", "were", "be", "form", "forms", "give", "gives", "has", "have", "will", "can", "does"}
    | {"because", "since", "so", "it", "this", "they", "there", "means"}
)
"""Words that make a text a sentence, in which "or" joins no answers."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A stretch of pieces that answers something, with its label taken off."""

    pieces: tuple[Piece, ...]
    label: str | None
    body: tuple[Piece, ...]
    """The pieces behind the label."""

    @property
    def start(self) -> int:
        """Where the stretch begins, label included."""
        return self.pieces[0].start

    @property
    def end(self) -> int:
        """Where the stretch ends."""
        return self.pieces[-1].end


def content(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Pieces without the separators at either end."""
    pieces = list(pieces)
    while pieces and pieces[0].kind in SEPARATORS - {"DASH"}:
        pieces.pop(0)
    while pieces and pieces[-1].kind in SEPARATORS - {"COLON"} and not _is_charge(pieces):
        pieces.pop()
    return tuple(pieces)


def _is_charge(pieces: Sequence[Piece]) -> bool:
    """Whether the last piece is a minus sign right behind what it charges: ``MnO4-``."""
    return len(pieces) > 1 and pieces[-1].text in "-−" and pieces[-2].end == pieces[-1].start


def answer(line: str, pieces: Sequence[Piece]) -> Answer | None:
    """The stretch as an answer; None where nothing but separators is left."""
    whole = content(pieces)
    if not whole:
        return None
    cut = _label_end(whole)
    label = line[whole[0].start : whole[cut - 1].end].strip(" :：.[]()（）'\"$") if cut else ""
    return Answer(whole, label or None, content(whole[cut:]) or whole)


def _label_end(pieces: tuple[Piece, ...]) -> int:
    """How many leading pieces are a label; 0 for none. Something must stand behind it."""
    kinds = [piece.kind for piece in pieces]
    first = pieces[0]
    if len(pieces) < 2:
        return 0
    if kinds[:2] == ["NUMBER", "STOP"] or (kinds[0] == "bracket" and len(first.inner) == 1):
        return 2 if kinds[0] == "NUMBER" and len(pieces) > 2 else _bracket_label(pieces)
    if kinds[0] == "WORD" and first.text[0] in "①②③④⑤⑥⑦⑧⑨⑩":
        return 1
    if kinds[0] == "WORD" and kinds[1] == "QUOTED" and first.text[0].isupper() and len(first.text) <= 3:
        return 1
    if kinds[0] == "NUMBER":
        return _numbered(pieces)
    return _before_colon(pieces)


def _bracket_label(pieces: tuple[Piece, ...]) -> int:
    """A bracket such as "(i)" labels the answer behind it; "(a) and (b)" are answers themselves.

    A number that touches the bracket multiplies it: "(NH4)2SO4" has no label.
    """
    word = pieces[0].inner[0].text if pieces[0].kind == "bracket" else ""
    counted = word[:1].isupper() and pieces[1].text[:1].isdigit() and pieces[1].start == pieces[0].end
    short = 0 < len(word) <= 4 and pieces[1].kind not in SEPARATORS | {"OR"}
    return 1 if short and not counted else 0


def _numbered(pieces: tuple[Piece, ...]) -> int:
    """A number such as "7-3-1" before a word is that of a subquestion."""
    at = 1
    while at + 1 < len(pieces) and pieces[at].kind == "DASH" and pieces[at + 1].kind == "NUMBER":
        at += 2
    if at == 1 or at >= len(pieces) or pieces[at].kind not in ("WORD", "QUOTED", "MATH"):
        return _before_colon(pieces) if len(pieces) > 2 and pieces[1].kind == "WORD" else 0
    return at if pieces[at].kind != "WORD" or pieces[at].text[0].isupper() else 0


def _before_colon(pieces: tuple[Piece, ...]) -> int:
    """A few words with a colon attached, such as "K:", "[B]:", "Step 2:"; a ratio is none."""
    for at, piece in enumerate(pieces[: LABEL_WORDS + 3]):
        if piece.kind == "COLON":
            attached = at > 0 and pieces[at - 1].end == piece.start
            words = [before.kind for before in pieces[:at]]
            spaced = at + 1 < len(pieces) and pieces[at + 1].start > piece.end
            named = any(kind not in ("NUMBER", "OTHER", "DASH") for kind in words)
            return at + 1 if attached and spaced and named and "QUOTED" not in words else 0
        if piece.kind in ("STOP", "SEMI", "COMMA", "NEWLINE", "mark", "stated"):
            return 0
    return 0


def split(line: str, pieces: Sequence[Piece], wanted: int | None = None) -> tuple[Answer, ...]:
    """The items of a list: quotations, else stretches between semicolons, else LaTeX, else words.

    With ``wanted`` the first way that yields so many items is taken, and none
    if no way does.
    """
    ways = [_cut_after(pieces, "QUOTED"), _runs(pieces, "SEMI", "NEWLINE"), _cut_after(pieces, "MATH")]
    listed = _runs(pieces, "SEMI", "NEWLINE", "COMMA", "AND")
    found = [tuple(each for run in way if (each := answer(line, run))) for way in [*ways, listed]]
    uneven, found[1] = found[1], found[1] if _even(found[1]) else ()
    if wanted is not None:
        return next((way for way in (*found[:3], uneven, found[3]) if len(way) == wanted), ())
    quoted, semicolons, maths, words = found
    if len(quoted) >= 2 or (quoted and len(semicolons) < 2):
        return quoted
    if len(semicolons) >= 2:
        return semicolons
    return maths or words


def _even(found: tuple[Answer, ...]) -> bool:
    """Whether all stretches hold values, or none does: else they are clauses of a sentence, not items."""
    values = [valued(each.pieces) for each in found]
    return all(values) or not any(values)


def _cut_after(pieces: Sequence[Piece], kind: str) -> list[tuple[Piece, ...]]:
    """Stretches that hold one quotation each; what follows one up to a separator goes with it."""
    runs: list[tuple[Piece, ...]] = []
    run: list[Piece] = []
    held = False
    for piece in pieces:
        if held and (piece.kind in SEPARATORS - {"COLON", "DASH"} or piece.kind == kind):
            runs.append(tuple(run))
            run, held = [], False
        run.append(piece)
        held = held or piece.kind == kind
    if held:
        runs.append(tuple(run))
    elif runs and run:
        runs[-1] = (*runs[-1], *run)
    return runs


def _runs(pieces: Sequence[Piece], *separators: str) -> list[tuple[Piece, ...]]:
    return [run for run in clauses(pieces, *separators) if content(run)]


def valued(pieces: Sequence[Piece]) -> bool:
    """Whether a text holds a quotation or LaTeX."""
    return any(piece.kind in ANSWERS for piece in pieces)


def firm(pieces: Sequence[Piece]) -> bool:
    """Whether a text holds values: a quotation, LaTeX, or several stretches between semicolons."""
    return valued(pieces) or len(_runs(pieces, "SEMI")) > 1


def alternatives(line: str, pieces: Sequence[Piece]) -> tuple[Answer, ...]:
    """The members of an inline alternative: "or" between answers, never in running prose."""
    if not any(piece.kind == "OR" for piece in pieces):
        return ()
    for kind in ("QUOTED", "MATH"):
        if sum(piece.kind == kind for piece in pieces) > 1:
            return _between_values(line, pieces, kind)
    return _between_terms(line, pieces)


def _between_values(line: str, pieces: Sequence[Piece], kind: str) -> tuple[Answer, ...]:
    """Values joined by commas and an "or" close behind the value before it."""
    places = [at for at, piece in enumerate(pieces) if piece.kind == kind]
    joints = [pieces[a + 1 : b] for a, b in pairwise(places)]
    joined = [_joint(joint) for joint in joints]
    if joined[-1] != "or" or any(joint is None for joint in joined):
        return ()
    words = [piece for piece in pieces[: places[0]] if piece.kind == "WORD"]
    trailing = [piece for piece in pieces[places[-1] + 1 :] if piece.kind == "WORD"]
    if kind == "MATH" and (len(words) > 2 * TERM_WORDS or len(trailing) > TERM_WORDS):
        return ()
    edges = [0, *(at + 1 for at in places[:-1]), len(pieces)]
    runs = [pieces[a:b] for a, b in pairwise(edges)]
    return tuple(found for run in runs if (found := answer(line, _after_or(run))))


def _joint(pieces: Sequence[Piece]) -> str | None:
    kinds = [piece.kind for piece in pieces if piece.kind != "bracket"]
    if kinds == ["COMMA"]:
        return "comma"
    near = kinds[:1] == ["OR"] or kinds[:2] == ["COMMA", "OR"]
    return "or" if near and len(kinds) <= 2 + 2 * TERM_WORDS and "SEMI" not in kinds else None


def _after_or(pieces: Sequence[Piece]) -> Sequence[Piece]:
    rest = content(pieces)
    return rest[1:] if rest and rest[0].kind == "OR" else rest


def _between_terms(line: str, pieces: Sequence[Piece]) -> tuple[Answer, ...]:
    """Short terms that are the whole text: "half-chair or envelope"."""
    whole = answer(line, pieces)
    if not whole or any(piece.kind in ANSWERS or piece.kind in ("SEMI", "STOP") for piece in whole.body):
        return ()
    runs = _runs(whole.body, "OR", "COMMA")
    terms = [content([piece for piece in run if piece.kind != "OR"]) for run in runs]
    words = [sum(piece.kind != "OTHER" for piece in term) for term in terms]
    verbs = any(piece.text.lower() in _VERBS for piece in whole.body)
    if len(terms) < 2 or verbs or any(not 0 < count <= TERM_WORDS for count in words):
        return ()
    if any(piece.kind == "AND" for piece in whole.body) or "OR" not in [piece.kind for piece in runs[-2]]:
        return ()
    return tuple(found for term in terms if (found := answer(line, term)))


def pick(pieces: Sequence[Piece]) -> int | None:
    """How many of several answers are enough: "any 2", "one of these", "either will do"."""
    clause = Clause(pieces)
    found = clause.pieces
    for at, piece in enumerate(found):
        count = number(piece)
        if count is None:
            continue
        before = found[at - 1].kind if at else ""
        after = [later.kind for later in found[at + 1 : at + 4]]
        listed = after[:1] == ["OF"] and ("THESE" in after or after[1:2] == ["COLON"])
        listed = listed or (after[:1] == ["OF"] and "COUNT" in after[1:3] and clause.some("ENOUGH"))
        if (before == "ANY" or listed) and count:
            return count
    either = clause.some("EITHER") and (clause.some("ENOUGH") or clause.near("EITHER", "OF", 1))
    return 1 if either else None


def sentences(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    """Sentences; a list number or a lone letter before a stop opens its sentence."""
    run: tuple[Piece, ...] = ()
    for sentence in clauses(pieces, "STOP", "NEWLINE"):
        run = (*run, *sentence)
        body = content(run)
        if len(body) == 1 and body[0].kind in ("NUMBER", "WORD") and len(body[0].text) <= 2:
            continue
        yield run
        run = ()
    if run:
        yield run
