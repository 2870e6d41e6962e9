"""The acceptance document is written section by section, and shows every world and fault there is."""

from __future__ import annotations

from pathlib import Path

from benchmarks.acceptance import SECTIONS, joined, parts
from tests.audit.acceptance import FAULTS
from tests.audit.marked_worlds import WORLDS

DOCUMENT = Path(__file__).parents[2] / "docs/audit-acceptance.md"


def test_a_new_section_leaves_the_others_byte_for_byte():
    text = DOCUMENT.read_text("utf-8")
    before = parts(text)
    assert list(before) == list(SECTIONS)
    assert joined(before) == text
    made = f"{SECTIONS['judges']}\n\nAnother table.\n"
    after = joined(before | {"judges": made})
    assert parts(after) == before | {"judges": made}
    assert after.startswith(before["scores"])
    assert after.endswith(before["audits"])


def test_a_document_without_a_section_gets_it_in_its_place():
    first, last = (f"{SECTIONS[name]}\n\nA table.\n" for name in ("scores", "audits"))
    assert parts(first) == {"scores": first}
    assert joined({"audits": last} | parts(first)) == f"{first}\n{last}"
    assert parts("") == {}


def test_every_world_and_fault_is_in_the_document():
    rows = [[cell.strip() for cell in line.split("|")] for line in DOCUMENT.read_text("utf-8").splitlines()]
    for world in WORLDS:
        about = [world.judge, str(world.problems), f"{world.share:.0%}"]
        assert any(row[1:4] == about for row in rows), world
    for fault in FAULTS:
        assert any(row[1:3] == [fault.audit, fault.what] for row in rows), fault.audit
