"""The quantities and counts that a rubric's text states as its answer."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grader.answer.candidates import Candidate, Reading
from grader.answer.notation import Text, normalise
from grader.answer.number_words import SMALL
from grader.formal.quoted.line import Line
from grader.formal.quoted.tolerance import Tolerance, tolerance
from grader.formal.values.arithmetic import TooMany
from grader.formal.values.results import ranked
from grader.formal.values.statements import Stated, statements
from grader.formal.values.target import half_last_digit
from grader.formal.values.units import Unit, expected_unit, pint_unit, read_unit
from grader.problem.checks import CheckModel, IntegerCheck, QuantityCheck

_COUNT = re.compile(rf"(?P<count>{'|'.join(SMALL[1:])})\s(?P<what>[a-z-]+(?:\s[a-z-]+){{0,2}})", re.I)
_SYMBOL = re.compile(
    r"[^\W\d][\w°‡^(),'./+-]{0,15}(?:\([^()]{1,16}\))?|\[[\w()^+-]{1,14}\](?:_\w{1,6})?"
    r"|[A-Za-z][A-Za-z' -]{2,40}"
)
_TOLD = re.compile(r"(?:\b(?:is|are|was|equals?|by)\s(?:about\s)?|:\s?)[$\\( ]{0,4}$")
_BRACKET = re.compile(r"\([^()]*\)")
_AFTER_INDEX = re.compile(r"(_\w+) ")
_ARTICLE = re.compile(r"^(?:the|its|a|an|that|therefore|thus|hence|so|and|giving|gives)\s+", re.I)
_NAMING = re.compile(
    r"(?:(?:and|so|then|therefore|thus|the|its|an?)\s)*(?P<name>.{1,40}?)\s?(?P<tie>:|\bis|\bequals|=)?", re.I
)
_VAGUE = re.compile(r"(?:about|roughly|approximately|around|only|exactly|nearly|ca\.?)", re.I)
_WORDS_MOST = 8
"""In a longer text a number behind words isn't the value of what they name."""
_OPERATED = re.compile(
    r"^(?:-?\s?(?:ln|lg|log)(?![a-z])|1/|-)|[*×]|/(?!2$)|\^\d(?![+-])|\d\s?[A-Za-z]|\s[+-]\s"
)
_ARGUMENT = re.compile(r"(?<=\w)\([^()]*\)$")
"""What a symbol is the value at: k_obs(0.010 M)."""
_CONCENTRATION = re.compile(r".{0,40}\s(?P<symbol>\[[\w()^+-]{1,14}\])")
_GIVEN = re.compile(
    r"\b(?:with|where|using|given|if|when|at|taking|assuming|for|since|because|from|than)\s(?:the\s)?$", re.I
)
_LABELS = re.compile(r"\s?[:)](?=\s|$)")
"""A number is the label of what follows."""
_LOGARITHMIC = re.compile(r"p(?:[A-Z]|_)")
_CHANGE = re.compile(
    r"\b(?:differ\w*|chang\w*|rises?|drops?|falls?|higher|lower|increas\w*|decreas\w*)\b|Δ", re.I
)
_MARK = re.compile(r"(?<=\S)\s[(\[]\s?\d{1,2}(?:[.,]\d)?\s?[)\]](?=\s|[.,;]|$)")
"""A mark without the word: "(2)"."""
_ONLY_MARK = re.compile(r"\s*[(\[]\s?\d{1,2}\s?[)\]]\W*")
_GOES_ON = re.compile(r"\s?=")
"""A number before an equals sign is a side of an equation that goes on."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number the text states: the check for it, where it stands, whether a name goes with it."""

    check: CheckModel
    start: int
    end: int
    named: bool
    open: bool
    """The text accepts more than it quotes."""
    told: tuple[int, int] | None = None
    """Where the text says how far an answer may be off."""


