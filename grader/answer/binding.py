"""Which label governs a value: the head of its equation, a noun beside it, or the sentence."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from grader.answer.cells import Cells
from grader.answer.discourse import Spans, sentences
from grader.answer.labels import Occurrence, in_function, occurrences, pattern, spelled
from grader.answer.operated import AXIS, SYMBOL, Operation, of_unnamed, operation
from grader.answer.respectively import partner


class Bound(IntEnum):
    """How a candidate is tied to what is asked; a higher one wins."""

    OTHER = -2
    """A sibling's value."""
    FOREIGN = -1
    """The value of a symbol that no label names."""
    FREE = 0
    SHARED = 1
    """Under a label that siblings share."""
    MIXED = 2
    """Under a label of its own and a sibling's at once."""
    NEAR = 3
    """In a sentence that names it."""
    NAMED = 4
    """Under its own label."""


@dataclass(frozen=True, slots=True)
class Binding:
    """The tie of one candidate."""

    bound: Bound
    label: str | None = None
    head: str = ""
    """What stands left of the first equals sign of its equation."""
    operation: Operation | None = None
    """What its equation does to the label: ``1/K = 1.5``."""


_RELATION = re.compile(r"(?<![<>!=])=(?![>=])|≈|->(?=[ ]?[-+(\[]{0,2}[.0-9])")
_BREAK = re.compile(
    r"(?:(?<=\n)|\A)[*•+-][ ]|,\s|;|:\s|->|<-|\|(?![ ]?(?:[=≈]|$))|\n|(?<=\d)\.\s|"
    r"\b(?:is|are|was|were|be|of|to|about|by|at|for|in)\s+(?=[-+(\[]{0,2}[.0-9])|"
    r"\b(?:so|and|with|gives?|giving|then|where|hence|thus|therefore|or|that|when|if|using|from|as|but|get|"
    r"obtain|which|"
    r"while|because|since|have|has|means|i\.e\.|namely)\b",
    re.I,
)
_PREFACE = re.compile(
    r"[\s~±(\[*\"'$:]*(?:(?:about|approximately|approx\.?|roughly|only|exactly|around|ca\.?|circa|nearly|"
    r"some|just|"
    r"calculated|to be|or|i\.e\.,?|a|an|the)\s*)*[\s~+(\[*\"'$]*$",
    re.I,
)
_COPULA = re.compile(
    r"(?P<gap>[^;\n]{0,60}?)(?:->|:|\b(?:is|are|was|were|equals?|be|as|of|to|gives?|becomes?|amounts? to|"
    r"comes? to|by|at|takes?|"
    r"turns out|has|have|contains?)\b)(?P<rest>[^;\n]{0,40})$",
    re.I,
)
_EXPRESSION = re.compile(
    r"\s*(?:[-+]?\s*[([]*\s*[-+]?\s*[.0-9]|[×x*/·^]\s|sqrt|√|e\^|exp|\(\s*\()"
    r"|\s*(?i:one|two|three|four|five|six|seven|eight|nine|ten|a|each)[ ][A-Za-z -]{1,60}?[ ]"
    r"(?:[×x*·+]|plus|times)[ ]"
)
_COMPUTED = re.compile(r"(?:^|\s)[-+(\[]{0,3}(?:\d[\d.,e^+-]*|\.\d+)[)\]]{0,3}(?:\s?[A-Za-z%/]{1,6})?$")
_WORD = re.compile(r"[a-z]+")
_INITIAL = re.compile(r"(?<![A-Za-z])(?!(?:of|the|in|for|a|an)\b)([A-Za-z])(?=[a-z]{2})")
_LABEL_WORD = re.compile(r"[a-z]{4}")
_WORDED_LABEL = re.compile(r"(?:the[ ])?□+[ ]+(?=[0-9(\[])")
"""A label in words that a calculation follows without a sign between: "bond order (8 - 4)/2"."""
_OPERATOR = re.compile(
    r"[*/×·]|(?<=\s)[-+](?=\s)|\^2|√|□\||\bsqrt\b|(?:\b|_)(?:cos|sin|tan|log|ln|lg|log10|exp)\b|\s[x]\s"
)
_LOGARITHM = re.compile(r"(?:^|[\s(])(?:p(?=[A-Z([])|log|ln|lg|-log)")
_CONNECTED = re.compile(
    r"[)\]\"'*]{0,2}[ ]?(?:\((?!or\b|i\.e)|(?:\b(?:for|of|in|at|when|with|is|are|as)\b|=)[ ]?)?"
    r"(?:(?:the|a|an|its|this|all)[ ])?"
)
_NOUN = re.compile(
    r"[)\]\"'*]{0,2}[ -]?(?:(?!(?:and|or|so|for|of|is|are|to|from|if|but|which|this|that|gives?|with|at|in|"
    r"then|while|"
    r"where|when|as|by|per|on|than|there|it|we|has|have|was|were|be|vs)\b)[a-z-]{2,14}[ ]){0,2}"
)
_TOPIC = re.compile(r"[)\]\"'*]{0,3}\s?(?::|,|->|\|(?![ ]?[=≈])|gives?\b|at\b|run\b)", re.I)
_NEXT_HEADING = re.compile(r"[0-9][^,;\n]{0,20}[,;][ ][A-Za-z][\w^'()+-]{0,14}:[ ]?$")
_OPERATED = re.compile(r"[ ]?(?:\^-?[1-3](?![0-9+-])|[×*·/][ ]?[0-9])")
_MULTIPLE = re.compile(r"([2-9])([A-Za-zΑ-Ωα-ω].{0,20})")
_DASH = re.compile(r"[ ]-[ ]")
_TOPIC_BEFORE = re.compile(r"(?:\b(?:for|of|in|at|with|from)\b[ ]?(?:the[ ])?|,[ ])$", re.I)


