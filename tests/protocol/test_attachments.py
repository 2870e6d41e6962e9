"""A model is shown the text of an input file as it was when the set was loaded, or the run is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import ProblemError, UsageError
from grader.problem.set import ProblemSet, load_set
from grader.problem.visible import visible
from grader.protocol.attachments import contents
from tests.problem.valid_set import ValidSet


def _set(folder: Path, data: bytes) -> ProblemSet:
    valid = ValidSet(folder)
    valid.sub()["files"] = ["answer.csv"]
    valid.put("tasks/acid-1/files/answer.csv", data)
    return load_set(valid.write())


def _content(problems: ProblemSet) -> str:
    (attachment,) = visible(problems.problems["acid-1"]).subquestions[0].files
    return contents(problems, "acid-1")(attachment)


def test_a_text_is_shown_as_it_stands(tmp_path: Path) -> None:
    text = "x,y\r\n1,2 {x} °\n"
    assert _content(_set(tmp_path, text.encode())) == text


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no text"):
        _content(_set(tmp_path, b"\x89PNG\xff"))


@pytest.mark.parametrize("there", [True, False])
def test_a_file_that_changed_under_a_run_is_refused(tmp_path: Path, there: bool) -> None:
    problems = _set(tmp_path, b"1")
    path = problems.files["acid-1", "files", "answer.csv"].path
    path.write_bytes(b"2") if there else path.unlink()
    with pytest.raises(ProblemError, match="has changed since" if there else "can't be read any more"):
        _content(problems)