def numbers(line: Line, hidden: tuple[tuple[int, int], ...]) -> list[Number]:
    """The numbers the body of a line states as answers; ``hidden`` stretches are quoted otherwise."""
    text = normalise(_shown(line.body, hidden))
    reading = Reading(text)
    try:
        stated = ranked(text, statements(text, reading.binder, _fits), _fits)
    except TooMany:
        return []
    firm = sum(not item.doubt and not item.aside for item in stated)
    placed = [reading.placed(item) for item in stated]
    found = [(item, one) for item in placed if (one := _number(line, text, item, firm == 1))]
    unnamed = [one for _, one in found if not one.named]
    if len(unnamed) > 1:
        found = [(item, one) for item, one in found if one.named]  # an answer could not tell them apart
    proposed = {item.start for item, _ in found}
    loose = [item for item in placed if item.start not in proposed]
    numbers = [replace(one, open=one.open or _rivalled(item, one, loose)) for item, one in found]
    return numbers or list(_counted(line))


def _shown(body: str, hidden: tuple[tuple[int, int], ...]) -> str:
    """The body with blanks for what is quoted otherwise and for marks."""
    if _ONLY_MARK.fullmatch(body):
        return ""
    shown = list(body)
    for start, end in (*hidden, *(mark.span() for mark in _MARK.finditer(body))):
        shown[start:end] = " " * (end - start)
    return "".join(shown)


def _rivalled(item: Candidate[Stated], one: Number, loose: Sequence[Candidate[Stated]]) -> bool:
    """Whether the text goes on to state another value of the same unit, which may be right as well."""
    unit = item.value.unit
    low, high = one.told or (0, 0)
    return any(
        other.start >= one.end
        and not low <= other.start < high
        and other.value.value != item.value.value
        and (other.value.unit.factors if other.value.unit else None) == (unit.factors if unit else None)
        for other in loose
    )


def _fits(stated: Stated) -> bool:
    return stated.form == "value"


def _number(line: Line, text: Text, item: Candidate[Stated], only: bool) -> Number | None:
    stated = item.value
    if item.aside or item.doubt or stated.unread or not _fits(stated):
        return None
    if stated.unit is not None and stated.unit.start < item.plain[0]:
        return None  # a unit that stands with the symbol can be a symbol itself
    if line.refused(item.start, item.end) or _LABELS.match(line.body, item.end):
        return None
    if _GOES_ON.match(text.plain, item.plain[1]) or text.plain[: item.plain[0]].endswith("/"):
        return None
    name = _name(line, text, item)
    if name is None or (not name and not (only and _alone(line, item))):
        return None
    if stated.logarithm and not _LOGARITHMIC.match(name):
        return None
    end = _closed(line.body, item.start, item.end)
    told = tolerance(line.text, item.start, end, stated.value, stated.unit)
    check = _integer(text, item, name) or _quantity(text, item, name, told)
    if check is None:
        return None
    beside = told.span if told and isinstance(check, QuantityCheck) else None
    return Number(check, item.start, end, bool(name), line.open(beside), beside)


def _closed(body: str, start: int, end: int) -> int:
    """The end of a stretch with the braces it opened."""
    while body[end : end + 1] == "}" and body.count("{", start, end) > body.count("}", start, end):
        end += 1
    return end


def _name(line: Line, text: Text, item: Candidate[Stated]) -> str | None:
    """The symbol or name the number is stated for, empty without one; None where it isn't its value."""
    if item.head:
        name = _spelled(item.head.strip(' *$"\\,:'))
        before = text.plain[: item.lead].rpartition(item.head)[0]
        bare = _ARGUMENT.sub("", name)
        fine = _is_name(name) and not _OPERATED.search(bare) and not _GIVEN.search(before)
        return name if fine else None
    low, _ = line.clause(item.start)
    before = re.split(r"[,;]\s", line.body[low : item.start])[-1]
    found = _NAMING.fullmatch(before.strip(" $\\([*'\""))
    if found is None or _VAGUE.fullmatch(found["name"]) or not _is_name(found["name"]):
        return ""
    return found["name"] if found["tie"] or len(line.body.split()) <= _WORDS_MOST else ""


