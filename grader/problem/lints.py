"""What deserves a look in a set that loads: missing descriptions, answers given away, duplicates.

Lints never refuse a set. Those that know chemistry are in ``grader/formal``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from grader.errors import Fault
from grader.problem.checks import CheckModel, QuantityCheck
from grader.problem.images import Kind, SetFile
from grader.problem.model import Deduction, Group, Image, Point, Problem, Subquestion, Veto, walk
from grader.problem.nodes import nodes
from grader.problem.place import Place

Placed = tuple[Place, Problem | None]
Text = tuple[Place, str]

SHORTEST = 5
"""Shorter answers (a letter, ``CCO``) stand in many texts by chance."""
LISTED = frozenset({"label", "choice", "set", "sequence", "boolean", "name"})
"""Kinds whose answers a question may rightly list."""
_QUOTED = re.compile(r"'([^'\n]{5,300})'")


def lints(placed: Iterable[Placed], files: Mapping[tuple[str, Kind, str], SetFile]) -> Iterator[Fault]:
    """Every lint of the problems that could be read."""
    whole = [(place, problem) for place, problem in placed if problem is not None]
    for place, problem in whole:
        yield from _missing_descriptions(problem, place)
        yield from _missing_rubrics(problem, place)
        yield from _odd_marks(problem, place)
        yield from _leaks(problem, place)
        yield from _shown_solutions(problem, place, files)
    yield from _duplicates(whole)


def _visible_images(problem: Problem, place: Place) -> Iterator[tuple[int, Place, Image]]:
    """Images a model sees, with the index of the first subquestion they are shown at."""
    for number, image in enumerate(problem.header_images):
        yield 0, place.at("header_images", number), image
    for index, sub in enumerate(problem.subquestions):
        for number, image in enumerate(sub.text_images):
            yield index, place.at("subquestions", index, "text_images", number), image


def _missing_descriptions(problem: Problem, place: Place) -> Iterator[Fault]:
    for _, here, image in _visible_images(problem, place):
        if not image.description.strip():
            do = "Describe it: without a description it is lost in text_only."
            yield here.fault("a visible image has no description", got=repr(image.file), do=do)


def _missing_rubrics(problem: Problem, place: Place) -> Iterator[Fault]:
    """A problem published without rubrics has none at all."""
    bare = [index for index, sub in enumerate(problem.subquestions) if sub.rubric is None]
    for index in bare if len(bare) < len(problem.subquestions) else ():
        yield place.at("subquestions", index).fault("has no rubric, unlike its siblings: it can't be graded")


def _odd_marks(problem: Problem, place: Place) -> Iterator[Fault]:
    for index, sub in enumerate(problem.subquestions):
        for number, node in enumerate(sub.rubric or ()):
            if isinstance(node, Point | Group | Deduction) and (2 * node.points) % 1:
                here = place.at("subquestions", index, "rubric", number, "points")
                yield here.fault("is neither a whole nor a half mark", got=f"{node.points:g}")


# Answers that a model can read before it answers


def _leaks(problem: Problem, place: Place) -> Iterator[Fault]:
    """Answers of a subquestion found in what is visible at it or before it."""
    described = [(index, here, image.description) for index, here, image in _visible_images(problem, place)]
    written = [(0, place, problem.header)]
    written += [(n, place.at("subquestions", n), sub.text_open) for n, sub in enumerate(problem.subquestions)]
    for index, sub in enumerate(problem.subquestions):
        for answer in dict.fromkeys(_answers(sub, listed=True)):
            seen = [(here.at("description"), text) for at, here, text in described if at <= index]
            yield from _found(answer, sub, seen)
        for answer in dict.fromkeys(_answers(sub, listed=False)):
            seen = [(_text_of(here, place), text) for at, here, text in written if at <= index]
            yield from _found(answer, sub, seen)


def _text_of(here: Place, place: Place) -> Place:
    return here.at("header" if here == place else "text_open")


def _found(answer: str, sub: Subquestion, texts: Iterable[Text]) -> Iterator[Fault]:
    for here, text in texts:
        if _stands_in(answer, text):
            what = f"a model can read an answer to {sub.sub_id} here"
            yield here.fault(what, got=repr(answer), do="Leave it out, or ask for something else.")


def _stands_in(answer: str, text: str) -> bool:
    """Whether an answer stands in a text by itself, not as part of a longer word, number or formula."""
    start = text.find(answer)
    while start >= 0:
        around = text[max(start - 1, 0) : start], text[start + len(answer) :][:2]
        if not any(side[:1].isalnum() for side in around) and not re.match(r"[.,]\d", around[1]):
            return True
        start = text.find(answer, start + 1)
    return False


def _answers(sub: Subquestion, *, listed: bool) -> Iterator[str]:
    """What would be an answer to a subquestion if it were read off verbatim."""
    checks = [
        node.check
        for node in walk(nodes(sub))
        if isinstance(node, Point | Deduction | Veto) and node.check is not None
    ]
    earning = [check for check in checks if listed or check.kind not in LISTED]
    yield from chain.from_iterable(_values(check) for check in earning)
    lines = [item for item in sub.rubric or () if isinstance(item, str)]
    yield from chain.from_iterable(_QUOTED.findall(line) for line in lines)
    result = (sub.standard_result or "").strip()
    if len(result) >= SHORTEST:
        yield result
    yield from _QUOTED.findall(result)


def _values(check: CheckModel) -> Iterator[str]:
    expected = getattr(check, "expected", None)
    if isinstance(check, QuantityCheck):
        yield from _telling(f"{check.expected:.12g}")
    elif isinstance(expected, str) and len(expected.strip()) >= SHORTEST:
        yield expected.strip()


def _telling(number: str) -> Iterator[str]:
    """A number, if it has so many digits that it can't stand in a text by chance."""
    digits = re.sub(r"e.*|\D", "", number).strip("0")
    if len(digits) >= 3:
        yield number


# Duplicates


def _shown_solutions(
    problem: Problem, place: Place, files: Mapping[tuple[str, Kind, str], SetFile]
) -> Iterator[Fault]:
    """Private images whose bytes are also shown to models."""
    shown = {_digest(problem, image, files) for _, _, image in _visible_images(problem, place)} - {None}
    for index, sub in enumerate(problem.subquestions):
        for number, image in enumerate(sub.rubric_images):
            if _digest(problem, image, files) in shown:
                here = place.at("subquestions", index, "rubric_images", number)
                yield here.fault("a private image is also shown to models", got=repr(image.file))


def _digest(problem: Problem, image: Image, files: Mapping[tuple[str, Kind, str], SetFile]) -> str | None:
    file = files.get((problem.problem_id, "images", image.file))
    return file.digest if file else None


def _duplicates(whole: Sequence[tuple[Place, Problem]]) -> Iterator[Fault]:
    """Subquestions that ask the same under the same header as another, in whatever problem."""
    first: dict[tuple[str, ...], str] = {}
    for place, problem in whole:
        for index, sub in enumerate(problem.subquestions):
            key = (_words(problem.header), _words(sub.text_open), *_descriptions(sub))
            known = first.setdefault(key, sub.sub_id)
            if known != sub.sub_id:
                here = place.at("subquestions", index, "text_open")
                yield here.fault(f"asks the same as {known}", do="Remove one of them.")


def _words(text: str) -> str:
    return " ".join(text.casefold().split())


def _descriptions(sub: Subquestion) -> tuple[str, ...]:
    return tuple(_words(image.description) for image in sub.text_images)
