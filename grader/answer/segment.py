"""Cutting a response to a whole problem into the answers of its subquestions.

No cut is better than a wrong one. Labels are read in every usual way of writing
them, grouped by how they are written, and a group counts only if it names every
subquestion; two groups that would cut differently cancel each other. Where one
subquestion is answered in several places that differ, together with another or
under no label, it keeps the whole response while the others are cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from grader.answer.segments.amendments import amended
from grader.answer.segments.cutting import Cut, cut, without
from grader.answer.segments.headings import Heading, Line, Tier, heading, lines
from grader.answer.segments.inline import inline
from grader.answer.segments.labels import Labels
from grader.answer.segments.questions import Questions, without_echo
from grader.answer.segments.repeats import spoken_summaries
from grader.answer.segments.stretches import Layout, Refused, Stretch, layouts, nested
from grader.answer.segments.weighing import THRESHOLD, Weighed, choose

VERSION = 3
"""Raised whenever a response could be cut differently."""

Span = tuple[int, int]

_MOST_LABELS = 3000
_MOST_LINES = 50_000
"""A response with more labels or lines isn't cut."""
_THOUGHT = "</think>"


@dataclass(frozen=True, slots=True)
class Segmentation:
    """Where a response answers each subquestion, and how sure that is."""

    spans: dict[str, Span] | None
    """The raw spans of the answers that could be cut out; disjoint. None where nothing was cut."""
    confidence: float
    """From 0 to 1; 0 where nothing was cut."""
    style: str = ""
    """How the labels are written that it was cut by."""
    why: tuple[str, ...] = ()
    """Why some or all of it wasn't cut."""
    refused: tuple[Refused, ...] = ()
    """Layouts that were seen and not taken."""
    loose: dict[str, Span] = field(default_factory=dict)
    """Spans that hold the answers of several subquestions together."""

    def place(self, sub_id: str, length: int) -> tuple[int, int, bool]:
        """Where a subquestion is answered in a response of a length, and whether nothing else is there."""
        if self.spans and sub_id in self.spans:
            return (*self.spans[sub_id], True)
        return (*self.loose.get(sub_id, (0, length)), False)


def segment(text: str, sub_ids: Sequence[str], questions: Sequence[str] | None = None) -> Segmentation:
    """Cut a response by the labels it sets before its answers.

    ``questions``: the texts of the subquestions, in the order of ``sub_ids``;
    with them a repeated question heads its answer too, and answers that speak
    of another question than their label says are not cut. A single subquestion
    owns the whole response. Takes time linear in the response; never raises.
    """
    if len(sub_ids) == 1:
        return Segmentation({sub_ids[0]: (0, len(text))}, 1.0, "the only subquestion")
    if not sub_ids or len(set(sub_ids)) < len(sub_ids):
        return Segmentation(None, 0.0, why=("the subquestions have no names of their own",))
    asked = Questions(tuple(questions) if questions and len(questions) == len(sub_ids) else ())
    begin = text.rfind(_THOUGHT) + len(_THOUGHT) if _THOUGHT in text else 0
    labels = Labels(tuple(sub_ids))
    read = list(islice((line for line in lines(text) if line.start >= begin), _MOST_LINES))
    headed = list(islice((found for line in read if (found := heading(line, text))), _MOST_LABELS))
    if len(read) == _MOST_LINES or len(headed) == _MOST_LABELS:
        return Segmentation(None, 0.0, why=("it holds too many lines or labels",))
    return _taken(text, read, labels, _Seen.of(text, read, headed, labels, asked), asked, begin)


@dataclass(frozen=True, slots=True)
class _Seen:
    """The layouts of a response."""

    complete: list[Layout]
    partial: list[Layout]
    refused: list[Refused]

    @classmethod
    def of(
        cls, text: str, read: Sequence[Line], headed: Sequence[Heading], labels: Labels, asked: Questions
    ) -> _Seen:
        """Every layout of the headings and of repeated questions, sorted by what it is good for."""
        seen = cls([], [], [])
        for one in (
            *layouts(nested(headed, labels), labels, len(text)),
            *_repeated(text, read, labels, asked),
        ):
            if isinstance(one, Refused):
                seen.refused.append(one)
            else:
                kept = without_echo(text, one, asked)
                (seen.complete if kept.complete else seen.partial).append(kept)
        return seen


def _repeated(text: str, read: Sequence[Line], labels: Labels, asked: Questions) -> Iterator[Layout]:
    """The layout that repeated questions make."""
    found = [(line.start, sub) for line in read if (sub := asked.repeated(text, line.at)) is not None]
    if found:
        ends = [*(start for start, _ in found[1:]), len(text)]
        stretches = tuple(
            Stretch(start, end, start, (sub,)) for (start, sub), end in zip(found, ends, strict=True)
        )
        yield Layout(stretches, "tail", Tier.BOLD, 0, "question", False, len(labels.sub_ids))


def _taken(
    text: str, read: Sequence[Line], labels: Labels, seen: _Seen, asked: Questions, begin: int
) -> Segmentation:
    refused = list(seen.refused)
    best = choose([Weighed(text, one, asked, begin) for one in seen.complete], refused)
    strong = [one for one in seen.partial if _strong(one, labels)]
    if best is not None and best.layout.tier is Tier.PLAIN and strong:
        refused.append(Refused(best.layout.style, f"'{strong[0].style}' names parts too"))
        best = None
    elif best is None and not seen.complete and strong:
        best = choose([Weighed(text, max(strong, key=lambda one: len(one.present)), asked, begin)], refused)
    if best is None and not seen.complete and not strong:
        best = choose([Weighed(text, one, asked, begin) for one in inline(text, labels, begin)], refused)
    if best is None:
        return Segmentation(None, 0.0, why=("no labels name every part surely",), refused=tuple(refused))
    sums = list(_summed_up(text, read, labels, best.layout))
    made = cut(text, read, best.layout, seen.complete, sums)
    second = amended(text, made.sure, labels, best.layout.naming)
    made = without(made, second, "what is said of one part amends another") if second else made
    return _segmentation(labels, made, best, refused)


def _summed_up(text: str, read: Sequence[Line], labels: Labels, layout: Layout) -> Iterator[Layout]:
    """The layouts of summaries in running text after the last part's label."""
    for start in spoken_summaries(read, layout.stretches[-1].body):
        yield from inline(text, labels, start)


def _strong(one: Layout, labels: Labels) -> bool:
    """Whether a layout that lacks parts can still only mean those it names."""
    worded = one.tier >= Tier.WORD or one.naming == "id"
    known = one.naming == "id" or (one.naming == "tail" and labels.counted)
    return worded and known and one.ordered and len(one.present) >= max(2, one.count / 2)


def _segmentation(labels: Labels, made: Cut, best: Weighed, refused: Sequence[Refused]) -> Segmentation:
    ids = labels.sub_ids
    spans = {ids[sub]: made.sure[sub] for sub in sorted(made.sure)}
    sure = best.confidence
    if not spans or sure < THRESHOLD:
        return Segmentation(None, 0.0, best.layout.style, made.why, tuple(refused))
    loose = {ids[sub]: span for sub, span in made.loose.items()}
    return Segmentation(spans, sure, best.layout.style, made.why, tuple(refused), loose)
