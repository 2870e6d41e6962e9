"""A run goes on where it ended, and only the run that it was."""

from __future__ import annotations

import asyncio
import os
import tracemalloc

import pytest

from grader.errors import RunError, UsageError
from grader.record import Response, RunHeader, RunReader
from grader.record.run_file import MAX_LINE, SCHEMA_VERSION
from grader.record.run_log import RunLog
from tests.record.full_disk import no_file_beyond

HEADER = RunHeader(
    schema_version=SCHEMA_VERSION,
    model="m",
    problems="../set",
    visible_hash="cafe",
    prompt_profile="plain@1",
    parameters={"max_tokens": 100, "oracle": {"scope": "previous"}},
    versions={"argus": "1"},
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


def response(n, text="an answer", error=None, **meta):
    return Response("m", "p", f"p-{n}", "sequential_carry", "text_only", 0, text, error=error, meta=meta)


def append(log, *responses):
    async def work():
        return [await log.append(one) for one in responses]

    return asyncio.run(work())


def write(path, *responses, header=HEADER):
    with RunLog(path, header) as log:
        append(log, *responses)


def there(path):
    return [one for _, one in RunReader(path)]


def test_a_run_that_is_gone_on_with_knows_its_responses_and_reads_them_from_the_file(path):
    first, second = response(1, carried=[{"role": "tool"}]), response(2, text="2 H₂O", reasoning="long")
    write(path, first, second)
    seen: list[Response] = []
    with RunLog(path, HEADER, seen.append) as log:
        assert seen == [first, second]
        assert [one.key in log for one in (first, second, response(3))] == [True, True, False]
        assert log.line(first.key)["carried"] == [{"role": "tool"}]
        append(log, response(3))
        assert log.line(response(3).key)["text"] == "an answer"
    assert there(path) == [first, second, response(3)]


def test_failed_calls_are_dropped_and_the_others_stay_as_they_are(path):
    write(path, response(1, text="1", error="timeout"), response(2, text="2"), response(3, text="3"))
    lines = path.read_text().splitlines()
    with RunLog(path, HEADER) as log:
        assert response(1).key not in log
        assert [log.line(response(n).key)["text"] for n in (2, 3)] == ["2", "3"]
        append(log, response(1, text="1 again"))
    assert path.read_text().splitlines()[:-1] == [lines[0], *lines[2:]]
    assert there(path) == [response(2, text="2"), response(3, text="3"), response(1, text="1 again")]


def test_a_failed_call_is_no_response_while_the_run_goes_on(path):
    with RunLog(path, HEADER) as log:
        append(log, response(1, text="", error="timeout"))
        assert response(1).key not in log


def test_a_failure_that_is_final_stays_and_binds(path):
    over = response(1, text="", error="too long")

    def final(one):
        return one.error == "too long"

    with RunLog(path, HEADER, final=final) as log:
        append(log, over, response(2, error="timeout"))
        assert [response(n).key in log for n in (1, 2)] == [True, False]
    with RunLog(path, HEADER, final=final) as log:
        assert over.key in log
        assert log.line(over.key)["error"] == "too long"
    assert there(path) == [over]
    other = HEADER.model_copy(update={"model": "other"})
    with pytest.raises(UsageError, match="other terms: model"), RunLog(path, other, final=final):
        pass


def test_what_is_added_to_a_run_stands_in_its_header_and_costs_no_response(path):
    write(path, response(1), response(2, error="timeout"))
    parameters = {**HEADER.parameters, "samples": 3, "reader": {"model": "eye"}}
    more = HEADER.model_copy(update={"parameters": parameters, "versions": {"argus": "2"}})
    with RunLog(path, more) as log:
        assert log.line(response(1).key)["text"] == "an answer"
        append(log, response(3))
    assert RunReader(path).header == more.model_copy(update={"versions": {"argus": "1"}})
    assert there(path) == [response(1), response(3)]
    fewer = HEADER.model_copy(update={"parameters": {"max_tokens": 100, "samples": 2}})
    before = path.read_bytes()
    with RunLog(path, fewer):
        pass
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "change", [{"model": "other"}, {"parameters": {"max_tokens": 100, "oracle": {"scope": "all"}}}]
)
def test_looking_whether_a_run_can_be_made_writes_nothing(path, change):
    RunLog(path / "of" / "folders", HEADER).check()
    RunLog(path, HEADER).check()
    assert not path.exists()
    write(path, response(1))
    path.write_bytes(path.read_bytes() + b'{"half')
    before = path.read_bytes()
    RunLog(path, HEADER).check()
    with pytest.raises(UsageError, match="other terms"):
        RunLog(path, HEADER.model_copy(update=change)).check()
    assert path.read_bytes() == before


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_half_a_line_is_cut_off(path, cut):
    write(path, response(1), response(2))
    path.write_bytes(path.read_bytes()[:-cut])
    with RunLog(path, HEADER) as log:
        # whoever lost nothing but its end lost nothing
        assert [response(n).key in log for n in (1, 2)] == [True, cut == 1]
        if cut > 1:
            append(log, response(2))
    assert there(path) == [response(1), response(2)]


