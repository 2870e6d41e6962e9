"""Problem sets in the archive: problems, their nodes, their images."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select

from grader.archive.append import insert_new
from grader.archive.entry import ImageEntry, NodeEntry, ProblemEntry, SetEntry
from grader.archive.rows import Row
from grader.archive.tables import TABLES


def put_images(connection: Connection, images: list[ImageEntry]) -> None:
    """Keep images that aren't there yet."""
    names = ("digest", "media_type", "width", "height", "data")
    new = [{name: getattr(image, name) for name in names} for image in images]
    insert_new(connection, TABLES["images"], new)


def put_set(connection: Connection, entry: SetEntry, created: datetime) -> None:
    """Keep a set with everything in it; one that is there is there whole."""
    sets = TABLES["sets"]
    if connection.scalar(select(sets.c.digest).where(sets.c.digest == entry.digest)) is not None:
        return
    problems = sorted(entry.problems, key=lambda problem: problem.hash)
    insert_new(connection, TABLES["problems"], [_problem_row(problem) for problem in problems])
    insert_new(connection, TABLES["points"], [_point_row(node) for one in problems for node in one.nodes])
    insert_new(connection, TABLES["problem_points"], [row for one in problems for row in _place_rows(one)])
    insert_new(connection, TABLES["problem_images"], [row for one in problems for row in _image_rows(one)])
    insert_new(connection, sets, [_set_row(entry, created)])
    members = [{"set_digest": entry.digest, "problem_hash": problem.hash} for problem in problems]
    insert_new(connection, TABLES["set_problems"], members)


def problem(connection: Connection, problem_hash: str) -> ProblemEntry:
    """A problem as it was graded; KeyError if it isn't there."""
    problems, places = TABLES["problems"], TABLES["problem_points"]
    points, images = TABLES["points"], TABLES["problem_images"]
    row = connection.execute(select(problems).where(problems.c.hash == problem_hash)).first()
    if row is None:
        raise KeyError(problem_hash)
    nodes = (
        select(places.c.sub_id, places.c.point_id, places.c.point_hash, points.c.shape, points.c.node)
        .join(points, points.c.point_hash == places.c.point_hash)
        .where(places.c.problem_hash == problem_hash)
        .order_by(places.c.position)
    )
    files = select(images.c.file, images.c.digest).where(images.c.problem_hash == problem_hash)
    return ProblemEntry(
        hash=row.hash,
        problem_id=row.problem_id,
        visible_hash=row.visible_hash,
        rubric_hash=row.rubric_hash,
        content=row.content,
        nodes=tuple(NodeEntry(*node) for node in connection.execute(nodes)),
        images={row.file: row.digest for row in connection.execute(files)},
    )


def set_names(connection: Connection) -> dict[str, str]:
    """The names of all sets by digest."""
    sets = TABLES["sets"]
    return {row.digest: row.name for row in connection.execute(select(sets.c.digest, sets.c.name))}


def problems_of(connection: Connection, set_digest: str) -> list[str]:
    """The hashes of the problems of a set, by the problems' ids."""
    members, problems = TABLES["set_problems"], TABLES["problems"]
    query = (
        select(problems.c.hash)
        .join(members, members.c.problem_hash == problems.c.hash)
        .where(members.c.set_digest == set_digest)
        .order_by(problems.c.problem_id)
    )
    return list(connection.scalars(query))


def image(connection: Connection, digest: str) -> ImageEntry:
    """An image; KeyError if it isn't there."""
    images = TABLES["images"]
    row = connection.execute(select(images).where(images.c.digest == digest)).mappings().first()
    if row is None:
        raise KeyError(digest)
    return ImageEntry(**row)


def _set_row(entry: SetEntry, created: datetime) -> Row:
    names = ("digest", "name", "visible_hash", "rubric_hash")
    return {**{name: getattr(entry, name) for name in names}, "created": created}


def _problem_row(entry: ProblemEntry) -> Row:
    names = ("hash", "problem_id", "visible_hash", "rubric_hash")
    return {**{name: getattr(entry, name) for name in names}, "content": dict(entry.content)}


def _point_row(node: NodeEntry) -> Row:
    return {"point_hash": node.point_hash, "shape": node.shape, "node": dict(node.node)}


def _place_rows(entry: ProblemEntry) -> list[Row]:
    return [
        {
            "problem_hash": entry.hash,
            "position": position,
            "sub_id": node.sub_id,
            "point_id": node.point_id,
            "point_hash": node.point_hash,
        }
        for position, node in enumerate(entry.nodes)
    ]


def _image_rows(entry: ProblemEntry) -> list[Row]:
    return [{"problem_hash": entry.hash, "file": f, "digest": digest} for f, digest in entry.images.items()]
