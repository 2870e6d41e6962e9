"""Quotes that people select in an answer, and their places in the raw text."""

from __future__ import annotations

import re
from bisect import bisect_left

from grader.archive.entry import AnswerSpan
from grader.archive.review_entry import Item
from grader.archive.store import Archive
from grader.errors import MarkError, shown
from grader.record import Evidence, Response
from grader.render.visible import visible
from grader.review.subject import Subject

_SELECTED = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


def evidence_in(quote: str, place: str, subject: Subject) -> tuple[Evidence, ...]:
    """A quote in its place in the response; none if it is empty, MarkError if it isn't in the answer.

    ``place`` is ``start-end`` where it was selected: code points of the answer
    as its raw view shows it, in which a line's end is one. Where that is
    missing or says something else, the quote's first place is taken.
    """
    quote = quote.replace("\r\n", "\n")
    if not quote.strip():
        return ()
    found = _selected(quote, place, subject.text) or _first(quote, subject.text)
    if found is None:
        raise MarkError(
            "the evidence doesn't occur in the answer", got=shown(quote), do="Select it in the raw text."
        )
    return (_at(subject.text, subject.span.start, *found),)


def as_selected(evidence: Evidence, subject: Subject) -> tuple[str, str]:
    """The quote and the place that ``evidence_in`` takes for a piece of evidence."""
    raw = raw_offsets(subject.text)
    start, end = (bisect_left(raw, one - subject.span.start) for one in (evidence.start, evidence.end))
    return _as_shown(evidence.quote), f"{start}-{end}"


def evidence_elsewhere(archive: Archive, item: Item, quote: str) -> dict[str, Evidence]:
    """The quote in the other answers that an item stands for, by response."""
    others = [one.response_digest for one in item.entry.members[1:]]
    if not others:
        return {}
    spans = archive.spans(item)
    responses = archive.responses(others)
    found = ((one, _in_response(quote, responses[one], spans[one])) for one in others if one in spans)
    return {one: evidence for one, evidence in found if evidence is not None}


def raw_offsets(text: str) -> list[int]:
    """For each place in a text as its raw view shows it, and for its end, the place in the text itself."""
    starts = [n for n, one in enumerate(text) if not (one == "\n" and text[n - 1 : n] == "\r")]
    return [*starts, len(text)]


def _selected(quote: str, place: str, text: str) -> tuple[int, int] | None:
    """The selected place, if the quote stands there."""
    given = _SELECTED.fullmatch(place)
    raw = raw_offsets(text)
    if given is None or int(given[2]) >= len(raw):
        return None
    start, end = raw[int(given[1])], raw[int(given[2])]
    return (start, end) if _as_shown(text[start:end]) == quote else None


def _as_shown(text: str) -> str:
    """Text as a page shows it, what would hide in it written out."""
    return str(visible(text.replace("\r\n", "\n"), markup=False).unescape())


def _first(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quote first stands in a text, any white space like any other."""
    found = re.search(r"\s+".join(map(re.escape, quote.split())), text)
    return found.span() if found else None


def _in_response(quote: str, response: Response, span: AnswerSpan) -> Evidence | None:
    answer = response.text[span.start : span.end]
    found = _first(quote, answer)
    return _at(answer, span.start, *found) if found else None


def _at(answer: str, offset: int, start: int, end: int) -> Evidence:
    return Evidence(answer[start:end], offset + start, offset + end)
