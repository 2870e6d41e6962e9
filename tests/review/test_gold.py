"""Seeded items come once to everybody who doesn't know them, among the doubted ones, and give no verdict."""

from __future__ import annotations

import pytest

from grader.errors import MarkError, UsageError
from grader.review.gold import Seeded, seed_adjudicated, seed_file
from grader.review.security import token_hash
from tests.grade.small import write_lines
from tests.review.desking import MODEL


@pytest.fixture
def desk(desk_of_each):
    return desk_of_each


def right(point_id, number=0, **more):
    model = f"{MODEL}-{number}"
    return {"model": model, "point_id": point_id, "award": 1, "by": "Zoe", "adjudicated": True} | more


def invite(desk, *names):
    for name in names:
        desk.archive.invite(name, token_hash(name))


def seeded(desk):
    return [one.entry for one in desk.archive.items("open") if one.entry.kind == "gold"]


def test_everybody_gets_each_seeded_item_once_among_the_doubted_ones(desk, tmp_path):
    invite(desk, "Ada", "Bo")
    file = write_lines(tmp_path / "gold.jsonl", [right("why"), right("product", 2, award=0)])
    assert seed_file(desk.archive, [file]) == Seeded(answers=2, people=2, new=4)
    assert seed_file(desk.archive, [file]).new == 0
    found = seeded(desk)
    assert sorted((one.point_id, one.gold, one.barred, one.check_kind) for one in found) == [
        *(("product", 0.0, (name,), "smiles") for name in ("Ada", "Bo")),
        *(("why", 1.0, (name,), None) for name in ("Ada", "Bo")),
    ]
    doubted = {one.entry.priority for one in desk.archive.items("open") if one.entry.kind == "triage"}
    assert {one.priority for one in found} <= doubted


def test_drawn_ones_are_settled_ones_and_whoever_marked_them_gets_none(desk):
    invite(desk, "Ada")
    with pytest.raises(UsageError, match="no adjudicated mark"):
        seed_adjudicated(desk.archive, 3)
    desk.put("why", "dispute", desk_text(desk), about="why?")
    desk.person("Cy", adjudicates=True).post("/adjudicate").mark("partial", marks="1.5")
    assert seed_adjudicated(desk.archive, 3) == Seeded(answers=1, people=2, new=1)
    (entry,) = seeded(desk)
    assert (entry.gold, entry.barred) == (0.5, ("Cy",))


def desk_text(desk):
    (run,) = desk.archive.runs()
    first = next(iter(desk.archive.graded(run)))
    return desk.archive.response(first.response.digest).text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            right("why", adjudicated=False),
            "gold.jsonl:1 /adjudicated: a seeded item needs an adjudicated mark",
        ),
        (
            right("why", award=None, status="undetermined"),
            "gold.jsonl:1 /status: a seeded item needs an award",
        ),
        (right("why", 7), "gold.jsonl:1: the archive has no response"),
        (right("how"), "unknown point"),
        (right("why") | {"model": None}, "the mark fits 3 responses of the archive"),
    ],
)
def test_what_is_no_settled_mark_of_one_answer_is_refused_by_line(desk, tmp_path, line, said):
    invite(desk, "Ada")
    file = write_lines(tmp_path / "gold.jsonl", [{key: one for key, one in line.items() if one is not None}])
    with pytest.raises(MarkError) as refused:
        seed_file(desk.archive, [file])
    assert (said in str(refused.value), len(refused.value.faults)) == (True, 1)
    assert not seeded(desk)


def test_without_people_there_is_nobody_to_seed_for(desk, tmp_path):
    with pytest.raises(UsageError, match="nobody is invited"):
        seed_file(desk.archive, [write_lines(tmp_path / "gold.jsonl", [right("why")])])
