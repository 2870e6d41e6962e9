"""A set's canary stays at home: by it one finds out whether the set has been trained on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from grader.errors import Fault
from grader.problem.model import Problem
from grader.problem.set import ProblemSet
from grader.protocol.scaffold import scaffolds

_GUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_TELLING = 16
"""Characters of a line that doesn't stand in two texts by chance."""


def canary_faults(problems: ProblemSet, asked: Iterable[Problem], *, granted: bool) -> Iterator[Fault]:
    """Every text of the problems that holds the canary of their set and would be sent.

    Its GUID alone, or one of its lines, is the canary too. ``granted``: the
    standard results are sent as well.
    """
    signs = _signs(problems.canary or "")
    for problem in asked if signs else ():
        for where, text in _texts(problems, problem, granted):
            if any(sign in _even(text) for sign in signs):
                yield Fault(
                    "a text that would be sent holds the set's canary",
                    file=str(problems.path),
                    got=where,
                    do="Remove it there: a canary stands in canary.txt alone.",
                )


def _signs(canary: str) -> set[str]:
    lines = (_even(line) for line in canary.splitlines())
    found = {_even(canary), *_GUID.findall(canary.lower()), *(one for one in lines if len(one) >= _TELLING)}
    return found - {""}


def _even(text: str) -> str:
    return " ".join(text.lower().split())


def _texts(problems: ProblemSet, problem: Problem, granted: bool) -> Iterator[tuple[str, str]]:
    """Whatever of a problem can be sent as text, and what it is."""
    name = problem.problem_id
    yield f"the header of {name}", problem.header
    for image in problem.header_images:
        yield f"the description of {image.file} in {name}", image.description
    for sub in problem.subquestions:
        yield f"the text of {sub.sub_id}", sub.text_open
        for image in sub.text_images:
            yield f"the description of {image.file} in {sub.sub_id}", image.description
        for file in sub.files:
            data = problems.files[name, "files", file].read()
            yield f"the input file {file} of {sub.sub_id}", data.decode("utf-8", "replace")
    for sub_id, scaffold in (scaffolds(problem) if granted else {}).items():
        yield f"the standard result of {sub_id}", scaffold.text
