"""From marks to mends: what people's marks say is wrong about a problem set, as lines for its author.

A mark that gives what code refused can propose a further accepted spelling or
another expected value; each is tried on the answer before it is proposed.
What can't be derived is left for the author to write. Format: docs/review-mends.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from grader.answer.answer import Answer
from grader.archive.entry import StoredFinding
from grader.archive.review_entry import Item, MarkEntry
from grader.archive.review_marks import standing
from grader.archive.standing import of_code
from grader.archive.store import Archive
from grader.formal.task import CheckTask, checkers, findings
from grader.problem.checks import Check, CheckModel
from grader.problem.model import Group, Note, Point, ScoringNode
from grader.record import Finding, Status
from grader.review.subject import Outdated, Subject, Subjects

What = Literal["alias", "expected", "check", "text", "question"]

_CHECK: TypeAdapter[CheckModel] = TypeAdapter(Check)
_NUMBER = re.compile(r"[-+−]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


class _Line(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, validate_by_name=True, serialize_by_alias=True
    )


class Regression(_Line):
    """An answer, and the verdict that the mended check must give it."""

    answer: str
    verdict: Literal["met", "not_met"]


class Mend(_Line):
    """One line of a file of mends."""

    problem_id: str = Field(min_length=1)
    sub_id: str = Field(min_length=1)
    point_id: str = Field(min_length=1)
    point_hash: str = Field(min_length=1)
    """Of the point that was marked: once the point is another, the line is stale."""
    what: What
    """A further accepted spelling, the expected value, the whole check, the point's text, the question."""
    from_: Any = Field(default=None, alias="from")
    """What stands there now."""
    to: Any = None
    """What is to stand there; null: for the author to write."""
    item: int
    """Of the queue: the last in which the answer was marked."""
    reviewers: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    case: Regression | None = None


def check_with(check: CheckModel, **changes: Any) -> CheckModel:
    """A check with other options; ValidationError where its kind doesn't take them."""
    return _CHECK.validate_python({**check.model_dump(mode="json", exclude_defaults=True), **changes})


def check_of(raw: object) -> CheckModel:
    """A check from JSON; ValidationError for anything else."""
    return _CHECK.validate_python(raw)


def check_at(node: ScoringNode) -> CheckModel | None:
    """The check by which code decides a node; a draft never does."""
    if isinstance(node, Group | Note) or (isinstance(node, Point) and node.draft):
        return None
    return node.check


@dataclass(slots=True)
class _Marked:
    """A point of equal answers, and all marks on it that hold."""

    subject: Subject
    item: Item
    marks: list[MarkEntry] = field(default_factory=list)

    @property
    def award(self) -> float | None:
        """What people came to; None where they differ or can't tell."""
        stands = self.subject.point.standing
        return stands.award if stands is not None and stands.track == "human" else None

    @property
    def finding(self) -> StoredFinding | None:
        """What code found."""
        place = (self.subject.item.entry.point_hash, self.subject.span.answer_hash)
        return of_code(self.subject.point.findings, *place, self.subject.view.grading.engines)

    @property
    def quotes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(piece.quote for one in self.marks for piece in one.evidence))

    def says(self, what: str) -> bool:
        """Whether anybody says so."""
        return any(one.says == what for one in self.marks)

    def line(self, what: What, old: object, new: object = None, *, case: Regression | None = None) -> Mend:
        """The mend of this point: what changes, from what to what, and the case that proves it."""
        entry = self.subject.item.entry
        return Mend(
            problem_id=entry.problem_id,
            sub_id=entry.sub_id,
            point_id=entry.point_id,
            point_hash=entry.point_hash,
            what=what,
            from_=old,
            to=new,
            item=self.item.id,
            reviewers=tuple(sorted({one.reviewer for one in self.marks})),
            evidence=self.quotes,
            reasons=tuple(dict.fromkeys(one.reason for one in self.marks if one.reason)),
            case=case,
        )


def mends(archive: Archive, *, workers: int | None = None) -> list[Mend]:
    """What the marks that stand propose, in the order of the items; marks on seeded items propose nothing."""
    marked = list(_marked(archive))
    derived = _derived([one for one in marked if _overrides(one)], workers)
    lines: list[Mend] = []
    for one in marked:
        lines += _lines(one, derived.get(id(one)))
    return lines


