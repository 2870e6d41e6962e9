"""The options of a choice, and how answers name them: by letter, by text, by value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from grader.answer.candidates import Candidate, Reading, candidate
from grader.answer.frames import SPEAKER_BEFORE, SPEAKERS
from grader.answer.labels import pattern, spelled
from grader.answer.marks import EXPLICIT
from grader.answer.notation import Text
from grader.formal.values.arithmetic import Term, TooMany, read_terms
from grader.formal.values.units import conversion, pint_unit
from grader.problem.checks import ChoiceCheck

Letters = frozenset[str]

_DEFAULT = ("A", "B", "C", "D", "E")
_NOUNS = "compound|molecule|structure|isomer|species|product|reaction|complex|reagent|spectrum|statement"
_ARTICLE_AFTER = re.compile(
    r"[ ](?!is\b|was\b|are\b|and\b|or\b|because\b|since\b|as\b|but\b|seems\b|must\b|has to\b|not\b|fits\b)"
    r"[a-z]"
)
_NAMED_BEFORE = re.compile(
    r"\b(?:options?|choices?|answers?|statements?|letters?|select|choose|pick|is|be|:)[ ]?[(\[\"']{0,2}$",
    re.I,
)
_OPTION_BEFORE = re.compile(r"\b(?:option|choice|letter)[ ]\Z", re.I)
_CALLED_BEFORE = re.compile(r"\b(?:option|choice|letter|answer|select|choose|pick)[ ]\Z", re.I)
_CHAIN = re.compile(r"(?:\([A-Za-z]\)(?:,[ ](?:(?:and|or)[ ])?|[ ](?:and|or|&)[ ]|[ ]?/[ ]?)){1,8}\(\Z")
_CHAIN_NEXT = re.compile(r"\)[ ]?/[ ]?\([A-Za-z]\)")
"""The bracketed letters of an enumeration before one of them: "(b) and (c)"."""
_CLAUSE_ENDS = re.compile(r"(?!,?\s(?:or\s|and\s|perhaps\s|maybe\s)?\(?[a-z]\b)\)?\s?(?:[.,;:!]|\n|\Z)")
_NOUN_BEFORE = re.compile(rf"\b(?:{_NOUNS})s?[ ][(\[]?$", re.I)
_PART_BEFORE = re.compile(
    r"(?:(?:[0-9°^_=<+/-]|(?<!-)>)[ ]?|"
    r"\b(?:vitamin|compound|molecule|step|ring|group|carbon|type|part|product)[ ])"
    r"[(\[]?\Z",
    re.I,
)
_PART_AFTER = re.compile(
    r"[)]?(?:[-+=_^'<>/]|[ ]/[ ]|[ ]?[=≈<>]|[ ]?->|[0-9])"
    r"|[ ](?:forms?|reacts?|bonds?|contains?|atoms?|"
    r"is the (?:atom|element|product|reagent))\b"
)
_ELEMENT_AFTER = re.compile(r"[ ](?:has|have|is (?:more|less))\b")
_ELEMENTS = {
    "B": "boron", "C": "carbon", "F": "fluorine", "H": "hydrogen", "I": "iodine", "K": "potassium",
    "N": "nitrogen", "O": "oxygen", "P": "phosphorus", "S": "sulfur", "U": "uranium", "V": "vanadium",
    "W": "tungsten", "Y": "yttrium",
}  # fmt: skip
_TIED = re.compile(r"(?:[=≈:]|->|\b(?:is|are|get|gives?|obtain))\s{0,2}(?:about |roughly |~\s?)?\Z", re.I)
_ROMAN = re.compile(r"[IVX]{1,4}")
_TAGGED = re.compile(r"\s*<(?P<tag>[a-z_]{1,20})>(?P<inner>[^<>]{1,40})</(?P=tag)>\s*", re.I)
_WRAPPING = " \n\t.()[]{}*_$`\"'\\"
_SAME_VALUE = 1e-6
"""Relative difference up to which two spellings give one value."""


@dataclass(frozen=True)
class Options:
    """The options of a check."""

    letters: tuple[str, ...]
    texts: dict[str, str]
    multiple: bool
    right: Letters

    @classmethod
    def of(cls, check: ChoiceCheck) -> Options:
        """The options, letters in upper case."""
        return _options(check.expected, check.choices, tuple(check.texts.items()), check.multiple)

    @cached_property
    def names(self) -> str:
        """An alternation of the letters, longest first."""
        return "|".join(re.escape(letter) for letter in sorted(self.letters, key=len, reverse=True))

    @cached_property
    def right_shown(self) -> str:
        """The letters that are right, for people."""
        return ", ".join(sorted(self.right))

    @cached_property
    def text_patterns(self) -> tuple[re.Pattern[str], ...]:
        """What matches the texts of the options in plain text."""
        plain = (spelled(text) for text in self.texts.values())
        return tuple(pattern(text) for text in plain if len(text) > 1)

    @cached_property
    def numbered(self) -> bool:
        """Whether the options are called 1, 2, 3 or I, II, III, which only a noun before makes clear."""
        roman = "II" in self.letters and all(_ROMAN.fullmatch(letter) for letter in self.letters)
        return roman or all(letter.isdigit() for letter in self.letters)


@lru_cache(maxsize=1024)
def _options(
    expected: str, choices: tuple[str, ...], texts: tuple[tuple[str, str], ...], multiple: bool
) -> Options:
    parts = re.split(r"[,;\s]+", expected.strip()) if multiple else [expected]
    right = frozenset(part.strip().upper() for part in parts if part.strip())
    spoken = {letter.strip().upper(): text for letter, text in texts}
    letters = (letter.strip().upper() for letter in choices or dict(texts) or _DEFAULT)
    return Options(tuple(dict.fromkeys((*letters, *sorted(right)))), spoken, multiple, right)


@lru_cache(maxsize=256)
def _letter(names: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{names})(?![A-Za-z0-9_])", re.I)


def mentions(text: Text, reading: Reading, options: Options) -> Iterator[re.Match[str]]:
    """Letters that name an option; small letters only where nothing else is there."""
    plain, lone = text.plain, _lone(text, reading)
    quoted = SPEAKERS.search(plain) is not None
    for match in _letter(options.names).finditer(plain):
        if quoted and SPEAKER_BEFORE.search(plain, max(0, match.start() - 14), match.start()):
            continue
        alone = text.raw_span(*match.span()) in lone
        written = match.group()
        if not (written.isupper() or written.isdigit() or alone or _called(plain, match)):
            continue
        noun = _NOUN_BEFORE.search(plain, max(0, match.start() - 14), match.start())
        numbered = options.numbered and noun is not None
        if numbered or ((alone or not _part(plain, match)) and _speaks(text, reading, match, alone)):
            yield match


def _part(plain: str, match: re.Match[str]) -> bool:
    """Whether a letter is part of something else: a formula, a name, an element's symbol."""
    start, end = match.span()
    name = _ELEMENTS.get(match.group())
    before = plain[max(0, start - 14) : start].lower()
    if name and (before.endswith(f"{name} (") or _ELEMENT_AFTER.match(plain, end)):
        return True
    if plain[start - 1 : start] == "[" and plain[end : end + 1] == "]" and before[:-1].strip(" *_$"):
        return _NAMED_BEFORE.search(plain, max(0, start - 14), start) is None  # a concentration
    if before.endswith((" (", " [")) and plain[end : end + 1] in (")", "]"):
        return _NOUN_BEFORE.search(before[:-1]) is not None or before.endswith("vitamin (")
    if _CHAIN.search(plain, max(0, start - 60), start) or _CHAIN_NEXT.match(plain, end):
        return False
    in_name = _PART_BEFORE.search(plain, max(0, start - 12), start)
    return in_name is not None or _PART_AFTER.match(plain, end) is not None


