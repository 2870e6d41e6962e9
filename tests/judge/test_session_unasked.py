"""A request that is not sent leaves open what needed it, and nothing else."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from grader.judge.cards import LoadedCard
from grader.judge.session import judge
from grader.record import Status
from tests.judge.one_answer import PROSE, SETTLED, TASK, first_then, good, run
from tests.judge.scripted import UNSENT, Asked, Said, Scripted, card, says, verdict


@pytest.mark.parametrize(("votes", "asked"), [(1, 1), (3, 2), (4, 3), (5, 3)])
def test_the_whole_round_is_tried_before_an_answer_is_left_open(
    tmp_path: Path, votes: int, asked: int
) -> None:
    asker = Scripted(lambda _: UNSENT)
    judgement = asyncio.run(judge(card(tmp_path, votes=votes), TASK, asker))
    assert judgement.verdicts == {}
    assert judgement.unasked is not None
    assert judgement.unasked.request.key in asker.keys
    assert len(set(asker.keys)) == asked


def test_what_is_not_sent_for_one_point_stops_no_other(tmp_path: Path) -> None:
    def script(asked: Asked) -> Said:
        if asked.points == ("p1",):
            return UNSENT
        return good(asked) if asked.repair else PROSE

    asker = Scripted(script)
    judgement = asyncio.run(judge(card(tmp_path, calls="point", votes=3), TASK, asker))
    assert {point: given.status for point, given in judgement.verdicts.items()} == {"p2": Status.MET}
    assert judgement.unasked is not None
    # Of p1 the first round; of p2 the first round and its repairs.
    assert Counter((asked.points, asked.repair) for asked in asker.asked) == {
        (("p1",), False): 2,
        (("p2",), False): 2,
        (("p2",), True): 2,
    }


@pytest.mark.parametrize("money", range(5))
def test_every_reply_that_was_paid_for_is_a_verdict(tmp_path: Path, money: int) -> None:
    points = tuple(replace(SETTLED, id=f"p{number}") for number in range(4))
    task = replace(TASK, criteria=points)
    purse = iter(range(money))

    def script(asked: Asked) -> Said:
        return good(asked) if next(purse, None) is not None else UNSENT

    judgement = asyncio.run(judge(card(tmp_path, calls="point"), task, Scripted(script)))
    assert list(judgement.verdicts) == [one.id for one in points[:money]]
    assert (judgement.unasked is None) == (money == 4)


def test_a_verdict_waits_for_all_ballots_that_could_change_it(tmp_path: Path) -> None:
    """The third vote, needed for p2, would make p1 less sure: kept too early, p1 would change later."""

    def script(asked: Asked) -> Said:
        if asked.vote == 2:
            return UNSENT
        return says(verdict("p1", "met", "SN2"), verdict("p2", "met" if asked.vote else "not_met", "SN2"))

    judgement = asyncio.run(judge(card(tmp_path, votes=3), TASK, Scripted(script)))
    assert judgement.verdicts == {}
    assert judgement.unasked is not None


def test_a_repair_that_is_not_sent_leaves_its_request_open(one: LoadedCard) -> None:
    asker = Scripted(first_then(says(verdict("p1", "met", "SN2")), UNSENT))
    judgement = asyncio.run(judge(one, TASK, asker))
    assert judgement.verdicts == {}
    assert judgement.unasked is not None
    assert judgement.unasked.request.key == asker.keys[1]


def test_an_error_worse_than_an_unsent_request_comes_first(tmp_path: Path) -> None:
    def script(asked: Asked) -> Said:
        if asked.points == ("p2",):
            raise ZeroDivisionError
        return UNSENT

    with pytest.raises(ZeroDivisionError):
        run(card(tmp_path, calls="point"), TASK, script)
