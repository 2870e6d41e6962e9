"""Where a response says "this is my answer": boxes, tags, "Answer:", bold, code."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from grader.answer.cover import Cover
from grader.answer.members import sole_member
from grader.answer.notation import CODE, Text


class Rank(IntEnum):
    """How clearly a span is marked as the answer; a higher one wins."""

    PLAIN = 0
    LINE = 10
    """Alone on its line."""
    CONCLUDED = 20
    """After "so", "thus", "hence" in its sentence."""
    CODE = 30
    BOLD = 40
    OBTAINED = 43
    """What a step gives, by its sentence; given by kinds that read sentences."""
    PRESENTED = 46
    """What a heading or a sentence presents as the result; given by kinds that read sentences."""
    ANSWER = 50
    """After "Answer:" or "the answer is"."""
    FINAL = 60
    """A box, an answer tag, a JSON answer, the sole member of a JSON object, or after "Final answer:"."""


EXPLICIT = Rank.ANSWER
"""From this rank on, the mark says by itself that the span is an answer."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked span of the raw text (the marked content, without its marks)."""

    rank: Rank
    start: int
    end: int
    closed: bool = False
    """It ends with a sign of its own, not with the line."""


_BOX = re.compile(r"\\(?:boxed|fbox|framebox)[ ]?\{")
_TAG = re.compile(
    r"<(answer|choice|final|final_answer|finalanswer)>(.{0,4000}?)</\1>"
    r"|\[(?:\\text\{)?(answer|choice|final|final_answer)\}?\](.{0,4000}?)\[/(?:\\text\{)?\3\}?\]",
    re.I | re.S,
)
_JSON = re.compile(
    r'"(?:(?:(?:final|corrected|revised)_?)?(?:answer|choice|result)|final)"\s{0,10}:\s{0,10}("(?:[^"\\\n]|\\.){0,2000}"|[^,}\n]{1,400})',
    re.I,
)
_ANSWER = re.compile(
    r"(?<![A-Za-z])(?P<final>final[ ]+|overall[ ]+)?(?:answer|ans(?:\.|(?=[ ]?[:=]))|"
    r"(?:correct|right|best)[ ]+(?:choice|option)(?=[ ]is)|(?:final|result|verdict)(?=[*_ ]{0,4}:))"
    r"(?:[ ]+(?:is|was|to [^.:\n]{1,60}? is|for [^.:\n]{1,60}? is)\b[ ]?:?|[*_ ]{0,4}[:=][*_ ]{0,4}|"
    r"[*_]{2}[ ]?|[ ]+(?=\([A-Za-z]\)(?:\W|$)))",
    re.I,
)
_CORRECT = re.compile(
    r"(?<!\S)(?P<answer>[^\s,;:]{1,40}) (?:is|are)(?: the| therefore| thus| clearly| both)* "
    r"(?:correct|right|best)(?! (?:(?:choice|option|answer|one) )?(?:only|if|when|for|unless|provided))\b"
)
_BOLD = re.compile(
    r"\*\*(?=\S)((?:[^*\n]|\*(?!\*)){1,600}?)\*\*|<b>([^<\n]{1,600})</b>|\\textbf\{([^{}\n]{1,600})\}"
)
_HEADING = re.compile(
    r"^\W*(?:(?:step|part|question|problem|task|section|q)\b[^:]{0,12}\d|\(?[0-9a-z]{1,3}[.)]\s+\S)|:\W*$",
    re.I,
)
_REASON = re.compile(
    r"[,;]?[ ](?:because|since|whereas|while|although|as (?=the|it|this)|which|unlike)\b"
    r"|[ ]\((?=[A-Za-z]{1,3}[ ][a-z])|\.(?=[ ][A-Z])"
)
_NEXT_LINE = re.compile(r"\s{0,20}[^\n]{0,600}")
_LONGEST = 600
"""Characters that an "Answer:" may govern."""
_LINE = re.compile(r"^[^\n]+$", re.M)
_CONCLUSION = re.compile(
    r"(?<![A-Za-z])(?=[acfghimostw])"
    r"(?:so|thus|hence|therefore|giving|which gives|we get|we obtain|consequently|in conclusion|"
    r"overall|altogether|in total|finally|more precisely|that makes|this makes|the result is|conclusion:)"
    r"(?![A-Za-z])|[∴]|->",
    re.I,
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n|$")
_SENTENCE = 1000
"""How far a conclusion reaches at most, so that a text of conclusions takes linear time."""
_TAIL = 32
"""How many characters say where in the raw text a conclusion ends."""
_WRAPPING = " *_$`{\\("
_ROOM = 16
"""How many characters of wrapping may stand between the start of a mark and what it holds."""
_BRACE = re.compile(r"[{}]")


def _boxes(raw: str) -> Iterator[Mark]:
    """Boxes with balanced braces, found in one pass however many are left open."""
    starts = {match.end() for match in _BOX.finditer(raw)}
    opened: list[int] = []
    for brace in _BRACE.finditer(raw) if starts else ():
        if brace.group() == "{":
            opened.append(brace.end())
        elif opened and (start := opened.pop()) in starts and brace.start() - start < 2000:
            yield Mark(Rank.FINAL, start, brace.start(), closed=True)


def _groups(pattern: re.Pattern[str], raw: str, rank: Rank) -> Iterator[Mark]:
    for match in pattern.finditer(raw):
        for group in range(1, pattern.groups + 1):
            if match.start(group) >= 0 and (pattern is not _TAG or group in (2, 4)):
                yield Mark(rank, *match.span(group), closed=True)


def _line_end(raw: str, at: int) -> int:
    """Where an "Answer:" ends: at a reason, at its line's end, or with the next line if its own is blank."""
    limit = min(len(raw), at + _LONGEST)
    end = raw.find("\n", at, limit)
    end = limit if end < 0 else end
    if raw[at:end].strip(" *_$\\[(") or end == len(raw):
        reason = _REASON.search(raw, at, end)
        return reason.start() if reason and raw[at : reason.start()].strip(" *_:") else end
    rest = _NEXT_LINE.match(raw, end)
    return rest.end() if rest else end


def _answers(raw: str) -> Iterator[Mark]:
    for match in _ANSWER.finditer(raw):
        rank = Rank.FINAL if match.group("final") else Rank.ANSWER
        end = _line_end(raw, match.end())
        opened = raw.rfind("**", max(0, match.start() - 12), match.start())
        closed = raw.find("**", match.start(), end)
        inside = opened >= 0 and not raw[opened + 2 : match.start()].strip(" #(")
        if inside and closed >= 0 and raw[match.end() : closed].strip(" *:"):
            end = closed
        yield Mark(rank, match.end(), end)


def _bolds(raw: str) -> Iterator[Mark]:
    for mark in _groups(_BOLD, raw, Rank.BOLD):
        after = raw[mark.end : mark.end + 4].lstrip("*")
        if not _HEADING.search(raw[mark.start : mark.end]) and not after.startswith(":"):
            yield mark


def _conclusions(text: Text) -> Iterator[Mark]:
    ends = [match.start() for match in _SENTENCE_END.finditer(text.plain)]
    for match in _CONCLUSION.finditer(text.plain):
        end = min(ends[bisect_left(ends, match.end())], match.end() + _SENTENCE)
        low, _ = text.raw_span(match.end(), match.end())
        # its last characters tell where it ends, however many conclusions share a sentence; one may be added
        last = max(match.end(), end - _TAIL)
        yield Mark(Rank.CONCLUDED, low, text.raw_span(last, end)[1] if last < end else low)


def marks(text: Text) -> tuple[Mark, ...]:
    """Every mark of a response, in raw offsets; marks may overlap."""
    raw = text.raw
    found = [
        *_boxes(raw),
        *_groups(_TAG, raw, Rank.FINAL),
        *_groups(_JSON, raw, Rank.FINAL),
        *(Mark(Rank.FINAL, *span, closed=True) for span in (sole_member(raw),) if span),
        *_answers(raw),
        *(Mark(Rank.ANSWER, *match.span("answer")) for match in _CORRECT.finditer(raw)),
        *_bolds(raw),
        *_groups(CODE, raw, Rank.CODE),
        *_conclusions(text),
    ]
    return tuple(sorted(found, key=lambda mark: (mark.start, -mark.end)))


class Marked:
    """The marks of one text, for look-up."""

    def __init__(self, text: Text) -> None:
        self.marks = marks(text)
        self._raw = text.raw
        self._starts = [mark.start for mark in self.marks]
        ranks = sorted({mark.rank for mark in self.marks}, reverse=True)
        self._covers = [
            (rank, Cover((mark.start, mark.end) for mark in self.marks if mark.rank == rank))
            for rank in ranks
        ]

    def rank(self, start: int, end: int) -> Rank:
        """The highest rank among the marks that hold a raw span, or hold nothing but its beginning."""
        held = next((rank for rank, cover in self._covers if cover.holds(start, end)), Rank.PLAIN)
        return max(held, self._begun(start, end))

    def is_final(self, start: int, end: int) -> bool:
        """Whether a box or an answer tag holds nothing but a raw span, or nothing but its beginning."""
        low = bisect_left(self._starts, start - _ROOM)
        return any(
            mark.closed
            and mark.rank is Rank.FINAL
            and start < mark.end
            and not self._raw[mark.start : start].strip(_WRAPPING)
            and not self._raw[end : min(mark.end, end + _ROOM)].strip(_WRAPPING + "}).")
            for mark in self.marks[low : bisect_left(self._starts, start + 1)]
        )

    def _begun(self, start: int, end: int) -> Rank:
        """The highest rank of a mark that holds the number and leaves the unit out: ``\\boxed{52.4} kJ``."""
        best = Rank.PLAIN
        low = bisect_left(self._starts, start - _ROOM)
        for mark in self.marks[low : bisect_left(self._starts, start + 1)]:
            if mark.closed and start < mark.end < end and not self._raw[mark.start : start].strip(_WRAPPING):
                best = max(best, mark.rank)
        return best

    def explicit(self) -> tuple[Mark, ...]:
        """The marks that say by themselves that their span is an answer."""
        return tuple(mark for mark in self.marks if mark.rank >= EXPLICIT)
