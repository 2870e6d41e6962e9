"""Tables in answers: which label the headings of a cell's row and column spell together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_RULE = re.compile(r"\n[ ]{0,3}\|?[ ]?:?-{2,}[-:| ]*\n")
_WORD = re.compile(r"[^\W_][\w'+-]*")
_FILLING = frozenset(
    ("the", "of", "at", "a", "an", "in", "for", "to", "on", "with", "value", "point", "solution")
)


@dataclass(frozen=True)
class Cells:
    """The Markdown tables of a plain text."""

    plain: str
    rules: Sequence[tuple[int, int]] = field(default_factory=tuple)

    @classmethod
    def of(cls, plain: str) -> Cells:
        """Find the rules below the headings of columns."""
        return cls(plain, [match.span() for match in _RULE.finditer(plain)] if "|" in plain else [])

    def label(self, at: int, labels: Sequence[str]) -> str | None:
        """The label that is spelled by the row's and the column's heading of the cell at a position."""
        rule = next((span for span in reversed(self.rules) if span[1] <= at), None)
        if rule is None or "\n\n" in self.plain[rule[1] : at]:
            return None
        low, high = self.plain.rfind("\n", 0, at) + 1, self.plain.find("\n", at)
        row = _cells(self.plain[low : high if high >= 0 else len(self.plain)])
        head = _cells(self.plain[self.plain.rfind("\n", 0, rule[0]) + 1 : rule[0]])
        place = self.plain[low:at].count("|") - self.plain[low:at].lstrip().startswith("|")
        if not 0 < place < len(head) or len(row) != len(head):
            return None
        own, above = _words(row[0]), _words(head[place])
        return next((label for label in labels if _spells(own, above, _words(label))), None)


def _cells(line: str) -> list[str]:
    return line.strip().removeprefix("|").removesuffix("|").split("|")


def _words(said: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(said)) - _FILLING


def _spells(row: frozenset[str], column: frozenset[str], label: frozenset[str]) -> bool:
    """Whether both headings are needed for the label, and the row says nothing else."""
    return bool(row) and row <= label and not label <= column and not label <= row and label <= row | column
