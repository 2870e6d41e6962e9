"""Content folders are found in a checkout, in a wheel, and where the user says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import grader
from grader.errors import SetupError
from grader.problem.content import content_root


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("ARGUS_CONTENT", raising=False)
    content_root.cache_clear()
    yield
    content_root.cache_clear()


def test_a_checkout_is_its_own_content() -> None:
    assert content_root() == Path(__file__).parents[2]


def test_the_copy_inside_a_wheel_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site/grader/_content/schemas").mkdir(parents=True)
    (tmp_path / "site/schemas").mkdir()
    monkeypatch.setattr(grader, "__file__", str(tmp_path / "site/grader/__init__.py"))
    assert content_root() == tmp_path / "site/grader/_content"


def test_the_users_folder_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "schemas").mkdir()
    monkeypatch.setenv("ARGUS_CONTENT", str(tmp_path))
    assert content_root() == tmp_path


def test_a_users_folder_without_content_is_an_error_not_a_fallback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARGUS_CONTENT", str(tmp_path))
    with pytest.raises(SetupError, match="ARGUS_CONTENT") as caught:
        content_root()
    assert str(tmp_path) in str(caught.value)
