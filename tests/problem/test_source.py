"""Problems written in TOML: nothing is escaped by hand, and a mistake is named by its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.errors import ProblemError, SetupError, UsageError
from grader.problem.set import check_set, load_set
from grader.problem.source import compile_source, key_lines, line_of, new_problem


def test_the_skeleton_compiles_to_a_problem_without_faults(tmp_path: Path) -> None:
    source = new_problem(tmp_path, "ester-1")
    assert source == tmp_path / "tasks/ester-1/problem.toml"
    assert compile_source(source) == tmp_path / "tasks/ester-1/problem.json"
    report = check_set(tmp_path)
    assert (report.errors, report.lints, report.points) == ((), (), 2)


@pytest.mark.parametrize("problem_id", ["", "../x", "a b", ".hidden", "a/b", "-x", "x" * 101])
def test_an_id_that_cant_name_a_folder_is_refused(tmp_path: Path, problem_id: str) -> None:
    with pytest.raises(UsageError, match="can't name a problem"):
        new_problem(tmp_path, problem_id)
    assert list(tmp_path.iterdir()) == []


def test_an_id_that_is_taken_is_refused_and_nothing_overwritten(tmp_path: Path) -> None:
    source = new_problem(tmp_path, "ester-1")
    source.write_text("mine")
    with pytest.raises(UsageError, match="already"):
        new_problem(tmp_path, "ester-1")
    assert source.read_text() == "mine"


def test_latex_and_smiles_arrive_as_they_were_written(tmp_path: Path) -> None:
    source = new_problem(tmp_path, "ester-1")
    text = source.read_text().replace("'CCO'", r"'C/C=C\C'").replace("'Ethanol'", r"'$\mathrm{C_4H_8}$'")
    source.write_text(text)
    compile_source(source)
    point = load_set(tmp_path).problems["ester-1"].subquestions[0].rubric[0]  # type: ignore[index]
    assert point.text == r"$\mathrm{C_4H_8}$"  # type: ignore[union-attr]
    assert point.check.expected == r"C/C=C\C"  # type: ignore[union-attr]


def test_compiling_twice_writes_the_same_bytes(tmp_path: Path) -> None:
    source = new_problem(tmp_path, "ester-1")
    first = compile_source(source).read_bytes()
    assert compile_source(source.parent).read_bytes() == first
    assert sorted(file.name for file in source.parent.iterdir()) == ["images", "problem.json", "problem.toml"]


MISTAKES = [
    ("full_mark = 2", "full_mark = 3", "full_mark = 3", "don't add up"),
    ("text = 'Ethanol'", "text = 'Ethanol'\ncolour = 'red'", "colour = 'red'", "unknown field 'colour'"),
    ("kind = 'smiles'", "kind = 'smile'", "check = {", "Did you mean 'smiles'"),
    ("id = '$-1-r2'", "id = '$-1-r1'", "id = '$-1-r1'", "used twice"),
    ("points = 1\ntext = 'Its", "points = inf\ntext = 'Its", "points = inf", "finite"),
    ("text = 'Ethanol'", 'text = "\\ce{H2O}"', 'text = "', "in single quotes"),
    ("header = '''", "header = ", "header = ", "is not TOML"),
    ("tags = []", "tags = [\n 'a',\n 3,\n]", "tags = [", "expected a string"),
]


@pytest.mark.parametrize(("old", "new", "line", "piece"), MISTAKES, ids=[row[1][:20] for row in MISTAKES])
def test_a_mistake_is_named_by_its_line_and_nothing_is_written(
    tmp_path: Path, old: str, new: str, line: str, piece: str
) -> None:
    source = new_problem(tmp_path, "ester-1")
    text = source.read_text()
    old, new, line = (part.replace("$", "ester-1") for part in (old, new, line))
    assert text.count(old) == 1
    text = text.replace(old, new)
    source.write_text(text)
    with pytest.raises(ProblemError) as caught:
        compile_source(source)
    fault = caught.value.faults[0]
    assert piece in str(fault)
    assert fault.file == str(source)
    lines = text.splitlines()
    wanted = {number for number, written in enumerate(lines, start=1) if written.startswith(line)}
    if "don't add up" in piece:
        wanted = {lines.index("[[subquestions.rubric]]") + 1, lines.index("[[subquestions]]") + 1}
    assert fault.line in wanted
    assert not source.with_name("problem.json").exists()


def test_a_source_that_was_never_compiled_is_an_error(tmp_path: Path) -> None:
    source = new_problem(tmp_path, "ester-1")
    for path in (tmp_path, source.parent):
        (fault,) = check_set(path).errors
        assert fault.file == str(source)
        assert "argus problems compile" in str(fault)


def test_a_source_that_says_something_else_than_the_compiled_file_is_an_error(tmp_path: Path) -> None:
    source = new_problem(tmp_path, "ester-1")
    compiled = compile_source(source)
    source.write_text(source.read_text().replace("'Ethanol'", "'ethanol'"))
    (fault,) = check_set(tmp_path).errors
    assert (fault.file, fault.pointer) == (str(compiled), "/subquestions/0/rubric/0/text")
    assert "argus problems compile" in str(fault)
    compile_source(source)
    assert check_set(tmp_path).errors == ()


def test_the_form_of_the_compiled_file_is_free(tmp_path: Path) -> None:
    compiled = compile_source(new_problem(tmp_path, "ester-1"))
    raw = json.loads(compiled.read_text())
    compiled.write_text(json.dumps({"$schema": "x", **raw, "subquestions": raw["subquestions"]}, indent=4))
    assert check_set(tmp_path).errors == ()


def test_a_folder_that_cant_be_written_leaves_the_old_file_whole(tmp_path: Path, monkeypatch) -> None:
    source = new_problem(tmp_path, "ester-1")
    before = compile_source(source).read_bytes()

    def full(self: Path, *_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(SetupError, match="No space left"):
        compile_source(source)
    assert source.with_name("problem.json").read_bytes() == before


def test_keys_are_found_in_nested_tables_and_across_lines() -> None:
    text = (
        "a = 1\n[b]\nc.d = [\n 1,\n 2,\n]\n[[e]]\n[[e]]\n'f' = '''\n[g]\n'''\n[[e.h]]\n[e.h.i] # x\nj = 2\n"
    )
    assert key_lines(text) == {
        "/a": 1,
        "/b": 2,
        "/b/c": 3,
        "/b/c/d": 3,
        "/e/0": 7,
        "/e/1": 8,
        "/e/1/f": 9,
        "/e/1/h/0": 12,
        "/e/1/h/0/i": 13,
        "/e/1/h/0/i/j": 14,
    }
    assert line_of(key_lines(text), "/b/c/d/1") == 3
    assert line_of(key_lines(text), "/z") is None
