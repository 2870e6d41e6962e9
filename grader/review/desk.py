"""What the page of an item shows, as plain values.

Until a person has marked an item the desk is blind: nothing in these values
says what stands, who said so, or why the item is in the queue. Model and
conditions are never in them.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from grader.archive.lines import stored_evidence
from grader.archive.review_entry import StoredMark
from grader.archive.review_marks import standing as marks_that_hold
from grader.archive.store import Archive
from grader.problem.model import Deduction, Group, Image, Note, Point, ScoringNode, Veto
from grader.record import Evidence
from grader.render.answers import Highlight, answer_html, raw_html
from grader.render.drawing import compared_svg, structure_svg
from grader.review.subject import Subject
from grader.review.told import Seen, Told, findings_of, is_human, seen_by, told_mark

_DRAWN = ("smiles", "inchi", "name")
"""Check kinds whose value is one structure."""
MOST_DRAWN = 4
"""Candidates of one answer that are drawn."""


@dataclass(frozen=True, slots=True)
class Figure:
    """An image; its address is the digest of what is archived."""

    digest: str
    text: str
    """What stands in for it."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A structure drawn from text."""

    source: str
    """A data address of SVG: an image may bring its own style, which the policy of the page forbids."""
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A node of the rubric as one reads it."""

    point_id: str
    marks: str
    text: str
    depth: int
    current: bool
    """It is the one to be marked."""
    shape: str


@dataclass(frozen=True, slots=True)
class Desk:
    """The page of an item."""

    item_id: int
    alike: int
    """How many identical answers are marked at once."""
    settles: bool
    """Marks of others differ, and this one decides."""
    open: bool
    """It waits for a mark."""
    problem: str
    sub_id: str
    header: Markup
    header_figures: tuple[Figure, ...]
    question: Markup
    question_figures: tuple[Figure, ...]
    rubric: tuple[Line, ...]
    rubric_figures: tuple[Figure, ...]
    check_kind: str | None
    worth: str
    limits: tuple[float, float] | None
    """Of a partial mark; None where the point is all or nothing."""
    penalty: bool
    """It is met where a mistake was made."""
    follows: bool
    """A mark with follow-through may be given besides."""
    empty: bool
    rendered: Markup
    raw: Markup
    drawings: tuple[Drawing, ...]
    earlier: tuple[Told, ...]
    """The marks that differ, of people who aren't named."""
    seen: Seen | None
    """None: blind."""


def desk(archive: Archive, subject: Subject, reviewer: str) -> Desk:
    """The page of an item for a person who may see it."""
    item, node = subject.item, subject.node
    own = archive.marks_of([item.id]).get(item.id, [])
    seen = seen_by(subject, own, reviewer) if any(one.entry.reviewer == reviewer for one in own) else None
    earlier = _earlier(archive, subject) if item.entry.kind == "adjudication" else ()
    mine = seen.mine if seen else None
    highlights = list(_highlights(subject, earlier, mine, seen is not None))
    figures = subject.entry.images
    return Desk(
        item_id=item.id,
        alike=len(item.entry.members),
        settles=item.entry.kind == "adjudication",
        open=item.state == "open",
        problem=item.entry.problem_id,
        sub_id=item.entry.sub_id,
        header=answer_html(subject.problem.header),
        header_figures=_figures(subject.problem.header_images, figures),
        question=answer_html(subject.sub.text_open),
        question_figures=_figures(subject.sub.text_images, figures),
        rubric=tuple(_lines(subject.rubric, item.entry.point_id)),
        rubric_figures=_figures(subject.sub.rubric_images, figures),
        check_kind=item.entry.check_kind,
        worth=_worth(node),
        limits=subject.scale.limits if subject.scale.partial else None,
        penalty=isinstance(node, Deduction | Veto),
        follows=isinstance(node, Point) and node.follow is not None,
        empty=not subject.text.strip(),
        rendered=answer_html(subject.text, highlights),
        raw=raw_html(subject.text, highlights),
        drawings=tuple(_drawings(subject, seen is not None)),
        earlier=tuple(
            told_mark(subject, f"Mark {letter}", one)
            for letter, one in zip("ABCDEFGH", earlier, strict=False)
        ),
        seen=seen,
    )


