"""What A18 asks: points that code decided, put to the judge as flexible ones are, without what code found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from grader.audit.asked_anew.picking import Answers, Base, Decided
from grader.audit.asked_anew.reference import reference
from grader.audit.asked_anew.suite import Formal
from grader.audit.asked_anew.variants import BASE, Variant
from grader.grade.judge_tasks import Sheet, criterion
from grader.judge.task import Criterion
from grader.problem.model import Group, walk
from grader.record import digest

LOCATED = "points that code decided on a passage a judge quoted: the two aren't apart"
FILES = "points of answers with files, which no judge is shown"

_SHOWN = 12


@dataclass
class FormalPoints:
    """What A18 asks, answer by answer, and which points it can't ask about."""

    variants: list[tuple[Base, Variant]] = field(default_factory=list)
    unfit: Counter[str] = field(default_factory=Counter)
    """Points by why."""
    points: int = 0


def formal_points(section: Formal, answers: Answers) -> FormalPoints:
    """Answers with decided formal points, until there are as many points as the suite wants.

    All such points of an answer are asked about together, as a grading would.
    """
    found = FormalPoints()
    for place, several in answers.checked.items():
        if found.points >= section.points:
            break
        wanted = [one for one in several if not section.kinds or _kind(one) in section.kinds]
        decided = list(_fit(wanted, found.unfit))
        if not decided:
            continue
        base = answers.base(place)
        if base.response.meta.get("files"):
            found.unfit[FILES] += len(decided)
            continue
        found.variants.append((base, _variant(base, answers.tasks.sheet(place.sub_id), decided)))
        found.points += len(decided)
    return found


def _kind(one: Decided) -> str:
    assert one.planned.check is not None
    return one.planned.check.kind


def _fit(several: Sequence[Decided], unfit: Counter[str]) -> Iterator[Decided]:
    for one in several:
        if one.reason is not None:
            unfit[f"points undetermined by code: {one.reason}"] += 1
        elif one.located:
            unfit[LOCATED] += 1
        else:
            yield one


def _variant(base: Base, sheet: Sheet, decided: Sequence[Decided]) -> Variant:
    """The answer with these points for a rubric; another rubric, or other points, make another variant."""
    hashes = {one.planned.node.id: one.planned.point_hash for one in decided}
    task = replace(base.task, criteria=tuple(_criterion(sheet, one) for one in decided), facts=())
    return Variant(f"{BASE} {digest(list(hashes.items()))[:_SHOWN]}", task, about={"points": hashes})


def _criterion(sheet: Sheet, one: Decided) -> Criterion:
    node, check = one.planned.node, one.planned.check
    assert check is not None
    asked = criterion(one.planned, sheet.terms[node.id])
    groups = (group for group in walk(sheet.planned.nodes) if isinstance(group, Group))
    texts = [node.text, *(group.text for group in groups if node in walk(group.of))]
    return replace(asked, terms=(*asked.terms, *reference(check, texts)))
