"""A mark becomes a line for the author, the line a mended set, and that flips what the preview said."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.archive.review_entry import ItemEntry, Member
from grader.archive.store import open_archive
from grader.errors import DataError
from grader.formal.cases import run_cases
from grader.grade import GradeRequest, grade
from grader.grade.preview import PreviewRequest, preview
from grader.problem.model import Point
from grader.problem.nodes import nodes
from grader.problem.set import load_set
from grader.review.marking import Given, mark_of, verdicts_of
from grader.review.mending import mend_set
from grader.review.mends import Regression, mends
from grader.review.subject import Subjects
from tests.cli.conftest import argus  # noqa: F401  # the command, typed
from tests.grade.small import line, point, write_lines, write_set


def sub(name, full_mark, *rubric):
    return {"sub_id": name, "text_open": f"text of {name}", "full_mark": full_mark, "rubric": list(rubric)}


PROBLEM = {
    "problem_id": "salt",
    "header": "Yellow prussiate of potash.",
    "subquestions": [
        sub(
            *("salt-1", 2),
            {
                **{"id": "all", "points": 2, "text": "Both.", "rule": "sum"},
                "of": [
                    point("anion", 1, kind="formula", expected="[Fe(CN)6]4-"),
                    point("ligands", 1, kind="integer", expected=7, asked=["ligands"]),
                ],
            },
        ),
        sub("salt-2", 1, point("why", 1)),
    ],
}
ANSWERS = {
    "a": "Formula: K4[Fe(CN)6]. It has 6 ligands.",
    "b": "The formula is **K4[Fe(CN)6]**, and it has 6 ligands.",
    "c": "Formula: [Fe(CN)6]4-. It has 7 ligands.",
    "d": "Formula: K3[Fe(CN)6]. It has 5 ligands.",
}
FLIPS = {
    ("b", "anion"): ("not_met", "met"),
    ("b", "ligands"): ("not_met", "met"),
    ("c", "ligands"): ("met", "not_met"),
}


class Lab:
    """A graded run, and people who mark it."""

    def __init__(self, archive, folder):
        self.archive, self.folder = archive, folder
        self.problems, self.run = folder / "set", folder / "run.jsonl"

    def grade(self, problems):
        grade(GradeRequest(self.run, load_set(problems), workers=1), self.archive)

    def mark(self, model, point_id, status, by="Ada", kind="spot_check", **more):
        """A mark as the desk gives it."""
        (run,) = self.archive.runs()
        for one in self.archive.graded(run):
            for at in one.points:
                if (one.response.model, at.point_id) == (model, point_id):
                    place = ("salt", one.answer.sub_id, point_id, at.point_hash)
                    member = Member(one.response.digest, one.answer.answer_hash)
                    entry = ItemEntry(f"{model} {point_id} {by}", "", kind, *place, (member,))
        self.archive.put_items([entry])
        item = next(one for one in self.archive.items("open") if one.entry.key == entry.key)
        subject = Subjects(self.archive).of(item)
        given = Given(status=status, form=f"{by} {item.id} a nonce of its own", **more)
        mark = mark_of(given, subject, by, seen=False, now=datetime.now(UTC))
        self.archive.mark(mark, verdicts_of(self.archive, item, mark))
        return item.id

    def stands(self):
        (run,) = self.archive.runs()
        return {
            (one.response.model, at.point_id): str(at.standing.status)
            for one in self.archive.graded(run)
            for at in one.points
            if at.shape != "group"
        }

    def write(self, lines):
        file = self.folder / "mends.jsonl"
        rows = [one if isinstance(one, dict) else one.model_dump(mode="json") for one in lines]
        return write_lines(file, rows)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A folder with a set, a run and the archive of the graded run, to be copied."""
    folder = tmp_path_factory.mktemp("graded")
    write_set(folder / "set", PROBLEM)
    lines = [line("salt-1", text, model) for model, text in ANSWERS.items()]
    write_lines(folder / "run.jsonl", [*lines, line("salt-2", "It is so.", "a")])
    with open_archive(str(folder / "argus.db")) as archive:
        Lab(archive, folder).grade(folder / "set")
    return folder


@pytest.fixture
def lab(graded, tmp_path):
    shutil.copytree(graded, tmp_path, dirs_exist_ok=True)
    with open_archive(str(tmp_path / "argus.db")) as archive:
        yield Lab(archive, tmp_path)


@pytest.fixture
def lab_of_each(graded, tmp_path, archive_url):
    """The same in each of the databases."""
    shutil.copytree(graded, tmp_path, dirs_exist_ok=True)
    with open_archive(archive_url) as archive:
        made = Lab(archive, tmp_path)
        made.grade(made.problems)
        yield made


@pytest.fixture(scope="module")
def proposed(graded, tmp_path_factory):
    """What ``corrected`` proposes."""
    folder = shutil.copytree(graded, tmp_path_factory.mktemp("proposed") / "lab")
    with open_archive(str(folder / "argus.db")) as archive:
        return corrected(Lab(archive, folder))


def corrected(lab):
    """An override that asks for an alias, and one that says the rubric is wrong."""
    lab.mark("a", "anion", "met", quote="K4[Fe(CN)6]", reason="The salt holds the anion.")
    lab.mark("a", "ligands", "met", quote="6 ligands", says="rubric_wrong", reason="Six cyanides.")
    return mends(lab.archive, workers=1)


