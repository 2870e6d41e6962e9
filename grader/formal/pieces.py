"""The values of a kind that an answer states, each decided by itself.

Kinds settle on one value. Whoever asks whether another one stands beside it
looks here: at every value that the answer doesn't deny, take back, or state
for another point.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.answer.answer import Answer
from grader.answer.binding import Binder, Bound
from grader.answer.candidates import Candidate, candidate, raw_candidate, settle
from grader.answer.cover import Cover
from grader.answer.notation import Text, normalise
from grader.formal import outcome, registry
from grader.formal.values.arithmetic import TooMany, read_terms
from grader.formal.values.statements import Stated, statements
from grader.formal.values.target import Target, compare
from grader.formal.values.units import expected_unit
from grader.problem.checks import (
    CheckModel,
    EquationCheck,
    FormulaCheck,
    LabelCheck,
    NameCheck,
    QuantityCheck,
    SequenceCheck,
    SetCheck,
    SmilesCheck,
)
from grader.record import Evidence, Finding, Rejected, Status

MOST = 24
"""So many different values are looked at; in an answer with more none is certain."""
MOST_NUMBERS = 200
"""The same for numbers, which take less time."""

_COUNT = re.compile(
    r"-?\b\d{1,3}\b|\b(?:no|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.I
)
_OPTION = re.compile(r"(?<![A-Za-z0-9])[A-H](?![A-Za-z0-9'’])|(?<=\()[a-h](?=\))")
_VERDICT = re.compile(r"\b(?:yes|no|true|false|correct|incorrect|right|wrong)\b", re.I)
_TOKEN = re.compile(r"[A-Za-z0-9@+\-\[\]()=#/\\%.:*]{2,400}(?<![.:])")
_SPELLED = re.compile(r"[=#\[@]|[A-Za-z\]]\(|^(?:Cl|Br|[BCNOPSFI]){3,}$")
_WORDS = {"integer": _COUNT, "choice": _OPTION, "boolean": _VERDICT}


_DENIED = re.compile(
    r"[`'\")\]*_$]{0,4}\s(?:it\s|that\s)?(?:(?:is|was|are|were|does|did)(?:n't|\snot)|cannot|can't|not)\b"
)
"""What stands behind a value that is denied: "`CCN` it isn't"."""
_DIFFERS = "differs from"
"""How the finding on a quantity says that its number is another, and not its unit."""


class Crowded(Exception):
    """An answer with more values than are looked at."""


def stated_apart(check: CheckModel, answer: Answer, low: int = 0, high: int | None = None) -> list[Finding]:
    """The finding on each value of the check's kind in ``answer.text[low:high]``; offsets from its start.

    Only what could be compared with the expected value is listed. Raises Crowded.
    """
    high = len(answer.text) if high is None else high
    found = (
        _measured(check, answer) if isinstance(check, QuantityCheck) else _decided(check, answer, low, high)
    )
    return [
        one
        for one in list(found)  # all first: what the front end knows of the answer is kept for a few texts
        if (at := one.evidence)
        and low <= at.start
        and at.end <= high
        and comparable(one)
        and not _DENIED.match(answer.text, at.end)
        and not disowned(check, answer, at)
    ]


def _measured(check: QuantityCheck, answer: Answer) -> Iterator[Finding]:
    """The values of the expected dimension; what only rounds the expected one is neither right nor wrong."""
    text = normalise(answer.text)
    target = Target(check, expected_unit(check.unit))
    try:
        stated = statements(text, Binder(text.plain, check.asked, answer.others), lambda one: True)
        further = list(_with_unit(text, Cover(item.plain for item in stated)))
    except TooMany as error:
        raise Crowded from error
    if len(stated) + len(further) > MOST_NUMBERS:
        raise Crowded
    for item in (*stated, *further):
        value = compare(target, item.value).value
        if value is not None and (target.within(value) or not _rounds(target, item.value, value)):
            yield outcome.decided(registry.by("quantity"), target.within(value), item, _DIFFERS, item.quote)


def _with_unit(text: Text, stated: Cover) -> Iterator[Candidate[Stated]]:
    """Numbers with a unit that nothing reads as a statement."""
    for term in read_terms(text.plain):
        if term.unit is not None and term.number is not None and not stated.touches(term.start, term.end):
            written = text.quote(term.unit.start, term.unit.end)
            value = Stated(term.value, term.unit, written, term.number.figures)
            yield candidate(text, value, term.start, term.end)


def _rounds(target: Target, stated: Stated, value: float) -> bool:
    """Whether the expected value, rounded to the digits that are stated, is the stated one: 1.4 for 1.43."""
    if stated.figures is None or stated.value == 0:
        return False
    step = 10.0 ** (math.floor(math.log10(abs(stated.value))) - stated.figures[0] + 1)
    further = compare(target, replace(stated, value=stated.value + step)).value
    return further is not None and abs(target.check.expected - value) <= 0.51 * abs(further - value)


def _decided(check: CheckModel, answer: Answer, low: int, high: int) -> Iterator[Finding]:
    """The values between two places, each decided as if it were the whole answer."""
    bare = check.model_copy(update={"asked": ()})
    known: dict[str, Finding] = {}
    for start, end in _spans(check, answer):
        if start < low or end > high:
            continue
        piece = answer.text[start:end]
        if piece not in known:
            if len(known) == MOST:
                raise Crowded
            known[piece] = shifted(registry.decide(bare, Answer(f"`{piece}`")), -1)
        yield shifted(known[piece], start)


def comparable(finding: Finding) -> bool:
    """Whether a finding decides by a value of the expected dimension, its unit given."""
    measured = _DIFFERS in finding.detail or not finding.by.startswith("formal:quantity")
    return finding.status is Status.MET or (finding.status is Status.NOT_MET and measured)


def shifted(finding: Finding, by: int) -> Finding:
    """A finding on a stretch that starts at ``by``, with offsets of the whole."""
    evidence = finding.evidence and Evidence(
        finding.evidence.quote, finding.evidence.start + by, finding.evidence.end + by
    )
    rejected = tuple(Rejected(one.quote, one.start + by, one.end + by, one.why) for one in finding.rejected)
    return replace(finding, evidence=evidence, rejected=rejected)


def disowned(check: CheckModel, answer: Answer, evidence: Evidence) -> str:
    """Why the answer as a whole doesn't state for this point what it says at a place; empty if it does."""
    text = normalise(answer.text)
    value = raw_candidate(text, None, evidence.start, evidence.end)
    tie = Binder(text.plain, check.asked, answer.others).bind(*value.plain)
    if tie.bound is Bound.OTHER:
        return f"'{evidence.quote}' is stated for {tie.label}"
    settled = settle(text, [value], same=lambda one, two: True)
    return f"'{evidence.quote}' {settled.rejected[-1].why}" if settled.candidate is None else ""


