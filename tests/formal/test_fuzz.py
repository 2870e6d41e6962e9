"""Whatever an answer holds, the check ends: decided or undetermined, in time, and the next one is graded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

import pytest

from grader.formal import check_many
from grader.record import Finding, Reason, Status
from tests.formal.fuzzed import Pair, hostile, mutated

CONTROL: Pair = (
    {"kind": "integer", "expected": 7, "asked": ["signals"]},
    "There are 7 signals in the spectrum.",
)
ENDS = (Reason.TIME_LIMIT, Reason.NOT_COMPARABLE, Reason.NO_CANDIDATE, Reason.CONFLICTING_CANDIDATES)


def _findings(pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Finding]]:
    drawn: list[Pair] = []

    def kept() -> Iterator[Pair]:
        for pair in pairs:
            drawn.append(pair)
            yield pair

    for number, finding in enumerate(check_many(kept(), workers=2)):
        yield drawn[number], finding
        drawn[number] = ({}, "")


def _failed(pairs: Iterable[Pair]) -> list[tuple[dict[str, Any], str, str]]:
    """The checks that raised, killed their process or ran out of memory."""
    return [
        (check, answer[:300], finding.detail)
        for (check, answer), finding in _findings(pairs)
        if finding.flags
    ]


def test_mutated_answers_raise_nothing_and_end_in_time() -> None:
    pairs = list(mutated(600))
    late = 0
    for (check, answer), finding in _findings(pairs):
        assert not finding.flags, (check, answer[:300], finding.detail)
        late += finding.reason is Reason.TIME_LIMIT
    assert late == 0


@pytest.mark.slow
def test_a_hundred_thousand_mutated_answers_raise_nothing() -> None:
    assert _failed(mutated(100_000, seed=1)) == []


def _between(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """The pairs, with one after each that must be decided as ever."""
    return chain.from_iterable((pair, CONTROL) for pair in pairs)


def _survives(pairs: Iterable[Pair]) -> None:
    for number, ((check, answer), finding) in enumerate(_findings(_between(pairs))):
        said = (check["kind"], answer[:100], finding)
        assert not finding.flags, said
        if number % 2:
            assert finding.status is Status.MET, said
        else:
            assert finding.status is not Status.UNDETERMINED or finding.reason in ENDS, said


def test_answers_made_to_hurt_end_and_the_next_is_graded() -> None:
    _survives(islice(hostile(60), 60, None, 41))


@pytest.mark.slow
def test_long_answers_made_to_hurt_end_and_the_next_is_graded() -> None:
    _survives(hostile(20_000))


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["The value is 7 kJ/mol. ", "CCO ", "1 ", "\n", "(", "a" * 7 + " "])
def test_an_answer_of_a_megabyte_ends(piece: str) -> None:
    whole = piece * (1_000_000 // len(piece))
    checks = {check["kind"]: check for check, _ in hostile(1)}
    _survives((check, whole) for check in checks.values())
