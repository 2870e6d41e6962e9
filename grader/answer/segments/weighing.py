"""Which layout of a response is sure enough to cut by, and how sure it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from grader.answer.segments.headings import Tier
from grader.answer.segments.questions import Questions
from grader.answer.segments.stages import names_stages, title
from grader.answer.segments.stretches import Layout, Refused, Stretch

THRESHOLD = 0.6
"""A cut of less confidence is none."""

_BASE = {
    Tier.PLAIN: 0.8,
    Tier.ROW: 0.85,
    Tier.BOLD: 0.9,
    Tier.WORD: 0.95,
    Tier.HEADING: 0.95,
}
_NAMED = 0.98
"""Of labels that are sub_ids or the questions themselves."""
_LIST_AHEAD = re.compile(
    r"\b(?:steps?|stages?|procedure|reasons?|factors?|points?|facts?|assumptions?|equations?|reactions?|processes|"
    r"compounds?|substances?|structures?|elements?|ligands?|options?|cases?|types?|ways?|methods?|rules?|"
    r"principles?|observations?|conditions?|species|isomers?|"
    r"products?|following|as follows|because|approach|plan|strategy|references?|sources?|notes?|given|data|"
    r"follows)\b[^\n]{0,80}:[*_ ]{0,4}$",
    re.I,
)
_ANSWERS_AHEAD = re.compile(
    r"\b(?:answers?|solutions?|responses?|results?|questions?|parts?)\b[^\n]{0,80}:[*_ ]{0,4}$", re.I
)
_LONG = 400
"""A preamble of fewer characters is never too long."""
_REFERENCE = re.compile(
    r"\b(?:from|in|into|by|using|of|eqs?\.?|equations?|with|and|see|is)\s\(([0-9]{1,2}|[a-z])\)", re.I
)
_EQUATION = re.compile(r"=|->|→|⇌|rightarrow|rightleftharpoons")
_BROKEN_OFF = re.compile(r"\n[ \t]*\n(?:and|while|with|so|but|whereas|or|then)\b[^\n]{0,200}[a-z]\s*\Z")
_HEADED = re.compile(r"^#{1,6}[ ]", re.M)
_RULED = re.compile(r"[\s|:-]+")
_PART_COLUMN = re.compile(
    r"\s*\|[\s*_]*(?:(?:sub-?)?(?:question|part|problem|task|item)s?|q|no\.?|#|number|answers?(?: to)?)?"
    r"[\s*_.#]*\|",
    re.I,
)
_FURTHER = re.compile(r"\n[ \t]*\n(?![ \t]*\n)[^\s|].{20}", re.S)


@dataclass(frozen=True)
class Weighed:
    """A layout with what speaks for and against it."""

    text: str
    layout: Layout
    questions: Questions
    begin: int
    """Where the response proper begins, after what the model thinks aloud."""

    @cached_property
    def objection(self) -> str:
        """Why the layout can't be trusted at all; empty if it can."""
        layout = self.layout
        least = 0 if layout.tier is Tier.PLAIN and self._headed_ahead else _LONG
        if self._ahead > least and self._ahead > 0.5 * (len(self.text) - self.begin):
            return "most of the response stands before the first label"
        if not layout.ordered and (layout.tier is Tier.PLAIN or (layout.mixed and layout.tier < Tier.WORD)):
            return "labels of a list or of mixed styles are repeated or out of order"
        if self._asks:
            return "the labels number the questions"
        if layout.tier is Tier.ROW and self._outside_rows > max(_LONG, 0.3 * len(self.text)):
            return "a table beside the answers only sums them up"
        if layout.tier is Tier.ROW and not self._of_parts:
            return "the table's first column is headed by something else"
        if names_stages(self._titles, self._asked):
            return "the headings number the stages of one solution"
        if self.questions.texts and len(self._titles) == layout.count and not self._affinity[0]:
            return "the headings speak of nothing that is asked"
        if layout.tier <= Tier.BOLD and self._tail:
            return self._tail
        if layout.tier <= Tier.BOLD and self._announced:
            return "the labels number a list that its first line announces"
        if layout.tier is Tier.PLAIN:
            return self._list or self._formulas or self._spoken
        return self._spoken if layout.naming in ("letter", "roman") and layout.tier < Tier.WORD else ""

    @cached_property
    def _ahead(self) -> int:
        """How much stands before the first label, other than the questions again."""
        before = self.text[self.begin : self.layout.starts[0]].strip()
        return len(before) - (self.questions.repeats(before) if len(before) > _LONG / 2 else 0)

    @cached_property
    def _headed_ahead(self) -> bool:
        """Whether what stands before the first label has headings of its own."""
        return _HEADED.search(self.text, self.begin, self.layout.starts[0]) is not None

    @cached_property
    def _outside_rows(self) -> int:
        rows = [len(line) for line in self.text.split("\n") if line.lstrip().startswith(("|", "<t", "</t"))]
        return len(self.text) - sum(rows)

    @cached_property
    def _announced(self) -> bool:
        """Whether the line above the first label announces a list of something else than answers."""
        before = self.text[self.begin : self.layout.starts[0]].rstrip()
        ahead = before[before.rfind("\n") + 1 :]
        return _LIST_AHEAD.search(ahead) is not None and _ANSWERS_AHEAD.search(ahead) is None

    @cached_property
    def _list(self) -> str:
        """Why plain labels may only number a list within an answer."""
        all_of_it = len(self.text) - self.begin
        if self.text[self.layout.starts[0] :].startswith("[") and self._ahead > 0.25 * all_of_it:
            return "the labels number references"
        if self._ahead > max(_LONG / 2, 0.25 * all_of_it):
            return "much stands before the first label of a list"
        return ""

    @cached_property
    def _asks(self) -> bool:
        """Whether most passages hold their question and nothing else, so that the answers stand elsewhere."""
        only = sum(
            len(item.subs) == 1 and self.questions.only(item.subs[0], self.text[item.body : item.end])
            for item in self.layout.stretches
        )
        return only > self.layout.count / 2

    @cached_property
    def _of_parts(self) -> bool:
        """Whether a table's first column is headed by a word for parts, or by nothing."""
        above = self.text[max(0, self.layout.starts[0] - _LONG) : self.layout.starts[0]].rstrip().split("\n")
        rows = [line for line in above[-2:] if line.lstrip().startswith("|") and not _RULED.fullmatch(line)]
        return not rows or _PART_COLUMN.match(rows[-1]) is not None

    @cached_property
    def _titled(self) -> list[tuple[str, Stretch]]:
        """The stretches whose bare label has a title behind it, with the title."""
        layout = self.layout
        if layout.naming == "id" or layout.tier is Tier.ROW or layout.style == "question":
            return []
        return [(said, item) for item in layout.stretches if (said := self._title(item))]

    def _title(self, item: Stretch) -> str:
        label, below = self.text[item.start : item.body], self.text[item.body : item.body + _LONG]
        return title(label, below, headed=self.layout.tier is Tier.HEADING).strip()

    @property
    def _titles(self) -> list[str]:
        return [said for said, _ in self._titled]

    @property
    def _asked(self) -> list[Sequence[str]]:
        """The words of the question that each title heads the answer to."""
        return [self.questions.asked(item.subs[0]) if len(item.subs) == 1 else () for _, item in self._titled]

    @cached_property
    def _tail(self) -> str:
        """Why the labels may only number a list: more text follows below its last item than it holds."""
        *firsts, last = (self.text[item.start : item.end].rstrip() for item in self.layout.stretches)
        further = _FURTHER.search(last)
        own, others = self._affinity
        if further is None or own - others >= self.layout.count / 2:
            return ""
        tight = all("\n" not in item for item in firsts) and all(
            self.text[item.start : item.end].count("\n") <= 1 for item in self.layout.stretches[:-1]
        )
        below, within = len(last) - further.start(), sum(map(len, firsts))
        return "text goes on below a list of short items" if below > within / (1 + tight) else ""

    @cached_property
    def _formulas(self) -> str:
        """Why plain labels may only number equations: the text refers to them, or runs on between them."""
        passages = [self.text[item.body : item.end] for item in self.layout.stretches]
        firsts = [passage.strip().partition("\n")[0] for passage in passages]
        referred = {match[1] for match in _REFERENCE.finditer(self.text)}
        if len(referred) > 1 and sum(_EQUATION.search(line) is not None for line in firsts) > len(firsts) / 2:
            return "the labels number equations that the text refers to"
        if any(_BROKEN_OFF.search(passage[-_LONG:]) for passage in passages[:-1]):
            return "a sentence runs on from one label to the next"
        return ""

    @cached_property
    def _spoken(self) -> str:
        own, others = self._affinity
        if self.layout.naming == "id" or others < own + max(2, self.layout.count / 2):
            return ""
        return "the passages speak of other questions than their labels say"

    @cached_property
    def _affinity(self) -> tuple[int, int]:
        passages = [""] * self.layout.count
        for stretch in self.layout.stretches:
            for sub in stretch.subs:
                passages[sub] += " " + self.text[stretch.start : stretch.end]
        return self.questions.spoken_of(passages)

    @cached_property
    def confidence(self) -> float:
        """From 0 to 1, by which evidence agrees."""
        layout = self.layout
        own, others = self._affinity
        missing = layout.count - len(layout.present)
        sure = _NAMED if layout.rank[0] > Tier.HEADING else _BASE[layout.tier]
        sure -= 0.15 * layout.mixed + 0.1 * (not layout.ordered) + 0.25 * (missing > 0)
        sure -= 0.05 * (layout.naming in ("letter", "roman", "number"))
        sure += 0.04 * (own > others) - 0.15 * (others > own)
        return round(min(max(sure, 0.0), 1.0), 2)


