"""Whatever a model returns can be kept, and comes back as it was."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.dialects import sqlite

from grader.archive.columns import AnyText
from tests.archive.sample import SET, reply

HOSTILE = [
    "\x00",
    "a\x00b",
    "\ud800 alone",
    "\udfff\x10",
    "\x100000",
    "\x10",
    "'; DROP TABLE responses; --",
    "\\u0000",
    "Ångström ⇌ 🧪 \u2028 \ufeff",
    "%s %(x)s :name ?",
    "line\r\nline\u0085",
]

any_text = st.text(st.characters() | st.sampled_from("\x00\x10\ud800\udfff0123456789abcdef"), max_size=40)


@given(any_text)
def test_escaping_is_undone_and_leaves_nothing_unstorable(text):
    column, dialect = AnyText(), sqlite.dialect()
    stored = column.process_bind_param(text, dialect)
    assert stored is not None
    assert "\x00" not in stored
    stored.encode("utf-8")
    assert column.process_result_value(stored, dialect) == text


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_replies_come_back_as_they_were(archive, text):
    run = archive.put_run("d", f"run {text}", {"note": text})
    received = reply(1, "p", "s", text, finish_reason=text, error=text, meta={"files": [text]})
    (digest,) = archive.put_responses(run, [received])
    assert archive.response(digest) == received.response
    (stored,) = archive.runs()
    assert (stored.name, stored.header) == (f"run {text}", {"note": text})
    assert archive.runs(f"run {text}") == [stored]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(any_text, min_size=1, max_size=8, unique=True))
def test_any_batch_of_replies_comes_back(archive, texts):
    run = archive.put_run("d", "run", {})
    received = [reply(n, "p", "s", text, sample=n) for n, text in enumerate(texts, 1)]
    digests = archive.put_responses(run, received)
    assert [archive.response(digest) for digest in digests] == [one.response for one in received]


def test_content_that_is_not_there_is_a_key_error(archive):
    for look_up in (archive.response, archive.problem, archive.image):
        with pytest.raises(KeyError):
            look_up("no such digest")


def test_a_set_is_kept_whole_and_once(archive):
    from tests.archive.sample import DOT

    archive.put_images([DOT, DOT])
    assert archive.put_set(SET) == archive.put_set(SET) == SET.digest
    assert archive.image(DOT.digest) == DOT
    for problem in SET.problems:
        kept = archive.problem(problem.hash)
        assert (kept.content, list(kept.nodes), kept.images) == (
            problem.content,
            list(problem.nodes),
            problem.images,
        )
    assert archive.counts()["problem_points"] == 4
