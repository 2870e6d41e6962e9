"""Lines are on disk when somebody is told so, whole or not at all, and one process writes them."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys

import pytest

from grader.errors import UsageError
from grader.record.line_file import BLOCK, LineFile
from tests.record.full_disk import no_file_beyond


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "lines.jsonl"


def opened(path):
    return LineFile(path, "the run")


def append(file, *groups):
    """Append groups of lines at once; the places of each."""

    async def work():
        return await asyncio.gather(*(file.append(group) for group in groups))

    return asyncio.run(work())


def test_lines_that_are_appended_at_once_stand_where_they_are_said_to(path):
    groups = [[f'"{n}"', f'"{n} again"'] for n in range(50)]
    with opened(path) as file:
        places = append(file, *groups)
        for group, where in zip(groups, places, strict=True):
            assert [file.read(place).decode() for place in where] == [f"{line}\n" for line in group]
        assert [place for place, _ in file] == [place for where in places for place in where]
    assert path.read_text().splitlines() == [line for group in groups for line in group]


def test_lines_are_on_disk_before_whoever_appends_them_goes_on(path):
    async def work(file):
        for n in range(3):
            await file.append([str(n)])
            assert path.read_text().splitlines()[-1] == str(n)

    with opened(path) as file:
        asyncio.run(work(file))


def test_lines_are_written_though_their_writer_and_the_loop_end_before(path):
    async def work(file):
        file.append(["1"])
        task = asyncio.create_task(_wait(file.append(["2"])))
        await asyncio.sleep(0)
        task.cancel()
        file.append(["3"])

    with opened(path) as file:
        asyncio.run(work(file))
    assert path.read_text() == "1\n2\n3\n"


async def _wait(future):
    await future


def test_what_a_loop_leaves_while_a_thread_writes_is_written_once_and_in_order(path):
    async def work(file):
        file.append(["1"])
        while not path.stat().st_size:  # until the thread is at work, or has been
            await asyncio.sleep(0)
        file.append(["2"])

    with opened(path) as file:
        for _ in range(20):
            asyncio.run(work(file))
            file.replace([])
        asyncio.run(work(file))
    assert path.read_text() == "1\n2\n"


def test_half_of_a_surrogate_pair_is_written_as_json_that_can_be_read(path):
    with opened(path) as file:
        [[place]] = append(file, [json.dumps("Na\ud83d⁺", ensure_ascii=False)])
        assert json.loads(file.read(place)) == "Na\ud83d⁺"
    assert path.read_text("utf-8") == '"Na\\ud83d⁺"\n'


# A file that is there


@pytest.mark.parametrize("half", ['{"a": ', "x" * (2 * BLOCK + 7)])
@pytest.mark.parametrize("before", ["", '{"b": 1}\n', '{"b": "' + "x" * 3 * BLOCK + '"}\n'])
def test_half_a_last_line_is_cut_off(path, before, half):
    path.parent.mkdir()
    path.write_text(before + half)
    with opened(path) as file:
        file.mend()
        append(file, ["2"])
    assert path.read_text() == before + "2\n"


def test_a_whole_last_line_without_its_end_is_kept(path):
    path.parent.mkdir()
    path.write_text('1\n{"b": 2}')
    with opened(path) as file:
        file.mend()
        append(file, ["3"])
        assert [line for _, line in file] == [b"1\n", b'{"b": 2}\n', b"3\n"]


# Nobody else


def test_a_second_writer_is_refused_and_changes_nothing(path):
    with opened(path) as file:
        append(file, ["1"])
        with pytest.raises(UsageError, match="another process writes the run"), opened(path):
            pass
        file.replace([b"2\n"])
        with pytest.raises(UsageError, match="another process writes the run"), opened(path):
            pass
    with opened(path) as file:
        assert [line for _, line in file] == [b"2\n"]


def test_a_writer_that_was_killed_leaves_no_lock_and_no_other_file(path):
    script = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom grader.record.line_file import LineFile\n"
        "with LineFile(Path(sys.argv[1]), 'the run'):\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path)])
    with opened(path):
        pass
    assert [one.name for one in path.parent.iterdir()] == [path.name]


# No room


def test_lines_without_room_are_refused_and_leave_nothing_of_themselves(path):
    with opened(path) as file:
        append(file, ["1"])
        with no_file_beyond(8), pytest.raises(UsageError, match=r"can't write the run: File too large"):
            append(file, ["222"], ["33333"])
        assert path.read_text() == "1\n"
        [[place]] = append(file, ["4"])
        assert file.read(place) == b"4\n"
    assert path.read_text() == "1\n4\n"


def test_lines_that_replace_others_do_so_whole_or_not_at_all(path):
    with opened(path) as file:
        append(file, ["1"])
        with no_file_beyond(8), pytest.raises(UsageError, match="can't write the run"):
            file.replace([b"22222\n", b"33333\n"])
        append(file, ["4"])
    assert path.read_text() == "1\n4\n"
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_path_where_no_file_can_be_is_refused_in_words(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="can't write the run"), opened(tmp_path / "file" / "run.jsonl"):
        pass
    os.mkfifo(tmp_path / "pipe")  # opened, it would wait for a reader
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(UsageError, match="the run can only be kept in a file"), opened(path):
            pass


def test_a_link_stays_a_link_and_its_file_is_written(path):
    path.parent.mkdir()
    link = path.with_name("link")
    link.symlink_to(path)
    with opened(link) as file:
        file.replace([b"1\n"])
        append(file, ["2"])
    assert link.is_symlink()
    assert path.read_text() == "1\n2\n"
