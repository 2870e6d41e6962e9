"""Real replies whose published grades are wrong or disputable must not be graded wrong again."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import third_party


@pytest.fixture(scope="module")
def rows(shared: Path) -> list[third_party.Row]:
    if not (shared / "seeds" / "real").is_dir():
        pytest.skip("the folder seeds/real of the shared material is missing")
    return third_party.rows()


def test_replies_graded_wrong_for_extraction_or_tolerance_are_decided_right(
    rows: list[third_party.Row],
) -> None:
    chosen = [row for row in rows if row.hand and row.hand["error_class"] in third_party.MEASURED]
    found = third_party.graded(chosen)
    assert len(found) == 71
    assert [one for one in found if one.against] == []
    assert sum(one.status != "undetermined" for one in found) >= 0.9 * len(found)


@pytest.mark.slow
def test_every_disagreement_with_published_grades_is_explained(rows: list[third_party.Row]) -> None:
    found = third_party.graded(rows)
    assert [one for one in found if one.differs and third_party.explained(one) is None] == []
    assert third_party.page(found) == third_party.PAGE.read_text("utf-8")
