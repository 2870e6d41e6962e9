"""What of a problem is private: in a public report it stands nowhere, not even where an answer repeats it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.problem.model import Group, Note, Problem, RubricItem, Subquestion

SHORTEST = 8
"""Characters of a private passage that is looked for in answers: shorter ones say nothing by themselves."""
WITHHELD = "[withheld]"


def private_texts(problem: Problem) -> list[str]:
    """Every text of rubrics, and every standard result and description of a private image."""
    return [text for sub in problem.subquestions for text in _of_subquestion(sub)]


def _of_subquestion(sub: Subquestion) -> Iterator[str]:
    for item in sub.rubric or ():
        yield from _of_item(item)
    if sub.standard_result:
        yield sub.standard_result
    yield from (image.description for image in sub.rubric_images)


def _of_item(item: RubricItem) -> Iterator[str]:
    if isinstance(item, str):
        yield item
        return
    yield item.note if isinstance(item, Note) else item.text
    if isinstance(item, Group):
        for member in item.of:
            yield from _of_item(member)


class Withholder:
    """Takes private passages out of texts: whole ones, and each of their lines."""

    def __init__(self, texts: list[str]) -> None:
        passages = {passage.strip() for text in texts for passage in (text, *text.splitlines())}
        long_enough = sorted((one for one in passages if len(one) >= SHORTEST), key=len, reverse=True)
        # an answer may break a line elsewhere
        patterns = [r"\s+".join(map(re.escape, one.split())) for one in long_enough]
        self._pattern = re.compile("|".join(patterns), re.IGNORECASE) if patterns else None

    def __call__(self, text: str) -> str:
        """The text without them."""
        return text if self._pattern is None else self._pattern.sub(WITHHELD, text)
