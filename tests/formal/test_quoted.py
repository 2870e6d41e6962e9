"""What is proposed from a rubric's text, and that nothing else is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdkit import Chem

from grader.answer.notation import normalise
from grader.formal.formulas.tree import read_formula
from grader.formal.quoted.checks import LONGEST, MOST, QuotedCheck, quoted_checks
from grader.formal.structures.structure import read_structure
from grader.problem.model import Point, walk
from grader.problem.nodes import nodes
from grader.problem.rubric import read_rubric, scoring_nodes
from grader.problem.set import load_set
from tests.formal.quoted_lines import LINES


def shown(one: QuotedCheck, wanted: dict[str, Any]) -> dict[str, Any]:
    """The parts of a proposal that a line of the list speaks of."""
    known = {**one.check.model_dump(), "group": one.group, "open": one.open}
    return {name: known[name] for name in wanted}


@pytest.mark.parametrize(("text", "proposed"), LINES, ids=[text[:50] for text, _ in LINES])
def test_a_text_proposes_exactly_what_it_presents_as_right(text, proposed):
    found = quoted_checks(text)
    assert [(one.check.kind, one.check.expected) for one in found] == [  # type: ignore[attr-defined]
        (kind, pytest.approx(value) if kind == "quantity" else value) for kind, value, _ in proposed
    ]
    for one, (_, _, wanted) in zip(found, proposed, strict=True):
        assert shown(one, wanted) == {
            name: pytest.approx(value) if isinstance(value, float) else value
            for name, value in wanted.items()
        }


def texts(shared: Path) -> Iterator[str]:
    """Rubric lines as they are written and as points, the points of the own problems, prose of others."""
    for line in (shared / "cases" / "native_rubrics.jsonl").read_text().splitlines():
        case = json.loads(line)
        yield from case["rubric"]
        rubric = read_rubric(case["rubric"], case["full_mark"])
        yield from (node.text for node in walk(scoring_nodes("s", rubric)) if isinstance(node, Point))
    for problem in load_set(shared / "seeds" / "chemargus-style").problems.values():
        for sub in problem.subquestions:
            yield from (node.text for node in walk(nodes(sub)) if isinstance(node, Point))
    for line in (shared / "seeds" / "real" / "frontierscience_rubrics.jsonl").read_text().splitlines():
        yield json.loads(line)["rubric_raw"]
        yield from (str(item) for item in json.loads(line)["rubric_items"])


def test_whatever_real_rubrics_say_what_is_proposed_stands_there_and_can_be_read(shared):
    count = 0
    for text in texts(shared):
        for one in quoted_checks(text):
            count += 1
            assert text[one.start : one.end] == one.quote
            if one.check.kind == "smiles":
                assert one.check.expected == one.quote  # type: ignore[attr-defined]
                read_structure(one.quote)
            if one.check.kind == "formula":
                assert read_formula(normalise(one.quote).plain.strip())
    assert count > 150


def test_most_structures_that_native_rubrics_quote_are_found(shared):
    quoted = found = 0
    for line in (shared / "cases" / "native_rubrics.jsonl").read_text().splitlines():
        case = json.loads(line)
        rubric = read_rubric(case["rubric"], case["full_mark"])
        if rubric.rejected or rubric.fallback:
            continue
        for node in walk(scoring_nodes("s", rubric)):
            if isinstance(node, Point) and node.text.count("'") == 2 and ">>" not in node.text:
                quoted += 1
                found += any(one.check.kind == "smiles" for one in quoted_checks(node.text))
    assert found / quoted > 0.9


@given(st.text(max_size=200))
def test_no_text_makes_it_stumble(text):
    for one in quoted_checks(text):
        assert text[one.start : one.end] == one.quote


@given(
    st.lists(st.sampled_from("'\"`$\\[](){}0123456789.eE+-=±<> CcNO#/%,;:\nort"), max_size=80).map("".join)
)
def test_no_heap_of_signs_makes_it_stumble(text):
    for one in quoted_checks(text):
        assert text[one.start : one.end] == one.quote


def test_a_text_that_is_no_criterion_proposes_nothing():
    assert quoted_checks("'CCO' " * LONGEST) == ()
    assert quoted_checks("'CCO' " * (MOST + 1)) == ()


def test_the_proposed_structure_is_the_one_that_is_quoted():
    (one,) = quoted_checks("A: 'OCC'")
    assert Chem.CanonSmiles(one.check.expected) == "CCO"  # type: ignore[attr-defined]
