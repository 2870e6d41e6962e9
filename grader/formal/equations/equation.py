"""An equation as it is written: two sides of counted species around an arrow."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from grader.formal.equations.nuclides import Particle
from grader.formal.formulas.tree import Formula


class Arrow(StrEnum):
    """What stands between the sides."""

    FORWARD = "->"
    EQUILIBRIUM = "<=>"
    EQUALS = "="
    """Says nothing about the direction but that of reading."""


@dataclass(frozen=True, slots=True)
class Species:
    """A substance, an ion, an electron or a nuclide, in every reading of its spelling."""

    text: str
    readings: tuple[Formula, ...] = ()
    electron: bool = False
    particle: Particle | None = None
    word: bool = False
    """Named by a word that no code reads here."""


@dataclass(frozen=True, slots=True)
class Term:
    """A counted species of one side."""

    count: Fraction
    species: Species
    state: str = ""
    """``s``, ``l``, ``g``, ``aq``, or a form in brackets such as ``graphite``."""


@dataclass(frozen=True, slots=True)
class Equation:
    """Two sides and an arrow; the left one is what reacts."""

    text: str
    left: tuple[Term, ...]
    right: tuple[Term, ...]
    arrow: Arrow = Arrow.FORWARD
    arrow_text: str = ""
    """The raw arrow with what is written over and under it."""

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of both sides."""
        return (*self.left, *self.right)

    @property
    def words(self) -> tuple[str, ...]:
        """The terms that are named by words."""
        return tuple(term.species.text for term in self.terms if term.species.word)

    @property
    def electrons(self) -> str:
        """The side of a half-equation that holds its electrons: ``left``, ``right``, or empty."""
        if any(term.species.electron for term in self.left):
            return "left"
        return "right" if any(term.species.electron for term in self.right) else ""

    @property
    def ionic(self) -> bool:
        """Whether a species other than an electron is charged."""
        return any(reading.charge for term in self.terms for reading in term.species.readings[:1])