def _speaks(text: Text, reading: Reading, match: re.Match[str], alone: bool) -> bool:
    """Whether a letter that could be a word or a number is meant as an option."""
    plain, (start, end), written = text.plain, match.span(), match.group()
    enclosed = plain[start - 1 : start] in ("(", "[") and plain[end : end + 1] in (")", "]")
    called = _OPTION_BEFORE.search(plain, max(0, start - 10), start) is not None
    if written in ("A", "I") and _ARTICLE_AFTER.match(plain, end) and not (enclosed or called):
        return False
    if not written.isdigit() or alone or enclosed:
        return True
    marked = reading.marked.rank(*text.raw_span(start, end)) >= EXPLICIT
    return marked or _NAMED_BEFORE.search(plain, max(0, start - 14), start) is not None


def _lone(text: Text, reading: Reading) -> frozenset[tuple[int, int]]:
    """The raw spans of what is all that the answer, a box or an "Answer:" holds, without its brackets."""
    spans = [(0, len(text.raw)), *((mark.start, mark.end) for mark in reading.marked.explicit())]
    found = set()
    for low, high in spans:
        content = text.raw[low:high]
        tag = _TAGGED.fullmatch(content)
        inner = (tag["inner"] if tag else content).strip(_WRAPPING)
        if 0 < len(inner) <= 4:
            at = low + content.index(inner, tag.start("inner") if tag else 0)
            found.add((at, at + len(inner)))
    return frozenset(found)


