"""A person answers a run question by question, or in a file; what was answered is never asked again."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from grader.errors import DataError, UsageError
from grader.protocol.person import AnswerFile, Terminal
from grader.protocol.pictures import encoded
from grader.protocol.run import run
from grader.protocol.state import RunState
from tests.protocol.running import request_for, responses, small_set, tries

ROOT = Path(__file__).parents[2]
ANA = {"human": "Ana"}


@pytest.fixture
def problems(tmp_path):
    return small_set(tmp_path / "set", images=True)


class Sitting:
    """What a person types, all at once, and what stood on the screen."""

    def __init__(self, problems: Any, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._problems = problems
        self._monkeypatch = monkeypatch
        self.out = out

    def __call__(self, typed: str | bytes, **shown: Any) -> tuple[RunState, str]:
        """Go on with the run at a pipe that holds what is typed."""
        request = request_for(self._problems, self.out, ANA, **shown)
        screen: list[str] = []
        ours, theirs = os.pipe()
        os.write(theirs, typed.encode() if isinstance(typed, str) else typed)
        os.close(theirs)
        with open(ours, encoding="utf-8") as stdin, self._monkeypatch.context() as patch:  # noqa: PTH123
            patch.setattr(sys, "stdin", stdin)
            state = run(request, Terminal(request, screen.append))
        return state, "\n".join(screen)


@pytest.fixture
def sitting(problems, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Sitting(problems, tmp_path / "run.jsonl", monkeypatch)


CARRIED = {"protocols": ["sequential_carry"]}


def test_questions_come_one_by_one_and_each_answer_ends_with_a_dot(sitting):
    state, screen = sitting("two\n\nlines\n.\nb.\n .\n3\n.\n4\n.\n", **CARRIED)
    assert state.complete
    texts = {one.sub_id: one.text for one in responses(sitting.out)}
    assert texts == {"copper-1": "two\n\nlines", "copper-2": "b.", "iron-1": "3", "iron-2": "4"}
    order = re.findall(r"Question (\d) (of 4|about a metal, \d)", screen)
    assert order == [
        ("1", "of 4"),
        ("1", "about a metal, 6"),
        ("2", "of 4"),
        ("2", "about a metal, 6"),
        ("3", "of 4"),
        ("1", "about a metal, 4"),
        ("4", "of 4"),
        ("2", "about a metal, 4"),
    ]
    assert screen.count("A metal, 6 letters.") == 1  # it still stands on the screen


def test_a_person_makes_an_ordinary_run_under_their_name(sitting):
    state, _ = sitting("1\n.\n", only=["iron"])
    assert [(cell.cost, cell.unpriced) for cell in state.cells.values()] == [(0.0, 0)]
    [one] = responses(sitting.out)
    assert (one.model, one.protocol, one.mode, one.finish_reason) == (
        "Ana",
        "full_problem",
        "text_only",
        "stop",
    )
    assert '"max_tokens"' not in sitting.out.read_text().splitlines()[0]


def test_who_leaves_goes_on_later_where_they_were(sitting):
    state, screen = sitting("first\n.\nnot end", **CARRIED)
    assert (state.complete, state.unasked) == (False, {"person": 3})
    assert 'was not ended by "."' in screen
    state, screen = sitting("second\n.\n3\n.\n4\n.\n", **CARRIED)
    assert state.complete
    assert screen.startswith("\n---- Question 2 of 4")
    assert "Your earlier answer:\nfirst" in screen  # what the question goes on from
    assert [one.text for one in responses(sitting.out)] == ["first", "second", "3", "4"]
    assert len(tries(sitting.out)) == 4


def test_an_answer_that_was_kept_before_the_run_was_cut_isnt_asked_again(sitting):
    sitting("first\n.\n", **CARRIED)
    header, _ = sitting.out.read_text().splitlines()
    sitting.out.write_text(header + "\n")
    state, screen = sitting("", **CARRIED)
    assert [one.text for one in responses(sitting.out)] == ["first"]
    assert "copper" not in screen
    assert state.unasked == {"person": 3}


def test_a_question_may_be_left_blank(sitting):
    state, _ = sitting(".\n.\n")
    assert state.complete
    assert [cell.flags["empty"] for cell in state.cells.values()] == [2]


def test_what_is_no_utf8_is_said(sitting):
    with pytest.raises(UsageError, match="not UTF-8"):
        sitting(b"\xe4\n.\n")


def test_figures_are_files_under_neutral_names(sitting, tmp_path):
    _, screen = sitting("1\n.\n2\n.\n", modes=["multimodal"])
    shown = re.findall(r"\[(Figure \d): (.*)\]", screen)
    assert shown == [(f"Figure {n}", f"run.figures/{p}/Figure {n}.png") for p in (1, 2) for n in (1, 2)]
    from PIL import Image

    for (_, path), size in zip(shown, [(8, 6), (4, 4)] * 2, strict=True):
        with Image.open(tmp_path / path) as image:
            assert image.size == size
    assert not re.search("solution|secret|copper|iron", screen)


def test_an_image_is_encoded_once_for_a_person_and_the_run(sitting, monkeypatch):
    made: list[bytes] = []

    def counted(data: bytes, *limits: int) -> Any:
        made.append(data)
        return encoded(data, *limits)

    monkeypatch.setattr("grader.protocol.pictures.encoded", counted)
    assert sitting("1\n.\n2\n.\n", modes=["multimodal"])[0].complete
    assert len(made) == len(set(made)) == 4


def test_without_images_their_descriptions_are_read(sitting):
    _, screen = sitting("1\n.\n", only=["iron"])
    assert "Figure 1: a plot, a" in screen


def test_nobody_reads_figures_for_a_person(problems, tmp_path):
    reader = {"model": "openai/eyes"}
    request = request_for(problems, tmp_path / "run.jsonl", ANA, modes=["text_reader"], reader=reader)
    for refuse in (lambda: Terminal(request, print), lambda: AnswerFile(request, tmp_path / "a.md")):
        with pytest.raises(UsageError, match="text_reader"):
            refuse()


# At a real terminal

ASKED = "leaves the rest for later):\n"


class Screen:
    """A terminal with ``argus run`` in it."""

    def __init__(self, master: int, process: subprocess.Popen[bytes]) -> None:
        self._master = master
        self._process = process
        self.text = ""

    def until(self, text: str, after: int = 0) -> None:
        """Read on until a text stands there."""
        while text not in self.text[after:]:
            assert self._read(), f"{text!r} never came:\n{self.text}"

    def type(self, text: str) -> None:
        """Type once the line editor has the terminal: a terminal's own line has an end."""
        while termios.tcgetattr(self._master)[3] & termios.ICANON:
            assert self._process.poll() is None, self.text
        os.write(self._master, text.encode())

    def interrupt(self) -> None:
        """Ctrl-C, once it waits: a moment before, the line editor would see it with the next key only."""
        while Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(") ")[2][0] != "S":
            assert self._process.poll() is None, self.text
        self._process.send_signal(signal.SIGINT)

    def ended(self) -> int:
        """The exit code, once it has ended."""
        while self._read():
            pass
        return self._process.wait()

    def _read(self) -> bool:
        """Whether more came."""
        try:
            more = os.read(self._master, 65536).decode("utf-8", "replace").replace("\r\n", "\n")
        except OSError:  # how Linux says that nobody is there any more
            return False
        self.text += more
        return bool(more)


