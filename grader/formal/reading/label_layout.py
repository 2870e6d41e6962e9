"""Labels that an answer ties to its candidates by layout: tables, lists, JSON, "A and B are X and Y".

Read in the plain text with its candidates masked. A layout that names labels
and candidates but doesn't pair them ties its candidates to no label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from grader.formal.reading.roles import MASK

UNPAIRED = "?"
"""The label of a candidate whose layout names several labels and can't be paired."""

_NOUN = r"(?:compounds?|products?|structures?|substances?|isomers?|molecules?|gas|salt|complex|solid|ion)"
_LETTERED = rf"(?:(?:the )?{_NOUN}\s)?\(?(?:[A-Z][0-9]{{0,2}}'?)\)?"
_WORDED = r"(?:the )?[a-z][a-z-]{2,20}(?: (?:formula|product|ion|gas|[A-Z]))?"
_AND = r"\s?(?:,\s?(?:and\s)?|\band\b|&|/|->)\s?"
_ARE = r"\s(?:are|were|is|correspond(?:s)? to|must be)\s(?:therefore |thus |then )?|\s?[:=]\s?"
_LIST = re.compile(
    rf"(?<![\w{MASK}])(?P<labels>{_LETTERED}(?:{_AND}{_LETTERED}){{1,8}})(?:{_ARE})(?=[^.;\n{MASK}]{{0,40}}{MASK})"
)
_WORD_LIST = re.compile(
    rf"(?<![\w{MASK}])(?P<labels>{_WORDED}(?:{_AND}{_WORDED}){{1,5}})\s(?:are|"
    rf"were)\s(?=[^.;\n{MASK}]{{0,40}}{MASK})",
    re.I,
)
_RESPECTIVELY = re.compile(r"[^.;\n]{0,60}\brespectively\b")
_SPLIT = re.compile(_AND)
_LINK = re.compile(r"[\s(),;&/\"'`*]*(?:and|->)?[\s(),\"'`*]*|\s?\([^()]{0,40}\)(?:,|\s?and|,\s?and)?\s?")
_DECORATION = re.compile(r"^[\s>#*_`-]*(?:[0-9]{1,2}[.)]\s{1,3})?[\s>#*_`-]*")
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_OBJECT = re.compile(r"[\"']([\w '-]{1,30})[\"']\s?:\s?[{\[]")
_ARROW = re.compile(rf"(?:(?<=[,;\n(])|^)\s?(?P<label>[A-Za-z][\w '-]{{0,20}}?)\s?->\s?{MASK}", re.M)


def tied(masked: str, spans: Sequence[tuple[int, int]], labels: Sequence[str]) -> dict[int, str]:
    """The label of each candidate that a layout ties to one, by where the candidate starts.

    ``labels`` are those that the check and its siblings ask for.
    """
    layout = _Layout(masked, spans, labels)
    return {
        **layout.under_headings(),
        **layout.in_objects(),
        **layout.in_rows(),
        **layout.in_tables(),
        **layout.by_arrows(),
        **layout.in_order(),
    }