def test_a_run_that_was_killed_before_its_header_was_there_begins_anew(path):
    path.touch()
    path.with_name(f".{path.name}.part").write_text('{"schema_ver')
    write(path, response(1))
    assert RunReader(path).header == HEADER
    assert there(path) == [response(1)]
    assert [one.name for one in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"model": "other"}, "other terms: model; got model = 'other'; expected 'm'"),
        ({"visible_hash": "beef"}, "other terms: visible_hash"),
        ({"prompt_profile": "parity@2"}, "other terms: prompt_profile"),
        (
            {"parameters": {"max_tokens": 100, "oracle": {"scope": "all"}}},
            r"other terms: parameters.oracle.scope; got parameters.oracle.scope = 'all'; expected 'previous'",
        ),
        (
            {"parameters": {"oracle": {"scope": "previous"}, "seed": 1}},
            r"parameters.max_tokens, parameters.seed; got parameters.max_tokens = nothing; expected 100",
        ),
    ],
)
def test_a_run_made_on_other_terms_is_refused_by_the_fields_that_differ(path, change, said):
    write(path, response(1))
    path.write_bytes(path.read_bytes()[:-9])
    before = path.read_bytes()
    with pytest.raises(UsageError, match=said), RunLog(path, HEADER.model_copy(update=change)):
        pass
    assert path.read_bytes() == before


def test_a_run_goes_on_in_another_version_and_another_folder(path):
    write(path, response(1))
    moved = HEADER.model_copy(update={"versions": {"argus": "2"}, "problems": "elsewhere/set"})
    with RunLog(path, moved) as log:
        assert response(1).key in log


@pytest.mark.parametrize(
    "text",
    ["# A page\nwithout an end", '{"a set": []}', "\n", '{"problem_id": "p", "text": "someone else\'s"}\n'],
)
def test_a_file_that_is_no_run_is_refused_and_stays_as_it_is(path, text):
    path.write_text(text)
    with pytest.raises(RunError, match="no run that argus run made"), RunLog(path, HEADER):
        pass
    assert path.read_text() == text


def test_a_line_that_is_broken_amid_others_is_named(path):
    write(path, response(1), response(2))
    header, first, second = path.read_text().splitlines()
    path.write_text(f"{header}\n{first[:-9]}\n{second}\n")
    with pytest.raises(RunError, match=r"run\.jsonl:2: not JSON"), RunLog(path, HEADER):
        pass


def test_two_processes_cant_make_one_run(path):
    with RunLog(path, HEADER) as log:
        append(log, response(1))
        before = path.read_bytes()
        with pytest.raises(UsageError, match="another process writes the run"), RunLog(path, HEADER):
            pass
        assert path.read_bytes() == before


def test_a_full_disk_is_said_and_what_was_there_stays(path):
    write(path, response(1))
    size = path.stat().st_size
    with RunLog(path, HEADER) as log:
        with no_file_beyond(size + 30), pytest.raises(UsageError, match="the same command goes on"):
            append(log, response(2))
        append(log, response(3))
    assert there(path) == [response(1), response(3)]


def test_an_answer_that_no_reader_could_read_is_a_failed_call(path):
    write(path, response(1, text="x" * MAX_LINE, usage={}), response(2, text="⇌" * (MAX_LINE // 3)))
    for one in there(path):
        assert (one.text, one.meta) == ("", {})
        assert "take more than 4 MiB" in str(one.error)


def test_half_a_surrogate_pair_in_an_answer_does_not_end_the_run(path):
    write(path, response(1, text="fine \ud83d"))
    with RunLog(path, HEADER) as log:
        assert log.line(response(1).key)["text"] == "fine \ud83d"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_said(path):
    path.parent.chmod(0o500)
    with pytest.raises(UsageError, match="can't write the run: Permission denied"), RunLog(path, HEADER):
        pass


def test_responses_are_not_held_in_memory(path):
    text = "x" * 100_000
    write(path, *(response(n, text=text) for n in range(20)))
    tracemalloc.start()
    with RunLog(path, HEADER):
        size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size < 20 * len(text) / 4