@contextmanager
def at_terminal(*words: object) -> Iterator[Screen]:
    """Type ``argus run`` at a terminal of its own."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "grader", "run", *map(str, words)]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "TERM": "dumb"},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    try:
        yield Screen(master, process)
    finally:
        process.kill()
        process.wait()
        os.close(master)


def test_ctrl_c_at_a_question_keeps_what_was_answered(problems, tmp_path):
    out = tmp_path / "run.jsonl"
    long = "x" * 5000  # longer than a terminal's own line
    with at_terminal(problems.path, "--human", "Ana", "-o", out) as screen:
        screen.until(ASKED)
        screen.type(f"{long}\n.\n")
        screen.until("Question 2 of 2")
        screen.until(ASKED, after=screen.text.index("Question 2 of 2"))
        screen.type("half an ans")
        screen.until("half an ans", after=screen.text.rindex(ASKED))
        screen.interrupt()
        assert screen.ended() == 130
    assert screen.text.endswith("argus: interrupted; what was done is kept, run the same command to go on\n")
    assert [one.text for one in responses(out)] == [long]
    with at_terminal(problems.path, "--human", "Ana", "-o", out) as screen:
        screen.until(ASKED)
        screen.type("\x04")
        assert screen.ended() == 3
    assert "1 of 2" in screen.text
    assert "1 questions wait for their answers" in screen.text


# In a file


@pytest.fixture
def sheet(problems, tmp_path):
    """Run by a file; a second call takes what stands in it."""

    def made(path=tmp_path / "for ana.md", human="Ana", **shown):
        request = request_for(problems, tmp_path / "run.jsonl", {"human": human}, **shown)
        asker = AnswerFile(request, path)
        return run(request, asker), list(asker.notes())

    return made


def filled(path: Path, *answers: str) -> str:
    """Fill in the places of a sheet, in order."""
    given = iter(answers)
    text = re.sub(r"(begins ===\n)", lambda mark: mark[1] + next(given, ""), path.read_text())
    path.write_text(text)
    return text


def test_a_sheet_shows_every_problem_and_a_place_for_each_answer(sheet, tmp_path):
    state, notes = sheet(modes=["multimodal"])
    assert state.unasked == {"person": 2}
    path = tmp_path / "for ana.md"
    assert notes == [f"2 questions written to {path}: fill it in and give the same command"]
    text = path.read_text()
    assert len(re.findall(r"^=== answer [0-9a-f]{12} (begins|ends) ===$", text, re.M)) == 4
    assert "Question 2 about a metal, 4 letters long." in text
    links = re.findall(r"!\[(Figure \d)\]\((.*)\)", text)
    assert [name for name, _ in links] == ["Figure 1", "Figure 2"] * 2
    assert all((tmp_path / link.replace("%20", " ")).is_file() for _, link in links)
    assert not re.search("solution|secret|copper|iron|result", text)


def test_a_sheet_that_is_filled_in_is_taken_in_and_not_asked_for_again(sheet, tmp_path):
    sheet()
    path = tmp_path / "for ana.md"
    filled(path, "$E = mc^2$\n\n  indented\n===\n")
    state, notes = sheet()
    assert (state.complete, state.unasked, notes) == (False, {"person": 1}, [])
    [one] = responses(tmp_path / "run.jsonl")
    assert one.text == "$E = mc^2$\n\n  indented\n==="
    filled(path, "changed afterwards\n", "second\n")
    state, _ = sheet()
    assert state.complete
    assert [one.text for one in responses(tmp_path / "run.jsonl")] == [one.text, "second"]


def test_whatever_stands_outside_of_the_places_doesnt_matter(sheet, tmp_path):
    sheet()
    path = tmp_path / "for ana.md"
    filled(path, "first\n", "second\n")
    lines = [
        line for line in path.read_text().splitlines() if "answer" in line or line in ("first", "second")
    ]
    path.write_bytes(b"\xef\xbb\xbf" + "  \r\n".join([*lines, "notes of my own"]).encode())
    state, _ = sheet()
    assert state.complete
    assert [one.text for one in responses(tmp_path / "run.jsonl")] == ["first", "second"]


@pytest.mark.parametrize(
    ("pattern", "put", "below", "what"),
    [
        (r"=== answer \w+ ends ===\n", "", 0, "has no end"),
        (r"=== answer \w+ begins ===\n", "", 1, "ends, but doesn't begin"),
        (r"(=== answer \w+) begins ===", r"\1 begin", 0, "a broken mark"),
        (r"=== answer \w+ begins", "=== answer 1234 begins", 0, "a broken mark"),
        (r"(=== answer) \w+ (ends)", r"\1 000000000000 \2", 2, "ends, but doesn't begin"),
        (r"(?s)(=== answer \w+ begins.*?ends ===\n)", r"\1\1", 3, "is there twice"),
        (r"(?s)=== .* ===", "", None, "without a place"),
    ],
)
def test_a_broken_mark_is_said_with_its_line(sheet, tmp_path, pattern, put, below, what):
    sheet()
    path = tmp_path / "for ana.md"
    first = path.read_text().partition("===")[0].count("\n") + 1
    path.write_text(re.sub(pattern, put, path.read_text(), count=1))
    with pytest.raises(DataError, match=what) as error:
        sheet()
    assert error.value.faults[0].line == (None if below is None else first + below)
    assert responses(tmp_path / "run.jsonl") == []


def test_a_sheet_of_other_questions_takes_no_answer(sheet, tmp_path):
    sheet()
    path = tmp_path / "for ana.md"
    filled(path, "first\n", "second\n")
    state, notes = sheet(human="Bo")
    assert state.unasked == {"person": 2}
    assert notes == [f"2 questions have no place in {path}: give them a file of their own"]


def test_a_sheet_gives_no_conditions_in_which_it_would_tell_what_comes_later(sheet):
    with pytest.raises(UsageError, match="with them what later ones tell; got oracle_scaffolded, sequential"):
        sheet(protocols=["full_problem", "sequential_carry", "oracle_scaffolded"])


def test_a_sheet_that_cant_be_read_or_written_is_said(sheet, tmp_path):
    (tmp_path / "latin.md").write_bytes(b"\xe4")
    for path, what in [(tmp_path, "Is a directory"), (tmp_path / "latin.md", "not UTF-8")]:
        with pytest.raises(DataError, match=what):
            sheet(path)
    with pytest.raises(UsageError, match="can't write the questions: their folder isn't there"):
        sheet(tmp_path / "latin.md" / "sheet.md")
    (tmp_path / "dangling.md").symlink_to(tmp_path / "gone" / "sheet.md")
    with pytest.raises(UsageError, match="can't write the questions"):
        sheet(tmp_path / "dangling.md")
