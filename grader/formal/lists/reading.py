"""The lists of an answer as candidates: which are only given, denied, reasons, or the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeVar

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, Reading, candidate
from grader.answer.marks import EXPLICIT, Rank
from grader.answer.notation import Text, normalise
from grader.formal.lists.anchors import Anchor, Items, Labels, Numbers, TooMany
from grader.formal.lists.further import with_further
from grader.formal.lists.layout import listings
from grader.formal.lists.runs import Run, runs
from grader.problem.checks import Item

V = TypeVar("V")

MOST = 3000
"""An answer that writes more items than this isn't read at all."""


def items_of(kind: Item, expected: Sequence[str | int | float]) -> Items:
    """The reader of a kind of items. Raises Unreadable for an expected item that can't be read."""
    if kind == "label":
        return Labels(expected)
    if kind in ("locant", "integer"):
        return Numbers(expected, kind == "locant")
    from grader.formal.lists import chemical, structures

    readers: dict[Item, Any] = {
        "formula": chemical.Formulas,
        "smiles": structures.Structures,
        "name": structures.Names,
        "quantity": chemical.Quantities,
    }
    reader: Items = readers[kind](expected)
    return reader


_GIVEN = re.compile(
    r"(?:\b(?:among|amongst|given|consider\w*|compar\w+|between|arrang\w+|ranking(?: of)?|to rank|ordering|"
    r"out of|choos\w+ from|select\w* from|"
    r"start\w* (?:from|with)|mixture of|react\w* (?:of|with)|provided|listed|from (?:the|these|this) "
    r"(?:list|set|options|given|following|compounds|table|choices|series)|"
    r"(?:can't|cannot|unable to|hard to|difficult to|not) (?:rank|order|sort|arrange|compare)|rank(?! of\b| "
    r"is\b)|sort|arrange|options?|candidates?|question|"
    r"asked|unlike|looking at|for the (?:compounds|acids|species|ions|molecules|series))"
    r"|(?:^|[.\n]\s{0,2})(?:of|for)(?:\s(?:the|these))?(?!\b[^.;:\n<>]{0,50}\b(?:it|this|that|they)\s"
    r"(?:is|are)\b))\b[^.;:\n<>]{0,50}$",
    re.I,
)
_REASON = re.compile(
    r"\b(?:because|since|as the|due to|owing to|whereas|while|whilst|although|though|however|in contrast|by|"
    r"unlike)\b[^.;:\n]{0,90}$",
    re.I,
)
_SUPPOSED = re.compile(
    r"\W{0,3}\s(?:would|could|might)\s"
    r"(?!(?:therefore |thus |then )?be (?:the|my) (?:answer|order|list|result))[a-z]+"
)
_STATED = re.compile(
    r"(?:\b(?:only|is|are|just|contains?|namely|has|be|at|answer)|[:=])\W{0,4}(?:the\s|an?\s)?(?:[a-z]+\s"
    r")?\W{0,3}$",
    re.I,
)
_NOTE_AFTER = re.compile(r"^\s?\([^()\n]{0,80}\)")
_ONLY_AFTER = re.compile(r"\W{0,3}\s(?:only|alone)\b", re.I)
_EXCEPT = re.compile(
    r",?\s(?:are\s\w+,?\s)?(?:except|but not|other than|apart from|excluding|minus|without)\s(?:for\s"
    r")?(?:the\s)?\W{0,3}",
    re.I,
)
_OR = re.compile(r"\W{0,6}\bor\b(?:\s[a-z]+){0,3}\W{0,4}", re.I)
_HEADED = re.compile(
    r"(?P<answer>\banswer|\bfinal)|\b(?:order|ranking|result|sequence|conclusion|summary|series)\b", re.I
)


@dataclass(frozen=True)
class ListReading(Reading):
    """A reading that sees the heading over a list that stands in lines."""

    def placed(self, item: Candidate[V]) -> Candidate[V]:
        """The candidate with the rank of its heading, where that is higher."""
        item = super().placed(item)
        heading = heading_of(self.text.plain, item.plain[0])
        headed = _HEADED.search(heading)
        if headed is None or "\n" not in self.text.plain[item.plain[0] : item.plain[1]]:
            return item
        return replace(item, rank=max(item.rank, Rank.ANSWER if headed["answer"] else Rank.BOLD))


def heading_of(plain: str, start: int) -> str:
    """The line before a place, if it ends like a heading."""
    line = plain.rfind("\n", 0, start)
    above = plain[:line].rstrip("\n ") if line >= 0 else ""
    said = above[above.rfind("\n") + 1 :]
    return said if said.endswith(":") or len(said) < 60 else ""