def named(check: CheckModel, answer: Answer, evidence: Evidence) -> bool:
    """Whether the answer states a value under the check's own label."""
    text = normalise(answer.text)
    plain = text.plain_span(evidence.start, evidence.end)
    return Binder(text.plain, check.asked, answer.others).bind(*plain).bound >= Bound.NEAR


def _spans(check: CheckModel, answer: Answer) -> Iterator[tuple[int, int]]:
    """The raw spans that hold a value of the kind, by the reader of the kind or by its words."""
    if isinstance(check, SmilesCheck | FormulaCheck):
        yield from _written(check, answer)
    elif isinstance(check, EquationCheck):
        from grader.formal.equations.reader import find_equations

        found = find_equations(normalise(answer.text), nuclear=check.nuclear)
        yield from ((one.start, one.end) for one in found)
    elif isinstance(check, NameCheck):
        yield from _named(check, answer)
    elif check.kind in ("expression", "electron_configuration", "oxidation_state"):
        yield from _stated(check, answer)
    elif check.kind in ("inchi", "reaction"):
        yield from _noted(check.kind, answer)
    elif isinstance(check, LabelCheck | SetCheck | SequenceCheck):
        yield from _listed(check, answer)
    elif check.kind in _WORDS:
        yield from (match.span() for match in _WORDS[check.kind].finditer(answer.text))


def _stated(check: CheckModel, answer: Answer) -> list[tuple[int, int]]:
    """The expressions, configurations or oxidation states that an answer writes."""
    from grader.formal import electron_configuration, expression, oxidation_state
    from grader.formal.expressions.literals import Unreadable
    from grader.formal.expressions.statements import TooMany as TooManyStatements

    if check.kind == "electron_configuration":
        return electron_configuration.spans(check, answer)
    if check.kind == "oxidation_state":
        return oxidation_state.spans(check, answer)
    try:
        return expression.spans(check, answer)
    except TooManyStatements as error:
        raise Crowded from error
    except Unreadable:
        return []


def _listed(check: LabelCheck | SetCheck | SequenceCheck, answer: Answer) -> list[tuple[int, int]]:
    """The terms, lists or orders that an answer writes."""
    from grader.formal import label, sequence
    from grader.formal import set as sets
    from grader.formal.lists.anchors import TooMany as TooManyItems

    try:
        if isinstance(check, LabelCheck):
            return label.spans(check, answer)
        return sets.spans(check, answer) if isinstance(check, SetCheck) else sequence.spans(check, answer)
    except TooManyItems as error:
        raise Crowded from error


def _noted(kind: str, answer: Answer) -> list[tuple[int, int]]:
    """The InChIs or the reactions that an answer writes."""
    from grader.formal import inchi, reaction
    from grader.formal.reading.smiles_tokens import TooMany as Crowd

    try:
        return list(inchi.spans(answer) if kind == "inchi" else reaction.spans(answer))
    except Crowd as error:
        raise Crowded from error


def _named(check: NameCheck, answer: Answer) -> list[tuple[int, int]]:
    """The names an answer gives."""
    from grader.formal.name import read
    from grader.formal.reading.name_words import TooMany as TooManyNames

    try:
        return [(one.start, one.end) for one in read(check, answer)]
    except TooManyNames as error:
        raise Crowded from error


def _written(check: SmilesCheck | FormulaCheck, answer: Answer) -> list[tuple[int, int]]:
    """The structures or formulas an answer writes."""
    from grader.formal.reading import formula_candidates, formula_tokens, smiles_tokens
    from grader.formal.smiles import read as read_structures

    text = normalise(answer.text)
    try:
        if isinstance(check, FormulaCheck):
            return [(one.start, one.end) for one in formula_candidates.read(text, check, answer)[0]]
        spans = [(one.start, one.end) for one in read_structures(text, check, answer)[0]]
    except (smiles_tokens.TooMany, formula_tokens.TooMany) as error:
        raise Crowded from error
    return [*spans, *_tokens(answer.text, spans)]


def _tokens(raw: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What is spelled like SMILES, and the reader of structures leaves out as a reagent, a part or a word."""
    known = Cover(spans)
    return (
        match.span()
        for match in _TOKEN.finditer(raw)
        if _SPELLED.search(match[0]) and not known.touches(*match.span())
    )
