"""What a native rubric says the results are: its lines in order, without what is for its marker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grader.problem.rubric.hints import speaks_of_marks, without_hints
from grader.problem.rubric.nodes import NativeNode, NativeRubric

_GOES_ON = re.compile(
    r"[\s,;]*(?:because|since|as|which|whereas|while|so|hence|therefore|thus|where|owing|due)\b",
    re.IGNORECASE,
)
_OPENS = re.compile(r"^for\s+", re.IGNORECASE)
_ENDS = re.compile(
    r"(?:;[A-Za-z ]*)?\s\b(?:earns?|receives?|gets?|scores?|carr(?:y|ies)|merits?|(?:is|are)\s+worth)$",
    re.IGNORECASE,
)
_BETWEEN = " \t\n\u00a0,;:.、，；：。"


def results(rubric: NativeRubric, private: Sequence[str] = ()) -> Iterator[str]:
    """What each part and each unmarked line states, in order.

    Of alternatives the best stays. Deductions, vetoes, what is accepted
    besides, counts without a list and parts whose answer is only drawn state
    nothing. ``private`` file names are left out.
    """
    if not rubric.nodes:
        yield from filter(None, (without_hints(line, private) for line in rubric.lines))
    for node in rubric.nodes:
        yield from filter(None, _stated(node, rubric.lines, private))


def _stated(node: NativeNode, lines: Sequence[str], private: Sequence[str]) -> Iterator[str]:
    if node.rule == "any" and node.of:
        yield from _stated(max(node.of, key=lambda member: member.marks), lines, private)
    elif node.of:
        for member in node.of:
            yield from _stated(member, lines, private)
    elif node.kind == "part" and "figure_only" not in node.flags:
        yield _part(node, lines, private)
    elif node.kind == "note" and not node.flags:
        yield without_hints(node.text, private)


def _part(node: NativeNode, lines: Sequence[str], private: Sequence[str]) -> str:
    """A part's answer, with its label and what goes on with it behind the mark."""
    text = _ENDS.sub("", _OPENS.sub("", without_hints(node.text, private), count=1))
    if not text and not speaks_of_marks(node.text):
        text = node.text  # it bears a mark: what reads like a condition is the answer
    after = (lines[place.line][place.start : place.end] for place in node.context)
    more = [without_hints(words, private) for words in after if _GOES_ON.match(words)]
    return _label(node, lines) + ", ".join(filter(None, (text, *more))) if text else ""


def _label(node: NativeNode, lines: Sequence[str]) -> str:
    """The label of a part as it is written."""
    if not node.label:
        return ""
    line, (start, end) = lines[node.line], node.span
    if node.answer_line is not None and node.answer_span:
        line, (start, end) = lines[node.answer_line], node.answer_span
    before = line[start : max(start, line.find(node.text, start, end))].lstrip(_BETWEEN)
    written = node.label in before and len(before) < len(node.label) + 8
    return before if written else f"{node.label}: "
