"""What comes before people: each doubt and each draw once, equal answers together, chance not to be told."""

from __future__ import annotations

import numpy as np
import pytest

from grader.archive.read import Filters
from grader.archive.review_entry import Wanted
from grader.archive.store import open_archive
from grader.grade import GradeRequest, grade
from grader.judge.card import SpotCheck
from grader.problem.set import load_set
from grader.review.queue import FRAGILE, QueueRules, fill, normalised
from tests.audit.drawn import Opinion, Script, drawn_archive, right
from tests.grade.small import RIGHT, line, point, write_lines, write_set

NONE_TWICE = QueueRules(second=0.0)


@pytest.fixture
def folder(tmp_path):
    return write_set(tmp_path)


@pytest.fixture
def archive(tmp_path):
    with open_archive(str(tmp_path / "argus.db")) as opened:
        yield opened


def graded(archive, folder, texts, name="run", marks=()):
    """Grade answers to the second subquestion, one model an answer, without a judge."""
    lines = [line("water-2", text, f"m{number}") for number, text in enumerate(texts)]
    path = write_lines(folder / f"{name}.jsonl", lines)
    files = [write_lines(folder / "marks.jsonl", marks)] if marks else []
    return grade(GradeRequest(path, load_set(folder), files, workers=1), archive)


def waiting(archive):
    return {(one.entry.point_id, len(one.entry.members)): one.entry for one in archive.items("open")}


def test_equal_answers_to_a_point_are_one_item_however_they_are_set(archive, folder):
    graded(archive, folder, [RIGHT["water-2"], RIGHT["water-2"].replace(" ", "  ") + "\n", "**Answer: C**"])
    assert fill(archive, NONE_TWICE) == 4
    items = waiting(archive)
    assert set(items) == {("why", 2), ("why", 1), ("spelling", 2), ("spelling", 1)}
    assert all(one.reasons == ("undetermined",) for one in items.values())
    # marks at stake, times how much it is in doubt, times how many answers hang on it
    assert items["why", 2].priority == 2 * items["why", 1].priority == 4 * items["spelling", 1].priority


def test_filling_again_adds_nothing_and_later_answers_join_what_is_open(archive, folder):
    graded(archive, folder, [RIGHT["water-2"]])
    assert fill(archive, NONE_TWICE) == 2
    assert fill(archive, NONE_TWICE) == 0
    graded(archive, folder, ["**Answer: B**", RIGHT["water-2"]], "later")
    assert fill(archive, NONE_TWICE) == 2
    assert len(waiting(archive)["why", 2].members) == 2


def test_what_a_person_has_marked_in_a_file_is_not_asked_again(archive, folder):
    mark = {"point_id": "why", "by": "Ada", "status": "met"}
    graded(archive, folder, [RIGHT["water-2"]], marks=[mark])
    fill(archive, NONE_TWICE)
    assert set(waiting(archive)) == {("spelling", 1)}


def test_what_can_overturn_a_gap_comes_first(archive, folder):
    graded(archive, folder, [RIGHT["water-2"], "**Answer: C**"])
    (answer, _) = archive.search(Filters(sub_id="water-2"))
    place = (answer.response.digest, "water-2", "spelling")
    fill(archive, QueueRules(second=0.0, fragile={place}))
    first = archive.claim("Ada")
    assert (first.entry.point_id, first.entry.members[0].response_digest) == ("spelling", place[0])
    assert first.entry.priority > FRAGILE


def test_what_was_drawn_has_the_priority_of_something_doubted(archive, folder):
    """Right by code, and drawn at random: among the doubted ones nothing tells it."""
    texts = [f"**Answer: B**, for its lattice of {number} molecules." for number in range(200)]
    graded(archive, folder, texts)
    fill(archive, NONE_TWICE)
    drawn = [one.entry for one in archive.items("open") if one.entry.kind == "spot_check"]
    doubted = {one.entry.priority for one in archive.items("open") if one.entry.kind == "triage"}
    assert {one.point_id for one in drawn} == {"ice"}
    assert all(one.priority in doubted for one in drawn)
    assert archive.claim("Ada", Wanted(check_kind="choice")).entry.point_id == "ice"


@pytest.mark.parametrize("doubted", [False, True])
def test_what_was_drawn_comes_in_no_order_of_doubt_so_that_marking_may_stop_early(tmp_path, doubted):
    """Else the first half of the drawn points would be those that the judge is least sure of."""
    sure = {}

    def judge(spot):
        sure[spot.problem_id] = (0.1 if doubted else 0.75) + 0.2 * spot.chance("sure")
        return Opinion(right(spot), sure[spot.problem_id])

    rates = SpotCheck(confident=1.0, doubtful=0.7)
    script = Script(60, rubric=lambda number: [point("b", 1)], full_mark=1, judge=judge, rates=rates)
    with drawn_archive(tmp_path, script) as desk:
        items = sorted(desk.archive.items("open"), key=lambda one: (-one.entry.priority, one.id))
        drawn = [sure[item.entry.problem_id] for item in items if desk.drawn(item)]
    assert len(drawn) > 30
    rank = np.corrcoef(np.arange(len(drawn)), drawn)[0, 1]
    assert abs(rank) < 0.35  # 2.3 standard deviations of 42


def test_a_share_is_marked_twice_by_another_person(archive, folder):
    texts = [f"**Answer: B**, case {number}." for number in range(100)]
    graded(archive, folder, texts)
    fill(archive, QueueRules(second=0.25, seed=3))
    kinds = [one.entry.kind for one in archive.items("open")]
    assert 0.15 < kinds.count("second") / kinds.count("triage") < 0.35
    second = next(one for one in archive.items("open") if one.entry.kind == "second")
    first = archive.item(second.entry.parent)
    assert (first.entry.members, first.entry.point_id) == (second.entry.members, second.entry.point_id)
    assert fill(archive, QueueRules(second=0.25, seed=3)) == 0


def test_a_failed_call_has_nothing_to_look_at(archive, folder):
    path = write_lines(folder / "run.jsonl", [line("water-2", "", error="the server gave up")])
    grade(GradeRequest(path, load_set(folder), workers=1), archive)
    assert fill(archive) == 0


def test_answers_are_compared_by_what_they_say_and_not_by_how_they_are_set():
    assert normalised("a\n  b\u0301\t") == normalised(" a b\u0301 ") == "a b\u0301"
    assert normalised("e\u0301") == normalised("\xe9")
    assert normalised("Co") != normalised("CO")
