"""Sets load in every layout of the public release, and their hashes change with what they cover."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.errors import ProblemError
from grader.problem.set import ProblemSet, check_set, load_set
from tests.problem.valid_set import ValidSet, png

SHARED = Path(__file__).parents[3] / "shared" / "seeds" / "chemargus-style"
DEMO = Path(__file__).parents[2] / "problems" / "demo"


def _hashes(loaded: ProblemSet) -> tuple[str, str]:
    return loaded.visible_hash, loaded.rubric_hash


# Layouts


@pytest.mark.parametrize(
    ("tasks", "dataset"), [(True, False), (False, True), (True, True)], ids=["tasks", "dataset", "both"]
)
def test_each_layout_is_the_same_set(valid: ValidSet, tmp_path: Path, tasks: bool, dataset: bool) -> None:
    expected = load_set(valid.copy(tmp_path / "other").write())
    found = load_set(valid.write(tasks=tasks, dataset=dataset))
    assert dict(found.problems) == dict(expected.problems)
    assert _hashes(found) == _hashes(expected)
    assert found.image("acid-1", "curve.png").read() == png()
    assert found.gradable


def test_images_may_lie_in_one_folder_beside_a_dataset(valid: ValidSet) -> None:
    images, valid.images = valid.images, {}
    path = valid.write(tasks=False, dataset=True)
    for name, data in images.items():
        valid.put(f"images/{name}", data)
    assert load_set(path).image("acid-1", "curve.png").path == path / "images/curve.png"


def test_a_dataset_orders_the_problems_and_tasks_alone_are_sorted(valid: ValidSet) -> None:
    path = valid.write(dataset=True)
    lines = (path / "dataset.jsonl").read_text().splitlines()
    assert list(load_set(path).problems) == ["acid-1", "base-1"]
    (path / "dataset.jsonl").write_text("\r\n".join(reversed(lines)) + "\r\n\n")
    assert list(load_set(path).problems) == ["base-1", "acid-1"]


def test_a_set_without_rubrics_loads_and_is_not_gradable(valid: ValidSet) -> None:
    with_rubrics = load_set(valid.copy(valid.root.with_name("dev")).write())
    valid.strip_rubrics()
    loaded = load_set(valid.write(dataset=True))
    assert not loaded.gradable
    assert loaded.visible_hash == with_rubrics.visible_hash
    assert loaded.rubric_hash != with_rubrics.rubric_hash


def test_a_task_folder_or_its_file_is_a_set_of_one(valid: ValidSet) -> None:
    path = valid.write()
    by_folder, by_file = load_set(path / "tasks/acid-1"), load_set(path / "tasks/acid-1/problem.json")
    assert list(by_folder.problems) == list(by_file.problems) == ["acid-1"]
    assert by_folder.tags == {"acid.base": "acids and bases", "figure": "reading figures"}
    assert by_folder.hashes["acid-1"] == load_set(path).hashes["acid-1"]


def test_a_problem_in_any_folder_loads_alone(valid: ValidSet, tmp_path: Path) -> None:
    file = tmp_path / "elsewhere" / "problem.json"
    file.parent.mkdir()
    file.write_text(json.dumps(valid.problems[1]))
    assert list(load_set(file).problems) == ["base-1"]


def test_canary_signoff_and_instance_ids_are_no_problems(valid: ValidSet) -> None:
    path = valid.write()
    valid.put("canary.txt", b"canary 1234\n")
    valid.put("signoff.jsonl", b"{}\n")
    valid.put("instance_ids.json", b'["acid-1"]')
    assert load_set(path).canary == "canary 1234"


def test_the_folder_above_dev_and_test_names_both(valid: ValidSet, tmp_path: Path) -> None:
    valid.copy(tmp_path / "release/dev").write()
    valid.copy(tmp_path / "release/test").write()
    with pytest.raises(ProblemError) as caught:
        load_set(tmp_path / "release")
    assert f"{tmp_path}/release/dev or {tmp_path}/release/test" in str(caught.value)


def test_the_inside_of_a_set_names_the_set(valid: ValidSet) -> None:
    path = valid.write()
    with pytest.raises(ProblemError, match="inside of a problem set") as caught:
        load_set(path / "tasks")
    assert str(path) in str(caught.value.faults[0].do)


@pytest.mark.parametrize(
    ("name", "piece"), [("nowhere", "no such file"), ("empty", "no problem set"), ("bare", "no problems")]
)
def test_a_path_without_problems_is_an_error(tmp_path: Path, name: str, piece: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bare/tasks").mkdir(parents=True)
    report = check_set(tmp_path / name)
    assert [piece in fault.what for fault in report.errors] == [True]


def test_a_task_folder_without_a_problem_is_named(valid: ValidSet) -> None:
    path = valid.write()
    valid.file(1).rename(valid.file(1).with_name("problem.jsn"))
    (path / "tasks/.hidden").mkdir()
    (fault,) = check_set(path).errors
    assert (fault.file, fault.what) == (str(path / "tasks/base-1"), "the task folder holds no problem")


# The two forms of one set


def test_forms_that_differ_name_both_places(valid: ValidSet) -> None:
    path = valid.write(dataset=True)
    valid.sub()["text_open"] = "Read the pKa."
    valid.file().write_text(json.dumps(valid.first))
    (fault,) = check_set(path).errors
    assert (fault.file, fault.pointer) == (str(valid.file()), "/subquestions/0/text_open")
    assert f"differs from {path / 'dataset.jsonl'}:1" in fault.what


def test_a_problem_in_one_form_only_is_an_error(valid: ValidSet) -> None:
    path = valid.write(dataset=True)
    lines = (path / "dataset.jsonl").read_text().splitlines()
    (path / "dataset.jsonl").write_text(lines[0] + "\n")
    (fault,) = check_set(path).errors
    assert "has no line" in fault.what
    (path / "dataset.jsonl").write_text("\n".join(lines) + "\n")
    valid.file(1).unlink()
    (fault,) = check_set(path).errors
    assert (fault.line, "no task folder" in fault.what) == (2, True)


# Hashes


VISIBLE: dict[str, Callable[[ValidSet], Any]] = {
    "header": lambda v: v.first.update(header="Acetic acid."),
    "text": lambda v: v.sub().update(text_open="Read it."),
    "bytes of an image": lambda v: v.images.update({"curve.png": png(shade=10)}),
    "description": lambda v: v.first["header_images"][0].update(description="A line."),
    "order of subquestions": lambda v: v.first["subquestions"].reverse(),
    "images moved to a subquestion": lambda v: v.sub().update(text_images=v.first.pop("header_images")),
}
PRIVATE: dict[str, Callable[[ValidSet], Any]] = {
    "text of a point": lambda v: v.node(0).update(text="the pKa is 4.76"),
    "option of a check": lambda v: v.node(0)["check"].update(abs_tol=0.03),
    "standard result": lambda v: v.sub().update(standard_result="4.8"),
    "bytes of a private image": lambda v: v.images.update({"solution.png": png(shade=11)}),
    "tags": lambda v: v.sub().update(tags=["figure"]),
    "note": lambda v: v.node(5).update(note="Accept anything."),
}
NEITHER: dict[str, Callable[[ValidSet], Any]] = {
    "schema": lambda v: v.first.update({"$schema": "../problem.schema.json"}),
    "defaults written out": lambda v: v.node(0).update(partial=False, draft=False),
    "marks as decimals": lambda v: v.sub().update(full_mark=4.0),
    "order of keys": lambda v: v.problems.__setitem__(0, dict(reversed(v.first.items()))),
    "name of an image": lambda v: (
        v.images.update({"c.png": v.images.pop("curve.png")}),
        v.first["header_images"][0].update(file="c.png"),
    ),
    "vocabulary": lambda v: setattr(v, "tags", None),
}


Change = Callable[[ValidSet], Any]


def _before_and_after(valid: ValidSet, tmp_path: Path, change: Change) -> tuple[ProblemSet, ProblemSet]:
    before = load_set(valid.copy(tmp_path / "before").write())
    change(valid)
    return before, load_set(valid.write())


@pytest.mark.parametrize("change", VISIBLE.values(), ids=VISIBLE)
def test_what_a_model_sees_moves_the_visible_hash(valid: ValidSet, tmp_path: Path, change: Change) -> None:
    before, after = _before_and_after(valid, tmp_path, change)
    assert before.visible_hash != after.visible_hash
    assert before.hashes["acid-1"].content != after.hashes["acid-1"].content
    assert before.hashes["base-1"] == after.hashes["base-1"]


@pytest.mark.parametrize("change", PRIVATE.values(), ids=PRIVATE)
def test_what_is_private_moves_the_rubric_hash_only(valid: ValidSet, tmp_path: Path, change: Change) -> None:
    before, after = _before_and_after(valid, tmp_path, change)
    assert before.visible_hash == after.visible_hash
    assert before.rubric_hash != after.rubric_hash


@pytest.mark.parametrize("change", NEITHER.values(), ids=NEITHER)
def test_what_means_nothing_moves_no_hash(valid: ValidSet, tmp_path: Path, change: Change) -> None:
    before, after = _before_and_after(valid, tmp_path, change)
    assert _hashes(before) == _hashes(after)


def test_hashes_outlive_releases(valid: ValidSet) -> None:
    found = load_set(valid.write()).hashes["base-1"]
    assert found.visible == "e5b6949bd9d3abc12ec7e300c678a54b36a4a5d413846620379d718e115c8fec"
    assert found.rubric == "e922415f3dd37ac488e73678dee1c82a655b020f1f6dcad55a9b18dd0e716841"


# Sets that must load


@pytest.mark.parametrize("path", [SHARED, DEMO], ids=["shared seeds", "demo"])
def test_the_own_problems_load_without_faults(path: Path) -> None:
    if not path.is_dir():
        pytest.skip(f"{path.name} is not here")
    report = check_set(path)
    assert (report.errors, report.problems, report.subquestions) == ((), 4, 22)
    assert len(report.checks) == 49
    assert load_set(path).gradable


def test_pixels_are_decoded_unless_the_caller_trusts_them(valid: ValidSet) -> None:
    valid.images["curve.png"] = b"not a picture"
    path = valid.write()
    assert load_set(path, decode=False).images
    with pytest.raises(ProblemError):
        load_set(path)
