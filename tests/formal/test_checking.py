"""Checks from Python: one or many, in order, safe from what answers hold, with nothing loaded early."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from grader.answer.answer import Answer
from grader.errors import UsageError
from grader.formal import check, check_many
from grader.problem.checks import IntegerCheck
from grader.problem.model import Point
from grader.record import Reason, Status

SIGNALS: dict[str, Any] = {"kind": "integer", "expected": 4, "asked": ["signals"]}


def test_a_check_may_be_a_model_a_point_or_a_mapping() -> None:
    model = IntegerCheck(kind="integer", expected=4)
    point = Point(id="p-1", points=1, text="four", check=model)
    for one in (model, point, SIGNALS):
        assert check(one, "There are 4 signals.").status is Status.MET
        assert check(one, Answer("4")).status is Status.MET
        assert check(one, "5").status is Status.NOT_MET


def test_a_point_without_a_check_and_a_wrong_check_are_the_callers_mistakes() -> None:
    with pytest.raises(UsageError, match="p-2"):
        check(Point(id="p-2", points=1, text="explains why"), "because")
    with pytest.raises(UsageError, match="expected"):
        check({"kind": "integer"}, "4")


def test_many_findings_come_in_the_order_of_their_pairs_whoever_is_quick() -> None:
    prose = "After symmetry is taken into account there are {} signals in all. " + "It is so. " * 40
    answers = [str(n % 9) if n % 3 else prose.format(n % 9) for n in range(400)]
    found = list(check_many(((SIGNALS, answer) for answer in answers), workers=2))
    assert [finding.found for finding in found] == [str(n % 9) for n in range(400)]


def test_an_endless_stream_of_pairs_is_drawn_as_needed() -> None:
    def pairs() -> Iterator[tuple[dict[str, object], str]]:
        number = 0
        while True:
            yield SIGNALS, str(number % 9)
            number += 1

    assert [one.found for one in islice(check_many(pairs(), workers=1), 1000)] == [
        str(n % 9) for n in range(1000)
    ]


def test_a_hostile_answer_costs_its_own_point_only() -> None:
    pairs: list[tuple[dict[str, Any], str]] = [
        ({"kind": "quantity", "expected": 1.0}, "1 + (" * 20_000),
        (SIGNALS, "There are 4 signals."),
        (SIGNALS, "\x00\ud800" * 50_000),
    ]
    first, second, third = check_many(pairs, workers=1)
    assert (first.status, first.reason) == (Status.UNDETERMINED, Reason.NOT_COMPARABLE)
    assert second.status is Status.MET
    assert (third.status, third.reason) == (Status.UNDETERMINED, Reason.NO_CANDIDATE)
    assert check(SIGNALS, "There are 4 signals.").status is Status.MET


def test_naming_the_package_loads_none_of_the_heavy_libraries() -> None:
    heavy = "{'rdkit', 'pint', 'sympy', 'pydantic', 'grader.formal.checking'}"
    code = f"import sys, grader.formal; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
