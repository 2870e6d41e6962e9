"""Which of several stated values result, and which only lead to them or stand beside them.

A given amount, a comparison, an increment, a case that isn't real and a
remark in brackets count only where nothing better is stated.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from grader.answer.candidates import Candidate
from grader.answer.discourse import sentences
from grader.answer.notation import Text
from grader.formal.values.solved import leading_to_symbols
from grader.formal.values.statements import Stated

_REACH = 72
_FAR = 300
_NOUN = 40
"""How many characters after a count say what it counts."""
_ABOUT = r"(?:about |roughly |approximately |around |nearly |only |just |~\s?|≈\s?)?"
_ARTICLE = r"(?:the |a |an |all |its |each |some |our )?"
_HANDLED = (
    r"neutrali[sz]|dissolv|dilut|titrat|mix|add|heat|cool|burn|combust|react|oxidi[sz]|precipitat|convert|consum|"
    r"transferr|pipett|inject|introduc|combin|start|tak|us|insert|substitut|plugg|subtract|multiply|divid"
)
_GIVEN_BEFORE = re.compile(
    rf"(?:\bto (?:{_HANDLED})e?|\b(?:{_HANDLED})(?:ing|ed)(?: it in| in| with| from)?"
    rf"|\b(?:add|take|took|taken|start(?:s|ed)? (?:with|from)|initial(?:ly)?(?: at)?|originally(?: at)?))"
    rf"\s{_ARTICLE}$",
    re.I,
)
_GIVEN_AFTER = re.compile(
    r"\s?(?:stock\b|(?:[A-Za-z^+-]+\s)?(?:short of|too (?:many|few)|per|(?:from|for|in|on) each)\b|"
    r"(?:is|was|are|were)\s(?:[a-z]+\s){0,4}(?:stock|given|initial|starting|original)\b(?! by))"
)
_REVERSED = re.compile(
    r"[,;]?\s\(?(?:in|for|of) the (?:reverse|reversed|opposite|backward|reverse[- ]direction)"
    r"(?: (?:direction|reaction|process|sense|step))?\b|\s\(reverse(?:d| reaction)?\)",
    re.I,
)
_ASKED_DENIED = re.compile(r"[^.;:!?\n]{0,40}\?[*_)\"' ]{0,4}(?:No|Nope|Not|Impossible|Hardly)\b")
_COMPARED = re.compile(
    rf"\b(?:versus|compared (?:with|to)|relative to|as against|in contrast to|vs\.?|short of)"
    rf"\s{_ARTICLE}{_ABOUT}$",
    re.I,
)
_REVERSE_BEFORE = re.compile(
    r"\b(?:reversed?|opposite|backward) (?:direction|reaction|process|step)\b(?:[^.;,\n]|\.(?=\d)){0,30}$",
    re.I,
)
_REFERENCE = re.compile(
    r"\b(?:than|below|above|under|exceed(?:s|ing)?|close to|near|(?:agree(?:s|ment)?|consistent) with|"
    r"(?:deviates?|differs?) from)\s(?:the|its|their|our|an?)\s(?:[a-z-]+\s){0,4}?"
    rf"(?:value|potential|voltage|point|temperature|mass|energy|enthalpy|limit|length|result|figure|constant)"
    rf"(?:\s(?:[a-z-]+\s)?of|,)\s{_ABOUT}$",
    re.I,
)
"""What a result is compared with, named: "below its standard value of 1.10 V"."""
_BACKGROUND = re.compile(
    r"\b(?:typical(?:ly)?|usual(?:ly)?|literature|lit\.|textbook|tabulated)\b"
    r"(?!\s(?:sign\s)?(?:conventions?|ways?|method|formula|procedure|rule|definition|equation)\b)[^.;,\n]{0,40}$",
    re.I,
)
_UNREAL = re.compile(
    r"\bwould\s(?:[a-z]+\s){0,2}?(?:be|give|make|have|yield|become|predict|equal|lead|bring)\b"
    r"(?:[^.;,\n]|\.(?=\d)){0,30}$",
    re.I,
)
_INCREMENT = re.compile(
    rf"\b(?:ris|fall|fell|rose|increas|decreas|drop|shift|lower|rais|chang|differ|reduc|gr[eo]w|declin)"
    rf"[a-z]*\s(?:[a-z]+\s)?by\s{_ABOUT}$",
    re.I,
)
_CIRCUMSTANCE = re.compile(
    r"\b(?:with|for|at|when|using|if|where|since|because|as)\s[A-Za-z]\w{0,3}\s?=\s?$", re.I
)
_REASON = re.compile(
    r"(?<=[\w.)])[ ]\b(?:because|since|as|due to|owing to)[ ]"
    r"(?:(?!(?:is|are|was|gives?|it|we|of)\b)[A-Za-z]+[ ]){0,3}$"
)
"""Up to the value that opens a reason: "3 signals appear because two coincide"."""
_COUNTED = re.compile(r"(?:[ ][A-Za-zαβπσ-]+){1,5}:[ ]")
"""The noun and the colon between a count and the list of what is counted."""
_COLON = re.compile(r":[ ]")
_NAMELY = re.compile(
    r"(?:[ ][A-Za-zαβπσ-]+){0,5},?[ ](?:—[ ])?(?:i\.e\.|that is|namely|viz\.|corresponding to|made up of|"
    r"consisting of|accounted for by|which (?:corresponds to|is (?:made up of|accounted for by)))[,:]?[ ]"
)
_SINGLE = re.compile(r"(?:\A|\b(?:and|plus)[ ]|[+,][ ])(?:an?|the)[ ][a-z]")
"""One of what is counted, by its article: "the ring plus three double bonds"."""
_SUMS_UP = re.compile(r"(?:\bi\.e\.,?|\bthat is,?|\bthat's|\bmaking|->|[=:—])[ ]?(?:a total of )?$")
_CONCLUDES = re.compile(r"->|=>|\b(?:so|thus|hence|therefore|total|altogether)\b")
"""Where a list of what is counted ends, as its count is said again."""
_LEADS_TO = re.compile(
    rf"\b(?:gives?|giving|yields?|yielding|leaves?|leaving|results? in|comes? (?:out )?(?:to|as)|amounts? to|"
    rf"works? out (?:to|as)|(?<!the )(?:needs?|requires?)|"
    rf"(?:reduc|bring|lower|rais|cut|narrow)[a-z]*(?: [a-z]+){{1,4}} to|"
    rf"(?:gives?|giving|yields?|yielding) [^.;,=\n]{{1,16}}=|"
    rf"(?:needed|required|produced|final|resulting)\b(?:[^.;,=\d\n]){{0,30}}\b(?:is|are|was|:|=))"
    rf"\s?(?:then |therefore |thus |us |a total of )?{_ABOUT}$",
    re.I,
)
_TOTAL_BEFORE = re.compile(
    rf"\b(?:(?<!in )total|sum|(?:total|overall|final) (?:number|(?:[a-z]+ )?count)|adds? up|sums? up|in all|"
    rf"altogether)(?: of [^.;,=\d\n]{{1,40}}?| to)?,?\s?(?:is|are|=|:|≈|to|(?<!sum )of|we have|gives|"
    rf"there (?:are|is))?\s?{_ABOUT}$",
    re.I,
)
_TOTAL_AFTER = re.compile(
    r"\s?(?:[A-Za-z^+-]+\s){0,3}(?:in total|altogether|in all|overall)\b"
    r"|,? (?:so|and|which)? ?(?:this|that|which) is (?:my|the|our) (?:final )?(?:answer|result)\b",
    re.I,
)
_RESTATES = re.compile(
    r"(?:i\.e\.,?|that is,?|or|=|≈|~|about|ca\.|(?:more )?(?:precisely|exactly)|(?:un)?rounded|equal to"
    r"|equivalent to|equivalently|corresponding to|which is)?\s?$",
    re.I,
)
_REPLACES = re.compile(
    r"[^()]{0,40}?\b(?:or|maybe|perhaps|possibly|but|correct(?:ed|ion|ly)?|actual(?:ly)?|should|rather|wait|no,|"
    r"revised|better|true|real(?:ly)?|not)\b",
    re.I,
)
"""A bracket that offers or makes another answer is no remark."""
_ELSEWHERE = re.compile(
    r"\b(?:whereas|while|although|though|without|neglecting|ignoring|using only|otherwise|instead)\b", re.I
)
"""What leads to another result is not what led to this one."""
_HEADED = re.compile(r"[A-Za-z)\]°‡'][ ]?=[ ]?$")
_ENDS = re.compile(r"\s?(?:[)\]]|(?:,|or|=|≈|and)\s)")
_CHANGE_BEFORE = re.compile(
    r"(?:Δ[A-Za-z_]*|\b(?:depress(?:ion|ed|es)|elevat(?:ion|ed|es)|rises?|rose|falls?|fell|drops?|dropped|increases?d?|decreases?d?|"
    r"changes?d?|difference|warm(?:s|ed|ing)|cool(?:s|ed|ing)|lowering|raised|lowered)\b)"
    r"(?:[^.;,\n]|\.(?=\d)){0,30}$",
    re.I,
)
_CHANGE_AFTER = re.compile(
    r"\s?(?:higher|lower|above|below|depression|elevation|rise|drop|increase|decrease)\b", re.I
)

Fits = Callable[[Stated], bool]


def ranked(
    text: Text, found: Sequence[Candidate[Stated]], fits: Fits, asked: Sequence[str] = ()
) -> list[Candidate[Stated]]:
    """The candidates, those that only lead to a result or stand beside one set aside.

    Parts of a count that are not ``asked`` for themselves are doubted.
    """
    ordered = sorted((_doubted(text.plain, item) for item in found), key=lambda item: item.plain)
    if len(ordered) < 2:
        return ordered
    places = _Places(text.plain, ordered, [fits(item.value) for item in ordered])
    places.set_remarks_aside()
    places.set_parts_aside()
    places.set_summed_aside()
    places.set_aside(leading_to_symbols(text.plain, [item.plain for item in ordered]))
    places.set_givens_aside()
    unasked = [
        index in places.parts and not _names(text.plain, item, asked) for index, item in enumerate(ordered)
    ]
    return [
        replace(item, aside=low, doubt=item.doubt or ("counts a part" if part else ""))
        for item, low, part in zip(ordered, places.aside, unasked, strict=True)
    ]


def _names(plain: str, item: Candidate[Stated], asked: Sequence[str]) -> bool:
    """Whether what a value counts is asked for, or nothing is."""
    noun = plain[item.plain[1] : item.plain[1] + _NOUN].casefold()
    return not asked or any(label.casefold().removesuffix("s") in noun for label in asked)


def _doubted(plain: str, item: Candidate[Stated]) -> Candidate[Stated]:
    """Doubt what is stated for the reverse of the process, and what is asked and denied."""
    if item.doubt:
        return item
    if _REVERSED.match(plain, item.plain[1]):
        return replace(item, doubt="is stated for the reverse")
    return replace(item, doubt="asked and denied") if _ASKED_DENIED.match(plain, item.plain[1]) else item


def _before(plain: str, at: int) -> str:
    return plain[max(0, at - _REACH) : at]


_CUES: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    (("versus", "compared", "relative to", "as against", "in contrast", "vs", "short of"), _COMPARED),
    (("reverse", "opposite", "backward"), _REVERSE_BEFORE),
    (("than", "below", "above", "under", "exceed", "close", "near", "with", "from"), _REFERENCE),
    (("typical", "usual", "literature", "lit.", "textbook", "tabulated"), _BACKGROUND),
    (("would",), _UNREAL),
    ((" by ",), _INCREMENT),
    (("because", "since", " as ", "due to", "owing to"), _REASON),
    (("=",), _CIRCUMSTANCE),
    (("",), _GIVEN_BEFORE),
)
"""Patterns for what stands before a value, each with words of which it needs one."""


def _cues(plain: str) -> tuple[re.Pattern[str], ...]:
    """The patterns that can match anywhere in a text at all."""
    folded = plain.lower()
    return tuple(pattern for words, pattern in _CUES if any(word in folded for word in words))


def _is_beside(plain: str, item: Candidate[Stated], cues: tuple[re.Pattern[str], ...]) -> bool:
    """Whether a value is given, compared with, an increment, or of a case that isn't real."""
    before = _before(plain, item.plain[0])
    return _GIVEN_AFTER.match(plain, item.plain[1]) is not None or any(
        pattern.search(before) for pattern in cues
    )


