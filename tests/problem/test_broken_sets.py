"""Each broken variant of a valid set is named exactly: file, pointer, and what is wrong."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.errors import Fault, ProblemError
from grader.problem.set import check_set, load_set
from tests.problem.valid_set import ValidSet, png

Break = Callable[[ValidSet], Any]

R = "/subquestions/0/rubric"
S = "/subquestions/0"


def _drop(name: str, where: Callable[[ValidSet], dict[str, Any]]) -> Break:
    return lambda valid: where(valid).pop(name)


def _sub(**fields: Any) -> Break:
    return lambda valid: valid.sub().update(fields)


def _node(index: int, sub: int = 0, **fields: Any) -> Break:
    return lambda valid: valid.node(index, sub).update(fields)


def _check(index: int = 0, sub: int = 0, **fields: Any) -> Break:
    return lambda valid: valid.node(index, sub)["check"].update(fields)


def _image(data: bytes) -> Break:
    return lambda valid: valid.images.update({"curve.png": data})


def _image_name(name: str) -> Break:
    return lambda valid: valid.first["header_images"][0].update(file=name)


STRUCTURE: list[tuple[str, Break, str, str]] = [
    ("unknown field of the problem", lambda v: v.first.update(colour=1), "/colour", "unknown field 'colour'"),
    ("misspelt field of a point", lambda v: v.node(0).update(ponits=v.node(0).pop("points")), f"{R}/0/ponits",
     "Did you mean 'points'?"),
    ("unknown field of a group", _node(1, mode="x"), f"{R}/1/mode", "unknown field 'mode'"),
    ("unknown option of a check", _check(tolerance=0.1), f"{R}/0/check/tolerance", "unknown field"),
    ("missing field", _drop("text_open", ValidSet.sub), S, "the field 'text_open' is missing"),
    ("missing id of a point", _drop("id", lambda v: v.node(0)), f"{R}/0", "the field 'id' is missing"),
    ("no subquestions", lambda v: v.first.update(subquestions=[]), "/subquestions", "is empty"),
    ("full_mark as a string", _sub(full_mark="4"), f"{S}/full_mark", "got '4'; expected a number"),
    ("full_mark of zero", _sub(full_mark=0), f"{S}/full_mark", "expected more than 0"),
    ("points as a boolean", _node(0, points=True), f"{R}/0/points", "expected a number"),
    ("text_open as null", _sub(text_open=None), f"{S}/text_open", "got null; expected a string"),
    ("rubric as a string", _sub(rubric="all or nothing"), R, "expected a list"),
    ("rubric item that is a number", lambda v: v.sub()["rubric"].append(3), f"{R}/6", "is no rubric item"),
    ("unknown kind of check", _check(kind="quantities"), f"{R}/0/check/kind", "Did you mean 'quantity'?"),
    ("check without expected", _drop("expected", lambda v: v.node(0)["check"]), f"{R}/0/check",
     "the field 'expected' is missing"),
    ("check as a string", _node(0, check="4.76"), f"{R}/0/check", "is not a check"),
    ("expected of the wrong type", _check(expected="4.76"), f"{R}/0/check/expected", "expected a number"),
    ("negative tolerance", _check(abs_tol=-0.1), f"{R}/0/check/abs_tol", "expected at least 0"),
    ("option value that isn't allowed", _check(sign="any"), f"{R}/0/check/sign", '"exact", "either"'),
    ("blank label", _check(asked=["pKa", " "]), f"{R}/0/check/asked", "blank"),
    ("unknown rule", _node(1, rule="best"), f"{R}/1/rule", '"sum", "all", "any", "count"'),
    ("deduction inside a group", lambda v: v.node(1)["of"].append({"id": "x", "points": -1, "text": ""}),
     f"{R}/1/of/2", "can't be a member of a group"),
    ("veto that is false", _node(4, veto=False), f"{R}/4/veto", "expected true"),
    ("image without a file", lambda v: v.first["header_images"][0].pop("file"), "/header_images/0",
     "the field 'file' is missing"),
]  # fmt: skip

RULES: list[tuple[str, Break, str, str]] = [
    ("marks that don't add up", _sub(full_mark=5), R, "got 4 (r1 2 + r2 1 + r3 1); expected 5"),
    ("nothing but a note", lambda v: v.sub()["rubric"].__delitem__(slice(0, 5)), R, "got 0 (no point)"),
    ("empty rubric", _sub(rubric=[]), R, "the rubric is empty"),
    ("id used twice", _node(2, id="r1"), f"{R}/2/id", "'r1' is used twice in this subquestion"),
    ("id of a member used twice", lambda v: v.node(2)["of"][1].update(id="r3.a"), f"{R}/2/of/1/id",
     f"first at {R}/2/of/0"),
    ("sum group off its members", _node(1, rule="sum"), f"{R}/1/points", "got 1.5 in its members"),
    ("alternatives all cheaper", lambda v: v.node(1)["of"][0].update(points=0.5), f"{R}/1/points",
     "no alternative earns the group's points"),
    ("group without members", _node(1, of=[]), f"{R}/1/of", "no members"),
    ("count without take or table", _drop("table", lambda v: v.node(2)), f"{R}/2", "got neither"),
    ("count with take and table", _node(2, take=1), f"{R}/2", "got both"),
    ("take beyond the members", _node(1, 1, take=3), "/subquestions/1/rubric/1/take", "at most 2"),
    ("table key that is no count", _node(2, table={"two": 1}), f"{R}/2/table/two", "no count of members"),
    ("table key beyond the members", _node(2, table={"3": 1}), f"{R}/2/table/3", "from 0 to 2"),
    ("table that misses the points", _node(2, table={"2": 0.5}), f"{R}/2/table", "got 0.5 at best"),
    ("table that falls", _node(2, table={"1": 1}), f"{R}/2/table", "more met members earn less"),
    ("table under another rule", _node(2, rule="all"), f"{R}/2/table", "means nothing under the rule 'all'"),
    ("scope that doesn't exist", _node(4, scope="r9"), f"{R}/4/scope", "got 'r9'; expected one of r1, r2"),
    ("scope in another subquestion", _node(3, scope="acid-1-2"), f"{R}/3/scope", "names no point or group"),
    ("scope that is a deduction", _node(4, scope="d1"), f"{R}/4/scope", "names no point or group"),
    ("limit below one deduction", _node(3, max=0.25), f"{R}/3/max", "at least 0.5"),
    ("expected that is no choice", _check(0, 1, expected="C"), "/subquestions/1/rubric/0/check/expected",
     "got 'C'; expected one of A, B"),
    ("text of a choice there isn't", _check(0, 1, texts={"D": "x"}), "/subquestions/1/rubric/0/check/texts/D",
     "none of the choices"),
    ("tolerance of 500 %", _check(rel_tol=5), f"{R}/0/check/rel_tol", "0.05 is 5 %"),
    ("oxidation state in words",
     _node(0, check={"kind": "oxidation_state", "expected": "three"}), f"{R}/0/check/expected", "8/3"),
    ("order that names an item twice",
     _node(0, check={"kind": "sequence", "expected": ["HI", "HBr", "HI"]}), f"{R}/0/check/expected", "'HI'"),
    ("tag outside the vocabulary", _sub(tags=["figure", "acids"]), f"{S}/tags/1", "got 'acids'"),
    ("sub_id used twice in a problem", lambda v: v.sub(1).update(sub_id="acid-1-1"), "/subquestions/1/sub_id",
     "used twice in the set"),
    ("problem_id unlike its folder", lambda v: v.first.update(problem_id="acid-2"), "/problem_id",
     "the folder of a task bears another name"),
]  # fmt: skip

IMAGES: list[tuple[str, Break, str, str]] = [
    ("missing image", lambda v: v.images.pop("curve.png"), "/header_images/0/file", "the file is missing"),
    ("missing private image", lambda v: v.images.pop("solution.png"), f"{S}/rubric_images/0/file", "missing"),
    ("empty image", _image(b""), "/header_images/0/file", "the file is empty"),
    ("text named as an image", _image(b"not a picture"), "/header_images/0/file", "can't be decoded"),
    ("image cut short", _image(png(200, 200)[:-30]), "/header_images/0/file", "can't be decoded"),
    ("huge image", _image(png(10_000, 5_001)), "/header_images/0/file", "at most 50 megapixels"),
    ("image above the set", _image_name("../curve.png"), "/header_images/0/file", "lies outside the set"),
    ("image by absolute path", _image_name("/etc/hostname"), "/header_images/0/file", "lies outside the set"),
    ("image by a Windows path", _image_name("..\\curve.png"), "/header_images/0/file", "outside the set"),
    ("image by an endless name", _image_name("x" * 5000), "/header_images/0/file", "the file is missing"),
    ("PostScript", _image(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n"), "/header_images/0/file",
     "can't be decoded"),
    ("missing input file", _sub(files=["data.csv"]), f"{S}/files/0", "the file is missing"),
]  # fmt: skip

VARIANTS = [*STRUCTURE, *RULES, *IMAGES]


def _only(faults: tuple[Fault, ...]) -> Fault:
    assert len(faults) == 1, "\n".join(map(str, faults))
    return faults[0]


def test_the_set_they_are_broken_from_is_valid(valid: ValidSet) -> None:
    report = check_set(valid.write())
    assert report.errors == ()
    assert report.lints == ()


@pytest.mark.parametrize(
    ("breaks", "pointer", "piece"), [row[1:] for row in VARIANTS], ids=[row[0] for row in VARIANTS]
)
def test_one_mistake_is_one_fault_at_its_place(
    valid: ValidSet, breaks: Break, pointer: str, piece: str
) -> None:
    breaks(valid)
    fault = _only(check_set(valid.write()).errors)
    assert fault.pointer == pointer
    assert fault.file == str(valid.file())
    assert piece in str(fault)


@pytest.mark.parametrize("breaks", [row[1] for row in VARIANTS], ids=[row[0] for row in VARIANTS])
def test_loading_refuses_what_checking_refuses(valid: ValidSet, breaks: Break) -> None:
    breaks(valid)
    path = valid.write()
    with pytest.raises(ProblemError) as caught:
        load_set(path)
    assert caught.value.faults == check_set(path).errors


@pytest.mark.parametrize("breaks", [row[1] for row in VARIANTS], ids=[row[0] for row in VARIANTS])
def test_a_line_of_a_dataset_is_named_with_its_number(valid: ValidSet, breaks: Break) -> None:
    breaks(valid)
    if valid.first["problem_id"] != "acid-1":
        pytest.skip("about folders of tasks")
    valid.problems.reverse()
    valid.images, images = {}, valid.images
    path = valid.write(tasks=False, dataset=True)
    for name, data in images.items():
        valid.put(f"images/{name}", data)
    fault = _only(check_set(path).errors)
    assert (fault.file, fault.line) == (str(path / "dataset.jsonl"), 2)


def test_all_mistakes_are_found_in_one_pass(valid: ValidSet) -> None:
    valid.first["colour"] = "red"
    valid.sub()["full_mark"] = 9
    valid.node(0, 1)["check"]["expected"] = "Z"
    valid.images["curve.png"] = b"broken"
    valid.problems[1]["subquestions"][0]["sub_id"] = "acid-1-1"
    pointers = [fault.pointer for fault in check_set(valid.write()).errors]
    assert sorted(map(str, pointers)) == sorted(
        [
            "/colour",
            R,
            "/subquestions/1/rubric/0/check/expected",
            "/header_images/0/file",
            "/subquestions/0/sub_id",
        ]
    )


def test_an_id_of_another_problem_is_named_with_the_place_of_the_first(valid: ValidSet) -> None:
    valid.problems[1]["subquestions"][0]["sub_id"] = "acid-1-2"
    fault = _only(check_set(valid.write()).errors)
    assert (fault.file, fault.pointer) == (str(valid.file(1)), "/subquestions/0/sub_id")
    assert f"first at {valid.file()} /subquestions/1/sub_id" in str(fault)


@pytest.mark.parametrize(
    ("data", "pointer", "line", "piece"),
    [
        (b'{"problem_id": "a", "problem_id": "b"}', "/problem_id", None, "'problem_id' occurs twice"),
        (b'{"subquestions": [{"full_mark": NaN}]}', "/subquestions/0/full_mark", None, "finite"),
        (b'{"subquestions": [{"full_mark": 1e999}]}', "/subquestions/0/full_mark", None, "finite"),
        (b'{"header": "\\ud83d"}', "/header", None, "surrogate"),
        (b'{"header": "a\\u0000b"}', "/header", None, "NUL"),
        (b'\xef\xbb\xbf{"header": ""}', "", None, "byte order mark"),
        (b'{"header": "caf\xe9"}', "", None, "byte 0xe9 at offset 15"),
        (b"[1, 2]", "", None, "got a list; expected an object"),
        (b'{\n "header": "a",\n}', None, 3, "is not JSON"),
        (b'{"header": "a"', None, 1, "the end of the text"),
        (b"", None, 1, "is not JSON"),
        (b'{"a": ' * 500 + b"1" + b"}" * 500, "/a" * 41, None, "nested too deeply"),
        (b"[" * 100_000, "", None, "not usable JSON"),
        (b'{"a": ' + b"9" * 6000 + b"}", "", None, "not usable JSON"),
    ],
)
def test_json_that_readers_could_take_differently_is_refused(
    valid: ValidSet, data: bytes, pointer: str | None, line: int | None, piece: str
) -> None:
    path = valid.write()
    valid.file().write_bytes(data)
    faults = [fault for fault in check_set(path).errors if fault.file == str(valid.file())]
    assert (faults[0].pointer, faults[0].line) == (pointer, line)
    assert piece in str(faults[0])


def test_a_symlink_may_not_lead_out_of_the_set(valid: ValidSet, tmp_path: Path) -> None:
    path = valid.write()
    (tmp_path / "secret.png").write_bytes(png())
    inside = path / "tasks/acid-1/images/curve.png"
    inside.unlink()
    inside.symlink_to(tmp_path / "secret.png")
    fault = _only(check_set(path).errors)
    assert fault.pointer == "/header_images/0/file"
    assert "outside the set" in fault.what


def test_a_symlink_within_the_set_is_fine(valid: ValidSet) -> None:
    path = valid.write()
    inside = path / "tasks/acid-1/images/curve.png"
    valid.put("shared/curve.png", inside.read_bytes())
    inside.unlink()
    inside.symlink_to(path / "shared/curve.png")
    assert check_set(path).errors == ()


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read_is_named(valid: ValidSet) -> None:
    path = valid.write()
    valid.file().chmod(0)
    assert _only(check_set(path).errors).what == "can't be read"


@pytest.mark.parametrize("text", ["[tags\n", "tags = 3\n", "[tags]\na = 1\n"])
def test_a_broken_vocabulary_is_named(valid: ValidSet, text: str) -> None:
    valid.tags = text
    faults = check_set(valid.write()).errors
    assert faults[0].file == str(valid.root / "tags.toml")


def test_a_report_is_plain_json(valid: ValidSet) -> None:
    valid.sub()["full_mark"] = 5
    report = json.loads(json.dumps(check_set(valid.write()).as_json()))
    assert set(report) == {"schema_version", "path", "problems", "subquestions", "points", "errors", "lints"}
    assert (report["problems"], report["subquestions"], report["points"]) == (2, 3, 9)
    assert report["errors"][0]["pointer"] == R
