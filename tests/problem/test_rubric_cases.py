"""The grammar reads rubrics as a person does: cases read by hand, ours and the shared ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.errors import CaseError
from grader.problem.rubric import agreement

OWN = Path(__file__).parent / "rubric_cases.jsonl"
SHARED = Path(__file__).parents[3] / "shared" / "cases" / "native_rubrics.jsonl"

CASE = {
    "id": "x-1",
    "full_mark": 2,
    "rubric": ["'CCO' (2 points)"],
    "expect": {
        "marks_accounted": 2,
        "parts": [{"line": 0, "marks": 2, "kind": "part", "quoted": ["CCO"]}],
        "flags": [],
    },
}


def cases(folder: Path, *lines: object) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    "path",
    [
        OWN,
        pytest.param(
            SHARED,
            marks=pytest.mark.skipif(not SHARED.exists(), reason="the shared cases aren't in this checkout"),
        ),
    ],
    ids=["own", "shared"],
)
def test_every_case_is_read_as_by_hand(path: Path) -> None:
    found = agreement(path)
    assert [(each.id, each.what) for each in found.disagreements] == []
    assert found.agree == found.marks_agree == found.cases


def test_a_structural_disagreement_is_not_one_of_marks(tmp_path: Path) -> None:
    other = {**CASE, "expect": {**CASE["expect"], "flags": ["each"]}}  # type: ignore[dict-item]
    found = agreement(cases(tmp_path, other))
    assert (found.cases, found.agree, found.marks_agree) == (1, 0, 1)
    assert found.disagreements[0].what == ("flags: expected ['each'], got []",)


def test_a_disagreement_of_marks_is_one_of_structure_too(tmp_path: Path) -> None:
    other = {**CASE, "expect": {**CASE["expect"], "marks_accounted": 3}}  # type: ignore[dict-item]
    found = agreement(cases(tmp_path, other))
    assert (found.agree, found.marks_agree) == (0, 0)


def test_a_quoted_value_that_is_only_part_of_another_is_missed(tmp_path: Path) -> None:
    part = {"line": 0, "marks": 2, "kind": "part", "quoted": ["CO"]}
    lines = ["'CCO' and not 'CO' (2 points)", "'CCO' (2 points)"]
    expect = {"marks_accounted": 2, "parts": [part], "flags": []}
    held, missed = ({**CASE, "id": line, "rubric": [line], "expect": expect} for line in lines)
    assert agreement(cases(tmp_path, held)).agree == 1
    # Unquoted values may stand anywhere in the text.
    assert agreement(cases(tmp_path, missed)).agree == 1
    absent = {**CASE, "expect": {**expect, "parts": [{**part, "quoted": ["CN"]}]}}
    assert agreement(cases(tmp_path, absent)).agree == 0


def test_the_result_has_the_documented_keys(tmp_path: Path) -> None:
    other = {**CASE, "expect": {**CASE["expect"], "flags": ["each"]}}  # type: ignore[dict-item]
    told = agreement(cases(tmp_path, other)).as_json()
    assert list(told) == ["schema_version", "cases", "agree", "marks_agree", "disagreements"]
    disagreements = json.loads(json.dumps(told))["disagreements"]
    assert list(disagreements[0]) == ["id", "what", "got"]
    assert disagreements[0]["got"]["parts"][0]["quoted"] == ["CCO"]


def test_blank_lines_and_a_byte_order_mark_are_no_cases(tmp_path: Path) -> None:
    assert agreement(cases(tmp_path, "\ufeff" + json.dumps(CASE) + "\n", "\n", "  \n")).cases == 1


@pytest.mark.parametrize(
    ("broken", "pointer", "says"),
    [
        ("{not json\n", None, "not JSON"),
        ("[1]\n", None, "expected an object"),
        ({**CASE, "id": 7}, "/id", "expected a name"),
        ({**CASE, "full_mark": "2"}, "/full_mark", "number above 0"),
        ({**CASE, "full_mark": 0}, "/full_mark", "number above 0"),
        ({**CASE, "rubric": "one line"}, "/rubric", "list of strings"),
        ({**CASE, "expect": None}, "/expect", "an object with parts"),
        ({**CASE, "expect": {"parts": [], "marks_accounted": 2}}, "/expect/flags", "a list of each"),
        (
            {**CASE, "expect": {"parts": [], "marks_accounted": 2, "flags": ["eech"]}},
            "/expect/flags",
            "a list of each",
        ),
        ({**CASE, "expect": {"parts": [3], "marks_accounted": 2, "flags": []}}, "/expect/parts/0", "a node"),
        ({**CASE, "expect": {"parts": {}, "marks_accounted": 2, "flags": []}}, "/expect/parts", "a list"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, broken: object, pointer: str | None, says: str) -> None:
    with pytest.raises(CaseError) as caught:
        agreement(cases(tmp_path, CASE, broken))
    (fault,) = caught.value.faults
    assert fault.line == 2
    assert pointer is None or fault.pointer == pointer
    assert says in str(fault)


def test_every_broken_line_of_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CaseError) as caught:
        agreement(cases(tmp_path, "{\n", CASE, CASE, "[]\n"))
    assert [fault.line for fault in caught.value.faults] == [1, 3, 4]


def test_a_missing_file_is_a_mistake_of_the_user(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="can't be read"):
        agreement(tmp_path / "none.jsonl")


def test_a_file_in_another_encoding_is_a_mistake_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "latin.jsonl").write_bytes(b'{"id": "\xe9"}')
    with pytest.raises(CaseError, match="UTF-8"):
        agreement(tmp_path / "latin.jsonl")
