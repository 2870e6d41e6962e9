"""From a chosen layout to the span of each answer: summaries, repeats and merged parts weighed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.answer.segments.headings import Line, Tier
from grader.answer.segments.repeats import epilogue, nothing_new, says_values
from grader.answer.segments.stretches import Layout, Stretch

Span = tuple[int, int]

_RULE = re.compile(r"^[ ]{0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*\n\s*", re.M)


@dataclass(frozen=True, slots=True)
class Cut:
    """What a layout gives each subquestion, by its place in the problem."""

    sure: dict[int, Span]
    """The answer is this and nothing else."""
    loose: dict[int, Span]
    """The answer is in here, with another one's."""
    why: tuple[str, ...]
    """What keeps some from being cut."""


def cut(text: str, lines: Sequence[Line], layout: Layout, others: Sequence[Layout]) -> Cut:
    """The spans that a layout gives; ``others``: further complete layouts, which may be summaries."""
    last = layout.stretches[-1]
    end = _body_end(text, lines, layout, last)
    summaries = [item for other in others for item in _summary(text, layout, other, last, end)]
    if summaries:
        end = min(end, summaries[0].start)
    stretches = [*layout.stretches[:-1], replace(last, end=end), *summaries]
    return _spans(text, stretches, layout)


def _body_end(text: str, lines: Sequence[Line], layout: Layout, last: Stretch) -> int:
    """Where the last answer ends: at a summary of the whole, or with its table."""
    if layout.tier is Tier.ROW:
        return next(
            (line.start for line in lines if line.start > last.start and line.tier is not Tier.ROW), last.end
        )
    rules = {match.end() for match in _RULE.finditer(text, last.start)}
    found = epilogue(lines, last.body, layout.tier, layout.depth, rules)
    return last.end if found is None else found


def _summary(text: str, layout: Layout, other: Layout, last: Stretch, end: int) -> list[Stretch]:
    """The stretches of another complete layout that sums up all answers after the last one starts."""
    if other.starts[0] <= last.start or not other.ordered or other.starts == layout.starts:
        return []
    if other.starts[0] < end:
        bodies = {sub: text[item.start : item.end] for item in layout.stretches for sub in item.subs}
        bodies[last.subs[0] if last.subs else 0] = text[last.start : other.starts[0]]
        said = [item for item in other.stretches if says_values(text[item.body : item.end])]
        known = sum(nothing_new(text[item.body : item.end], bodies.get(item.subs[0], "")) for item in said)
        if known < 2 or known < 0.6 * len(said):
            return []
    return list(other.stretches)


def _spans(text: str, stretches: Sequence[Stretch], layout: Layout) -> Cut:
    """Give each subquestion its one stretch; one with several keeps the longest if the rest is no news."""
    sure: dict[int, Span] = {}
    loose: dict[int, Span] = {}
    why: list[str] = []
    own: dict[int, list[Stretch]] = {}
    for item in stretches:
        for sub in item.subs:
            own.setdefault(sub, []).append(item)
    for sub, items in own.items():
        main = max(items, key=lambda item: item.end - item.start)
        rest = [item for item in items if item is not main]
        if len(main.subs) > 1 or any(len(item.subs) > 1 for item in rest):
            why.append(f"part {sub + 1} is answered together with another")
            if not rest:
                loose[sub] = (main.start, main.end)
        elif all(nothing_new(text[item.body : item.end], text[main.start : main.end]) for item in rest):
            sure[sub] = (main.start, main.end)
        else:
            why.append(f"part {sub + 1} is answered in several places that differ")
    for sub in sorted(set(range(layout.count)) - set(own)):
        why.append(f"part {sub + 1} has no label")
        before = max((present for present in own if present < sub), default=None)
        if before is not None:
            sure.pop(before, None)
    return Cut(sure, loose, tuple(why))