def found_runs(text: Text, items: Items, reading: Reading, *, parallel: bool) -> list[Run]:
    """The lists of a text; those in lines before those that a sentence joins inside them. Raises TooMany."""
    anchors = items.anchors(text)
    if len(anchors) > MOST:
        raise TooMany
    prose = runs(text.plain, anchors, reading.discourse, closed=items.closed, parallel=parallel)
    lines = list(listings(text.plain, anchors, closed=items.closed))
    joined = [run for run in prose if not _inside(run, lines)]  # also weak ones: they may be added to one
    found = _excepted(text.plain, sorted([*joined, *lines], key=lambda run: run.start))
    return with_further(text.plain, found, reading.discourse, closed=items.closed)


def _inside(run: Run, lines: Sequence[Run]) -> bool:
    chain = any(link in "<>=" or link == "->" for link in run.links)
    return not chain and any(
        line.start <= run.start and run.end <= line.end and (len(line.members) > 1 or len(run.members) == 1)
        for line in lines
    )


def _excepted(plain: str, found: list[Run]) -> list[Run]:
    """The lists, with "A, B and C except B" as A and C."""
    kept: list[Run] = []
    for run in found:
        if kept and _EXCEPT.fullmatch(plain, kept[-1].end, max(kept[-1].end, run.start)):
            taken = {str(one.value) for one in run.anchors}
            left = tuple(
                one for one in kept[-1].members if not isinstance(one, Anchor) or str(one.value) not in taken
            )
            kept[-1] = replace(kept[-1], members=left, links=(",",) * (len(left) - 1), end=run.end)
        else:
            kept.append(run)
    return kept


def listed(text: Text, found: Sequence[Run], reading: Reading) -> Iterator[Candidate[Run]]:
    """The lists that can be the answer, reasons and contrasts as asides; those only given are left out."""
    for index, run in enumerate(found):
        before, after = reading.discourse.around(run.start, run.end)
        marked = reading.marked.rank(*text.raw_span(run.start, run.end)) >= EXPLICIT
        given = run.layout == "prose" and not _chained(run) and _is_given(before, run, found[:index])
        if not marked and (given or _SUPPOSED.match(after)):
            continue
        aside = _REASON.search(before) is not None and not _chained(run)
        doubt = run.doubt or ("one of two" if _has_alternative(text.plain, found, index) else "")
        yield candidate(text, run, run.start, run.end, aside=aside and not marked, doubt=doubt)


def _is_given(before: str, run: Run, earlier: Sequence[Run]) -> bool:
    """Whether a list is only what the question gives; a list before it may be that instead."""
    cue = _GIVEN.search(before)
    at = run.start - len(before) + cue.start() if cue else 0
    return cue is not None and not any(at <= one.start for one in earlier)


def _has_alternative(plain: str, found: Sequence[Run], index: int) -> bool:
    """Whether an "or" joins a list with the one before or after it."""
    return any(
        _OR.fullmatch(plain, one.end, max(one.end, two.start)) is not None
        for one, two in pairwise(found[max(0, index - 1) : index + 2])
    )


def _chained(run: Run) -> bool:
    return any(link != "," for link in run.links)


def is_alone(text: Text, item: Candidate[V], noted: bool = False) -> bool:
    """Whether an answer holds nothing else; ``noted``: but for what a bracket says of its last item."""
    after = text.plain[item.plain[1] :]
    if noted:
        after = _NOTE_AFTER.sub("", after, count=1)
    return not (text.plain[: item.plain[0]] + after).strip(" .,;:*()[]{}\n\"'`$!")


def is_stated(text: Text, item: Candidate[Run], reading: Reading) -> bool:
    """Whether a single item is meant as the whole list: marked, alone, or after "only", "is", a colon."""
    start, end = item.plain
    before = text.plain[max(0, start - 40) : start]
    if is_alone(text, item) or reading.placed(item).rank >= Rank.LINE or item.value.layout != "prose":
        return True
    return _STATED.search(before) is not None or _ONLY_AFTER.match(text.plain, end) is not None


def written(
    kind: Item, expected: Sequence[str | int | float], answer: Answer, least: int
) -> list[tuple[int, int]]:
    """The raw spans of lists of at least so many members. Raises TooMany and Unreadable."""
    text = normalise(answer.text)
    found = found_runs(text, items_of(kind, expected), Reading(text), parallel=least == 1)
    return [text.raw_span(run.start, run.end) for run in found if len(run.members) >= least]
