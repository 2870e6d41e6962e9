"""Units that stand apart from their number: at its label, over its column, in a JSON member."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from grader.answer.operated import AXIS
from grader.formal.values.units import Unit, read_unit


@dataclass(frozen=True, slots=True)
class Apart:
    """What a heading says of a bare number below it: multiply it by ``factor``, it has ``unit``."""

    unit: Unit | None
    factor: float = 1.0
    unread: str = ""
    """A unit that can't be read."""


_TEN = re.compile(r"[ ]?[×x*·]?[ ]?10\^\(?(-?[0-9]{1,3})\)?[ ]?[×·]?[ ]?")
_SCALED_LABEL = re.compile(
    r"(?:^|[(\s])10\^\(?(-?[0-9]{1,3})\)?[ ]?[×·*]?[ ]?[A-Za-zΑ-Ωα-ω\[]"
    r"|[×x*·][ ]?10\^\(?(-?[0-9]{1,3})\)?[ ]?$"
)
_BRACKET = re.compile(r"[(\[](?P<unit>[^()\[\]]*(?:\([^()]*\)[^()\[\]]*)?)[)\]]\s*$")
_NAMED = re.compile(r"(?:,[ ]?|[ ]in[ ])(?P<unit>[^,]{1,30})$")
_SIGNED = re.compile(r"[ ]?(?:=|≈|:|\bis|\bare|\bwas)[ ]?$")
_MEMBER = re.compile(r'"(?P<key>[^"\n]{1,40})"\s?:\s?"?$')
_UNIT_MEMBER = re.compile(r'"(?P<of>[^"\n]{0,30}?)_?units?"\s?:\s?"(?P<unit>[^"\n]{0,40})"', re.I)
_NUMBER_MEMBER = re.compile(r'"[^"\n]{1,40}"\s?:\s?"?-?[.0-9]')
_VALUE_KEYS = frozenset(("value", "answer", "result", "magnitude", "number", "final_answer", "amount"))
_RULE = re.compile(r"[ ]{0,3}\|?[ ]?:?-{2,}[-:| ]*$")
_VALUE = re.compile(r"(?<![\w.^])[0-9.]+[ ]?[A-Za-zμΩ]{0,4}$")
"""A number with a unit, where a slash goes on the unit, not on a label."""
_REACH = 400
_LINE = re.compile(r"[^\n]*\n?")


def _unit(plain: str, start: int, end: int) -> tuple[Unit | None, float] | None:
    """The unit (with a power of ten before it) that fills a span; None if it can't be read."""
    ten = _TEN.match(plain, start, end)
    factor = 10.0 ** int(ten[1]) if ten else 1.0
    start = ten.end() if ten else start
    if start >= end or plain[start:end].strip() in ("-", "—"):
        return None, factor
    unit = read_unit(plain, start)
    return (unit, factor) if unit and unit.end == end else None


def heading(plain: str, start: int, end: int) -> Apart | None:
    """What the heading at a span says of the numbers it stands for; None if it says nothing."""
    text = plain[start:end].rstrip()
    for pattern in (AXIS, _BRACKET, _NAMED):
        match = pattern.search(text)
        if match is None:
            continue
        low, high = start + match.start("unit"), start + match.end("unit")
        if pattern is AXIS and plain[low] == "(" and plain[high - 1] == ")":
            low, high = low + 1, high - 1
        read = _unit(plain, low, high)
        if read is not None:
            return Apart(read[0], read[1] * _label_factor(text[: match.start()]))
        if pattern is AXIS:
            return Apart(None, unread=plain[low:high])
    factor = _label_factor(text)
    return None if factor == 1 else Apart(None, factor)


def _label_factor(label: str) -> float:
    match = _SCALED_LABEL.search(label.strip())
    return 10.0 ** -int(match[1] or match[2]) if match else 1.0