class _Layout:
    def __init__(self, masked: str, spans: Sequence[tuple[int, int]], labels: Sequence[str]) -> None:
        self.masked = masked
        self.spans = spans
        self.words = {label.strip().casefold() for label in labels}
        self.lines = [(m.start(), m[0]) for m in re.finditer(r"[^\n]+", masked)]

    def _label(self, text: str) -> str | None:
        """The label that a cell or a line is, without decoration."""
        bare = text.strip(" \t*_`\"'").rstrip(":").strip(" *_`\"'")
        if bare.casefold() in self.words or re.fullmatch(_LETTERED, bare):
            return bare.strip("()")
        return None

    def _within(self, low: int, high: int) -> list[tuple[int, int]]:
        return [span for span in self.spans if low <= span[0] < high]

    def in_order(self) -> dict[int, str]:
        """ "A and B are X and Y": paired by position."""
        found: dict[int, str] = {}
        for pattern in (_WORD_LIST, _LIST):
            for match in pattern.finditer(self.masked):
                labels = [one.strip() for one in _SPLIT.split(match["labels"]) if one.strip()]
                labels = [one.removeprefix("the ") for one in labels]
                run = self._run(match.end())
                last = run[-1][1] if run else match.end()
                if pattern is _WORD_LIST and not _RESPECTIVELY.match(self.masked, last):
                    continue
                if "->" in match["labels"] and len(labels) != len(run):
                    continue
                names = labels if len(labels) == len(run) else [UNPAIRED] * len(run)
                found.update({span[0]: name for span, name in zip(run, names, strict=True)})
        return found

    def _run(self, at: int) -> list[tuple[int, int]]:
        """The candidates listed from a position on."""
        line = self.masked.find("\n", at)
        following = self._within(at, line if line >= 0 else len(self.masked))
        run = following[:1]
        for one, two in pairwise(following):
            if not _LINK.fullmatch(self.masked, one[1], two[0]):
                break
            run.append(two)
        return run

    def by_arrows(self) -> dict[int, str]:
        """Parallel "P1 → X, P2 → Y"; one alone may be a reaction."""
        found = {}
        for match in _ARROW.finditer(self.masked):
            start = match.end() - 1
            after = self.masked[start:].lstrip(MASK)[:12]
            if not re.match(r"\s?\)?\s?(?:->|\+)", after):
                found[start] = match["label"].strip()
        return found if len(found) >= 2 else {}

    def in_objects(self) -> dict[int, str]:
        """Nested JSON: the candidates inside the braces after a key."""
        found = {}
        for match in _OBJECT.finditer(self.masked):
            label = self._label(match[1])
            end = self.masked.find("}" if match[0].endswith("{") else "]", match.end())
            if label and end >= 0:
                found.update({start: label for start, _ in self._within(match.end(), end)})
        return found

    def under_headings(self) -> dict[int, str]:
        """A line that is only a label governs the lines below it, up to the next such line."""
        heads: list[tuple[int, str]] = []
        for start, line in self.lines:
            label = self._label(_DECORATION.sub("", line))
            if label:
                heads.append((start, label))
        if len(heads) < 2:
            return {}
        found: dict[int, str] = {}
        for (start, label), (end, _) in pairwise([*heads, (len(self.masked), "")]):
            inside = self._within(start, end)
            if len(inside) == 1:
                found[inside[0][0]] = label
        return found

    def in_rows(self) -> dict[int, str]:
        """A line of candidates beside a line of as many labels, above or below."""
        found: dict[int, str] = {}
        lines = [(start, line) for start, line in self.lines if not re.fullmatch(r"[\s|:-]+", line)]
        for (one, upper), (two, lower) in pairwise(lines):
            for (start, values), other in (((one, upper), lower), ((two, lower), upper)):
                inside = self._within(start, start + len(values))
                names = re.findall(r"[^\s|()*`,;]+", other.replace("->", " "))
                labels = [label for name in names if (label := self._label(name))]
                if len(inside) >= 2 and len(labels) == len(names) == len(inside):
                    found.update({span[0]: label for span, label in zip(inside, labels, strict=True)})
        return found

    def in_tables(self) -> dict[int, str]:
        """A row of a table whose only label stands in any cell, or a column headed by a label."""
        found: dict[int, str] = {}
        header: list[str | None] = []
        for start, line in self.lines:
            if not _ROW.match(line):
                header = []
                continue
            cells = list(self._cells(start, line))
            labels = [self._label(self.masked[low:high]) for low, high in cells]
            named = [label for label in labels if label]
            for index, (low, high) in enumerate(cells):
                column = header[index] if index < len(header) else None
                label = named[0] if len(named) == 1 else column if not named else None
                if label:
                    found.update({span[0]: label for span in self._within(low, high)})
            header = header or labels
        return found

    def _cells(self, start: int, line: str) -> Iterator[tuple[int, int]]:
        bars = [start + match.start() for match in re.finditer(r"\|", line)]
        yield from ((low + 1, high) for low, high in pairwise(bars))