# The problem


def _figures(images: Sequence[Image], digests: Mapping[str, str]) -> tuple[Figure, ...]:
    return tuple(Figure(digests[one.file], one.description) for one in images if one.file in digests)


def _lines(rubric: Sequence[ScoringNode], current: str, depth: int = 0) -> Iterator[Line]:
    for node in rubric:
        if isinstance(node, Note):
            yield Line("", "", node.note, depth, current=False, shape="note")
            continue
        shape = type(node).__name__.lower()
        yield Line(node.id, _worth(node), node.text, depth, node.id == current, shape)
        if isinstance(node, Group):
            yield from _lines(node.of, current, depth + 1)


def _worth(node: ScoringNode) -> str:
    if isinstance(node, Note):
        return ""
    return "veto" if isinstance(node, Veto) else f"{node.points:g}"


# The answer


def _highlights(
    subject: Subject, earlier: Sequence[StoredMark], mine: StoredMark | None, seen: bool
) -> Iterator[Highlight]:
    """Places in the answer: what code read, what markers chose, and once it is marked what judges quoted."""
    span = subject.span
    named: list[tuple[str, Evidence]] = [("read by code", one) for one in _read(subject)]
    for letter, mark in zip("ABCDEFGH", earlier, strict=False):
        named += [(f"mark {letter}", one) for one in mark.entry.evidence]
    if mine is not None:
        named += [("your evidence", one) for one in mine.entry.evidence]
    if seen:
        for stored in subject.point.verdicts:
            evidence = None if is_human(stored) else stored_evidence(subject.graded, stored)
            if evidence is not None:
                named.append(("judge", evidence))
    for label, one in named:
        if span.start <= one.start <= one.end <= span.end:
            yield Highlight(one.start - span.start, one.end - span.start, label)


def _read(subject: Subject) -> list[Evidence]:
    """Every place that code considered, taken or not, so that it doesn't say what it took."""
    places: dict[tuple[int, int], Evidence] = {}
    for stored in findings_of(subject):
        start = subject.span.start
        taken = stored.finding.evidence
        considered = [(one.quote, one.start, one.end) for one in stored.finding.rejected]
        considered += [(taken.quote, taken.start, taken.end)] if taken else []
        for quote, first, last in considered:
            places[start + first, start + last] = Evidence(quote, start + first, start + last)
    return [places[place] for place in sorted(places)]


def _drawings(subject: Subject, seen: bool) -> Iterator[Drawing]:
    """The structures that code read beside the expected one; what differs is marked for who has marked."""
    check = getattr(subject.node, "check", None)
    if check is None or check.kind not in _DRAWN:
        return
    drawn = [
        svg
        for one in list(dict.fromkeys(_structures(subject)))[:MOST_DRAWN]
        if (svg := compared_svg(one, check.expected, marked=seen)) is not None
    ]
    for svg in drawn:
        yield Drawing(_address(svg), "The structure of the answer beside the expected one")
    if not drawn and (alone := structure_svg(check.expected)) is not None:
        yield Drawing(_address(alone), "The expected structure")


def _structures(subject: Subject) -> Iterator[str]:
    for stored in findings_of(subject):
        finding = stored.finding
        if finding.value or finding.found:
            yield finding.value or finding.found or ""
        yield from (one.quote for one in finding.rejected)


def _address(svg: str) -> str:
    return "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()


# Marks that differ


def _earlier(archive: Archive, subject: Subject) -> tuple[StoredMark, ...]:
    """The marks that an adjudication is about, the first given first."""
    first = subject.item.entry.parent
    if first is None:
        return ()
    others = [one for one in archive.family(first) if one != subject.item.id]
    barred = subject.item.entry.barred
    marks = [mark for several in archive.marks_of(others).values() for mark in _holding(several)]
    return tuple(sorted((one for one in marks if one.entry.reviewer in barred), key=lambda one: one.id))


def _holding(marks: Sequence[StoredMark]) -> list[StoredMark]:
    return list(marks_that_hold(marks).values())
