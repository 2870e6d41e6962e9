"""A problem as a model, a judge or a reviewer sees it, as plain text.

Lines in square brackets say what plain text can't show; no model reads them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from grader.errors import UsageError
from grader.problem.model import Deduction, Group, Image, Note, Point, Problem, ScoringNode, Subquestion, Veto
from grader.problem.nodes import nodes
from grader.problem.visible import visible
from grader.protocol.messages import ContentOf, opening, written
from grader.protocol.profile import DEFAULT, Profile, load_profile
from grader.protocol.scaffold import scaffolds
from grader.protocol.turns import Granted, Named, Picture, ShownMode, ShownProtocol, Turn, turns
from grader.render.plain import plain

Viewer = Literal["model", "judge", "reviewer"]
VIEWERS: tuple[Viewer, ...] = ("model", "judge", "reviewer")


def view(
    problem: Problem,
    as_: Viewer,
    protocol: ShownProtocol = "full_problem",
    mode: ShownMode = "multimodal",
    profile: Profile | None = None,
    content_of: ContentOf = lambda attachment: "[its content]",
) -> str:
    """A problem as ``as_`` sees it; all else matters to a model only, which is sent these very texts.

    ``profile``: the default one unless it is given; ``content_of``: the texts
    of input files. Raises UsageError for a viewer, protocol or mode there isn't.
    """
    if as_ not in VIEWERS:
        raise UsageError("unknown viewer", got=repr(as_), expected="one of " + ", ".join(VIEWERS))
    if as_ == "model":
        parts = _model(problem, protocol, mode, profile or load_profile(DEFAULT), content_of)
    else:
        parts = _judge(problem) if as_ == "judge" else _reviewer(problem)
    return plain("\n\n".join(parts)) + "\n"


# The model


def _model(
    problem: Problem, protocol: ShownProtocol, mode: ShownMode, profile: Profile, content_of: ContentOf
) -> Iterator[str]:
    shown = turns(visible(problem), protocol, mode, scaffolds(problem))
    for number, turn in enumerate(shown, start=1):
        yield _turn_title(number, len(shown), turn)
        for missing in turn.ungranted:
            yield f"[{missing} has no standard result: nothing is granted]"
        yield from filter(str.strip, _turn(turn, protocol, profile, content_of))
        yield f"[the model's own answer to {turn.sub_id or 'all subquestions'}]"


def _turn_title(number: int, count: int, turn: Turn) -> str:
    where = "the same conversation" if turn.continues else "a new conversation"
    return f"[turn {number} of {count}, {where}]"


def _turn(turn: Turn, protocol: ShownProtocol, profile: Profile, content_of: ContentOf) -> Iterator[str]:
    """The texts that are sent, with a line for what is none."""
    if not turn.continues:
        for system in opening(profile):
            yield "[system message]"
            yield str(system["content"])
            yield "[message]"
        yield profile.opening(protocol)
    for block in turn.blocks:
        if isinstance(block, Granted):
            derived = ", derived from its rubric" if block.scaffold.derived else ""
            yield f"[granted: the standard result of {block.scaffold.sub_id}{derived}]"
        yield written(block, profile, content_of)
        if isinstance(block, Picture):
            yield "[image]"
        if isinstance(block, Named):
            yield "[the model may ask its reader about it]"


# The judge


def _judge(problem: Problem) -> Iterator[str]:
    """Question by question: what is asked, the rubric, the private images; no standard result."""
    shown = visible(problem)
    for sub, seen in zip(problem.subquestions, shown.subquestions, strict=True):
        yield f"[request for {sub.sub_id}]"
        yield from (f"{figure.name}: {figure.description}" for figure in (*shown.figures, *seen.figures))
        yield shown.header.strip("\n")
        yield seen.text.strip("\n")
        yield "[the answer]"
        yield _rubric_title(sub)
        yield "\n".join(_lines(nodes(sub))) or "[no rubric: not gradable]"
        yield from (f"Reference figure: {image.description}" for image in sub.rubric_images)


def _rubric_title(sub: Subquestion) -> str:
    return f"Rubric, {_marks(sub.full_mark)} in all"


def _lines(rubric: Iterable[ScoringNode], depth: int = 0) -> Iterator[str]:
    for node in rubric:
        yield "  " * depth + _line(node)
        if isinstance(node, Group):
            yield from _lines(node.of, depth + 1)


def _line(node: ScoringNode) -> str:
    if isinstance(node, Note):
        return f"note: {node.note}"
    check = None if isinstance(node, Group) else node.check
    decided = f" [code decides: {check.kind}]" if check else ""
    return f"{node.id} ({_worth(node)}): {node.text}{decided}"


def _worth(node: Point | Group | Deduction | Veto) -> str:
    if isinstance(node, Veto):
        return f"veto on {node.scope or 'the subquestion'}"
    if isinstance(node, Deduction):
        each = " each" if node.each else ""
        most = f", at most {node.max:g}" if node.max is not None else ""
        scope = f", on {node.scope}" if node.scope else ""
        return f"{node.points:g}{each}{most}{scope}"
    if isinstance(node, Group):
        return f"{_marks(node.points)}, {_rule(node)}"
    return _marks(node.points) + (", fractions allowed" if node.partial else "")


def _rule(group: Group) -> str:
    if group.table is not None:
        return "by count: " + ", ".join(f"{count} -> {marks:g}" for count, marks in group.table.items())
    if group.take is not None:
        return f"the best {group.take} of"
    return {"sum": "each by itself", "all": "all or nothing", "any": "the best of", "count": "by count"}[
        group.rule
    ]


def _marks(value: float) -> str:
    return f"{value:g} mark" if value == 1 else f"{value:g} marks"


# The reviewer


def _reviewer(problem: Problem) -> Iterator[str]:
    """Everything, under its names in the set."""
    yield f"problem {problem.problem_id}"
    yield problem.header.strip("\n")
    yield from _images("header image", problem.header_images)
    for sub in problem.subquestions:
        yield from _reviewed(sub)


def _reviewed(sub: Subquestion) -> Iterator[str]:
    tags = f" [{', '.join(sub.tags)}]" if sub.tags else ""
    yield f"subquestion {sub.sub_id}, {_marks(sub.full_mark)}{tags}"
    yield from _images("image", sub.text_images)
    yield from (f"[file {name}]" for name in sub.files)
    yield sub.text_open.strip("\n")
    yield _rubric_title(sub)
    yield "\n".join(_detailed(nodes(sub))) or "[no rubric: not gradable]"
    native = [item for item in sub.rubric or () if isinstance(item, str)]
    if native:
        yield "Native lines\n" + "\n".join(native)
    yield from _images("private image", sub.rubric_images)
    yield from (f"[private file {name}]" for name in sub.rubric_files)
    if sub.standard_result is not None:
        yield f"Standard result: {sub.standard_result}"


def _images(title: str, images: Iterable[Image]) -> Iterator[str]:
    yield from (f"[{title} {image.file}] {image.description}" for image in images)


def _detailed(rubric: Iterable[ScoringNode], depth: int = 0) -> Iterator[str]:
    for node in rubric:
        yield "  " * depth + _line(node)
        if not isinstance(node, Group | Note) and node.check is not None:
            yield "  " * depth + "    " + _json(node.check.model_dump(mode="json", exclude_defaults=True))
        if isinstance(node, Point) and node.follow:
            yield "  " * depth + "    follow: " + _json(node.follow.model_dump(exclude_defaults=True))
        if isinstance(node, Point) and node.draft:
            yield "  " * depth + "    [draft: no chemist has accepted this check]"
        if isinstance(node, Group):
            yield from _detailed(node.of, depth + 1)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