def _initials(label: str) -> str:
    """The initials of a label's words."""
    return "".join(_INITIAL.findall(label)).upper()


@dataclass(frozen=True)
class Binder:
    """Binds the candidates of one text."""

    plain: str
    asked: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @cached_property
    def labels(self) -> tuple[Occurrence, ...]:
        """Every label the text writes."""
        return occurrences(self.plain, self.asked, self.others)

    @cached_property
    def _starts(self) -> list[int]:
        return [item.start for item in self.labels]

    @cached_property
    def _sentences(self) -> Spans:
        return sentences(self.plain)

    def within(self, start: int, end: int) -> Sequence[Occurrence]:
        """The labels that start inside a plain span."""
        return self.labels[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def is_label(self, start: int, end: int) -> bool:
        """Whether a span is (part of) a label that is written, not a value."""
        return any(item.start <= start and end <= item.end for item in self.within(start - 60, start + 1))

    @cached_property
    def _known(self) -> dict[tuple[int, int], Binding]:
        return {}

    def bind(self, start: int, end: int) -> Binding:
        """The tie of the candidate at a plain span (where its expression starts to where its unit ends)."""
        if (start, end) not in self._known:
            self._known[start, end] = self._bind(start, end)
        return self._known[start, end]

    def _bind(self, start: int, end: int) -> Binding:
        low, high = self._sentences.at(start)
        unit = [item for item in self.within(start + 1, end) if item.end == end]
        if unit and (tie := self._tie(unit, "")) and tie.bound is Bound.NAMED:
            return tie
        if paired := self._respective(low, high, start):
            return paired
        if label := self._cells.label(start, (*self.asked, *self.others)):
            return Binding(Bound.NAMED if label in self.asked else Bound.OTHER, label)
        clause = max(low, self.plain.rfind(";", low, start) + 1, start - 600)
        head = self._head(clause, start)
        if head is not None and head.bound in (Bound.NAMED, Bound.MIXED):
            return head
        if head is not None and head.bound is Bound.OTHER:
            return self._conditioned(head, clause, start) or head
        before, direct = self._before(clause, start)
        tie = self._after(end, high)
        if tie is None and not (head is None and direct):
            tie = self._conditioned(head, clause, start)
        if tie is not None and not (head and _LOGARITHM.search(head.head) and tie.bound is not Bound.OTHER):
            return tie
        return head or before or Binding(Bound.FREE)

    def _respective(self, low: int, high: int, start: int) -> Binding | None:
        """The tie to the label that "respectively" pairs with a value."""
        item = partner(self.plain, low, high, start) if self._respectively else None
        if item is None:
            return None
        named = [label for label in self.within(*item) if label.end <= item[1]]
        if not named and not any(label.side != "other" for label in self.within(low, high)):
            return None
        return self._tie(named, "") or Binding(Bound.FOREIGN)

    @cached_property
    def _cells(self) -> Cells:
        """The tables of an answer where labels have several words, which headings may share."""
        composed = any(" " in label.strip() for label in self.asked)
        return Cells.of(self.plain) if composed else Cells(self.plain)

    @cached_property
    def _respectively(self) -> bool:
        return "respectively" in self.plain

    def _tie(self, items: Sequence[Occurrence], head: str, strong: bool = True) -> Binding | None:
        sides = {item.side for item in items}
        if not sides:
            return None
        label = next((item.label for item in items if item.side == "own"), items[-1].label)
        if "own" in sides:
            mixed = "other" in sides
            return Binding(Bound.MIXED if mixed else Bound.NAMED if strong else Bound.NEAR, label, head)
        return Binding(Bound.SHARED if "shared" in sides else Bound.OTHER, label, head)

    def _head(self, low: int, start: int) -> Binding | None:
        """The tie to the symbols of the equation that ends in the candidate."""
        signs = [match.span() for match in _RELATION.finditer(self.plain, low, start)]
        if not signs or not _PREFACE.match(self.plain, signs[-1][1], start):
            return None
        ties: list[Occurrence] = []
        solved: Binding | None = None
        region = (low, low)
        for index in range(len(signs) - 1, -1, -1):
            left = signs[index - 1][1] if index else low
            first = self._opening(left, signs[index][0])
            region = (left if first is None else first, signs[index][0])
            ties = [*self._symbols(*region), *ties]
            solved = self._solved(*region) or solved
            if first is not None:
                break
        head = self.plain[slice(*region)].strip()
        if ties:
            return self._tie(ties, head, not any(self._argument(item) for item in ties))
        return solved or self._unlabelled(head, *region)

    def _opening(self, left: int, right: int) -> int | None:
        """Where the side of an equation starts after its last break or open bracket, if it has one."""
        first = max((match.end() for match in _BREAK.finditer(self.plain, left, right)), default=None)
        bracket = self.plain.rfind("(", left, right)
        if bracket >= (first or 0) and ")" not in self.plain[bracket:right]:
            return bracket + 1
        return first

    def _solved(self, start: int, end: int) -> Binding | None:
        """The tie to the one label that a side operates on: ``-ΔH``, ``1/K``."""
        items = [item for item in self.within(start, end) if item.end <= end and not item.condition]
        if not items and (multiple := _MULTIPLE.fullmatch(self.plain[start:end].strip())):
            return self._multiple(float(multiple[1]), multiple[2])
        if len(items) != 1 or items[0].side == "other":
            return None
        side = self.plain[start : items[0].start] + SYMBOL + self.plain[items[0].end : end]
        done = operation(AXIS.sub("", side))
        if done is None or done == Operation():
            return None
        bound = Bound.NAMED if items[0].side == "own" else Bound.SHARED
        return Binding(bound, items[0].label, self.plain[start:end].strip(), done)

    def _multiple(self, factor: float, symbol: str) -> Binding | None:
        """The tie to a label that a digit touches: ``2k``."""
        for label in self.asked:
            plainly = spelled(label)
            if plainly and pattern(plainly).fullmatch(symbol):
                return Binding(Bound.NAMED, label, symbol, Operation(factor))
        return None

    def _unlabelled(self, head: str, start: int, end: int) -> Binding | None:
        """The tie to a left side that is no label."""
        named = any(not item.condition for item in self.within(start, end))
        if not head or (not named and (_EXPRESSION.match(head) or _COMPUTED.search(head))):
            done = of_unnamed(head) if head else None
            return Binding(Bound.FOREIGN, None, head, done) if done else None
        if not named and (label := self._initials.get(head)):
            return Binding(Bound.NAMED, label, head)
        words = _WORD.findall(head.casefold())
        if words and words[-1] in self._own_words and not named:
            return Binding(Bound.NAMED, self._own_words[words[-1]], head)
        return Binding(Bound.FOREIGN, None, head, of_unnamed(head))

    def _argument(self, item: Occurrence) -> bool:
        """Whether a label is only the argument of another symbol: ``n(I-)``."""
        return re.search(r"\w[(\[]$", self.plain[max(0, item.start - 2) : item.start]) is not None

    @cached_property
    def _initials(self) -> dict[str, str]:
        """One's own labels of several words by their initials, where no other has them: CN, DBE."""
        taken = {_initials(label) for label in self.others}
        own = {_initials(label): label for label in self.asked}
        return {short: label for short, label in own.items() if len(short) > 1 and short not in taken}

    @cached_property
    def _own_words(self) -> dict[str, str]:
        """The words that occur in one's own labels only."""
        theirs = {word for label in self.others for word in _WORD.findall(label.casefold())}
        own = {word: label for label in self.asked for word in _WORD.findall(label.casefold())}
        return {word: label for word, label in own.items() if word not in theirs and len(word) > 3}

    def _symbols(self, start: int, end: int) -> list[Occurrence]:
        """The labels that a side of an equation names, unless it computes with them."""
        items = [item for item in self.within(start, end) if item.end <= end]
        outside = list(self.plain[start:end])
        for item in items:
            outside[item.start - start : item.end - start] = "□" * (item.end - item.start)
        rest = AXIS.sub("", "".join(outside)) if items else ""
        if len(items) == 1 and operation(re.sub("□+", SYMBOL, rest)) not in (None, Operation()):
            return []
        worded = _WORDED_LABEL.match(rest) if items and _LABEL_WORD.search(items[0].label) else None
        if worded and _EXPRESSION.match(rest, worded.end()):
            return items[:1]
        if _EXPRESSION.match(rest) or _OPERATOR.search(rest):
            return []
        return [item for item in items if not item.condition and not in_function(self.plain, item)]

    def _after(self, end: int, high: int) -> Binding | None:
        """The tie to a noun right after the candidate: "2 isomers", "0.048 M for AgCl"."""
        for link in (_CONNECTED, _NOUN):
            match = link.match(self.plain, end, high)
            if match is None:
                continue
            for item in self.within(end, match.end() + 1):
                followed = _RELATION.match(self.plain[item.end : item.end + 3].lstrip())
                if item.start == match.end() and not followed:
                    return self._tie([item], "")
        return None

    def _conditioned(self, head: Binding | None, low: int, start: int) -> Binding | None:
        """The tie to the nearest circumstance or topic: "0.010 M: ...", "for AgCl, s = ..."."""
        for item in reversed(self.within(low, start)):
            if item.end > start:
                continue
            if not self._reaches(item, start):
                return None
            if item.condition or (item.side != "shared" and self._topic(item, low, head is None)):
                return self._tie([item], head.head if head else "")
        return None

    def _reaches(self, item: Occurrence, start: int) -> bool:
        """Whether no other heading stands between a topic and a value: "sp2: 2, sp: 0"."""
        return _NEXT_HEADING.search(self.plain, item.end, start) is None

    def _topic(self, item: Occurrence, low: int, alone: bool) -> bool:
        """Whether a label opens its clause or follows a preposition, and something is said of it."""
        before = self.plain[max(low, item.start - 12) : item.start]
        opens = not before.strip(" \n-*|(") or _TOPIC_BEFORE.search(before) is not None
        said = _TOPIC.match(self.plain, item.end) or (_DASH.match(self.plain, item.end) if alone else None)
        return opens and said is not None

    def _before(self, low: int, start: int) -> tuple[Binding | None, bool]:
        """The tie to the nearest label before the candidate, and whether it says so directly ("A is",
        "A:")."""
        for item in reversed(self.within(low, start)):
            if item.end > start:
                continue
            if in_function(self.plain, item) or _OPERATED.match(self.plain, item.end):
                if _COPULA.fullmatch(self.plain[item.end : start][:60]):
                    return Binding(Bound.FOREIGN, None, ""), False
                continue
            link = _COPULA.fullmatch(self.plain[item.end : start][-120:])
            direct = (
                link is not None
                and not re.search(r"[,;=]|\d", link["gap"])
                and bool(_PREFACE.match(link["rest"]))
            )
            return self._tie([item], "", direct), direct
        return None, False
