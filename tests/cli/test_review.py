"""argus review: who is invited, where the desk opens, and that it opens to nobody else."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys

import httpx2
import pytest

from grader.archive.store import open_archive
from grader.review import extra
from grader.review.security import token_hash


@pytest.fixture
def archive(tmp_path):
    """An empty archive where the command looks for it."""
    with open_archive(str(tmp_path / "argus.db")) as opened:
        yield opened


def test_an_invitation_is_a_link_of_which_only_the_hash_is_kept(argus, archive):
    first = argus("review", "invite", "Ada", "--adjudicator")
    found = re.fullmatch(r"http://127\.0\.0\.1:8765/enter\?token=([\w-]{43})\n", first.out)
    assert first.code == 0
    assert found is not None
    assert archive.reviewer(token_hash(found[1])).adjudicates
    again = argus("review", "invite", "Ada", "--address", "https://review.example/")
    assert again.out.startswith("https://review.example/enter?token=")
    assert archive.reviewer(token_hash(found[1])) is None
    (ada,) = archive.reviewers()
    assert not ada.adjudicates


def test_a_link_ends(argus, archive):
    argus("review", "invite", "Ada")
    assert argus("review", "revoke", "Ada").code == 0
    assert archive.reviewers()[0].revoked is not None
    unknown = argus("review", "revoke", "Bo")
    assert (unknown.code, "nobody of that name" in unknown.err) == (2, True)


def test_the_status_says_who_has_marked_how_much(argus, archive):
    argus("review", "invite", "Ada", "--adjudicator")
    said = argus("review", "status").out
    assert said == "items: 0 open, 0 done, 0 withdrawn\nAda, adjudicator: 0 marked\n"


@pytest.mark.parametrize("name", ["", " ", " Ada", "A\x1b[31mda", "A\nda", "A\u202eda"])
def test_a_name_that_would_rewrite_a_terminal_is_none(argus, archive, name):
    assert argus("review", "invite", name).code == 2
    assert archive.reviewers() == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--host", "0.0.0.0"], "without encryption"),
        (["--tls-cert", "cert.pem"], "--tls-key"),
        (["--tls-cert", "cert.pem", "--tls-key", "key.pem"], "certificate can't be used"),
        (["--address", "http://review.example"], "without encryption"),
        (["--report", "none.json"], "can't read the report: No such file"),
    ],
)
def test_an_option_that_would_open_it_to_others_or_is_wrong_is_one_line_and_exit_2(
    argus, archive, words, said
):
    ended = argus("review", *words)
    assert (ended.code, ended.err.count("\n"), said in ended.err) == (2, 1, True)


def test_a_missing_package_is_one_line_and_exit_2(argus, archive, monkeypatch):
    monkeypatch.setitem(extra.NEEDED, "a_package_that_is_not_there", "uvicorn")
    ended = argus("review")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert "no uvicorn. Install them: pip install 'argus-rubric[review]'" in ended.err


def test_a_port_that_is_taken_is_one_line_and_exit_2(argus, archive):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = argus("review", "--port", taken.getsockname()[1])
    assert (ended.code, "Give another --port" in ended.err) == (2, True)


def test_the_desk_says_where_it_is_and_ends_with_ctrl_c(archive, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    archive.invite("Ada", token_hash("t" * 43))
    command = [sys.executable, "-m", "grader", "review", "--port", str(port)]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as desk:
        try:
            assert desk.stdout is not None
            line = desk.stdout.readline()
            assert f"The desk is at http://127.0.0.1:{port}, Ctrl-C ends it." in line
            with httpx2.Client(base_url=f"http://127.0.0.1:{port}") as client:
                assert client.get("/").status_code == 401
                client.get("/enter", params={"token": "t" * 43})
                page = client.get("/")
            assert (page.status_code, "0 items wait" in page.text) == (200, True)
            assert "server" not in page.headers
        finally:
            desk.send_signal(signal.SIGINT)
        assert desk.wait(30) in (0, 130)