def _spelled(head: str) -> str:
    """The left side of an equation as the symbol that an answer may write."""
    if found := _CONCENTRATION.fullmatch(head):
        return found["symbol"]
    return _AFTER_INDEX.sub(r"\1", _ARTICLE.sub("", head))


def _is_name(text: str) -> bool:
    unit = read_unit(text, 0) if len(text) > 1 else None
    balanced = text.count("(") == text.count(")")
    return (
        (unit is None or unit.end < len(text))
        and balanced
        and _SYMBOL.fullmatch(text) is not None
        and len(text.split()) < 4
    )


def _alone(line: Line, item: Candidate[Stated]) -> bool:
    """Whether a number without a name is what the text is there for."""
    rest = _BRACKET.sub("", line.body[: item.start] + line.body[item.end :])
    if item.value.unit is None:
        return len(rest.split()) <= 3
    told = _TOLD.search(line.body, max(0, item.start - 24), item.start) is not None
    return told or len(rest.split()) <= (5 if not line.body[: item.start].strip(" $\\(") else 3)


def _integer(text: Text, item: Candidate[Stated], name: str) -> IntegerCheck | None:
    stated = item.value
    digits = text.plain[slice(*item.plain)].strip()
    if stated.unit is not None or not re.fullmatch(r"[-+]?\d{1,3}", digits) or _LOGARITHMIC.match(name):
        return None
    return IntegerCheck(kind="integer", expected=int(digits), asked=_asked(name))


def _quantity(text: Text, item: Candidate[Stated], name: str, told: Tolerance | None) -> QuantityCheck | None:
    stated = item.value
    unit = _unit(text, stated.unit)
    if not math.isfinite(stated.value) or (unit is None and not name):
        return None
    expected, tolerated = (told.middle, told.half) if told else (stated.value, _as_written(stated))
    change = unit is not None and stated.unit is not None and _is_change(text, stated.unit)
    return QuantityCheck(
        kind="quantity",
        expected=expected,
        unit=unit,
        abs_tol=tolerated,
        quantity_type="difference" if change else "value",
        asked=_asked(name),
    )


def _asked(name: str) -> tuple[str, ...]:
    """The labels of a value: its symbol, and what the symbol is taken at."""
    at = _ARGUMENT.search(name)
    if at and any(sign.isdigit() for sign in at[0]):
        return name[: at.start()], at[0].strip("()")
    return (name,) if name else ()


def _is_change(text: Text, unit: Unit) -> bool:
    thermal = unit.factors in ((("kelvin", 1),), (("degree_Celsius", 1),), (("degree_Fahrenheit", 1),))
    return thermal and _CHANGE.search(text.plain) is not None


def _unit(text: Text, unit: Unit | None) -> str | None:
    """A unit as pint reads it, in the text's own spelling if that can be."""
    if unit is None:
        return None
    written = text.plain[unit.start : unit.end].strip()
    try:
        if expected_unit(written) == pint_unit(unit.factors):
            return written
    except ValueError:
        pass
    return " * ".join(f"({name})**{power}" for name, power in unit.factors)


def _as_written(stated: Stated) -> float | None:
    """Half a unit of the last digit written, at least 1 %, where the check's default would be another.

    The default doesn't know of zeros at the end: 1.9e3 is coarser than 1900, 1.00 finer than 1.
    """
    if stated.figures is None or stated.value == 0:
        return None
    least = 0.01 * abs(stated.value)
    half = 0.5 * 10.0 ** (math.floor(math.log10(abs(stated.value))) - stated.figures[1] + 1)
    written, usual = max(half, least), max(half_last_digit(stated.value), least)
    return None if math.isclose(written, usual) else written


def _counted(line: Line) -> Iterator[Number]:
    """A count in words that is all the body says: "Two unpaired electrons"."""
    found = _COUNT.fullmatch(line.body.strip(" ."))
    if found:
        value = SMALL.index(found["count"].lower())
        start = line.body.index(found["count"])
        check = IntegerCheck(kind="integer", expected=value, asked=(found["what"],))
        yield Number(check, start, start + len(found["count"]), True, line.open())
