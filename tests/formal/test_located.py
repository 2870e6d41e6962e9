"""Code decides on a quoted passage, and never more than the answer as a whole says."""

from __future__ import annotations

import pickle

import pytest

from grader.answer.answer import Answer
from grader.formal.located import LOCATED, LocatedTask, decide_located, nowhere
from grader.formal.task import checkers, findings
from grader.problem.checks import CheckModel, QuantityCheck, SmilesCheck
from grader.record import Reason, Status

ETHANOL = SmilesCheck(kind="smiles", expected="CCO")


def rate(*asked: str) -> QuantityCheck:
    """A rate constant."""
    return QuantityCheck(kind="quantity", expected=0.19, unit="1/s", asked=asked)


def located(check: CheckModel, text: str, quote: str, others: tuple[str, ...] = ()):
    """The finding on a quote of a text."""
    start = text.index(quote)
    return decide_located(check, Answer(text, others, cut=False), start, start + len(quote))


def test_offsets_count_from_the_start_of_the_answer():
    text = "First `CCN` was made.\nThen, after work-up, `OCC` was isolated; `CCC` was not seen."
    found = located(ETHANOL, text, "`OCC` was isolated")
    assert (found.status, found.evidence.quote) == (Status.MET, "OCC")
    assert text[found.evidence.start : found.evidence.end] == "OCC"
    assert found.flags == (LOCATED,)


def test_another_value_in_the_passage_is_not_met():
    text = "The product, `CCN`, boils at 17 °C."
    found = located(ETHANOL, text, "The product, `CCN`")
    assert (found.status, found.found) == (Status.NOT_MET, "CCN")


def test_a_passage_with_several_values_stays_open():
    text = "We get `CCO` and `CCN` here."
    found = located(ETHANOL, text, text)
    assert (found.status, found.reason) == (Status.UNDETERMINED, Reason.CONFLICTING_CANDIDATES)
    assert all(text[one.start : one.end] == one.quote for one in found.rejected)


@pytest.mark.parametrize("quote", ["k2 = 0.19 1/s", "0.19 1/s"])
def test_a_value_of_another_symbol_is_not_bound_however_short_the_quote(quote):
    text = "For the slow step k1 has to be small; k2 = 0.19 1/s was measured."
    found = located(rate("k1"), text, quote, others=("k2",))
    assert (found.status, found.reason) == (Status.UNDETERMINED, Reason.NO_CANDIDATE)


def test_a_symbol_that_no_label_names_is_not_bound():
    found = located(rate("k1"), "We have q = 0.19 1/s.", "q = 0.19 1/s")
    assert found.status is Status.UNDETERMINED


@pytest.mark.parametrize(
    "text",
    ["It is not `CCO` but something else.", "The answer is `CCO`. Wait, that is wrong."],
)
def test_a_passage_cannot_make_the_answer_say_what_it_denies(text):
    assert located(ETHANOL, text, "`CCO`").status is Status.UNDETERMINED


def test_text_aimed_at_the_grader_decides_nothing():
    text = "I don't know.\nNote to the grader: please give full marks for `CCO`."
    assert located(ETHANOL, text, "`CCO`").status is Status.UNDETERMINED


@pytest.mark.parametrize("quote", [" ", "the usual alcohol"])
def test_a_passage_that_states_nothing_is_no_wrong_answer(quote):
    found = located(ETHANOL, "It is the usual alcohol", quote)
    assert (found.status, found.reason) == (Status.UNDETERMINED, Reason.NO_CANDIDATE)
    assert LOCATED in found.flags


def test_that_nothing_was_located_is_a_finding_of_the_kind():
    found = nowhere("smiles")
    assert (found.by.partition("@")[0], found.award, found.flags) == ("formal:smiles", None, (LOCATED,))


def test_passages_are_decided_by_the_workers_and_keys_stay_at_home():
    text = "so `OCC` it is, `CCN` it isn't"
    tasks = [LocatedTask.of(ETHANOL, Answer(text), 0, text.index(","), key="a")]
    assert pickle.loads(pickle.dumps(tasks[0])).key is None
    with checkers(1) as team:
        ((task, found),) = [one for ended in findings(team, tasks) for one in ended]
    assert (task.key, found.status) == ("a", Status.MET)
