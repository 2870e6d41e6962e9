r"""Where a text holds formulas: ``$x$``, ``$$x$$``, ``\(x\)``, ``\[x\]``, ``\ce{x}``; none in code."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from grader.render.mathml import MAX_FORMULA

_OPENER = re.compile(
    r"""^[ \t>]*(?P<fence>`{3,}|~{3,})
    |(?P<ticks>`+)
    |(?P<escaped>\\[\\$`])
    |(?P<sign>\$\$?|\\\(|\\\[)
    |(?P<macro>\\(?:ce|cf|ch|pu|boxed)[ ]*(?=\{))
    |\\begin\{(?P<environment>(?:equation|align|aligned|gather|gathered|split|cases|eqnarray)\*?)\}""",
    re.VERBOSE | re.MULTILINE,
)
_CLOSERS = {
    "$$": re.compile(r"\$\$"),
    r"\(": re.compile(r"\\\)"),
    r"\[": re.compile(r"\\\]"),
    # as pandoc has it, so that sums of money are none
    "$": re.compile(r"(?<![\\])\$"),
}
_TICKS = re.compile("`+")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_BLANK = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Formula:
    """Code points ``start`` to ``end`` of a text, signs included, and the LaTeX between them."""

    start: int
    end: int
    latex: str
    display: bool


def formulas(text: str) -> list[Formula]:
    """The formulas of a text in order, none within another. Takes time linear in the text."""
    return list(_Scan(text).formulas())


class _Scan:
    """One pass over a text; what closes what is known from one pass before it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.breaks = [found.start() for found in _BLANK.finditer(text)]
        self.ticks: dict[int, list[int]] = defaultdict(list)
        for found in _TICKS.finditer(text):
            self.ticks[len(found[0])].append(found.start())
        self.braces = dict(_pairs(text))

    def formulas(self) -> Iterator[Formula]:
        at = 0
        while (found := _OPENER.search(self.text, at)) is not None:
            formula = self._formula(found)
            if formula is not None:
                yield formula
                at = formula.end
            else:
                at = self._code_end(found)

    def _formula(self, found: re.Match[str]) -> Formula | None:
        start, inner = found.span()
        if found["macro"]:
            end = self.braces.get(inner)
            if end is None or end - start > MAX_FORMULA:
                return None
            return Formula(start, end + 1, self.text[start : end + 1], False)
        if found["environment"]:
            closer = f"\\end{{{found['environment']}}}"
            end = self.text.find(closer, inner, inner + MAX_FORMULA)
            return None if end < 0 else self._whole(start, end + len(closer))
        return self._between(found["sign"], start, inner) if found["sign"] else None

    def _whole(self, start: int, end: int) -> Formula:
        return Formula(start, end, self.text[start:end], True)

    def _between(self, sign: str, start: int, inner: int) -> Formula | None:
        display = sign in ("$$", r"\[")
        limit = inner + MAX_FORMULA if display else min(inner + MAX_FORMULA, self._paragraph_end(start))
        closer = _CLOSERS[sign].search(self.text, inner, limit)
        if closer is None or not self.text[inner : closer.start()].strip():
            return None
        if sign == "$" and not self._tight(inner, closer):
            return None
        return Formula(start, closer.end(), self.text[inner : closer.start()], display)

    def _tight(self, inner: int, closer: re.Match[str]) -> bool:
        after = self.text[closer.end() : closer.end() + 1]
        spaced = self.text[inner].isspace() or self.text[closer.start() - 1].isspace()
        return not spaced and not after.isdigit() and "`" not in self.text[inner : closer.start()]

    def _code_end(self, found: re.Match[str]) -> int:
        """Where to go on behind what opens no formula: behind the code that it opens, if it does."""
        if found["fence"]:
            closer = re.compile(
                rf"^[ \t>]*{found['fence'][0]}{{{len(found['fence'])},}}[ \t]*$", re.MULTILINE
            )
            end = closer.search(self.text, found.end())
            return end.end() if end else len(self.text)
        if found["ticks"]:
            starts = self.ticks[len(found["ticks"])]
            place = bisect_left(starts, found.end())
            if place < len(starts) and starts[place] < self._paragraph_end(found.start()):
                return starts[place] + len(found["ticks"])
        return found.end()

    def _paragraph_end(self, start: int) -> int:
        place = bisect_left(self.breaks, start)
        return self.breaks[place] if place < len(self.breaks) else len(self.text)


def _pairs(text: str) -> Iterator[tuple[int, int]]:
    """Each brace that is closed, and where."""
    opened: list[int] = []
    for found in _BRACES.finditer(text):
        if found[0] == "{":
            opened.append(found.start())
        elif found[0] == "}" and opened:
            yield opened.pop(), found.start()