def choose(weighed: Sequence[Weighed], refused: list[Refused]) -> Weighed | None:
    """The layout to cut by, if one stands out; what was refused is added to ``refused``."""
    trusted: list[Weighed] = []
    for one in weighed:
        why = one.objection or ("too little speaks for it" if one.confidence < THRESHOLD else "")
        if why:
            refused.append(Refused(one.layout.style, why))
        else:
            trusted.append(one)
    trusted.sort(key=lambda one: (one.layout.rank, not one.layout.mixed, one.confidence), reverse=True)
    if not trusted:
        return None
    best = _widest(trusted)
    rivals = [one for one in trusted if one is not best]
    clash = next((one for one in rivals if not _agree(best.layout, one.layout)), None)
    if clash is not None:
        refused.append(Refused(best.layout.style, f"'{clash.layout.style}' cuts elsewhere"))
        return None
    ahead = [one for one in rivals if _leads(one.layout, best.layout)]
    return min(ahead, key=lambda one: one.layout.starts[0]) if ahead else best


def _widest(trusted: Sequence[Weighed]) -> Weighed:
    """The first layout, or one as strong with further labels beside the same ones: "Correction to part 1"."""
    best = trusted[0]
    for one in trusted[1:]:
        strong = one.layout.rank == best.layout.rank or one.layout.tier >= Tier.WORD
        if strong and one.layout.places.items() > best.layout.places.items():
            best = one
    return best


def _agree(best: Layout, other: Layout) -> bool:
    """Whether another layout is no reason to doubt the best: it cuts alike, or is weaker and inside."""
    if other.starts == best.starts or set(other.starts) < set(best.starts):
        return other.places.items() <= best.places.items()
    if _leads(best, other) or _leads(other, best):
        return True
    if other.rank < best.rank:
        return best.tier > Tier.PLAIN or _within_one(best, other)
    return False


def _leads(one: Layout, two: Layout) -> bool:
    """Whether the labels of one stand before those of two, part by part: "Q1 ... A1 ... Q2 ... A2"."""
    if not (one.ordered and two.ordered and len(one.starts) == len(two.starts)):
        return False
    following = [*one.starts[1:], two.starts[-1] + 1]
    return all(a < b < c for a, b, c in zip(one.starts, two.starts, following, strict=True))


def _within_one(best: Layout, other: Layout) -> bool:
    """Whether all of another layout lies inside one stretch."""
    return any(
        item.start <= other.starts[0] and other.stretches[-1].start < item.end for item in best.stretches
    )
