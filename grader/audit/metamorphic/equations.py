"""Equations with their terms in another order, and with a coefficient or the direction changed.

The raw terms are moved as they are written; what came of it is read anew and compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.answer.notation import normalise
from grader.audit.metamorphic.entities import entities
from grader.audit.metamorphic.kind import Edit, Place, Unfit
from grader.audit.metamorphic.measured import closed, is_whole
from grader.formal.equations.equation import Arrow, Equation
from grader.formal.equations.reader import find_equations
from grader.formal.variants.equations import identity

_PLUS = re.compile(r"\s+\+\s+")
_COUNT = re.compile(r"(?P<count>[0-9]+)(?P<gap>[ ]?|\\[,; ])(?=[A-Z\\(\[$])")
_BARE = re.compile(r"(?=[A-Z(\[\\$])")


def term_order(place: Place) -> Iterator[Edit]:
    """The terms of each side in another order."""
    sides, arrow = _parts(place)
    if max(len(side) for side in sides) < 2:
        raise Unfit("each side of the equation has one term")
    for _ in range(12):
        mixed = [place.chance.sample(side, len(side)) for side in sides]
        if mixed != sides:
            text = _joined(mixed, arrow)
            _assert_identity(place, text, equal=True)
            yield Edit(text, f"{place.entity.text}: terms in another order, {text}")


def coefficient(place: Place) -> Iterator[Edit]:
    """One coefficient one more."""
    sides, arrow = _parts(place)
    places = [(side, at) for side in (0, 1) for at in range(len(sides[side]))]
    fit = False
    for side, at in place.chance.sample(places, len(places)):
        term = sides[side][at]
        if counted := _COUNT.match(term):
            changed = f"{int(counted['count']) + 1}{term[counted.end('count') :]}"
        elif _BARE.match(term):
            changed = f"2 {term}"
        else:
            continue
        edited = [list(one) for one in sides]
        edited[side][at] = changed
        text = _joined(edited, arrow)
        _assert_identity(place, text, equal=False)
        fit = True
        yield Edit(text, f"{place.entity.text}: {term} became {changed}")
    if not fit:
        raise Unfit("no term of the equation has a coefficient that can be changed")


def arrow_reversed(place: Place) -> Iterator[Edit]:
    """Products in the place of reactants."""
    (left, right), arrow = _parts(place)
    if place.entity.value.arrow is not Arrow.FORWARD:
        raise Unfit("the equation has no direction")
    text = _joined([right, left], arrow)
    _assert_identity(place, text, equal=False)
    yield Edit(text, f"{place.entity.text}: turned round, {text}")


def _parts(place: Place) -> tuple[list[list[str]], str]:
    """The raw terms of both sides, and the arrow with the spaces around it; Unfit for other layouts."""
    equation: Equation = place.entity.value
    text, arrow = place.entity.text, equation.arrow_text.strip()
    if not arrow or text.count(arrow) != 1 or not is_whole(text):
        raise Unfit("the equation is set in a way that can't be taken apart")
    left, right = text.split(arrow)
    around = left[len(left.rstrip()) :] + arrow + right[: len(right) - len(right.lstrip())]
    sides = [_PLUS.split(left.rstrip()), _PLUS.split(right.lstrip())]
    if [len(side) for side in sides] != [len(equation.left), len(equation.right)]:
        raise Unfit("the equation is set in a way that can't be taken apart")
    return sides, around


def _joined(sides: list[list[str]], arrow: str) -> str:
    return arrow.join(" + ".join(side) for side in sides)


def _assert_identity(place: Place, text: str, *, equal: bool) -> None:
    """Unfit unless the rewritten answer has that equation there, with the same species and ratios or not."""
    start = place.entity.start
    after = place.raw[:start] + text + place.raw[place.entity.end :]
    span = start, start + len(text)
    found = [
        one
        for one in find_equations(normalise(after), nuclear=False)
        if (one.start, closed(after, one.start, one.end)) == span and not one.equation.words
    ]
    before = [one for one in entities(place.raw, "equation") if one.span == place.entity.span]
    if len(found) != 1 or len(before) != 1:
        raise Unfit("the rewritten equation can't be read back")
    same = identity(found[0].equation) == identity(place.entity.value)
    if same is not equal or (equal and found[0].equation.arrow is not place.entity.value.arrow):
        raise Unfit("the rewriting isn't proved to be " + ("the same equation" if equal else "another one"))
