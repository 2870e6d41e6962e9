"""Panels of judges whose error rates are known behave as computed by hand.

Judge j errs on item i where digit j of i, written in base 1/p, is 0: over all
items every pattern of errors occurs exactly as often as independent judges
with error rate p would bring it about, so every share below is exact. The
truth is always "met", and a judge that errs says "not_met".
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import count
from pathlib import Path

import pytest

from grader.judge.cards import LoadedCard
from grader.judge.session import judge
from grader.judge.task import Criterion, JudgeTask
from grader.model.reply import CallFailed
from grader.record import Reason, Status, Verdict
from tests.judge.scripted import Asked, Said, Scripted, card, panel, says, verdict

SURE = 0.8
"""What every scripted judge says of its confidence."""
Errs = Callable[[str, int, int], bool]
"""Whether a judge errs, by its name, its vote and the item."""


def task(item: int, copy: int = 0) -> JudgeTask:
    answer = f"item {item}, copy {copy}: SN2"
    return JudgeTask("", "Which mechanism?", answer, (Criterion("p1", 1, "SN2."),))


def plays(errs: Errs, **always: Said) -> Callable[[Asked], Said]:
    """A script in which the named judges always say the same."""

    def script(asked: Asked) -> Said:
        name = asked.judge.removeprefix("openai/")
        if name in always:
            return always[name]
        item = int(re.findall(r"item (\d+),", asked.text)[0])
        wrong = errs(name, asked.vote, item)
        return says(verdict("p1", "not_met" if wrong else "met", "" if wrong else "SN2", SURE))

    return script


def digit(item: int, place: int, base: int) -> int:
    shifted: int = item // base**place
    return shifted % base


def independent(base: int, *names: str) -> Errs:
    return lambda name, _, item: digit(item, names.index(name), base) == 0


def by_vote(base: int) -> Errs:
    return lambda _, vote, item: digit(item, vote, base) == 0


def graded(judges: LoadedCard, script: Callable[[Asked], Said], what: JudgeTask) -> tuple[Verdict, Scripted]:
    asker = Scripted(script)
    return asyncio.run(judge(judges, what, asker)).verdicts["p1"], asker


def all_of(judges: LoadedCard, script: Callable[[Asked], Said], items: int) -> tuple[list[Verdict], int]:
    """The verdict on every item, and the number of requests."""
    runs = [graded(judges, script, task(item)) for item in range(items)]
    return [given for given, _ in runs], sum(len(asker.requests) for _, asker in runs)


def in_every_order(
    judges: LoadedCard, script: Callable[[Asked], Said], item: int
) -> Mapping[str, tuple[Verdict, int]]:
    """The verdict on an item and its number of requests, by the judge that was asked first."""
    found: dict[str, tuple[Verdict, int]] = {}
    for copy in count():
        given, asker = graded(judges, script, task(item, copy))
        found[asker.asked[0].judge.removeprefix("openai/")] = given, len(asker.requests)
        if len(found) == len(judges.voters):
            return found
    raise AssertionError


def shares(verdicts: list[Verdict]) -> dict[str, Fraction]:
    counted = Counter(str(given.reason or given.status) for given in verdicts)
    return {said: Fraction(number, len(verdicts)) for said, number in counted.items()}


def test_three_independent_judges(tmp_path: Path) -> None:
    judges = panel(tmp_path, "a", "b", "c")
    script = plays(independent(4, "a", "b", "c"))
    p = Fraction(1, 4)
    runs = [run for item in range(64) for run in in_every_order(judges, script, item).values()]
    verdicts = [given for given, _ in runs]
    assert shares(verdicts) == {
        "not_met": 3 * p**2 * (1 - p) + p**3,
        "met": 3 * p * (1 - p) ** 2 + (1 - p) ** 3,
    }
    # The third is asked where the first two differ: 2 p (1 - p) of the items.
    assert Fraction(sum(number for _, number in runs), len(runs)) == 2 + 2 * p * (1 - p)
    # Two of two are as sure as each of them; two of three are two thirds of that.
    pairs = Counter((given.status.value, round(given.confidence or 0, 9)) for given in verdicts)
    split = round(SURE * 2 / 3, 9)
    assert {what: Fraction(number, len(runs)) for what, number in pairs.items()} == {
        ("met", SURE): (1 - p) ** 2,
        ("not_met", SURE): p**2,
        ("met", split): 2 * p * (1 - p) ** 2,
        ("not_met", split): 2 * p**2 * (1 - p),
    }
    # So the panel errs less than its members, and least where it is sure.
    sure = shares([given for given in verdicts if given.confidence == SURE])
    assert sure["not_met"] == Fraction(1, 10) < shares(verdicts)["not_met"] == Fraction(10, 64) < p


def test_five_judges(tmp_path: Path) -> None:
    names = ("a", "b", "c", "d", "e")
    verdicts, _ = all_of(panel(tmp_path, *names), plays(independent(3, *names)), 3**5)
    p = Fraction(1, 3)
    assert shares(verdicts)["not_met"] == 10 * p**3 * (1 - p) ** 2 + 5 * p**4 * (1 - p) + p**5
    assert shares(verdicts)["not_met"] == Fraction(51, 243)


def test_five_votes_of_one_judge_and_what_stopping_early_saves(tmp_path: Path) -> None:
    verdicts, requests = all_of(card(tmp_path, votes=5), plays(by_vote(3)), 3**5)
    assert shares(verdicts)["not_met"] == Fraction(51, 243)
    # Three votes agree on 81 items of 243; four settle another 90; 72 need all five: 963 requests, not 1215.
    assert Counter(len(given.votes) for given in verdicts) == {3: 81, 4: 90, 5: 72}
    assert requests == 3 * 81 + 4 * 90 + 5 * 72
    confidence = {3: SURE, 4: SURE * 3 / 4, 5: SURE * 3 / 5}
    assert all(given.confidence == pytest.approx(confidence[len(given.votes)]) for given in verdicts)


def test_two_judges_that_err_together_decide_alone(tmp_path: Path) -> None:
    """A correlated pair makes three judges no better than one."""
    judges = panel(tmp_path, "a", "twin", "c")
    place = {"a": 0, "twin": 0, "c": 1}
    verdicts, _ = all_of(judges, plays(lambda name, _, item: digit(item, place[name], 4) == 0), 16)
    assert shares(verdicts) == {"not_met": Fraction(1, 4), "met": Fraction(3, 4)}


def test_a_judge_that_always_fails_makes_no_majority_smaller(tmp_path: Path) -> None:
    judges = panel(tmp_path, "a", "b", "down")
    script = plays(independent(4, "a", "b"), down=CallFailed("server_error", "HTTP 500"))
    p = Fraction(1, 4)
    runs = [in_every_order(judges, script, item) for item in range(16)]
    verdicts = [given for run in runs for given, _ in run.values()]
    assert shares(verdicts) == {"met": (1 - p) ** 2, "not_met": p**2, "split_votes": 2 * p * (1 - p)}
    for run in runs:
        # Only where the two that reply are asked first is the third never needed.
        if run["a"][0].award is not None:
            assert {first: number for first, (_, number) in run.items()} == {"a": 2, "b": 3, "down": 3}
            assert run["a"][0].confidence == SURE
            assert run["b"][0].confidence == pytest.approx(SURE * 2 / 3)
        assert {vote.reason for vote in run["down"][0].votes} == {None, Reason.CALL_FAILED}


def test_one_judge_cannot_speak_for_a_panel_that_failed(tmp_path: Path) -> None:
    judges = panel(tmp_path, "a", "down", "lost")
    failure = CallFailed("timeout", "120 s")
    verdicts, _ = all_of(judges, plays(independent(4, "a"), down=failure, lost="prose"), 4)
    assert shares(verdicts) == {"call_failed": Fraction(1)}


def test_a_judge_that_never_commits_itself(tmp_path: Path) -> None:
    unsure = says(verdict("p1", "cannot_assess"))
    judges = panel(tmp_path, "a", "b", "unsure")
    verdicts, _ = all_of(judges, plays(independent(4, "a", "b"), unsure=unsure), 16)
    assert shares(verdicts) == {
        "met": Fraction(9, 16),
        "not_met": Fraction(1, 16),
        "split_votes": Fraction(6, 16),
    }
    judges = panel(tmp_path, "a", "unsure", "timid")
    verdicts, _ = all_of(judges, plays(independent(4, "a"), unsure=unsure, timid=unsure), 4)
    assert shares(verdicts) == {"cannot_assess": Fraction(1)}


def test_a_tie_is_nobody_s_verdict(tmp_path: Path) -> None:
    two, requests = all_of(panel(tmp_path, "a", "b"), plays(independent(4, "a", "b")), 16)
    assert shares(two) == {"met": Fraction(9, 16), "not_met": Fraction(1, 16), "split_votes": Fraction(6, 16)}
    assert requests == 32
    names = ("a", "b", "c", "d")
    four, _ = all_of(panel(tmp_path, *names), plays(independent(2, *names)), 16)
    assert shares(four) == {
        "met": Fraction(5, 16),
        "not_met": Fraction(5, 16),
        "split_votes": Fraction(6, 16),
    }
    assert {given.award for given in four if given.status is Status.UNDETERMINED} == {None}


def test_who_is_left_out_changes_with_the_answer_and_not_with_the_time(tmp_path: Path) -> None:
    judges = panel(tmp_path, "a", "b", "c")
    script = plays(lambda *_: False)
    orders = [
        tuple(vote.by.partition("@")[0] for vote in graded(judges, script, task(i))[0].votes)
        for i in [*range(30), *range(30)]
    ]
    assert orders[:30] == orders[30:]
    assert set(orders) == {("a", "b"), ("b", "c"), ("c", "a")}


def test_each_member_votes_as_often_as_its_card_says_in_turn(tmp_path: Path) -> None:
    judges = panel(tmp_path, "a", "b", a=3, b=1)
    # Two right, two wrong: all four planned votes are cast, and settle nothing.
    script = plays(lambda name, vote, _: name == "b" or vote == 0)
    given, asker = in_order(judges, script, "a")
    assert [(asked.judge, asked.vote) for asked in asker.asked] == [
        ("openai/a", 0),
        ("openai/b", 0),
        ("openai/a", 1),
        ("openai/a", 2),
    ]
    assert given.reason is Reason.SPLIT_VOTES
    assert [(vote.by, vote.vote, vote.request) for vote in given.votes] == [
        (voter.label, asked.vote, key)
        for voter, asked, key in zip(
            [judges.voters[0], judges.voters[1], judges.voters[0], judges.voters[0]],
            asker.asked,
            asker.keys,
            strict=True,
        )
    ]
    assert given.by == judges.by


def in_order(judges: LoadedCard, script: Callable[[Asked], Said], first: str) -> tuple[Verdict, Scripted]:
    """An item that the named judge is asked about first."""
    for copy in count():
        given, asker = graded(judges, script, task(0, copy))
        if asker.asked[0].judge == f"openai/{first}":
            return given, asker
    raise AssertionError
