"""A run is read as a stream, and whatever is wrong in it is named with its line."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import RunError
from grader.record import MODES, Response, RunHeader, RunReader, response_line, write_run
from grader.record.run_file import MAX_LINE

CATALOGUE = {"P1": ["P1-1", "P1-2"], "P2": ["P2-1"]}


@pytest.fixture
def write(tmp_path):
    def writer(*lines, name="solver.jsonl", end="\n", prefix=b""):
        path = tmp_path / name
        rows = [
            line
            if isinstance(line, bytes)
            else (line if isinstance(line, str) else json.dumps(line)).encode()
            for line in lines
        ]
        path.write_bytes(prefix + end.encode().join([*rows, b""]))
        return path

    return writer


def read(path, **options):
    return [response for _, response in RunReader(path, CATALOGUE, **options)]


def fault(path, **options):
    with pytest.raises(RunError) as caught:
        read(path, **options)
    (found,) = caught.value.faults
    return found


def test_a_minimal_line_of_a_subquestion_is_unstated(write):
    (response,) = read(write({"sub_id": "P1-2", "text": "x"}))
    assert response.key == ("solver", "P1", "P1-2", "unstated", "unstated", 0)


def test_a_minimal_line_of_a_problem_is_full_problem(write):
    (response,) = read(write({"problem_id": "P1", "text": "x"}))
    assert response.key == ("solver", "P1", None, "full_problem", "unstated", 0)


def test_a_line_overrides_the_header(write):
    header = {"schema_version": 1, "model": "m", "protocol": "sequential_carry", "mode": "text_only"}
    path = write(
        header, {"sub_id": "P1-1", "text": "x"}, {"sub_id": "P1-1", "text": "x", "mode": "multimodal"}
    )
    assert [(r.model, r.protocol, r.mode) for r in read(path)] == [
        ("m", "sequential_carry", "text_only"),
        ("m", "sequential_carry", "multimodal"),
    ]


def test_a_byte_order_mark_and_crlf_change_nothing(write):
    lines = [{"schema_version": 1, "model": "m"}, {"sub_id": "P1-1", "text": "a\r\nb"}]
    path = write(*lines, end="\r\n", prefix=b"\xef\xbb\xbf")
    assert [(r.model, r.text) for r in read(path)] == [("m", "a\r\nb")]


def test_blank_lines_are_passed_over_and_numbers_stay_right(write):
    path = write({"sub_id": "P1-1", "text": "x"}, "", "  ", {"sub_id": "P9", "text": "x"})
    assert fault(path).line == 4


def test_a_failed_call_needs_no_text_and_is_no_answer(write):
    (response,) = read(write({"sub_id": "P1-1", "text": None, "error": {"status": 500}}))
    assert (response.text, response.error) == ("", '{"status": 500}')


def test_what_is_not_graded_is_kept(write):
    line = {"sub_id": "P1-1", "text": "x", "usage": {"output": 3}, "cost": 0.5, "response_id": "r1"}
    reader = RunReader(write(line), CATALOGUE)
    ((_, response),) = reader
    assert response.meta == {"usage": {"output": 3}, "cost": 0.5, "response_id": "r1"}
    assert reader.notes == {"response_id": 1}


BROKEN = {
    "not JSON": ("{'sub_id': 1}", None, "not JSON"),
    "an array": ("[1]", None, "object"),
    "a name twice": ('{"sub_id": "P1-1", "text": "a", "text": "b"}', None, "'text' occurs twice"),
    "a NaN": ('{"sub_id": "P1-1", "text": "a", "usage": {"n": NaN}}', None, "NaN is not JSON"),
    "nested beyond reason": ("[" * 100_000, None, "not JSON"),
    "a sample no database holds": ({"sub_id": "P1-1", "text": "", "sample": 2**31}, "/sample", "less than"),
    "a wrong type": ({"sub_id": "P1-1", "text": 3}, "/text", "string"),
    "a text of null": ({"sub_id": "P1-1", "text": None}, "/text", "without text"),
    "no text": ({"sub_id": "P1-1"}, "/text", "required"),
    "a sample below zero": ({"sub_id": "P1-1", "text": "", "sample": -1}, "/sample", "greater"),
    "an unknown protocol": (
        {"sub_id": "P1-1", "text": "", "protocol": "oracle"},
        "/protocol",
        "full_problem",
    ),
    "an unknown problem": ({"problem_id": "P3", "text": ""}, "/problem_id", "unknown problem_id"),
    "an unknown subquestion": ({"sub_id": "P1-3", "text": ""}, "/sub_id", "did you mean 'P1-"),
    "another problem's subquestion": (
        {"problem_id": "P2", "sub_id": "P1-1", "text": ""},
        "/problem_id",
        "'P1'",
    ),
    "neither id": ({"text": ""}, None, "neither"),
    "a misspelt field": (
        {"sub_id": "P1-1", "text": "", "protocl": "x"},
        "/protocl",
        "Did you mean 'protocol'",
    ),
    "full_problem with a sub_id": (
        {"sub_id": "P1-1", "text": "", "protocol": "full_problem"},
        "/sub_id",
        "no sub_id",
    ),
    "carry without a sub_id": (
        {"problem_id": "P1", "text": "", "protocol": "sequential_carry"},
        "/sub_id",
        "a sub_id",
    ),
    "Latin-1": (b'{"sub_id": "P1-1", "text": "\xe9"}', None, "byte 0xe9 at byte 29"),
    "a 5 MB line": ({"sub_id": "P1-1", "text": "x" * 5_000_000}, None, "too long"),
}


@pytest.mark.parametrize(("line", "pointer", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_line_stops_with_its_number(write, line, pointer, message):
    found = fault(write({"sub_id": "P2-1", "text": "fine"}, line))
    assert (found.line, found.pointer) == (2, pointer)
    assert message in str(found)


@pytest.mark.parametrize(("line", "pointer", "message"), BROKEN.values(), ids=BROKEN)
def test_keep_going_skips_a_broken_line_and_says_so(write, line, pointer, message):
    path = write({"sub_id": "P2-1", "text": "fine"}, line, {"sub_id": "P1-2", "text": "fine too"})
    reader = RunReader(path, CATALOGUE, keep_going=True)
    assert [r.sub_id for _, r in reader] == ["P2-1", "P1-2"]
    assert [f.line for f in reader.skipped] == [2]


def test_a_second_response_for_one_condition_names_the_first(write):
    path = write(
        {"sub_id": "P1-1", "text": "a"}, {"sub_id": "P1-2", "text": "a"}, {"sub_id": "P1-1", "text": "b"}
    )
    found = fault(path)
    assert found.line == 3
    assert "the first is on line 1" in str(found)


def test_reading_twice_finds_no_duplicates(write):
    reader = RunReader(write({"sub_id": "P1-1", "text": "a"}), CATALOGUE)
    assert list(reader) == list(reader)


def test_a_later_format_is_refused(write):
    with pytest.raises(RunError, match="later format"):
        RunReader(write({"schema_version": 99}))


def test_a_missing_file_fails_at_once(tmp_path):
    with pytest.raises(RunError, match="can't read the run"):
        RunReader(tmp_path / "none.jsonl")


def test_a_pipe_is_refused_because_a_run_is_read_more_than_once(tmp_path):
    pipe = tmp_path / "run.jsonl"
    os.mkfifo(pipe)
    with pytest.raises(RunError, match="not a file"):
        RunReader(pipe)


def test_a_first_line_nested_beyond_reason_is_a_broken_line(write):
    assert fault(write("[" * 100_000)).line == 1


def test_reading_twice_lists_skipped_lines_once(write):
    reader = RunReader(write("{oops"), CATALOGUE, keep_going=True)
    assert list(reader) == list(reader) == []
    assert len(reader.skipped) == 1


def test_a_line_at_the_limit_is_read(write):
    line = json.dumps({"sub_id": "P1-1", "text": ""})
    text = "x" * (MAX_LINE - len(line) - 1)
    (response,) = read(write({"sub_id": "P1-1", "text": text}))
    assert response.text == text


responses = st.builds(
    Response,
    model=st.text(min_size=1).filter(str.strip),
    problem_id=st.just("P1"),
    sub_id=st.sampled_from(["P1-1", "P1-2"]),
    protocol=st.sampled_from(["sequential_carry", "oracle_scaffolded", "unstated"]),
    mode=st.sampled_from(MODES),
    sample=st.integers(0, 5),
    text=st.text(),
    finish_reason=st.none() | st.just("stop"),
    meta=st.just({}) | st.just({"cost": 0.25}),
)


@given(st.lists(responses, unique_by=lambda r: r.key))
def test_what_is_written_is_read_back(tmp_path_factory, written):
    path = tmp_path_factory.mktemp("run") / "run.jsonl"
    write_run(path, RunHeader(schema_version=1), written)
    assert read(path) == written


def test_defaults_are_left_out_of_a_line():
    line = response_line(Response("m", "P1", None, "full_problem", "unstated", 0, "x"))
    assert json.loads(line) == {
        "model": "m",
        "problem_id": "P1",
        "protocol": "full_problem",
        "sample": 0,
        "text": "x",
    }
