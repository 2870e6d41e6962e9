"""From a chosen layout to the span of each answer: summaries, repeats and merged parts weighed."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from grader.answer.segments.headings import Line, Tier
from grader.answer.segments.repeats import Headed, epilogue, nothing_new, says_values
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


def cut(
    text: str, lines: Sequence[Line], layout: Layout, others: Sequence[Layout], sums: Sequence[Layout]
) -> Cut:
    """The spans that a layout gives.

    ``others``: further complete layouts, which may be summaries; ``sums``: those that surely are.
    """
    last = layout.stretches[-1]
    closing = None if layout.tier is Tier.ROW else _epilogue(text, lines, layout)
    end = _table_end(lines, last) if layout.tier is Tier.ROW else closing.start if closing else last.end
    summaries = [item for other in others if _sums_up(text, layout, other, end) for item in other.stretches]
    summaries.extend(item for other in sums for item in other.stretches)
    if summaries:
        end = min(end, *(item.start for item in summaries))
    made = _spans(text, [*layout.stretches[:-1], replace(last, end=end)], summaries, layout)
    if closing and not summaries and not nothing_new(text[closing.start :], text[: closing.start]):
        return without(made, last.subs, "what follows the last part may belong to it")
    return made


def _table_end(lines: Sequence[Line], last: Stretch) -> int:
    """Where the table ends that the last answer is a row of."""
    return next(
        (line.start for line in lines if line.start > last.start and line.tier is not Tier.ROW), last.end
    )


def _epilogue(text: str, lines: Sequence[Line], layout: Layout) -> Line | None:
    rules = {match.end() for match in _RULE.finditer(text, layout.starts[-1])}
    first, last = layout.stretches[0], layout.stretches[-1]
    return epilogue(lines, Headed(first.body, last.body, layout.tier, layout.depth), rules)


def without(made: Cut, subs: Collection[int], why: str) -> Cut:
    """A cut that leaves some subquestions uncut."""
    sure = {sub: span for sub, span in made.sure.items() if sub not in subs}
    return Cut(sure, made.loose, (*made.why, why))


def _sums_up(text: str, layout: Layout, other: Layout, end: int) -> bool:
    """Whether another complete layout repeats all answers after the last one starts."""
    last = layout.stretches[-1]
    if other.starts[0] <= last.start or not other.ordered:
        return False
    if other.starts[0] >= end:
        return True
    bodies = {sub: text[item.start : item.end] for item in layout.stretches for sub in item.subs}
    bodies.update(dict.fromkeys(last.subs, text[last.start : other.starts[0]]))
    said = [item for item in other.stretches if says_values(text[item.body : item.end])]
    known = sum(nothing_new(text[item.body : item.end], bodies.get(item.subs[0], "")) for item in said)
    return known >= max(2, 0.6 * len(said))


def _spans(text: str, stretches: Sequence[Stretch], summaries: Sequence[Stretch], layout: Layout) -> Cut:
    """Give each subquestion its one stretch; one with several keeps the longest if the rest is no news."""
    sure: dict[int, Span] = {}
    loose: dict[int, Span] = {}
    why: list[str] = []
    for sub in range(layout.count):
        own = [item for item in stretches if sub in item.subs]
        if not own:
            why.append(f"part {sub + 1} has no label")
            continue
        main = max(own, key=lambda item: item.end - item.start)
        rest = [item for item in (*own, *summaries) if sub in item.subs and item is not main]
        if any(len(item.subs) > 1 for item in (main, *rest)):
            why.append(f"part {sub + 1} is answered together with another")
            if not rest:
                loose[sub] = (main.start, main.end)
        elif all(nothing_new(text[item.body : item.end], text[main.start : main.end]) for item in rest):
            sure[sub] = (main.start, main.end)
        else:
            why.append(f"part {sub + 1} is answered in several places that differ")
    for missing in set(range(layout.count)) - layout.present:
        sure.pop(max((sub for sub in layout.present if sub < missing), default=missing), None)
    return Cut(sure, loose, tuple(why))
