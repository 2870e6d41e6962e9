"""One plain spelling for what answers write in Markdown, LaTeX, mhchem, HTML and Unicode.

``normalise`` rewrites a response step by step and remembers, for every
character of the result, which raw characters it stands for, so that evidence
is always quoted from the raw text. pylatexenc is not used here: it keeps no
offsets and reads the backslashes of SMILES as macros.

The plain spelling: ASCII digits, signs and hyphens; ``^`` before every
superscript; subscript digits on the line, other subscripts after ``_``; ``->``
and ``<=>`` for arrows; Greek letters as letters; one kind of space.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from grader.answer import latex, spoken
from grader.answer.cover import Cover
from grader.answer.guard import may_match
from grader.answer.traced import Piece, Traced, drop, keep_group, literal


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A response, raw and plain, with the way back from plain to raw offsets (code points).

    Compared by identity, so that what is found out about a text can be kept with it.
    """

    raw: str
    plain: str
    _starts: Sequence[int] = field(repr=False)
    _ends: Sequence[int] = field(repr=False)

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """The raw span of ``plain[start:end]``; an empty span stays empty."""
        if start >= end:
            at = self._starts[start] if start < len(self._starts) else len(self.raw)
            return at, at
        return self._starts[start], max(self._ends[start:end])

    def plain_span(self, start: int, end: int) -> tuple[int, int]:
        """The smallest plain span that covers what is left of ``raw[start:end]``."""
        first = bisect_right(self._ends, start)
        return first, max(first, bisect_left(self._starts, end))

    def rewritten(self, rewrite: Callable[[Traced], None]) -> Text:
        """The text with its plain spelling rewritten further, offsets kept."""
        traced = Traced(self.raw)
        traced.text, traced.starts, traced.ends = self.plain, list(self._starts), list(self._ends)
        rewrite(traced)
        return Text(self.raw, traced.text, array("L", traced.starts), array("L", traced.ends))

    def quote(self, start: int, end: int) -> str:
        """The raw text of a plain span."""
        first, last = self.raw_span(start, end)
        return self.raw[first:last]


_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿᵃᵇᶜᵈᵉᵍʰⁱʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻ°"[:-1]
_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"
_SUPERSCRIPT_RUN = re.compile(f"[{_SUPERSCRIPTS}⁻]+")
_SUBSCRIPT_RUN = re.compile(f"[{_SUBSCRIPTS}]+")
_CHARACTERS: dict[str, str] = {
    **dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\ufe63\uff0d\u207b", "-"),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\ufe0f\ufe0e\u2061\u2062\u2063", ""),
    **dict.fromkeys("\u2018\u2019\u2032\u02b9\u00b4\u02bc\u201b", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
    **dict.fromkeys("\u22c5\u2219\u2027\u30fb\u0387\u2024", "·"),
    **dict.fromkeys("→⟶⇒⟹➔➜➝➞➙⟼↦⭢⇾⟾➡➤🡒🠒⇢⤳⇝", "->"),
    **dict.fromkeys("⇌⇋⇄⇆↔⟷⟺⇔⥨⥦⥧⇿", "<=>"),
    **dict.fromkeys("←⟵⇐", "<-"),
    **dict.fromkeys("≈≃≅≊", "≈"),
    **dict.fromkeys("∼〜", "~"),
    **dict.fromkeys("≤≦⩽", "≤"),
    **dict.fromkeys("≥≧⩾", "≥"),
    **dict.fromkeys("✕✖⨯╳", "×"),
    **dict.fromkeys("⁄∕÷", "/"),
    "\u2033": "''",
    "\u2217": "*",
    "℃": "°C",
    "℉": "°F",
    "Å": "Å",
    "µ": "μ",
    "Ω": "Ω",
    "ℓ": "l",
    "ϕ": "φ",
    "ϵ": "ε",
    "∆": "Δ",
    "º": "°",
    "˚": "°",
    "⊖": "°",
    "⦵": "°",
    "…": "...",
    "№": "No.",
    **dict(zip("ᴅᴇʟɴʀꜱᴢ", "DELNRSZ", strict=True)),
    "½": " 1/2",
    "⅓": " 1/3",
    "⅔": " 2/3",
    "¼": " 1/4",
    "¾": " 3/4",
    "⅕": " 1/5",
    "⅖": " 2/5",
    "⅗": " 3/5",
    "⅘": " 4/5",
    "⅙": " 1/6",
    "⅛": " 1/8",
    "⅜": " 3/8",
    "⅝": " 5/8",
    "⅞": " 7/8",
    "\r": "\n",
    "\u2028": "\n",
    "\u2029": "\n",
    "\t": " ",
}
_ASTRAL_OR_WIDE = re.compile("[^\x00-\x7f]")
_LINE_END = re.compile(r"(?<![ \t])[ \t]++(?=\n|\Z)")
"""Spaces that end a line: Markdown's hard break, or nothing at all."""
_CRLF = re.compile("\r\n?")


