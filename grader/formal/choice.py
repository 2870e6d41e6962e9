"""Lettered options: one, or several where the question allows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, Reading, candidate, settle
from grader.answer.labels import pattern
from grader.answer.marks import EXPLICIT
from grader.answer.notation import Text, normalise
from grader.formal import outcome
from grader.problem.checks import ChoiceCheck
from grader.record import Finding, Reason

VERSION = 1
BY = f"formal:choice@{VERSION}"

_DEFAULT = ("A", "B", "C", "D", "E")
_JOIN = re.compile(
    r"[)\]\"'.]{0,2}[ ]?(?:,[ ]?(?:and[ ]|&[ ]?)?|;[ ]?|/|&|\+|[ ]and[ ]|[ ]as well as[ ])[ ]?[(\[\"']{0,"
    r"2}(?:options?[ ])?"
)
_UNDECIDED = re.compile(
    r"[)\]\"'.]{0,2},?[ ]?(?:or|/)[ ](?:maybe |perhaps |possibly )?(?:options?[ ])?[(\[\"']{0,2}"
)
_ARTICLE_AFTER = re.compile(
    r"[ ](?!is\b|was\b|are\b|and\b|or\b|because\b|since\b|as\b|but\b|seems\b|must\b|has to\b|not\b|fits\b)"
    r"[a-z]"
)
_NAMED_BEFORE = re.compile(
    r"\b(?:options?|choices?|answers?|statements?|letters?|select|choose|pick|is|:)[ ]?[(\[\"']{0,2}$", re.I
)
_PART_BEFORE = re.compile(
    r"(?:[0-9°^_=<>+/-][ ]?|\b(?:vitamin|compound|molecule|step|ring|group|carbon|type|part|product)[ ])"
    r"[(\[]?$",
    re.I,
)
_PART_AFTER = re.compile(
    r"[)]?(?:[-+=_^'<>/]|[ ]?[=≈<>]|[ ]?->|[0-9])"
    r"|[ ](?:has|have|forms?|reacts?|bonds?|contains?|atoms?|"
    r"is (?:more|less|the (?:atom|element|product|reagent)))\b"
)
_RUN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2,8}(?![A-Za-z0-9])")

_WRAPPING = " \n\t.()[]{}*_$`\"'\\"

Letters = frozenset[str]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a check."""

    letters: tuple[str, ...]
    texts: dict[str, str]
    multiple: bool

    @classmethod
    def of(cls, check: ChoiceCheck) -> Options:
        """The options, letters in upper case."""
        letters = check.choices or tuple(check.texts) or _DEFAULT
        expected = _expected(check)
        known = dict.fromkeys((*(letter.strip().upper() for letter in letters), *sorted(expected)))
        texts = {letter.strip().upper(): text for letter, text in check.texts.items()}
        return cls(tuple(known), texts, check.multiple)


def _expected(check: ChoiceCheck) -> Letters:
    parts = re.split(r"[,;\s]+", check.expected.strip()) if check.multiple else [check.expected]
    return frozenset(part.strip().upper() for part in parts if part.strip())


@lru_cache(maxsize=256)
def _letter(letters: tuple[str, ...], either_case: bool) -> re.Pattern[str]:
    names = "|".join(re.escape(letter) for letter in sorted(letters, key=len, reverse=True))
    flags = re.I if either_case else 0
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{names})(?![A-Za-z0-9_])", flags)


def _mentions(text: Text, reading: Reading, options: Options) -> Iterator[re.Match[str]]:
    """Letters that name an option; small letters only where nothing else is there."""
    plain, lone = text.plain, _lone(text, reading)
    for match in _letter(options.letters, True).finditer(plain):
        start, end = match.span()
        marked = reading.marked.rank(*text.raw_span(start, end)) >= EXPLICIT
        written = match.group()
        alone = text.raw_span(start, end) in lone
        if not (written.isupper() or written.isdigit() or alone or _called(plain, match)):
            continue
        if _PART_BEFORE.search(plain, max(0, start - 12), start) or _PART_AFTER.match(plain, end):
            continue
        enclosed = plain[start - 1 : start] in ("(", "[") and plain[end : end + 1] in (")", "]")
        named = marked or enclosed or _NAMED_BEFORE.search(plain, max(0, start - 14), start)
        if written in ("A", "I") and _ARTICLE_AFTER.match(plain, end) and not enclosed:
            continue
        if written.isdigit() and not named and not alone:
            continue
        yield match


