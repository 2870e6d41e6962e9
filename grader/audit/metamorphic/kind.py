"""What a kind of transform is: the edits it can make of one entity, and what each must prove."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from grader.audit.metamorphic.entities import Entity, Sort
from grader.audit.metamorphic.pair import Law


class Unfit(Exception):
    """A guard doesn't hold, or there is nothing to edit; the message says why, as a clause."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One rewriting of an entity."""

    text: str
    """What takes the place of ``span``."""
    what: str
    """What was done, for a reader."""
    span: tuple[int, int] | None = None
    """None: the entity's, and wherever else the same object is written by the same kind of notation."""
    how: str = ""
    """Which edit of ``grader.formal.variants`` it is, where a check's options can let that pass."""


@dataclass(frozen=True, slots=True)
class Place:
    """An entity in its answer, and the lot that is drawn from."""

    raw: str
    entity: Entity
    chance: Random

    def seed(self) -> int:
        """A seed for another drawer of lots."""
        return self.chance.randrange(2**31)

    @property
    def in_code(self) -> bool:
        """Whether the entity stands between backticks."""
        line = self.raw[self.raw.rfind("\n", 0, self.entity.start) + 1 : self.entity.start]
        return line.count("`") % 2 == 1

    @property
    def in_math(self) -> bool:
        """Whether the entity stands in LaTeX's mathematics, or between braces of a macro."""
        return in_math(self.raw, self.entity.start)


def in_math(raw: str, at: int) -> bool:
    """Whether a place of a text stands in LaTeX's mathematics, or between braces of a macro."""
    before = raw[raw.rfind("\n\n", 0, at) + 1 : at].replace(r"\$", "")
    opened = before.count(r"\(") + before.count(r"\[") > before.count(r"\)") + before.count(r"\]")
    return opened or before.count("$") % 2 == 1 or before.count("{") > before.count("}")


Edits = Callable[[Place], Iterator[Edit]]
"""Edits that are proved by their maker's guards, in the order of the lot; raises Unfit where there are none.

Drawn as long as a guard on the whole answer refuses them.
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of transform."""

    name: str
    law: Law
    sorts: tuple[Sort, ...]
    """What it rewrites, the preferred sort first."""
    title: str
    """For people: ``one stereocentre inverted``."""
    proof: str
    """What is asserted of each pair beyond the guards of all kinds."""
    edits: Edits
