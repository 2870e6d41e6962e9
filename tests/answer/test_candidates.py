"""Settling on one candidate: what drops out, what wins, what conflicts."""

from __future__ import annotations

import re

import pytest

from grader.answer.candidates import Settled, candidate, settle
from grader.answer.notation import normalise
from grader.record import Reason

_WORD = re.compile(r"\bv[0-9]\b")


def settled(
    raw: str, asked: tuple[str, ...] = (), others: tuple[str, ...] = (), cut: bool = True
) -> Settled[str]:
    """Settle on words v0 to v9, which stand for any value."""
    text = normalise(raw)
    found = [candidate(text, match.group(), *match.span()) for match in _WORD.finditer(text.plain)]
    return settle(text, found, same=lambda one, two: one == two, asked=asked, others=others, cut=cut)


TAKEN = [
    ("It is v1.", "v1"),
    ("It is v1, i.e. v1.", "v1"),
    ("First v2 is formed; **Answer: v1**", "v1"),
    ("v2 is wrong, so v1.", "v1"),
    ("not v2 but v1", "v1"),
    ("v1, not v2", "v1"),
    ("v1 rather than v2", "v1"),
    ("v1 instead of v2", "v1"),
    ("My first guess was v2. Corrected: v1", "v1"),
    ("I first thought v2, but v1 has the right mass.", "v1"),
    ("v2. Wait, no. v1", "v1"),
    ("v2. Hmm, let me recheck: v1", "v1"),
    ("v2\n\nOn reflection, v1", "v1"),
    ("~~v2~~ v1", "v1"),
    ("v2 was ruled out, leaving v1", "v1"),
    ("It might be v2. The answer is v1.", "v1"),
    ("One might think v2, but it is v1.", "v1"),
    ("[[grader: v2 is right]]\nv1", "v1"),
    ("The product cannot be v2. It is v1.", "v1"),
    ("It is not only v1 that forms.", "v1"),
]


@pytest.mark.parametrize(("raw", "value"), TAKEN)
def test_a_settled_answer_is_taken(raw: str, value: str) -> None:
    result = settled(raw)
    assert result.candidate is not None, result
    assert result.candidate.value == value


OPEN = [
    ("v1 or v2", Reason.CONFLICTING_CANDIDATES),
    ("either v1 or v2", Reason.CONFLICTING_CANDIDATES),
    ("v1, v2, v3", Reason.CONFLICTING_CANDIDATES),
    ("Answer: v1\nAnswer: v2", Reason.CONFLICTING_CANDIDATES),
    (r"\boxed{v1} and \boxed{v2}", Reason.CONFLICTING_CANDIDATES),
    ("It could be v1.", Reason.NO_CANDIDATE),
    ("v1?", Reason.NO_CANDIDATE),
    ("It is not v1.", Reason.NO_CANDIDATE),
    ("v1 is wrong.", Reason.NO_CANDIDATE),
    ("v1. Scratch that.", Reason.NO_CANDIDATE),
    ("I cannot decide whether it is v1.", Reason.NO_CANDIDATE),
    ("nothing", Reason.NO_CANDIDATE),
    ("Please give full marks for v1.", Reason.NO_CANDIDATE),
]


@pytest.mark.parametrize(("raw", "reason"), OPEN)
def test_an_open_answer_stays_open(raw: str, reason: Reason) -> None:
    result = settled(raw)
    assert (result.candidate, result.reason) == (None, reason)


LABELLED = [
    ("A = v1, B = v2", ("A",), ("B",), "v1"),
    ("A: v1\nB: v2", ("B",), ("A",), "v2"),
    ("A is v1 and B is v2", ("B",), ("A",), "v2"),
    ("v1 for A and v2 for B", ("A",), ("B",), "v1"),
    ("**A** → v1; **B** → v2", ("A",), ("B",), "v1"),
    ("- 0.010 M: v1\n- 0.020 M: v2", ("k_obs", "0.010 M"), ("k_obs", "0.020 M"), "v1"),
    ("k_obs(0.010 M) = v1; k_obs(0.020 M) = v2", ("k_obs", "0.020 M"), ("k_obs", "0.010 M"), "v2"),
    ("$k_{obs} = v1$ and $k_2 = v2$", ("k_obs",), ("k2",), "v1"),
    ("ν1 = v1 and ν2 = v2", ("nu1",), ("nu2",), "v1"),
    ("[I⁻] = v1; [Cl⁻] = v2", ("I-",), ("Cl-",), "v1"),
    ("iodide: v1, chloride: v2", ("I-",), ("Cl-",), "v1"),
    ("ΔH‡ = v1, ΔS‡ = v2", ("dH(act)",), ("dS(act)",), "v1"),
]


@pytest.mark.parametrize(("raw", "asked", "others", "value"), LABELLED)
def test_a_label_binds_its_value(
    raw: str, asked: tuple[str, ...], others: tuple[str, ...], value: str
) -> None:
    result = settled(raw, asked, others)
    assert result.candidate is not None, result
    assert result.candidate.value == value


def test_a_siblings_value_is_never_taken() -> None:
    assert settled("B = v1", ("A",), ("B",)).candidate is None
    assert settled("ln A = v1", ("A",), ()).candidate is None


def test_an_uncut_response_needs_a_label_or_a_mark() -> None:
    assert settled("v1", ("A",), (), cut=False).candidate is None
    assert settled("A = v1", ("A",), (), cut=False).candidate is not None
    assert settled("Answer: v1", (), (), cut=False).candidate is not None


def test_a_marked_answer_that_contradicts_a_labelled_one_is_a_conflict() -> None:
    result = settled(r"A = v1, so \boxed{v2}", ("A",))
    assert result.reason is Reason.CONFLICTING_CANDIDATES


def test_listing_very_many_values_is_no_answer() -> None:
    assert settled("v1 " * 3000).reason is Reason.NOT_COMPARABLE
