"""What a rubric says to its marker: marks, awards, conditions, and who must state what.

Finding only ever names stretches of a text, and leaving out only cuts them, so
that no number, formula or structure that stays is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from grader.problem.rubric.address import address
from grader.problem.rubric.clause import clauses
from grader.problem.rubric.cues import modifiers
from grader.problem.rubric.marks import ANSWERS, Piece, deep, read_pieces
from grader.problem.rubric.mask import mask
from grader.problem.rubric.nodes import Span

_ROUNDS = 8
"""What is cut can bring further words to the start of a clause."""

_N = r"(?:\d{1,2}(?:[.,]\d{1,2})?(?:\s?½)?|½|half|an?|one|two|three|four|five|six)"
_SAID = "|".join(
    (
        r"(?:also\s+|do\s+not\s+|don't\s+|never\s+)?(?:accept|award|penali[sz]e|reject|condone)\b",
        r"(?:do\s+not|don't|never)\s+(?:allow|credit|deduct|give\s+(?:any|the|full|credit|marks?|points?))\b",
        r"ignore\b",
        rf"(?:credit|deduct|subtract|withhold|take\s+off)\s+(?:up\s+to\s+|only\s+)?(?:{_N}|all|any|full|the\s+mark)\b",
        rf"(?:give|allow|grant)\s+(?:up\s+to\s+|only\s+)?{_N}\s+(?:only\s+)?(?:for|if|when|each)\b",
        r"(?:give|allow|grant)\s+(?:(?:full|partial|half|some|no)\b|credit\b|ecf\b|errors?\s+carried)",
        r"allow\s+(?:any|either|answers?|values?|readings?|a\s+range|rounding)\b",
        r"allow\s+\(?[-+−±]?\d",
        r"(?:no|full|part(?:ial)?|half|some|the\s+same|zero)[\s-]+(?:credit|marks?|points?)\b",
        r"(?:errors?\s+carr(?:ied|y)[\s-]+forward|follow[\s-]through|consequential\s+(?:errors?|marking))\b",
        r"or\s+(?:any\s+|an?\s+|the\s+)?(?:equivalent|similar|words\s+to\s+that\s+effect|equally\s+valid)\b",
        r"(?:any|in\s+any)\s+(?:order|equivalent|wording|sensible|reasonable|valid|suitable|correct)\b[^.;\n]{0,40}$",
        r"(?:assign|distribute|split|share)\s+(?:the\s+)?(?:points|marks)\b",
        r"criteria\s+for\s+(?:scoring|marking|credit)\b",
        r"(?:mark(?:ing)?\s+scheme|(?:the|a)\s+(?:marker|grader|examiner)s?)\b",
        rf"{_N}\s+(?:each|apiece)\s*[).;]?\s*$",
        rf"{_N}\s+for\s+each\b",
    )
)
_CLAUSE = re.compile(_SAID, re.IGNORECASE)
"""What opens a clause, or goes on behind a comma, and is for the marker to its end."""
_WORTH = re.compile(
    rf"\b(?:earns?|scores?|is\s+worth|are\s+worth)\s+(?:only\s+|just\s+)?{_N}\b", re.IGNORECASE
)
_INITIALS = re.compile(r"\b(?:ECF|OWTTE|ORA)\b|\becf\b")
_DEMANDED = re.compile(r"(?:\w+\s+){0,2}(?:is\s+|are\s+|must\s+be\s+)?correct\s*$", re.IGNORECASE)
"""Behind a comma or in a bracket: "connectivity correct"; a clause of its own may be the result."""
_LABEL = re.compile(r"(?:full\s+(?:points?|marks?|credit)|answer|expected(?:\s+answer)?)\s*:", re.IGNORECASE)
_LEAD = re.compile(
    r"(?:also\s+)?(?:"
    rf"(?:accept|award|give|allow|credit|grant)\b(?:\s+(?:up\s+to\s+)?(?:{_N}|full|the)\b)?"
    r"(?:\s+(?:credit|marks?|points?|pts?)\b)?"
    rf"|(?:{_N}|full)\s+(?:credit|marks?|points?|pts?)\b"
    r")\s*(?:each\s+)?(?:for\s+|if\s+|when\s+)?(?:either\s+(?:of\s+)?|any\s+(?:one\s+)?of\s*:?\s*)?",
    re.IGNORECASE,
)
_AWARDED = re.compile(
    rf"(?:(?:award|give|allow|credit|grant)\s+)?{_N}\s+(?:(?:marks?|points?|pts?)\s+)?(?:each\s+)?for\s",
    re.IGNORECASE,
)
_FLAWED = re.compile(
    r"\b(?:but|without|only|fails?|incomplete|partial(?:ly)?|limited|lacks?|lacking|incorrect(?:ly)?|vague(?:ly)?)\b",
    re.IGNORECASE,
)
_MORE = re.compile(rf"(?<=[,;])\s*(?:and\s+)?{_N}\s+(?:more\s+)?for\s", re.IGNORECASE)
_SQUARE = re.compile(r"\[[^\[\]\n]{1,80}\]")
_DENIED = re.compile(
    r"(?:do\s+not|don't|never|no|zero|ignore|reject|deduct|subtract|penali[sz]e|withhold|take\s+off)\b", re.I
)
_SEPARATOR = re.compile(r"[,;:.](?!\d)")
_SEPARATORS = frozenset({"COMMA", "DASH", "COLON"})
_EDGES = " \t\u00a0"


def hints(text: str, private: Iterable[str] = ()) -> tuple[Span, ...]:
    """The stretches of a text that speak to a marker, or name one of the ``private`` files."""
    return _hints(text, tuple(private))


def without_hints(text: str, private: Iterable[str] = ()) -> str:
    """The text with what speaks to a marker cut out; empty where nothing is left.

    Where a whole text is an award ("award 1 for X"), what it is for stays.
    """
    return _without(text, tuple(private))


def speaks_of_marks(text: str) -> bool:
    """Whether a text states an amount of marks anywhere."""
    return any(piece.kind in ("mark", "stated", "range") for piece in deep(read_pieces(text)[1]))


@lru_cache(maxsize=4096)
def _without(text: str, private: tuple[str, ...]) -> str:
    for _ in range(_ROUNDS):
        before, text = text, _tidy(_cut(text, _hints(text, private)))
        if text == before:
            break
    return text


def _hints(text: str, private: tuple[str, ...]) -> tuple[Span, ...]:
    brackets = _merged(_brackets(text, private))
    bare = _blanked(text, brackets)
    masked, runs = mask(bare).text, list(_runs(bare))
    top = max((amount for run in runs if (amount := _header_amount(run)) is not None), default=0.0)
    told = [(run, _told(bare, masked, run, private, top)) for run in runs]
    left = any(aimed is None or aimed.start > run[0].start for run, aimed in told)
    found = [*brackets]
    for place, (run, aimed) in enumerate(told):
        if aimed is None or aimed.start > run[0].start:
            found.extend(_in_passing(masked, run))
        if aimed is None:
            continue
        alone = not left or (place == 0 and _AWARDED.match(masked, aimed.start, aimed.end))
        found.extend(_of_award(masked, run) if aimed.clause and alone else [(aimed.start, aimed.end)])
    return _merged(span for span in found if span[0] < span[1])


class _Aimed(NamedTuple):
    """The part of a clause that is for the marker."""

    start: int
    end: int
    clause: bool = False
    """It is the whole clause, which may say what an award is for."""


# Brackets


def _brackets(text: str, private: tuple[str, ...]) -> Iterator[Span]:
    """Marks, and brackets whose content is for the marker."""
    masked, pieces = read_pieces(text)
    for piece in deep(pieces):
        if piece.kind == "mark" or (piece.kind == "bracket" and _is_told(text, masked.text, piece, private)):
            yield _wrapped(text, piece.start, piece.end)
    for square in _SQUARE.finditer(masked.text):
        inner = square.group()[1:-1]
        if any(piece.kind == "stated" for piece in read_pieces(inner)[1]) or _INITIALS.fullmatch(
            inner.strip()
        ):
            yield square.span()


def _is_told(text: str, masked: str, bracket: Piece, private: Sequence[str]) -> bool:
    inner = masked[bracket.start + 1 : bracket.end - 1].strip()
    if any(said.match(inner) for said in (_CLAUSE, _DEMANDED)) or _INITIALS.fullmatch(inner):
        return True
    if bracket.has("stated"):
        return True
    return bool(modifiers(bracket.inner)) or _names(text[bracket.start : bracket.end], private)


def _wrapped(text: str, start: int, end: int) -> Span:
    r"""A mark with the ``\text{}`` around it."""
    before = re.search(r"\\(?:text|mathrm|textrm|mbox)\{\s*$", text[:start])
    after = re.match(r"\s*\}", text[end:])
    return (before.start(), end + after.end()) if before and after else (start, end)


# Clauses


def _runs(text: str) -> Iterator[tuple[Piece, ...]]:
    """Clauses, without what separates them."""
    for run in clauses(read_pieces(text)[1], "STOP", "NEWLINE", "SEMI"):
        kept = run[:-1] if run[-1].kind in ("STOP", "NEWLINE", "SEMI") else run
        if any(text[piece.start : piece.end].strip() for piece in kept):
            yield kept


def _told(text: str, masked: str, run: Sequence[Piece], private: Sequence[str], top: float) -> _Aimed | None:
    """What of a clause is for the marker; ``top`` are the most marks that a clause of the text opens with."""
    start, end = run[0].start, run[-1].end
    if label := _LABEL.match(masked, start, end):
        return _Aimed(start, label.end())
    amount = _header_amount(run)
    if amount is not None:
        head = next(piece.end for piece in run if piece.kind == "COLON")
        lesser = amount < top and (not amount or _FLAWED.search(text, head, _line_end(text, head)))
        return _Aimed(start, _line_end(text, end) if lesser else head)
    for at in _openings(run):
        behind = at > start and _DEMANDED.match(masked, at, end)
        if behind or _CLAUSE.match(masked, at, end) or _INITIALS.match(masked, at, end):
            return _Aimed(start, end, True) if at == start else _Aimed(_separator(run, at), end)
    worth = _WORTH.search(masked, start, end) or (_gives_marks(run) and not _holds_answers(run))
    whole = worth or modifiers(run) or _names(text[start:end], private)
    return _Aimed(start, end, True) if whole else None


def _header_amount(run: Sequence[Piece]) -> float | None:
    """The marks before the colon of "5 points in all: ..."."""
    head = [piece.kind for piece in run]
    stated = next((piece for piece in run if piece.kind == "stated"), None)
    if stated is None or "COLON" not in head[head.index("stated") :]:
        return None
    return stated.value


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _gives_marks(run: Sequence[Piece]) -> bool:
    kinds = {piece.kind for piece in run}
    return bool(kinds & {"stated", "range", "formula"}) and bool(kinds & {"AWARD", "GIVE", "TOTAL"})


def _holds_answers(run: Sequence[Piece]) -> bool:
    return any(piece.kind in ANSWERS or piece.kind in ("TABLE", "NUMBER") for piece in run)


def _openings(run: Sequence[Piece]) -> Iterator[int]:
    yield run[0].start
    for before, piece in pairwise(run):
        if before.kind in _SEPARATORS and before.end < piece.start:
            yield piece.start


def _separator(run: Sequence[Piece], at: int) -> int:
    """Where the separator before an opening begins."""
    return max(piece.start for piece in run if piece.start < at)


def _of_award(masked: str, run: Sequence[Piece]) -> Iterator[Span]:
    """Of a clause that is all a text has: the words of award alone, so that what it is for stays."""
    start, end = run[0].start, run[-1].end
    acts = modifiers(run)
    refused = _DENIED.match(masked, start, end) or any(
        change.act in ("deduction", "veto") or "not_accepted" in change.flags for change in acts
    )
    lead = None if refused else _LEAD.match(masked, start, end)
    worth = None if refused or acts else _WORTH.search(masked, start, end)
    if lead:
        yield start, lead.end()
        yield from (more.span() for more in _MORE.finditer(masked, start, end))
    else:
        yield (worth.start() if worth else start), end


def _in_passing(masked: str, run: Sequence[Piece]) -> Iterator[Span]:
    """In a clause that stays: amounts of marks, and who is to state it."""
    for place, piece in enumerate(run):
        if piece.kind in ("stated", "range"):
            first = place - (place > 0 and run[place - 1].kind in ("AWARD", "GIVE"))
            last = place + (place + 1 < len(run) and run[place + 1].kind == "FOR")
            yield run[first].start, run[last].end
    behind = [after.start for before, after in pairwise(run) if before.kind == "COLON"]
    for start in (run[0].start, *behind[:1]):
        if spoken := address(masked, start, run[-1].end):
            yield start, spoken


def _names(text: str, private: Sequence[str]) -> bool:
    return any(name in text for name in private)


# Cutting


def _blanked(text: str, spans: Iterable[Span]) -> str:
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def _merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def _cut(text: str, spans: Sequence[Span]) -> str:
    kept = ""
    at = 0
    for start, end in spans:
        kept = _joined(kept, text[at:start])
        at = end
        if kept.endswith("**") and text.startswith("**", end):  # an emphasis around nothing
            kept, at = kept[:-2], at + 2
    return _joined(kept, text[at:])


def _joined(left: str, right: str) -> str:
    """Two stretches with one blank between them, and one separator where each has its own."""
    if not left:
        return right.lstrip(_EDGES)
    left, right = left.rstrip(_EDGES), right.lstrip(_EDGES)
    if right.startswith("**") and left.count("**") % 2:
        return f"{left}{right}"
    separated = _SEPARATOR.match(right)
    if separated and left[-1:] in (",", ";", ":", ".", "\n"):
        right, separated = right[1:].lstrip(_EDGES), None
    close = separated or right[:1] in (")", "\n", "") or left.endswith(("(", "\n"))
    return f"{left}{right}" if close else f"{left} {right}"


def _tidy(text: str) -> str:
    """The lines that say something, without separators at their edges."""
    lines = (line.lstrip(f",;:\r{_EDGES}").rstrip(f",;\r{_EDGES}") for line in text.split("\n"))
    return "\n".join(line for line in lines if line.strip(".-•*[]() :"))