@cache
def _spelled(character: str) -> str:
    """One non-ASCII character in the plain spelling."""
    if character in _CHARACTERS:
        return _CHARACTERS[character]
    if unicodedata.category(character) == "Zs":
        return " "
    wide = "\uff01" <= character <= "\uff5e"
    mathematical = "\U0001d400" <= character <= "\U0001d7ff"
    return unicodedata.normalize("NFKC", character) if wide or mathematical else character


def _raised(match: re.Match[str]) -> tuple[Piece, ...]:
    return ("^" + unicodedata.normalize("NFKC", match.group()).replace("\u2212", "-"),)


def _lowered(match: re.Match[str]) -> tuple[Piece, ...]:
    plain = unicodedata.normalize("NFKC", match.group()).replace("\u2212", "-")
    return (plain if plain[0].isdigit() else "_" + plain,)


def _unicode(traced: Traced) -> None:
    if "\r" in traced.text:
        traced.sub(_CRLF, literal("\n"))
    if not traced.text.isascii():
        traced.sub(_SUPERSCRIPT_RUN, _raised)
        traced.sub(_SUBSCRIPT_RUN, _lowered)
        traced.sub(_ASTRAL_OR_WIDE, lambda match: (_spelled(match.group()),))
    traced.sub(_LINE_END, drop)


_HTML: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Sequence[Piece]]], ...] = (
    (re.compile(r"<sup>([^<>\n]{0,40})</sup>", re.I), lambda match: ("^", match.span(1))),
    (re.compile(r"<sub>([0-9]{1,6})</sub>", re.I), keep_group),
    (re.compile(r"<sub>([^<>\n]{0,40})</sub>", re.I), lambda match: ("_", match.span(1))),
    (re.compile(r"<br\s?/?>", re.I), literal("\n")),
    (re.compile(r"</?(?:b|i|em|strong|u|span|p|code|mark|small)>", re.I), drop),
    (
        re.compile(
            r"</?(?:answer|choice|final|final_?answer)>"
            r"|\[/?(?:answer|choice|final|final_answer)\]|\[/?\\text\{/?(?:answer|final_answer)\}\]",
            re.I,
        ),
        literal(" "),
    ),
    (re.compile(r"&(?:nbsp|thinsp|ensp|emsp);"), literal(" ")),
    (re.compile(r"&minus;|&ndash;"), literal("-")),
    (re.compile(r"&times;"), literal("×")),
    (re.compile(r"&middot;|&sdot;"), literal("·")),
    (re.compile(r"&deg;"), literal("°")),
    (re.compile(r"&rarr;"), literal("->")),
    (re.compile(r"&lt;"), literal("<")),
    (re.compile(r"&gt;"), literal(">")),
    (re.compile(r"&amp;"), literal("&")),
)