def member(plain: str, start: int) -> Apart | None:
    """The unit beside or in the key of a JSON member whose value starts here."""
    key = _MEMBER.search(plain, max(0, start - 60), start)
    if key is None:
        return None
    low = plain.rfind("{", max(0, start - _REACH), start)
    high = plain.find("}", start, start + _REACH)
    if low < 0 or high < 0:
        return None
    alone = len(_NUMBER_MEMBER.findall(plain, low, high)) == 1
    for match in _UNIT_MEMBER.finditer(plain, low, high):
        own = match["of"] == key["key"] or (not match["of"] and (alone or key["key"].lower() in _VALUE_KEYS))
        if own and match["unit"].strip():
            read = _unit(plain, *match.span("unit"))
            return Apart(read[0], read[1]) if read else Apart(None, unread=f'"{match["unit"]}"')
    return _key_unit(plain, *key.span("key"))


def _key_unit(plain: str, start: int, end: int) -> Apart | None:
    """The unit that a key ends in: "volume_mL"."""
    cut = plain.rfind("_", start, end) + 1
    unit = read_unit(plain, cut) if cut and end - cut > 1 else None
    return Apart(unit) if unit and unit.end == end else heading(plain, start, end)


def axis(plain: str, start: int) -> Apart | None:
    """The unit that the label before "=" is divided by: ``k / s^-1 = 3.1e-3``."""
    sign = _SIGNED.search(plain, max(0, start - 8), start)
    low = plain.rfind("\n", max(0, start - 60), start) + 1 or max(0, start - 60)
    match = AXIS.search(plain, low, sign.start()) if sign else None
    if match is None or match.end() != (sign.start() if sign else 0):
        return None
    if _VALUE.search(plain, low, match.start()):
        return None
    bracketed = match["unit"].startswith("(") and match["unit"].endswith(")")
    read = _unit(plain, match.start("unit") + bracketed, match.end("unit") - bracketed)
    return Apart(read[0], read[1]) if read else None


@dataclass(frozen=True)
class Tables:
    """The Markdown tables of a text, with their headings."""

    plain: str
    starts: Sequence[int] = field(default_factory=tuple)
    ends: Sequence[int] = field(default_factory=tuple)
    columns: Sequence[Sequence[tuple[int, int]]] = field(default_factory=tuple)

    @classmethod
    def of(cls, plain: str) -> Tables:
        """Find the tables: a line of cells, a rule, and lines of cells."""
        found = list(_tables(plain)) if "|" in plain and "--" in plain else []
        return cls(plain, [one[0] for one in found], [one[1] for one in found], [one[2] for one in found])

    def above(self, at: int) -> Apart | None:
        """What the heading of its column says of a number."""
        index = bisect_right(self.starts, at) - 1
        if index < 0 or at >= self.ends[index]:
            return None
        line = self.plain[self.plain.rfind("\n", 0, at) + 1 : at]
        column = line.count("|") - line.lstrip().startswith("|")
        cells = self.columns[index]
        return heading(self.plain, *cells[column]) if 0 <= column < len(cells) else None


def _tables(plain: str) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """Start and end of the body of each table, and its headings' spans."""
    lines = [match.span() for match in _LINE.finditer(plain) if match.end() > match.start()]
    index = 1
    while index < len(lines):
        head, rule = lines[index - 1], plain[slice(*lines[index])].rstrip("\n")
        if "|" not in rule or not _RULE.match(rule) or "|" not in plain[slice(*head)]:
            index += 1
            continue
        last = index + 1
        while last < len(lines) and "|" in plain[slice(*lines[last])]:
            last += 1
        yield lines[index][1], lines[last - 1][1], list(_cells(plain, *head))
        index = last + 1


def _cells(plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    line = plain[start:end].rstrip()
    at = start + (1 if line.startswith("|") else 0)
    for cell in plain[at : start + len(line)].split("|"):
        yield at + len(cell) - len(cell.lstrip()), at + len(cell.rstrip())
        at += len(cell) + 1
