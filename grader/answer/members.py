"""Members of JSON objects: the only one an answer holds, and those that are meant for a grader."""

from __future__ import annotations

import re
from collections.abc import Iterator

_STRING = r'"(?:[^"\\\n]|\\.){0,2000}"'
_VALUE = rf"(?:{_STRING}|\[[^\[\]{{}}]{{0,2000}}\]|[^\s,{{}}\[\]\"][^,{{}}\[\]\"\n]{{0,400}}?)"
_SOLE = re.compile(
    rf'\s{{0,20}}(?:```\w{{0,10}}\s{{1,4}})?\{{\s{{0,20}}"(?P<key>[^"\n]{{1,60}})"\s{{0,10}}:\s{{0,10}}(?P<value>{_VALUE})'
    r"\s{0,20}\}\s{0,20}(?:```)?\s{0,20}"
)
_GRADING = re.compile(
    r"(?:(?:is|was|final|overall|total|max|full|auto|human)[_ -]?)*"
    r"(?:score[ds]?|scoring|grade[ds]?|grading|marks?|points?|credits?|rating|verdicts?|judge?ments?|"
    r"assessments?|evaluation|passe[ds]|pass|met|award(?:ed)?|correct(?:ness)?|right|accepted|approved|"
    r"(?:wrong|incorrect|false|rejected|excluded|discarded)[_ -]?(?:answers?|choices?|options?|results?)|"
    r"expected|reference|gold|ground[_ -]?truth|(?:answer|marking)[_ -]?key|rubric)"
    r"(?:[_ -]?(?:score|given|awarded|earned|answer|value))?",
    re.I,
)
_TURNED = re.compile(
    r"(?:wrong|incorrect|false|untrue|not|non|no|never|un\w+|in\w*correct|reject\w*|exclud\w*|discard\w*|"
    r"distract\w*|given|"
    r"question|prompt|problem|input|initial|first|previous|old|guess|example|hint|errors?|mistakes?|opposite|"
    r"reverse|negat\w*|alternatives?|hypothesis|others?|confidence|index|id|step|task|part|number)",
    re.I,
)
"""A word of a key whose value is not what is answered, or turned round: "is_false", "first_guess"."""
_MEMBER = re.compile(rf'"(?P<key>[^"\n]{{1,60}})"\s{{0,10}}:\s{{0,10}}(?P<value>{_VALUE})(?=\s{{0,20}}[,}}])')
_OBJECT = re.compile(r"\{[^{}]{1,4000}\}")
_ANSWER = re.compile(r"(?:final[_ -]?)?(?:answer|choice|result|response)", re.I)


def is_grading(key: str) -> bool:
    """Whether a key names what a grader says of an answer: "score", "is_correct"."""
    return _GRADING.fullmatch(_spaced(key)) is not None


def _spaced(key: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key.strip())


def _is_answer(key: str) -> bool:
    """Whether a key may head an answer: it is no grader's, and turns nothing round."""
    return not is_grading(key) and not any(map(_TURNED.fullmatch, re.split(r"[\W_]+", _spaced(key))))


def sole_member(raw: str) -> tuple[int, int] | None:
    """The span of the value of the one member that is all a text holds, if its key may head an answer."""
    found = _SOLE.fullmatch(raw)
    return found.span("value") if found is not None and _is_answer(found["key"]) else None


def graded(raw: str) -> Iterator[tuple[int, int]]:
    """The spans meant for a grader: such a member of an object with an answer, else the whole object."""
    for held in _OBJECT.finditer(raw) if '"' in raw else ():
        members = list(_MEMBER.finditer(raw, *held.span()))
        meant = [one for one in members if is_grading(one["key"])]
        answered = any(_ANSWER.fullmatch(one["key"]) for one in members)
        if meant:
            yield from (one.span() for one in meant) if answered else (held.span(),)
