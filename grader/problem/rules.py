"""Rules of a rubric that no schema can express: marks add up, ids are unique, scopes exist."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from grader.errors import Fault
from grader.problem.check_rules import check_faults
from grader.problem.model import Deduction, Group, Note, Point, ScoringNode, Subquestion, Veto, walk
from grader.problem.nodes import native_nodes, nodes, writes_marks
from grader.problem.place import Place

Placed = tuple[Place, ScoringNode]
UNEVEN = "the group's marks don't add up"


def rubric_faults(sub: Subquestion, place: Place) -> list[Fault]:
    """Every broken rule in the rubric of one subquestion, which stands at ``place``."""
    if sub.rubric is None:
        return []
    here = place.at("rubric")
    if not sub.rubric:
        do = "Leave the field out in a set that is published without rubrics."
        return [here.fault("the rubric is empty", expected="at least one scoring point", do=do)]
    placed = list(placed_nodes(sub, place))
    return [*_sum_faults(sub, here), *_id_faults(sub, placed), *_node_faults(sub, placed)]


def placed_nodes(sub: Subquestion, place: Place) -> Iterator[Placed]:
    """Every typed node of a rubric with its place, groups before their members."""
    for index, item in enumerate(sub.rubric or ()):
        if not isinstance(item, str):
            yield from _below(item, place.at("rubric", index))


def _below(node: ScoringNode, place: Place) -> Iterator[Placed]:
    yield place, node
    if isinstance(node, Group):
        for index, member in enumerate(node.of):
            yield from _below(member, place.at("of", index))


# Marks


def _sum_faults(sub: Subquestion, here: Place) -> Iterator[Fault]:
    """Typed marks must add up to the full mark; native lines beside them share what is left of it."""
    lines = [item for item in sub.rubric or () if isinstance(item, str)]
    earning = [item for item in sub.rubric or () if isinstance(item, Point | Group)]
    if lines and not earning:
        return
    typed = math.fsum(node.points for node in earning)
    parts = " + ".join(f"{node.id} {number(node.points)}" for node in earning) or "no point"
    got, full = f"{number(typed)} ({parts})", number(sub.full_mark)
    if not lines and not same(typed, sub.full_mark):
        do = "Correct the points of the rubric or full_mark."
        yield here.fault("the marks don't add up to full_mark", got=got, expected=full, do=do)
    elif lines and typed > sub.full_mark and not same(typed, sub.full_mark):
        yield here.fault("the typed points exceed full_mark", got=got, expected=f"at most {full}")
    elif same(typed, sub.full_mark) and writes_marks(sub):
        do = "Write their marks as typed nodes, too; mere guidance carries no marks."
        yield here.fault(
            "the typed points leave no marks for the native lines", got=got, expected=full, do=do
        )


def same(one: float, other: float) -> bool:
    """Whether two sums of marks are equal, apart from rounding."""
    return math.isclose(one, other, rel_tol=0, abs_tol=1e-6)


def number(value: float) -> str:
    """A mark as people write it: 4, not 4.0."""
    return f"{value:.6g}"


# Ids and scopes


def _id_faults(sub: Subquestion, placed: Sequence[Placed]) -> Iterator[Fault]:
    native = {getattr(node, "id", "") for node in walk(native_nodes(sub) if placed else ())}
    first: dict[str, Place] = {}
    for place, node in placed:
        if isinstance(node, Note):
            continue
        if node.id in native:
            yield place.at("id").fault("the id also names a native line", got=repr(node.id), do="Rename it.")
        if node.id in first:
            what = f"the id {node.id!r} is used twice in this subquestion"
            yield place.at("id").fault(what, got=f"first at {first[node.id].pointer}", do="Rename one.")
        first.setdefault(node.id, place)


def _node_faults(sub: Subquestion, placed: Iterable[Placed]) -> Iterator[Fault]:
    for place, node in placed:
        if isinstance(node, Group):
            yield from _group_faults(node, place)
        if isinstance(node, Deduction | Veto):
            yield from _scope_faults(sub, node, place)
        if isinstance(node, Deduction):
            yield from _deduction_faults(node, place)
        if isinstance(node, Point | Deduction | Veto) and node.check is not None:
            yield from check_faults(node.check, place.at("check"))


def _scope_faults(sub: Subquestion, node: Deduction | Veto, place: Place) -> Iterator[Fault]:
    if node.scope is None:
        return
    earning = [found.id for found in walk(nodes(sub)) if isinstance(found, Point | Group)]
    if node.scope not in earning:
        yield place.at("scope").fault(
            "the scope names no point or group of this subquestion",
            got=repr(node.scope),
            expected="one of " + ", ".join(earning),
            do="Leave it out to mean the whole subquestion.",
        )


def _deduction_faults(node: Deduction, place: Place) -> Iterator[Fault]:
    if node.max is not None and node.max < -node.points:
        got, expected = number(node.max), f"at least {number(-node.points)}"
        yield place.at("max").fault("the limit is below a single deduction", got=got, expected=expected)


# Groups


def _group_faults(group: Group, place: Place) -> Iterator[Fault]:
    if not group.of:
        yield place.at("of").fault("the group has no members", expected="points or groups")
        return
    if group.rule != "count":
        yield from _stray_faults(group, place)
    if group.rule == "sum":
        yield from _member_sum_faults(group, place)
    elif group.rule == "any":
        yield from _alternative_faults(group, place)
    elif group.rule == "count":
        yield from _count_faults(group, place)


def _stray_faults(group: Group, place: Place) -> Iterator[Fault]:
    for name in ("take", "table"):
        if getattr(group, name) is not None:
            what = f"{name!r} means nothing under the rule {group.rule!r}"
            yield place.at(name).fault(
                what, expected="the rule 'count'", do=f"Remove {name!r} or correct 'rule'."
            )


def _member_sum_faults(group: Group, place: Place) -> Iterator[Fault]:
    total = math.fsum(member.points for member in group.of)
    if not same(total, group.points):
        got = f"{number(total)} in its members"
        yield place.at("points").fault(
            "the group's marks don't add up", got=got, expected=number(group.points)
        )


def _alternative_faults(group: Group, place: Place) -> Iterator[Fault]:
    # a member above the group's points is fine: what it earns is capped
    best = max(member.points for member in group.of)
    if best < group.points and not same(best, group.points):
        what = "no alternative earns the group's points"
        yield place.at("points").fault(what, got=f"{number(best)} at best", expected=number(group.points))


def _count_faults(group: Group, place: Place) -> Iterator[Fault]:
    if (group.take is None) == (group.table is None):
        got = "neither" if group.take is None else "both"
        yield place.fault("a count group needs either 'take' or 'table'", got=got, expected="one of them")
    if group.take is not None:
        yield from _take_faults(group, group.take, place)
    if group.table is not None:
        yield from _table_faults(group, group.table, place)


def _take_faults(group: Group, take: int, place: Place) -> Iterator[Fault]:
    if take > len(group.of):
        expected = f"at most {len(group.of)}, the number of members"
        yield place.at("take").fault("takes more members than there are", got=str(take), expected=expected)
        return
    best = math.fsum(sorted((member.points for member in group.of), reverse=True)[:take])
    if not same(best, group.points):
        got = f"{number(best)} in the best {take}"
        yield place.at("points").fault(
            "the group's marks don't add up", got=got, expected=number(group.points)
        )


def _table_faults(group: Group, table: dict[str, float], place: Place) -> Iterator[Fault]:
    here = place.at("table")
    counts = [str(count) for count in range(len(group.of) + 1)]
    strange = [key for key in table if key not in counts]
    for key in strange:
        expected = f"a number of members from 0 to {len(group.of)}"
        yield here.at(key).fault("is no count of members", got=repr(key), expected=expected)
    marks = [table.get(count, 0.0) for count in counts]
    if not same(max(marks), group.points) and not strange:
        got, expected = f"{number(max(marks))} at best", number(group.points)
        yield here.fault("the table's best count must earn the group's points", got=got, expected=expected)
    for count, (fewer, more) in enumerate(pairwise(marks), start=1):
        if more < fewer and not strange:
            got = f"{number(fewer)} for {count - 1} and {number(more)} for {count}"
            do = "A count that is left out earns 0: write every count."
            yield here.fault("more met members earn less", got=got, expected="marks that never fall", do=do)
