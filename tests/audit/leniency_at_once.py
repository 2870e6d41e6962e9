"""What A2 and A13 would say of thousands of archives, on arrays and written apart from them.

An audit takes some 20 milliseconds an archive, and an error of 5 % isn't known to half a point before 2,000
archives. A test holds these to the audits, archive by archive.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tests.audit.marked_worlds import MODELS, Drawn

ALPHA = 0.05
FEW = 10


class Sums(NamedTuple):
    """Of marked points: judge minus people, and what they are worth, by problem; and over all problems."""

    excess: Any
    """[runs, models, problems]"""
    full: Any
    squares: Any
    """[runs, models], of what points are worth."""
    points: Any
    wrong: Any
    """How many points the judge awards otherwise than people do."""

    def of(self, runs: Any, models: list[int]) -> Sums:
        """Those runs, and those models put together: no axis of models is left."""
        return Sums(*(one[runs][:, models].sum(axis=1) for one in self))


def sums(many: Drawn) -> Sums:
    """Of each archive and model."""
    worth = many.worth[:, None] * many.marked
    differs = many.award - many.people
    wrong = many.marked & (differs != 0)
    return Sums(
        (worth * differs).sum(axis=-1),
        worth.sum(axis=-1),
        (worth**2).sum(axis=(-2, -1)),
        many.marked.sum(axis=(-2, -1)),
        wrong.sum(axis=(-2, -1)),
    )


def lenient(found: Sums) -> Any:
    """[runs, models], which models A2 flags: Holm over the models."""
    p = np.stack([p_of([found.of(slice(None), [model])]) for model in range(len(MODELS))], axis=1)
    order = np.argsort(p, axis=1)
    steps = np.take_along_axis(p, order, axis=1) * np.arange(p.shape[1], 0, -1)
    flagged = np.empty(p.shape, bool)
    np.put_along_axis(flagged, order, np.maximum.accumulate(steps, axis=1) < ALPHA, axis=1)
    return flagged


def preferred(found: Sums) -> Any:
    """[runs, models], which models A13 flags, step by step; of the last two the first stands for both."""
    flagged = np.zeros(found.points.shape, bool)
    _step(found, np.arange(len(flagged)), list(range(len(MODELS))), flagged)
    return flagged


def _step(found: Sums, runs: Any, left: list[int], flagged: Any) -> None:
    told = left if len(left) > 2 else left[:1]
    p = np.stack([_adjusted(found, runs, model, left) for model in told], axis=1)
    first, smallest = p.argmin(axis=1), p.min(axis=1)
    for place, model in enumerate(told):
        favoured = runs[(first == place) & (smallest < ALPHA)]
        flagged[favoured, model] = True
        if len(favoured) and len(told) > 1:
            _step(found, favoured, [one for one in left if one != model], flagged)


def _adjusted(found: Sums, runs: Any, model: int, left: list[int]) -> Any:
    """[runs], p of the model against all others, or without one of them where that is the larger."""
    mine, others = found.of(runs, [model]), [one for one in left if one != model]
    if len(left) == 2:
        return p_of([mine, found.of(runs, others)])
    fewer = len(left) - 1 if len(left) > 3 else 1
    several = [len(left) * p_of([mine, found.of(runs, others)])]
    several += [fewer * p_of([mine, found.of(runs, [one for one in others if one != out])]) for out in others]
    return np.max(several, axis=0)


def p_of(sides: list[Sums]) -> Any:
    """[runs], of no leniency of one side, or of no difference of two: jackknife and Student's t."""
    from scipy.stats import t

    ratios: Any = 0.0
    without: Any = 0.0
    added: Any = 0.0
    for sign, side in zip((1, -1), sides, strict=False):
        excess, full = (one.sum(axis=-1, keepdims=True) for one in (side.excess, side.full))
        ratios = ratios + sign * (excess / full)[..., 0]
        without = without + sign * (excess - side.excess) / (full - side.full)
        two = 2 * side.squares / side.points / full[..., 0] ** 2
        added = added + np.where(side.wrong < FEW, two, 0.0)
    held = sum(side.full for side in sides) > 0
    problems = held.sum(axis=-1)
    mean = np.where(held, without, 0.0).sum(axis=-1) / problems
    spread = (np.where(held, without - mean[..., None], 0.0) ** 2).sum(axis=-1)
    se = np.sqrt((problems - 1) / problems * spread + added)
    return 2 * t.sf(np.abs(ratios) / se, problems - 1)
