"""What addresses a problem: one hash of all that a model can see, one of the rest.

A run is bound to what the model saw. The rubric may change later: regrading
then shows what changed, and whoever holds the rubrics can grade a run that was
made without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from grader.problem.model import Image, Problem, RubricItem, Subquestion
from grader.record import digest

Digest = Callable[[str, str], str]
"""From the kind of a file (``images`` or ``files``) and its name to the digest of its bytes."""


@dataclass(frozen=True, slots=True)
class Hashes:
    """The addresses of one problem, or of a set."""

    visible: str
    """What a model can see: texts, images and their descriptions, input files, their order."""
    rubric: str
    """The rest: rubrics, marks, tags, standard results, private images and files."""
    content: str
    """Both."""


def hashes_of(problem: Problem, digest_of: Digest) -> Hashes:
    """The hashes of one problem."""
    return _hashes(_visible(problem, digest_of), _private(problem, digest_of))


def hashes_of_set(hashes: Mapping[str, Hashes]) -> Hashes:
    """The hashes of a set, from those of its problems by id; their order doesn't count."""
    ordered = sorted(hashes.items())
    return _hashes(
        [[problem_id, found.visible] for problem_id, found in ordered],
        [[problem_id, found.rubric] for problem_id, found in ordered],
    )


def _hashes(visible: Any, private: Any) -> Hashes:
    seen, rest = digest(visible), digest(private)
    return Hashes(seen, rest, digest([seen, rest]))


def _visible(problem: Problem, digest_of: Digest) -> dict[str, Any]:
    return {
        "problem_id": problem.problem_id,
        "header": problem.header,
        "header_images": _images(problem.header_images, digest_of),
        "subquestions": [_visible_sub(sub, digest_of) for sub in problem.subquestions],
    }


def _visible_sub(sub: Subquestion, digest_of: Digest) -> dict[str, Any]:
    return {
        "sub_id": sub.sub_id,
        "text_open": sub.text_open,
        "text_images": _images(sub.text_images, digest_of),
        "files": _files(sub.files, digest_of),
    }


def _private(problem: Problem, digest_of: Digest) -> dict[str, Any]:
    return {
        "problem_id": problem.problem_id,
        "subquestions": [_private_sub(sub, digest_of) for sub in problem.subquestions],
    }


def _private_sub(sub: Subquestion, digest_of: Digest) -> dict[str, Any]:
    return {
        "sub_id": sub.sub_id,
        "tags": list(sub.tags),
        "full_mark": sub.full_mark,
        "rubric": None if sub.rubric is None else [_item(item) for item in sub.rubric],
        "rubric_images": _images(sub.rubric_images, digest_of),
        "rubric_files": _files(sub.rubric_files, digest_of),
        "standard_result": sub.standard_result,
    }


def _item(item: RubricItem) -> Any:
    """A rubric item without its defaults: a field that later versions add leaves old hashes as they are."""
    return item if isinstance(item, str) else item.model_dump(mode="json", exclude_defaults=True)


def _images(images: Iterable[Image], digest_of: Digest) -> list[list[str]]:
    """Digest and description; the name of an image is shown to nobody."""
    return [[digest_of("images", image.file), image.description] for image in images]


def _files(names: Iterable[str], digest_of: Digest) -> list[list[str]]:
    return [[name, digest_of("files", name)] for name in names]
