"""Which of the numbers in an answer are stated as values.

Operands of a calculation, arguments, locants, list numbers and labels are
not; of a chain of equalities the last value that fits is. A range, a bound
and an order of magnitude are stated, but are no values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from grader.answer.binding import Binder
from grader.answer.candidates import Candidate, candidate
from grader.answer.notation import Text
from grader.formal.values.apart import Tables, axis, member
from grader.formal.values.arithmetic import Term, read_terms
from grader.formal.values.times import compound_times
from grader.formal.values.units import Unit, conversion, pint_unit, read_unit
from grader.formal.values.worded import counts, fractions

Form = Literal["value", "range", "bound", "magnitude", "calculation"]


@dataclass(frozen=True, slots=True)
class Stated:
    """A value as an answer states it."""

    value: float
    unit: Unit | None
    written_unit: str
    figures: tuple[int, int] | None
    """The least and greatest count of significant figures; None for a calculated value."""
    other: float | None = None
    """A second reading of the number."""
    form: Form = "value"
    tied: bool = False
    """It follows an equals sign, a colon or a copula."""
    unread: str = ""
    """A unit that can't be read."""
    logarithm: bool = False
    """It is stated for a pX, a log or an ln."""


_DOUBTS: dict[Form, str] = {
    "value": "",
    "range": "a range is not a value",
    "bound": "a bound is not a value",
    "magnitude": "an order of magnitude is not a value",
    "calculation": "a calculation without its result",
}
_BOUND_BEFORE = re.compile(
    r"(?:[<≤≥≪≫]|(?<![-=])>|\b(?:less|more|greater|larger|smaller|higher|lower|fewer|better|other) than(?: "
    r"or equal to)?|"
    r"\b(?:at least|at most|up to|below|above|under|over|exceeds?|exceeding|beyond|minimum of|maximum of|not "
    r"exceed|"
    r"upper limit of|lower limit of|no more than|no less than))\s?(?:about |roughly |approximately |~\s?|"
    r"≈\s?)?$",
    re.I,
)
_MAGNITUDE_BEFORE = re.compile(
    r"\b(?:orders? of magnitude(?: of)?|(?:of|on|in) the order(?: of)?|magnitude of|in the (?:range|"
    r"region|realm) of|"
    r"some(?:where|thing) (?:around|near|about|like))\s?(?:about |roughly |~\s?)?$",
    re.I,
)
_MAGNITUDE_AFTER = re.compile(r"\s?(?:or so\b|\(?order of magnitude|ish\b|-ish\b)", re.I)
_BOUND_AFTER = re.compile(
    r"\s?(?:or (?:more|less|higher|lower|above|below|greater|fewer|larger)\b"
    r"|(?:[A-Za-z-]+\s){0,3}?at (?:most|least)\b)",
    re.I,
)
_RANGE_LINK = re.compile(r"\s?(?:to|-|~|\.\.\.?|through|and)\s?(?:about\s)?")
_LIST_LINK = re.compile(r"[ ]?(?:,[ ]|(?:,[ ])?(?:and|to|-)[ ])")
_BETWEEN = re.compile(
    r"\b(?:between|from|range|ranging|anywhere|somewhere|perhaps|within)\b[^.;\n]{0,30}$", re.I
)
_ASIDE = re.compile(
    r"(?:\b(?:at|from|using|with|for|in|after|when|per|over|under|within|since|given|out of|of the|during|"
    r"until|vs\.?|"
    r"between|because|step|via|by adding|adding|contains?|containing|until)|(?:^|[.;,\n][ ]?)\W{0,"
    r"3}if\b(?:(?!then\b)[^,;.]){0,60})"
    r"\s?(?:the |a |an |its |about |t = |each |all )?[(\[]?$",
    re.I,
)
_FOUND_AT = re.compile(
    r"\b(?:appear|found|occur|lie|observ|peak|seen|absorb|melt|boil|fr[eo]e?z|locat|cent|resonat|come|coming|band|"
    r"signal|stands?|arriv)[a-z]*\s(?:in|from|at)\s(?:about |around |near |approximately |~\s?)?$",
    re.I,
)
"""What is found at a value has that value."""
_COUNTER = re.compile(
    r"\b(?:step|steps|eqs?\.?|equations?|figs?\.?|figures?|tables?|parts?|questions?|problems?|points?|"
    r"sections?|rows?|columns?|"
    r"lines?|pages?|method|case|run|experiment|trial|option|entry|ref\.?|chapter|rule|group|period|no\.|"
    r"(?<!coordination )(?<!oxidation )(?<!quantum )(?<!atomic )(?<!mass )(?<!steric )number|example|"
    r"scheme|compound|peak|band|carbon|position|stage)\s?[#(]?$",
    re.I,
)
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]{0,6}\(?$")
_LIST_AFTER = re.compile(r"[.)]\s{1,8}\S")
_AFTER_OPERAND = re.compile(
    r"[ ]?[*×/^√]|![ ]?[=*×/]|[ ]?·[ ]?\S|[ ]x[ ]|[ ][-+][ ]?(?=[A-Za-zΑ-ω(\[0-9])|[A-Za-z_\\'°]|-[A-Za-z]|"
    r"[ ]?:[ ]?[0-9]|"
    r"[-+](?![A-Za-z0-9])|\+|[ ]?(?:-?fold\b|times\b)|[ ](?:minus|plus|divided by|multiplied by)\b|"
    r"[ ][Α-Ωα-ω](?![ -][a-z]{3})|[(\[]|\.[0-9]|,[0-9]+-"
)
_BEFORE_OPERAND = re.compile(
    r"(?:\b(?:minus|plus|times|divided by|multiplied by)|"
    r"(?<=\S)[ ]?[*×/^·±]|√|\+/-|\bx|(?<=[\w)\]'])[ ]?[-+]|(?<![A-Za-z^])[0-9][ ]?:)[ ]?$"
)
_MULTIPLIED = re.compile(
    r"(?:\b(?:half|twice|double|triple|thrice|third|quarter|tenth|times|-?fold|fraction)|%)\s(?:of\s)?(?:the\s|that\s)?$",
    re.I,
)
_RESTATED = re.compile(r"[ ]?(?:[(\[][ ]?)?(?:,[ ])?(?:(?:i\.e\.,?|that is,?|or|=|≈|about|~)[ ]?)?")
_OF_AFTER = re.compile(r"\s?out of\s")
_ARGUMENT = re.compile(r"[A-Za-z0-9°'_\])][(\[]$")
_FORMULA = re.compile(
    r"[ ]?(?=e\^-|[A-Z(\[][A-Za-z0-9]*[A-Z0-9(+^a-z])(?:[A-Z][a-z]?|[0-9()\[\]]|\^[0-9]?[+-]|e\^-){1,24}"
    r"(?:\((?:aq|s|l|g)\))?(?![a-z])"
)
_EQUATION_SIGN = re.compile(r"[ ]?(?:\+[ ]|->|<=>)")
_AFTER_SIGN = re.compile(r"(?:[ ]\+|->|<=>)[ ]?$")
_EQUALS = re.compile(
    r"\s{0,3}(?:=|≈|\bor\b|\bi\.e\.,?)\s{0,3}(?:(?:≈|~|about|approximately|approx\.)\s{0,2})?"
)
_ONLY_EQUALS = re.compile(r"\s{0,24}[=≈](?![>=])\s{0,3}(?:(?:≈|~|about|approximately|approx\.)\s{0,2})?")
_TIMES = {
    "half": 0.5, "third": 1 / 3, "quarter": 0.25, "tenth": 0.1, "twice": 2.0, "double": 2.0, "triple": 3.0,
}  # fmt: skip
_SCALED = re.compile(
    r"\b(?:(?P<direct>half|twice|double|triple)(?: of)?|(?:a|one)[ -](?P<part>half|third|quarter|tenth) of)"
    r" (?:the |that )?$",
    re.I,
)
_ZERO = re.compile(r"(?<![A-Za-z-])(?:zero|nil)(?![A-Za-z-])", re.I)
_LOGARITHM = re.compile(r"(?:^|[\s(])(?:-?\s?(?:ln|log|lg)|p(?=[A-Z([]))")
_LABEL_UNIT = re.compile(r"[(\[](?:in[ ])?(?=[A-Za-zμΩ%°])|,[ ]in[ ](?=[A-Za-zμΩ%°])")
_LABEL_UNIT_END = re.compile(r"[)\],]?[ ]?(?:is|=|:|≈|was|equals)[ ]?")
_TIED = re.compile(
    r"(?:[:=≈]|\b(?:is|are|was|equals?|of|by|to|gives?|get|obtain))\s{0,2}"
    r"(?:about |roughly |approximately |around |~\s?|≈\s?)?[(\[]?$",
    re.I,
)
_UNREAD = re.compile(
    r"[ ]?([A-Za-zμΩ]{1,14}(?:(?:[/·]|\^-?[1-3]|[ ]per[ ])[A-Za-z0-9^·/-]*)+|[A-Za-z]{4,14})(?![A-Za-z])"
)
_SLIP = 0.05
"""How far, relatively, the same value in two units may differ by rounding."""
_REACH = 48


def statements(text: Text, binder: Binder, fits: Callable[[Stated], bool]) -> list[Candidate[Stated]]:
    """The values an answer states, as candidates in order."""
    whole = compound_times(text.plain, list(read_terms(text.plain)))
    read = _with_units_apart(text.plain, _shared_units(text.plain, whole))
    terms = [term for term in read if not binder.is_label(term.start, _number_end(term))]
    found: list[Candidate[Stated]] = []
    ranges = list(_ranges(text.plain, terms))
    covered = {id(term) for pair in ranges for term in pair}
    for chain in _chains(text.plain, [term for term in terms if id(term) not in covered]):
        found.extend(_of_chain(text, chain, fits, found))
    for first, last in ranges:
        form = replace(_stated(text, last, "range"), value=first.value)
        found.append(candidate(text, form, first.start, last.end, doubt=_DOUBTS["range"]))
    for match in _ZERO.finditer(text.plain):
        found.append(candidate(text, Stated(0.0, None, "", None), *match.span()))
    found.extend(_worded(text))
    return [solved for item in found if (solved := _solved(item, binder))]


def _solved(item: Candidate[Stated], binder: Binder) -> Candidate[Stated] | None:
    """The candidate with the value of the symbol itself: ``1/K = 1.5``."""
    done = binder.bind(item.lead, item.plain[1]).operation
    if done is None or item.value.value == 0:
        return item
    value, unit = done.solved(item.value.value), item.value.unit
    factors = [(name, power / done.power) for name, power in unit.factors] if unit else []
    if value is None or not all(power.is_integer() for _, power in factors):
        return None
    if unit and done.power != 1:
        unit = replace(unit, factors=tuple((name, int(power)) for name, power in factors), alternatives=())
    other = item.value.other and done.solved(item.value.other)
    return replace(item, value=replace(item.value, value=value, unit=unit, other=other))


def _shared_units(plain: str, terms: list[Term]) -> list[Term]:
    """Give the numbers of a list the unit that only its last one carries: ``17.4 and 24.6 cm-1``."""
    for index in range(len(terms) - 2, -1, -1):
        term, after = terms[index], terms[index + 1]
        listed = _LIST_LINK.fullmatch(plain, term.end, after.start)
        if listed and term.unit is None and term.number and after.unit and after.number:
            terms[index] = replace(term, unit=after.unit)
    return terms


def _worded(text: Text) -> Iterator[Candidate[Stated]]:
    """Numbers in words: "half a mole", "thirty-six percent"."""
    for item in (*fractions(text.plain), *counts(text.plain)):
        written = "" if item.unit is None else text.quote(item.unit.start, item.unit.end)
        yield candidate(text, Stated(item.value, item.unit, written, None), item.start, item.end)


def _with_units_apart(plain: str, terms: list[Term]) -> list[Term]:
    """Give bare numbers the unit of their heading, key or axis."""
    tables = Tables.of(plain)
    for index, term in enumerate(terms):
        if term.unit is not None or term.number is None:
            continue
        said = tables.above(term.start) or member(plain, term.start) or axis(plain, term.start)
        if said is not None:
            terms[index] = replace(
                term, unit=said.unit, value=term.value * said.factor, unread=said.unread, scale=said.factor
            )
    return terms


def _number_end(term: Term) -> int:
    return term.number.end if term.number else term.start + 1


def _ranges(plain: str, terms: Sequence[Term]) -> Iterator[tuple[Term, Term]]:
    """Pairs of terms that are the ends of a range."""
    for first, last in pairwise(terms):
        link = plain[first.end : last.start]
        if len(link) > 12 or not _RANGE_LINK.fullmatch(link):
            continue
        word = link.strip().split(" ")[0]
        if word == "and" and not _BETWEEN.search(plain, max(0, first.start - _REACH), first.start):
            continue
        increment = word == "to" and plain.endswith("by ", 0, first.start)
        if increment:
            continue
        if not _operand(plain, first) and not _COUNTER.search(plain, max(0, first.start - 20), first.start):
            yield first, last


def _chains(plain: str, terms: Sequence[Term]) -> Iterator[list[Term]]:
    """Runs of terms joined by equals signs."""
    chain: list[Term] = []
    for term in terms:
        if chain and _ONLY_EQUALS.fullmatch(plain, chain[-1].end, term.start):
            chain.append(term)
            continue
        if chain:
            yield chain
        chain = [term]
    if chain:
        yield chain


def _operand(plain: str, term: Term) -> bool:
    """Whether a term is part of something else: a symbolic calculation, a name, a count of steps."""
    start = plain[term.start]
    before = plain[max(0, term.start - _REACH) : term.start]
    if _AFTER_OPERAND.match(plain, term.end) and not (
        term.unit is not None and plain[term.end : term.end + 1] in ("(", "'", "[")
    ):
        return True
    if (
        _BEFORE_OPERAND.search(before)
        or _ARGUMENT.search(before)
        or _COUNTER.search(before)
        or (_MULTIPLIED.search(before) and not _SCALED.search(before))
    ):
        return True
    if start in "+-" and re.search(r"[\w)\]'%]\s$", before) and plain[term.start + 1 : term.start + 2] == " ":
        return True
    if term.number and _is_coefficient(plain, term):
        return True
    listed = _LIST_NUMBER.search(plain, max(0, term.start - 8), term.start) is not None
    return listed and term.unit is None and _LIST_AFTER.match(plain, term.end) is not None


def _is_coefficient(plain: str, term: Term) -> bool:
    """Whether a whole number stands before a formula in a reaction equation."""
    assert term.number is not None
    formula = _FORMULA.match(plain, term.number.end)
    if formula is None or not plain[term.number.start : term.number.end].isdigit():
        return False
    after = _EQUATION_SIGN.match(plain, formula.end()) is not None
    return after or _AFTER_SIGN.search(plain, max(0, term.start - 5), term.number.start) is not None


def _of_chain(
    text: Text, chain: list[Term], fits: Callable[[Stated], bool], earlier: list[Candidate[Stated]]
) -> Iterator[Candidate[Stated]]:
    """The one value a chain of equalities states, if it states any."""
    plain = text.plain
    last = chain[-1]
    usable = [
        term
        for term in chain
        if not term.mixed
        and (term is last or term.number is not None)
        and (_is_named_after(plain, term) or not _operand(plain, term))
    ]
    if not usable:
        return
    stated = [(term, _stated(text, term, _form(plain, term))) for term in usable]
    term, value = next(((t, s) for t, s in reversed(stated) if fits(s)), stated[-1])
    if len(chain) == 1 and (scaled := _SCALED.search(plain, max(0, term.start - 24), term.start)):
        factor = _TIMES[(scaled["direct"] or scaled["part"]).lower()]
        value = replace(value, value=value.value * factor, figures=None, other=None)
    lead = term.start
    before = plain[max(0, term.start - _REACH) : term.start]
    if len(chain) > 1 and chain[0].sum and (source := _continued(chain[0], earlier)):
        earlier.pop()
        lead = source.lead
    elif len(chain) == 1 and earlier and _restates(plain, earlier[-1], term):
        lead = earlier[-1].lead
    circumstance = _ASIDE.search(before) is not None and _FOUND_AT.search(before) is None
    aside = len(chain) == 1 and (circumstance or _OF_AFTER.match(plain, term.end) is not None)
    doubt = _DOUBTS[value.form] or _mismatch([part for part, _ in stated])
    yield candidate(text, value, term.start, term.end, lead=lead, aside=aside, doubt=doubt)


def _mismatch(terms: Sequence[Term]) -> str:
    """Why a chain that says a value twice in units of one kind is not firm."""
    said = [term for term in terms if term.unit is not None and term.number is not None]
    for one, two in pairwise(said):
        assert one.unit is not None
        assert two.unit is not None
        known = conversion(one.unit.factors, pint_unit(two.unit.factors), difference=False)
        if known is None or one.unit.factors == two.unit.factors:
            continue
        if abs(one.value * known[0] + known[1] - two.value) > _SLIP * abs(two.value):
            return "the sides of its equation differ"
    return ""


def _restates(plain: str, source: Candidate[Stated], term: Term) -> bool:
    """Whether a term says the value before it again: ``1.92 mg/L (1.34e-5 mol/L)``, ``..., i.e. 53.7 %``."""
    gap = plain[source.plain[1] : term.start]
    opens = plain[term.start] in "([" or bool(gap.strip())
    return opens and len(gap) < 12 and gap.strip() != "," and _RESTATED.fullmatch(gap) is not None


def _is_named_after(plain: str, term: Term) -> bool:
    """Whether an equals sign follows: ``21 882 cm-1 = Δo``."""
    return _ONLY_EQUALS.match(plain, term.end) is not None


def _continued(first: Term, earlier: list[Candidate[Stated]]) -> Candidate[Stated] | None:
    """The value that a sum takes up and corrects: ``0.511 V vs SHE; against SCE 0.511 - 0.241 = ...``."""
    if not earlier or not first.first:
        return None
    source = earlier[-1]
    near = first.start - source.plain[1] < 80
    return source if near and source.quote.lstrip("+").startswith(first.first.lstrip("+")) else None


def is_bound(plain: str, start: int, end: int) -> bool:
    """Whether the value at a span is only a bound: "at most 4", "4 isomers at most"."""
    before = plain[max(0, start - _REACH) : start]
    return _BOUND_BEFORE.search(before) is not None or _BOUND_AFTER.match(plain, end) is not None


def _form(plain: str, term: Term) -> Form:
    """Whether a term is a value, a bound, an order of magnitude or an unfinished calculation."""
    before = plain[max(0, term.start - _REACH) : term.start]
    if is_bound(plain, term.start, term.end):
        return "bound"
    if _MAGNITUDE_BEFORE.search(before) or _MAGNITUDE_AFTER.match(plain, term.end):
        return "magnitude"
    return "calculation" if term.sum else "value"


def _unit_before(plain: str, term: Term) -> Unit | None:
    """The unit that stands with the label: ``Ea (in kJ/mol) is 52.4``."""
    for match in _LABEL_UNIT.finditer(plain, max(0, term.start - _REACH), term.start):
        unit = read_unit(plain, match.end())
        if unit and _LABEL_UNIT_END.fullmatch(plain, unit.end, term.start):
            return unit
    return None


def _unread(plain: str, term: Term, unit: Unit | None) -> str:
    """What stands behind a bare number like a unit, but can't be read."""
    match = _UNREAD.match(plain, term.end) if unit is None else None
    return match[1] if match else ""


def _stated(text: Text, term: Term, form: Form) -> Stated:
    plain = text.plain
    line = plain[max(0, term.start - _REACH) : term.start]
    unit = term.unit or _unit_before(plain, term)
    head = re.split(r"[,;.\n]|\b(?:so|thus|and|hence|i\.e)\b", line)[-1]
    number = term.number
    negative = plain[term.start] == "-"
    return Stated(
        value=term.value,
        unit=unit,
        written_unit="" if unit is None else text.quote(unit.start, unit.end),
        figures=number.figures if number else None,
        other=None
        if number is None or number.other is None
        else (-number.other if negative else number.other) * term.scale,
        form=form,
        tied=_TIED.search(line) is not None,
        unread=term.unread or _unread(plain, term, unit),
        logarithm=bool(_LOGARITHM.search(head)),
    )
