"""From the values a reader found in an answer to the one the answer settles on."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Generic, TypeVar

from grader.answer.binding import Binder, Bound
from grader.answer.cover import Cover
from grader.answer.inert import inert
from grader.answer.marks import EXPLICIT, Marked, Rank
from grader.answer.notation import Text
from grader.answer.numbering import numberings
from grader.answer.stance import OF_THE_REVERSE, SUPPOSED, Discourse, Stance
from grader.record import Evidence, Reason, Rejected

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Candidate(Generic[V]):
    """A value an answer states, with raw offsets (``quote == raw[start:end]``)."""

    value: V
    start: int
    end: int
    quote: str
    plain: tuple[int, int]
    """Where it stands in the plain text."""
    lead: int
    """Where the expression it results from starts in the plain text."""
    aside: bool = False
    """A circumstance ("at 298 K"): it counts only where nothing better is there."""
    rank: Rank = Rank.PLAIN
    bound: Bound = Bound.FREE
    label: str | None = None
    head: str = ""
    """The left side of its equation, if it has one."""
    doubt: str = ""
    """Why the statement is not firm: a hedge, a range, a bound."""

    @property
    def evidence(self) -> Evidence:
        """The candidate as evidence."""
        return Evidence(self.quote, self.start, self.end)

    def rejected(self, why: str) -> Rejected:
        """The candidate as one that was not taken."""
        return Rejected(self.quote, self.start, self.end, why)


def candidate(
    text: Text,
    value: V,
    start: int,
    end: int,
    *,
    lead: int | None = None,
    aside: bool = False,
    doubt: str = "",
) -> Candidate[V]:
    """A candidate at a plain span."""
    low, high = text.raw_span(start, end)
    lead = start if lead is None else lead
    return Candidate(value, low, high, text.raw[low:high], (start, end), lead, aside, doubt=doubt)


def raw_candidate(text: Text, value: V, start: int, end: int) -> Candidate[V]:
    """A candidate at a raw span, for readers of notations that plain spelling would hurt."""
    low, high = text.plain_span(start, end)
    return Candidate(value, start, end, text.raw[start:end], (low, high), low)


@dataclass(frozen=True, slots=True)
class Settled(Generic[V]):
    """What an answer settles on: one candidate, or the reason why there is none."""

    candidate: Candidate[V] | None
    reason: Reason | None
    rejected: tuple[Rejected, ...]
    rivals: tuple[Candidate[V], ...] = ()
    """The candidates in conflict."""


@lru_cache(maxsize=4)
def _marked(text: Text) -> Marked:
    return Marked(text)


@lru_cache(maxsize=4)
def _inert(text: Text) -> Cover:
    return Cover(inert(text))


@lru_cache(maxsize=4)
def _numberings(text: Text) -> Cover:
    return Cover(numberings(text.raw))


@lru_cache(maxsize=4)
def _discourse(text: Text) -> Discourse:
    return Discourse(text.plain)


@dataclass(frozen=True)
class Reading:
    """Everything the front end knows about one answer, found once."""

    text: Text
    asked: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @cached_property
    def marked(self) -> Marked:
        """Its answer marks."""
        return _marked(self.text)

    @cached_property
    def inert(self) -> Cover:
        """Its raw spans aimed at a grader."""
        return _inert(self.text)

    @cached_property
    def thought(self) -> int:
        """Where the response proper begins, after what a model thinks aloud; 0 where nothing follows it."""
        closed = max((match.end() for match in _THOUGHT.finditer(self.text.raw)), default=0)
        return closed if self.text.raw[closed:].strip() else 0

    @cached_property
    def numberings(self) -> Cover:
        """Its raw numbers that head what follows."""
        return _numberings(self.text)

    @cached_property
    def discourse(self) -> Discourse:
        """Its cues."""
        return _discourse(self.text)

    @cached_property
    def binder(self) -> Binder:
        """Its labels."""
        return Binder(self.text.plain, self.asked, self.others)

    def placed(self, item: Candidate[V]) -> Candidate[V]:
        """The candidate with its rank and its tie."""
        tie = self.binder.bind(item.lead, item.plain[1])
        rank = max(self.marked.rank(item.start, item.end), self._line_rank(item))
        return replace(item, rank=rank, bound=tie.bound, label=tie.label, head=tie.head)

    def _line_rank(self, item: Candidate[V]) -> Rank:
        """LINE for a candidate that is all its line holds."""
        raw = self.text.raw
        low = raw.rfind("\n", max(0, item.start - 12), item.start) + 1 or max(0, item.start - 12)
        high = raw.find("\n", item.end, item.end + 12)
        high = min(len(raw), item.end + 12) if high < 0 else high
        rest = raw[low : item.start] + raw[item.end : high]
        if rest.strip(" *_$.()[]{}\\`") and not self._whole_sentence(item):
            return Rank.PLAIN
        return Rank.LINE

    def _whole_sentence(self, item: Candidate[V]) -> bool:
        """Whether a candidate is all a sentence says, or opens the text before a colon."""
        plain = self.text.plain
        low, high = self.discourse.sentences.at(item.plain[0])
        listed = _LIST_NUMBER.search(plain, max(0, low - 6), item.plain[0]) is not None
        if listed or not _NOTHING_BEFORE.fullmatch(plain[low : item.plain[0]][-24:]):
            return False
        after = plain[item.plain[1] : high][:24]
        ends = not after.strip(" *_.!)") and not after.startswith("..")
        return ends or (not plain[:low].strip() and _HEADLINE.match(after) is not None)


_THOUGHT = re.compile(r"</(?:think|thinking|thoughts?|scratchpad|reasoning)>", re.I)
_NOTHING_BEFORE = re.compile(r"[^\w□]*(?:only|exactly|just|about)?\s?", re.I)
_HEADLINE = re.compile(r":|\s(?:—|-)\s(?=[A-Za-z])")
_LIST_NUMBER = re.compile(r"\b[0-9a-z][.)]\s*$")
_MOST = 2000
"""More candidates than this are not weighed."""
_LISTED = 50
"""How many rejected candidates a finding lists."""

Same = Callable[[V, V], bool]
Fits = Callable[[V], bool]


def settle(
    text: Text,
    candidates: Sequence[Candidate[V]],
    *,
    same: Same[V],
    asked: Sequence[str] = (),
    others: Sequence[str] = (),
    cut: bool = True,
    fits: Fits[V] | None = None,
    reading: Reading | None = None,
) -> Settled[V]:
    """The one candidate an answer settles on.

    ``same`` says whether two values are the same statement. ``fits`` says whether
    a value could be compared with the expected one at all (its dimension, its
    kind): those that could are preferred. Where ``cut`` is False the text also
    answers other subquestions, and only labelled or marked candidates count.
    """
    reading = reading or Reading(text, tuple(asked), tuple(others))
    if len(candidates) > _MOST:
        return Settled(None, Reason.NOT_COMPARABLE, ())
    rejected: list[Rejected] = []
    live: list[Candidate[V]] = []
    for item in sorted(candidates, key=lambda item: (item.start, item.end)):
        placed, why = _admit(reading, item, cut)
        if why:
            rejected.append(placed.rejected(why))
        else:
            live.append(placed)
    live = _left_to_case(reading, _undecided(text, live, same), same)
    live, taken_back = _standing(reading, live, fits or _anything, _called_wrong(reading, candidates))
    rejected.extend(taken_back)
    pool, passed = _best(live, fits or _anything)
    rejected.extend(passed)
    return _decide(pool, rejected, same)


def _anything(value: object) -> bool:
    return True


def _admit(reading: Reading, item: Candidate[V], cut: bool) -> tuple[Candidate[V], str]:
    """A candidate with its place and stance, and why it is refused if it is."""
    if reading.inert.touches(item.start, item.end):
        return item, "stands in text aimed at the grader"
    if item.end <= reading.thought:
        return item, "is thought before the answer"
    if reading.binder.is_label(*item.plain):
        return item, "is the label of a value"
    item = reading.placed(item)
    if item.rank < EXPLICIT and reading.numberings.holds(item.start, item.end):
        return item, "is the number of a heading"
    if item.bound is Bound.OTHER:
        return item, f"is stated for {item.label}"
    named = item.rank is Rank.FINAL and _ANY_SYMBOL.fullmatch(item.head) is not None
    if item.bound is Bound.FOREIGN and reading.asked and not named:
        return item, "is stated for another symbol"
    if not cut and item.bound < Bound.SHARED and item.rank < EXPLICIT:
        return item, "is not tied to this point in a response to the whole problem"
    if reading.asked and _circumstance(item):
        return item, "is a circumstance"
    stance, cue = reading.discourse.stance(*item.plain)
    if cue == SUPPOSED and reading.marked.is_final(item.start, item.end):
        return item, ""  # what a box or a tag holds alone is given as the answer, whatever led to it
    if cue == OF_THE_REVERSE and _REVERSED.search(" ".join(reading.asked)):
        return item, ""
    if stance in (Stance.NEGATED, Stance.RETRACTED):
        return item, cue
    return replace(item, doubt=item.doubt or cue), ""


_REVERSED = re.compile(r"\b(?:revers|back|opposite|inverse)", re.I)
"""Labels of what is asked about a reverse reaction."""
_ANY_SYMBOL = re.compile(
    r"[\s$({\\]*(?:n|N|x|X|ans|[Aa]nswer|[Rr]esult|[Vv]alue|[Nn]umber|[Tt]otal|[Cc]ount)[\s)}]*"
)
"""What may stand for anything asked where a final answer is written as an equation."""
_NEAR = 80
"""How far after a candidate "that is wrong" may stand to mean it."""
_OR = re.compile(
    r"[)\]\"'*`.,]{0,3}[ ]?\(?\bor\b[ ]?(?:else |maybe |perhaps |possibly |even |with |as )?[A-Za-z= ]{0,"
    r"14}[(\[\"'*`]{0,3}"
)


_AS_GOOD = re.compile(
    r"[)\]\"'*`]{0,3} (?:is|are|would be|seems?|looks?) (?:also|equally|just as|as) "
    r"(?:well )?(?:possible|plausible|conceivable|likely)\b"
)
"""What makes one value no better than the one before it."""


def _undecided(text: Text, live: list[Candidate[V]], same: Same[V]) -> list[Candidate[V]]:
    """Doubt neighbours that differ and are joined by "or", or of which one "is also possible"."""
    doubted: set[int] = set()
    for index, (one, two) in enumerate(pairwise(live)):
        gap = text.plain[one.plain[1] : two.plain[0]]
        joined = len(gap) < 40 and _OR.fullmatch(gap)
        equal = len(gap) < 40 and one.rank < Rank.BOLD and _AS_GOOD.match(text.plain, two.plain[1])
        if (joined or equal) and not same(one.value, two.value):
            doubted |= {index, index + 1}
    return [
        replace(item, doubt=item.doubt or "undecided between two") if index in doubted else item
        for index, item in enumerate(live)
    ]


_CASE_ASKED = re.compile(
    r"\b(?:the|this|our)\s(?:question|problem|task|exercise)\s(?:asks|wants|is about|concerns|deals with|"
    r"specifies|means|refers to)\b[^.;\n]{0,40}?\s"
    r"(?:case|regime|limit|conditions?|control|pathway|situation|scenario|alternative|one)\b",
    re.I,
)
"""What chooses between cases without saying again what holds in the one chosen."""


def _left_to_case(reading: Reading, live: list[Candidate[V]], same: Same[V]) -> list[Candidate[V]]:
    """Doubt the different values of one sentence where the next only names the case that is asked for."""
    asked = next(_CASE_ASKED.finditer(reading.text.plain), None)
    if asked is None or any(item.plain[0] >= asked.start() for item in live):
        return live
    own, _ = reading.discourse.sentences.at(asked.start())
    low, _ = reading.discourse.sentences.at(max(0, own - 1))
    cases = [item for item in live if item.plain[0] >= low]
    if all(same(item.value, cases[0].value) for item in cases):
        return live
    doubted = {item.plain for item in cases}
    return [
        replace(item, doubt=item.doubt or "which case is asked for decides")
        if item.plain in doubted
        else item
        for item in live
    ]


def _called_wrong(reading: Reading, candidates: Sequence[Candidate[V]]) -> dict[int, int]:
    """Up to where "that is wrong" reaches back in sentences, by their starts: those right before it."""
    ends = sorted((item.plain[1], item.plain[0]) for item in candidates)
    reach: dict[int, int] = {}
    for withdrawal in reading.discourse.withdrawals:
        at = bisect_right(ends, (withdrawal, withdrawal))
        if at and withdrawal - ends[at - 1][0] < _NEAR:
            reach[reading.discourse.sentences.at(ends[at - 1][1])[0]] = withdrawal
    return reach


def _standing(
    reading: Reading, live: list[Candidate[V]], fits: Fits[V], wrong: dict[int, int]
) -> tuple[list[Candidate[V]], list[Rejected]]:
    """Drop what a later turn of mind replaces, and what stands in sentences called wrong outright."""
    kept, dropped = [], []
    turns = reading.discourse.turns
    latest: dict[Bound, int] = {}
    for item in live:
        if not item.doubt and fits(item.value):
            for bound in Bound:
                if bound <= item.bound:
                    latest[bound] = item.plain[0]
    for item in live:
        at = bisect_left(turns, item.plain[1])
        replaced = at < len(turns) and latest.get(item.bound, -1) >= turns[at]
        sentence, _ = reading.discourse.sentences.at(item.plain[0])
        if replaced or item.plain[1] <= wrong.get(sentence, 0):
            dropped.append(item.rejected("taken back later"))
        else:
            kept.append(item)
    return kept, dropped


def _firm(live: list[Candidate[V]], fits: Fits[V]) -> list[Candidate[V]]:
    """The candidates stated firmly; the doubted ones where nothing as good stands beside them."""
    doubted = [item for item in live if item.doubt]
    if not doubted:
        return live
    top = max(item.bound for item in doubted)
    firm = [
        item
        for item in live
        if not item.doubt
        and fits(item.value)
        and (item.rank >= EXPLICIT or (max(item.bound, Bound.FREE) >= top and not _circumstance(item)))
    ]
    return firm or doubted


def _circumstance(item: Candidate[V]) -> bool:
    return item.aside and item.bound <= Bound.FREE and item.rank < Rank.BOLD


def _best(live: list[Candidate[V]], fits: Fits[V]) -> tuple[list[Candidate[V]], list[Rejected]]:
    """The candidates of the best tie and the highest mark, and the rest as passed over."""
    pool = _firm(live, fits)
    marked = [item for item in pool if item.rank >= EXPLICIT and fits(item.value)]
    steps: tuple[Callable[[Candidate[V]], int], ...] = (
        lambda item: not _circumstance(item),
        lambda item: max(item.bound, Bound.FREE),
        lambda item: fits(item.value),
        lambda item: item.rank,
    )
    for step in steps:
        best = max(map(step, pool), default=0)
        pool = [item for item in pool if step(item) == best]
    if any(item.bound > Bound.FREE and item.rank < EXPLICIT for item in pool):
        pool = [*pool, *(item for item in marked if item.rank > pool[0].rank or item.bound != pool[0].bound)]
    taken = {id(item) for item in pool}
    passed = [item for item in live if id(item) not in taken]
    return pool, [item.rejected(item.doubt or "another candidate is stated more clearly") for item in passed]


def _decide(pool: list[Candidate[V]], rejected: list[Rejected], same: Same[V]) -> Settled[V]:
    """One candidate if all that remain say the same."""
    order = tuple(sorted(rejected, key=lambda item: item.start)[-_LISTED:])
    if not pool:
        return Settled(None, Reason.NO_CANDIDATE, order)
    last = max(pool, key=lambda item: (item.rank, item.start))
    if any(item is not last and not same(item.value, last.value) for item in pool):
        return Settled(None, Reason.CONFLICTING_CANDIDATES, order, tuple(pool[-_LISTED:]))
    if last.doubt:
        return Settled(None, Reason.NO_CANDIDATE, (*order, last.rejected(last.doubt)))
    return Settled(last, None, order)
