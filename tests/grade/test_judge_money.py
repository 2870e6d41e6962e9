"""What a judge costs: counted to the cent, and never more than allowed."""

from __future__ import annotations

import random

import pytest

from grader.archive.store import open_archive
from grader.errors import UsageError
from tests.grade.judged import estimate_of, judge_by_number, judge_run, verdicts, write_card, write_run
from tests.model_server import Faults, model_server
from tests.scripted_judge import judge_reply

PRICE = "{input = 1.0, output = 4.0}"
KINDS = ("429", "500", "broken", "truncated", "html", "empty", "prose", "refusal")


@pytest.fixture
def archive(tmp_path):
    with open_archive(f"sqlite:///{tmp_path / 'argus.db'}") as opened:
        yield opened


def check_limit(tmp_path, archive, seed):
    chance = random.Random(seed)
    run = write_run(tmp_path / "set", 12)
    faults = Faults(share=chance.choice([0, 0.5]), always=chance.choice([0, 0.2]), kinds=KINDS, seed=seed)
    limits = f"{{concurrency = {chance.choice([1, 3, 20])}, timeout = 20}}"
    parameters = f"{{max_tokens = {chance.choice([50, 400, 4000])}}}"
    limit = chance.choice([0.0, 0.002, 0.01, 0.03, 0.2])
    with model_server(judge_by_number, faults) as server:
        card = write_card(tmp_path, server.base_url, limits=limits, parameters=parameters, price=PRICE)
        first = judge_run(run, archive, card, max_cost=limit / 2)
        assert server.counts.cost <= limit / 2
        assert first.summary["judge"]["cost"] == pytest.approx(server.counts.cost, abs=1e-9)
        second = judge_run(run, archive, card, max_cost=limit)  # the limit is for all gradings of the run
        assert server.counts.cost <= limit
        assert second.summary["judge"]["cost"] == pytest.approx(server.counts.cost, abs=1e-9)
        judge_run(run, archive, card)
        assert all(count == 1 for count in server.counts.completed.values())
    assert len({one["sample"] for one in verdicts(archive)}) == 12


@pytest.mark.parametrize("seed", range(4))
def test_no_limit_is_ever_passed_and_every_cost_is_the_servers(tmp_path, archive, seed):
    check_limit(tmp_path, archive, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4, 50))
def test_no_limit_is_passed_in_many_settings(tmp_path, archive, seed):
    check_limit(tmp_path, archive, seed)


def test_a_limit_needs_a_price(tmp_path, archive):
    card = write_card(tmp_path, "http://127.0.0.1:9/v1")
    with pytest.raises(UsageError, match="--price"):
        judge_run(write_run(tmp_path / "set", 1), archive, card, max_cost=1.0)


def test_attempts_whose_end_nobody_saw_count_in_the_next_grading_too(tmp_path, archive):
    run = write_run(tmp_path / "set", 4)
    limits = "{concurrency = 1, timeout = 20, attempts = 1}"
    with model_server(judge_by_number, Faults(always=1.0, kinds=("broken",))) as server:
        card = write_card(tmp_path, server.base_url, limits=limits, price=PRICE)
        most = (estimate_of(run, archive, card).most_cost or 0) / 4
        judge_run(run, archive, card, max_cost=2.5 * most)
        assert server.counts.received.total() == 2
        result = judge_run(run, archive, card, max_cost=2.5 * most)
        assert server.counts.received.total() == 2
    assert result.summary["judge"]["unasked"] == {"budget": 4}
    assert result.summary["judge"]["cost"] == 0.0


def test_a_limit_needs_a_price_after_calls_of_unknown_price_too(tmp_path, archive):
    run = write_run(tmp_path / "set", 2)
    with model_server(judge_by_number) as server:
        judge_run(run, archive, write_card(tmp_path, server.base_url))
        other = write_card(tmp_path, server.base_url, "other")
        with pytest.raises(UsageError, match="--price"):
            judge_run(run, archive, other, max_cost=1.0)


def test_a_cost_that_nobody_knows_is_none_and_not_zero(tmp_path, archive):
    with model_server(judge_by_number) as server:
        result = judge_run(write_run(tmp_path / "set", 3), archive, write_card(tmp_path, server.base_url))
    assert result.summary["judge"]["cost"] is None
    assert result.summary["judge"]["unpriced"] == 3


def test_a_dry_run_sends_nothing_and_bounds_what_asking_costs(tmp_path, archive):
    run = write_run(tmp_path / "set", 9)
    with model_server(judge_by_number) as server:
        card = write_card(tmp_path, server.base_url, price=PRICE)
        estimate = estimate_of(run, archive, card)
        assert server.counts.received.total() == 0
        assert estimate.calls == 9
        judge_run(run, archive, card)
        assert server.counts.received.total() == 9
        assert 0 < server.counts.cost <= (estimate.most_cost or 0)
        assert estimate_of(run, archive, card).calls == 0


def test_a_dry_run_bounds_split_votes_and_repairs_too(tmp_path, archive):
    run = write_run(tmp_path / "set", 8)

    def divided(body):
        if len(body["messages"]) == 2:
            return "Well done."  # every first reply has to be mended
        return judge_reply(body, lambda *_: ("met", "not_met")[body["seed"] % 2])

    with model_server(divided) as server:
        card = write_card(tmp_path, server.base_url, price=PRICE, votes=5, parameters="{seed = 0}")
        estimate = estimate_of(run, archive, card)
        judge_run(run, archive, card)
        assert 8 * 3 < server.counts.received.total() <= estimate.worst_calls
        assert estimate.calls == 8 * 3
        assert server.counts.cost <= (estimate.worst_cost or 0)


def test_a_dry_run_leaves_the_grading_that_holds(tmp_path, archive):
    run = write_run(tmp_path / "set", 3)
    with model_server(judge_by_number) as server:
        first = write_card(tmp_path, server.base_url, "first")
        judge_run(run, archive, first)
        before = list(archive.lines())
        grading = archive.grading(archive.runs()[0])
        second = write_card(tmp_path, server.base_url, "second", locator="{}")
        judge_run(run, archive, second, dry_run=True)
    assert grading.card == first.label
    assert archive.grading(archive.runs()[0]) == grading
    assert list(archive.lines()) == before


def test_the_same_answer_is_judged_once_for_all_who_gave_it(tmp_path, archive):
    from tests.grade.small import line, write_lines

    run = write_run(tmp_path / "set", 0)
    write_lines(run, [line("ice-1", "This is answer number 1.", model) for model in ("a", "b", "c")])
    with model_server(judge_by_number) as server:
        judge_run(run, archive, write_card(tmp_path, server.base_url))
        assert server.counts.received.total() == 1
    assert [one["award"] for one in verdicts(archive)] == [1.0, 1.0, 1.0]
