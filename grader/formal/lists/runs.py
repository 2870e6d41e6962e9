"""Items that a sentence joins: "A, B and C", "A < B < C", "A, then B", "A is stronger than B"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from grader.answer.stance import Discourse
from grader.formal.lists.anchors import Anchor, Unknown
from grader.formal.lists.links import (
    FILLERS,
    MOST_GAP,
    NOISE,
    Link,
    link,
    phrase,
    separated,
    without_parentheses,
)

Member = Anchor | Unknown


@dataclass(frozen=True, slots=True)
class Run:
    """Members with what joins them, in plain offsets."""

    members: tuple[Member, ...]
    links: tuple[str, ...]
    """``,`` (a list), ``<``, ``>``, ``=`` or ``->``, one between each two members."""
    start: int
    end: int
    doubt: str = ""
    notes: tuple[str, ...] = ()
    """What is said of each member in brackets or with "is the strongest"."""
    of: str = ""
    """The property by which its links compare, where they say so."""
    layout: str = "prose"
    title: str = ""
    """The head of its table."""
    parts: tuple[tuple[Member, ...], ...] = ()
    """Its members line by line, where lines hold several."""

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """Its members that are items."""
        return tuple(one for one in self.members if isinstance(one, Anchor))

    @property
    def strong(self) -> bool:
        """Whether one of its items is certainly meant as one."""
        return any(not one.weak for one in self.anchors)


_CLAUSE = re.compile(
    r"\W{0,3}(?:(?:,\s|,?\s(?:and|or)\s)[^\s;]{1,30}){0,3}(?:\s(?:of|in|"
    r"at)(?:\s[a-z]+){1,3}?)?\s(?:both\s|all\s|then\s|together\s)?"
    r"(?:is|are|was|were|has|have|does|do|would|will|can|cannot|reacts?|combines?|forms?|precipitates?|"
    r"undergo(?:es)?|gives?|cancels?|drops?|leaves?)\b"
)
"""What stands behind an item that is the subject of a clause of its own."""
_NAMED_BEFORE = re.compile(r"\b[a-z]{4,}(?:\s[a-z]{3,}){0,2},\s$")
_NAMED_AGAIN = re.compile(r",?\s(?:and\s)?[a-z]{4,}(?:\s[a-z]{3,}){0,2},\s")
_KEY = re.compile(r"\b(?:[a-z-]+\s){0,3}[a-z-]+:\s?\W{0,2}$", re.I)
_KEY_AGAIN = re.compile(
    r"\W{0,3}[;,.]\s(?:and\s)?(?:[a-z-]+\s){0,3}(?:most|least|[a-z]+est|intermediate|medium|middle)(?:\s"
    r"[a-z-]+){0,2}:\s?\W{0,2}",
    re.I,
)
"""Items of which each is headed by its rank: "least acidic: A; intermediate: B"."""
_PLACE = re.compile(r"\(?\b(?:(?:step|stage|rank|no\.?)\s)?(?P<place>[1-9a-h])[.):]\s?\W{0,3}$", re.I)
_NEXT_PLACE = re.compile(
    r"\W{0,3}(?:[,;.]\s(?:and\s)?|\s(?:and\s)?|\n\s{0,4})\(?(?:(?:step|stage|rank|"
    r"no\.?)\s)?(?P<place>[1-9a-h])[.):]\s?\W{0,3}",
    re.I,
)
"""Items numbered in a row of text: "1) A, 2) B", "Step 1: A. Step 2: B"."""
_PURE = re.compile(
    r"(?:\W|\b(?:and|or|then|followed by|next|finally|lastly|also|the|plus|as well as|an?|some|little|"
    r"small amounts? of|traces? of)\b){1,12}",
    re.I,
)
"""What may stand between an item and what may be a word."""
_SIDE = re.compile(r"\b(?:the|an?|its)\s(?:\w+\s){1,3}(?:is|:)\s(?:the\s|an?\s)?\W{0,3}$", re.I)
_PARALLEL = re.compile(
    r"\W{0,3}(?:,|;|\band\b|,\sand\b|\bwhile\b|\bwhereas\b|\.)\s?(?:(?:the|an?|its)\s)(?:\w+\s){1,3}(?:is|"
    r":)\s(?:the\s|an?\s)?\W{0,3}",
    re.I,
)


def runs(
    plain: str, anchors: Sequence[Anchor], discourse: Discourse, *, closed: bool, parallel: bool
) -> list[Run]:
    """The longest runs of items that stand joined in one sentence, also those of no certain item.

    ``closed``: phrases between the items are members too. ``parallel``: "the cation is X and the anion is Y"
    joins.
    """
    found: list[Run] = []
    current: _Growing | None = None
    for one in anchors:
        joined = _joining(plain, current, one, discourse, closed, parallel) if current else None
        if current is not None and joined is not None:
            current.add(joined, one)
            continue
        found += [current.run()] if current else []
        current = _Growing([one], one.start, one.end)
    found += [current.run()] if current else []
    if closed:
        found = [_widened(plain, run, discourse) for run in found]
    return [_possible(plain, run) for run in found]


def _joining(
    plain: str, current: _Growing, one: Anchor, discourse: Discourse, closed: bool, parallel: bool
) -> Link | None:
    """What joins the next item to a run, if anything does."""
    gap = plain[current.end : one.start]
    last = current.members[-1]
    loose = one.weak or (isinstance(last, Anchor) and last.weak)
    if (loose and not _PURE.fullmatch(without_parentheses(gap))) or (
        ";" in gap and _CLAUSE.match(plain, one.end)
    ):
        return None
    before = max(0, current.start - 40)
    if parallel and _NAMED_BEFORE.search(plain, before, current.start) and _NAMED_AGAIN.fullmatch(gap):
        return Link(",")
    if parallel and _SIDE.search(plain, before, current.start) and _PARALLEL.fullmatch(gap):
        return Link(",")
    if _is_numbered(plain, current, gap):
        return Link("," if parallel else "->")
    if _KEY.search(plain, before, current.start) and _KEY_AGAIN.fullmatch(gap):
        return Link(",")
    apart = discourse.sentences.at(current.end)[0] != discourse.sentences.at(one.start)[0]
    joined = None if apart else link(gap, closed)
    told = parallel and joined is not None and joined.kind == "->" and "->" not in gap
    return replace(joined, kind=",") if joined and told else joined


def _is_numbered(plain: str, current: _Growing, gap: str) -> bool:
    """Whether a gap holds the number that follows, where the first item is headed by one."""
    first = _PLACE.search(plain, max(0, current.start - 12), current.start)
    following = _NEXT_PLACE.fullmatch(gap) if first else None
    return bool(first and following and ord(following["place"]) == ord(first["place"]) + len(current.members))


_CAN_BE = re.compile(r"\bcan (?:be|take|have|only be)\b[^.;\n]{0,40}$", re.I)


def _possible(plain: str, run: Run) -> Run:
    """A run whose "or" parts what is possible, not what is undecided: "m can be 0, 1 or 2"."""
    possible = run.doubt and _CAN_BE.search(plain, max(0, run.start - 60), run.start)
    return replace(run, doubt="") if possible else run


@dataclass
class _Growing:
    members: list[Member]
    start: int
    end: int
    links: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    doubt: str = ""
    of: str = ""

    def add(self, link: Link, one: Anchor) -> None:
        for text in link.between:
            self.members.append(Unknown(text))
            self.links.append(link.kind)
            self.notes.append(link.note if len(self.notes) < len(self.members) - 1 else "")
        self.links.append(link.kind)
        self.notes.append(link.note)
        self.members.append(one)
        self.end = one.end
        self.doubt = self.doubt or link.doubt
        self.of = self.of or link.of

    def run(self) -> Run:
        return Run(
            tuple(self.members),
            tuple(self.links),
            self.start,
            self.end,
            self.doubt,
            (*self.notes, ""),
            self.of,
        )


_LEAD = re.compile(
    r"(?:[:=|{(\n—]|\b(?:is|are|was|were|has|have|contains?|includes?|including|with|shows?|identif\w+|"
    r"present|see|find|namely|i\.e\.|an?|the|of|both|order|groups?)\b)\s*",
    re.I,
)
_TRAILING = re.compile(
    r"\W{0,3}(?:\([^()\n]{0,80}\))?\s?(?:groups?)?(?P<said>(?:\s?(?:,|;|\+|&|\band\b|\bas well as\b|"
    r"\bplus\b)\s?(?:,\s[A-Za-z '’-]{2,60},\s)?(?:also\s)?(?:an?\s|"
    r"the\s)?[A-Za-z][\w'’()=#-]*(?:[ -][\w'’()=#-]+){0,2}){1,6})(?=\s"
    r"?(?:[.;:\n)|]|$))",
    re.I,
)


def _widened(plain: str, run: Run, discourse: Discourse) -> Run:
    """A run with the unknown members that stand before its first and after its last item."""
    low = max(discourse.sentences.at(run.start)[0], run.start - MOST_GAP)
    before = list(_before(plain[low : run.start]))
    high = min(discourse.sentences.at(max(run.start, run.end - 1))[1], run.end + MOST_GAP)
    trailing = _TRAILING.match(plain, run.end, high)
    after = (
        [said for part in separated(without_parentheses(trailing["said"])) if (said := phrase(part))]
        if trailing
        else []
    )
    kind = run.links[0] if run.links else ","
    members = (*(Unknown(said) for said in before), *run.members, *(Unknown(said) for said in after))
    links = (*([kind] * len(before)), *run.links, *([kind] * len(after)))
    notes = (*([""] * len(before)), *run.notes, *([""] * len(after)))
    end = trailing.end("said") if after and trailing else run.end
    return Run(members, links, run.start, end, run.doubt, notes, run.of)


def _before(text: str) -> Iterator[str]:
    """The unknown members that end right where an item begins: "an ether, " before "a ketone"."""
    lead = max((match.end() for match in _LEAD.finditer(text[: text.rfind(",") + 1])), default=0)
    *parts, last = separated(text[lead:])
    if last.strip(NOISE).lower() not in ("", "a", "an", "the", "also"):
        return
    said = [(phrase(part), part.strip(NOISE)) for part in parts]
    if all(phrased or not part for phrased, part in said):
        yield from (phrased for phrased, _ in said if phrased and phrased.lower() not in FILLERS)
