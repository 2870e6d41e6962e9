"""Text aimed at whoever grades: it never counts for or against an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.answer.guard import may_match, stems
from grader.answer.members import graded
from grader.answer.notation import Text

_BRACKETED = re.compile(
    r"\[\[(?:(?!\[\[).){0,2000}?\]\]|<!--(?:(?!<!--).){0,4000}?-->"
    r"|([<\[])(system|grader|instructions?|admin|inst|evaluator)[>\]](?:(?!\1\2[>\]]).){0,4000}?\1/\2[>\]]",
    re.I | re.S,
)
_ADDRESSED = re.compile(
    r"\b(?:note|message|instructions?|attention|memo)\s+(?:to|for)\s+(?:the\s+|any\s+)?(?:auto)?"
    r"(?:grad|mark|evaluat|judg|scor|examin|review)(?:er|or|ers|ors|e|es|ing)\b"
    r"|(?:^|(?<=[.!?]\s)|(?<=[.!?][)\]\"']\s))\W{0,4}(?:(?:dear|hey|attention|hello)\s+)?"
    r"(?:(?:for|to)\s+(?:the\s+|any\s+|my\s+|whoever\s+)?)?"
    r"(?:grader|evaluator|judge|marker|examiner|system|assistant)s?\b(?:\s(?:only|reading this))?\s?[:,]"
    r"|\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+|every\s+)*(?:previous|prior|"
    r"above|earlier"
    r"|preceding|rubric|instructions?|guidelines|answer key|marking scheme|reference)\b"
    r"|\b(?:award|give|grant|assign|allocate)\s+(?:(?:me|this|the|it|us|full|all|maximum|maximal|complete|a|"
    r"an|answer"
    r"|response|solution|item|question|of|perfect)\s+){0,5}(?:points?|marks?|credits?|score)\b"
    r"|\b(?:mark|grade|score|rate|treat|accept|count|consider|regard)\s+(?:this|the|my|it)\b[^.\n]{0,"
    r"40}?\s(?:as\s+|is\s+)?"
    r"(?:correct|right|met|full(?:y)?\s+correct|true|passed|perfect)\b"
    r"|\bpre-?approved\b|\b(?:full|maximum)\s+(?:marks|credit|score)\b|\bscore\s?[:=]?\s?(?:1|100|10/10)\b"
    r"|\b(?:answer key|marking scheme|rubric|reference (?:answer|solution)|model answer|official (?:answer|"
    r"solution))\b"
    r"|\b(?:verified|approved|confirmed|checked) by (?:the |an? )?(?:human|expert|instructor|teacher|"
    r"professor|board|grader)"
    r"|\b(?:you are|act as|as) (?:a|an|the)\b[^.\n]{0,30}\b(?:grader|evaluator|judge|marker|examiner)\b"
    r"|\b(?:grad(?:er|ing)|mark(?:er|ing)|scoring|evaluat(?:or|ion)|examiner)(?:'s)?\s+"
    r"(?:notes?|instructions?|comments?|info\w*|hints?|guidance|remarks?)\b|\bexpected answer\b"
    r"|\b(?:teacher|instructor|examiner)(?:'s)?\s+(?:key|solution|note|answer)\b"
    r"|\"(?:score|grade|verdict|correct|passed|met|award|points)\"\s{0,3}:"
    r"|\b(?:exam|grading|marking)\s+board\b|\bsystem\s+(?:prompt|override|message)\b|"
    r"\bthe\s+(?:grader|evaluator|examiner|marker)\s+(?:should|must|will|has to)\b"
    r"|\byou\s+(?:must|should|are\s+required\s+to)\s+(?:award|mark|grade|score|accept|give)\b",
    re.I | re.M,
)
_ADDRESS_STEMS = stems(
    """grad mark evaluat judg scor examin review system assistant ignore forget override credit point
    accept count consider regard treat rate approved rubric answer reference official verified confirmed
    checked teacher instructor verdict correct required passed met award board must should"""
)
_BOUNDARY = re.compile(r"[.!?][)\]\"']{0,2}(?=\s|$)|\n")
_NOTE = re.compile(r"\s{0,4}(?:\[[^\[\]\n]{20,400}\]|\([^()\n]{20,400}\))(?=\s)")
"""A remark in brackets that opens a sentence: what follows is said by itself."""


def _sentences(plain: str) -> Iterator[tuple[int, int]]:
    at = 0
    for match in _BOUNDARY.finditer(plain):
        yield at, match.end()
        at = match.end()
    yield at, len(plain)


def inert(text: Text) -> tuple[tuple[int, int], ...]:
    """The raw spans that speak to a grader: whole sentences, bracketed notes and comments."""
    spans = [*(match.span() for match in _BRACKETED.finditer(text.raw)), *graded(text.raw)]
    plain = _BRACKETED.sub(lambda match: " " * len(match.group()), text.plain)
    for start, end in _sentences(plain) if may_match(plain, _ADDRESS_STEMS) else ():
        note = _NOTE.match(plain, start, end)
        parts = ((start, note.end()), (note.end(), end)) if note else ((start, end),)
        spans += [text.raw_span(*part) for part in parts if _ADDRESSED.search(plain, *part)]
    return tuple(sorted(spans))
