"""A test run that must use PostgreSQL can't pass without it."""

from __future__ import annotations

import pytest

from tests import postgres


@pytest.fixture(autouse=True)
def none_installed(monkeypatch):
    monkeypatch.setattr(postgres, "programs", lambda: None)
    monkeypatch.delenv(postgres.GIVEN, raising=False)


def test_without_postgresql_its_tests_are_skipped_with_a_reason(monkeypatch):
    monkeypatch.delenv(postgres.REQUIRED, raising=False)
    with pytest.raises(pytest.skip.Exception, match="not installed"), postgres.server():
        pass


def test_where_postgresql_is_required_they_fail(monkeypatch):
    monkeypatch.setenv(postgres.REQUIRED, "1")
    with pytest.raises(pytest.fail.Exception, match=postgres.REQUIRED), postgres.server():
        pass
