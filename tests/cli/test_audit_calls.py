"""argus audit suites, plan and run as they are typed."""

from __future__ import annotations

import json

import pytest

from tests.audit.audited import replying, write_run, write_suite
from tests.grade.judged import write_card
from tests.grade.small import line, write_lines, write_set
from tests.model_server import Answer, model_server

PRICE = "{input = 1.0, output = 4.0}"
SMALL = """
seed = 3
[retest]
answers = {answers}
repeats = 2
[injection]
answers = {answers}
families = ["assurance"]
"""


@pytest.fixture
def suite(tmp_path):
    return write_suite(tmp_path, 3, text=SMALL).path


@pytest.fixture
def judged(argus, tmp_path):
    """A run of four answers, graded by a judge that is still there."""
    run = write_run(tmp_path / "set", 4)
    with model_server(replying()) as server:
        card = write_card(tmp_path, server.base_url, price=PRICE, parameters="{max_tokens = 100}")
        assert argus("grade", run, "--judge", card.path).code == 0
        yield card, server


def test_the_suites_that_come_with_argus_are_sound_and_listed(argus):
    done = argus("audit", "suites")
    assert done.code == 0, done.err
    assert "standard@" in done.out
    assert "audits: A6, A7, A8, A9, A10, A11, A16, A18" in done.out
    named = {one["name"]: one for one in json.loads(argus("audit", "suites", "--json").out)["suites"]}
    assert named["standard"]["audits"]["A7"]["pairs"] == 200
    assert named["quick"]["hash"] != named["standard"]["hash"]


def test_a_plan_says_calls_price_and_what_could_be_found_and_sends_nothing(argus, judged, suite):
    card, server = judged
    before = server.counts.received.total()
    done = argus("audit", "plan", suite, "--judge", card.path)
    assert done.code == 0, done.err
    for said in ("A6 Test-retest", "3 answers", "9 requests to be sent, at most $0."):
        assert said in done.out
    found = json.loads(argus("audit", "plan", suite, "--judge", card.path, "--json").out)
    assert {one["id"]: (one["requests"], one["paid"]) for one in found["audits"]} == {
        "A6": (3, 3),
        "A9": (6, 0),
    }
    assert server.counts.received.total() == before
    dry = argus("audit", "run", suite, "--judge", card.path, "--dry-run", "--json")
    assert json.loads(dry.out) == found


@pytest.mark.slow
def test_what_was_asked_is_in_the_report(argus, judged, suite):
    card, server = judged
    before = server.counts.received.total()
    done = argus("audit", "run", suite, "--judge", card.path, "--concurrency", "2")
    assert done.code == 0, done.err
    assert "A6 Test-retest: 6 variants judged now, 0 before" in done.out
    assert "9 replies paid now" in done.out
    assert server.counts.received.total() - before == 9
    again = json.loads(argus("audit", "run", suite, "--judge", card.path, "--json").out)
    assert (again["replies"], again["asked"], again["open"]) == (0, {}, {})
    card_page = argus("audit", "report", "--judge", card.label)
    assert card_page.code == 0, card_page.err
    assert "Test-retest" in card_page.out
    assert "points whose verdict changes" in card_page.out


def test_an_exhausted_limit_exits_3_and_a_higher_one_goes_on(argus, judged, suite):
    card, server = judged
    before = server.counts.received.total()
    none = argus("audit", "run", suite, "--judge", card.path, "--max-cost", "0.000001")
    assert none.code == 3
    assert "9 variants were not judged: the rest of --max-cost ($0.000001) would not do" in none.err
    assert server.counts.received.total() == before
    rest = argus("audit", "run", suite, "--judge", card.path, "--max-cost", "1")
    assert rest.code == 0, rest.err
    assert server.counts.received.total() - before == 9


@pytest.mark.slow
def test_calls_that_fail_are_told_and_asked_again(argus, judged, suite):
    card, server = judged
    reply = server.reply
    server.reply = lambda body: Answer(404, {"error": {"message": "the model has gone"}})
    failed = argus("audit", "run", suite, "--judge", card.path)
    assert failed.code == 3
    assert "9 variants were not judged: calls failed" in failed.err
    assert "the model has gone" in failed.err
    server.reply = reply
    assert argus("audit", "run", suite, "--judge", card.path).code == 0


WRONG = [
    (["plan", "no-such-suite", "--judge", "CARD"], "there is no audit suite of that name"),
    (["plan", "no-such-suite", "--judge", "CARD"], "quick, standard, or a path"),
    (["plan", "missing.toml", "--judge", "CARD"], "missing.toml: the file can't be read"),
    (["plan", "quick", "--judge", "no-such-card"], "there is no judge card of that name"),
    (["plan", "quick", "--judge", "CARD", "--archive", "none.db"], "there is no archive"),
    (["plan", "quick", "no-such-run", "--judge", "CARD"], "no such run in the archive"),
    (["plan", "quick", "--judge", "CARD", "--audit", "A99"], "the suite doesn't make this audit"),
    (["run", "quick", "--judge", "UNPRICED", "--max-cost", "1", "--audit", "A6"], "--price"),
]


def test_wrong_input_exits_2_with_one_line_and_sends_nothing(argus, judged, tmp_path):
    card, server = judged
    unpriced = write_card(tmp_path, server.base_url, "unpriced")
    before = server.counts.received.total()
    paths = {"CARD": card.path, "UNPRICED": unpriced.path}
    for words, said in WRONG:
        done = argus("audit", *(paths.get(word, word) for word in words))
        assert done.code == 2
        assert said in done.err
        assert len(done.err.strip().splitlines()) == 1
    assert server.counts.received.total() == before


def test_what_nobody_could_be_asked_about_is_refused_and_formal_points_alone_are_not(argus, tmp_path):
    card = write_card(tmp_path, "http://127.0.0.1:9/v1")
    one = {
        "problem_id": "water",
        "header": "",
        "subquestions": [
            {
                "sub_id": "w",
                "text_open": "How many?",
                "full_mark": 1,
                "rubric": [
                    {"id": "n", "points": 1, "text": "2", "check": {"kind": "integer", "expected": 2}}
                ],
            }
        ],
    }
    run = write_lines(write_set(tmp_path / "set", one) / "run.jsonl", [line("w", "2 atoms")])
    argus("grade", run)
    refused = argus("audit", "plan", "quick", "--judge", card.path, "--audit", "A6", "--audit", "A9")
    assert refused.code == 2
    assert "no answer of these runs has a point that a judge decides" in refused.err
    formal = json.loads(argus("audit", "plan", "quick", "--judge", card.path, "--json").out)
    assert {one["id"]: one["size"] for one in formal["audits"] if one["size"]} == {"A18": 1}
    from grader.archive.store import open_archive

    open_archive("empty.db").close()
    empty = argus("audit", "plan", "quick", "--judge", card.path, "--archive", "empty.db")
    assert empty.code == 2
    assert "the archive holds no graded run" in empty.err