@pytest.mark.slow
def test_an_override_becomes_a_mend_that_flips_exactly_what_the_preview_lists(
    lab_of_each,
    argus,  # noqa: F811
    archive_url,
):
    lab = lab_of_each
    alias, expected = corrected(lab)
    assert (alias.what, alias.from_, alias.to, alias.point_id) == ("alias", None, "K4[Fe(CN)6]", "anion")
    assert (expected.what, expected.from_, expected.to) == ("expected", 7, 6)
    assert (expected.reviewers, expected.evidence, expected.reasons) == (
        *(("Ada",), ("6 ligands",)),
        ("Six cyanides.",),
    )
    assert (alias.case.answer, alias.case.verdict) == (ANSWERS["a"], "met")
    assert argus("review", "mends", "-o", "mends.jsonl", "--archive", archive_url).out.startswith(
        "2 mends, 0 for you"
    )
    new = lab.folder / "new"
    told = argus("problems", "mend", lab.problems, "mends.jsonl", "-o", new)
    assert (told.code, told.out.split(":")[0]) == (
        0,
        "2 mends of 2 points, 2 cases kept, 0 lines left to you",
    )
    cases = run_cases(new / "proof.jsonl", workers=1)
    assert (cases.total.cases, cases.total.agree) == (2, 2)
    before = lab.stands()
    found = preview(PreviewRequest(lab.run, load_set(new), workers=1), lab.archive).as_json()
    listed = {
        (one["model"], one["point_id"]): (one["before"]["status"], one["after"]["status"])
        for one in found["verdicts"]
    }
    assert listed == FLIPS
    lab.grade(new)
    after = lab.stands()
    assert {key: (before[key], after[key]) for key in before if before[key] != after[key]} == FLIPS
    assert mends(lab.archive, workers=1) == []  # the marks were about the rubric that was


def test_what_cannot_be_derived_is_left_to_the_author(lab, argus):  # noqa: F811
    lab.mark("c", "anion", "not_met", reason="No charge balance.")
    lab.mark("a", "why", "cannot_assess", says="rubric_wrong", reason="Two reasons are right.")
    lab.mark("a", "why", "cannot_assess", by="Bo", says="question_wrong", reason="Which salt?")
    check, text, question = mends(lab.archive, workers=1)
    assert (check.what, check.to) == ("check", None)
    assert check.case == Regression(answer=ANSWERS["c"], verdict="not_met")
    assert (text.what, text.from_, text.to, text.case) == ("text", "text of why", None, None)
    assert (question.what, question.from_) == ("question", "text of salt-2")
    assert question.reviewers == ("Ada", "Bo")
    assert "for you to write" in argus("review", "mends").out
    mended = mend_set(lab.problems, lab.write([check, text, question]), lab.folder / "new", workers=1)
    assert (mended.applied, mended.left) == (0, 3)


def test_the_author_may_write_what_was_left(lab):
    lab.mark("a", "why", "cannot_assess", says="rubric_wrong")
    (text,) = mends(lab.archive, workers=1)
    mend_set(lab.problems, lab.write([text.model_copy(update={"to": "Either reason."})]), lab.folder / "new")
    (node,) = nodes(load_set(lab.folder / "new").problems["salt"].subquestion("salt-2"))
    assert isinstance(node, Point)
    assert node.text == "Either reason."


def test_marks_that_agree_with_code_or_are_seeded_propose_nothing(lab):
    lab.mark("c", "anion", "met")
    lab.mark("a", "anion", "met", kind="gold")
    assert mends(lab.archive, workers=1) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"point_hash": "0" * 64}, ":1 /point_hash: the point has changed since it was marked"),
        ({"point_id": "cation"}, ":1 /point_id: the set has no such point"),
        ({"to": "K3[Fe(CN)6]"}, ":1 /case: the mended check decides the case otherwise; got not_met"),
        ({"to": 5}, ":1 /to: Input should be a valid string"),
        ({"what": "question"}, ":1 /what: a question isn't mended from a file"),
        ({"what": "spelling"}, ":1 /what: Input should be"),
        ({"point_id": "ligands"}, ":1 /point_hash"),
        ({"why": "so"}, ":1 /why: Extra inputs"),
    ],
)
def test_a_line_that_does_not_fit_is_refused_and_nothing_is_written(lab, proposed, change, said):
    alias, _ = proposed
    file = lab.write([{**alias.model_dump(mode="json"), **change}])
    with pytest.raises(DataError) as refused:
        mend_set(lab.problems, file, lab.folder / "new", workers=1)
    assert (said in str(refused.value), len(refused.value.faults)) == (True, 1)
    assert not (lab.folder / "new").exists()


def test_two_lines_that_say_different_things_are_refused(lab, proposed):
    _, expected = proposed
    file = lab.write([expected, expected.model_copy(update={"to": 5})])
    with pytest.raises(DataError, match="line 1: 6"):
        mend_set(lab.problems, file, lab.folder / "new", workers=1)


@pytest.mark.slow
def test_a_kept_case_holds_against_a_mend_and_follows_one_that_it_allows(lab, proposed):
    new, newer = lab.folder / "new", lab.folder / "newer"
    alias, _ = proposed
    kept = {
        **{"id": "kept", "sub_id": "salt-1", "point_id": "anion", "kind": "formula"},
        **{"expected": "[Fe(CN)6]4-", "options": {}, "answer": "Formula: K4[Fe(CN)6]", "verdict": "not_met"},
    }
    file = write_lines(Path(lab.problems) / "proof.jsonl", [kept])
    with pytest.raises(DataError, match="the mends change the verdict of the kept case kept"):
        mend_set(lab.problems, lab.write([alias]), new, workers=1)
    write_lines(file, [{**kept, "answer": "Formula: K3[Fe(CN)6]"}])
    mend_set(lab.problems, lab.write([alias]), newer, workers=1)
    cases = [json.loads(one) for one in (newer / "proof.jsonl").read_text().splitlines()]
    assert [one["options"] for one in cases] == [{"aliases": ["K4[Fe(CN)6]"]}] * 2
    assert run_cases(newer / "proof.jsonl", workers=1).total.agree == 2