def _called(plain: str, match: re.Match[str]) -> bool:
    """Whether a small letter is announced and in brackets, or ends its clause: "option (c)", "answer d."."""
    low = max(0, match.start() - 14)
    if plain[match.start() - 1 : match.start()] == "(":
        chain = _CHAIN.search(plain, max(0, match.start() - 60), match.start())
        first = chain.start() + 1 if chain else match.start()
        announced = _NAMED_BEFORE.search(plain, max(0, first - 14), first) is not None
        return announced and plain[match.end() : match.end() + 1] == ")"
    called = _CALLED_BEFORE.search(plain, low, match.start()) is not None
    return called and _CLAUSE_ENDS.match(plain, match.end()) is not None


def by_text(text: Text, options: Options) -> Iterator[Candidate[Letters]]:
    """Options named by their text; of overlapping texts the longest."""
    found: list[tuple[int, int, str]] = []
    for letter, spoken in options.texts.items():
        plainly = spelled(spoken)
        if len(plainly) > 1:
            found += [
                (*match.span(), letter)
                for match in _hyphenated(_raised(plainly)).finditer(text.plain)
                if not _GOES_ON.match(text.plain, match.end())
            ]
    found.sort(key=lambda item: (item[0] - item[1], item[0]))
    taken = bytearray(len(text.plain))
    for start, end, letter in found:
        if not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            yield candidate(text, frozenset((letter,)), start, end)


@lru_cache(maxsize=1024)
def _hyphenated(spoken: str) -> re.Pattern[str]:
    """What matches a text; a text that is one long word also matches with a hyphen in it: "see-saw"."""
    if not re.fullmatch(r"[a-z]{6,30}|[a-z]{2,15}-[a-z]{2,15}", spoken):
        return pattern(spoken)
    letters = "-?".join(spoken.replace("-", ""))
    return re.compile(rf"(?<![\w-]){letters}(?![\w-])", re.I)


_GOES_ON = re.compile(r"[\^_][{(]?[-+]?[0-9]|\^?[0-9]?[+-](?![\w ])|[=≡]|-(?=[0-9])")
"""What makes another symbol of the text before it: ``sp`` of ``sp^3``, ``NO3`` of ``NO3-``."""
_HYBRID = re.compile(r"(?<![A-Za-z])(s?p|d)(?=[0-9])")


def _raised(spoken: str) -> str:
    """A text whose orbital exponents are written as such, so that ``sp3`` is ``sp^3``, too."""
    return _HYBRID.sub(r"\1^", spoken)


def by_value(text: Text, options: Options) -> Iterator[Candidate[Letters]]:
    """Options named by their value in another spelling: ``0.2 mol/L`` for ``0.20 M``."""
    values = [(letter, term) for letter, spoken in options.texts.items() if (term := _value(spoken))]
    try:
        terms = list(read_terms(text.plain)) if values else []
    except TooMany:
        return
    for term in terms:
        letters = frozenset(letter for letter, value in values if _same_value(term, value))
        if len(letters) == 1 and _is_result(text.plain, term):
            yield candidate(text, letters, term.start, term.end)


def _is_result(plain: str, term: Term) -> bool:
    """Whether a value is what an answer comes to: all it says, or what an equals sign or "is" leads to."""
    tied = _TIED.search(plain, max(0, term.start - 16), term.start) is not None
    return tied or not (plain[: term.start] + plain[term.end :]).strip(_WRAPPING)


@lru_cache(maxsize=1024)
def _value(spoken: str) -> Term | None:
    """The number with a unit that is all an option's text says."""
    plainly = spelled(spoken)
    terms = list(read_terms(plainly))
    whole = len(terms) == 1 and (terms[0].start, terms[0].end) == (0, len(plainly))
    return terms[0] if whole and terms[0].number else None


def _same_value(term: Term, option: Term) -> bool:
    """Whether two terms give one value, in the same or in convertible units."""
    value = term.value
    if option.unit is None or term.unit is None:
        if option.unit is not term.unit:
            return False
    else:
        converted = conversion(term.unit.factors, pint_unit(option.unit.factors), False)
        if converted is None:
            return False
        value = value * converted[0] + converted[1]
    return abs(value - option.value) <= _SAME_VALUE * abs(option.value)
