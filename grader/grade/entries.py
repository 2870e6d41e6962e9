"""A problem set, its plan and its images as the archive keeps them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grader.answer import segment
from grader.archive.entry import Engine, ImageEntry, NodeEntry, ProblemEntry, SetEntry
from grader.formal import located, registry
from grader.formal.follow import task
from grader.grade.facts import fact_engine
from grader.grade.plan import Plan, PlannedSubquestion
from grader.problem.follow_rules import STRUCTURES
from grader.problem.set import ProblemSet

if TYPE_CHECKING:
    from grader.judge.cards import LoadedCard

BLANK = Engine("formal:no_answer@1")
"""Signs the findings of a completed blank answer: not met, whatever the point."""


CUT = Engine(f"answer:segment@{segment.VERSION}")
"""Finds nothing itself; another way of cutting responses makes another grading."""


def engines(plan: Plan, card: LoadedCard | None = None) -> list[Engine]:
    """What a grading rests on: the engines whose findings count today, and how responses are cut.

    Where points follow from others, also those that decide what follows.
    With a judge also those that decide on passages it quotes, and those that
    find facts for it.
    """
    kinds = sorted(plan.kinds)
    found = [BLANK, CUT, *(engine_of(kind) for kind in kinds)]
    found.extend(follow_engine(kind) for kind in sorted(plan.follow_kinds))
    if card is not None:
        found.append(fact_engine())
        if card.locating is not None:
            found.extend(located_engine(kind, card.locating.label) for kind in kinds)
    return found


def engine_of(kind: str) -> Engine:
    """The engine that decides a check kind."""
    return Engine(registry.by(kind), registry.libraries(kind))


def follow_engine(kind: str) -> Engine:
    """The engine that decides a check kind with what follows from an answer's own values."""
    rest = {"follow": str(task.VERSION), "located": str(located.VERSION)}
    if kind in STRUCTURES:  # a name is looked at as a structure
        rest |= {"structures": registry.by("smiles"), **registry.libraries("smiles")}
    return Engine(registry.by(kind), {**registry.libraries(kind), **rest})


def located_engine(kind: str, locator: str) -> Engine:
    """The engine that decides a check kind on passages that a judge card quotes."""
    versions = {**registry.libraries(kind), "located": str(located.VERSION), "locator": locator}
    return Engine(registry.by(kind), versions)


def set_entry(problems: ProblemSet, plan: Plan) -> SetEntry:
    """The set with its problems and scoring nodes."""
    return SetEntry(
        name=problems.path.resolve().name,
        visible_hash=problems.visible_hash,
        rubric_hash=problems.rubric_hash,
        problems=[_problem(problems, problem_id, plan) for problem_id in problems.problems],
    )


def images(problems: ProblemSet) -> Iterator[ImageEntry]:
    """The set's images, one at a time."""
    from PIL import Image

    for digest, file in problems.images.items():
        data = file.read()
        with Image.open(io.BytesIO(data)) as image:
            media_type = Image.MIME.get(image.format or "", "application/octet-stream")
            yield ImageEntry(digest, media_type, image.width, image.height, data)


def _problem(problems: ProblemSet, problem_id: str, plan: Plan) -> ProblemEntry:
    hashes = problems.hashes[problem_id]
    problem = problems.problems[problem_id]
    return ProblemEntry(
        hash=hashes.content,
        problem_id=problem_id,
        visible_hash=hashes.visible,
        rubric_hash=hashes.rubric,
        content=problem.model_dump(mode="json", by_alias=True, exclude_defaults=True),
        nodes=[node for sub in plan.subquestions[problem_id] for node in _nodes(sub)],
        images={
            name: file.digest
            for (owner, kind, name), file in problems.files.items()
            if owner == problem_id and kind == "images"
        },
    )


def _nodes(sub: PlannedSubquestion) -> Iterator[NodeEntry]:
    for point in sub.points:
        node = point.node.model_dump(mode="json", exclude_defaults=True)
        yield NodeEntry(sub.sub_id, point.node.id, point.point_hash, point.shape, node)
