"""Replies of judges: what is taken, what is refused, and that nothing is guessed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.judge.reply import ReplyError, ReplyVerdict, parse

OWN = Path(__file__).with_name("reply_cases.jsonl")
POINTS: list[Mapping[str, Any]] = [{"id": "r1", "max": 1}, {"id": "r2", "max": 2}]
WORDS = {"met": 2.0, "not_met": 0.0, "partial": 0.5, "cannot_assess": None}


def cases(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def outcome(case: Mapping[str, Any]) -> dict[str, Any]:
    """What parse makes of a case, as far as the case expects something."""
    expect = case["expect"]
    try:
        verdicts = parse(case["reply"], case["points"], case.get("answer"))
    except ReplyError as error:
        told = {
            "error": error.code,
            "retry": error.retry,
            "missing": list(error.missing),
            "point": error.point,
        }
        return {key: value for key, value in told.items() if key in {"error", *expect}}
    wanted = expect.get("verdicts", {})
    return {"verdicts": {point: _part(verdict, wanted.get(point, {})) for point, verdict in verdicts.items()}}


def _part(verdict: ReplyVerdict, wanted: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in asdict(verdict).items() if key in wanted}


@pytest.mark.parametrize("case", cases(OWN), ids=lambda case: case["id"])
def test_a_reply_is_neither_misread_nor_taken_where_it_must_be_refused(case):
    assert outcome(case) == case["expect"], case["why"]


def test_the_shared_replies_are_read_as_they_must_be(shared):
    wrong = [
        (case["id"], got)
        for case in cases(shared / "cases" / "judge_replies.jsonl")
        if (got := outcome(case)) != case["expect"]
    ]
    assert wrong == []


def test_verdicts_come_in_the_order_of_the_points():
    reply = '[{"point_id": "r2", "verdict": "met"}, {"point_id": "r1", "verdict": "not_met"}]'
    assert list(parse(reply, POINTS)) == ["r1", "r2"]


def document(words: Mapping[str, str], **more: Any) -> str:
    verdicts = [
        {"point_id": point, "verdict": word, "points": WORDS[word] if point == "r2" else None, **more}
        for point, word in words.items()
    ]
    return json.dumps({"verdicts": verdicts}, ensure_ascii=False)


WHOLE = ("met", "not_met", "cannot_assess")
judgements = st.fixed_dictionaries({"r1": st.sampled_from(WHOLE), "r2": st.sampled_from(tuple(WORDS))})


@given(st.text())
def test_no_text_breaks_the_reader(text):
    refused_or_complete(text)


@given(st.text(alphabet="{}[]\"'\\,:/*#“”｛［ \n0-1.eEtruNa<think></>r12", max_size=80))
def test_nothing_like_json_breaks_the_reader(text):
    refused_or_complete(text)


KEYS = st.sampled_from(
    [
        *(
            "choices",
            "candidates",
            "output",
            "message",
            "content",
            "parts",
            "type",
            "text",
            "error",
            "status",
        ),
        *("verdicts", "point_id", "verdict", "points", "r1", "r2", "arguments", "function", "tool_calls"),
        *("input", "code", "finish_reason", "stop_reason", "role", "refusal"),
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | KEYS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(KEYS | st.text(max_size=3), JSON, max_size=5))
def test_no_body_breaks_the_reader(body):
    refused_or_complete(body)
    refused_or_complete(json.dumps(body))


def refused_or_complete(reply: str | Mapping[str, Any]) -> None:
    try:
        verdicts = parse(reply, POINTS, "an answer")
    except ReplyError:
        return
    assert list(verdicts) == ["r1", "r2"]


@given(judgements, st.text(max_size=30), st.data())
def test_a_reply_that_was_cut_off_has_no_verdicts(words, rationale, data):
    whole = document(words, rationale=rationale)
    cut = data.draw(st.integers(1, len(whole) - 1))
    with pytest.raises(ReplyError) as refused:
        parse(whole[:cut], POINTS)
    assert refused.value.code == "truncated"


@given(
    judgements,
    judgements,
    st.sampled_from(("\n", " On reflection: ", "\n```\n```json\n", "\n\nThe answer says ")),
)
def test_two_documents_count_only_where_they_agree(first, second, between):
    reply = document(first) + between + document(second)
    if first == second:
        assert {point: said.verdict for point, said in parse(reply, POINTS).items()} == first
    else:
        with pytest.raises(ReplyError, match="contradict"):
            parse(reply, POINTS)


@given(judgements, st.text(max_size=60))
def test_what_a_judge_quotes_decides_nothing(words, quoted):
    """Whatever stands in a string, verdicts and tags included, is only text."""
    for reply in (
        document(words, evidence=quoted),
        document(words, evidence=quoted + document({"r1": "met"})),
    ):
        verdicts = parse(reply, POINTS)
        assert {point: said.verdict for point, said in verdicts.items()} == words


@given(judgements, st.text(max_size=60))
def test_a_quotation_comes_back_as_it_was_written(words, quoted):
    for ascii_only in (True, False):
        reply = json.dumps(json.loads(document(words, evidence=quoted)), ensure_ascii=ascii_only)
        assert parse(reply, POINTS)["r1"].evidence == quoted
        assert parse(reply, POINTS, f"So {quoted} it is.")["r1"].evidence == quoted


LATEX = r"Ka = 1.8 \times 10^{-5}, E = h\nu, \frac{a}{b} \rightarrow \beta\bar{x} \\ \theta"


@pytest.mark.parametrize("start", range(0, len(LATEX), 7))
def test_latex_that_was_not_escaped_is_quoted_as_the_answer_has_it(start):
    quote = LATEX[start:].strip()
    reply = f'[{{"point_id": "r1", "verdict": "met", "evidence": "{quote}"}}]'
    assert parse(reply, POINTS[:1], f"It is $ {LATEX} $.")["r1"].evidence == quote


HOSTILE = [
    "{{{{[[[" * 15_000,
    "[" * 100_000,
    ("[" * 40 + "x") * 2_500,
    '{"r1":' * 20_000,
    '{"r1": 1 x}' * 9_000,
    '{"r1' * 25_000,
    "[/*" * 33_000,
    "{'a" * 30_000,
    '"\\' * 50_000,
    "<think>" * 15_000,
    "{}</think>" * 10_000,
    "```json\n{}\n" * 9_000,
    '["a",' * 20_000 + "x",
    json.dumps("[" * 50_000),
    '{"verdicts": ' * 300 + "1" + "}" * 300,
    "9" * 100_000,
    '[{"point_id": "r1", "verdict": "met", "points": ' + "9" * 100_000 + "}]",
    '[{"point_id": "r1", "verdict": "met", "evidence": "' + r"\n\t" * 30_000 + '"}]',
]


@pytest.mark.parametrize("reply", HOSTILE, ids=lambda reply: reply[:12])
def test_a_hostile_reply_is_refused(reply):
    with pytest.raises(ReplyError):
        parse(reply, POINTS, "an answer")
    with pytest.raises(ReplyError):
        parse({"choices": [{"message": {"content": reply}}]}, POINTS, "an answer")


def test_a_deep_body_is_refused():
    body: dict[str, Any] = {"content": "x"}
    for _ in range(5_000):
        body = {"content": [body]}
    with pytest.raises(ReplyError, match="empty"):
        parse(body, POINTS)