def found_by(trials: Mapping[Any, tuple[CheckModel, str]], workers: int | None = None) -> dict[Any, Finding]:
    """What checks find in answers, by key."""
    tasks = [CheckTask.of(check, Answer(text), key) for key, (check, text) in trials.items()]
    if not tasks:
        return {}
    with checkers(workers) as team:
        return {task.key: finding for task, finding in chain.from_iterable(findings(team, tasks))}


def _marked(archive: Archive) -> Iterator[_Marked]:
    subjects = Subjects(archive)
    groups: dict[tuple[str, str, str, str], _Marked] = {}
    for item in archive.items("done"):
        if item.entry.kind == "gold":
            continue
        held = standing(archive.marks_of([item.id]).get(item.id, ()))
        try:
            subject = subjects.of(item)
        except Outdated:  # its marks were about another rubric or answer
            continue
        entry = item.entry
        key = (entry.problem_id, entry.sub_id, entry.point_id, entry.point_hash + subject.span.answer_hash)
        group = groups.setdefault(key, _Marked(subject, item))
        group.item = item
        group.marks += [one.entry for one in held.values()]
    yield from (one for one in groups.values() if one.marks)


def _overrides(one: _Marked) -> bool:
    """Whether people gave or denied what code decided otherwise or not at all."""
    found = one.finding
    return (
        check_at(one.subject.node) is not None
        and found is not None
        and one.award in (0.0, 1.0)
        and found.finding.award != one.award
    )


def _lines(one: _Marked, derived: tuple[What, Any] | None) -> Iterator[Mend]:
    check = check_at(one.subject.node)
    if _overrides(one) and check is not None:
        case = Regression(answer=one.subject.text, verdict="met" if one.award == 1.0 else "not_met")
        if derived is None:
            yield one.line("check", check.model_dump(mode="json", exclude_defaults=True), case=case)
        else:
            what, value = derived
            old = None if what == "alias" else check.model_dump(mode="json")["expected"]
            yield one.line(what, old, value, case=case)
    elif one.says("rubric_wrong"):
        yield one.line("text", getattr(one.subject.node, "text", ""))
    if one.says("question_wrong"):
        yield one.line("question", one.subject.sub.text_open)


# What can be derived


def _derived(marked: Sequence[_Marked], workers: int | None) -> dict[int, tuple[What, Any]]:
    """The first change for each, by id, that makes code say what people said."""
    trials: dict[tuple[int, What, Any], tuple[CheckModel, str]] = {}
    for one in marked:
        check = check_at(one.subject.node)
        if check is None or one.award != 1.0:  # what is wrong about a credit isn't in the answer
            continue
        for what, value in _candidates(check, one):
            changed = _changed(check, what, value)
            if changed is not None and changed != check:
                trials[id(one), what, value] = (changed, one.subject.text)
    found = found_by(trials, workers)
    derived: dict[int, tuple[What, Any]] = {}
    for key, what, value in trials:
        if found[key, what, value].status is Status.MET:
            derived.setdefault(key, (what, value))
    return derived


def _candidates(check: CheckModel, one: _Marked) -> Iterator[tuple[What, Any]]:
    texts = list(_texts(one))
    if one.says("rubric_wrong"):
        yield from (("expected", value) for value in _values(check, texts))
    if hasattr(check, "aliases"):
        yield from (("alias", text) for text in texts)


def _texts(one: _Marked) -> Iterator[str]:
    """The value that code took, and what people quoted."""
    finding = one.finding.finding if one.finding else None
    taken = (finding.value, finding.found) if finding else ()
    yield from dict.fromkeys(text.strip() for text in (*taken, *one.quotes) if text and text.strip())


def _values(check: CheckModel, texts: Iterable[str]) -> Iterator[Any]:
    """Values as they might be expected; the kind's own model refuses those of another type."""
    if isinstance(getattr(check, "expected", None), bool):
        yield not check.expected  # type: ignore[attr-defined]
        return
    for text in texts:
        yield text
        for number in _NUMBER.findall(text):
            plain = number.replace("−", "-")
            yield int(plain) if re.fullmatch(r"[-+]?\d+", plain) else float(plain)


def _changed(check: CheckModel, what: What, value: Any) -> CheckModel | None:
    try:
        return with_alias(check, value) if what == "alias" else check_with(check, expected=value)
    except ValidationError:
        return None


def with_alias(check: CheckModel, alias: object) -> CheckModel:
    """A check that accepts a further spelling; ValidationError where its kind has none."""
    known = getattr(check, "aliases", ())
    return check if alias in known else check_with(check, aliases=[*known, alias])