_SPOKEN_SIGN = re.compile(
    r"(?:\bnegative[ ]|(?<=[=≈:,(])[ ]?minus[ ]|(?:(?<=\bis)|(?<=\bof)|(?<=\bare)|(?<=\bwas)|(?<=\bto)|"
    r"(?<=\bby)|(?<=\bgives)|(?<=\bequals)|(?<=\babout)|(?<=\bstate)|\A)[ ]?\bminus[ ])(?=\.?[0-9])"
    r"|(?<![\w)])\([ ]?-[ ]?\)[ ]?(?=\.?[0-9])",
    re.I,
)
"""A sign in words or brackets: "minus 33.0", "(-)57.2"; between two terms "minus" subtracts."""
_SIGN_STEMS = ("minus", "negative", "(-", "( -")

CODE = re.compile(r"(?<!`)`([^`\n]{1,4000})`(?!`)|```[^\n`]{0,40}\n(.*?)```", re.S)
"""Inline code and fenced blocks, where Markdown means nothing."""

_MARKDOWN: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Sequence[Piece]]], ...] = (
    (re.compile(r"^[ ]{0,3}(?:```|~~~)[^\n`]{0,60}$", re.M), drop),
    (re.compile(r"```|`"), drop),
    (re.compile(r"(?<=[0-9])\*\*(?=[-0-9(])"), literal("^")),
    (re.compile(r"\*{2,3}"), drop),
    (re.compile(r"(?<![\w)\]*])\*(?=[^\s*])([^*\n]{1,200})(?<=[^\s*])\*(?![\w(\[*])"), keep_group),
    (re.compile(r"(?<!\w)__(?=\S)([^_\n]{1,200})(?<=\S)__(?!\w)"), keep_group),
    (re.compile(r"(?<!\w)_(?=[^\s_])([^_\n]{1,200})(?<=[^\s_])_(?!\w)"), keep_group),
    (re.compile(r"^[ ]{0,3}#{1,6}[ ]+", re.M), drop),
    (re.compile(r"^[ ]{0,3}>[ ]?", re.M), drop),
    (re.compile(r"\\([*_#>|~`])"), keep_group),
)


_PANDOC: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Sequence[Piece]]], ...] = (
    (re.compile(r"(?<=[A-Za-z)\]])~([0-9]{1,3})~(?![0-9~])"), keep_group),
    (
        re.compile(r"(?<=[0-9A-Za-z)\]])\^([0-9]{0,2}[+-]|-?[0-9]{1,3})\^(?![0-9^])"),
        lambda match: ("^", match.span(1)),
    ),
    (re.compile(r"(?<![\w^])\^([0-9]{1,3})\^(?=[A-Z])"), lambda match: ("^", match.span(1))),
)
"""Pandoc's subscripts between tildes and superscripts between carets."""


def _signed(match: re.Match[str]) -> tuple[Piece, ...]:
    return (" -",) if match.group()[0] == " " else ("-",)


@lru_cache(maxsize=4)
def normalise(raw: str) -> Text:
    """The plain spelling of a response.

    Never raises; every plain character maps back to raw code points. The last
    few texts are kept: the points of one answer are decided one after another.
    """
    traced = Traced(raw)
    _unicode(traced)
    if _holds_any(traced.text, "<&["):
        for pattern, pieces in _HTML:
            traced.sub(pattern, pieces)
    if "~" in raw or raw.count("^") > 1:
        for pattern, pieces in _PANDOC:
            traced.sub(pattern, pieces)
    latex.rewrite(traced)
    spoken.rewrite(traced)
    if may_match(traced.text, _SIGN_STEMS):
        traced.sub(_SPOKEN_SIGN, _signed)
    if _holds_any(traced.text, "`*_#>~\\"):
        code = Cover(match.span(match.lastindex or 0) for match in CODE.finditer(raw))
        for pattern, pieces in _MARKDOWN:
            traced.sub(pattern, pieces, code)
    return Text(raw, traced.text, _compact(traced.starts), _compact(traced.ends))


def _holds_any(text: str, characters: str) -> bool:
    """Whether a text holds one of the characters that every pattern of a group needs."""
    return any(character in text for character in characters)


def _compact(places: Sequence[int]) -> Sequence[int]:
    return places if isinstance(places, range) else array("L", places)