def _lone(text: Text, reading: Reading) -> frozenset[tuple[int, int]]:
    """The raw spans of what is all that the answer, a box or an "Answer:" holds, without its brackets."""
    spans = [(0, len(text.raw)), *((mark.start, mark.end) for mark in reading.marked.explicit())]
    found = set()
    for low, high in spans:
        content = text.raw[low:high]
        inner = content.strip(_WRAPPING)
        if 0 < len(inner) <= 4:
            at = low + content.index(inner)
            found.add((at, at + len(inner)))
    return frozenset(found)


def _called(plain: str, match: re.Match[str]) -> bool:
    """Whether a small letter in brackets is announced: "option (c)"."""
    before = _NAMED_BEFORE.search(plain, max(0, match.start() - 14), match.start())
    return (
        before is not None and plain[match.start() - 1] == "(" and plain[match.end() : match.end() + 1] == ")"
    )


def _groups(text: Text, reading: Reading, options: Options) -> Iterator[Candidate[Letters]]:
    """Letters, those in one enumeration together."""
    group: list[re.Match[str]] = []
    doubt = ""
    for match in _mentions(text, reading, options):
        if group:
            link = text.plain[group[-1].end() : match.start()]
            undecided = _UNDECIDED.fullmatch(link) is not None
            if undecided or _JOIN.fullmatch(link):
                group.append(match)
                doubt = "undecided between options" if undecided else doubt
                continue
            yield _group(text, group, doubt)
        group, doubt = [match], ""
    if group:
        yield _group(text, group, doubt)


def _group(text: Text, group: list[re.Match[str]], doubt: str) -> Candidate[Letters]:
    letters = frozenset(match.group().upper() for match in group)
    return candidate(text, letters, group[0].start(), group[-1].end(), doubt=doubt)


def _runs(text: Text, reading: Reading, options: Options) -> Iterator[Candidate[Letters]]:
    """Letters run together ("AC"), where several may be chosen and the answer is marked or nothing else."""
    if not options.multiple:
        return
    for match in _RUN.finditer(text.plain):
        letters = frozenset(match.group())
        if len(letters) == len(match.group()) and letters <= set(options.letters):
            span = text.raw_span(*match.span())
            if reading.marked.rank(*span) >= EXPLICIT or text.raw.strip(" \n.*$") == text.raw[slice(*span)]:
                yield candidate(text, letters, *match.span())


def _by_text(text: Text, options: Options) -> Iterator[Candidate[Letters]]:
    """Options named by their text; of overlapping texts the longest."""
    found: list[tuple[int, int, str]] = []
    for letter, spoken in options.texts.items():
        spelled = normalise(spoken).plain.strip()
        if len(spelled) > 1:
            found += [(*match.span(), letter) for match in pattern(spelled).finditer(text.plain)]
    found.sort(key=lambda item: (item[0] - item[1], item[0]))
    taken = bytearray(len(text.plain))
    for start, end, letter in found:
        if not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            yield candidate(text, frozenset((letter,)), start, end)


def decide(check: ChoiceCheck, answer: Answer) -> Finding:
    """Decide whether an answer chooses the expected option or options."""
    if not answer.text.strip():
        return outcome.blank(BY)
    text = normalise(answer.text)
    reading = Reading(text, check.asked, answer.others)
    options = Options.of(check)
    found = [*_groups(text, reading, options), *_runs(text, reading, options), *_by_text(text, options)]
    settled = settle(
        text,
        found,
        same=lambda one, two: one == two,
        asked=check.asked,
        others=answer.others,
        cut=answer.cut,
        reading=reading,
    )
    taken = settled.candidate
    if taken is None:
        return outcome.unsettled(BY, settled, "option")
    if not options.multiple and len(taken.value) > 1:
        rejected = (*settled.rejected, taken.rejected("more than one option"))
        return outcome.undetermined(
            BY, Reason.CONFLICTING_CANDIDATES, f"'{taken.quote}' names several options", rejected
        )
    expected = _expected(check)
    right = taken.value == expected
    shown = ", ".join(sorted(taken.value))
    detail = f"{shown} is chosen, {', '.join(sorted(expected))} is right"
    return outcome.decided(BY, right, taken, detail, shown, settled.rejected)