def _open_bracket(plain: str, low: int, at: int) -> int | None:
    """The bracket that is open at a position, if there is one."""
    depth = 0
    for index in range(at - 1, max(low, at - 300) - 1, -1):
        if plain[index] == ")":
            depth += 1
        elif plain[index] == "(":
            if not depth:
                return index
            depth -= 1
    return None


class _Places:
    """The candidates of a text in order, and which of them are set aside."""

    def __init__(self, plain: str, ordered: Sequence[Candidate[Stated]], fitting: Sequence[bool]) -> None:
        self.plain = plain
        self.ordered = ordered
        self.fitting = fitting
        self.sentences = sentences(plain)
        cues = _cues(plain)
        self.parts: set[int] = set()
        self.aside = [item.aside or _is_beside(plain, item, cues) for item in ordered]

    def set_aside(self, indices: Iterable[int]) -> None:
        """Set some candidates aside."""
        for index in indices:
            self.aside[index] = True

    def set_remarks_aside(self) -> None:
        """Set aside what a bracket says beside a value of its sentence, unless it says the value again."""
        outer: list[int] = []
        ends: list[int] = []
        after = self._next_outside()
        for index, item in enumerate(self.ordered):
            low, _ = self.sentences.at(item.plain[0])
            start = item.plain[0]
            bracket = start if self.plain[start] == "(" else _open_bracket(self.plain, low, start)
            count = 0 if bracket is None else bisect_right(ends, bracket)
            if bracket is not None and _REPLACES.match(self.plain, bracket + 1, start):
                bracket = None
            if bracket is not None and not count and after[index]:
                self.aside[index] = True
            elif bracket is not None and count and self.ordered[outer[count - 1]].plain[0] >= low:
                again = not self.plain[ends[count - 1] : bracket].strip()
                only = _RESTATES.match(self.plain[bracket + 1 : start])
                closed = bracket == start or _ENDS.match(self.plain, item.plain[1])
                if not (again and only and closed):
                    self.aside[index] = True
            if self.fitting[index] and (bracket is None or not self.aside[index]):
                outer.append(index)
                ends.append(max(item.plain[1], ends[-1] if ends else 0))

    def _next_outside(self) -> list[bool]:
        """Of every candidate, whether one that fits follows it in its sentence outside of brackets."""
        following = [False] * len(self.ordered)
        start = -1
        for index in range(len(self.ordered) - 1, -1, -1):
            item = self.ordered[index]
            low, high = self.sentences.at(item.plain[0])
            following[index] = low <= start < high
            bracketed = (
                self.plain[item.plain[0]] == "(" or _open_bracket(self.plain, low, item.plain[0]) is not None
            )
            if self.fitting[index] and not self.aside[index] and not bracketed:
                start = item.plain[0]
        return following

    def set_parts_aside(self) -> None:
        """Set aside what a list after a count names: "3 stereoisomers: a pair and one meso form"."""
        high = 0
        for index, item in enumerate(self.ordered):
            if item.plain[0] < high:
                self.aside[index] = self.aside[index] or self.fitting[index]
                self.parts.add(index)
            elif self.fitting[index] and not self.aside[index]:
                high = self._end_of_parts(index)

    def _end_of_parts(self, index: int) -> int:
        """Where a list of parts ends that a colon opens after a count; 0 if there is none."""
        item = self.ordered[index]
        noun = _COUNTED.match(self.plain, item.plain[1])
        opened = _COLON.match(self.plain, item.plain[1]) or _NAMELY.match(self.plain, item.plain[1])
        if not (noun or opened):
            return 0
        end = self.sentences.at(item.plain[0])[1]
        concluded = _CONCLUDES.search(self.plain, item.plain[1], end)
        high = concluded.start() if concluded else end
        return high if noun or (opened and self._adds_up(index, opened.end(), high)) else 0

    def set_summed_aside(self) -> None:
        """Set aside the parts that a total sums up: "3 alkenes and 2 cycloalkanes, i.e. 5"."""
        for index, item in enumerate(self.ordered):
            if not self.fitting[index] or not _SUMS_UP.search(_before(self.plain, item.plain[0])):
                continue
            low = self.sentences.at(item.plain[0])[0]
            parts = [at for at in range(max(0, index - 8), index) if self.ordered[at].plain[0] >= low]
            total = sum(self.ordered[at].value.value for at in parts if self.fitting[at])
            headed = any(_HEADED.search(_before(self.plain, self.ordered[at].plain[0])[-6:]) for at in parts)
            if len(parts) > 1 and total == item.value.value and not headed:
                self.set_aside(parts)

    def _adds_up(self, index: int, low: int, high: int) -> bool:
        """Whether the values up to a position make up the one before them."""
        parts = [1.0 for _ in _SINGLE.finditer(self.plain[low:high])]
        for later in range(index + 1, min(index + 12, len(self.ordered))):
            if self.ordered[later].plain[0] >= high:
                break
            parts += [self.ordered[later].value.value] if self.fitting[later] else []
        return len(parts) > 1 and sum(parts) == self.ordered[index].value.value

    def set_givens_aside(self) -> None:
        """Set aside what leads to a result in its sentence, or to a total."""
        done = settled = 0
        for index, item in enumerate(self.ordered):
            if self.aside[index] or not self.fitting[index]:
                continue
            before = _before(self.plain, item.lead)
            total = _TOTAL_BEFORE.search(before) or _TOTAL_AFTER.match(self.plain, item.plain[1])
            if not total and not _LEADS_TO.search(before):
                continue
            low = 0 if total else self.sentences.at(item.plain[0])[0]
            if not total and _ELSEWHERE.search(self.plain, max(low, item.lead - _FAR), item.lead):
                continue
            for other in range(index - 1, (done if total else max(done, settled)) - 1, -1):
                source = self.ordered[other]
                if source.plain[0] < low:
                    break
                if not total or not _HEADED.search(_before(self.plain, source.plain[0])[-6:]):
                    self.aside[other] = self.aside[other] or self.fitting[other]
            done, settled = (index if total else done), index


def is_change(text: Text, item: Candidate[Stated]) -> bool:
    """Whether a value is stated as a change of something, not as what it becomes."""
    before = re.split(r"[;\n]|\.\s|,\s|\b(?:so|thus|hence|to)\s", _before(text.plain, item.plain[0]))[-1]
    after = _CHANGE_AFTER.match(text.plain, item.plain[1])
    return _CHANGE_BEFORE.search(before) is not None or after is not None
