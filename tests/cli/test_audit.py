"""argus audit report, compare and budget, as typed: formats, files, and what is wrong in one line."""

from __future__ import annotations

import json

import pytest

from grader.archive.store import open_archive
from tests.audit.drawn import CARD, Script, drawn_archive
from tests.audit.two_judges import OTHER, erring, two_judges


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    """An archive that two judges graded, half of it marked."""
    folder = tmp_path_factory.mktemp("marked")
    with two_judges(folder, Script(problems=12, judge=erring(0.3)), erring(0.05)) as desk:
        desk.mark("Ann")
    return f"sqlite:///{folder / 'argus.db'}"


def test_a_card_is_printed_in_every_format(argus, marked):
    words = ("audit", "report", "--archive", marked, "--judge", CARD)
    assert f"Report card: judge {CARD}" in argus(*words).out
    assert argus(*words, "--format", "md").out.startswith("# Report card")
    assert argus(*words, "--format", "html").out.startswith("<!doctype html>")
    found = json.loads(argus(*words, "--format", "json").out)
    assert (found["schema_version"], found["judge"]) == (1, CARD)


def test_equal_seed_equal_bytes(argus, marked):
    words = ("audit", "report", "--archive", marked, "--judge", "strict", "--format", "json", "--seed", "3")
    assert argus(*words).out == argus(*words).out


def test_a_card_goes_into_a_file(argus, marked, tmp_path):
    done = argus(
        "audit", "report", "--archive", marked, "--judge", "strict", "--format", "md", "-o", "card.md"
    )
    assert (done.code, done.out) == (0, "")
    assert (tmp_path / "card.md").read_text().startswith("# Report card")


def test_judges_are_compared_and_marks_planned(argus, marked):
    done = argus("audit", "compare", "scripted", "strict", "--archive", marked)
    assert done.code == 0
    assert f"{CARD} against {OTHER}" in done.out
    done = argus("audit", "budget", "--width", "4pp", "--archive", marked, "--judge", "strict", "--cells", 5)
    assert done.code == 0
    assert "What 5 scores take" in done.out
    found = argus(
        "audit", "budget", "--width", "0.04", "--archive", marked, "--judge", "strict", "--format", "json"
    )
    assert json.loads(found.out)["width"] == pytest.approx(0.04)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("report", "--judge", "nobody"), "no run was graded by this judge"),
        (("report", "--level", "1"), "--level"),
        (("report", "--level", "nan"), "--level"),
        (("report", "--suite", "nothing"), "nothing"),
        (("report", "nowhere"), "no such run"),
        (("report", "-o", "/nowhere/card.md", "--judge", "strict"), "can't be written"),
        (("budget", "--width", "2"), "--width"),
        (("budget", "--width", "0pp"), "--width"),
        (("budget", "--width", "wide"), "--width"),
        (("budget", "--width", "2pp", "--error-rate", "2", "--judge", "strict"), "rate"),
        (("compare", "strict", OTHER), "compared with another one"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(argus, marked, words, said):
    done = argus("audit", *words, "--archive", marked)
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1


def test_marks_that_are_there_count_whatever_error_rate_is_assumed(argus, marked):
    words = (
        "audit",
        "budget",
        "--width",
        "4pp",
        "--archive",
        marked,
        "--judge",
        "strict",
        "--format",
        "json",
    )
    plan, assumed = (json.loads(argus(*words, *more).out) for more in ((), ("--error-rate", "0.1")))
    assert assumed["marks"] == plan["marks"] > 0


def test_an_archive_that_nobody_marked_says_how_to_mark(argus, tmp_path):
    with drawn_archive(tmp_path, Script(problems=3)):
        pass
    url = f"sqlite:///{tmp_path / 'argus.db'}"
    assert "argus review" in argus("audit", "report", "--archive", url).out
    done = argus("audit", "budget", "--width", "2pp", "--archive", url)
    assert done.code == 2
    assert "argus review" in done.err


def test_an_empty_archive_is_refused(argus, tmp_path):
    with open_archive(f"sqlite:///{tmp_path / 'empty.db'}"):
        pass
    done = argus("audit", "report", "--archive", f"sqlite:///{tmp_path / 'empty.db'}")
    assert done.code == 2
    assert "no graded run" in done.err


def test_review_status_tells_how_far_the_correction_is(argus, marked):
    assert "drawn points marked" in argus("review", "status", "--archive", marked).out
