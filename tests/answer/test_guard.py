"""A guard must never keep a pattern from what it would match: each branch needs one of its stems."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest

from grader.answer import frames, inert, notation, stance, withheld
from grader.answer.guard import may_match
from grader.formal.values import worded

PARSER: Any = import_module("re._parser")
GUARDED = [
    (stance._TURN, stance._TURN_STEMS),
    (stance._TAKEN_BACK, stance._WITHDRAWAL_STEMS),
    (stance._DENIED_BEFORE, stance._DENIAL_STEMS),
    (stance._MODAL_BEFORE, stance._MODAL_STEMS),
    (stance._EARLIER_THOUGHT, stance._EARLIER_STEMS),
    (withheld._DENIED_CLAIM, withheld._CLAIM_STEMS),
    (withheld._OVER_ANOTHER, withheld._CLAIM_STEMS),
    (frames._MISTAKEN_BEFORE, frames._MISTAKE_STEMS),
    (frames._ATTRIBUTED_BEFORE, frames._REPORT_STEMS),
    (frames._REPORTED_BEFORE, frames._REPORT_STEMS),
    (inert._ADDRESSED, inert._ADDRESS_STEMS),
    (notation._SPOKEN_SIGN, notation._SIGN_STEMS),
    (worded.COUNT, worded._WORD_STEMS),
    (worded._FRACTION, worded._PART_STEMS),
]
MOST = 3000
"""Spellings of a run; a longer run is cut."""


def spellings(operation: str, value: Any) -> set[str] | None:
    """All that one node of a parsed pattern can match, white space as a blank; None if open-ended."""
    if operation == "LITERAL":
        return {chr(value).casefold()}
    if operation in ("AT", "ASSERT", "ASSERT_NOT"):
        return {""}
    if operation == "SUBPATTERN":
        return spelled_run(value[3])
    if operation == "BRANCH":
        return united([spelled_run(branch) for branch in value[1]])
    if operation == "IN":
        return united([of_class(str(kind), member) for kind, member in value])
    if operation in ("MAX_REPEAT", "MIN_REPEAT") and value[1] == 1:
        inner = spelled_run(value[2])
        return inner if inner is None or value[0] else inner | {""}
    return None


def of_class(kind: str, member: Any) -> set[str] | None:
    if kind == "LITERAL":
        return {chr(member).casefold()}
    return {" "} if str(member) == "CATEGORY_SPACE" else None


def united(parts: list[set[str] | None]) -> set[str] | None:
    known = [part for part in parts if part is not None]
    return set().union(*known) if len(known) == len(parts) else None


def spelled_run(nodes: Any) -> set[str] | None:
    found = {""}
    for operation, value in nodes:
        each = spellings(str(operation), value)
        if each is None or len(found) * len(each) > MOST:
            return None
        found = {one + two for one in found for two in each}
    return found


def needs(nodes: Any, stems: tuple[str, ...]) -> bool:
    """Whether a sequence of nodes can match nothing without one of the stems."""
    run = {""}
    for operation, value in nodes:
        each = spellings(str(operation), value)
        longer = {one + two for one in run for two in each} if each and len(run) * len(each) < MOST else each
        run = longer or {""}
        if all(may_match(one, stems) for one in run) or node_needs(str(operation), value, stems):
            return True
    return False


def node_needs(operation: str, value: Any, stems: tuple[str, ...]) -> bool:
    if operation == "SUBPATTERN":
        return needs(value[3], stems)
    if operation == "BRANCH":
        return all(needs(branch, stems) for branch in value[1])
    repeated = operation in ("MAX_REPEAT", "MIN_REPEAT") and value[0] > 0
    return repeated and needs(value[2], stems)


@pytest.mark.parametrize(("pattern", "stems"), GUARDED)
def test_a_guard_lets_all_through_that_its_pattern_matches(
    pattern: re.Pattern[str], stems: tuple[str, ...]
) -> None:
    assert needs(PARSER.parse(pattern.pattern, pattern.flags & ~re.UNICODE), stems)
    assert all(stem == stem.casefold() for stem in stems)


def test_the_proof_sees_a_branch_without_a_stem() -> None:
    tree = PARSER.parse(r"\b(?:if|unless) (?:one|two)|but\b", re.I)
    assert needs(tree, ("if", "unless", "but"))
    assert not needs(tree, ("if", "unless"))
    assert not needs(tree, ("if", "but"))


def test_a_stem_is_found_in_whatever_case() -> None:
    assert may_match("It is NOT so", ("not",))
    assert not may_match("It is so", ("not",))
