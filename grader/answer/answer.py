"""The part of a response that answers one subquestion."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as the formal track sees it.

    ``others`` are the ``asked`` labels of the sibling points, so that a value
    stated under a sibling's label isn't taken for this point's. ``cut`` is
    False where a full_problem response could not be segmented: then only a
    candidate bound by a label counts.
    """

    text: str
    others: tuple[str, ...] = ()
    cut: bool = True
